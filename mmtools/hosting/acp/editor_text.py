"""Texts fit for an editor, which shows them as Markdown: nothing acts, nothing hides, and what was printed stays as printed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from mmtools.core import screen_text

__all__ = ["carried", "fenced", "line"]

#: Of a title, in characters; the whole stands in the content.
_TITLE = 200

_FENCES = re.compile("`{3,}")


def line(text: str) -> str:
    """Make the first line of a text a title: not too long, with what cannot be seen written out."""
    first, *more = screen_text.spelled(text.replace("\r\n", "\n").strip()).replace("\t", " ").split("\n")
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
