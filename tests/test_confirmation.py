"""
Confirmation in the crab dialect, from the model's call to the keys of a person at a real terminal.

Source: crab tools page, "How confirmation works".
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mmtools import AllowAll, Choice, Decision, ReadOnly, Remember, Rule, Rules, Runner, Status, local
from mmtools.adapters.console import ConsolePermission
from mmtools.ports.permission import PermissionRequest
from mmtools.testing.permissions import Scripted
from mmtools.testing.terminals import Terminal

pytestmark = pytest.mark.slow

PROMPT = "allow? [y]es/[n]o/[a]ll: "

#: Runs the calls in the terminal, as a host does, and says how each ended.
HOST = """
import sys
from mmtools import ConsolePermission, Remember, local
permission = Remember(ConsolePermission())
with local.crab({root!r}, permission=permission) as runner:
    for name, arguments in {calls!r}:
        outcome = runner.call(name, arguments)
        print(f"<{{outcome.status}}|{{outcome.text.strip()}}>")
print("end of session")
"""

#: One call of another program's tool.
REMOTE_HOST = """
from mmtools import ConsolePermission, Runner
from mmtools.ports.remote_tools import RemoteTool
from mmtools.testing.remote_tools import ScriptedRemoteTools
from mmtools.tools.remote.remote_tool import NamespacedTool
tool = RemoteTool(server="files", name="move_file", schema={"type": "object"})
runner = Runner([NamespacedTool(remote=ScriptedRemoteTools([tool]), tool=tool, name="files__move_file")], permission=ConsolePermission())
outcome = runner.call("files__move_file", {"source": "a\\u202e.txt", "destination": "b"})
print(f"<{outcome.status}|{outcome.text}>")
"""


def converse(root: Path, calls: Sequence[tuple[str, dict[str, object]]], keys: Sequence[str]) -> str:
    """Answer the questions in order, and return all that was on the screen."""
    with Terminal(
        HOST.format(root=str(root), calls=list(calls)), columns=200, environment={"NO_COLOR": "1"}
    ) as terminal:
        seen = ""
        for key in keys:
            seen += terminal.wait_for(PROMPT)
            terminal.send(key)
        seen += terminal.wait_for("end of session")
        assert terminal.end()[0] == 0
    return seen.replace("\r", "")


def test_yes_runs_this_command_and_the_next_one_asks_again(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    screen = converse(tmp_path, [("bash", {"command": "rm -rf build"}), ("bash", {"command": "ls"})], ["y\n", "y\n"])
    assert screen.startswith(
        f"⚠ bash — run: rm -rf build\n  in      {tmp_path}\n  all     every command of this session\n{PROMPT}y\n<ok|(no output)>\n"
    )
    assert screen.count(PROMPT) == 2
    assert not (tmp_path / "build").exists()


def test_no_with_words_goes_back_to_the_model_and_nothing_runs(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    screen = converse(tmp_path, [("bash", {"command": "rm -rf build"})], ["n use make clean\n"])
    assert "<rejected|[command rejected by the user]\nuse make clean>" in screen
    assert (tmp_path / "build").exists()


def test_all_covers_the_class_says_so_and_leaves_other_classes_asking(tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, object]]] = [
        ("bash", {"command": "touch one"}),
        ("bash", {"command": "touch two; rm -f three"}),
        ("write", {"path": "a.txt", "content": "text\n"}),
        ("write", {"path": "b.txt", "content": "text\n"}),
        ("edit", {"path": "b.txt", "edits": [{"old": "text", "new": "words"}]}),
        ("web_fetch", {"url": "https://docs.python.org/3/"}),
    ]
    screen = converse(tmp_path, calls, ["a\n", "a\n", "n\n"])
    assert "  all     every command of this session\n" in screen
    assert f"  all     every file change under {tmp_path}\n" in screen
    assert "⚠ web_fetch — fetch: https://docs.python.org/3/\n" in screen
    assert "  host    docs.python.org\n" in screen
    assert screen.count(PROMPT) == 3
    assert {path.name for path in tmp_path.iterdir()} == {"one", "two", "a.txt", "b.txt"}
    assert (tmp_path / "b.txt").read_text() == "words\n"


def test_reading_never_asks(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("text\n")
    calls: list[tuple[str, dict[str, object]]] = [
        ("read", {"path": "a.txt"}),
        ("grep", {"pattern": "text"}),
        ("glob", {"pattern": "*.txt"}),
        ("write", {"path": "a.txt", "content": "text\n"}),
    ]
    screen = converse(tmp_path, calls, [])
    assert screen.count("<ok|") == 4
    assert "⚠" not in screen


def test_a_call_of_another_program_is_shown_with_all_it_sends() -> None:
    with Terminal(REMOTE_HOST, columns=200, environment={"NO_COLOR": "1"}) as terminal:
        screen = terminal.wait_for(PROMPT).replace("\r", "")
        terminal.send("n\n")
        terminal.wait_for("<rejected|[files__move_file rejected by the user]>")
    assert screen.split("\n")[1:-2] == [
        "  │ {",
        '  │   "source": "a⟨U+202E⟩.txt",',
        '  │   "destination": "b"',
        "  │ }",
        "  server  files",
        "  tool    move_file",
    ]
    assert screen.split("\n")[-2] == "  all     every call of files__move_file in this session"


def test_with_nobody_at_the_terminal_the_answer_is_no_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Printing without asking (crab's `--print`) is `AllowAll`, chosen by the host."""
    monkeypatch.setattr(sys, "stdin", None)
    with local.crab(tmp_path, permission=Remember(ConsolePermission())) as runner:
        outcome = runner.call("bash", {"command": "touch f"})
    assert outcome.status is Status.REJECTED
    assert "refused by policy: there is no terminal" in outcome.text
    assert not (tmp_path / "f").exists()
    with local.crab(tmp_path, permission=AllowAll()) as runner:
        assert runner.call("bash", {"command": "touch f"}).status is Status.OK


