"""The table of programs that run others: every entry by the same rules."""

from __future__ import annotations

from mmtools.policies.runner_table import RUNNERS, SHELLS


def test_options_are_options_and_no_shell_is_a_runner() -> None:
    for name, runner in RUNNERS.items():
        assert all(option.startswith(("-", "+")) for option in runner.valued | runner.lines), name
        assert 0 <= runner.operands <= 2, name
    assert not SHELLS & RUNNERS.keys()
