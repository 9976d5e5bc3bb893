"""
The resolution of replacements against the original text, all or nothing.

    Applied          spans that may be spliced in
    Refused          every bad edit: NoReplacements, Empty, Unchanging, Unencodable, NotFound,
                     Ambiguous, Overlapping
    NotText          only for legacy text: it cannot be edited without knowing its encoding

The rules
    *   `old` is matched exactly, and must occur once. Overlapping occurrences count: `aa` is twice in `aaa`.
    *   Where every place is to change (`everywhere`), the places are those of `str.replace`: from left to right, each
        behind the one before it.
    *   It is matched on the view (`\\r\\n` seen as `\\n`); when `old` itself holds `\\r`, on the raw text.
    *   What `old` and `new` share at their ends stays as it is in the file, to the byte; the start is compared
        first.
    *   A `\\n` in the rest of `new` takes the ending of the first line break at or after the start of the match,
        else of the last one before it, else `\\n`. A `\\r\\n` in `new` is meant as it stands; and so is all of
        `new` when `old` holds `\\r`.
    *   Matches may touch, not overlap. No edit sees another's result, so their order means nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TypeAlias

from attrs import field, frozen

from mmtools.core import occurrences
from mmtools.core.changes import Change, reduce
from mmtools.core.occurrences import Never, Often, Once
from mmtools.core.text import LegacyText, Text, raw_offset, unencodable, view

__all__ = [
    "Ambiguous",
    "Applied",
    "Empty",
    "NoReplacements",
    "NotFound",
    "NotText",
    "Overlapping",
    "Refusal",
    "Refused",
    "Replacement",
    "Span",
    "Unchanging",
    "Unencodable",
    "resolve",
    "resolve_legacy",
    "splice",
]


@frozen
class Replacement:
    """
    The request for one change.

    Args:
        old: Exact text, present once.
        new: Literal; empty deletes.
        everywhere: Whether `old` may be present more than once, and gives way in every place.
    """

    old: str
    new: str
    everywhere: bool = False


@frozen
class Span:
    """
    Which raw characters give way to what.

    Args:
        start: 0-based offset in the raw text; it parts a `\\r\\n` only where the match does.
        end: Exclusive; equal to `start` for an insertion.
        new: As it will stand in the file.
        index: Which replacement it serves, 0-based, in the order sent.
    """

    start: int
    end: int
    new: str
    index: int


@frozen
class NoReplacements:
    """A list of edits that is empty."""


@frozen
class Empty:
    """An edit whose `old` is empty."""

    index: int


@frozen
class Unchanging:
    """An edit after which the file would be the same."""

    index: int


@frozen
class Unencodable:
    """
    An edit whose `new` holds a character that the file's encoding cannot.

    Args:
        character_index: 0-based, in `new`, of the first one.
    """

    index: int
    character_index: int


@frozen
class NotFound:
    """An edit whose `old` occurs nowhere."""

    index: int


@frozen
class Ambiguous:
    """
    An edit whose `old` occurs more than once.

    Args:
        count: Overlapping occurrences included.
        lines: 1-based, where each of the first ten starts; one line may be named twice.
        more: Whether counting stopped at `count` although there are more.
    """

    index: int
    count: int
    lines: tuple[int, ...]
    more: bool = False


@frozen
class Overlapping:
    """
    An edit that matches a character that another edit matches too.

    Args:
        other: The one of the two that was sent earlier.
    """

    index: int
    other: int


_OfOneEdit: TypeAlias = Empty | Unchanging | Unencodable | NotFound | Ambiguous | Overlapping
#: Why the edits cannot be made. A closed union.
Refusal: TypeAlias = NoReplacements | _OfOneEdit


@frozen
class Refused:
    """
    The refusal to change anything.

    Args:
        refusals: Every bad edit, in order of `index`. One that overlaps several others is named with at least one.
    """

    refusals: tuple[Refusal, ...]


@frozen
class NotText:
    """
    Edits that are not safe in every ASCII-compatible encoding, where this file's is not known.

    Args:
        indexes: The unsafe ones, ascending: not ASCII, or right behind a byte that may begin a character.
    """

    indexes: tuple[int, ...]


@frozen
class Applied:
    """
    A change that can be made.

    Args:
        original: The raw text that was resolved against.
        spans: In order of place; pairwise disjoint, two may touch; at least one for each replacement, and exactly one
            where it is not meant for every place.
    """

    original: str = field(repr=False)
    spans: tuple[Span, ...]

    @cached_property
    def text(self) -> str:
        """The new raw text."""
        kept = 0
        pieces: list[str] = []
        for span in self.spans:
            pieces += self.original[kept : span.start], span.new
            kept = span.end
        return "".join([*pieces, self.original[kept:]])

    @cached_property
    def first_line(self) -> int:
        """The first changed line, 1-based, in the original; one past its last for text added at the end."""
        return 1 + self.original.count("\n", 0, self.spans[0].start)


def resolve(text: str, replacements: Sequence[Replacement], *, encoding: str = "utf-8") -> Applied | Refused:
    """
    Find the one place of each replacement, or say of every bad one why it is bad.

    Args:
        text: Raw: line ends as found, without a BOM.
        replacements: In any order; at least one.
        encoding: What `new` must be encodable in.
    """
    matches = _locate_all(text, replacements, encoding)
    return matches if isinstance(matches, Refused) else _applied(text, matches)


def resolve_legacy(legacy: LegacyText, replacements: Sequence[Replacement]) -> Applied | Refused | NotText:
    """
    Resolve on a text of unknown encoding, where that is safe in every ASCII-compatible one.

    It is when `old` and `new` are ASCII and no match follows a byte from 0x80 up: the match might be
    the second half of a double-byte character.
    """
    foreign = (i for i, asked in enumerate(replacements) if not (asked.old.isascii() and asked.new.isascii()))
    if indexes := tuple(foreign):
        return NotText(indexes)
    matches = _locate_all(legacy.content, replacements, "ascii")
    if isinstance(matches, Refused):
        return matches
    unsafe = sorted(match.index for match in matches if _follows_high_byte(legacy.content, match.change.start))
    return NotText(tuple(unsafe)) if unsafe else _applied(legacy.content, matches)


def splice(data: bytes, decoded: Text | LegacyText, applied: Applied) -> bytes:
    """
    Return the file's new bytes; every byte outside the spans is taken from `data`.

    Far cheaper than encoding `applied.text`, which need not even be made.

    Args:
        data: What `decoded` was decoded from.
        applied: Resolved against `decoded.content`.
    """
    offsets = decoded.byte_offsets([bound for span in applied.spans for bound in (span.start, span.end)])
    if offsets is None:
        return decoded.encode(applied.text)
    # Through a view of the bytes, `join` copies each of them once.
    source, kept = memoryview(data), 0
    pieces: list[bytes | memoryview] = []
    for span, start, end in zip(applied.spans, offsets[::2], offsets[1::2], strict=True):
        pieces += source[kept:start], decoded.encode_part(span.new)
        kept = end
    return b"".join([*pieces, source[kept:]])


@frozen
class _Match:
    index: int
    change: Change


def _follows_high_byte(image: str, offset: int) -> bool:
    return offset > 0 and image[offset - 1] > "\x7f"


class _Source:
    """A raw text, and its view once somebody needs it."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.may_differ = "\r" in raw

    def page_for(self, old: str) -> str:
        """Return the text that `old` is matched on: the raw one wherever the view would give the same places."""
        return self._view if self.may_differ and "\n" in old and "\r" not in old else self.raw

    @cached_property
    def _view(self) -> str:
        return view(self.raw)