# Commands that look as if they only read, under rules that people write


RULES = [
    Rule.allow(f"bash({pattern})")
    for pattern in (
        "ls*", "find *", "env *", "git branch*", "git diff*", "git status", "git log*", "sort *", "echo *", "sed *",
        "cat *", "grep *", "awk *", "xargs *", "tee *",
    )
]  # fmt: skip

ASKED = [
    "ls | xargs rm", "find . -delete", "find . -exec rm {} +", "env rm f", "git branch -D x", "git diff --output=f",
    "sort -o f g", "echo x >& f", "sed -i s/x/y/ f", "echo x > f", "ls $(rm f)", "ls; rm f", "cat f | tee g",
    "awk 'BEGIN{system(\"rm f\")}'", "xargs rm", "tee g", "git log --output=f", "ls &>f", "find . -fprint f",
]  # fmt: skip


def crab(root: Path, permission: Rules | ReadOnly | Remember) -> Runner:
    (root / "f").write_text("x\n")
    (root / "g").write_text("x\n")
    return local.crab(root, permission=permission)


@pytest.mark.parametrize("command", ASKED)
def test_what_only_looks_like_reading_does_not_run_silently(tmp_path: Path, command: str) -> None:
    inner = Scripted([Choice.REJECT_ONCE])
    with crab(tmp_path, Rules(RULES, inner)) as runner:
        assert runner.call("bash", {"command": command}).status is Status.REJECTED
    assert len(inner.requests) == 1
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"f": "x\n", "g": "x\n"}


@pytest.mark.parametrize(
    "command",
    ["ls 2>&1", "cat f 2>/dev/null", "grep '>' f", "git diff", "git branch --all", "find . -name f", "sort f"],
)
def test_what_reads_runs_silently(tmp_path: Path, command: str) -> None:
    with crab(tmp_path, Rules(RULES, Scripted())) as runner:
        assert runner.call("bash", {"command": command}).status is not Status.REJECTED


@pytest.mark.parametrize("command", [*ASKED, "ls"])
def test_a_read_only_session_runs_no_command_at_all(tmp_path: Path, command: str) -> None:
    with crab(tmp_path, ReadOnly()) as runner:
        assert runner.call("bash", {"command": command}).status is Status.REJECTED
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"f": "x\n", "g": "x\n"}


# How far an "all" reaches


def test_an_all_ends_with_its_session_and_where_its_class_ends(tmp_path: Path) -> None:
    (tmp_path / "root").mkdir()
    inner = Scripted([Choice.ALLOW_ALWAYS, Choice.REJECT_ONCE, Choice.REJECT_ONCE])
    permission = Remember(inner)
    with local.crab(tmp_path / "root", permission=permission, outside="ask") as runner:
        assert runner.call("write", {"path": "a.txt", "content": "x"}).status is Status.OK
        assert runner.call("write", {"path": "b.txt", "content": "x"}).status is Status.OK
        assert runner.call("write", {"path": "../out.txt", "content": "x"}).status is Status.REJECTED
        permission.reset()
        assert runner.call("write", {"path": "c.txt", "content": "x"}).status is Status.REJECTED
    assert len(inner.requests) == 3


def test_an_all_never_beats_a_denial_nor_reaches_another_session(tmp_path: Path) -> None:
    deny = Rule.deny("bash(rm)")
    first = Remember(Rules([deny], Scripted([Choice.ALLOW_ALWAYS])))
    with local.crab(tmp_path, permission=first) as runner:
        assert runner.call("bash", {"command": "touch a"}).status is Status.OK
        assert runner.call("bash", {"command": "touch b"}).status is Status.OK
        assert "Refused by the rule bash(rm)" in runner.execute("bash", {"command": "touch c; rm a"})
    with local.crab(tmp_path, permission=Remember(Scripted([Choice.REJECT_ONCE]))) as runner:
        assert runner.call("bash", {"command": "touch d"}).status is Status.REJECTED
    assert {path.name for path in tmp_path.iterdir()} == {"a", "b"}


def test_a_front_end_that_disconnects_refuses(tmp_path: Path) -> None:
    class Gone:
        def decide(self, request: PermissionRequest) -> Decision:
            raise ConnectionResetError("the window closed")

    with local.crab(tmp_path, permission=Gone()) as runner:
        assert runner.call("bash", {"command": "touch f"}).status is Status.REJECTED
    assert not (tmp_path / "f").exists()
