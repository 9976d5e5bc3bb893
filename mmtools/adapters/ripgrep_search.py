"""`Search` by ripgrep."""

from __future__ import annotations

import os
import re
import shutil
import sysconfig
import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Protocol, TypeVar

from attrs import evolve

from mmtools.adapters.search.answers import (
    FilePaths,
    Searched,
    read_tree_glob,
    regex_bytes,
    searched,
    to_found,
    to_listed,
    wanted,
)
from mmtools.adapters.search.engine import Ending, EngineRun, run_engine
from mmtools.adapters.search.records import GrepRecords
from mmtools.adapters.search.repositories import in_repository
from mmtools.call import Cancellation
from mmtools.core.globs import Glob
from mmtools.ports.search import Ended, Found, Listed, Pattern, RegexDialect, Search, Tree

__all__ = ["RipgrepSearch", "find_ripgrep"]

#: What a person has set up for ripgrep or git does not count. A rule that takes back whatever is hidden takes back no
#: `.git`.
_COMMON = ("--no-config", "--color=never", "--null", "--no-ignore-global", "--no-ignore-messages", "--glob=!.git/")
#: Files may change meanwhile: they are not mapped. Lines may end in CRLF, for `$` too.
_GREP = (
    "--no-mmap",
    "--engine=default",
    "--no-heading",
    "--with-filename",
    "--line-number",
    "--column",
    r"--field-match-separator=\x00",
    "--crlf",
    "--binary",
)
#: By one thread.
_IN_ORDER = ("--sort=path",)
#: The name of what a glob wants, and what means itself in it.
_TYPE, _PLAIN = "wanted", re.compile(r"[A-Za-z0-9._-]+")
#: As soon as it is found: else ripgrep is stopped with some of them in hand.
_EACH_LINE = ("--line-buffered",)
#: For how long it is tried in order first, its start included; and with how much of the answer it goes on.
_PROBE_S, _WORTHWHILE = 0.015, 0.1
#: So many matches more than are asked for are taken in any order before the search starts over in order.
_SPARE_MATCHES = 500
#: Beyond this it is left out.
_MOST_IN_ANY_ORDER = 20_000
#: How ripgrep ends when it may not start its threads.
_PANIC, _NO_THREADS = 101, b"Resource temporarily unavailable"


def find_ripgrep(path: str | None = None) -> str | None:
    """
    Look for `rg` in the directories of PATH, then where this Python's packages have their programs.

    Args:
        path: The directories instead of the process's PATH.

    Returns:
        Absolute; None when there is none.
    """
    found = shutil.which("rg", path=path) or shutil.which("rg", path=sysconfig.get_path("scripts"))
    return os.path.abspath(found) if found else None


class RipgrepSearch(Search):
    """
    The search with ripgrep 13 or later, by one child after the other and three at most for each call.

    Args:
        program: The path of ripgrep, as `find_ripgrep` gives it.
        environment: The child's whole environment; by default this process's.
    """

    def __init__(self, program: str, *, environment: Mapping[str, str] | None = None) -> None:
        self._program = program
        self._environment = environment

    @property
    def dialect(self) -> RegexDialect:
        return RegexDialect.RUST

    def grep(
        self, tree: Tree, pattern: Pattern, *, skip: int = 0, limit: int, timeout_s: float, cancellation: Cancellation
    ) -> Found:
        glob = read_tree_glob(tree)
        place = searched(tree.place)
        counts = _Wanted(wanted(None if place.is_file else glob))
        regex = _pattern_arguments(pattern)
        arguments = (*_COMMON, *_tree_arguments(tree, place), *_GREP, *regex, "--", place.target)
        deadline = time.monotonic() + timeout_s
        run = self._run(arguments, place, deadline, cancellation)
        narrowing = () if place.is_file or glob is None else _narrowing(glob)

        def records(skip: int, limit: int) -> GrepRecords:
            return GrepRecords(
                skip=skip, limit=limit, wanted=counts, exists=place.exists, is_text=place.is_text_until(deadline)
            )

        in_any_order = None
        if not place.is_file and skip + limit <= _MOST_IN_ANY_ORDER:
            in_any_order = partial(records, 0, skip + limit + _SPARE_MATCHES)
        found, ending = _staged(_with(run, *narrowing), partial(records, skip, limit), in_any_order)
        if narrowing and counts.met_hidden and not tree.hidden:
            # To ripgrep a file of a wanted type is not hidden. Whether a rule takes it back is seen without the type.
            found, ending = _staged(run, partial(records, skip, limit), in_any_order)
        return to_found(found, ending, place, skip=skip, limit=limit)

    def files(self, tree: Tree, *, limit: int, timeout_s: float, cancellation: Cancellation) -> Listed:
        glob = read_tree_glob(tree)
        place = searched(tree.place)
        if place.is_file:
            return Listed(paths=("",))
        arguments = (*_COMMON, *_tree_arguments(tree, place), "--files", "--", place.target)
        run = self._run(arguments, place, time.monotonic() + timeout_s, cancellation)
        narrowing = () if glob is None else _narrowing(glob)
        paths, ending = _threaded(_with(run, *narrowing), partial(FilePaths, glob, limit, in_order=False))
        if narrowing and paths.met_hidden and not tree.hidden:
            # As for `grep`.
            paths, ending = _threaded(run, partial(FilePaths, glob, limit, in_order=False))
        return to_listed(paths, ending, place)

    def _run(
        self, arguments: tuple[str, ...], place: Searched, deadline: float, cancellation: Cancellation
    ) -> EngineRun:
        return EngineRun(
            arguments=(self._program, *arguments),
            directory=place.directory,
            environment=os.environ if self._environment is None else self._environment,
            deadline=deadline,
            cancellation=cancellation,
        )


