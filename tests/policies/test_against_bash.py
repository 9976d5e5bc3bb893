"""Everything that bash runs for a line was found in it, or the line was in doubt: the shell itself is the judge."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import settings

from mmtools.policies.command_lines import Starts, starts
from mmtools.policies.subjects import Command
from tests.policies.bash_lines import Bash, Lines
from tests.policies.lines import everyday


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


#: What stands before a command that really starts it, where the program is installed.
FRONTS = [
    "env", "env -i LOG=$LOG PATH=$PATH", "env -u x A=1", "nice", "nice -n 5", "nohup", "timeout 5", "timeout -k 9 5", "timeout --preserve-status 5",
    "stdbuf -oL", "stdbuf -o L -e L", "setsid -w", "ionice -c 3", "ionice -t", "chrt -o 0", "taskset 1", "taskset -c 0", "prlimit", "prlimit --nofile=99",
    "setarch -R", "setarch x86_64", "linux64", "flock f", "flock -n f", "choom -n 9 --", "unshare", "unshare -r", "setpriv --no-new-privs", "xargs",
    "xargs -r -n 1", "xargs -I @ env A=@", "find . -maxdepth 0 -exec", "command", "command -p", "exec", "exec -a x", "time", "time -p", "command nice env timeout 5",
]  # fmt: skip

#: What such a command may stand in as a text.
TEXTS = [
    "flock f -c '{0}'",
    "script -qec '{0}' /dev/null",
    "script -c '{0}'",
    "env -S '{0}'",
    "setsid -w sh -c '{0}'",
    "xargs -I @ sh -c '{0} @'",
]


def test_what_programs_of_this_machine_start_was_found_or_in_doubt(bash: Bash) -> None:
    lines = [f"{front} rm n -f{' ;' * front.startswith('find')} <<< w".replace(" ;", " ';' -print") for front in FRONTS]
    lines += [text.format("rm n -f; say m") for text in TEXTS]
    ran = bash.run(lines)
    assert [
        (line, call)
        for line, calls in zip(lines, ran, strict=True)
        if (reading := starts(f"{line}\n")).doubt is None
        for call in calls
        if not found(call, reading)
    ] == []
    assert all(Command(line).met("rm *") for line, calls in zip(lines, ran, strict=True) if calls)
    assert sum(map(bool, ran)) > 15


def test_what_bash_writes_anew_without_its_semicolon_is_in_doubt() -> None:
    for documents in ("", 'a <<"E"\nx\nE\n'):
        line = f"say a$({documents}while cat; do git x; break; done <<E\nx\nE\n)b"
        assert (starts(line).doubt is not None) is bool(documents)


@pytest.mark.parametrize("line", everyday())
def test_everyday_lines_are_in_no_doubt_and_start_no_rm(line: str) -> None:
    reading = starts(line)
    assert reading.doubt is None
    assert not found(["rm"], reading)
    assert "rm" not in {each.text.partition(" ")[0] for each in reading.commands}


#: Measured: 67 of 160 spellings ran.
SPELLINGS = [
    "$'\\x72m' x", "eval $'rm\\x20x'", "bash -c $'rm\\x20x'", "{rm,x}", "r{m,} x", "/bin/r? x", "X=rm; $X x", "`echo rm` x", '"$(echo rm)" x', "rm${IFS}x", "r$@m x",
    "env -S'rm x'", "sh <<< 'rm x'", 'bash <<< "rm x"', "echo rm x | sh", "source <(echo rm x)", "time -p rm x", "function f { rm x; }; f",
    "shopt -s expand_aliases\nalias a='rm x'\na", "{fd}>o rm x", "echo a\\ #; rm x", "echo $(true)#; rm x", "echo $((1))#; rm x", "unshare rm x", "setarch -R rm x",
    "script -qc 'rm x' /dev/null", "prlimit rm x", "mapfile -c1 -C 'rm x;:' a < y", "BASH_ENV=<(echo rm x) bash -c :", "test -v 'a[$(rm x)]'", "awk 'BEGIN{system(\"rm x\")}'",
    "env" + " -u A" * 33 + " rm x", "hash -p /bin/rm q; q x", "find . -exec rm {} +", "xargs -I@ sh -c @", "git -c alias.x='!rm x' x", "GIT_PAGER='rm x' git log", "git bisect run rm x", "tar --to-command='rm x' -xf a",
    "rsync -e 'rm x' a b", "watch rm x", "ssh h 'cd /; rm x'", "su -c 'rm x'", "parallel rm ::: x", "npx rm x", "uv run rm x", "trap 'rm x' EXIT", "sed '1e rm x' f", "xargs sh -c", "flock f -c 'rm x'",
    "rm x # it's", "a[ #]=1; rm x", "PS4='$(rm x)'; set -x; :", "echo ${x@P}", "compgen -W '$(rm x)'", "declare 'a[$(rm x)]=1'", "export PAGER='rm x'", "busybox rm x", "\\rm x", "r\\\nm x", "exec rm x", "nohup rm x &",
]  # fmt: skip


@pytest.mark.parametrize("line", SPELLINGS)
def test_a_spelling_of_a_denied_command_meets_its_rule(line: str) -> None:
    assert Command(line).maybe("rm *")
