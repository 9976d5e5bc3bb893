"""Which lines of a text change when parts of it are replaced; what is left alone is not looked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from mmtools.core import alignment
from mmtools.core.edits import Span
from mmtools.core.text import view

__all__ = ["Block", "ChangedLines", "between", "changed", "lines", "widened"]


@frozen
class Block:
    """
    The replacement of whole lines.

    Args:
        start, end: Offsets in the old text, both at the start of a line or at the end of the text.
        text: What takes their place.
    """

    start: int
    end: int
    text: str


@frozen(kw_only=True)
class ChangedLines:
    """
    The replacement of whole lines, none of which is on both sides.

    Args:
        start, end: As in `Block`.
        line: 0-based, of `start`, in the old text.
    """

    start: int
    end: int
    line: int
    removed: Sequence[str]
    added: Sequence[str]


def widened(text: str, spans: Iterable[Span]) -> Iterator[Block]:
    """Widen spans to whole lines, and join those that come to touch."""
    start, kept, end = 0, 0, -1
    pieces: list[str] = []
    for span in spans:
        line_start = text.rfind("\n", 0, span.start) + 1
        if line_start > end:
            if pieces:
                yield Block(start, end, "".join([*pieces, text[kept:end]]))
            start = kept = line_start
            pieces = []
        pieces += text[kept : span.start], span.new
        kept = span.end
        end = text.find("\n", kept) + 1 or len(text)
    if pieces:
        yield Block(start, end, "".join([*pieces, text[kept:end]]))


def between(old: str, new: str) -> Iterator[Block]:
    """Set aside what two texts share at their ends; yields one block, or none for equal texts."""
    prefix = alignment.shared_prefix(old, new)
    if prefix == len(old) == len(new):
        return
    suffix = alignment.shared_suffix(old, new, prefix)
    start = old.rfind("\n", 0, prefix) + 1
    end = old.find("\n", len(old) - suffix) + 1 or len(old)
    yield Block(start, end, new[start : end + len(new) - len(old)])


def changed(text: str, blocks: Iterable[Block]) -> Iterator[ChangedLines]:
    """Find the lines that really change inside each block, on its view."""
    line, counted = 0, 0
    for block in blocks:
        line += text.count("\n", counted, block.start)
        counted = block.start
        replaced = text[block.start : block.end]
        raw, old, new = lines(replaced), lines(view(replaced)), lines(view(block.text))
        at, passed = block.start, 0
        for gap in alignment.gaps(old, new):
            at += sum(map(len, raw[passed : gap.old_start]))
            end = at + sum(map(len, raw[gap.old_start : gap.old_end]))
            passed = gap.old_end
            yield ChangedLines(
                start=at,
                end=end,
                line=line + gap.old_start,
                removed=old[gap.old_start : gap.old_end],
                added=new[gap.new_start : gap.new_end],
            )
            at = end


def lines(text: str) -> list[str]:
    """Part a text after every `\\n`."""
    *ended, rest = text.split("\n")
    parts = [line + "\n" for line in ended]
    return [*parts, rest] if rest else parts
