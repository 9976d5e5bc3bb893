"""A runner behind a connection of the SDK's: what the editor is told, what it is asked, and in which order."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TextIO

import acp
import pytest
from acp import schema

from mmtools import AllowAll, Defer, Permission, Remember, Runner, Status, local
from mmtools.call import Headline, Media, Outcome, Report, ToolKind
from mmtools.errors import DefinitionError
from mmtools.hosting.acp import AcpSession
from mmtools.ports.display import FinishedCall, StartedCall
from mmtools.ports.permission import Choice, Decision
from mmtools.testing.conformance import displays
from mmtools.tool import Call, ToolSpec
from tests.hosting.acp.editors import Editor, Link, connected, lives
from tests.patience import soon

pytestmark = [pytest.mark.needs("acpx"), pytest.mark.slow]

HOUSE = Path(__file__).parents[3]

Work = Callable[[Runner, AcpSession], Coroutine[Any, Any, None]]


def play(
    root: Path,
    work: Work,
    *,
    editor: Editor | None = None,
    policy: Callable[[Permission], Permission] = Remember,
    turns: int = 1,
) -> tuple[Editor, list[str]]:
    """Do the work of some turns behind an editor; returns it with the reasons for which they ended."""
    shown = editor or Editor()

    async def main() -> list[str]:
        async with connected(shown) as link:
            session = AcpSession(link.agent, "s1", policy=policy)
            async with local.mm(root, permission=session, display=session) as runner:
                return [await session.turn(work(runner, session)) for _ in range(turns)]

    return shown, asyncio.run(main())


def statuses(updates: list[Any]) -> list[str | None]:
    return [update.status for update in updates]


def texts(update: Any) -> list[str]:
    return [each.content.text for each in update.content if each.type == "content" and each.content.type == "text"]


def check_order(editor: Editor) -> None:
    """Require of each call: created first and once, ended last and once, nothing afterwards."""
    for told in editor.calls().values():
        assert [isinstance(update, schema.ToolCallStart) for update in told] == [True] + [False] * (len(told) - 1)
        assert [update.status in ("completed", "failed") for update in told] == [False] * (len(told) - 1) + [True]


def test_a_changing_call_is_announced_asked_about_begun_and_ended(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        await runner.acall("write_file", {"path": "a.txt", "content": "one\n"}, call_id="c1")

    editor, reasons = play(tmp_path, work)
    assert reasons == ["end_turn"]
    ((tool_call_id, told),) = editor.calls().items()
    assert tool_call_id.endswith("-c1")
    assert statuses(told) == ["pending", "pending", "in_progress", "completed"]
    created, asked, begun, ended = told
    path = str(tmp_path / "a.txt")
    assert (created.kind, created.title) == ("edit", "write_file a.txt")
    assert created.raw_input == {"path": "a.txt", "content": "one\n"}
    assert [place.path for place in created.locations] == [path]
    (diff,) = asked.content
    assert (diff.type, diff.path, diff.old_text, diff.new_text) == ("diff", path, None, "one\n")
    assert begun.title == created.title
    assert [(each.path, each.old_text, each.new_text) for each in ended.content] == [(path, None, "one\n")]
    assert [(place.path, place.line) for place in ended.locations] == [(path, 1)]
    assert ended.raw_output["status"] == "ok"
    assert ended.raw_output["text"].startswith("created a.txt")
    assert (tmp_path / "a.txt").read_text() == "one\n"


def test_the_four_answers_of_the_protocol_are_offered_with_what_always_means(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        await runner.acall("bash", {"command": "true"})

    editor, _ = play(tmp_path, work)
    kinds = ["allow_once", "allow_always", "reject_once", "reject_always"]
    assert [option.kind for option in editor.offered] == kinds
    assert [option.option_id for option in editor.offered] == kinds
    assert "this very command" in editor.offered[1].name


@pytest.mark.parametrize(
    ("answer", "status"),
    [("reject_once", Status.REJECTED), ("reject_always", Status.REJECTED), (None, Status.CANCELLED)],
)
def test_a_no_fails_the_call_with_the_text_of_the_reference(tmp_path: Path, answer: str, status: Status) -> None:
    outcomes: list[Outcome] = []

    async def work(runner: Runner, _: AcpSession) -> None:
        outcomes.append(await runner.acall("bash", {"command": "touch made"}))

    editor, _ = play(tmp_path, work, editor=Editor(answer=lambda call: answer))
    (told,) = editor.calls().values()
    assert statuses(told) == ["pending", "pending", "failed"]
    assert texts(told[-1]) == ["[command rejected by the user]"]
    assert [(each.text, each.status) for each in outcomes] == [("[command rejected by the user]", status)]
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize("answer", ["", "approve", "ALLOW_ONCE", "cancelled", "defer"])
def test_an_answer_that_was_not_offered_is_a_no(tmp_path: Path, answer: str) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        outcome = await runner.acall("bash", {"command": "touch made"})
        assert outcome.status is Status.REJECTED

    play(tmp_path, work, editor=Editor(answer=lambda call: answer))
    assert not (tmp_path / "made").exists()


def test_an_editor_that_cannot_ask_refuses(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        outcome = await runner.acall("bash", {"command": "touch made"})
        assert outcome.text == "[command rejected by the user]\n(the permission failed: RequestError)"

    play(tmp_path, work, editor=Editor(refuses={"session/request_permission"}))


@pytest.mark.parametrize(("answer", "asked"), [("allow_once", 2), ("allow_always", 1), ("reject_always", 1)])
def test_an_always_holds_for_the_session_when_the_policy_remembers(tmp_path: Path, answer: str, asked: int) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        await runner.acall("bash", {"command": "echo x"})

    editor, _ = play(tmp_path, work, editor=Editor(answer=lambda call: answer), turns=2)
    assert len(editor.asked) == asked
    check_order(editor)


def test_a_policy_around_the_person_decides_first(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        await runner.acall("write_file", {"path": "a.txt", "content": "x"})
        waiting = asyncio.ensure_future(runner.acall("bash", {"command": "until [ -e go ]; do sleep 0.02; done"}))
        while [update.status for told in editor.calls().values() for update in told][-1:] != ["in_progress"]:
            await asyncio.sleep(0.01)
        (tmp_path / "go").touch()
        await waiting

    editor = Editor()
    play(tmp_path, work, editor=editor, policy=lambda ask: AllowAll())
    quick, slow = editor.calls().values()
    assert not editor.asked
    assert statuses(quick) == ["pending", "completed"]
    assert statuses(slow) == ["pending", "in_progress", "completed"]


def test_reads_never_ask_and_point_at_the_absolute_path(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("# not a heading\n```\n")

    async def work(runner: Runner, _: AcpSession) -> None:
        await runner.acall("read_file", {"path": "a.txt"})

    editor, _ = play(tmp_path, work)
    (told,) = editor.calls().values()
    assert not editor.asked
    assert statuses(told) == ["in_progress", "completed"]
    assert (told[0].kind, told[0].title) == ("read", "read_file a.txt")
    assert [place.path for place in told[0].locations] == [str(tmp_path / "a.txt")]
    assert texts(told[-1]) == ["````\n# not a heading\n```\n````"]
    assert told[-1].raw_output["text"] == "# not a heading\n```\n"


def test_a_failed_edit_tells_how_and_the_next_one_succeeds(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def greet():\n    return 'hello'\n")

    async def work(runner: Runner, _: AcpSession) -> None:
        old = "    return 'helo'"
        for _number in range(2):
            edits = [{"old": old, "new": "    return 'bye'"}]
            outcome = await runner.acall("edit_file", {"path": "a.py", "edits": edits})
            old = outcome.text.split("```\n")[-1].removesuffix("\n```") if outcome.status is Status.FAILED else ""

    editor, _ = play(tmp_path, work)
    first, second = editor.calls().values()
    assert statuses(first) == ["pending", "failed"]
    assert statuses(second) == ["pending", "pending", "in_progress", "completed"]
    (diff,) = second[-1].content
    assert (diff.old_text, diff.new_text) == (
        "def greet():\n    return 'hello'\n",
        "def greet():\n    return 'bye'\n",
    )


def test_wrong_arguments_and_unknown_tools_fail_with_our_words(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        await runner.acall("write_file", {"path": 5, "content": ["x"]})
        await runner.acall("no_such_tool", "{")
        await runner.acall("bash", {"command": "x\udc00"}, call_id="half \udc00")

    editor, _ = play(tmp_path, work)
    wrong, unknown, half = editor.calls().values()
    assert "path" in texts(wrong[-1])[0]
    assert wrong[0].raw_input is None
    assert "there is no tool 'no_such_tool'" in texts(unknown[-1])[0]
    assert half[0].raw_input == {"command": "x?"}
    check_order(editor)


def test_live_output_comes_before_the_end_and_never_after(tmp_path: Path) -> None:
    async def work(runner: Runner, session: AcpSession) -> None:
        script = "echo one; while [ ! -e go ]; do sleep 0.02; done; printf '\\033[31mtwo\\033[0m\\n'"
        call = asyncio.create_task(runner.acall("bash", {"command": script}))
        while not any("one" in text for told in editor.calls().values() for text in _live(told)):
            await asyncio.sleep(0.01)
        (tmp_path / "go").touch()
        await call
        session.say("done")

    editor = Editor()
    play(tmp_path, work, editor=editor)
    check_order(editor)
    (told,) = editor.calls().values()
    assert texts(told[-1]) == ["```\none\ntwo\n```"]
    assert editor.said() == "done"


def _live(told: list[Any]) -> list[str]:
    return [text for update in told if update.status == "in_progress" and update.content for text in texts(update)]


def test_floods_of_live_output_are_shown_by_their_end(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        script = "seq 1 300000; until [ -e go ]; do sleep 0.02; done"
        call = asyncio.create_task(runner.acall("bash", {"command": script}))
        while not any("300000" in text for told in editor.calls().values() for text in _live(told)):
            await asyncio.sleep(0.01)
        (tmp_path / "go").touch()
        await call

    editor = Editor()
    play(tmp_path, work, editor=editor)
    check_order(editor)
    (told,) = editor.calls().values()
    live = _live(told)
    assert live
    assert len(live) < 1_000
    assert all(len(text) < 5_000 for text in live)
    assert "characters before this …]" in live[-1]
    assert live[-1].endswith("300000\n```")


def test_calls_side_by_side_keep_their_order_each(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / f"{number}.txt").write_text(f"{number}\n" * 50)

    async def work(runner: Runner, _: AcpSession) -> None:
        reads = [("read_file", {"path": f"{number}.txt"}) for number in range(6)]
        runs = [("bash", {"command": f"for i in $(seq 200); do echo {number} $i; done"}) for number in range(4)]
        await runner.acall_many([*reads, *runs])

    editor, _ = play(tmp_path, work)
    check_order(editor)
    assert len(editor.calls()) == 10
    for told in editor.calls().values():
        begun = told[0].raw_input
        expected = begun.get("path", "")[:1] or begun["command"].split("echo ")[1][0]
        assert texts(told[-1])[0].startswith(f"```\n{expected}")


def test_a_cancelled_turn_kills_the_whole_tree_and_says_cancelled(tmp_path: Path) -> None:
    async def work(runner: Runner, session: AcpSession) -> None:
        call = runner.acall("bash", {"command": "(sleep 61 & echo $! > inner; wait) & echo $! > outer; sleep 60"})
        asyncio.get_running_loop().call_later(0.01, lambda: asyncio.ensure_future(stop(session)))
        await call

    async def stop(session: AcpSession) -> None:
        while not all((tmp_path / name).exists() and (tmp_path / name).read_text() for name in ("inner", "outer")):
            await asyncio.sleep(0.01)
        session.cancel()

    editor, reasons = play(tmp_path, work)
    assert reasons == ["cancelled"]
    soon(lambda: not any(lives(int((tmp_path / name).read_text())) for name in ("inner", "outer")))
    check_order(editor)
    (told,) = editor.calls().values()
    assert told[-1].raw_output["status"] == "cancelled"


def test_a_cancel_withdraws_an_open_question(tmp_path: Path) -> None:
    async def work(runner: Runner, session: AcpSession) -> None:
        call = asyncio.ensure_future(runner.acall("bash", {"command": "touch made"}))
        while not editor.asked:
            await asyncio.sleep(0.01)
        session.cancel()
        await call

    editor = Editor(answer=lambda call: "never")
    _, reasons = play(tmp_path, work, editor=editor)
    assert reasons == ["cancelled"]
    assert not (tmp_path / "made").exists()


def test_what_the_work_makes_of_a_cancel_is_still_cancelled(tmp_path: Path) -> None:
    async def work(runner: Runner, session: AcpSession) -> None:
        session.cancel()
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            raise ValueError("the model's client was closed") from None

    assert play(tmp_path, work)[1] == ["cancelled"]


def test_a_loop_ends_the_turn_with_its_text(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        for _number in range(10):
            await runner.acall("read_file", {"path": "missing"})

    editor, reasons = play(tmp_path, work)
    assert reasons == ["max_turn_requests"]
    assert "turn stopped by the loop detector" in editor.said()
    assert len(editor.calls()) == 6
    check_order(editor)


def test_a_bug_of_the_work_is_the_hosts_to_see(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        raise KeyError("bug")

    with pytest.raises(KeyError, match="bug"):
        play(tmp_path, work)


def test_one_turn_at_a_time(tmp_path: Path) -> None:
    async def nothing() -> None:
        pass

    async def work(runner: Runner, session: AcpSession) -> None:
        with pytest.raises(acp.RequestError, match="Invalid request"):
            await session.turn(nothing())

    assert play(tmp_path, work, turns=2)[1] == ["end_turn", "end_turn"]


def test_pictures_and_sounds_travel_and_other_media_are_named(tmp_path: Path) -> None:
    class Gallery:
        spec = ToolSpec(name="look", description="", kind=ToolKind.READ, family="file", arguments={"type": "object"})

        def headline(self, arguments: object) -> Headline:
            return Headline(text="")

        def execute(self, arguments: object, call: Call) -> str:
            media = [Media("image/png", b"\x89PNG"), Media("audio/wav", b"RIFF"), Media("application/pdf", b"%PDF-")]
            call.report(Report(media=tuple(media)))
            return "three"

    async def main() -> Editor:
        editor = Editor()
        async with connected(editor) as link:
            session = AcpSession(link.agent, "s1", policy=Remember)
            await Runner([Gallery()], permission=session, display=session).acall("look", {})
            await session.flush()
        return editor

    (told,) = asyncio.run(main()).calls().values()
    text, picture, sound = told[-1].content
    assert text.content.text == "```\nthree\n[application/pdf, 5 bytes: cannot be shown here]\n```"
    assert (picture.content.type, picture.content.data, picture.content.mime_type) == ("image", "iVBORw==", "image/png")
    assert (sound.content.type, sound.content.mime_type) == ("audio", "audio/wav")


async def defer_and_die(runner: Runner, session: AcpSession) -> None:
    edits = [{"old": "one", "new": "two"}]
    outcome = await runner.acall("edit_file", {"path": "a.txt", "edits": edits}, call_id="c1")
    await session.flush()
    assert outcome.pending is not None
    print(outcome.pending, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)


DYING = """
import pathlib, sys
from mmtools import Defer
from tests.hosting.acp.test_session import defer_and_die, play
play(pathlib.Path(sys.argv[1]), defer_and_die, policy=lambda person: Defer())
"""


@pytest.mark.parametrize("changed", [False, True])
def test_what_was_deferred_before_a_kill_is_done_if_it_is_still_the_same(tmp_path: Path, changed: bool) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    died = subprocess.run(
        [sys.executable, "-c", DYING, tmp_path], cwd=HOUSE, capture_output=True, text=True, timeout=120, check=False
    )
    assert died.returncode == -signal.SIGKILL, died.stderr
    if changed:
        (tmp_path / "a.txt").write_text("one and more\n")

    async def go_on(runner: Runner, _: AcpSession) -> None:
        outcome = await runner.aresume(died.stdout.strip(), Decision(Choice.ALLOW_ONCE))
        assert outcome.status is (Status.REJECTED if changed else Status.OK)

    editor, _ = play(tmp_path, go_on)
    check_order(editor)
    (told,) = editor.calls().values()
    assert (tmp_path / "a.txt").read_text() == ("one and more\n" if changed else "two\n")
    if changed:
        assert f"it is no longer what was approved, for {tmp_path / 'a.txt'}" in texts(told[-1])[0]


def test_a_call_that_waits_stays_pending_in_the_editor(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        assert (await runner.acall("bash", {"command": "touch made"})).status is Status.PENDING

    editor, _ = play(tmp_path, work, policy=lambda person: Defer())
    (told,) = editor.calls().values()
    assert statuses(told) == ["pending", "pending"]
    assert "waits for a decision" in texts(told[-1])[0]


def test_a_host_that_runs_the_runner_in_a_thread_is_answered_too(tmp_path: Path) -> None:
    async def work(runner: Runner, _: AcpSession) -> None:
        await asyncio.to_thread(runner.call, "write_file", {"path": "a.txt", "content": "x"})

    editor, _ = play(tmp_path, work)
    assert len(editor.asked) == 1
    check_order(editor)


def test_asking_the_editor_from_its_own_loop_is_refused_instead_of_hanging() -> None:
    async def main() -> None:
        async with connected(Editor()) as link:
            session = AcpSession(link.agent, "s1", policy=Remember)
            with pytest.raises(DefinitionError, match="acall"):
                session.wait_for(session.flush())

    asyncio.run(main())


def test_an_editor_that_goes_away_refuses_what_it_was_asked(tmp_path: Path) -> None:
    async def main() -> Outcome:
        editor = Editor(answer=lambda call: "never")
        async with connected(editor) as link:
            session = AcpSession(link.agent, "s1", policy=Remember)
            runner = local.mm(tmp_path, permission=session, display=session)
            call = asyncio.ensure_future(runner.acall("bash", {"command": "touch made"}))
            while not editor.asked:
                await asyncio.sleep(0.01)
            await link.agent.close()
            outcome = await call
            session.say("to nobody")
            await session.flush()
            return outcome

    assert asyncio.run(main()).status is Status.REJECTED
    assert not (tmp_path / "made").exists()


def test_the_display_keeps_the_laws_of_all_displays() -> None:
    async def main() -> None:
        def check() -> None:
            displays.check_display(make)

        def make(stream: TextIO) -> _Written:
            return _Written(link, stream, asyncio_loop)

        async with connected(Editor()) as link:
            asyncio_loop = asyncio.get_running_loop()
            await asyncio.to_thread(check)

    asyncio.run(main())


class _Written:
    """A display that writes what an editor would show, but for what it is given raw."""

    def __init__(self, link: Link, stream: TextIO, loop: asyncio.AbstractEventLoop) -> None:
        self._stream = stream
        self._loop = loop
        self._session = self._on_loop(self._make(link))

    def started(self, call: StartedCall) -> None:
        self._session.started(call)

    def output(self, call_id: str, text: str) -> None:
        self._session.output(call_id, text)

    def finished(self, call: FinishedCall) -> None:
        self._session.finished(call)
        self._on_loop(self._session.flush())

    async def _make(self, link: Link) -> AcpSession:
        return AcpSession(_Typewriter(self._stream), "s1", policy=Remember)  # type: ignore[arg-type]

    def _on_loop(self, question: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(question, self._loop).result()


class _Typewriter:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    async def session_update(self, session_id: str, update: Any) -> None:
        if isinstance(update, schema.ToolCallStart):
            self._stream.write(f"{update.title}\n")
        for text in texts(update) if update.content else []:
            # Live output may end within a line: the next update replaces all of it.
            shown = text.rpartition("\n```")[0].rpartition("\n")[0] if update.status == "in_progress" else text
            self._stream.write(f"{shown}\n")
