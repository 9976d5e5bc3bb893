"""Commands in an editor's terminals, run by the tool that a model calls."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from acp.schema import ClientCapabilities, WaitForTerminalExitResponse

from mmtools import Outcome, Remember, Runner, Status
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.call import Cancellation
from mmtools.hosting.acp import AcpSession, EditorTerminals
from mmtools.ports.processes import End, ProcessesClosed
from mmtools.testing.conformance import processes as laws
from mmtools.testing.conformance.process_runs import Run
from mmtools.toolsets import mm
from tests.hosting.acp.editors import Editor, LoopThread, connected, lives
from tests.patience import AGES_S, TRIES_S, soon, when

pytestmark = [pytest.mark.needs("acpx"), pytest.mark.slow]

#: What an editor's terminal does otherwise: it shows output itself, names no survivors, and kills what it sees.
_NOT_AN_EDITORS = {
    "kills_everything_at_a_timeout",
    "kills_everything_when_cancelled",
    "shows_output_live_without_escapes",
    "returns_when_the_shell_has_exited",
    "kills_what_goes_on_when_closed",
}


@pytest.mark.parametrize("law", [law for law in laws.LAWS if law.__name__ not in _NOT_AN_EDITORS])
def test_they_keep_the_laws_of_all_processes(tmp_path: Path, law: Callable[..., None]) -> None:
    with LoopThread(Editor(), terminal=True) as session:
        law(lambda *_: EditorTerminals(Subprocesses(tmp_path, environment={}), session))


def test_output_comes_without_escapes_and_with_plain_line_ends(tmp_path: Path) -> None:
    editor = Editor()
    with LoopThread(editor, terminal=True) as session:
        run = Run(
            EditorTerminals(Subprocesses(tmp_path, environment={}), session), "printf '\\033[31mred\\033[0m\\r\\n'"
        )
    run.check("red\n")
    assert run.pieces == ["red\n"]
    assert editor.released == ["terminal-1"]


@pytest.mark.parametrize("how", ["timeout", "cancel", "close"])
def test_what_is_stopped_is_killed_with_all_it_started_and_released(tmp_path: Path, how: str) -> None:
    editor = Editor()
    with LoopThread(editor, terminal=True) as session:
        terminals = EditorTerminals(Subprocesses(tmp_path, environment={}), session)
        cancellation = Cancellation()
        stop = {"timeout": lambda: None, "cancel": cancellation.request, "close": terminals.close}[how]

        script = "echo before; (sleep 600 & echo $! > part; mv part inner; wait)"
        begun = (tmp_path / "inner").exists
        for timeout_s in TRIES_S if how == "timeout" else [AGES_S]:
            # Until the agent knows of its terminal, there is none to stop.
            with when(lambda: how == "timeout" or (begun() and editor.watched), stop):
                run = Run(terminals, script, timeout_s=timeout_s, cancellation=cancellation)
            if begun():
                break
        assert run.exit.end is (End.TIMED_OUT if how == "timeout" else End.CANCELLED)
        assert run.text == "before\n"
        # The editor kills it; that the kernel has done so is seen a moment later.
        soon(lambda: not lives(int((tmp_path / "inner").read_text())))
        assert editor.released == list(editor.terminals)
        if how == "close":
            with pytest.raises(ProcessesClosed):
                Run(terminals, "true")


def test_lost_output_is_said_to_be_lost(tmp_path: Path) -> None:
    with LoopThread(Editor(), terminal=True) as session:
        run = Run(EditorTerminals(Subprocesses(tmp_path, environment={}), session), "seq 1 700000")
    assert run.text.startswith("[the beginning is lost: the editor's terminal keeps 4,000,000 bytes]\n")
    assert run.text.endswith("700000\n")
    assert run.exit.output.elided_bytes > 3_000_000


def test_an_editor_that_gives_no_terminal_fails_the_call_in_its_words(tmp_path: Path) -> None:
    async def main() -> Outcome:
        async with connected(Editor(refuses={"terminal/create"})) as link:
            return await call(link.agent, tmp_path, "touch made")

    outcome = asyncio.run(main())
    assert outcome.status is Status.FAILED
    assert "the editor's terminal: Method not found" in outcome.text
    assert not (tmp_path / "made").exists()


async def call(connection: object, root: Path, command: str) -> Outcome:
    session = AcpSession(connection, "s1", policy=Remember, capabilities=ClientCapabilities(terminal=True))  # type: ignore[arg-type]
    processes = EditorTerminals(Subprocesses(root, environment={}), session)
    runner = Runner(mm.build(processes=processes), permission=session, display=session)
    outcome = await runner.acall("bash", {"command": command})
    await session.flush()
    return outcome


def test_the_terminal_is_embedded_in_its_call_before_it_is_released(tmp_path: Path) -> None:
    editor = Editor()

    async def main() -> list[str]:
        async with connected(editor) as link:
            outcome = await call(link.agent, tmp_path, "echo hi; exit 3")
            assert outcome.text == "hi\n[exit code: exit status 3]"
            return [
                message.get("method", "")
                for from_agent, message in link.messages
                if from_agent and (message.get("method") != "session/update" or "terminalId" in str(message))
            ]

    methods = asyncio.run(main())
    assert methods == [
        "session/request_permission",
        "terminal/create",
        "session/update",
        "terminal/wait_for_exit",
        "terminal/output",
        "terminal/release",
        "session/update",
    ]
    (told,) = editor.calls().values()
    assert [update.status for update in told] == ["pending", "pending", "in_progress", "in_progress", "failed"]
    for update in told[-2:]:
        assert [(each.type, each.terminal_id) for each in update.content] == [("terminal", "terminal-1")]
    assert told[-1].raw_output["text"] == "hi\n[exit code: exit status 3]"


def test_without_terminals_commands_run_as_before(tmp_path: Path) -> None:
    editor = Editor()
    with LoopThread(editor) as session, Subprocesses(tmp_path, environment={}) as processes:
        Run(EditorTerminals(processes, session), "echo hi").check("hi\n")
    assert not editor.terminals


def test_a_cancel_does_not_wait_for_an_editor_that_asks_first(tmp_path: Path) -> None:
    editor = Editor(terminals_wait=True)
    with LoopThread(editor, terminal=True) as session:
        cancellation = Cancellation()
        terminals = EditorTerminals(Subprocesses(tmp_path, environment={}), session)
        with when(lambda: editor.asked_for_terminals, cancellation.request):
            run = Run(terminals, "touch made; sleep 600", timeout_s=AGES_S, cancellation=cancellation)
        assert run.exit.end is End.CANCELLED
        session.host_loop.soon(editor.allow_terminals)
        soon(lambda: editor.released)
    assert [terminal.process.returncode for terminal in editor.terminals.values()] != [None]


@pytest.mark.parametrize(
    ("code", "name", "expected"),
    [
        (3, None, (3, None)),
        (None, "SIGTERM", (None, 15)),
        (None, "kill", (None, 9)),
        (None, "9", (None, 9)),
        (None, "SIGSOMETHING", (-1, None)),
        (None, None, (-1, None)),
    ],
)
def test_every_way_in_which_an_editor_says_how_it_ended(
    tmp_path: Path, code: int | None, name: str | None, expected: tuple[int | None, int | None]
) -> None:
    with LoopThread(Editor(exits=WaitForTerminalExitResponse(exit_code=code, signal=name)), terminal=True) as session:
        run = Run(EditorTerminals(Subprocesses(tmp_path, environment={}), session), "true")
    assert (run.exit.code, run.exit.signal) == expected
