"""One call end to end, with tools written for the purpose."""

from __future__ import annotations

import asyncio
import json
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import Annotated, Any, ClassVar

import pytest
from attrs import field, frozen
from hypothesis import given
from hypothesis import strategies as st
from typing_extensions import Doc

from mmtools.call import (
    CommandPreview,
    GrantScope,
    Headline,
    Location,
    Observation,
    Proposal,
    Report,
    Status,
    ToolCall,
    ToolKind,
)
from mmtools.core.loop import LoopDetector
from mmtools.errors import DefinitionError, LoopStopped, ToolFailure
from mmtools.policies.allow_all import AllowAll
from mmtools.policies.refuse_all import RefuseAll
from mmtools.policies.remember import Remember
from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest
from mmtools.runner import Runner
from mmtools.testing.clock import FixedClock
from mmtools.testing.permissions import Scripted
from mmtools.testing.recorders import RecordingDisplay, RecordingObserver
from mmtools.tool import Call, ToolSpec

WHO: ContextVar[str] = ContextVar("WHO", default="nobody")


@frozen(kw_only=True)
class SayArgs:
    text: Annotated[str, Doc("What to say.")]
    times: Annotated[int, Doc("How often.")] = 1


@frozen(kw_only=True)
class Say:
    """A tool that says something: a read that needs nobody's permission."""

    wait: Callable[[], object] = lambda: None
    spec: ClassVar = ToolSpec(name="say", description="Say it.", kind=ToolKind.READ, family="file", arguments=SayArgs)

    def headline(self, arguments: SayArgs) -> Headline:
        return Headline(text=arguments.text, locations=(Location("/said"),))

    def execute(self, arguments: SayArgs, call: Call) -> str:
        self.wait()
        if arguments.text == "fail":
            raise ToolFailure("[it failed]")
        return arguments.text * arguments.times


@frozen(kw_only=True)
class DoArgs:
    what: Annotated[str, Doc("What to do.")]


@frozen(kw_only=True)
class Do:
    """A tool that does something that needs permission; what was done is kept in `done`."""

    done: list[str] = field(factory=list)
    spec: ClassVar = ToolSpec(
        name="do", description="Do it.", kind=ToolKind.EXECUTE, family="command", arguments=DoArgs
    )

    def headline(self, arguments: DoArgs) -> Headline:
        return Headline(text=arguments.what)

    def execute(self, arguments: DoArgs, call: Call) -> str:
        call.approve(
            Proposal(
                title=f"do: {arguments.what}",
                preview=CommandPreview(arguments.what, "/"),
                scope=GrantScope(f"do:{arguments.what}", f"exactly {arguments.what}"),
                refusal="[not done]",
            )
        )
        self.done.append(arguments.what)
        call.emit("doing\n")
        call.report(Report(status=Status.FAILED if arguments.what == "half" else Status.OK, truncated=True))
        return f"did {arguments.what}"


@frozen(kw_only=True)
class Alone(Do):
    """A tool that does something, as the only call of a response."""

    spec: ClassVar = ToolSpec(
        name="alone", description="Alone.", kind=ToolKind.OTHER, family="other", arguments=DoArgs, exclusive=True
    )


def runner(permission: Permission | None = None, **options: Any) -> Runner:
    return Runner([Say(), Do(), Alone()], permission=permission or AllowAll(), **options)


@pytest.mark.parametrize("arguments", [{"text": "hi"}, '{"text": "hi"}', SayArgs(text="hi")])
def test_arguments_come_as_mapping_text_or_object(arguments: object) -> None:
    assert runner().execute("say", arguments) == "hi"


def test_the_outcome_tells_everything_about_the_end() -> None:
    clock = FixedClock()
    host = Runner([Say(wait=lambda: clock.advance(2.5))], permission=AllowAll(), clock=clock)
    outcome = host.call("say", {"text": "hi"}, call_id="t1")
    assert (outcome.call_id, outcome.tool, outcome.text, outcome.status) == ("t1", "say", "hi", Status.OK)
    assert outcome.arguments == {"text": "hi"}
    assert outcome.locations == (Location("/said"),)
    assert outcome.duration_s == 2.5


