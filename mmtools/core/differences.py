"""Where a text of a file and the text that was sent for it differ, to the character."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice, zip_longest

from attrs import frozen

from mmtools.core import alignment
from mmtools.core.confusables import fold

__all__ = ["Difference", "between"]

#: Past this many, more places help nobody.
MOST = 40
#: Characters of a line's differing middle that are compared one by one; difflib needs their square.
LONGEST = 200
_WORD = re.compile(r"\w")


@frozen
class Difference:
    """
    What stands in the file where something else was sent.

    Args:
        line: 1-based, of the file.
        column: 1-based, in characters, in that line.
        found: In the file; empty when it has nothing there.
        sent: Empty when nothing was sent for it.
    """

    line: int
    column: int
    found: str
    sent: str


def between(found: str, sent: str, line: int = 1, column: int = 1) -> tuple[Difference, ...]:
    """
    List the places where two texts differ.

    Args:
        found: Part of a file's view.
        sent: What was meant to be that part.
        line, column: Where `found` begins in the file.

    Returns:
        In order, at most 40.
    """
    return tuple(islice(_differences(found, sent, line, column), MOST))


def _differences(found: str, sent: str, line: int, column: int) -> Iterator[Difference]:
    of_file, of_old = found.split("\n"), sent.split("\n")
    if len(of_file) != len(of_old) and "".join(found.split()) == "".join(sent.split()):
        for start, end, sent_start, sent_end in _blanks(found, sent):
            before = found[:start].rpartition("\n")
            first = len(before[2]) + (1 if before[1] else column)
            yield Difference(line + found.count("\n", 0, start), first, found[start:end], sent[sent_start:sent_end])
        return
    for gap in alignment.gaps(of_file, of_old):
        pairs = zip_longest(of_file[gap.old_start : gap.old_end], of_old[gap.new_start : gap.new_end])
        for index, (has, wants) in enumerate(pairs, gap.old_start):
            first = column if index == 0 else 1
            if has is None:
                yield Difference(line + gap.old_end, column if gap.old_end == 0 else 1, "", f"{wants}\n")
            elif wants is None:
                yield Difference(line + index, first, f"{has}\n", "")
            else:
                yield from _in_line(has, wants, line + index, first)


def _in_line(found: str, sent: str, line: int, column: int) -> Iterator[Difference]:
    prefix = alignment.shared_prefix(found, sent)
    suffix = alignment.shared_suffix(found, sent, prefix)
    has, wants = found[prefix : len(found) - suffix], sent[prefix : len(sent) - suffix]
    if max(len(has), len(wants)) <= LONGEST and fold(has) == fold(wants):
        for start, end, sent_start, sent_end in _stretches(has, wants):
            yield Difference(line, column + prefix + start, has[start:end], wants[sent_start:sent_end])
        return
    start, end = prefix, suffix
    while start and _WORD.match(found[start - 1]):
        start -= 1
    while end and _WORD.match(found[len(found) - end]):
        end -= 1
    yield Difference(line, column + start, found[start : len(found) - end], sent[start : len(sent) - end])


def _stretches(found: str, sent: str) -> Iterator[tuple[int, int, int, int]]:
    for tag, *bounds in SequenceMatcher(None, found, sent, autojunk=False).get_opcodes():
        if tag != "equal":
            yield bounds[0], bounds[1], bounds[2], bounds[3]


def _blanks(found: str, sent: str) -> Iterator[tuple[int, int, int, int]]:
    """Yield the bounds of blanks that differ, between characters that do not."""
    start, sent_start = 0, 0
    for end, sent_end in zip(_letters(found), _letters(sent), strict=True):
        if found[start:end] != sent[sent_start:sent_end]:
            yield start, end, sent_start, sent_end
        start, sent_start = end + 1, sent_end + 1


def _letters(text: str) -> list[int]:
    """Return the offsets of what is not blank, and of the end."""
    return [*(at for at, char in enumerate(text) if not char.isspace()), len(text)]
