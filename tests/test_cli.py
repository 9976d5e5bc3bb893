"""The command line: here, where one process does for all, and once for each way to end as a process of its own."""

from __future__ import annotations

import asyncio
import json
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from mmtools import __version__
from mmtools.cli import main
from mmtools.testing.terminals import Terminal
from tests.adapters.mcp.serving import SCRIPT as SCRIPTED_SERVER
from tests.adapters.web.servers import Server, page
from tests.patience import PATIENCE_S

Ended: TypeAlias = "subprocess.CompletedProcess[str]"


def as_a_process(*words: str) -> Ended:
    command = [sys.executable, "-m", "mmtools", *words]
    return subprocess.run(command, input="", capture_output=True, text=True, timeout=PATIENCE_S, check=False)


@pytest.fixture
def mmtools(capfd: pytest.CaptureFixture[str]) -> Callable[..., Ended]:
    """What the program does with these words about a root, done by this process."""

    def run(root: Path, *words: str) -> Ended:
        sent = [*words, "--root", str(root)]
        capfd.readouterr()
        try:
            code = main(sent)
        except SystemExit as end:
            code = int(str(end.code))
        return subprocess.CompletedProcess(sent, code, *capfd.readouterr())

    return run


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
def test_each_tool_succeeds_and_fails(
    mmtools: Callable[..., Ended], project: Path, tool: str, arguments: str, code: int, text: str
) -> None:
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
def test_each_crab_tool_succeeds_and_fails(
    mmtools: Callable[..., Ended], project: Path, tool: str, arguments: str, code: int, text: str
) -> None:
    with Server({"/page": page("<p>Hello from outside.</p>")}) as server:
        sent = arguments.replace("{address}", server.url(""))
        words = ["--toolset", "crab", "--allow", "all", "--allow-address", "127.0.0.0/8"]
        ended = mmtools(project, "call", tool, sent, *words)
    assert ended.returncode == code, ended.stderr
    assert text.rstrip("\n") in ended.stdout
    assert ended.stderr == ""


@pytest.mark.slow
def test_each_way_to_end_reaches_the_shell(project: Path) -> None:
    done, failed = (
        as_a_process("call", "read_file", json.dumps({"path": path}), "--root", str(project))
        for path in ("a.txt", "b.txt")
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "one\ntwo\n", "")
    assert (failed.returncode, failed.stderr) == (1, "")
    wrong = as_a_process("fly")
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert wrong.stderr.startswith("usage: ")


def test_the_gate_can_be_opened_and_closed_from_a_shell(mmtools: Callable[..., Ended], project: Path) -> None:
    change = '{"path": "a.txt", "edits": [{"old": "two", "new": "2"}]}'
    opened = mmtools(project, "call", "edit", change, "--toolset", "crab", "--allow", "all", "--read-before-edit", "no")
    assert opened.stdout.startswith("edited a.txt")
    closed = mmtools(project, "call", "edit_file", change, "--allow", "all", "--read-before-edit", "yes")
    assert (closed.returncode, "was not read yet" in closed.stdout) == (1, True)


def test_an_address_that_is_not_public_is_refused_without_the_word_for_it(
    mmtools: Callable[..., Ended], project: Path
) -> None:
    with Server() as server:
        arguments = json.dumps({"url": server.url()})
        ended = mmtools(project, "call", "web_fetch", arguments, "--toolset", "crab", "--allow", "all")
        assert server.connections == 0
    assert ended.returncode == 1
    assert "127.0.0.1" in ended.stdout