def test_a_failure_is_text_and_status() -> None:
    outcome = runner().call("say", {"text": "fail"})
    assert (outcome.text, outcome.status) == ("[it failed]", Status.FAILED)


def test_a_report_may_say_that_an_answer_is_a_failure() -> None:
    outcome = runner().call("do", {"what": "half"})
    assert (outcome.text, outcome.status, outcome.truncated) == ("did half", Status.FAILED, True)


def test_an_unknown_tool_is_answered_with_the_names_there_are() -> None:
    outcome = runner().call("sya", {"text": "hi"})
    assert outcome.status is Status.FAILED
    assert outcome.text == "there is no tool 'sya'. Available tools: say, do, alone"


def test_a_bug_of_a_tool_is_the_hosts_to_see() -> None:
    display = RecordingDisplay()
    host = Runner([Say(wait=lambda: 1 / 0)], permission=AllowAll(), display=display)
    with pytest.raises(ZeroDivisionError):
        host.execute("say", {"text": "hi"})
    assert [ended.outcome.status for ended in display.finished_calls] == [Status.FAILED]


def test_two_tools_of_one_name_are_refused() -> None:
    with pytest.raises(DefinitionError, match="'say'"):
        Runner([Say(), Say()], permission=AllowAll())


def test_no_answer_is_empty_or_unencodable() -> None:
    assert runner().execute("say", {"text": ""}) == "(no output)"
    assert runner().execute("say", {"text": "a\udc00b"}) == "a?b"


class Answers:
    """A permission that answers with whatever it is given, or raises it."""

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def decide(self, request: PermissionRequest) -> Decision:
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer  # type: ignore[return-value] # hosts make this mistake: it must be a refusal


@pytest.mark.parametrize("answer", [None, True, "allow_once", 1, ValueError("no"), KeyError("x")])
def test_whatever_is_not_a_decision_is_a_refusal(answer: object) -> None:
    do = Do()
    outcome = Runner([do], permission=Answers(answer)).call("do", {"what": "it"})
    assert outcome.status is Status.REJECTED
    assert outcome.text.startswith("[not done]\n(the permission ")
    assert do.done == []


def test_a_refusal_carries_the_feedback() -> None:
    host = runner(Scripted([Decision(Choice.REJECT_ONCE, "use make")]))
    outcome = host.call("do", {"what": "it"})
    assert (outcome.text, outcome.status) == ("[not done]\nuse make", Status.REJECTED)


def test_a_withdrawn_question_cancels_the_call() -> None:
    outcome = runner(Scripted([Decision(Choice.CANCELLED)])).call("do", {"what": "it"})
    assert (outcome.text, outcome.status) == ("[not done]", Status.CANCELLED)


def test_the_question_shows_the_whole_call() -> None:
    permission = Scripted([Decision(Choice.ALLOW_ONCE)])
    runner(permission).call("do", {"what": "it"}, call_id="t7")
    request = permission.requests[0]
    assert (request.call_id, request.tool, request.kind, request.title) == ("t7", "do", ToolKind.EXECUTE, "do: it")
    assert request.arguments == {"what": "it"}
    assert request.preview == CommandPreview("it", "/")
    assert request.scope.words == "exactly it"


def test_a_permission_may_be_async_under_a_sync_host() -> None:
    class Slow:
        async def decide(self, request: PermissionRequest) -> Decision:
            return Decision(Choice.REJECT_ONCE, "async")

    assert runner(Slow()).execute("do", {"what": "it"}) == "[not done]\nasync"


