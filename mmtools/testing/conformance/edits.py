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
from functools import cache, lru_cache
from itertools import combinations
from typing import Any, get_args

from mmtools.errors import DefinitionError
from mmtools.testing.conformance.edit_calls import EditCalls, EditFunction, EditRefused, Shape, WrongShape
from mmtools.testing.conformance.edit_findings import Findings
from mmtools.testing.conformance.edit_reports import Counterexample, Damage, MustRefuse
from mmtools.testing.conformance.edit_vectors import VECTORS, Edits, Newlines
from mmtools.testing.hypothesis_needed import HealthCheck, Phase, given, seed, settings
from mmtools.testing.hypothesis_needed import strategies as st
from mmtools.testing.strategies import applicable_edits, edit_lists

__all__ = [
    "Counterexample",
    "Damage",
    "EditFunction",
    "EditRefused",
    "MustRefuse",
    "WrongShape",
    "check_edit_function",
    "expected_result",
]


def check_edit_function(
    function: EditFunction,
    *,
    newlines: Newlines = "exact",
    shape: Shape = "original",
    refusals: tuple[type[Exception], ...] = (EditRefused,),
    refusal: Callable[[Any], bool] | None = None,
    examples: int = 300,
) -> None:
    """
    Look for cases that the function gets wrong: sharp ones first, then a search that shrinks what it finds.

    The function may be a coroutine function, and may return `(text, count)`. To refuse it returns anything that is
    no text, a count of 0 with the text as it was, or raises. The search is the same at every run.

    Args:
        newlines: Whether `\\n` matches `\\r\\n` ("view": then line endings are kept) or not ("exact").
        shape: Whether it takes a list of edits ("original"), or is for a single one ("one").
        refusals: The exceptions that mean a refusal; any other is a bug and comes out, the case noted on it.
        refusal: Whether an answer of it means a refusal, for a function that refuses with a message.
        examples: How many cases the search tries, for each kind of damage that no sharp case has shown.

    Raises:
        Counterexample: There are some; of each law and each damage one, as small as it could be made.
        DefinitionError: An option has another value.
        WrongShape: The function takes or returns something else; the text says how to adapt it.
    """
    if shape not in get_args(Shape) or newlines not in get_args(Newlines):
        raise DefinitionError(f"shape is one of {get_args(Shape)}, newlines one of {get_args(Newlines)}")
    with EditCalls(function=function, shape=shape, refusals=refusals, refusal=refusal) as calls:
        findings = Findings(calls, lambda text, edits: _remembered(text, tuple(edits), newlines))
        for vector in VECTORS:
            if vector.newlines in (None, newlines) and (shape == "original" or len(vector.edits) == 1):
                findings.look(vector.rule, vector.text, vector.edits)
        findings.check_shape()
        for text, edits in _drawn(newlines, shape, examples):
            while findings.is_news(text, edits):
                smallest = _smallest(findings, newlines, shape, examples)
                findings.look("found by search, and made as small as it would go", *(smallest or (text, edits)))
        findings.tell()


@cache
def _drawn(newlines: Newlines, shape: Shape, examples: int) -> tuple[tuple[str, Edits], ...]:
    """Draw what the search tries; once for all functions, for drawing takes longer than trying."""
    drawn: list[tuple[str, Edits]] = []

    @seed(0)
    @_searching(examples)
    @given(_cases(newlines, shape))
    def draw(case: tuple[str, Edits]) -> None:
        drawn.append(case)

    draw()
    return tuple(drawn)


class _Found(Exception):
    """A case of a damage that was not shown yet."""


def _smallest(findings: Findings, newlines: Newlines, shape: Shape, examples: int) -> tuple[str, Edits] | None:
    """Search again for a case of a damage that was not shown yet, and make it small."""

    @seed(0)
    @_searching(examples)
    @given(_cases(newlines, shape))
    def search(case: tuple[str, Edits]) -> None:
        if findings.is_news(*case):
            raise _Found(*case)

    try:
        search()
    except _Found as found:
        text, edits = found.args
        return text, edits
    return None


def _searching(examples: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        phases=(Phase.generate, Phase.shrink),
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )


def _cases(newlines: Newlines, shape: Shape) -> st.SearchStrategy[tuple[str, Edits]]:
    def settled(case: tuple[str, Edits]) -> bool:
        text, edits = case
        return _is_settled(text, edits, newlines)

    return (_CASES if shape == "original" else _CASES.map(lambda case: (case[0], case[1][:1]))).filter(settled)


@lru_cache(maxsize=2048)  # the sharp cases and what a search tries
def _remembered(text: str, edits: tuple[tuple[str, str], ...], newlines: Newlines) -> str | MustRefuse:
    """Return what `expected_result` says, without being slow for the second function."""
    return expected_result(text, list(edits), newlines=newlines)


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
