"""Edits of one file: their sum, and why they were refused, in words that say what to send instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from attrs import frozen

from mmtools.call import FileChange
from mmtools.core import nearest
from mmtools.core.copy_errors import CopyError
from mmtools.core.differences import Difference
from mmtools.core.diffs import Diff
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
from mmtools.tools.wording import phrases
from mmtools.tools.wording.differences import differences, quoted

__all__ = ["EditTerms", "half_character", "not_editable", "refused", "summary"]

#: Edits whose text was not found and that get a hint: each costs a search.
_MOST_HINTS = 5
#: Bad edits that are told one by one.
_MOST_EDITS = 20
#: A text up to these sizes is given back to be copied; a longer one is to be read again.
_MOST_LINES = 20
_MOST_CHARS = 2_000
#: Lines that are listed.
_MOST_PLACES = 10

#: What `old` does that the file does not.
_HABITS = {
    CopyError.LINE_ENDS: "holds \\r where the file has none; line ends are matched as \\n whatever the file has",
    CopyError.NUMBERED: "holds line numbers, which are no part of the file",
    CopyError.DIFF_SIGNS: "holds the signs of a diff, which are no part of the file",
    CopyError.FENCED: "stands in quotes or in a code fence, which are no part of the file",
    CopyError.OUTER_NEWLINES: "begins or ends with line breaks that the file does not have there",
    CopyError.ESCAPED: "holds backslash escapes where the file has the characters themselves",
    CopyError.UNESCAPED: "holds characters that the file has with a backslash before them, as escapes",
    CopyError.ENTITIES: "holds HTML entities where the file has the characters themselves",
    CopyError.NO_ENTITIES: "holds characters that the file has as HTML entities",
}


@frozen(kw_only=True)
class EditTerms:
    """
    A dialect's words for edits of one file.

    Args:
        tool: The wire name of the tool that edits.
        writer: That of the tool that would create a missing file.
        old, new: The arguments of one edit.
        edits: The argument that lists them; empty where a call makes one edit.
        several: What to do to change a text in several places, as a clause.
    """

    tool: str
    writer: str
    old: str
    new: str
    edits: str = ""
    several: str = "send one edit per place, each with enough surrounding lines to be unique"


def summary(change: FileChange, diff: Diff, *, line: int, edits: int) -> str:
    """
    Say what edits change.

    Args:
        line: 1-based, of the first change.
        edits: How many places are changed.
    """
    only = "" if diff.hunks else "; only line endings change"
    counts = f"{edits} edit(s), +{diff.added} -{diff.deleted} lines"
    return f"{change.shown}: {counts}, first change at line {line}{only}"


def refused(refusal: Refused, edits: Sequence[Replacement], source: Text | LegacyText, terms: EditTerms) -> str:
    """
    Say of every bad edit why it cannot be made and what to send instead.

    Args:
        edits: All, as sent.
        source: What they were resolved against.

    Source:
        mm `edit_file`: the sentence for an ambiguous text; the others are ours.
    """
    wording = _Refusals(edits=edits, source=source, terms=terms)
    if len(edits) < 2:
        return "\n".join(wording.sentence(one, hinted=True) for one in refusal.refusals)
    hints = _MOST_HINTS
    told = []
    for one in refusal.refusals[:_MOST_EDITS]:
        sentence = wording.sentence(one, hinted=hints > 0)
        hints -= isinstance(one, NotFound)
        told.append(sentence if isinstance(one, NoReplacements) else f"edit {one.index + 1}: {sentence}")
    if more := len(refusal.refusals) - len(told):
        told.append(f"and {more} more edits cannot be made")
    return "\n".join([*told, "nothing was written: correct this, then send all edits again"])


def not_editable(shown: str, refusal: NotText, source: LegacyText) -> str:
    """Say that edits are not safe in a file whose encoding is not known."""
    count = f"{phrases.counted(source.undecodable, 'byte')} of it {phrases.are(source.undecodable)}"
    numbers = [str(index + 1) for index in refusal.indexes]
    places = ", ".join(numbers[:_MOST_PLACES] + ["…"] * (len(numbers) > _MOST_PLACES))
    return (
        f"{shown} is not text: {count} not valid UTF-8, and its encoding is not known. Nothing was written. "
        "Only ASCII text that does not follow another character can be edited in it; "
        f"edit{'' if len(numbers) == 1 else 's'} {places} cannot. "
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


@frozen(kw_only=True)
class _Refusals:
    """The sentences about bad edits, in the words of a dialect."""

    edits: Sequence[Replacement]
    source: Text | LegacyText
    terms: EditTerms

    def sentence(self, refusal: Refusal, *, hinted: bool) -> str:
        old, new = self.terms.old, self.terms.new
        match refusal:
            case NoReplacements():
                return f"{self.terms.edits} is empty; send at least one {{{old}, {new}}}"
            case Empty():
                return (
                    f"{old} is empty; send the text to replace. To insert, send a line beside the place as {old}, "
                    f"and the same line with the addition as {new}"
                )
            case Unchanging():
                return f"{old} and {new} are the same, so nothing would change; leave this edit out, or correct {new}"
            case Unencodable(index=index, character_index=at):
                return self._unencodable(self.edits[index].new, at)
            case NotFound(index=index):
                if not hinted:
                    return "old text not found"
                edit = self.edits[index]
                return self._hint(nearest.find(self.source.content, edit.old, edit.new), edit.old)
            case Ambiguous():
                return self._ambiguous(refusal)
            case Overlapping(other=other):
                return f"its old text overlaps that of edit {other + 1}; join the two into one edit"
            case never:
                assert_never(never)

    def _unencodable(self, text: str, index: int) -> str:
        new = self.terms.new
        if "\ud800" <= text[index] <= "\udfff":
            return half_character(new, text, index)
        encoding = self.source.encoding if isinstance(self.source, Text) else "ascii"
        character = f"{quoted(text[index])} (U+{ord(text[index]):04X})"
        return f"{new} holds {character}, which the file's encoding, {encoding}, does not have; send {new} without it"

    def _ambiguous(self, refusal: Ambiguous) -> str:
        lines = phrases.numbers(
            "line", refusal.lines, most=_MOST_PLACES, more=refusal.more or refusal.count > len(refusal.lines)
        )
        count = f"more than {refusal.count}" if refusal.more else f"{refusal.count}"
        return (
            f"old text appears {count} times ({lines}) — to change ONE of them, include its surrounding lines in "
            f"{self.terms.old} until the text is unique; to change several, {self.terms.several}."
        )

    def _hint(self, hint: Hint, text: str) -> str:
        old = self.terms.old
        match hint:
            case Unwritable(index=index):
                return half_character(old, text, index)
            case LooksAlike(spot=spot, differences=found):
                first = f"old text not found: {_lines(spot)} differ{_s(spot)} in blanks, case or look-alike characters"
                return "\n".join([first, *self._differences(found), *self._copy(spot)])
            case Misquoted(copy_error=habit, spot=spot, differences=found):
                first = f"old text not found: {old} {_HABITS[habit]}"
                return "\n".join([first, *self._differences(found), *self._copy(spot)])
            case AlreadyThere(spot=spot):
                return (
                    f"old text not found, but the new text is there already, in {_lines(spot)}. If this edit was made "
                    f"before, leave it out; else read the file again and copy {old} from it"
                )
            case Closest(spot=spot, differences=found):
                first = f"old text not found; most alike: {_lines(spot)}"
                return "\n".join([first, *self._differences(found), *self._copy(spot)])
            case NothingAlike():
                if not self.source.content:
                    return "old text not found: the file is empty; write its whole content instead"
                return (
                    "old text not found, and nothing in the file is like it; "
                    f"read the file again and copy {old} from it"
                )
            case never:
                assert_never(never)

    def _differences(self, found: Sequence[Difference]) -> list[str]:
        """Name only ASCII where other characters are not known."""
        known = isinstance(self.source, Text)
        return differences([one for one in found if known or one.found.isascii()], sent=self.terms.old)

    def _copy(self, spot: Spot) -> list[str]:
        """Give the text to send, or say where to read it."""
        old = self.terms.old
        if isinstance(self.source, LegacyText) and not spot.text.isascii():
            first = f"The file has characters of an unknown encoding here; choose a part of ASCII as {old}:"
            return [first, *_block(LegacyText(spot.text, 0).shown())]
        if spot.text.count("\n") >= _MOST_LINES or len(spot.text) > _MOST_CHARS:
            return [f"Read {_lines(spot)} again and copy {old} from there; fewer lines will do"]
        ending = ", its last line break included" if spot.text.endswith("\n") else ""
        told = [f"Send exactly this as {old}{ending}, and spell {self.terms.new} like it:", *_block(spot.text)]
        if spot.widened:
            whole = "is the whole line" if spot.line == spot.last_line else "are whole lines"
            told.insert(0, f"Below {whole}: what {self.terms.new} leaves out is deleted")
        if spot.others:
            others = phrases.numbers(
                "line", spot.others, most=_MOST_PLACES, more=len(spot.others) == nearest.MOST_OTHERS
            )
            told.append(f"It is also there at {others}: include surrounding lines in {old} until the text is unique")
        return told


def _block(text: str) -> list[str]:
    fence = "```"
    while fence in text:
        fence += "`"
    return [fence, text.removesuffix("\n"), fence]


def _lines(spot: Spot) -> str:
    return phrases.line_range(spot.line, spot.last_line)


def _s(spot: Spot) -> str:
    return "s" if spot.line == spot.last_line else ""
