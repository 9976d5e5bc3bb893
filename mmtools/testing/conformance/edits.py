"""
A suite for anyone's edit function: text and edits in, new text or a refusal out.

The rules it holds the function to
    *   Each `old` is literal, not empty, and occurs exactly once; overlapping occurrences count.
    *   All edits are resolved against the original text; none sees another's result; their order means nothing.
    *   Two edits may touch, not overlap, nest, or mean the same place.
    *   `new` is literal too. Nothing but the matched text changes.
    *   One bad edit, and all are refused.

What it leaves open: an empty list, and an edit that changes nothing. Needs hypothesis.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from types import TracebackType
from typing import TypeAlias

from attrs import frozen
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from mmtools.testing.conformance.edit_vectors import VECTORS, Newlines
from mmtools.testing.strategies import Edits, applicable_edits, edit_lists

__all__ = ["Counterexample", "EditFunction", "EditRefused", "MustRefuse", "check_edit_function", "expected_result"]

#: Returns the new text; to refuse, returns anything that is not a `str`, or raises.
EditFunction: TypeAlias = Callable[[str, Edits], object]


class EditRefused(Exception):
    """What an edit function may raise to refuse, if it has no exception of its own."""


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
    A case that an edit function gets wrong.

    Args:
        rule: What it has not understood.
        got: The text it returned; None when it refused.
    """

    def __init__(self, rule: str, text: str, edits: Edits, expected: str | MustRefuse, got: str | None) -> None:
        self.rule = rule
        self.text = text
        self.edits = edits
        self.expected = expected
        self.got = got
        wanted = f"a refusal: {expected.reason}" if isinstance(expected, MustRefuse) else repr(expected)
        answer = "a refusal" if got is None else repr(got)
        lines = (f"text      {text!r}", f"edits     {edits!r}", f"expected  {wanted}", f"got       {answer}")
        super().__init__("\n  ".join((rule, *lines)))


def check_edit_function(
    function: EditFunction,
    *,
    newlines: Newlines = "exact",
    refusals: tuple[type[Exception], ...] = (EditRefused,),
    examples: int = 300,
) -> None:
    """
    Look for a case that the function gets wrong: sharp ones first, then a search that shrinks what it finds.

    The search is the same at every run.

    Args:
        newlines: Whether `\\n` matches `\\r\\n` ("view": then line endings are kept) or not ("exact").
        refusals: The exceptions that mean a refusal; any other is a bug and comes out, the case noted on it.
        examples: How many cases the search tries.

    Raises:
        Counterexample: There is one; it is as small as it could be made.
    """

    def check(rule: str, text: str, edits: Edits) -> None:
        expected = expected_result(text, edits, newlines=newlines)
        got = _answer(function, text, edits, refusals)
        if got != (None if isinstance(expected, MustRefuse) else expected):
            raise Counterexample(rule, text, edits, expected, got)

    for vector in VECTORS:
        if vector.newlines in (None, newlines):
            check(vector.rule, vector.text, vector.edits)

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(_CASES)
    def search(case: tuple[str, Edits]) -> None:
        text, edits = case
        assume(_is_settled(text, edits, newlines))
        check("found by search, and made as small as it would go", text, edits)

    try:
        search()
    except Counterexample as found:
        # What hypothesis notes on it, and how it got there, would only hide the case.
        found.__notes__ = []
        raise found.with_traceback(None) from None


def expected_result(text: str, edits: Edits, *, newlines: Newlines = "exact") -> str | MustRefuse:
    """
    Apply the rules as plainly as they can be written; slow.

    Shares no code with `mmtools.core.edits`: each is a check of the other.
    """
    cuts: list[tuple[int, int, str]] = []
    for number, (old, new) in enumerate(edits, 1):
        if not old:
            return MustRefuse(f"edit {number} has an empty old text")
        on_view = newlines == "view" and "\r" not in old
        cells = _cells(text, joined=on_view)
        seen = "".join("\n" if cell == "\r\n" else cell for cell in cells)
        places = [at for at in range(len(seen)) if seen[at : at + len(old)] == old]
        if len(places) != 1:
            return MustRefuse(f"the old text of edit {number} occurs {len(places)} times")
        (at,) = places
        before, matched, after = cells[:at], cells[at : at + len(old)], cells[at + len(old) :]
        start, end = len("".join(before)), len("".join(before + matched))
        cuts.append((start, end, _with_endings(new, before, matched, after) if on_view else new))
    for (one, first), (other, second) in combinations(enumerate(cuts, 1), 2):
        if first[0] < second[1] and second[0] < first[1]:
            return MustRefuse(f"edits {one} and {other} overlap")
    for start, end, new in sorted(cuts, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _cells(text: str, *, joined: bool) -> list[str]:
    """Take a text apart into characters; `joined` makes one cell of each `\\r\\n`."""
    cells: list[str] = []
    for character in text:
        if joined and character == "\n" and cells[-1:] == ["\r"]:
            cells[-1] = "\r\n"
        else:
            cells.append(character)
    return cells


def _with_endings(new: str, before: list[str], matched: list[str], after: list[str]) -> str:
    """Write `new` with the line endings that are there: those of the common ends, else the nearest."""
    old = ["\n" if cell == "\r\n" else cell for cell in matched]
    fresh = _cells(new, joined=True)
    shorter = min(len(old), len(fresh))
    head = 0
    while head < shorter and fresh[head] == old[head]:
        head += 1
    tail = 0
    while tail < shorter - head and fresh[-1 - tail] == old[-1 - tail]:
        tail += 1
    breaks = [cell for cell in [*matched, *after, *reversed(before)] if cell in ("\n", "\r\n")]
    ending = breaks[0] if breaks else "\n"
    middle = [ending if cell == "\n" else cell for cell in fresh[head : len(fresh) - tail]]
    return "".join([*matched[:head], *middle, *matched[len(matched) - tail :]])


def _answer(function: EditFunction, text: str, edits: Edits, refusals: tuple[type[Exception], ...]) -> str | None:
    try:
        with _CaseNoted(text, edits):
            answer = function(text, list(edits))
    except refusals:
        return None
    return answer if isinstance(answer, str) else None


@frozen
class _CaseNoted:
    """A block whose exceptions get a note for which case they came."""

    text: str
    edits: Edits

    def __enter__(self) -> None:
        """Wait for the function."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            error.add_note(
                f"for text {self.text!r} and edits {self.edits!r}; is it a refusal? Then name it in `refusals`."
            )


#: Few characters, so that they meet; NUL stands for a whole line break of the other kind.
_CHARACTERS = "0123ab \n\0\tA.$&\\\r\f\u00a0\u00e9\u200b\ufeff\U0001f600"
_TEXTS = st.text(_CHARACTERS, max_size=12).map(lambda text: text.replace("\0", "\r\n"))
_SNIPPETS = st.text(_CHARACTERS, max_size=3).map(lambda text: text.replace("\0", "\r\n"))
_CASES = _TEXTS.flatmap(lambda text: st.tuples(st.just(text), edit_lists(text))) | applicable_edits(_SNIPPETS)


def _is_settled(text: str, edits: Edits, newlines: Newlines) -> bool:
    """Whether there is only one sound answer: something is asked, and every edit asks for a change."""
    return bool(edits) and all(
        old != new and expected_result(text, [(old, new)], newlines=newlines) != text for old, new in edits
    )