class _Wanted:
    """The test which files count, which remembers whether a hidden one was among them."""

    def __init__(self, counts: Callable[[bytes], bool]) -> None:
        self._counts = counts
        self.met_hidden = False

    def __call__(self, path: bytes) -> bool:
        counts = self._counts(path)
        self.met_hidden |= counts and path.rpartition(b"/")[2].startswith(b".")
        return counts


class _Reader(Protocol):
    def feed(self, data: bytes) -> bool: ...


_R = TypeVar("_R", bound=_Reader)


def _staged(
    run: EngineRun, in_order: Callable[[], GrepRecords], in_any_order: Callable[[], GrepRecords] | None
) -> tuple[GrepRecords, Ending]:
    """
    Search in order for a moment, which is enough where there is little to search, and longer where there is much
    to find; else with all threads; and when more than they may collect is found, in order to the end.

    Args:
        in_any_order: None to leave the threads out.
    """
    probe = _with(run, *_IN_ORDER, deadline=min(run.deadline, time.monotonic() + _PROBE_S))
    records = in_order()
    ending = run_engine(
        probe, records.feed, more_time=lambda: run.deadline if records.share >= _WORTHWHILE else probe.deadline
    )
    if ending.ended is not Ended.TIME or time.monotonic() >= run.deadline:
        return records, ending
    some = None
    if in_any_order:
        some, ending = _threaded(run, in_any_order)
        if ending.ended is not Ended.LIMIT:
            return some, ending
    records = in_order()
    ending = run_engine(_with(run, *_IN_ORDER, *_EACH_LINE), records.feed)
    # Out of time with nothing is worse than with what the threads came upon.
    return (some if some and ending.ended is Ended.TIME and not records.matches else records), ending


def _threaded(run: EngineRun, make: Callable[[], _R]) -> tuple[_R, Ending]:
    """Run with as many threads as ripgrep likes, or with one where the system lets it have no more."""
    reader = make()
    ending = run_engine(run, reader.feed)
    if ending.code == _PANIC and _NO_THREADS in ending.complaints:
        reader = make()
        ending = run_engine(_with(run, "--threads=1"), reader.feed)
    return reader, ending


def _with(run: EngineRun, *options: str, deadline: float | None = None) -> EngineRun:
    program, *arguments = run.arguments
    return evolve(run, arguments=(program, *options, *arguments), deadline=deadline or run.deadline)


def _narrowing(glob: Glob) -> tuple[str, ...]:
    """Spare ripgrep most files that the glob does not want: a type is a choice by the name of a file, beside all rules."""
    if not all(map(_PLAIN.fullmatch, glob.suffixes)):
        return ()
    return (*(f"--type-add={_TYPE}:*{suffix}" for suffix in glob.suffixes), f"--type={_TYPE}")


def _tree_arguments(tree: Tree, place: Searched) -> tuple[str, ...]:
    # The glob is not among them: to ripgrep it would mean more than the rules of ignore files.
    hidden = ("--hidden",) if tree.hidden else ()
    if tree.ignored:
        return (*hidden, "--no-ignore")
    return hidden if place.is_file or in_repository(place.directory) else (*hidden, "--no-require-git")


def _pattern_arguments(pattern: Pattern) -> tuple[str, ...]:
    """
    Return the arguments for a pattern.

    Raises:
        BadPattern: No engine is needed to say so.
    """
    regex_bytes(pattern.regex)
    return "--ignore-case" if pattern.ignore_case else "--case-sensitive", f"--regexp={pattern.regex}"
