"""The recap line: the families that were used, in a fixed order."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.counters import Counters


def counted(*families: str) -> Counters:
    counters = Counters()
    for family in families:
        counters.count(family)
    return counters


@pytest.mark.parametrize(
    ("families", "line"),
    [
        (["command"], "⚙ 1 command(s)"),
        (["file", "file"], "📝 2 file op(s)"),
        (["skill"], "📖 1 skill(s)"),
        (["lsp"] * 12, "🔎 12 lsp call(s)"),
        (["lsp", "skill", "file", "command"], "⚙ 1 command(s)  📝 1 file op(s)  📖 1 skill(s)  🔎 1 lsp call(s)"),
        (["web", "command", "agent", "web"], "⚙ 1 command(s)  2 web call(s)  1 agent call(s)"),
        ([], "no tool calls"),
    ],
)
def test_the_line_names_what_was_used(families: list[str], line: str) -> None:
    assert counted(*families).recap() == line


@given(st.lists(st.sampled_from(["command", "file", "skill", "lsp", "web", "agent"])))
def test_nothing_is_lost_and_the_order_of_known_families_is_fixed(families: list[str]) -> None:
    counters = counted(*families)
    assert counters.counts == Counter(families)
    line = counters.recap()
    assert sum(map(int, re.findall(r"\d+", line))) == len(families)
    signs = [char for char in line if char in "⚙📝📖🔎"]
    assert signs == sorted(signs, key="⚙📝📖🔎".index)


def test_a_new_turn_starts_at_nothing() -> None:
    counters = counted("file")
    counters.reset()
    assert counters.recap() == "no tool calls"


def test_the_counts_handed_out_are_a_copy() -> None:
    counters = counted("file")
    counters.counts["file"] = 9
    assert counters.counts == {"file": 1}
