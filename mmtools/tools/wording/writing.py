"""A whole file written: what it holds now, and what changed beside its lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from attrs import frozen

from mmtools.core.diffs import Diff
from mmtools.core.text import Binary, Decoded, LegacyText, Text
from mmtools.ports.files import Snapshot
from mmtools.tools.wording import changes, phrases

__all__ = ["WriteTerms", "summary", "unchanged"]


@frozen(kw_only=True)
class WriteTerms:
    """
    A dialect's words for a file that is written as a whole.

    Args:
        tool: The wire name.
        content: The argument.
    """

    tool: str
    content: str


def summary(before: Snapshot, old: Decoded | None, content: str, new: Text, diff: Diff) -> str:
    """
    Say what a file holds now, and how that differs from what was there.

    Args:
        old: What `before` holds; None where there was no file.
        content: As it was sent; `new` is the same without a byte order mark.
    """
    shown = before.place.requested
    match old:
        case None:
            return f"{shown} ({_lines(content)})"
        case Text():
            return f"{shown}: +{diff.added} -{diff.deleted} lines{changes.notes(*_beside(old, new))}"
        case LegacyText() | Binary():
            return f"{shown}: {_lines(content)} in place of {len(before.data or b'')} bytes that are not text"
        case never:
            assert_never(never)


def unchanged(shown: str) -> str:
    """Say that nothing had to be written."""
    return f"{shown} unchanged: the content is identical"


def _lines(content: str) -> str:
    return phrases.counted(content.count("\n") + (content[-1:] not in ("", "\n")), "line")


def _beside(old: Text, new: Text) -> Iterator[str | None]:
    """Say what changed beside the lines."""
    if old.encoding != new.encoding:
        yield f"encoding changed from {old.encoding} to {new.encoding}"
    elif old.bom and not new.bom:
        yield "the byte order mark is gone"
    elif new.bom and not old.bom:
        yield "a byte order mark was added"
    yield changes.line_ends(old.content, new.content)
