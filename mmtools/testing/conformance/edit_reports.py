"""What is told of an edit function that is wrong: its cases, by the damage that they do."""

from __future__ import annotations

from enum import StrEnum

from attrs import frozen

from mmtools.testing.conformance.edit_calls import Raised
from mmtools.testing.conformance.edit_vectors import Edits

__all__ = ["Counterexample", "Damage", "MustRefuse", "keeps"]


class Damage(StrEnum):
    """What a wrong answer does, the worst first."""

    OUTSIDE = "changes what no edit names"
    APPLIED = "applies what must be refused"
    WRONG_TEXT = "puts another text than `new` there"
    REFUSED = "refuses what must apply"


@frozen
class MustRefuse:
    """
    The expectation of a refusal.

    Args:
        reason: Which edit is bad, and why; edits are counted from 1.
    """

    reason: str


class Counterexample(AssertionError):
    """
    A case that an edit function gets wrong: the first that was found; and the first of each other law and damage.

    The message shows all of them, the most damaging first.

    Args:
        rule: What it has not understood.
        got: The text it returned; None when it refused.
        damage: What its answer does.

    Attributes:
        others: The further ones, which have none themselves.
        raised: What the function raised in another case, though that is no refusal; None for nothing.
    """

    def __init__(
        self, rule: str, text: str, edits: Edits, expected: str | MustRefuse, got: str | None, damage: Damage
    ) -> None:
        super().__init__(rule)
        self.rule = rule
        self.text = text
        self.edits = edits
        self.expected = expected
        self.got = got
        self.damage = damage
        self.others: tuple[Counterexample, ...] = ()
        self.raised: Raised | None = None

    def __str__(self) -> str:
        crash = "" if self.raised is None else f"\n\nit raised {self.raised.error!r} {self.raised.case}"
        if not self.others:
            return f"{self.rule}\n{self.case}{crash}"
        shown = sorted((self, *self.others), key=lambda found: list(Damage).index(found.damage))
        parts = "\n\n".join(f"it {found.damage}: {found.rule}\n{found.case}" for found in shown)
        return f"{len(shown)} cases that it gets wrong, the most damaging first\n\n{parts}{crash}"

    @property
    def case(self) -> str:
        """The case as it is shown, in four lines."""
        wanted = f"a refusal: {self.expected.reason}" if isinstance(self.expected, MustRefuse) else repr(self.expected)
        answer = "a refusal" if self.got is None else repr(self.got)
        return f"  text      {self.text!r}\n  edits     {self.edits!r}\n  expected  {wanted}\n  got       {answer}"


def keeps(pieces: list[str], got: str) -> bool:
    """
    Whether a new text holds the pieces that no edit names, in their order, the first and the last at its ends.

    Args:
        pieces: What stands before, between and after the places of the edits; at least two.
    """
    first, *middle, last = pieces
    at = len(first)
    for piece in middle:
        found = got.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return got.startswith(first) and got.endswith(last) and at + len(last) <= len(got)
