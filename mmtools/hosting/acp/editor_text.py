"""Texts fit for an editor, which shows them as Markdown: nothing acts, nothing hides, and what was printed stays as printed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from mmtools.core import escapes

__all__ = ["carried", "fenced", "line", "plain", "spelled"]

#: What reorders or breaks a line: NEL, LS, PS and the bidirectional controls of UAX #9; and halves of a character.
_DISORDERLY = (
    0x85,
    0x61C,
    0x200E,
    0x200F,
    0x2028,
    0x2029,
    *range(0x202A, 0x202F),
    *range(0x2066, 0x206A),
    *range(0xD800, 0xE000),
)
_WRITTEN_OUT = {code: f"⟨U+{code:04X}⟩" for code in _DISORDERLY}

#: Of a title, in characters; the whole stands in the content.
_TITLE = 200

_FENCES = re.compile("`{3,}")


def plain(text: str) -> str:
    """Take out escape sequences and controls, and write out what would reorder a line; for looking on."""
    text = escapes.strip(text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text if text.isascii() else text.translate(_WRITTEN_OUT)


def spelled(text: str) -> str:
    """Write out every character that cannot be seen, but for space, tab and line feed; for deciding."""
    hidden = {char for char in text if not char.isprintable() and char not in "\t\n"}
    return text.translate({ord(char): f"⟨U+{ord(char):04X}⟩" for char in hidden})


def line(text: str) -> str:
    """Make one line, not too long for a title."""
    first, *more = plain(text).strip().split("\n")
    cut = first[:_TITLE]
    return f"{cut} …" if more or cut != first else cut


def fenced(text: str) -> str:
    """Put a text into a code block that nothing in it can end."""
    longest = max((len(found) for found in _FENCES.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text.removesuffix(chr(10))}\n{fence}"


def carried(value: Mapping[str, Any]) -> Any:
    """Copy arguments so that any JSON reader takes them: no half characters, no NaN."""
    written = json.dumps(value, ensure_ascii=False, default=str)
    return json.loads(written.encode("utf-8", "replace"), parse_constant=str)
