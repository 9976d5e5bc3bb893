"""What is wrong with an edit function, sorted by law and damage while it is found."""

from __future__ import annotations

from collections.abc import Callable

from mmtools.testing.conformance.edit_calls import EditCalls, Raised, WrongShape, is_message
from mmtools.testing.conformance.edit_reports import Counterexample, Damage, MustRefuse, keeps
from mmtools.testing.conformance.edit_vectors import Edits

__all__ = ["Findings"]

#: Stands for the new text where only its place counts; no case holds it.
_PLACE = "\ue000"

#: What everybody refuses: nothing to be found, and two places.
_UNFIT: tuple[tuple[str, Edits], ...] = (("one two\n", [("three", "3")]), ("one one\n", [("one", "1")]))

#: Two edits that nobody who takes several can refuse.
_APART: tuple[str, Edits] = ("one two three\n", [("one", "1"), ("three", "3")])


class Findings:
    """
    The cases that a function gets wrong, one of each law and damage, and the first exception that is no refusal.

    Args:
        expected: Tells what a case must lead to.
    """

    def __init__(self, calls: EditCalls, expected: Callable[[str, Edits], str | MustRefuse]) -> None:
        self._calls = calls
        self._expected = expected
        self._wrong: dict[tuple[str, Damage], Counterexample] = {}
        self._raised: Raised | None = None

    def look(self, rule: str, text: str, edits: Edits) -> None:
        """Try a case, and keep what is wrong with it, the first of each law and damage."""
        found = self._judged(rule, text, edits)
        if isinstance(found, Raised):
            self._raised = self._raised or found
        elif found is not None:
            self._wrong.setdefault((rule, found.damage), found)

    def is_news(self, text: str, edits: Edits) -> bool:
        """Whether a case shows a damage, or an exception, where none was kept."""
        found = self._judged("", text, edits)
        if isinstance(found, Raised):
            return self._raised is None
        return found is not None and found.damage not in {damage for _, damage in self._wrong}

    def check_shape(self) -> None:
        """
        Require, after the sharp cases, that the function is not merely of another shape.

        Raises:
            WrongShape: It refuses with messages or by the text as it was, or is for a single edit.
        """
        for found in self._wrong.values():
            if found.got is not None and is_message(found.got, found.text, found.edits):
                raise WrongShape(
                    f"the function returned {found.got!r:.100} for text {found.text!r} and edits {found.edits!r}, words of "
                    f"neither: return the new text alone, and if that is a refusal, pass `refusal=`, as in "
                    f"`refusal=lambda answer: answer.startswith(…)`"
                )
        if self._refuses_by_the_text():
            raise WrongShape(
                "the function returns the text as it was where it should refuse, which nobody can tell from an edit: return "
                "None then, or wrap it, as in `lambda text, edits: None if (new := function(text, edits)) == text else new`"
            )
        if self._takes_one_edit():
            raise WrongShape('the function applies no list of two edits: if it is for a single one, pass shape="one"')

    def _refuses_by_the_text(self) -> bool:
        return (
            bool(self._wrong)
            and all(found.got == found.text for found in self._wrong.values())
            and all(self._calls.answer(text, edits) == text for text, edits in _UNFIT)
        )

    def _takes_one_edit(self) -> bool:
        bad = [found.edits for found in (*self._wrong.values(), self._raised) if found is not None]
        several = bool(bad) and all(len(edits) > 1 for edits in bad)
        return several and not isinstance(self._calls.answer(*_APART), str)

    def tell(self) -> None:
        """
        End in silence where nothing was found.

        Raises:
            Counterexample: There are wrong answers.
            Exception: There is only one that the function raised.
        """
        if self._wrong:
            first, *others = self._wrong.values()
            first.others = tuple(others)
            first.raised = self._raised
            raise first from (self._raised.error if self._raised else None)
        if self._raised:
            self._raised.error.add_note(self._raised.case)
            raise self._raised.error

    def _judged(self, rule: str, text: str, edits: Edits) -> Counterexample | Raised | None:
        expected = self._expected(text, edits)
        got = self._calls.answer(text, edits)
        if isinstance(got, Raised) or got == (None if isinstance(expected, MustRefuse) else expected):
            return got if isinstance(got, Raised) else None
        return Counterexample(rule, text, edits, expected, got, self._damage(text, edits, expected, got))

    def _damage(self, text: str, edits: Edits, expected: str | MustRefuse, got: str | None) -> Damage:
        if got is None:
            return Damage.REFUSED
        if isinstance(expected, MustRefuse):
            return Damage.APPLIED
        marked = self._expected(text, [(old, _PLACE) for old, _ in edits])
        assert isinstance(marked, str), "whether edits apply depends on what is new in them"
        return Damage.WRONG_TEXT if keeps(marked.split(_PLACE), got) else Damage.OUTSIDE
