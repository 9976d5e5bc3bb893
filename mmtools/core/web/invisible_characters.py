"""What a text holds that nobody sees: controls that move a terminal, and characters that hide or turn others around."""

from __future__ import annotations

import re

from attrs import field, frozen

from mmtools.core import escapes
from mmtools.core.visibility import DECEIVING

__all__ = ["Plain", "is_binary", "plain"]

_DECEIVING = re.compile(f"[{''.join(sorted(DECEIVING))}]+")
_LONE_RETURN = re.compile("\r(?!\n)")

_SAMPLE = 4_096
_CONTROL = re.compile("[\x00-\x07\x0e-\x1a\x1c-\x1f]")


@frozen
class Plain:
    """
    A text as everybody sees it.

    Args:
        dropped: How many characters were left out.
    """

    text: str = field(repr=False)
    dropped: int = 0


def plain(text: str) -> Plain:
    """
    Leave out terminal sequences, control characters and what hides; a lone carriage return ends a line.
    Half a surrogate pair, which cannot be written anywhere, is a question mark.
    """
    kept = escapes.strip(_LONE_RETURN.sub("\n", text.replace("\f", "\n")))
    if not kept.isascii():
        kept = _DECEIVING.sub("", kept)
        kept = kept.encode("utf-8", "replace").decode("utf-8")
    return Plain(kept, len(text) - len(kept))


def is_binary(text: str) -> bool:
    """Whether what was decoded as text never was any: more than one character in twenty at its start is a control."""
    sample = text[:_SAMPLE]
    return len(_CONTROL.findall(sample)) > max(8, len(sample) // 20)
