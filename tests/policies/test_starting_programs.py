"""Where in a command another one stands: in its arguments, its input, its variables."""

from __future__ import annotations

import pytest

from mmtools.core.shell import reader
from mmtools.policies.inside import DoubtKind
from mmtools.policies.starting_programs import git_command, inside


def starts(line: str) -> tuple[list[str], list[str], DoubtKind | None]:
    (command,) = reader.read(line).commands
    found = inside(command)
    commands = [" ".join(word.text for word in each.words) for each in (*found.commands, *found.other_commands)]
    return commands, list(found.lines), found.doubt.kind if found.doubt else None


@pytest.mark.parametrize(
    ("line", "inner"),
    [
        ("env -u A B=1 rm x", "rm x"),
        ("timeout -k 5 10 rm x", "rm x"),
        ("xargs -n 1 rm", 'rm "$@"'),
        ("find . -name y -exec rm {} +", "rm {} +"),
        ("sudo -u me rm x", "rm x"),
        ("find . -exec rm x \\; -print", "rm x"),
        ("find . -ok ls ';' -exec rm x ';'", "rm x"),
        ("fd y -x rm x ';' -H", "rm x"),
        ("python3.11 -m pip install x", "pip install x"),
        ("python3 -mpip install x", "pip install x"),
        ("python3 -Imvenv x", "venv x"),
    ],
)
def test_the_command_of_a_runner_is_found(line: str, inner: str) -> None:
    assert inner in starts(line)[0]


@pytest.mark.parametrize("line", ["sh -c 'rm x'", "bash -ec 'rm x' _ a", "bash <<< 'rm x'", "eval 'rm x'"])
def test_a_text_that_a_shell_reads_is_found(line: str) -> None:
    assert "rm x" in starts(line)[1]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("sh", DoubtKind.INPUT),
        ("bash -s", DoubtKind.INPUT),
        ('sh -c "$x"', DoubtKind.TEXT),
        ("nice $x", DoubtKind.PROGRAM),
        ("source /dev*/stdin <<< 'rm x'", DoubtKind.TEXT),
        ("source $x/activate", None),
        ("wc -l $x", None),
        ("bash script.sh $x", None),
    ],
)
def test_what_only_the_shell_can_know_is_said(line: str, kind: DoubtKind | None) -> None:
    assert starts(line)[2] is kind


def test_the_subcommand_of_git_is_behind_its_options() -> None:
    (command,) = reader.read("git -C d -c a=b --no-pager log -1").commands
    assert [word.text for word in git_command(command.words[1:])] == ["log", "-1"]
