"""Scripts for sed and awk: only those that surely print pass."""

from __future__ import annotations

import pytest

from mmtools.policies.scripts import SCRIPTED


@pytest.mark.parametrize(
    ("program", "arguments", "acting"),
    [
        ("sed", ["-n", "1,5p", "f"], None),
        ("sed", ["s/a/b/g", "f"], None),
        ("sed", ["-i", "s/a/b/", "f"], 0),
        ("sed", ["s/a/b/w out", "f"], 0),
        ("sed", ["1e rm x", "f"], 0),
        ("sed", ["-e", "p", "-f", "script"], 2),
        ("awk", ["{print $1}", "f"], None),
        ("awk", ["-F", ":", "{print $1}"], None),
        ("awk", ['BEGIN{system("rm x")}'], 0),
        ("awk", ["{print > $1}"], 0),
        ("awk", ["-f", "script"], 0),
    ],
)
def test_the_first_argument_that_may_act_is_told(program: str, arguments: list[str], acting: int | None) -> None:
    assert SCRIPTED[program](arguments, 0) == acting


def test_what_the_rule_spells_is_meant() -> None:
    assert SCRIPTED["sed"](["-i", "s/a/b/", "f"], 1) is None
