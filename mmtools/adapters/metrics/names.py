"""Names that a model may have made up, made fit to be shown."""

from __future__ import annotations

from mmtools.adapters.terminal import screen_text

__all__ = ["shown_name"]


def shown_name(name: str, columns: int) -> str:
    """
    Write a name on one line: unseen characters spelled out, the middle of a long one left out.

    Args:
        columns: 8 or more.
    """
    spelled = _spelled(name[: columns + 1])
    if len(name) <= columns and screen_text.width(spelled) <= columns:
        return spelled if spelled.strip() else repr(name)
    tails = (_spelled(name[-kept:]) for kept in range(columns // 3, 0, -1))
    tail = next((tail for tail in tails if screen_text.width(tail) <= columns // 3), "")
    head = screen_text.clip(spelled, columns - screen_text.width(tail)).removesuffix("…")
    while screen_text.width(head) > max(columns - screen_text.width(tail) - 1, 1):
        head = head[:-1]
    return f"{head}…{tail}"


def _spelled(text: str) -> str:
    return screen_text.spelled(text).replace("\n", "⟨U+000A⟩").replace("\t", "⟨U+0009⟩")
