"""The command line, as a process."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.adapters.web.servers import Server, page


def mmtools(root: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mmtools", *words, "--root", str(root)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    skills = tmp_path / "skills"
    skills.mkdir()
    (skills / "greet.md").write_text("---\ndescription: Use when: greeting\n---\nSay hello.\n")
    return tmp_path


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "text"),
    [
        ("bash", '{"command": "echo hi"}', 0, "hi\n"),
        ("bash", '{"command": "exit 3"}', 1, "[exit code: exit status 3]\n"),
        ("read_file", '{"path": "a.txt", "end": 1}', 0, "one\n"),
        ("read_file", '{"path": "b.txt"}', 1, "b.txt does not exist. Create it with write_file\n"),
        ("write_file", '{"path": "n.txt", "content": "x\\n"}', 0, "created n.txt (1 line)\n"),
        ("write_file", '{"path": "../n.txt", "content": "x"}', 1, "../n.txt"),
        ("edit_file", '{"path": "a.txt", "edits": [{"old": "two", "new": "2"}]}', 0, "edited a.txt"),
        ("edit_file", '{"path": "a.txt", "edits": [{"old": "three", "new": "3"}]}', 1, "not found"),
        ("read_skill", '{"name": "greet"}', 0, "---\ndescription: Use when: greeting"),
        ("read_skill", '{"name": "x"}', 1, 'No skill named "x". Available skills: greet\n'),
    ],
)
def test_each_tool_succeeds_and_fails(project: Path, tool: str, arguments: str, code: int, text: str) -> None:
    ended = mmtools(project, "call", tool, arguments, "--allow", "all", "--skills-dir", str(project / "skills"))
    assert ended.returncode == code, ended.stderr
    assert text.rstrip("\n") in ended.stdout
    assert ended.stderr == ""


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "text"),
    [
        ("bash", '{"command": "echo hi", "timeout": 5}', 0, "hi\n"),
        ("bash", '{"command": "exit 3"}', 1, "[exit code: exit status 3]\n"),
        ("read", '{"path": "a.txt", "limit": 1}', 0, "one\n"),
        ("read", '{"path": "b.txt"}', 1, "b.txt does not exist. Create it with write\n"),
        ("write", '{"path": "n.txt", "content": "x\\n"}', 0, "created n.txt (1 line)\n"),
        ("write", '{"path": "a.txt", "content": "x\\n"}', 1, "a.txt was not read yet; nothing was written"),
        ("edit", '{"path": "a.txt", "edits": [{"old": "two", "new": "2"}]}', 1, "a.txt was not read yet"),
        ("glob", '{"pattern": "*.txt"}', 0, "a.txt\n"),
        ("glob", '{"pattern": "../*"}', 1, "outside the working directory"),
        ("grep", '{"pattern": "^t.o$"}', 0, "a.txt:2:two\n"),
        ("grep", '{"pattern": "two("}', 1, "is not a regular expression"),
        ("web_fetch", '{"url": "{address}/page"}', 0, "Hello from outside."),
        ("web_fetch", '{"url": "{address}/missing"}', 1, "404"),
    ],
)
def test_each_crab_tool_succeeds_and_fails(project: Path, tool: str, arguments: str, code: int, text: str) -> None:
    with Server({"/page": page("<p>Hello from outside.</p>")}) as server:
        sent = arguments.replace("{address}", server.url(""))
        words = ["--toolset", "crab", "--allow", "all", "--allow-address", "127.0.0.0/8"]
        ended = mmtools(project, "call", tool, sent, *words)
    assert ended.returncode == code, ended.stderr
    assert text.rstrip("\n") in ended.stdout
    assert ended.stderr == ""


def test_the_gate_can_be_opened_and_closed_from_a_shell(project: Path) -> None:
    change = '{"path": "a.txt", "edits": [{"old": "two", "new": "2"}]}'
    opened = mmtools(project, "call", "edit", change, "--toolset", "crab", "--allow", "all", "--read-before-edit", "no")
    assert opened.stdout.startswith("edited a.txt")
    closed = mmtools(project, "call", "edit_file", change, "--allow", "all", "--read-before-edit", "yes")
    assert (closed.returncode, "was not read yet" in closed.stdout) == (1, True)


def test_an_address_that_is_not_public_is_refused_without_the_word_for_it(project: Path) -> None:
    with Server() as server:
        arguments = json.dumps({"url": server.url()})
        ended = mmtools(project, "call", "web_fetch", arguments, "--toolset", "crab", "--allow", "all")
        assert server.connections == 0
    assert ended.returncode == 1
    assert "127.0.0.1" in ended.stdout


@pytest.mark.parametrize("words", [["--mcp", "x=true"], ["--allow-address", "10.0.0.0/8"]])
def test_an_option_that_means_nothing_to_a_dialect_is_wrong_usage(project: Path, words: list[str]) -> None:
    ended = mmtools(project, "tools", *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "the mm tools have no use for" in ended.stderr


def test_an_mcp_server_that_does_not_start_is_told_and_left_out(project: Path) -> None:
    ended = mmtools(project, "tools", "--toolset", "crab", "--mcp", "ghost=no-such-program")
    assert ended.returncode == 0
    assert ended.stderr.startswith("[warning: mcp server 'ghost' left out: ")
    assert mmtools(project, "tools", "--toolset", "crab", "--mcp", "nothing").returncode == 2


def test_what_calls_cost_is_recorded_and_told(project: Path) -> None:
    store = project / "calls.db"
    for command in ("true", "exit 1"):
        arguments = json.dumps({"command": command})
        mmtools(project, "call", "bash", arguments, "--allow", "all", "--record", str(store))
    told = subprocess.run(
        [sys.executable, "-m", "mmtools", "metrics", str(store), "--html", str(project / "page.html")],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert [line.split()[:3] for line in told.stdout.split("\n") if line.startswith("bash")] == [["bash", "2", "1"]]
    assert "<svg" in (project / "page.html").read_text(encoding="utf-8")


def test_metrics_of_what_is_no_store_are_wrong_usage(project: Path) -> None:
    for file in ("missing.db", "a.txt"):
        ended = subprocess.run(
            [sys.executable, "-m", "mmtools", "metrics", str(project / file)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (ended.returncode, ended.stdout) == (2, "")
        assert file in ended.stderr


def test_the_tools_are_served_over_mcp(project: Path) -> None:
    async def served() -> tuple[list[str], list[str]]:
        words = ["-m", "mmtools", "serve", "--toolset", "crab", "--root", str(project), "--allow", "reads"]
        async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=words))) as client:
            names = [tool.name for tool in (await client.list_tools()).tools]
            told = [
                await client.call_tool("read", {"path": "a.txt"}),
                await client.call_tool("bash", {"command": "ls"}),
            ]
            return names, [str(answer.content[0]) for answer in told]

    names, (read, refused) = asyncio.run(served())
    assert names == ["read", "write", "edit", "bash", "glob", "grep", "web_fetch"]
    assert "one\\ntwo" in read
    assert "read-only" in refused


def test_nobody_there_to_ask_is_a_refusal(project: Path) -> None:
    ended = mmtools(project, "call", "bash", '{"command": "touch made"}')
    assert ended.returncode == 1
    assert ended.stdout.startswith("[command rejected by the user]")
    assert not (project / "made").exists()


def test_reads_only_refuses_changes(project: Path) -> None:
    assert mmtools(project, "call", "read_file", '{"path": "a.txt"}', "--allow", "reads").returncode == 0
    assert (
        mmtools(project, "call", "write_file", '{"path": "a.txt", "content": ""}', "--allow", "reads").returncode == 1
    )
    assert (project / "a.txt").read_text() == "one\ntwo\n"


@pytest.mark.parametrize("form", ["json", "anthropic", "openai", "openai-responses", "gemini", "mcp"])
def test_the_tools_are_listed_for_every_api(project: Path, form: str) -> None:
    listed = json.loads(mmtools(project, "tools", "--format", form).stdout)
    text = json.dumps(listed)
    for name in ("bash", "read_file", "write_file", "edit_file"):
        assert f'"name": "{name}"' in text
    assert "read_skill" not in text


@pytest.mark.parametrize(
    "words",
    [
        ["call", "nope", "{}"],
        ["call"],
        ["tools", "--format", "xml"],
        ["replay", "missing.jsonl"],
        ["fly"],
    ],
)
def test_wrong_usage_is_two(project: Path, words: list[str]) -> None:
    ended = mmtools(project, *words)
    assert ended.returncode == 2
    assert ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_root_that_is_no_directory_is_wrong_usage(project: Path) -> None:
    ended = mmtools(project / "a.txt", "tools")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "--root must be a directory" in ended.stderr


def test_a_recording_is_replayed_with_its_recap(project: Path) -> None:
    calls = [
        {"tool": "read_file", "arguments": {"path": "a.txt"}},
        {"tool": "bash", "arguments": {"command": "echo hi"}},
        {"tool": "edit_file", "arguments": {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}},
    ]
    recording = project / "calls.jsonl"
    recording.write_text("".join(json.dumps(call) + "\n" for call in calls))
    ended = mmtools(project, "replay", str(recording), "--allow", "all")
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.endswith("⚙ 1 command(s)  📝 2 file op(s)\n")
    assert (project / "a.txt").read_text() == "1\ntwo\n"


def test_a_replay_that_loops_is_stopped(project: Path) -> None:
    recording = project / "calls.jsonl"
    recording.write_text('{"tool": "read_file", "arguments": {"path": "nope"}}\n' * 8)
    ended = mmtools(project, "replay", str(recording), "--allow", "all")
    assert ended.returncode == 3
    assert "[error: the model repeated the same read_file call 6 times in a row" in ended.stdout
    assert ended.stdout.endswith("📝 6 file op(s)\n")


def test_a_bad_recording_runs_nothing(project: Path) -> None:
    recording = project / "calls.jsonl"
    recording.write_text('{"tool": "bash", "arguments": {"command": "touch made"}}\nnot json\n')
    ended = mmtools(project, "replay", str(recording), "--allow", "all")
    assert ended.returncode == 2
    assert "line 2" in ended.stderr
    assert not (project / "made").exists()


def test_a_language_server_that_is_missing_is_told_and_one_that_is_unknown_is_wrong_usage(project: Path) -> None:
    ended = mmtools(project, "tools", "--lsp", "jedi-language-server")
    assert ended.returncode == 0
    line = "[warning: lsp server jedi-language-server (jedi-language-server) not found on the PATH — skipped]\n"
    assert ended.stderr == line
    ended = mmtools(project, "tools", "--lsp", "nope")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "'nope'" in ended.stderr
