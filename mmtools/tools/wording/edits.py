"""Why edits were refused, in words a model can act on at once: each says what to send instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from mmtools.core import nearest
from mmtools.core.copy_errors import CopyError
from mmtools.core.differences import Difference
from mmtools.core.edits import (
    Ambiguous,
    Empty,
    NoReplacements,
    NotFound,
    NotText,
    Overlapping,
    Refusal,
    Refused,
    Replacement,
    Unchanging,
    Unencodable,
)
from mmtools.core.hints import AlreadyThere, Closest, Hint, LooksAlike, Misquoted, NothingAlike, Spot, Unwritable
from mmtools.core.text import LegacyText, Text
from mmtools.tools.wording.differences import differences, quoted

__all__ = ["half_character", "not_editable", "refused"]

#: Edits whose text was not found and that get a hint: each costs a search.
_MOST_HINTS = 5
#: Bad edits that are told one by one.
_MOST_EDITS = 20
#: A text up to these sizes is given back to be copied; a longer one is to be read again.
_MOST_LINES = 20
_MOST_CHARS = 2_000
#: Lines that are listed.
_MOST_PLACES = 10

_HABITS = {
    CopyError.LINE_ENDS: "old holds \\r where the file has none; line ends are matched as \\n whatever the file has",
    CopyError.NUMBERED: "old holds line numbers, which are no part of the file",
    CopyError.DIFF_SIGNS: "old holds the signs of a diff, which are no part of the file",
    CopyError.FENCED: "old stands in quotes or in a code fence, which are no part of the file",
    CopyError.OUTER_NEWLINES: "old begins or ends with line breaks that the file does not have there",
    CopyError.ESCAPED: "old holds backslash escapes where the file has the characters themselves",
    CopyError.UNESCAPED: "old holds characters that the file has with a backslash before them, as escapes",
    CopyError.ENTITIES: "old holds HTML entities where the file has the characters themselves",
    CopyError.NO_ENTITIES: "old holds characters that the file has as HTML entities",
}


def refused(refusal: Refused, edits: Sequence[Replacement], source: Text | LegacyText) -> str:
    """
    Say of every bad edit why it cannot be made and what to send instead.

    Args:
        edits: All, as sent.
        source: What they were resolved against.

    Source:
        mm `edit_file`: the sentence for an ambiguous text; the others are ours.
    """
    if len(edits) < 2:
        return "\n".join(_sentence(one, edits, source, hinted=True) for one in refusal.refusals)
    hints = _MOST_HINTS
    told = []
    for one in refusal.refusals[:_MOST_EDITS]:
        sentence = _sentence(one, edits, source, hinted=hints > 0)
        hints -= isinstance(one, NotFound)
        told.append(sentence if isinstance(one, NoReplacements) else f"edit {one.index + 1}: {sentence}")
    if more := len(refusal.refusals) - len(told):
        told.append(f"and {more} more edits cannot be made")
    return "\n".join([*told, "nothing was written: correct this, then send all edits again"])


def not_editable(shown: str, refusal: NotText, source: LegacyText) -> str:
    """Say that edits are not safe in a file whose encoding is not known."""
    count = "1 byte of it is" if source.undecodable == 1 else f"{source.undecodable} bytes of it are"
    numbers = [str(index + 1) for index in refusal.indexes]
    places = ", ".join(numbers[:_MOST_PLACES] + ["…"] * (len(numbers) > _MOST_PLACES))
    return (
        f"{shown} is not text: {count} not valid UTF-8, and its encoding is not known. Nothing was written. "
        "Only ASCII text that does not follow another character can be edited in it; "
        f"{'edit' if len(numbers) == 1 else 'edits'} {places} cannot. "
        "Choose such a part, or use a command that knows the encoding"
    )


def half_character(name: str, text: str, index: int) -> str:
    """
    Say that an argument holds a lone surrogate.

    Args:
        name: The argument's.
        index: 0-based, in `text`.
    """
    where = f"line {text.count(chr(10), 0, index) + 1}, column {index - text.rfind(chr(10), 0, index)}"
    return (
        f"{name} holds half a character, U+{ord(text[index]):04X}, at {where}: no file can hold it; send the whole one"
    )


def _sentence(refusal: Refusal, edits: Sequence[Replacement], source: Text | LegacyText, *, hinted: bool) -> str:
    match refusal:
        case NoReplacements():
            return "edits is empty; send at least one {old, new}"
        case Empty():
            return (
                "old is empty; send the text to replace. To insert, send a line beside the place as old, "
                "and the same line with the addition as new"
            )
        case Unchanging():
            return "old and new are the same, so nothing would change; leave this edit out, or correct new"
        case Unencodable(index=index, character_index=at):
            return _unencodable(edits[index].new, at, source)
        case NotFound(index=index):
            if not hinted:
                return "old text not found"
            return _hint(nearest.find(source.content, edits[index].old, edits[index].new), edits[index].old, source)
        case Ambiguous():
            return _ambiguous(refusal)
        case Overlapping(other=other):
            return f"its old text overlaps that of edit {other + 1}; join the two into one edit"
        case never:
            assert_never(never)


def _unencodable(new: str, index: int, source: Text | LegacyText) -> str:
    if "\ud800" <= new[index] <= "\udfff":
        return half_character("new", new, index)
    encoding = source.encoding if isinstance(source, Text) else "ascii"
    character = f"{quoted(new[index])} (U+{ord(new[index]):04X})"
    return f"new holds {character}, which the file's encoding, {encoding}, does not have; send new without it"


def _ambiguous(refusal: Ambiguous) -> str:
    lines = _listed(refusal.lines, more=refusal.more or refusal.count > len(refusal.lines))
    count = f"more than {refusal.count}" if refusal.more else f"{refusal.count}"
    return (
        f"old text appears {count} times ({lines}) — to change ONE of them, include its surrounding lines in old "
        "until the text is unique; to change several, send one edit per place, each with enough surrounding lines "
        "to be unique."
    )


def _hint(hint: Hint, old: str, source: Text | LegacyText) -> str:
    match hint:
        case Unwritable(index=index):
            return half_character("old", old, index)
        case LooksAlike(spot=spot, differences=found):
            first = f"old text not found: {_lines(spot)} differ{_s(spot)} in blanks, case or look-alike characters"
            return "\n".join([first, *_differences(found, source), *_copy(spot, source)])
        case Misquoted(copy_error=habit, spot=spot, differences=found):
            first = f"old text not found: {_HABITS[habit]}"
            return "\n".join([first, *_differences(found, source), *_copy(spot, source)])
        case AlreadyThere(spot=spot):
            return (
                f"old text not found, but the new text is there already, in {_lines(spot)}. If this edit was made "
                "before, leave it out; else read the file again and copy old from it"
            )
        case Closest(spot=spot, differences=found):
            first = f"old text not found; most alike: {_lines(spot)}"
            return "\n".join([first, *_differences(found, source), *_copy(spot, source)])
        case NothingAlike():
            if not source.content:
                return "old text not found: the file is empty; write its whole content instead"
            return "old text not found, and nothing in the file is like it; read the file again and copy old from it"
        case never:
            assert_never(never)


def _differences(found: Sequence[Difference], source: Text | LegacyText) -> list[str]:
    """Name only ASCII where other characters are not known."""
    known = isinstance(source, Text)
    return differences([one for one in found if known or one.found.isascii()])


def _copy(spot: Spot, source: Text | LegacyText) -> list[str]:
    """Give the text to send, or say where to read it."""
    if isinstance(source, LegacyText) and not spot.text.isascii():
        shown = LegacyText(spot.text, 0).shown()
        return ["The file has characters of an unknown encoding here; choose a part of ASCII as old:", *_block(shown)]
    if spot.text.count("\n") >= _MOST_LINES or len(spot.text) > _MOST_CHARS:
        return [f"Read {_lines(spot)} again and copy old from there; fewer lines will do"]
    ending = ", its last line break included" if spot.text.endswith("\n") else ""
    told = [f"Send exactly this as old{ending}, and spell new like it:", *_block(spot.text)]
    if spot.others:
        others = _listed(spot.others, more=len(spot.others) == nearest.MOST_OTHERS)
        told.append(f"It is also there at {others}: include surrounding lines in old until the text is unique")
    return told


def _block(text: str) -> list[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    return [fence, text.removesuffix("\n"), fence]


def _lines(spot: Spot) -> str:
    return f"line {spot.line}" if spot.line == spot.last_line else f"lines {spot.line}-{spot.last_line}"


def _s(spot: Spot) -> str:
    return "s" if spot.line == spot.last_line else ""


def _listed(lines: Sequence[int], *, more: bool) -> str:
    word = "line" if len(lines) == 1 else "lines"
    return f"{word} {', '.join(map(str, lines[:_MOST_PLACES]))}{', …' if more else ''}"