def _locate_all(text: str, replacements: Sequence[Replacement], encoding: str) -> list[_Match] | Refused:
    """Return the matches in order of place."""
    if not replacements:
        return Refused((NoReplacements(),))
    source = _Source(text)
    matches: list[_Match] = []
    refusals: list[_OfOneEdit] = []
    for index, asked in enumerate(replacements):
        located = _unfit(index, asked, encoding) or _locate(source, index, asked)
        if isinstance(located, list):
            matches += located
        else:
            refusals.append(located)
    matches.sort(key=lambda match: match.change.start)
    refusals += _overlaps(matches)
    if refusals:
        refusals.sort(key=lambda refusal: refusal.index)
        return Refused(tuple(refusals))
    return matches


def _unfit(index: int, asked: Replacement, encoding: str) -> Empty | Unchanging | Unencodable | None:
    """Judge a replacement by itself."""
    if not asked.old:
        return Empty(index)
    if asked.old == asked.new:
        return Unchanging(index)
    character_index = unencodable(asked.new, encoding)
    return None if character_index is None else Unencodable(index, character_index)


def _locate(source: _Source, index: int, asked: Replacement) -> list[_Match] | NotFound | Ambiguous | Unchanging:
    page = source.page_for(asked.old)
    if asked.everywhere:
        offsets = list(_apart(page, asked.old))
    else:
        match occurrences.count(page, asked.old):
            case Never():
                offsets = []
            case Often(count, lines, more):
                return Ambiguous(index, count, lines, more)
            case Once(offset):
                offsets = [offset]
    if not offsets:
        return NotFound(index)
    matches = [_Match(index, change) for change in _changes(source, page, offsets, asked)]
    return Unchanging(index) if all(match.change.is_empty for match in matches) else matches


def _apart(page: str, old: str) -> Iterator[int]:
    """Find the places of a text from left to right, each behind the one before it."""
    offset = page.find(old)
    while offset >= 0:
        yield offset
        offset = page.find(old, offset + len(old))


def _changes(source: _Source, page: str, offsets: Sequence[int], asked: Replacement) -> Iterator[Change]:
    """Say what each place changes, in order; where all lines end alike, each change is the first one, moved."""
    raw, last, start = source.raw, 0, 0
    first: Change | None = None
    for offset in offsets:
        start = offset if page is raw else raw_offset(raw, offset - last, start)
        last = offset
        if first is None or source.may_differ:
            first = reduce(raw, start, asked.old, asked.new)
            yield first
        else:
            by = start - first.start
            yield Change(start, first.end + by, first.changed_start + by, first.changed_end + by, first.new)


def _overlaps(matches: Sequence[_Match]) -> Iterator[Overlapping]:
    """
    Compare each match with the one before it that reaches farthest.

    Args:
        matches: In order of place.
    """
    farthest: _Match | None = None
    for match in matches:
        if farthest is not None and match.change.start < farthest.change.end:
            earlier, later = sorted((farthest.index, match.index))
            yield Overlapping(later, other=earlier)
        if farthest is None or match.change.end > farthest.change.end:
            farthest = match


def _applied(text: str, matches: Sequence[_Match]) -> Applied:
    changes = [(match.change, match.index) for match in matches if not match.change.is_empty]
    return Applied(text, tuple(Span(cut.changed_start, cut.changed_end, cut.new, index) for cut, index in changes))
