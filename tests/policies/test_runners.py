"""Where a command stands in the arguments of a program that runs others."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.shell import reader
from mmtools.core.shell.words import Command
from mmtools.policies import runners
from mmtools.policies.inside import DoubtKind
from mmtools.policies.runner_table import RUNNERS


def command(line: str) -> Command:
    (found,) = reader.read(line).commands
    return found


@given(st.sampled_from(sorted(RUNNERS.keys() - {"command", "hash", "time", "xargs"})))
def test_the_command_behind_a_runner_is_the_likely_one_or_in_doubt(name: str) -> None:
    operands = " ".join(["5"] * (RUNNERS[name].operands or 0))
    found = runners.run(name, command(f"{name} {operands} rm x"))
    likely = [[word.text for word in each.words] for each in found.commands]
    assert likely == [["rm", "x"]]
    assert found.doubt is None


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("nice $x y", DoubtKind.PROGRAM),
        ("nice" + " -n 5" * 101 + " rm", DoubtKind.TOO_MUCH),
        ("command -v rm", None),
        ('env "PATH=$PATH" make', None),
        ('env "A$x" make', DoubtKind.PROGRAM),
        ("docker exec $x ls", DoubtKind.PROGRAM),
        ('docker exec "$x" ls', None),
        ('docker --context y exec web "$x"', DoubtKind.PROGRAM),
        ("docker $x", DoubtKind.PROGRAM),
        ("docker ps $x", None),
        ('nix shell a b -c "$x"', DoubtKind.PROGRAM),
        ("npx prettier" + " a" * 300, None),
        ("xargs -I{} {} x", DoubtKind.PROGRAM),
    ],
)
def test_what_cannot_be_known_is_said(line: str, kind: DoubtKind | None) -> None:
    doubt = runners.run(line.split()[0], command(line)).doubt
    assert (doubt and doubt.kind) == kind


def test_env_cuts_a_text_at_blanks_where_a_shell_sees_more() -> None:
    found = runners.run("env", command("env -S 'rm a;b -f'"))
    assert found.lines == ["rm a;b -f"]
    assert ["rm", "a;b", "-f"] in [[word.text for word in each.words] for each in found.other_commands]


def test_a_name_that_hash_gives_means_the_program_with_whatever_follows() -> None:
    (found,) = runners.run("hash", command("hash -p /bin/rm q")).commands
    assert [word.text for word in found.words] == ["/bin/rm", '"$@"']
