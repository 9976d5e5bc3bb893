"""Asking first and acting later: what a pre-check tells, and that it does nothing else."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
from attrs import field, frozen
from typing_extensions import Doc

from mmtools import (
    AllowAll,
    Choice,
    Decision,
    Defer,
    DefinitionError,
    LoopDetector,
    LoopStopped,
    Permission,
    PermissionRequest,
    RefuseAll,
    Remember,
    Rule,
    Rules,
    local,
)
from mmtools.call import FilesPreview, Headline, Outcome, Status, ToolKind
from mmtools.runner import Runner
from mmtools.running.precheck import Precheck
from mmtools.testing.permissions import Scripted
from mmtools.testing.recorders import RecordingDisplay, RecordingObserver
from mmtools.tool import Call, ToolSpec

YES, NO = Decision(Choice.ALLOW_ONCE), Decision(Choice.REJECT_ONCE, "not now")
EDIT = ("edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})
MAKE = ("bash", {"command": "echo made >> made"})
READ = ("read_file", {"path": "a.txt"})


class Host:
    """A runner that tells what it shows and counts."""

    def __init__(self, root: Path, permission: Permission, **options: Any) -> None:
        self.display, self.observer = RecordingDisplay(), RecordingObserver()
        self.runner = local.mm(root, permission=permission, display=self.display, observer=self.observer, **options)

    @property
    def seen(self) -> list[str]:
        """The calls that display, observer and recap know of."""
        shown = [f"{ended.call.tool} {ended.outcome.status}" for ended in self.display.finished_calls]
        assert [f"{each.tool} {each.outcome}" for each in self.observer.observations] == shown
        assert len(self.display.started_calls) == len(shown)
        return shown


def directly(runner: Runner) -> tuple[Callable[..., Precheck], Callable[..., Outcome]]:
    return runner.precheck, runner.resume


def in_tasks(runner: Runner) -> tuple[Callable[..., Precheck], Callable[..., Outcome]]:
    return (
        lambda *given, **named: asyncio.run(runner.aprecheck(*given, **named)),
        lambda *given, **named: asyncio.run(runner.aresume(*given, **named)),
    )


WAYS = pytest.mark.parametrize("way", [directly, in_tasks])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    return tmp_path


def untouched(root: Path) -> bool:
    return (root / "a.txt").read_text() == "one\ntwo\n" and not (root / "made").exists()


@WAYS
@pytest.mark.parametrize("call", [EDIT, MAKE])
def test_where_the_permission_defers_somebody_has_to_decide(root: Path, way: Any, call: Any) -> None:
    host = Host(root, Defer())
    precheck, resume = way(host.runner)
    checked = precheck(*call, call_id="c1")
    assert checked.request is not None
    assert checked.request.title in ("edit a.txt", "run: echo made >> made")
    assert (checked.decision, checked.outcome.call_id) == (None, "c1")
    assert checked.pending == checked.outcome.pending is not None
    assert untouched(root)
    assert (host.seen, host.runner.recap()) == ([], "no tool calls")
    with pytest.raises(DefinitionError, match="none was given"):
        resume(checked)
    assert resume(checked, NO).text.endswith("rejected by the user]\nnot now")
    assert untouched(root)
    assert resume(checked, YES).status is Status.OK
    assert not untouched(root)
    assert host.seen == [f"{call[0]} rejected", f"{call[0]} ok"]


@WAYS
@pytest.mark.parametrize("call", [EDIT, MAKE])
def test_where_the_permission_decides_the_host_only_goes_on(root: Path, way: Any, call: Any) -> None:
    host = Host(root, AllowAll())
    precheck, resume = way(host.runner)
    checked = precheck(*call)
    assert checked.request is not None
    assert (checked.decision, checked.pending) == (YES, None)
    assert (untouched(root), host.seen) == (True, [])
    assert resume(checked).status is Status.OK
    assert (untouched(root), host.seen) == (False, [f"{call[0]} ok"])


@WAYS
def test_a_host_may_still_say_no_to_what_the_permission_allows(root: Path, way: Any) -> None:
    precheck, resume = way(Host(root, AllowAll()).runner)
    outcome = resume(precheck(*MAKE), NO)
    assert (outcome.status, outcome.text) == (Status.REJECTED, "[command rejected by the user]\nnot now")
    assert untouched(root)


@WAYS
@pytest.mark.parametrize("decision", [None, YES])
def test_what_the_permission_refuses_stays_refused(root: Path, way: Any, decision: Decision | None) -> None:
    host = Host(root, Rules([Rule.deny("bash")], inner=Defer()))
    precheck, resume = way(host.runner)
    checked = precheck(*MAKE)
    assert checked.request is not None
    assert checked.decision is not None
    assert (checked.decision.allowed, checked.pending, checked.outcome.status) == (False, None, Status.REJECTED)
    assert host.seen == []
    assert resume(checked, decision) == checked.outcome
    assert (untouched(root), host.seen) == (True, ["bash rejected"])


@WAYS
@pytest.mark.parametrize(
    ("call", "status"),
    [
        (READ, Status.OK),
        (("edit_file", {**EDIT[1], "dry_run": True}), Status.OK),
        (("edit_file", {"path": "none.txt", "edits": [{"old": "one", "new": "1"}]}), Status.FAILED),
        (("edit_file", {"path": 5}), Status.FAILED),
        (("nope", {}), Status.FAILED),
    ],
)
def test_what_asks_nothing_comes_to_its_end(root: Path, way: Any, call: Any, status: Status) -> None:
    host = Host(root, RefuseAll())
    precheck, resume = way(host.runner)
    checked = precheck(*call)
    assert (checked.request, checked.decision, checked.pending) == (None, None, None)
    assert checked.outcome.status is status
    assert host.seen == []
    assert resume(checked) == checked.outcome
    assert host.seen == [f"{call[0]} {status}"]
    assert host.runner.call(*call).text == checked.outcome.text


def test_an_approved_call_is_done_only_if_it_is_still_what_was_asked_about(root: Path) -> None:
    runner = Host(root, AllowAll()).runner
    checked = runner.precheck(*EDIT)
    (root / "a.txt").write_text("one\ntwo\nthree\n")
    outcome = runner.resume(checked)
    assert outcome.status is Status.REJECTED
    assert "no longer what was approved" in outcome.text
    assert (root / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_what_waits_may_go_on_in_another_process(root: Path) -> None:
    pending = Host(root, Defer()).runner.precheck(*EDIT).pending
    assert pending is not None
    assert Host(root, Defer()).runner.resume(pending, YES).status is Status.OK


def test_a_person_is_asked_once(root: Path) -> None:
    permission = Scripted([YES, NO])
    runner = Host(root, permission).runner
    assert runner.resume(runner.precheck(*MAKE)).status is Status.OK
    assert runner.resume(runner.precheck(*MAKE)).status is Status.REJECTED
    assert len(permission.requests) == 2
    assert (root / "made").read_text() == "made\n"


def test_an_always_counts_whoever_said_it(root: Path) -> None:
    always = Decision(Choice.ALLOW_ALWAYS)
    own = Host(root, Remember(Scripted([always]))).runner
    own.resume(own.precheck(*MAKE))
    assert own.call(*MAKE).status is Status.OK
    hosts = Host(root, Remember(Defer())).runner
    hosts.resume(hosts.precheck(*MAKE), always)
    assert hosts.call(*MAKE).status is Status.OK


def test_a_permission_that_fails_refuses(root: Path) -> None:
    class Broken:
        def decide(self, request: PermissionRequest) -> Decision:
            raise OSError

    checked = Host(root, Broken()).runner.precheck(*MAKE)
    assert checked.request is not None
    assert (checked.decision, checked.pending, checked.outcome.status) == (None, None, Status.REJECTED)
    assert "the permission failed: OSError" in checked.outcome.text


def test_of_several_questions_the_one_before_the_act_is_the_one_that_counts(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "b.txt"
    outside.write_text("one\n")
    edit = ("edit_file", {**EDIT[1], "path": str(outside)})
    runner = Host(root, Scripted([YES, YES]), outside="ask").runner
    checked = runner.precheck(*edit)
    assert checked.request is not None
    assert isinstance(checked.request.preview, FilesPreview)
    assert outside.read_text() == "one\n"
    assert runner.resume(checked).status is Status.OK
    assert outside.read_text() == "1\n"
    at_once = Host(root, Defer(), outside="ask").runner.precheck(*edit)
    assert at_once.request is not None
    assert at_once.request.title == f"read outside the working directory: {outside}"
    assert at_once.pending is not None


def test_a_repeated_call_is_counted_when_it_goes_on(root: Path) -> None:
    runner = Host(root, AllowAll(), loop_detector=LoopDetector(warn_after=2, stop_after=3)).runner
    checked = [runner.precheck(*READ) for _ in range(5)]
    assert not any("LOOP_DETECTED" in each.outcome.text for each in checked)
    assert "LOOP_DETECTED" not in runner.resume(checked[0]).text
    assert "LOOP_DETECTED" in runner.resume(checked[1]).text
    with pytest.raises(LoopStopped):
        runner.resume(checked[2])


@frozen(kw_only=True)
class SendArgs:
    text: Annotated[str, Doc("What to send.")]


@frozen(kw_only=True)
class Send:
    """A host's tool that acts without asking, as no tool should."""

    sent: list[str] = field(factory=list)
    spec: ClassVar = ToolSpec(name="send", description="Send.", kind=ToolKind.OTHER, family="x", arguments=SendArgs)

    def headline(self, arguments: SendArgs) -> Headline:
        return Headline(text=arguments.text)

    def execute(self, arguments: SendArgs, call: Call) -> str:
        if arguments.text == "bug":
            raise ZeroDivisionError
        call.emit("live")
        self.sent.append(arguments.text)
        return "sent"


