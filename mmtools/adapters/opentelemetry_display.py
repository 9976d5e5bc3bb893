"""A span and a duration for every call, by OpenTelemetry's conventions for tools of generative AI."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from attrs import frozen

from mmtools.call import Status
from mmtools.core import digests
from mmtools.ports.display import Display, FinishedCall, StartedCall

if TYPE_CHECKING:
    from contextvars import Token

    from opentelemetry.context import Context
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import Span, TracerProvider

__all__ = ["OpenTelemetryDisplay"]

_SCOPE = "mmtools"

#: Source: opentelemetry.io, "Semantic conventions for generative AI tool execution", in development in 2026.
_OPERATION = "execute_tool"
_DURATION = "gen_ai.execute_tool.duration"

#: Seconds, the boundaries that the conventions advise for durations of generative AI.
_BOUNDARIES = (0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92)

#: Stands for names that a model made up: each of them would be a time series of its own.
_OTHER = "_OTHER"

#: Characters: longer than any tool's name.
_MAX_NAME = 128

#: What counts as an error: source as in `core.metrics`.
_ERRORS = (Status.FAILED, Status.TIMED_OUT)


class OpenTelemetryDisplay:
    """
    A display that opens a span when a call starts, closes it at its end with its duration, and hands all on to another.

    The span's parent is the host's current span, and it is itself current while the tool works. Neither arguments
    nor texts are told unless `content` is set. Trouble of the telemetry is logged and never reaches the call.

    Args:
        inner: Who shows the calls; None shows nothing.
        content: Whether spans carry the arguments and the text, whole.
        tracer_provider: Another than the global one.
        meter_provider: The same.

    Raises:
        ModuleNotFoundError: OpenTelemetry's API is not installed.

    Source:
        "Semantic conventions for generative AI tool execution": `execute_tool {name}`, `gen_ai.tool.*`, `error.type`.
    """

    def __init__(
        self,
        inner: Display | None = None,
        *,
        content: bool = False,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
    ) -> None:
        try:
            from opentelemetry import metrics, trace
        except ModuleNotFoundError as missing:
            if not str(missing.name).startswith("opentelemetry"):
                raise
            raise ModuleNotFoundError(
                "OpenTelemetryDisplay needs the package opentelemetry-api: pip install opentelemetry-api",
                name=missing.name,
            ) from missing
        self._inner = inner
        self._content = content
        self._tracer = trace.get_tracer(_SCOPE, tracer_provider=tracer_provider)
        self._durations = metrics.get_meter(_SCOPE, meter_provider=meter_provider).create_histogram(
            _DURATION,
            unit="s",
            description="How long tool calls took, waiting for permission included.",
            explicit_bucket_boundaries_advisory=_BOUNDARIES,
        )
        self._lock = threading.Lock()
        self._open: dict[str, list[_Open]] = {}

    def started(self, call: StartedCall) -> None:
        with _harmless():
            self._begin(call)
        if self._inner is None:
            return
        try:
            self._inner.started(call)
        except BaseException as failure:
            # The call ends here, and nobody will say so.
            with _harmless():
                self._abandon(call, failure)
            raise

    def output(self, call_id: str, text: str) -> None:
        if self._inner is not None:
            self._inner.output(call_id, text)

    def finished(self, call: FinishedCall) -> None:
        with _harmless():
            self._end(call)
        if self._inner is not None:
            self._inner.finished(call)

    def _begin(self, call: StartedCall) -> None:
        from opentelemetry import context, trace

        span = self._span(call)
        inside = trace.set_span_in_context(span)
        opened = _Open(span, inside, context.attach(inside))
        with self._lock:
            self._open.setdefault(call.call_id, []).append(opened)

    def _end(self, call: FinishedCall) -> None:
        outcome = call.outcome
        opened = self._take(call.call.call_id)
        ended = time.time_ns()
        if opened is None:
            span = self._span(call.call, begun=ended - round(outcome.duration_s * 1e9))
        else:
            span = opened.span
            opened.detach()
        try:
            span.set_attributes(self._ending(call))
            if outcome.status in _ERRORS:
                from opentelemetry.trace import StatusCode

                span.set_status(StatusCode.ERROR)
        finally:
            span.end(ended)
        told = {"gen_ai.operation.name": _OPERATION, "gen_ai.tool.name": _series(call.call), **_error(outcome.status)}
        self._durations.record(outcome.duration_s, told)

    def _abandon(self, call: StartedCall, failure: BaseException) -> None:
        from opentelemetry.trace import StatusCode

        opened = self._take(call.call_id)
        if opened is not None:
            opened.detach()
            opened.span.set_attribute("error.type", type(failure).__qualname__)
            opened.span.set_status(StatusCode.ERROR)
            opened.span.end()

    def _take(self, call_id: str) -> _Open | None:
        with self._lock:
            opened = self._open.pop(call_id, [])
            if opened[:-1]:
                self._open[call_id] = opened[:-1]
        return opened[-1] if opened else None

    def _span(self, call: StartedCall, begun: int | None = None) -> Span:
        from opentelemetry.trace import SpanKind

        attributes = {
            "gen_ai.operation.name": _OPERATION,
            "gen_ai.tool.name": _encodable(call.tool[:_MAX_NAME]),
            "gen_ai.tool.call.id": _encodable(call.call_id),
            "gen_ai.tool.type": "function",
        }
        if self._content and call.arguments is not None:
            attributes["gen_ai.tool.call.arguments"] = _encodable(digests.canonical_json(call.arguments))
        return self._tracer.start_span(
            f"{_OPERATION} {_series(call)}", kind=SpanKind.INTERNAL, attributes=attributes, start_time=begun
        )

    def _ending(self, call: FinishedCall) -> Mapping[str, Any]:
        told: dict[str, Any] = {
            "mmtools.tool.status": call.outcome.status.value,
            "mmtools.tool.kind": (call.call.headline.kind or call.call.kind).value,
            **_error(call.outcome.status),
        }
        if self._content:
            told["gen_ai.tool.call.result"] = _encodable(call.outcome.text)
        return told


@frozen
class _Open:
    """A call's span, and how to leave it."""

    span: Span
    inside: Context
    token: Token[Context]

    def detach(self) -> None:
        """Make the host's span current again, where this one is current: another thread's context ended with its work."""
        from opentelemetry import context

        if context.get_current() is self.inside:
            context.detach(self.token)


@contextmanager
def _harmless() -> Iterator[None]:
    try:
        yield
    except Exception:
        logging.getLogger(__name__).warning("the telemetry of a call was lost", exc_info=True)


def _series(call: StartedCall) -> str:
    """Name the tool where names must be few."""
    return _encodable(call.tool[:_MAX_NAME]) if call.family else _OTHER


def _error(status: Status) -> Mapping[str, str]:
    return {"error.type": status.value} if status in _ERRORS else {}


def _encodable(text: str) -> str:
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
