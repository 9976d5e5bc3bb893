"""A whole file written: how it differs from what was there, the question, and what was done."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Sequence
from typing import assert_never

from attrs import frozen

from mmtools.call import FileChange, Location, Proposal, Report
from mmtools.core import diffs
from mmtools.core.diffs import NO_DIFF, Diff
from mmtools.core.text import Binary, LegacyText, Text, decode
from mmtools.errors import ToolFailure
from mmtools.ports.files import Replaced, Snapshot
from mmtools.tool import Call
from mmtools.tools.wording import changes, edits

__all__ = ["Written", "compare", "encoded"]


@frozen
class Written:
    """What is to be written, and how it differs from what is there."""

    before: Snapshot
    change: FileChange
    diff: Diff
    headline: str

    def proposal(self, root: str) -> Proposal:
        """
        Ask to write it.

        Args:
            root: What an "always" covers.
        """
        place = self.before.place
        title = f"{'create' if self.change.created else 'overwrite'} {place.requested}"
        return changes.changing(title, self.change, place, root=root, refusal="[write rejected by the user]")

    def tell(self, replaced: Replaced, call: Call, *, max_chars: int) -> str:
        """
        Say what was done, and report it.

        Args:
            max_chars: Of headline and diff; a note about what is missing comes on top.
        """
        headline = self.headline + changes.notes(changes.in_place(self.before, replaced))
        rest = "read the file to see what it holds"
        told = changes.with_diff(headline, self.diff, max_chars=max_chars, rest=rest)
        location = Location(self.change.path, self.diff.first_line)
        call.report(Report(changes=(self.change,), locations=(location,), truncated=told.truncated))
        return told.text


def encoded(content: str) -> bytes:
    """
    Return the bytes of a file's new content, exactly.

    Raises:
        ToolFailure: It holds half a character.
    """
    try:
        return content.encode()
    except UnicodeEncodeError as error:
        raise ToolFailure(edits.half_character("content", content, error.start)) from error


def compare(before: Snapshot, content: str, after: bytes, encodings: Sequence[str]) -> Written:
    """
    Hold new content against what is there.

    Args:
        after: `encoded(content)`.
        encodings: Codecs' names, tried in order, to show what an old file held that is not UTF-8.
    """
    old = None if before.data is None else decode(before.data, encodings)
    new = Text(content.removeprefix("\ufeff"), bom=codecs.BOM_UTF8 if content.startswith("\ufeff") else b"")
    shown = before.place.requested
    change = FileChange(
        path=before.place.path,
        shown=shown,
        before=before.data,
        after=after,
        before_encoding=changes.codec(old) if old else None,
        after_encoding=new.codec,
    )
    match old:
        case None:
            headline, diff = f"created {shown} ({_lines(content)})", diffs.between("", new.content)
        case Text():
            diff = diffs.between(old.content, new.content)
            headline = f"wrote {shown}: +{diff.added} -{diff.deleted} lines{changes.notes(*_beside(old, new))}"
        case LegacyText() | Binary():
            size = len(before.data or b"")
            headline, diff = f"wrote {shown}: {_lines(content)} in place of {size} bytes that are not text", NO_DIFF
        case never:
            assert_never(never)
    return Written(before, change, diff, headline)


def _lines(content: str) -> str:
    count = content.count("\n") + (content[-1:] not in ("", "\n"))
    return "1 line" if count == 1 else f"{count} lines"


def _beside(old: Text, new: Text) -> Iterator[str | None]:
    """Say what changed beside the lines."""
    if old.encoding != new.encoding:
        yield f"encoding changed from {old.encoding} to {new.encoding}"
    elif old.bom and not new.bom:
        yield "the byte order mark is gone"
    elif new.bom and not old.bom:
        yield "a byte order mark was added"
    yield changes.line_ends(old.content, new.content)
