"""
The course of one call in a LangGraph graph, which runs an interrupted node again from its start.

A call that was asked about is not made again: what was asked goes on, once there is an answer to exactly that.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Generator, MutableSet
from functools import partial
from typing import Any, TypeAlias

from attrs import evolve, frozen

from mmtools.call import Outcome, Status, ToolCall
from mmtools.hosting import langchain_approvals, langgraph_waiting
from mmtools.hosting.langgraph_waiting import Node, Question
from mmtools.pending import PendingCall
from mmtools.ports.permission import Decision
from mmtools.runner import Runner

__all__ = ["Asked", "CallSteps", "Step", "steps"]

#: Nodes and calls that this process has asked about.
Asked: TypeAlias = MutableSet[tuple[str, str | None]]


@frozen
class Step:
    """What a course waits for; its result is sent back to it."""

    now: Callable[[], Any]
    later: Callable[[], Awaitable[Any]]


#: Yields what it waits for; ends with the call's outcome.
CallSteps: TypeAlias = Generator[Step, Any, Outcome]


def steps(runner: Runner, call: ToolCall, node: Node | None, asked: Asked) -> CallSteps:
    """Take a call to its end, or to a question that interrupts the graph."""
    if node is None or node.saver is None:
        return (yield _make(runner, call))  # type: ignore[no-any-return] # what a step is answered with
    here, given = (node.name, call.call_id), langgraph_waiting.given()
    question: Question | None = None
    if given or here in asked:
        # None where the answers are to something else.
        question = yield Step(partial(node.asked, call), partial(node.aasked, call))
    if question is None or question.place < len(given):
        outcome: Outcome
        if question is None:
            outcome = yield _make(runner, call)
        else:
            asked.discard(here)
            outcome = yield _resume(runner, question.record, langchain_approvals.decision(given[question.place]))
        if outcome.pending is None:
            return outcome
        if node.is_shared:
            return _to_be_repeated(outcome)
        question = Question(PendingCall.from_json(outcome.pending), len(given))
    asked.add(here)
    question.ask()
    raise AssertionError("an interrupt returned although no answer was waiting")


def _make(runner: Runner, call: ToolCall) -> Step:
    made = (call.name, call.arguments)
    return Step(partial(runner.call, *made, call_id=call.call_id), partial(runner.acall, *made, call_id=call.call_id))


def _resume(runner: Runner, record: PendingCall, decision: Decision) -> Step:
    return Step(partial(runner.resume, record, decision), partial(runner.aresume, record, decision))


def _to_be_repeated(outcome: Outcome) -> Outcome:
    text = (
        f"[{outcome.tool}: nothing was done: it needs a decision, and that can be asked for only when it is the only "
        "call of its response. Make it again, alone]"
    )
    return evolve(outcome, text=text, status=Status.FAILED, pending=None)
