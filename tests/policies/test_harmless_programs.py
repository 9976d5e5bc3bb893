"""The tables of what is harmless, held against lines that act and lines that people write every day."""

from __future__ import annotations

import pytest

from mmtools.policies import harmless_git, harmless_programs
from mmtools.policies.subjects import Command
from tests.policies.lines import pairs


def test_no_wildcard_lets_an_acting_line_through() -> None:
    acting = pairs("acting.txt")
    assert len(acting) > 300
    assert [(pattern, line) for pattern, line in acting if Command(line).surely(pattern)] == []


def test_nor_one_by_a_wrapper_a_reference_or_a_spelled_option() -> None:
    attacks = pairs("attacks.txt")
    assert len(attacks) > 150
    assert [(pattern, line) for pattern, line in attacks if Command(line).surely(pattern)] == []
    # Whoever spells the whole line means it.
    plain = [line for _, line in attacks if Command(line).words]
    assert [line for line in plain if not Command(line).surely(line)] == []
    assert len(plain) > 140


def test_a_runner_in_front_lets_in_no_more() -> None:
    """What a wildcard may not stand for alone, it may not stand for behind `sudo`, `docker exec web` or `uv run` either."""
    fronts = ("sudo", "docker exec web", "uv run --frozen", "env A=1", "nice -n 5", "kubectl exec web --")
    acting = pairs("acting.txt")
    let_in = [
        (f"{front} {pattern}", f"{front} {line}")
        for number, (pattern, line) in enumerate(acting)
        for front in [fronts[number % len(fronts)]]
        if Command(f"{front} {line}").surely(f"{front} {pattern}")
    ]
    assert let_in == []


def test_everyday_lines_are_let_through() -> None:
    harmless = pairs("harmless.txt")
    assert len(harmless) > 500
    asked = [(pattern, line) for pattern, line in harmless if not Command(line).surely(pattern)]
    assert len(asked) <= len(harmless) // 20, asked


@pytest.mark.parametrize("table", [harmless_programs.PROGRAMS, harmless_git.GIT.subcommands])
def test_an_option_is_written_as_one(table: dict[str, object]) -> None:
    for name, known in table.items():
        assert all(token.startswith("-") for token in str(getattr(known, "options", "")).split()), name
