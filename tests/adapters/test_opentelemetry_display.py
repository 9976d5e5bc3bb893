"""One span and one duration per call, whatever its end; nothing of its content; and never an error of its own."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Annotated, Any, ClassVar, NoReturn

import pytest
from attrs import define, frozen
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode, Tracer
from typing_extensions import Doc

from mmtools.adapters.opentelemetry_display import OpenTelemetryDisplay
from mmtools.adapters.terminal_display import TerminalDisplay
from mmtools.call import CommandPreview, GrantScope, Headline, Outcome, Proposal, Report, Status, ToolKind
from mmtools.errors import LoopStopped, ToolFailure
from mmtools.policies.allow_all import AllowAll
from mmtools.policies.refuse_all import RefuseAll
from mmtools.ports.display import FinishedCall, StartedCall
from mmtools.ports.permission import Permission
from mmtools.runner import Runner
from mmtools.testing.conformance import displays
from mmtools.testing.recorders import RecordingDisplay
from mmtools.tool import Call, ToolSpec


@frozen(kw_only=True)
class EndArgs:
    how: Annotated[str, Doc("How to end.")] = "ok"
    number: Annotated[int, Doc("Any.")] = 0


@frozen(kw_only=True)
class End:
    """A tool that ends as asked; a span of its own tells who was current while it worked."""

    tracer: Tracer
    spec: ClassVar = ToolSpec(name="end", description="End.", kind=ToolKind.READ, family="file", arguments=EndArgs)

    def headline(self, arguments: EndArgs) -> Headline:
        return Headline(text=arguments.how)

    def execute(self, arguments: EndArgs, call: Call) -> str:
        with self.tracer.start_as_current_span("inside"):
            pass
        if arguments.how == "refused":
            scope = GrantScope("s", "s")
            call.approve(Proposal(title="t", preview=CommandPreview("c", "/"), scope=scope, refusal="[no]"))
        if arguments.how == "failed":
            raise ToolFailure("[secret failure]")
        if arguments.how == "bug":
            raise ZeroDivisionError
        call.report(Report(status=Status.TIMED_OUT if arguments.how == "timed_out" else Status.OK))
        return f"secret result {arguments.number}"


@define(eq=False)
class Bench:
    """A runner whose telemetry is kept in memory."""

    runner: Runner
    tracer: Tracer
    exporter: InMemorySpanExporter
    reader: InMemoryMetricReader

    def spans(self, name: str = "execute_tool end") -> list[ReadableSpan]:
        return [span for span in self.exporter.get_finished_spans() if span.name == name]

    def points(self) -> list[Any]:
        data = self.reader.get_metrics_data()
        return [
            point
            for resource in (data.resource_metrics if data else ())
            for scope in resource.scope_metrics
            for metric in scope.metrics
            if (metric.name, metric.unit) == ("gen_ai.execute_tool.duration", "s")
            for point in metric.data.data_points
        ]

    def durations(self) -> list[tuple[int, float, dict[str, Any]]]:
        return [(point.count, point.sum, dict(point.attributes)) for point in self.points()]


@contextmanager
def bench(permission: Permission | None = None, **options: Any) -> Iterator[Bench]:
    exporter, reader = InMemorySpanExporter(), InMemoryMetricReader()
    tracers = TracerProvider(shutdown_on_exit=False)
    tracers.add_span_processor(SimpleSpanProcessor(exporter))
    meters = MeterProvider([reader], shutdown_on_exit=False)
    display = OpenTelemetryDisplay(tracer_provider=tracers, meter_provider=meters, **options)
    tracer = tracers.get_tracer("host")
    runner = Runner([End(tracer=tracer)], permission=permission or AllowAll(), display=display)
    with runner:
        yield Bench(runner, tracer, exporter, reader)
    tracers.shutdown()
    meters.shutdown()


def attributes(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def test_a_span_and_a_duration_say_what_the_conventions_ask() -> None:
    with bench() as host:
        outcome = host.runner.call("end", {"number": 3}, call_id="toolu_1")
        (span,) = host.spans()
        ((count, total, told),) = host.durations()
    assert span.kind is SpanKind.INTERNAL
    assert span.status.status_code is StatusCode.UNSET
    assert attributes(span) == {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "end",
        "gen_ai.tool.call.id": "toolu_1",
        "gen_ai.tool.type": "function",
        "mmtools.tool.status": "ok",
        "mmtools.tool.kind": "read",
    }
    assert span.instrumentation_scope is not None
    assert span.instrumentation_scope.name == "mmtools"
    assert count == 1
    assert total == outcome.duration_s
    assert told == {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "end"}


@pytest.mark.parametrize(
    ("how", "status", "error"),
    [
        ("ok", "ok", False),
        ("failed", "failed", True),
        ("timed_out", "timed_out", True),
        ("refused", "rejected", False),
    ],
)
def test_errors_are_what_counts_as_a_tool_error(how: str, status: str, error: bool) -> None:
    with bench(RefuseAll()) as host:
        host.runner.call("end", {"how": how})
        (span,) = host.spans()
        ((_, _, told),) = host.durations()
    assert attributes(span)["mmtools.tool.status"] == status
    assert (span.status.status_code is StatusCode.ERROR) is error
    assert attributes(span).get("error.type") == told.get("error.type") == (status if error else None)
    assert span.status.description is None


@given(st.lists(st.sampled_from(["ok", "failed", "timed_out", "refused"]), max_size=8))
def test_each_call_has_one_span_and_one_duration(hows: list[str]) -> None:
    with bench(RefuseAll()) as host:
        for number, how in enumerate(hows):
            host.runner.call("end", {"how": how, "number": number})
        assert len(host.spans()) == len(hows)
        assert sum(count for count, _, _ in host.durations()) == len(hows)


def test_nothing_of_the_content_is_told_unless_asked() -> None:
    for content in (False, True):
        with bench(content=content) as host:
            host.runner.call("end", {"how": "secret how"})
            host.runner.call("end", {"how": "failed"})
            told = "".join(span.to_json() for span in host.exporter.get_finished_spans())
            (first, second) = host.spans()
        assert ("secret" in told) is content
        if content:
            assert json.loads(attributes(first)["gen_ai.tool.call.arguments"]) == {"how": "secret how"}
            assert attributes(first)["gen_ai.tool.call.result"] == "secret result 0"
            assert attributes(second)["gen_ai.tool.call.result"] == "[secret failure]"


def test_the_hosts_span_is_the_parent_and_the_tools_spans_are_children() -> None:
    with bench() as host:
        with host.tracer.start_as_current_span("turn") as turn:
            host.runner.call("end")
            assert trace.get_current_span() is turn
        host.runner.call("end")
        assert trace.get_current_span() is trace.INVALID_SPAN
        check_family(host, [turn.get_span_context().span_id, None])


def check_family(host: Bench, parents: list[int | None]) -> None:
    calls = host.spans()
    assert [span.parent and span.parent.span_id for span in calls] == parents
    inside = [span.parent and span.parent.span_id for span in host.spans("inside")]
    assert sorted(map(str, inside)) == sorted(str(span.context and span.context.span_id) for span in calls)


def test_so_it_is_for_calls_side_by_side_and_for_async_hosts(caplog: pytest.LogCaptureFixture) -> None:
    async def turn(host: Bench, work: Callable[[], Any]) -> None:
        with host.tracer.start_as_current_span("turn") as span:
            await work()
            assert trace.get_current_span() is span
            check_family(host, [span.get_span_context().span_id] * len(host.spans()))

    many = [("end", {"number": number}) for number in range(4)]
    with bench() as host, host.tracer.start_as_current_span("turn") as span:
        host.runner.call_many(many)
        assert trace.get_current_span() is span
        check_family(host, [span.get_span_context().span_id] * 4)
    with bench() as host:
        asyncio.run(turn(host, lambda: host.runner.acall("end")))
    with bench() as host:
        asyncio.run(turn(host, lambda: host.runner.acall_many(many)))
        assert len(host.spans()) == 4
    assert caplog.records == []


def test_a_call_that_ends_by_a_bug_or_a_loop_leaves_nothing_open() -> None:
    with bench() as host:
        with pytest.raises(ZeroDivisionError):
            host.runner.call("end", {"how": "bug"})
        with suppress(LoopStopped):
            for _ in range(9):
                host.runner.call("end")
        assert trace.get_current_span() is trace.INVALID_SPAN
        statuses = [attributes(span)["mmtools.tool.status"] for span in host.spans()]
        assert statuses[0] != "ok"
        assert statuses[1:] == [*["ok"] * 5, "failed"]


def test_names_that_a_model_made_up_share_one_series() -> None:
    with bench() as host:
        for number in range(20):
            host.runner.call(f"made up {number} \udc00" + "x" * 500, {"\udc00": number}, call_id=f"\udc00{number}")
        assert len(host.spans("execute_tool _OTHER")) == 20
        ((count, _, told),) = host.durations()
        told_names = [attributes(span)["gen_ai.tool.name"] for span in host.spans("execute_tool _OTHER")]
    assert (count, told["gen_ai.tool.name"]) == (20, "_OTHER")
    assert told_names[3].startswith("made up 3 \\udc00x")
    assert all(len(name) < 200 for name in told_names)


def call_of(call_id: str = "c1") -> StartedCall:
    return StartedCall(
        call_id=call_id, tool="end", kind=ToolKind.READ, family="file", headline=Headline(text="t"), arguments={}
    )


def end_of(call: StartedCall) -> FinishedCall:
    return FinishedCall(call, Outcome(call_id=call.call_id, tool="end", text="t", status=Status.OK, duration_s=1.5))


def test_an_end_without_a_start_has_a_span_of_its_duration() -> None:
    with bench() as host:
        assert host.runner.display is not None
        host.runner.display.finished(end_of(call_of()))
        (span,) = host.spans()
        ((count, total, _),) = host.durations()
    assert span.start_time is not None
    assert span.end_time is not None
    assert span.end_time - span.start_time == 1_500_000_000
    assert (count, total) == (1, 1.5)


def test_two_calls_with_one_id_have_a_span_each() -> None:
    with bench() as host:
        display = host.runner.display
        assert display is not None
        display.started(call_of())
        display.started(call_of())
        display.finished(end_of(call_of()))
        display.finished(end_of(call_of()))
        assert len({span.context and span.context.span_id for span in host.spans()}) == 2


def test_the_inner_display_is_told_all() -> None:
    inner = RecordingDisplay()
    with bench(inner=inner) as host:
        host.runner.call("end")
        assert host.runner.display is not None
        host.runner.display.output("c", "live")
    assert (len(inner.started_calls), inner.outputs, len(inner.finished_calls)) == (1, [("c", "live")], 1)


class Broken(RecordingDisplay):
    """A display that raises at the start."""

    def started(self, call: StartedCall) -> NoReturn:
        raise OSError("the screen is gone")


def test_what_the_inner_display_raises_is_raised_and_the_span_ends() -> None:
    with bench(inner=Broken()) as host:
        with pytest.raises(OSError, match="screen"):
            host.runner.call("end")
        (span,) = host.spans()
        assert trace.get_current_span() is trace.INVALID_SPAN
    assert attributes(span)["error.type"] == "OSError"


@pytest.mark.parametrize("inner", [None, TerminalDisplay])
def test_it_keeps_the_laws_of_displays(inner: Callable[[Any], TerminalDisplay] | None) -> None:
    displays.check_display(lambda stream: OpenTelemetryDisplay(inner(stream) if inner else None))


class BrokenTracers(TracerProvider):
    """A provider whose tracers raise."""

    def get_tracer(self, *_: Any, **__: Any) -> Tracer:
        class Failing(trace.NoOpTracer):
            def start_span(self, *_: Any, **__: Any) -> NoReturn:
                raise ConnectionError("no collector")

        return Failing()


def test_trouble_of_the_telemetry_is_logged_and_never_reaches_the_call(caplog: pytest.LogCaptureFixture) -> None:
    inner = RecordingDisplay()
    display = OpenTelemetryDisplay(inner, tracer_provider=BrokenTracers(shutdown_on_exit=False))
    tracer = trace.NoOpTracer()
    with (
        Runner([End(tracer=tracer)], permission=AllowAll(), display=display) as runner,
        caplog.at_level(logging.WARNING),
    ):
        assert runner.execute("end") == "secret result 0"
    assert {record.getMessage() for record in caplog.records} == {"the telemetry of a call was lost"}
    assert len(inner.finished_calls) == 1


def test_without_an_sdk_nothing_happens(caplog: pytest.LogCaptureFixture) -> None:
    display = OpenTelemetryDisplay(TerminalDisplay(io.StringIO()))
    with Runner([End(tracer=trace.NoOpTracer())], permission=AllowAll(), display=display) as runner:
        runner.call("end")
        runner.call_many([("end", {"number": number}) for number in range(3)])
        asyncio.run(runner.acall("end", {"number": 9}))
    assert caplog.records == []


def test_boundaries_are_those_of_the_conventions() -> None:
    with bench() as host:
        host.runner.call("end")
        (point,) = host.points()
    assert point.explicit_bounds == tuple(0.01 * 2**power for power in range(14))


WITHOUT = """
import sys
sys.modules["opentelemetry"] = None
from mmtools.adapters.opentelemetry_display import OpenTelemetryDisplay
try:
    OpenTelemetryDisplay()
except ModuleNotFoundError as error:
    print(error)
"""


def test_the_package_is_asked_for_by_name() -> None:
    ended = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=True)
    assert ended.stdout == "OpenTelemetryDisplay needs the package opentelemetry-api: pip install opentelemetry-api\n"