def test_questions_come_one_at_a_time() -> None:
    open_now, most = [0], [0]

    class Counting:
        def decide(self, request: PermissionRequest) -> Decision:
            open_now[0] += 1
            most[0] = max(most[0], open_now[0])
            threading.Event().wait(0.01)
            open_now[0] -= 1
            return Decision(Choice.ALLOW_ONCE)

    host = runner(Counting())
    threads = [threading.Thread(target=host.execute, args=("do", {"what": str(number)})) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == [1]


def test_the_display_sees_every_call_begin_and_end_once() -> None:
    display = RecordingDisplay()
    host = runner(RefuseAll(), display=display)
    for name, arguments in [("say", {"text": "hi"}), ("do", {"what": "x"}), ("nope", None), ("say", "{")]:
        host.execute(name, arguments)
    started = [call.call_id for call in display.started_calls]
    finished = [ended.call.call_id for ended in display.finished_calls]
    assert started == finished
    assert len(set(started)) == 4
    assert display.started_calls[0].headline.text == "hi"


def test_live_output_reaches_the_display_under_the_calls_id() -> None:
    display = RecordingDisplay()
    runner(display=display).call("do", {"what": "x"}, call_id="t1")
    assert display.outputs == [("t1", "doing\n")]


def test_the_third_same_call_is_marked_and_the_sixth_ends_the_turn() -> None:
    host = runner()
    texts = [host.execute("say", {"text": "hi"}) for _ in range(5)]
    assert texts[:2] == ["hi", "hi"]
    for text in texts[2:]:
        assert text.startswith("hi\n[LOOP_DETECTED: You have attempted the same action multiple times")
    for _ in range(2):
        with pytest.raises(LoopStopped, match=r"^\[error: the model repeated the same say call 6|7 times"):
            host.execute("say", {"text": "hi"})


def test_a_stop_carries_its_outcome_and_reaches_display_and_observer() -> None:
    display, observer = RecordingDisplay(), RecordingObserver()
    host = runner(display=display, observer=observer, loop_detector=LoopDetector(warn_after=1, stop_after=2))
    host.execute("say", {"text": "hi"})
    with pytest.raises(LoopStopped) as stopped:
        host.execute("say", {"text": "hi"})
    assert [outcome.text for outcome in stopped.value.outcomes] == [str(stopped.value)]
    assert display.finished_calls[-1].outcome.status is Status.FAILED
    assert len(observer.observations) == 2


def test_misspelt_calls_count_as_repeated_too() -> None:
    host = runner()
    for _ in range(2):
        assert "LOOP_DETECTED" not in host.execute("say", '{"text": ')
    assert "LOOP_DETECTED" in host.execute("say", '{"text": ')


def test_the_observer_keeps_one_record_per_call() -> None:
    observer = RecordingObserver()
    host = runner(RefuseAll(), observer=observer)
    host.execute("say", {"text": "é", "times": 2})
    host.execute("say", {"times": 2, "text": "é"})
    host.execute("do", {"what": "x"})
    host.execute("nope", None)
    first, second, third, _ = observer.observations
    assert [record.call_seq for record in observer.observations] == [1, 2, 3, 4]
    assert [record.outcome for record in observer.observations] == ["ok", "ok", "rejected", "failed"]
    assert first.args_digest == second.args_digest != third.args_digest
    assert first.bytes_out == len("éé".encode())
    assert first.bytes_in == len(
        json.dumps({"text": "é", "times": 2}, ensure_ascii=False, separators=(",", ":")).encode()
    )


def test_an_observer_that_fails_does_not_reach_the_call(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def record(self, observation: Observation) -> None:
            raise OSError("disk full")

    assert runner(observer=Broken()).execute("say", {"text": "hi"}) == "hi"
    assert "lost call 1" in caplog.text


def test_the_recap_counts_the_last_turn() -> None:
    host = runner()
    with host.turn():
        host.execute("say", {"text": "a"})
        host.execute("do", {"what": "b"})
        host.execute("do", {"what": "c"})
    assert host.recap() == "⚙ 2 command(s)  📝 1 file op(s)"
    with host.turn():
        host.execute("say", {"text": "d"})
    assert host.recap() == "📝 1 file op(s)"


def test_reset_begins_a_new_session() -> None:
    observer = RecordingObserver()
    permission = Remember(Scripted([Decision(Choice.ALLOW_ALWAYS), Decision(Choice.REJECT_ONCE)]))
    host = runner(permission, observer=observer)
    assert [host.execute("do", {"what": "x"}) for _ in range(2)] == ["did x", "did x"]
    host.reset()
    assert host.execute("do", {"what": "x"}) == "[not done]"
    assert [record.call_seq for record in observer.observations] == [1, 2, 1]


def test_reads_of_one_response_run_side_by_side() -> None:
    both = threading.Barrier(2)
    host = Runner([Say(wait=lambda: both.wait(10))], permission=AllowAll())
    outcomes = host.call_many([("say", {"text": "a"}), ToolCall("say", {"text": "b"}, "t2")])
    assert [(outcome.text, outcome.call_id) for outcome in outcomes] == [("a", "call-1"), ("b", "t2")]


def test_each_call_sees_the_context_of_the_host() -> None:
    seen: list[str] = []
    host = Runner([Say(wait=lambda: seen.append(WHO.get()))], permission=AllowAll())
    WHO.set("the host")
    host.call_many([("say", {"text": "a"}), ("say", {"text": "b"})])
    assert seen == ["the host", "the host"]


def test_changes_of_one_response_keep_their_order() -> None:
    do = Do()
    host = Runner([Say(), do], permission=AllowAll())
    host.call_many([("do", {"what": "1"}), ("say", {"text": "-"}), ("do", {"what": "2"}), ("do", {"what": "3"})])
    assert do.done == ["1", "2", "3"]


def test_an_exclusive_tool_among_others_is_refused_and_the_others_run() -> None:
    outcomes = runner().call_many([("alone", {"what": "x"}), ("say", {"text": "hi"})])
    assert [outcome.status for outcome in outcomes] == [Status.FAILED, Status.OK]
    assert outcomes[0].text == "alone must be the only call of its response; it was not run. Call it again, alone"
    assert runner().call_many([("alone", {"what": "x"})])[0].text == "did x"


def test_a_loop_inside_a_response_stops_it_and_keeps_what_ran() -> None:
    host = runner(loop_detector=LoopDetector(warn_after=2, stop_after=3))
    with pytest.raises(LoopStopped) as stopped:
        host.call_many([*[("say", {"text": "hi"})] * 4, ("do", {"what": "never"})])
    outcomes = stopped.value.outcomes
    assert [outcome.tool for outcome in outcomes[:4]] == ["say"] * 4
    assert [(one.tool, one.status, one.text) for one in outcomes[4:]] == [
        ("do", Status.CANCELLED, "[do: not run: the turn ended before it, since an earlier call repeated itself]")
    ]


@given(st.lists(st.sampled_from(["say", "do", "nope"]), min_size=1, max_size=8), st.integers(0, 5), st.booleans())
def test_a_stop_has_one_outcome_for_each_call_of_the_response(names: list[str], before: int, is_async: bool) -> None:
    do = Do()
    host = Runner([Say(), do], permission=AllowAll(), loop_detector=LoopDetector(warn_after=2, stop_after=3))
    calls = [ToolCall(name, {"text": "hi", "what": "x"}, f"id-{number}") for number, name in enumerate(names)]
    with suppress(LoopStopped):
        for _ in range(before):
            host.call("say", {"text": "hi", "what": "x"})
    try:
        outcomes = asyncio.run(host.acall_many(calls)) if is_async else host.call_many(calls)
    except LoopStopped as stop:
        outcomes = list(stop.outcomes)
    assert [(one.tool, one.call_id) for one in outcomes] == [(call.name, call.call_id) for call in calls]
    assert len(do.done) == sum(one.tool == "do" and "not run" not in one.text for one in outcomes)


def test_a_bound_tool_is_the_tool_on_this_runner() -> None:
    bound = runner()["say"]
    assert bound.spec.name == "say"
    assert bound.execute({"text": "hi"}) == "hi"
    with pytest.raises(KeyError):
        runner()["nope"]


def test_closing_stops_what_runs_once_and_last_first() -> None:
    closed: list[str] = []
    with runner(on_close=(lambda: closed.append("first"), lambda: closed.append("last"))) as host:
        pass
    host.close()
    assert closed == ["last", "first"]
    with pytest.raises(DefinitionError, match="closed"):
        host.execute("say", {"text": "hi"})


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner),
    max_leaves=8,
)


@given(st.text() | st.sampled_from(["say", "do", "alone"]), anything)
def test_bad_input_never_raises(name: str, arguments: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = runner(RefuseAll()).call(name, arguments)
    assert outcome.text
    outcome.text.encode()
