"""What a model's client sees, over every transport and in both eras of the protocol, through the official client."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from mcp import Client
from mcp_types import AudioContent, BlobResourceContents, CallToolResult, ElicitResult, EmbeddedResource, ImageContent

from mmtools import AllowAll, Choice, Decision, RefuseAll, Runner, ToolKind, ToolSpec, local, providers
from mmtools.call import Headline, Media, Report
from mmtools.hosting.mcp_server import ToolServer
from mmtools.policies.defer import Defer
from mmtools.tool import Call
from tests.dialects import DIALECTS, everything, lay_out
from tests.hosting.mcp_server.serving import (
    ERAS,
    Person,
    Place,
    alive,
    mm,
    run,
    said,
)
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

ERA = pytest.mark.parametrize("era", ERAS)

BOTH = "def one():\n    return 1\n\n\ndef two():\n    return 1\n"


def test_a_turn_from_a_first_look_to_a_finished_change(place: Place) -> None:
    root = place.root
    (root / "code.py").write_text(BOTH)
    twice = {"path": "code.py", "edits": [{"old": "return 1", "new": "return 2"}]}
    once = {"path": "code.py", "edits": [{"old": "def two():\n    return 1", "new": "def two():\n    return 2"}]}
    person = Person(["allow once", "allow once", {"decision": "reject", "feedback": "not today"}])
    results: list[Any] = []

    async def work(client: Client) -> None:
        results.append(await client.call_tool("read_file", {"path": "code.py"}))
        results.append(await client.call_tool("edit_file", twice))
        results.append(await client.call_tool("edit_file", once))
        results.append(await client.call_tool("bash", {"command": "grep -c 'return 2' code.py"}))
        results.append(await client.call_tool("bash", {"command": "rm code.py"}))

    run(place.target, place.era, work, person)
    read, failed, edited, ran, refused = map(said, results)
    assert read == BOTH
    assert "(lines 2, 6)" in failed
    assert edited.startswith("edited code.py")
    assert ran == "1\n"
    assert refused == "[command rejected by the user]\nnot today"
    assert [each.is_error for each in results] == [False, True, False, False, True]
    assert (root / "code.py").read_text() == BOTH[:-2] + "2\n"
    edit, grep, remove = person.asked
    assert "│ +6     return 2" in edit
    assert "│ grep -c 'return 2' code.py" in grep.split("\n")
    assert f"in {root}" in remove.split("\n")


def test_a_cancelled_call_takes_its_children_with_it(place: Place) -> None:
    root = place.root

    async def work(client: Client) -> None:
        command = (
            "sleep 600 & echo $! > child; python3 -c 'import time; time.sleep(600)' & echo $! > other; echo > up; wait"
        )
        async with anyio.create_task_group() as group:
            group.start_soon(client.call_tool, "bash", {"command": command})
            while not (root / "up").exists():
                await asyncio.sleep(0.02)
            group.cancel_scope.cancel()
        begun = time.monotonic()
        pids = [int((root / name).read_text()) for name in ("child", "other")]
        while any(map(alive, pids)):
            await asyncio.sleep(0.02)
            assert time.monotonic() - begun < PATIENCE_S
        assert said(await client.call_tool("read_file", {"path": "a.txt"})) == "one\ntwo\n"

    run(place.target, place.era, work, Person(["allow once"]))


def test_what_a_command_says_comes_while_it_runs(place: Place) -> None:
    root = place.root
    heard: list[tuple[float, str]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        assert total is None
        assert message is not None
        heard.append((progress, message))
        if "ready" in message:
            (root / "go").touch()

    async def work(client: Client) -> None:
        command = r"printf '\033[1mready\033[0m\n'; while [ ! -e go ]; do sleep 0.02; done; echo gone"
        result = await client.call_tool("bash", {"command": command}, progress_callback=hear)
        assert said(result).endswith("gone\n")

    run(place.target, place.era, work, Person(["allow once"]))
    assert "".join(text for _, text in heard) == "ready\ngone\n"
    assert [progress for progress, _ in heard] == sorted({progress for progress, _ in heard})


def test_an_answer_for_the_session_is_not_asked_for_again(place: Place) -> None:
    root = place.root
    person = Person(["allow for this session", "reject"])

    async def work(client: Client) -> None:
        for content in ("1", "2"):
            assert not (await client.call_tool("write_file", {"path": "b.txt", "content": content})).is_error
        assert (await client.call_tool("bash", {"command": "true"})).is_error

    run(place.target, place.era, work, person)
    assert (root / "b.txt").read_text() == "2"
    assert [message.split()[0] for message in person.asked] == ["write_file", "bash"]


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize(
    "answer", ["decline", "cancel", "reject", "of course", {}, {"feedback": "hm"}, {"decision": "yes"}]
)
def test_no_clear_yes_is_a_no(root: Path, era: str, answer: Any) -> None:
    async def work(client: Client) -> None:
        result = await client.call_tool("bash", {"command": "touch made"})
        assert result.is_error
        assert said(result).startswith("[command rejected by the user]")

    run(mm(root), era, work, Person([answer]))
    assert not (root / "made").exists()


def test_a_client_that_cannot_ask_is_refused_with_the_reason(place: Place) -> None:
    root = place.root

    async def work(client: Client) -> None:
        result = await client.call_tool("bash", {"command": "touch made"})
        assert result.is_error
        assert "cannot show a question" in said(result)
        assert not (await client.call_tool("read_file", {"path": "a.txt"})).is_error

    run(place.target, place.era, work)
    assert not (root / "made").exists()


@ERA
def test_a_call_that_repeats_itself_ends_the_turn(root: Path, era: str) -> None:
    async def work(client: Client) -> None:
        texts = [await client.call_tool("read_file", {"path": "no.txt"}) for _ in range(7)]
        assert all(each.is_error for each in texts)
        assert ["turn must end" in said(each) for each in texts] == [False] * 5 + [True] * 2
        assert not (await client.call_tool("read_file", {"path": "a.txt"})).is_error

    run(mm(root), era, work)


def test_arguments_are_checked_by_us(place: Place) -> None:
    root = place.root

    async def work(client: Client) -> None:
        wrong = await client.call_tool("read_file", {"path": 5})
        assert wrong.is_error
        assert "path" in said(wrong)
        assert said(wrong) == local.mm(root, permission=RefuseAll()).execute("read_file", {"path": 5})
        assert said(await client.call_tool("read_file", {"path": "a.txt", "start": "2"})) == "two\n[line 2 of 2]"
        assert said(await client.call_tool("read_file", {"file_path": "a.txt", "end": 1.0})) == local.mm(
            root, permission=RefuseAll()
        ).execute("read_file", {"path": "a.txt", "end": 1})
        none = await client.call_tool("read_file")
        assert none.is_error
        assert "path" in said(none)
        unknown = await client.call_tool("rm", {})
        assert unknown.is_error
        assert "Available tools: bash, read_file" in said(unknown)

    run(place.target, place.era, work)


def test_calls_run_side_by_side(place: Place) -> None:
    async def work(client: Client) -> None:
        waits = "touch {0}; while [ ! -e {1} ]; do sleep 0.02; done; echo {0}"
        first, second = await asyncio.gather(
            client.call_tool("bash", {"command": waits.format("x", "y")}),
            client.call_tool("bash", {"command": waits.format("y", "x")}),
        )
        assert (said(first), said(second)) == ("x\n", "y\n")

    run(place.target, place.era, work, Person(["allow once", "allow once"]))


def test_reads_go_on_while_a_change_of_another_file_is_asked_about(place: Place) -> None:
    (place.root / "a.txt").write_text("one\n")
    (place.root / "b.txt").write_text("two\n")
    asked, read = asyncio.Event(), asyncio.Event()

    class Waiting(Person):
        async def __call__(self, context: object, params: object) -> ElicitResult:
            asked.set()
            await read.wait()
            return await super().__call__(context, params)

    async def work(client: Client) -> None:
        async def other() -> str:
            await asked.wait()
            text = said(await client.call_tool("read_file", {"path": "b.txt"}))
            read.set()
            return text

        edit = {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}
        edited, text = await asyncio.gather(client.call_tool("edit_file", edit), other())
        assert said(edited).startswith("edited a.txt")
        assert text == "two\n"

    run(place.target, place.era, work, Waiting(["allow once"]))


def test_changes_of_one_file_wait_for_one_another(place: Place) -> None:
    (place.root / "a.txt").write_text("end\n")

    async def work(client: Client) -> None:
        edits = [{"path": "a.txt", "edits": [{"old": "end\n", "new": f"{n}\nend\n"}]} for n in range(5)]
        results = await asyncio.gather(*(client.call_tool("edit_file", each) for each in edits))
        assert not any(each.is_error for each in results)

    allowing = ToolServer(lambda asking, display: local.mm(place.root, permission=AllowAll(), display=display))
    run(allowing, place.era, work)
    assert sorted((place.root / "a.txt").read_text().split()) == ["0", "1", "2", "3", "4", "end"]


@pytest.mark.parametrize("dialect", DIALECTS)
@ERA
def test_declarations_come_through_as_they_are(tmp_path: Path, era: str, dialect: str) -> None:
    lay_out(tmp_path)
    runner = everything(dialect, tmp_path, RefuseAll())
    expected = providers.mcp(runner.specs)

    async def work(client: Client) -> None:
        listed = (await client.list_tools()).tools
        sent = [tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in listed]
        assert sent == expected
        for tool in listed:
            jsonschema.Draft202012Validator.check_schema(tool.input_schema)

    run(ToolServer(lambda asking, display: runner), era, work)


class Show:
    """A tool that reports media of every family."""

    media = (
        Media("image/png", b"\x89PNG"),
        Media("audio/wav", b"RIFF"),
        Media("video/mp4", b"ftyp"),
        Media("application/pdf", b"%PDF"),
    )
    spec = ToolSpec(
        name="show",
        description="Show.",
        kind=ToolKind.READ,
        family="show",
        arguments={"type": "object", "properties": {}},
    )

    def headline(self, arguments: object) -> Headline:
        return Headline(text="")

    def execute(self, arguments: object, call: Call) -> str:
        call.report(Report(media=self.media))
        return "four \ud800 media"


@ERA
def test_media_travel_as_blocks_of_their_own(era: str) -> None:
    async def work(client: Client) -> None:
        result = await client.call_tool("show")
        assert isinstance(result, CallToolResult)
        text, image, audio, video, document = result.content
        assert text.model_dump(exclude_none=True) == {"type": "text", "text": "four ? media"}
        assert isinstance(image, ImageContent)
        assert isinstance(audio, AudioContent)
        assert (image.mime_type, base64.b64decode(image.data)) == ("image/png", b"\x89PNG")
        assert (audio.mime_type, base64.b64decode(audio.data)) == ("audio/wav", b"RIFF")
        for block, mime_type, data in ((video, "video/mp4", b"ftyp"), (document, "application/pdf", b"%PDF")):
            assert isinstance(block, EmbeddedResource)
            assert isinstance(block.resource, BlobResourceContents)
            assert (block.resource.mime_type, base64.b64decode(block.resource.blob)) == (mime_type, data)

    run(ToolServer(lambda asking, display: Runner([Show()], permission=AllowAll(), display=display)), era, work)


@ERA
def test_a_host_that_decides_elsewhere_and_later_says_so(root: Path, era: str) -> None:
    async def work(client: Client) -> None:
        result = await client.call_tool("bash", {"command": "touch made"})
        assert "waits for a decision" in said(result)

    run(mm(root, permission=Defer()), era, work, Person())
    assert not (root / "made").exists()


def test_what_changes_while_a_person_thinks_is_not_overwritten(root: Path) -> None:
    class Slow(Person):
        async def __call__(self, context: object, params: object) -> Any:
            (root / "a.txt").write_text("one\nmine\n")
            return await super().__call__(context, params)

    async def work(client: Client) -> None:
        result = await client.call_tool("edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})
        assert result.is_error
        assert "a.txt" in said(result)
        assert "changed" in said(result)

    for era in ERAS:
        (root / "a.txt").write_text("one\ntwo\n")
        run(mm(root), era, work, Slow(["allow once"]))
        assert (root / "a.txt").read_text() == "one\nmine\n"


def test_a_made_up_answer_to_a_question_that_was_never_asked_is_refused(root: Path) -> None:
    async def work(client: Client) -> None:
        forged = json.dumps({"version": 1, "tool": "bash", "arguments": {"command": "touch made"}})
        for state in (forged, "", "v1.AAAA"):
            with pytest.raises(Exception, match="requestState"):
                await client.session.call_tool("bash", {"command": "touch made"}, request_state=state)

    run(mm(root), "auto", work, Person())
    assert not (root / "made").exists()


def test_an_answer_is_about_one_call_only(root: Path) -> None:
    async def work(client: Client) -> None:
        asked = await client.session.call_tool("bash", {"command": "true"}, allow_input_required=True)
        state = asked.model_dump(by_alias=True)["requestState"]
        with pytest.raises(Exception, match="requestState"):
            await client.session.call_tool("bash", {"command": "touch made"}, request_state=state)
        unanswered = await client.session.call_tool("bash", {"command": "true"}, request_state=state)
        assert unanswered.is_error
        assert "rejected" in said(unanswered)

    run(mm(root), "auto", work, Person())
    assert not (root / "made").exists()


def test_a_decision_made_by_a_policy_of_the_host_is_not_asked_about(root: Path) -> None:
    class Policy:
        def decide(self, request: object) -> Decision:
            return Decision(Choice.REJECT_ONCE, "not here")

    async def work(client: Client) -> None:
        assert said(await client.call_tool("bash", {"command": "true"})).endswith("not here")

    run(mm(root, permission=Policy()), "auto", work, Person())


@ERA
def test_a_call_with_two_questions_is_asked_twice_and_done(
    root: Path, tmp_path_factory: pytest.TempPathFactory, era: str
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "b.txt"
    outside.write_text("one\n")
    person = Person(["allow once", "allow once"])

    async def work(client: Client) -> None:
        edit = {"path": str(outside), "edits": [{"old": "one", "new": "1"}]}
        assert not (await client.call_tool("edit_file", edit)).is_error

    run(mm(root, outside="ask"), era, work, person)
    assert outside.read_text() == "1\n"
    assert len(person.asked) == 2


@ERA
def test_a_repeated_call_is_stopped_although_each_is_asked_about(root: Path, era: str) -> None:
    async def work(client: Client) -> None:
        texts = [said(await client.call_tool("bash", {"command": "false"})) for _ in range(6)]
        assert ["turn must end" in text for text in texts] == [False] * 5 + [True]

    run(mm(root), era, work, Person(["allow once"] * 6))
