"""What an edit made worse or better is told once, at its place, and nothing else is."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.diagnostics import Finding, Severity
from mmtools.core.lsp.diagnostics_delta import Checked, Delta, between

WORDS = st.sampled_from(["ok", "bad", "odd"])
PROGRAMS = st.lists(WORDS, max_size=8)


def check(lines: list[str], *, numbered: bool = False) -> Checked:
    """A checker of programs that complains of some words, perhaps with the number of another line."""
    found = [
        Finding(number, 1, Severity.ERROR if word == "bad" else Severity.WARNING, _said(word, number, numbered), "t")
        for number, word in enumerate(lines, 1)
        if word != "ok"
    ]
    return Checked("".join(f"{word}\n" for word in lines), tuple(found))


def _said(word: str, number: int, numbered: bool) -> str:
    return f"{word}, see line {number + 1}" if numbered else word


def said(findings: tuple[Finding, ...]) -> Counter[str]:
    return Counter(finding.message for finding in findings)


@given(PROGRAMS)
def test_nothing_changed_is_nothing_told(lines: list[str]) -> None:
    assert between(check(lines), check(lines)) == Delta()
    assert not between(check(lines), check(lines))


@given(PROGRAMS, PROGRAMS)
def test_the_balance_is_right_and_the_other_way_round_is_the_opposite(old: list[str], new: list[str]) -> None:
    delta = between(check(old), check(new))
    before, after = check(old).findings, check(new).findings
    assert len(after) - len(before) == len(delta.appeared) - len(delta.gone)
    assert said(before) + said(delta.appeared) == said(after) + said(delta.gone)
    assert set(delta.appeared) <= set(after)
    assert set(delta.gone) <= set(before)
    back = between(check(new), check(old))
    assert (back.appeared, back.gone) == (delta.gone, delta.appeared)
    assert list(delta.appeared) == sorted(delta.appeared)


@given(PROGRAMS, PROGRAMS, st.lists(st.just("ok"), min_size=1, max_size=3))
def test_findings_that_an_edit_only_moved_are_not_told(above: list[str], below: list[str], added: list[str]) -> None:
    old, new = above + below, above + added + below
    assert between(check(old, numbered=True), check(new, numbered=True)).appeared == ()
    assert between(check(new, numbered=True), check(old, numbered=True)).gone == ()


@given(PROGRAMS, PROGRAMS)
def test_the_finding_of_a_new_line_is_told_at_its_place(above: list[str], below: list[str]) -> None:
    new = [*above, "new", *below]
    delta = between(check(above + below), check(new))
    assert delta == Delta(appeared=(Finding(len(above) + 1, 1, Severity.WARNING, "new", "t"),))


def test_one_mended_and_the_same_made_elsewhere_is_both_told() -> None:
    old, new = check(["bad", "ok", "ok"]), check(["ok", "ok", "ok"])
    moved = Checked(old.text, (Finding(3, 1, Severity.ERROR, "bad", "t"),))
    delta = between(old, Checked(old.text, moved.findings))
    assert [one.line for one in delta.appeared] == [3]
    assert [one.line for one in delta.gone] == [1]
    assert between(old, new) == Delta(gone=old.findings)


def test_an_edit_may_cause_a_finding_far_from_it() -> None:
    far = Finding(9, 1, Severity.ERROR, "undefined: x", "t")
    delta = between(Checked("x = 1\n" + "\n" * 8), Checked("y = 1\n" + "\n" * 8, (far,)))
    assert delta == Delta(appeared=(far,))