@pytest.mark.parametrize(
    ("dialect", "words"), [("crab", ["--skills-dir", "."]), ("mm", ["--allow-address", "10.0.0.0/8"])]
)
def test_an_option_that_means_nothing_to_a_dialect_is_wrong_usage(
    mmtools: Callable[..., Ended], project: Path, dialect: str, words: list[str]
) -> None:
    ended = mmtools(project, "tools", "--toolset", dialect, *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"the {dialect} tools have no use for" in ended.stderr


def test_an_mcp_server_that_does_not_start_is_told_and_left_out(mmtools: Callable[..., Ended], project: Path) -> None:
    ended = mmtools(project, "tools", "--toolset", "crab", "--mcp", "ghost=no-such-program")
    assert ended.returncode == 0
    assert ended.stderr.startswith("[warning: mcp server 'ghost' left out: ")
    assert mmtools(project, "tools", "--toolset", "crab", "--mcp", "nothing").returncode == 2


#: One run of each subcommand, with strings of somebody else in all that it shows.
EVERY_COMMAND = """
import sys
from mmtools.cli import main
from mmtools.testing.terminals import Terminal
HOSTILE, SERVER, ROOT = {words!r}
def run(*words):
    try:
        main([*words, "--root", ROOT] if words[0] != "metrics" else words)
    except SystemExit:
        pass
run("tools", "--toolset", "crab", "--mcp", SERVER, "--mcp", HOSTILE + "=no-such-program")
run("tools", "--format", "json", "--toolset", "crab", "--mcp", SERVER)
run("call", "--toolset", "crab", "read", '{{"path": "mcp.json"}}')
run("call", HOSTILE)
run("call", "--allow", "all", "bash", '{{"command": "cat mcp.json; cat mcp.json >&2; exit 1"}}')
run("replay", ROOT + "/calls.jsonl", "--allow", "all", "--record", ROOT + "/calls.db")
run("replay", ROOT + "/" + HOSTILE)
run("metrics", ROOT + "/calls.db")
run("metrics", ROOT + "/calls.db", "--session", HOSTILE)
run("metrics", ROOT + "/" + HOSTILE)
run("serve", HOSTILE)
run("serve", "--mcp", HOSTILE)
run("serve", "--lsp", HOSTILE)
print("done")
"""

CONTROLS = "".join(map(chr, (*range(9), 11, 12, *range(14, 32), 127, *range(128, 160))))


@pytest.mark.slow
def test_nothing_of_somebody_else_steers_a_terminal_and_a_pipe_gets_every_byte(project: Path) -> None:
    hostile = "fine \x1b]0;T\x07\x1b[2J\u202egnp\x9b2J\x08"
    options = json.dumps({"tools": [{"name": "t", "description": hostile, "inputSchema": {"type": "object"}}]})
    (project / "mcp.json").write_text(hostile)
    calls = [
        {"tool": hostile, "arguments": {}},
        {"tool": "read_file", "arguments": {"path": hostile}},
        {"tool": "bash", "arguments": {"command": f"printf '%s' '{hostile}'"}},
    ]
    (project / "calls.jsonl").write_text("".join(json.dumps(call) + "\n" for call in calls))
    server = "s=" + shlex.join([sys.executable, str(SCRIPTED_SERVER), options])
    program = EVERY_COMMAND.format(words=(hostile, server, str(project)))
    piped = subprocess.run(
        [sys.executable, "-c", program], input="", capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    (project / "calls.db").unlink()
    with Terminal(program, columns=200, environment={"TERM": "dumb"}) as terminal:
        code, seen = terminal.end()
    assert code == 0, seen
    assert seen.endswith("done\r\n")
    assert not {char for char in seen if char in CONTROLS or char == "\u202e"}
    assert "\r" not in seen.replace("\r\n", "\n")
    assert seen.count("fine ") >= 10
    assert piped.stdout.count(hostile) >= 2
    assert hostile in piped.stderr


@pytest.mark.slow
def test_what_calls_cost_is_recorded_and_told(mmtools: Callable[..., Ended], project: Path) -> None:
    store = project / "calls.db"
    for command in ("true", "exit 1"):
        arguments = json.dumps({"command": command})
        mmtools(project, "call", "bash", arguments, "--allow", "all", "--record", str(store))
    told = as_a_process("metrics", str(store), "--html", str(project / "page.html"))
    assert told.returncode == 0, told.stderr
    assert [line.split()[:3] for line in told.stdout.split("\n") if line.startswith("bash")] == [["bash", "2", "1"]]
    assert "<svg" in (project / "page.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_metrics_of_what_is_no_store_are_wrong_usage(project: Path) -> None:
    for file in ("missing.db", "a.txt"):
        ended = as_a_process("metrics", str(project / file))
        assert (ended.returncode, ended.stdout) == (2, "")
        assert file in ended.stderr


@pytest.mark.slow
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
    ended = as_a_process("call", "bash", '{"command": "touch made"}', "--root", str(project))
    assert ended.returncode == 1
    assert ended.stdout.startswith("[command rejected by the user]")
    assert not (project / "made").exists()


def test_reads_only_refuses_changes(mmtools: Callable[..., Ended], project: Path) -> None:
    assert mmtools(project, "call", "read_file", '{"path": "a.txt"}', "--allow", "reads").returncode == 0
    assert (
        mmtools(project, "call", "write_file", '{"path": "a.txt", "content": ""}', "--allow", "reads").returncode == 1
    )
    assert (project / "a.txt").read_text() == "one\ntwo\n"


@pytest.mark.parametrize("form", ["json", "anthropic", "openai", "openai-responses", "gemini", "mcp"])
def test_the_tools_are_listed_for_every_api(mmtools: Callable[..., Ended], project: Path, form: str) -> None:
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
def test_wrong_usage_is_two(mmtools: Callable[..., Ended], project: Path, words: list[str]) -> None:
    ended = mmtools(project, *words)
    assert ended.returncode == 2
    assert ended.stderr
    assert "Traceback" not in ended.stderr


def test_the_version_is_told_without_a_command(mmtools: Callable[..., Ended], project: Path) -> None:
    ended = mmtools(project, "--version")
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"mmtools {__version__}\n", "")


def test_a_root_that_is_no_directory_is_wrong_usage(project: Path) -> None:
    ended = as_a_process("tools", "--root", str(project / "a.txt"))
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "--root must be a directory" in ended.stderr


def test_a_recording_is_replayed_with_its_recap(mmtools: Callable[..., Ended], project: Path) -> None:
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
    ended = as_a_process("replay", str(recording), "--allow", "all", "--root", str(project))
    assert ended.returncode == 3
    assert "[error: the model repeated the same read_file call 6 times in a row" in ended.stdout
    assert ended.stdout.endswith("📝 6 file op(s)\n")


def test_a_bad_recording_runs_nothing(mmtools: Callable[..., Ended], project: Path) -> None:
    recording = project / "calls.jsonl"
    recording.write_text('{"tool": "bash", "arguments": {"command": "touch made"}}\nnot json\n')
    ended = mmtools(project, "replay", str(recording), "--allow", "all")
    assert ended.returncode == 2
    assert "line 2" in ended.stderr
    assert not (project / "made").exists()


def test_a_language_server_that_is_missing_is_told_and_one_that_is_unknown_is_wrong_usage(
    mmtools: Callable[..., Ended], project: Path
) -> None:
    ended = mmtools(project, "tools", "--lsp", "jedi-language-server")
    assert ended.returncode == 0
    line = "[warning: lsp server jedi-language-server (jedi-language-server) not found on the PATH — skipped]\n"
    assert ended.stderr == line
    ended = mmtools(project, "tools", "--lsp", "nope")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "'nope'" in ended.stderr