def test_what_acts_without_asking_acts_once() -> None:
    send = Send()
    runner = Runner([send], permission=AllowAll())
    assert runner.resume(runner.precheck("send", {"text": "hi"})).text == "sent"
    assert send.sent == ["hi"]


def test_a_bug_is_the_hosts_to_see_and_nobody_is_told_of_a_call() -> None:
    display = RecordingDisplay()
    with pytest.raises(ZeroDivisionError):
        Runner([Send()], permission=AllowAll(), display=display).precheck("send", {"text": "bug"})
    assert (display.started_calls, display.finished_calls) == ([], [])


def test_cancelling_a_pre_check_withdraws_its_question(root: Path) -> None:
    asked, answer = threading.Event(), threading.Event()

    class Waits:
        def decide(self, request: PermissionRequest) -> Decision:
            asked.set()
            answer.wait(60)
            return YES

    host = Host(root, Waits())

    async def main() -> None:
        task = asyncio.create_task(host.runner.aprecheck(*EDIT))
        await asyncio.to_thread(asked.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 60)
        answer.set()
        assert (await host.runner.acall(*EDIT)).status is Status.OK

    asyncio.run(main())
    assert host.seen == ["edit_file ok"]


def test_from_the_question_to_the_act_a_reserved_place_keeps_others_away(root: Path) -> None:
    runner = Host(root, AllowAll()).runner
    other = ("edit_file", {"path": "a.txt", "edits": [{"old": "two", "new": "2"}]})
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        with runner.reserve(*EDIT) as place:
            place.take()
            checked = runner.precheck(*EDIT)
            waiting = pool.submit(runner.call, *other)
            assert concurrent.futures.wait([waiting], 0.1).done == set()
            assert runner.resume(checked).status is Status.OK
        assert waiting.result(60).status is Status.OK
    assert (root / "a.txt").read_text() == "1\n2\n"
