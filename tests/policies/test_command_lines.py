"""What is read out of a command line, held against what bash makes of it."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from mmtools.policies.command_lines import plain, starts

#: One write per call, as calls may run side by side.
STUB = """#!/bin/sh
printf '%s\\0' "${0##*/}" "$@" '<end of call>' >> "$LOG"
"""


@frozen
class Shell:
    """A bash in which every program that is found only writes down how it was called."""

    bin: Path

    def run(self, line: str) -> tuple[list[list[str]], set[str]]:
        """
        Run a line in an empty directory.

        Returns:
            The calls, each with its words, and the files that are there afterwards.
        """
        with tempfile.TemporaryDirectory() as directory:
            log, here = Path(directory, "log"), Path(directory, "here")
            here.mkdir()
            log.touch()
            subprocess.run(
                ["/bin/bash", "-c", f"{line}\nwait"],
                cwd=here,
                env={"PATH": str(self.bin), "LOG": str(log)},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=30,
                check=False,
            )
            words = log.read_bytes().split(b"\0")[:-1]
            calls: list[list[str]] = [[]]
            for word in words:
                if word == b"<end of call>":
                    calls.append([])
                else:
                    calls[-1].append(os.fsdecode(word))
            return calls[:-1], {path.name for path in here.iterdir()}


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    directory = tmp_path_factory.mktemp("bin")
    for name in ("say", "rm", "git"):
        stub = directory / name
        stub.write_text(STUB)
        stub.chmod(0o755)
    for name, place in {"sh": "/bin/sh", "env": "/usr/bin/env"}.items():
        (directory / name).symlink_to(place)
    return Shell(directory)


def texts(line: str) -> set[str]:
    """Return the commands that a line may start."""
    return {started.text for started in starts(line).commands}


#: Pieces of shell, most of them harmless, so that enough lines are plain.
pieces = st.sampled_from(
    [
        "a", "-b", "--c=d", "é", "語", "\u00a0", "=", "%", "@", "^", ",", ":", "+", "-", "_", "0", "2",
        "'a b'", "'$x;`'", "''", '"c d"', '""', '"\'"', "\"it's; >f\"", " ", "  ", "\t", " ",
        "say", "rm", ";", "&", "|", "<", ">", "$", "`", "\\", "(", ")", "{", "}", "*", "?", "[", "]", "~", "!", "#",
        "{1}", "@{1}", "^{}", "{}", "{a..b}", "{a,b}", "{ }", "^!", '"x!"', '"!x"', "{fd}>f",
        "\n", "\r", "'", '"', "$x", "A=1", "f", "a~", "a#", "=~", ":~", "^~",
    ]
)  # fmt: skip


@given(st.lists(pieces, max_size=12))
def test_a_plain_line_is_for_bash_one_call_with_the_same_words(shell: Shell, parts: list[str]) -> None:
    line = "say " + "".join(parts)
    words = plain(line)
    if words is not None:
        assert shell.run(line) == ([list(words)], set())


@given(
    st.lists(pieces, max_size=5),
    st.lists(st.sampled_from([" 2>&1", " >/dev/null", "\t>&2 ", " 2> /dev/null"]), min_size=1, max_size=2),
)
def test_output_that_is_dropped_at_the_end_changes_nothing(shell: Shell, parts: list[str], drops: list[str]) -> None:
    line = "say " + "".join([*parts, *drops])
    words = plain(line)
    if words is not None:
        assert shell.run(line) == ([list(words)], set())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("git status", ("git", "status")),
        ("  git\tlog   -1 ", ("git", "log", "-1")),
        ("echo 'a && rm b'", ("echo", "a && rm b")),
        ('echo "a && rm b"', ("echo", "a && rm b")),
        ("echo 'a\nb'", ("echo", "a\nb")),
        ("git commit -m'it is' --date=now", ("git", "commit", "-mit is", "--date=now")),
        ("grep '>' f", ("grep", ">", "f")),
        ("x ''", ("x", "")),
        ("git diff HEAD~1 a#b", ("git", "diff", "HEAD~1", "a#b")),
        ("git show HEAD@{1} v1.0^{} HEAD^!", ("git", "show", "HEAD@{1}", "v1.0^{}", "HEAD^!")),
        ("git log @{u}.. stash@{0}", ("git", "log", "@{u}..", "stash@{0}")),
        ("find . ! -name x", ("find", ".", "!", "-name", "x")),
        ('a "!x" "Fix it!"', ("a", "!x", "Fix it!")),
        ("ls 2>&1", ("ls",)),
        ("cat f 2>/dev/null", ("cat", "f")),
        ("cat f >/dev/null  2>&1 ", ("cat", "f")),
        ("cat '2>&1' >&2", ("cat", "2>&1")),
    ],
)
def test_lines_that_are_plain(line: str, words: tuple[str, ...]) -> None:
    assert plain(line) == words


@pytest.mark.parametrize(
    "line",
    [
        "", " ", "''", "a; b", "a & b", "a && b", "a | b", "a || b", "a\nb", "a > f", "a < f", "a >&", "a >& f", "a 3>&1", "a 2>&1 f", "a2>&1", "a >&1f", "a &>/dev/null", "a >/dev/nul", "a >/dev/null/x",
        "a >/dev/../f", "a ' 2>&1", "a \" >&2", "a \\ 2>&1", "a # 2>&1", "a\n2>&1", "2>&1", " >/dev/null", "a $x", "a ${x}",
        "a $(b)", "a `b`", 'a "$x"', 'a "$(b)"', 'a "`b`"', 'a "\\$"', "a \\b", "a *", "a ?", "a [b]", "a ~", "a b=~", "a b:~", "a {b,c}", "a {1..3}", "a {b", "a b}", "a {b}c}", "a {{b}}", "a {'b,c'}", "a {b}>/dev/null", "a !(b)",
        "! a", "a # b", "A=1 a", "A+=1 a", "A[0]=1 a", "(a)", "{ a; }", "a 'b", 'a "b', "a\rb", "a\x00b", "a $'b'", 'a $"b"',
    ],
)  # fmt: skip
def test_lines_that_are_not(line: str) -> None:
    assert plain(line) is None


commands = st.recursive(
    st.sampled_from(["rm x", "say y", "say 'quoted && rm z'", "say \"quoted; rm z\"", "r''m x", "\\rm x", "r\\\nm x", '"rm" x']),
    lambda inner: st.tuples(
        st.sampled_from(
            [
                "{0}; {1}", "{0} && {1}", "{0} || {1}", "{0} | {1}", "{0} & {1}", "{0}\n{1}", "({0}); {1}", "{{ {0}\n}}; {1}",
                "say $({0}); {1}", 'say "$({0})"; {1}', "say `say`; {0}\n{1}", "! {0}; {1}", "time {0}\n{1}",
                "if {0}; then {1}; fi", "while {0}; do {1}; break; done", "for i in 1; do {0}; done; {1}", "f() {{ {0}\n}}; f; {1}",
                "case x in x) {0};; esac; {1}", "A=1 B='2 3' {0}; {1}", "env A=1 {0}\n{1}", "exec 3>&1; {0}; {1}", ">f {0}; {1}", "2>f {0}\n{1}",
                "say <<E\nit's\nE\n{0}\n{1}", "say <<'E'\n\"\nE\n{0}; {1}", "say # it's\n{0}; {1}", "say a#'b'; {0}; {1}",
                "say <(say); {0}; {1}", "eval {0}\n{1}", "say $'\\''; {0}; {1}", "say \"a\\\"b\"; {0}; {1}", "command {0}; {1}",
            ]
        ),
        inner,
        inner,
    ).map(lambda parts: parts[0].format(parts[1], parts[2])),
    max_leaves=5,
)  # fmt: skip


@given(commands)
def test_what_bash_starts_is_found(shell: Shell, line: str) -> None:
    if starts(line).doubt:
        # Then any rule denies it.
        return
    calls, _ = shell.run(line)
    found = texts(line)
    for call in calls:
        if call[0] == "rm":
            assert any(start == "rm" or start.startswith("rm ") for start in found), f"{call} not among {found}"


@pytest.mark.parametrize(
    "line",
    [
        "rm x", "/bin/rm x", "./rm x", "sh -c 'rm x'", "bash -lc \"say; rm x\"", "sudo -u bob rm x", "env -i A=1 rm x",
        "find . -name f -exec rm {} +", "find . -execdir rm {} ';'", "say | xargs -n1 rm", "timeout 5 nice -n 5 rm x",
        "sudo find . -exec rm {} +", "sudo sh -c 'env rm x'", "eval 'rm x'", "trap 'rm x' EXIT", "ssh host rm x",
        "ssh host 'cd /; rm x'", 'say "$(say "`rm x`")"', "diff <(rm x) <(say)", "$'rm' x", "nohup rm x &", "say & rm x",
        "su -c 'rm x' bob", "say 'a'\\''b'; rm x", "coproc rm x", "say <<< it\\'s; rm x", "cat <<-E\n\tit's\n\tE\nrm x",
    ],
)  # fmt: skip
def test_commands_are_found_wherever_they_hide(line: str) -> None:
    assert "rm" in {start.split(" ")[0] for start in texts(line)}


@pytest.mark.parametrize(
    "line",
    [
        "say 'a && rm b'", 'say "a; rm b"', "say a # rm b", "say rm", "git commit -m 'rm it'", "grep rm f > rm", "say < rm",
        "say --rm", "A=rm say", "rmdir x", "say arm",
    ],
)  # fmt: skip
def test_what_only_reads_like_a_command_is_not_found(line: str) -> None:
    assert "rm" not in {start.split(" ")[0] for start in texts(line)}


def test_options_before_a_git_command_are_seen_through() -> None:
    assert "git push -f" in texts("git -C /repo -c a=b --no-pager push -f")


@pytest.mark.parametrize(
    "text", ["eval " * 5_000, "sh " * 5_000, "'" * 9_999, '"$(' * 5_000, "<<" * 5_000 + "'", "find -exec " * 3_000]
)
def test_a_line_made_to_exhaust_the_search_ends(text: str) -> None:
    assert len(texts(text)) < 1_000_000


@given(st.text(st.characters()) | st.lists(pieces).map("".join))
def test_every_text_can_be_read(line: str) -> None:
    texts(line)
    plain(line)


_WORDS = st.sampled_from(
    [
        "rm", "x", "exec", "env", "-S", "sudo", "xargs", "-I{}", "$x", "$(", ")", "`", "'", '"', "{", "}", "(", ";", "|", "&", "\n",
        "<<E", "E", "<<<", ">", "{fd}>", "case", "in", "esac", "for", "do", "done", "if", "fi", "[[", "]]", "((", "))", "#", "\\",
        "~", "*", "a=", "coproc", "function", "f()", "time", "-p", "eval", "trap", "alias", "find", "-exec", "git", "-c", "awk",
        "sed", "bash", "sh", "source", ".", " ", "parallel", "flock", "\x00", "\ud800",
    ]
)  # fmt: skip


@given(st.lists(_WORDS, max_size=12), st.sampled_from(["", " "]))
def test_no_line_is_too_odd_to_be_read(words: list[str], between: str) -> None:
    line = between.join(words)
    starts(line)
    plain(line)
