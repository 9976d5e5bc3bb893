"""
The search in the files below a directory: which there are, and which lines match.

Paths in answers are relative to the directory that was searched, with `/` between names, never with a leading
`./`; bytes of a name that are not UTF-8 stand as lone surrogates (PEP 383). A path sorts by its names, each by
its bytes: `a/z` before `a.txt`. Symlinks that are met are not followed, only the searched path itself.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from attrs import frozen

from mmtools.call import Cancellation
from mmtools.errors import MmtoolsError
from mmtools.ports.files import Place

__all__ = [
    "BadGlob",
    "BadPattern",
    "Ended",
    "EngineFailed",
    "Found",
    "Listed",
    "Match",
    "Pattern",
    "PatternTooLong",
    "PlaceMissing",
    "RegexDialect",
    "Search",
    "SearchProblem",
    "Tree",
    "Unreadable",
]


class RegexDialect(StrEnum):
    """The kind of regular expressions that an engine reads."""

    RUST = "rust"
    PYTHON = "python"


class Ended(StrEnum):
    """
    Why a search ended.

    Attributes:
        ALL: Everything was searched.
        LIMIT: There is more than was asked for; how much more is not known.
        TIME: The time was over; what was found until then is there, in part and in order.
        CANCELLED: The host stopped it.
    """

    ALL = "all"
    LIMIT = "limit"
    TIME = "time"
    CANCELLED = "cancelled"


@frozen(kw_only=True)
class Tree:
    """
    Which files to search.

    Args:
        place: A directory, or one file, which is then searched whatever the other fields say.
        glob: Only files whose relative path it matches (`core.globs` says how); empty for all.
        hidden: Also names that begin with a dot; a `.git` directory is never searched unless `place` is in it.
        ignored: Also what `.gitignore`, `.ignore`, `.rgignore` and `.git/info/exclude` exclude. Where `place` lies in a
            git repository (there is a `.git` in it or above it), `.gitignore` and `.git/info/exclude` count up to the
            top of the nearest repository: one above it, or around a nested one, has no say. Where it does not, they
            count as `.ignore` does, repositories below it or not.
    """

    place: Place
    glob: str = ""
    hidden: bool = False
    ignored: bool = False


@frozen(kw_only=True)
class Pattern:
    """
    What to look for, line by line.

    Args:
        regex: In the engine's dialect, of 64 KiB at most; searched in each line without its line end.
    """

    regex: str
    ignore_case: bool = False


@frozen(kw_only=True)
class Match:
    """
    One line that matches.

    Args:
        path: Relative; empty when the searched place is the file.
        line: 1-based.
        text: The line without its line end, undecodable bytes as U+FFFD; of a line of more than 500 characters
            about 500 around the first match.
        before, after: Bytes of the line left out before and after `text`.
    """

    path: str
    line: int
    text: str
    before: int = 0
    after: int = 0


@frozen
class Unreadable:
    """
    What could not be read.

    Args:
        path: Relative.
        reason: The system's own words.
    """

    path: str
    reason: str


@frozen(kw_only=True)
class Found:
    """
    What a pattern was found in.

    Args:
        matches: Sorted by path and line.
        binary: Files that are not text (they hold a NUL) and hold the pattern, sorted; none of their lines is among
            the matches. At a LIMIT, up to the last match's path.
        unreadable: Sorted; at a LIMIT, up to the last match's path.
    """

    matches: tuple[Match, ...] = ()
    binary: tuple[str, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    ended: Ended = Ended.ALL


@frozen(kw_only=True)
class Listed:
    """
    The files of a tree.

    Args:
        paths: Sorted, each once.
        unreadable: Directories that could not be read, sorted; at a LIMIT, up to the last path.
    """

    paths: tuple[str, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    ended: Ended = Ended.ALL


class SearchProblem(MmtoolsError):
    """
    The reason why nothing could be searched. No text for a model: tools word it.

    Args:
        reason: The engine's or the system's own words.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(f"{type(self).__name__}: {reason}".rstrip(": "))
        self.reason = reason


class BadPattern(SearchProblem):
    """A regular expression that the engine does not take."""


class PatternTooLong(BadPattern):
    """A pattern with more bytes than are taken."""


class BadGlob(SearchProblem):
    """A glob that cannot be read."""


class PlaceMissing(SearchProblem):
    """A place where nothing is, or nothing that can be searched."""


class EngineFailed(SearchProblem):
    """An engine that broke down before it found anything."""


class Search(Protocol):
    """A file search below a directory. Never follows a link out of it, never runs a program for a pattern's sake."""

    @property
    def dialect(self) -> RegexDialect:
        """Which regular expressions `grep` reads."""
        ...

    def grep(
        self, tree: Tree, pattern: Pattern, *, skip: int = 0, limit: int, timeout_s: float, cancellation: Cancellation
    ) -> Found:
        """
        Find the lines that match.

        Args:
            skip: Matches passed over at the start, in order.
            limit: Matches at most; at least 1.
            timeout_s: After which the search ends with what it has; holds for any pattern on any file.

        Raises:
            BadPattern, BadGlob, PlaceMissing, EngineFailed: As they say.
        """
        ...

    def files(self, tree: Tree, *, limit: int, timeout_s: float, cancellation: Cancellation) -> Listed:
        """
        List the files of a tree; of a place that is one file, that file as an empty path.

        Args:
            limit: Paths at most, the first in order; at least 1.

        Raises:
            BadGlob, PlaceMissing, EngineFailed: As they say.
        """
        ...
