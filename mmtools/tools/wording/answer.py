"""What a model reads, and whether it is all of it."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Answer"]


@frozen
class Answer:
    """
    The text of an answer.

    Args:
        truncated: Whether something that was wanted is missing; the text says so.
    """

    text: str
    truncated: bool = False
