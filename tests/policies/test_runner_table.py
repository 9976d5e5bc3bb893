"""The table of programs that run others: every entry by the same rules."""

from __future__ import annotations

import pytest

from mmtools.policies.runner_table import RUNNERS, SHELLS
from mmtools.policies.subcommand_table import SUBCOMMANDS
from mmtools.policies.subjects import Command
from tests.policies.lines import single

WRAPPED = single("wrapped.txt")


def test_options_are_options_and_no_shell_is_a_runner() -> None:
    rows = [*RUNNERS.items(), *((name, runner) for name, runners in SUBCOMMANDS.items() for runner in runners)]
    for name, runner in rows:
        assert all(
            option.startswith(("-", "+")) for option in runner.valued | runner.lines | runner.flags | runner.looks
        ), name
        assert runner.operands is None or 0 <= runner.operands <= 2, name
    assert not SHELLS & RUNNERS.keys()


def test_a_rule_meets_what_another_program_starts() -> None:
    assert len(WRAPPED) > 400
    assert [line for line in WRAPPED if not Command(line).met("rm *")] == []


def test_no_wildcard_lets_a_program_start_another() -> None:
    let_in = []
    for line in WRAPPED:
        words = line.split(" ")
        before = next(at for at, word in enumerate(words) if "rm" in word)
        patterns = ["*", f"{words[0]}*", *(" ".join([*words[:at], "*"]) for at in range(1, before + 1))]
        let_in += [(pattern, line) for pattern in patterns if Command(line).surely(pattern)]
    assert let_in == []


def test_every_program_in_the_table_is_met_and_never_let_in() -> None:
    for name, runner in RUNNERS.items():
        line = " ".join([name, *["x"] * (runner.operands or 0), "rm f"])
        if name not in ("command", "hash", "time"):
            assert Command(line).met("rm *"), line
        assert not Command(line).surely(f"{name} *"), line


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("docker exec -it web pytest *", "docker exec -it web pytest -q tests"),
        ("docker compose exec web ls *", "docker compose exec web ls -la"),
        ("kubectl exec web -- cat *", "kubectl exec web -- cat -n a.log"),
        ("sudo -u me ls *", "sudo -u me ls -la"),
        ("nice -n 5 make *", "nice -n 5 make -j4"),
        ("uv run --frozen pytest *", "uv run --frozen pytest -q"),
        ("conda run -n x python -m pytest *", "conda run -n x python -m pytest -q"),
        ("git bisect run pytest *", "git bisect run pytest -q"),
        ("command -v *", "command -v node"),
        ("docker run *", "docker run --help"),
    ],
)
def test_what_a_rule_spells_behind_another_program_is_judged_by_itself(pattern: str, line: str) -> None:
    assert Command(line).surely(pattern)


@pytest.mark.parametrize(
    ("pattern", "line"),
    [
        ("docker exec --odd web ls *", "docker exec --odd web ls -la"),
        ("docker exec web pytest *", "docker exec web pytest -p e"),
        ("kubectl exec web ls *", "kubectl exec web ls --namespace=x"),
        ("gdb ls *", "gdb ls -ex 'shell rm f'"),
        ("ssh host ls *", "ssh host ls '$(rm f)'"),
        ("git -c a=b *", "git -c a=b clean"),
        ("git -c a=b *", "git -c a=b bisect run ./e"),
        ("docker -H tcp://x *", "docker -H tcp://x exec web rm f"),
    ],
)
def test_where_the_position_is_not_known_no_wildcard_counts(pattern: str, line: str) -> None:
    assert not Command(line).surely(pattern)
