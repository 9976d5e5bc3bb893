"""The table of programs that run the command behind a subcommand: every entry by the same rules."""

from __future__ import annotations

import pytest

from mmtools.policies.runner_table import RUNNERS
from mmtools.policies.subcommand_table import SUBCOMMANDS
from mmtools.policies.subjects import Command


def test_every_subcommand_is_met_and_never_let_in() -> None:
    for name, runners in SUBCOMMANDS.items():
        for runner in runners:
            line = " ".join([name, *runner.after, *["x"] * (runner.operands or 0), "rm f"])
            assert Command(line).met("rm *"), line
            assert not Command(line).surely(f"{name} *"), line
            assert not Command(line).surely(f"{name} {' '.join(runner.after)} *"), line


def test_every_entry_has_a_subcommand_and_nothing_twice() -> None:
    for name, runners in SUBCOMMANDS.items():
        after = [runner.after for runner in runners]
        assert all(after), name
        assert len(after) == len(set(after)), name
    assert all(not runner.after for runner in RUNNERS.values())


@pytest.mark.parametrize(
    "line",
    [
        "docker ps exec",
        "git log run",
        "npm run exec",
        "kubectl get exec",
    ],
)
def test_a_word_that_only_looks_like_a_subcommand_is_an_operand(line: str) -> None:
    words = line.split()
    assert Command(line).surely(f"{words[0]} {words[1]} *")
