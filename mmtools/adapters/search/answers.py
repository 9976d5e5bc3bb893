"""From what an engine wrote to what the port answers; and from what the port is asked to what an engine needs."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress

from attrs import define, field, frozen

from mmtools.adapters.search.complaints import Complaints, read_complaints
from mmtools.adapters.search.contents import first_nul
from mmtools.adapters.search.engine import Ending
from mmtools.adapters.search.records import GrepRecords, Record, to_match, unexpected
from mmtools.core.globs import BadGlobReason, Glob, path_order, read_glob
from mmtools.ports.files import Place
from mmtools.ports.search import (
    BadGlob,
    BadPattern,
    Ended,
    EngineFailed,
    Found,
    Listed,
    PatternTooLong,
    PlaceMissing,
    Tree,
    Unreadable,
)

__all__ = ["FilePaths", "Searched", "read_tree_glob", "regex_bytes", "searched", "to_found", "to_listed", "wanted"]

#: Exit codes of an engine that has done its work, if with complaints.
_WORKED = (0, 1, 2)
#: So many paths more than are asked for are kept until the greatest are dropped.
_SPARE_PATHS = 20_000

#: Of a pattern: an engine takes longer to read a longer one than to search, and no system takes a much longer argument.
_LONGEST_REGEX_BYTES = 1 << 16

#: How much of what an engine says in breaking down is passed on.
_QUOTED_CHARS = 500

#: Exchanges what separates names with what separates paths.
_EXCHANGED = bytes.maketrans(b"/\0", b"\0/")


@frozen(kw_only=True)
class Searched:
    """
    Where an engine runs and what it is given.

    Args:
        directory: Absolute.
        target: `.`, or `./NAME` of the one file.
    """

    directory: str
    target: str

    @property
    def is_file(self) -> bool:
        return self.target != "."

    def shown(self, path: bytes) -> str:
        """
        Return a path as the port gives it.

        Args:
            path: As an engine gives it, without `./`.
        """
        return "" if self.is_file else path.decode("utf-8", "surrogateescape")

    def exists(self, path: bytes) -> bool:
        """Whether there is such a name, be it a broken link."""
        with suppress(ValueError):
            return os.path.lexists(os.path.join(os.fsencode(self.directory), path))
        return False

    def is_text_until(self, deadline: float) -> Callable[[bytes], bool]:
        """Return what tells whether a file of this place is text, as far as there is time to see it."""

        def is_text(path: bytes) -> bool:
            return first_nul(os.path.join(os.fsencode(self.directory), path), deadline) < 0

        return is_text


def searched(place: Place) -> Searched:
    """
    Look at the place.

    Raises:
        PlaceMissing: It is neither a directory nor a regular file.
    """
    try:
        mode = os.stat(place.path).st_mode
    except OSError as problem:
        raise PlaceMissing(problem.strerror or str(problem)) from problem
    except ValueError as problem:
        raise PlaceMissing(str(problem)) from problem
    if stat.S_ISDIR(mode):
        return Searched(directory=place.path, target=".")
    if stat.S_ISREG(mode):
        directory, name = os.path.split(place.path)
        return Searched(directory=directory, target=f"./{name}")
    raise PlaceMissing("neither a directory nor a regular file")


def read_tree_glob(tree: Tree) -> Glob | None:
    """
    Read the glob of a tree; None when every file counts.

    Raises:
        BadGlob: It cannot be read.
    """
    if not tree.glob:
        return None
    match read_glob(tree.glob):
        case BadGlobReason(text):
            raise BadGlob(text)
        case glob:
            return glob


def wanted(glob: Glob | None) -> Callable[[bytes], bool]:
    """Return the glob as `GrepRecords` asks for it."""
    if glob is None:
        return lambda path: True
    return lambda path: glob.matches(path.decode("utf-8", "surrogateescape"))


def regex_bytes(regex: str) -> bytes:
    """
    Encode a regular expression.

    Raises:
        BadPattern: It holds what no text does, or is too long.
    """
    if "\0" in regex:
        raise BadPattern("the pattern holds a NUL character; no line of a text does")
    try:
        encoded = regex.encode()
    except UnicodeEncodeError as problem:
        raise BadPattern("the pattern holds a lone surrogate, which has no UTF-8 form") from problem
    if len(encoded) > _LONGEST_REGEX_BYTES:
        raise PatternTooLong(
            f"the pattern has {len(encoded):,} bytes; {_LONGEST_REGEX_BYTES:,} at most can be searched for"
        )
    return encoded


def to_found(records: GrepRecords, ending: Ending, place: Searched, *, skip: int, limit: int) -> Found:
    """
    Answer a search.

    Args:
        records: With or without the first `skip`, as its own `skip` says; in order only in the first case.

    Raises:
        BadPattern, EngineFailed: As they say.
    """
    complaints = _complaints(ending, records.end())
    matches = sorted(records.matches, key=_record_order)[skip - records.skip :]
    ended = ending.ended
    until: bytes | None = None
    if (len(matches) > limit or records.full) and ended in (Ended.ALL, Ended.LIMIT):
        ended = Ended.LIMIT
        until = path_order(matches[limit - 1].path)
    binary = sorted({path_order(path) for path in records.binary})
    return Found(
        matches=tuple(to_match(record, place.shown(record.path)) for record in matches[:limit]),
        binary=tuple(place.shown(_path(order)) for order in binary if until is None or order <= until),
        unreadable=_unreadable(complaints, place, until),
        ended=ended,
    )


@define
class FilePaths:
    """
    The first paths, in order, of what `files` writes.

    Args:
        in_order: Whether it is written in order, so that the first that come are enough.
        met_hidden: Whether a name that begins with a dot was among them.
    """

    glob: Glob | None
    limit: int
    in_order: bool = field(kw_only=True)
    rest: bytes = field(default=b"", init=False)
    met_hidden: bool = field(default=False, init=False)
    _orders: list[bytes] = field(factory=list, init=False)

    def feed(self, data: bytes) -> bool:
        """
        Take the next piece, cut anywhere; returns whether more is wanted.

        Raises:
            EngineFailed: It is not what an engine writes.
        """
        whole, _, self.rest = (self.rest + data).rpartition(b"\0")
        if not whole:
            return True
        if not whole.startswith(b"./"):
            raise unexpected(whole)
        if self.glob is not None:
            whole = b"\0".join(self.glob.select(whole + b"\0"))
        if whole:
            self.met_hidden |= b"/." in whole
            # With slash and NUL exchanged a path is what it is sorted by.
            self._orders += whole.translate(_EXCHANGED).split(b"/")
        if self.in_order and len(self._orders) > self.limit:
            return False
        if len(self._orders) > self.limit + _SPARE_PATHS:
            self._cut()
        return True

    def listed(self) -> tuple[list[bytes], bool]:
        """Return what the first paths are sorted by, and whether there are more."""
        return [order[len(b"./") :] for order in self._cut()[: self.limit]], len(self._orders) > self.limit

    def _cut(self) -> list[bytes]:
        self._orders.sort()
        del self._orders[self.limit + 1 :]
        return self._orders


def to_listed(paths: FilePaths, ending: Ending, place: Searched) -> Listed:
    """
    Answer a listing.

    Raises:
        EngineFailed: The engine broke down.
    """
    complaints = _complaints(ending, paths.rest)
    orders, more = paths.listed()
    limited = more and ending.ended in (Ended.ALL, Ended.LIMIT)
    return Listed(
        paths=tuple(place.shown(_path(order)) for order in orders),
        unreadable=_unreadable(complaints, place, orders[-1] if limited else None),
        ended=Ended.LIMIT if limited else ending.ended,
    )


def _record_order(record: Record) -> tuple[bytes, int]:
    return path_order(record.path), record.line


def _path(order: bytes) -> bytes:
    return order.replace(b"\0", b"/")


def _complaints(ending: Ending, rest: bytes) -> Complaints:
    """
    Read the complaints of an engine that has done its work.

    Args:
        rest: What stands broken off at the end of its output; it may, when the engine was stopped.

    Raises:
        BadPattern, EngineFailed: It has not.
    """
    complaints = read_complaints(ending.complaints)
    if ending.ended is not Ended.ALL:
        return complaints
    if complaints.pattern:
        raise BadPattern(complaints.pattern)
    if ending.code not in _WORKED or complaints.other:
        said = complaints.other[:_QUOTED_CHARS]
        raise EngineFailed(said or f"exit code {'unknown' if ending.code is None else ending.code}")
    if rest:
        raise unexpected(rest)
    return complaints


def _unreadable(complaints: Complaints, place: Searched, until: bytes | None) -> tuple[Unreadable, ...]:
    """Sort what could not be read, up to a path when the search ended there."""
    orders = [(path_order(each.path.encode("utf-8", "surrogateescape")), each) for each in complaints.unreadable]
    orders = sorted((each for each in orders if until is None or each[0] <= until), key=lambda each: each[0])
    return tuple(Unreadable(place.shown(_path(order)), each.reason) for order, each in orders)
