"""Which characters nobody sees, and which of them deceive: one answer for web pages, terminals and their tests."""

from __future__ import annotations

__all__ = ["DECEIVING", "is_unseen"]

#: Printable for Unicode, yet nothing to see: fillers, Braille blank, joiners and variation selectors.
_BLANK = frozenset(
    map(chr, (0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0))
) | frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))

#: Unseen, and of no use to who reads: tag characters, which spell letters that nobody sees, also those that Unicode
#: keeps for later; embeddings that show text in another order than it has; invisible operators; the byte order mark.
#: Joiners and variation selectors are not among them: scripts and emoji need those.
DECEIVING = frozenset(
    map(
        chr,
        (*range(0x202A, 0x202F), *range(0x2060, 0x2065), *range(0x2066, 0x206A), 0xFEFF, *range(0xE0000, 0xE0080)),
    )
)


def is_unseen(char: str) -> bool:
    """Whether a character shows nothing by itself, but for space, tab and line feed; whatever Unicode does not name."""
    return (not char.isprintable() and char not in "\n\t") or char in _BLANK
