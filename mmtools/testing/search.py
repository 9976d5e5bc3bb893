"""A search over files in memory, as plain as can be: what the real ones are held against, and what tools are tested with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Self

from mmtools.call import Cancellation
from mmtools.core.globs import BadGlobReason, path_order, read_glob
from mmtools.ports.files import Place
from mmtools.ports.search import (
    BadGlob,
    BadPattern,
    Ended,
    Found,
    Listed,
    Match,
    Pattern,
    PatternTooLong,
    PlaceMissing,
    RegexDialect,
    Search,
    SearchProblem,
    Tree,
    Unreadable,
)

__all__ = ["MemorySearch"]

_GITIGNORE = ".gitignore"
_IGNORE_FILES = (_GITIGNORE, ".ignore", ".rgignore")
_SHOWN_CHARS = 500
_LONGEST_REGEX_BYTES = 1 << 16


class MemorySearch(Search):
    """
    A search in a mapping of paths to contents.

    Ignore files may hold names and globs, one a line, nothing is taken back with `!`.

    Args:
        files: By relative path; lone surrogates stand for bytes that are not UTF-8.
        root: Where they are; `Place.path` is this or below it.
        unreadable: Relative path → the system's words; names a file or a directory.
        problem: Raised by every call.
        ended: What every answer ends with instead of ALL.

    Attributes:
        calls: The trees that were asked for.
    """

    def __init__(
        self,
        files: Mapping[str, bytes],
        *,
        root: str = "/memory",
        unreadable: Mapping[str, str] | None = None,
        problem: SearchProblem | None = None,
        ended: Ended | None = None,
    ) -> None:
        self.files_by_path = dict(files)
        self.root = root
        self.unreadable = dict(unreadable or {})
        self.problem = problem
        self.ended = ended
        self.calls: list[Tree] = []

    @classmethod
    def of_directory(cls, directory: str | Path) -> Self:
        """Read the regular files of a directory into memory; links are left out."""
        root = Path(directory).resolve()
        found = [path for path in root.rglob("*") if path.is_file() and not path.is_symlink()]
        return cls({path.relative_to(root).as_posix(): path.read_bytes() for path in found}, root=str(root))

    @property
    def dialect(self) -> RegexDialect:
        return RegexDialect.PYTHON

    def place(self, path: str = "") -> Place:
        """Return the place of a relative path."""
        return Place(path or ".", f"{self.root}/{path}" if path else self.root)

    def grep(
        self, tree: Tree, pattern: Pattern, *, skip: int = 0, limit: int, timeout_s: float, cancellation: Cancellation
    ) -> Found:
        paths = self._searched(tree)
        regex = _compiled(pattern)
        if stopped := _stopped(timeout_s, cancellation):
            return Found(ended=stopped)
        matches: list[Match] = []
        binary: list[tuple[str, int]] = []
        for shown, path in paths:
            text = _text(self.files_by_path[path])
            if text is None:
                if any(regex.search(line) for line in re.split("[\n\0]", _decoded(self.files_by_path[path]))):
                    binary.append((shown, len(matches)))
                continue
            for number, line in enumerate(_lines(text), 1):
                if found := regex.search(line):
                    matches.append(_match(shown, number, line, found.start()))
        page = tuple(matches[skip : skip + limit])
        cut = len(matches) > skip + limit
        last = path_order(_encoded(page[-1].path)) if cut else None
        return Found(
            matches=page,
            binary=tuple(each for each, _ in binary if last is None or path_order(_encoded(each)) <= last),
            unreadable=self._unreadable(tree),
            ended=Ended.LIMIT if cut else self.ended or Ended.ALL,
        )

    def files(self, tree: Tree, *, limit: int, timeout_s: float, cancellation: Cancellation) -> Listed:
        paths = [shown for shown, _ in self._searched(tree)]
        if stopped := _stopped(timeout_s, cancellation):
            return Listed(ended=stopped)
        ended = Ended.LIMIT if len(paths) > limit else self.ended or Ended.ALL
        return Listed(paths=tuple(paths[:limit]), unreadable=self._unreadable(tree), ended=ended)

    def _searched(self, tree: Tree) -> list[tuple[str, str]]:
        """Return each file of the tree, in order, as it is shown and as it is kept."""
        self.calls.append(tree)
        if self.problem:
            raise self.problem
        glob = read_glob(tree.glob) if tree.glob else None
        if isinstance(glob, BadGlobReason):
            raise BadGlob(glob.text)
        start = tree.place.path.removeprefix(self.root).strip("/")
        if start in self.files_by_path:
            return [("", start)]
        prefix = f"{start}/" if start else ""
        below = [path for path in self.files_by_path if path.startswith(prefix)]
        if start and not below:
            raise PlaceMissing("No such file or directory")
        pairs = ((path.removeprefix(prefix), path) for path in below)
        chosen = [
            (shown, path)
            for shown, path in pairs
            if (tree.hidden or not any(name.startswith(".") for name in shown.split("/")))
            and ".git" not in shown.split("/")[:-1]
            and (tree.ignored or not self._is_ignored(path, prefix))
            and (glob is None or glob.matches(shown))
            and not any(_is_in(path, gone) for gone in self.unreadable)
        ]
        return sorted(chosen, key=lambda pair: path_order(_encoded(pair[0])))

    def _is_ignored(self, path: str, prefix: str) -> bool:
        """Whether an ignore file excludes a path, or a directory that it is in below the searched one."""
        names = path.split("/")
        bases = ["".join(f"{name}/" for name in names[:depth]) for depth in range(len(names))]
        tops = [depth for depth, base in enumerate(bases) if self._is_top(base)]
        in_git = any(prefix.startswith(bases[depth]) for depth in tops)
        for end in range(len(prefix.split("/")), len(names) + 1):
            top = max((depth for depth in tops if depth < end), default=0) if in_git else 0
            for depth in range(end):
                kinds = _IGNORE_FILES if depth >= top else _IGNORE_FILES[1:]
                below, is_directory = "/".join(names[depth:end]), end < len(names)
                if any(_excludes(rule, below, is_directory=is_directory) for rule in self._rules(bases[depth], kinds)):
                    return True
        return False

    def _is_top(self, base: str) -> bool:
        return any(path == f"{base}.git" or path.startswith(f"{base}.git/") for path in self.files_by_path)

    def _rules(self, base: str, kinds: Iterable[str]) -> Iterator[str]:
        for name in kinds:
            for line in self.files_by_path.get(base + name, b"").decode().splitlines():
                if line.strip() and not line.startswith("#"):
                    yield line.strip()

    def _unreadable(self, tree: Tree) -> tuple[Unreadable, ...]:
        start = tree.place.path.removeprefix(self.root).strip("/")
        below = [
            (path.removeprefix(start).lstrip("/"), why) for path, why in self.unreadable.items() if _is_in(path, start)
        ]
        return tuple(Unreadable(path, why) for path, why in sorted(below))


def _excludes(rule: str, path: str, *, is_directory: bool) -> bool:
    if rule.endswith("/") and not is_directory:
        return False
    glob = read_glob(rule.rstrip("/").lstrip("/") if "/" not in rule[:-1] else f"./{rule.strip('/')}")
    return not isinstance(glob, BadGlobReason) and glob.matches(path)


def _is_in(path: str, directory: str) -> bool:
    return not directory or path == directory or path.startswith(f"{directory}/")


def _stopped(timeout_s: float, cancellation: Cancellation) -> Ended | None:
    if cancellation.requested:
        return Ended.CANCELLED
    return Ended.TIME if timeout_s <= 0 else None


def _compiled(pattern: Pattern) -> re.Pattern[str]:
    if "\n" in pattern.regex or "\0" in pattern.regex:
        raise BadPattern("no line holds a newline or a NUL")
    try:
        if len(pattern.regex.encode()) > _LONGEST_REGEX_BYTES:
            raise PatternTooLong(f"more than {_LONGEST_REGEX_BYTES:,} bytes cannot be searched for")
        return re.compile(pattern.regex, re.IGNORECASE if pattern.ignore_case else 0)
    except (re.error, RecursionError, OverflowError, UnicodeEncodeError) as problem:
        raise BadPattern(str(problem)) from problem


def _decoded(data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape")


def _text(data: bytes) -> str | None:
    """Decode a text, bytes that are not UTF-8 as lone surrogates; None when it is none."""
    text = _decoded(data)
    return None if "\0" in text else text


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    if lines[-1] == "":
        del lines[-1]
    return [line.removesuffix("\r") for line in lines]


def _match(path: str, number: int, line: str, at: int) -> Match:
    start = 0
    if len(line) > _SHOWN_CHARS:
        half = _SHOWN_CHARS // 2
        start = max(0, min(at - half, len(line) - _SHOWN_CHARS))
    shown = line[start : start + _SHOWN_CHARS]
    return Match(
        path=path,
        line=number,
        text=_encoded(shown).decode("utf-8", "replace"),
        before=len(_encoded(line[:start])),
        after=len(_encoded(line[start + len(shown) :])),
    )


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
