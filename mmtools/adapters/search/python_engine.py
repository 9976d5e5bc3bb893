r"""
The Python search engine: a program that walks and searches the working directory and writes records.

It is a program of its own because nothing else can end a regular expression that runs away. Standard input says
what to do, in fields separated by NUL: `grep` or `files`; the target, `.` or `./NAME`; switches; a glob or nothing;
and, to the end, the regular expression. Switches are letters: `h` also hidden files, `i` also ignored ones, `c`
ignore case. `records` says what it writes and how it exits, but for code 3: pathspec is missing.

It starts once for each search: what it imports is kept few, and its values are plain.
"""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterable

from mmtools.adapters.search.contents import NotText, search_file
from mmtools.adapters.search.ignore_rules import PathspecMissing
from mmtools.adapters.search.matching import LineMatcher, PatternRefused
from mmtools.adapters.search.walking import Walk

__all__ = ["FOUND", "NOTHING_FOUND", "PATHSPEC_MISSING", "PROBLEM", "main"]

FOUND, NOTHING_FOUND, PROBLEM, PATHSPEC_MISSING = range(4)
#: Records are passed on when there is so much of them.
_FLUSH_BYTES = 1 << 15


def main() -> int:
    """Do what standard input says."""
    gc.disable()
    with open(0, "rb", closefd=False) as stdin:
        work, target, switches, glob, regex = stdin.read().split(b"\0", 4)
    engine = _Engine(target, switches.decode(), glob)
    try:
        if work == b"files":
            engine.files()
        else:
            engine.grep(LineMatcher(regex.decode(), ignore_case=b"c" in switches))
    except PatternRefused as problem:
        os.write(2, f"rg: {problem}\n".encode())
        return PROBLEM
    except PathspecMissing:
        return PATHSPEC_MISSING
    except BrokenPipeError:
        return NOTHING_FOUND
    return engine.code


class _Engine:
    """The writer of the records of one search."""

    def __init__(self, target: bytes, switches: str, glob: bytes) -> None:
        self._target = target
        self._hidden, self._ignored = "h" in switches, "i" in switches
        self._wanted, self._prefix = _read_glob(glob)
        self._out: list[bytes] = []
        self._held = 0
        self._found = self._problem = False

    @property
    def code(self) -> int:
        return PROBLEM if self._problem else FOUND if self._found else NOTHING_FOUND

    def files(self) -> None:
        for path in self._paths():
            if self._wanted is None or self._wanted(path):
                self._write(b"./%s\0" % path)
        self._flush()

    def grep(self, matcher: LineMatcher) -> None:
        for path in self._paths():
            if self._wanted is None or self._wanted(path):
                try:
                    self._search(path, matcher)
                except OSError as problem:
                    if isinstance(problem, BrokenPipeError):
                        raise
                    self._complain(path, problem)
            # What is found is passed on now: the next file may be the one that takes all the time there is.
            self._flush()

    def _search(self, path: bytes, matcher: LineMatcher) -> None:
        for found in search_file(path, matcher):
            if isinstance(found, NotText):
                self._write(b'./%s: binary file matches (found "\\0" byte around offset %d)\n' % (path, found.offset))
            else:
                self._write(b"./%s\0%d\0%d\0" % (path, found.line, found.column), found.text, b"\r\n")

    def _paths(self) -> Iterable[bytes]:
        if self._target != b".":
            return [self._target.removeprefix(b"./")]
        within = _leads_to(self._prefix) if self._prefix else None
        walk = Walk(hidden=self._hidden, ignored=self._ignored, complain=self._complain, within=within)
        return walk.files()

    def _write(self, *record: bytes) -> None:
        self._found = True
        self._out += record
        self._held += sum(map(len, record))
        if self._held >= _FLUSH_BYTES:
            self._flush()

    def _flush(self) -> None:
        if not self._out:
            return
        data = memoryview(b"".join(self._out))
        self._out.clear()
        self._held = 0
        while data:
            data = data[os.write(1, data) :]

    def _complain(self, path: bytes, problem: OSError) -> None:
        self._problem = True
        reason = (problem.strerror or str(problem)).encode("utf-8", "replace")
        os.write(2, b"rg: ./%s: %s (os error %d)\n" % (path, reason, problem.errno or 0))


def _read_glob(glob: bytes) -> tuple[Callable[[bytes], bool] | None, bytes]:
    """Return what a glob wants, and the directory that all of it is below."""
    if not glob:
        return None, b""
    from mmtools.core.globs import BadGlobReason, read_glob

    read = read_glob(glob.decode("utf-8", "surrogateescape"))
    assert not isinstance(read, BadGlobReason)
    return lambda path: read.matches(path.decode("utf-8", "surrogateescape")), read.prefix.encode(
        "utf-8", "surrogateescape"
    )


def _leads_to(prefix: bytes) -> Callable[[bytes], bool]:
    """Tell directories that `prefix` is in, or that are in it."""
    below = prefix + b"/"
    return lambda path: path == prefix or path.startswith(below) or below.startswith(path + b"/")
