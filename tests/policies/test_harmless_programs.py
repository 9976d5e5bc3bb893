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


def test_everyday_lines_are_let_through() -> None:
    harmless = pairs("harmless.txt")
    assert len(harmless) > 500
    asked = [(pattern, line) for pattern, line in harmless if not Command(line).surely(pattern)]
    assert len(asked) <= len(harmless) // 20, asked


@pytest.mark.parametrize("table", [harmless_programs.PROGRAMS, harmless_git.GIT.subcommands])
def test_an_option_is_written_as_one(table: dict[str, object]) -> None:
    for name, known in table.items():
        assert all(token.startswith("-") for token in str(getattr(known, "options", "")).split()), name
