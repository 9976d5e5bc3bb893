"""Everything that bash runs for a line was found in it, or the line was in doubt: the shell itself is the judge."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings

from mmtools.policies.command_lines import Starts, starts
from tests.policies.bash_lines import Bash, Lines


def found(call: list[str], by: Starts) -> bool:
    """Whether a call is one of those that were found, as far as those are known."""
    text = " ".join(call)
    return any(text == each.text if each.is_whole else f"{text} ".startswith(each.text) for each in by.commands)


@pytest.fixture(scope="module")
def bash(tmp_path_factory: pytest.TempPathFactory) -> Bash:
    return Bash.at(tmp_path_factory.mktemp("bash"))


def test_what_bash_runs_was_found_or_in_doubt(bash: Bash) -> None:
    maker = Lines(Random(20))
    lines = [maker.line() for _ in range(settings().max_examples * 3 // 2)]
    missed = [
        (line, call)
        for line, calls in zip(lines, bash.run(lines), strict=True)
        if (reading := starts(f"{line}\n")).doubt is None
        for call in calls
        if not found(call, reading)
    ]
    assert missed == []
