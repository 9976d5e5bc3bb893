"""From what a model sent to a call that is ready to run, or ready to say why it cannot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from attrs import evolve, field, frozen

from mmtools.arguments.parsing import parse
from mmtools.call import Headline, Outcome, ToolCall, ToolKind
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.ports.display import StartedCall
from mmtools.running.access import Access, access
from mmtools.tool import AnyTool, Call, ToolSpec

__all__ = ["PreparedCall", "prepare", "refuse_company"]

#: What a display shows where a headline would need arguments that could not be read.
_NO_HEADLINE = Headline(text="(not prepared)")


@frozen(kw_only=True)
class PreparedCall:
    """
    A call that is ready to run.

    Args:
        spec: None when there is no such tool.
        said: The arguments as the loop detector and the observer see them; as sent when they could not be read.
        work: Does it, or raises why not.
        access: What it may touch; None when it is nothing, as when it only says why it cannot be done.
        ended: How it came to its end when it was performed before, unseen.
    """

    started: StartedCall
    spec: ToolSpec | None
    said: Any = field(repr=False)
    work: Callable[[Call], str] = field(repr=False)
    access: Access | None = None
    ended: Outcome | None = field(default=None, repr=False)

    @property
    def kind(self) -> ToolKind:
        """What this call does; its headline may differ from its tool."""
        return self.started.headline.kind or self.started.kind


def prepare(tools: Mapping[str, AnyTool], call: ToolCall, call_id: str) -> PreparedCall:
    """Find the tool and structure the arguments; no I/O, never raises."""
    tool = tools.get(call.name)
    if tool is None:
        started = StartedCall(call_id=call_id, tool=call.name, kind=ToolKind.OTHER, family="", headline=_NO_HEADLINE)
        failure = ToolFailure(_unknown_tool(call.name, tuple(tools)))
        return PreparedCall(started=started, spec=None, said=call.arguments, work=_raising(failure))
    spec = tool.spec
    announce = partial(StartedCall, call_id=call_id, tool=spec.name, kind=spec.kind, family=spec.family)
    try:
        parsed = parse(call.arguments, spec)
    except ArgumentsRefused as refused:
        started = announce(headline=_NO_HEADLINE)
        return PreparedCall(started=started, spec=spec, said=call.arguments, work=_raising(refused))
    try:
        headline = tool.headline(parsed.value)
    except Exception as bug:  # noqa: BLE001 - raised when the call runs, so that it is observed as one
        started = announce(headline=_NO_HEADLINE, arguments=parsed.sent)
        return PreparedCall(started=started, spec=spec, said=parsed.sent, work=_raising(bug))
    started = announce(headline=headline, arguments=parsed.sent)
    return PreparedCall(
        started=started,
        spec=spec,
        said=parsed.sent,
        work=partial(tool.execute, parsed.value),
        access=access(headline.kind or spec.kind, headline, exclusive=spec.exclusive),
    )


def refuse_company(prepared: PreparedCall) -> PreparedCall:
    """Turn an exclusive tool's call among others into its refusal."""
    name = prepared.started.tool
    failure = ToolFailure(f"{name} must be the only call of its response; it was not run. Call it again, alone")
    return evolve(prepared, work=_raising(failure), access=None)


def _raising(failure: Exception) -> Callable[[Call], str]:
    def fail(_: Call) -> str:
        raise failure

    return fail


def _unknown_tool(name: str, known: tuple[str, ...]) -> str:
    return f"there is no tool {name[:100]!r}. Available tools: {', '.join(known)}"
