"""A question about a call in a LangGraph graph: an interrupt, which the graph's checkpointer keeps with what was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from attrs import field, frozen
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.errors import GraphInterrupt
from langgraph.types import interrupt

from mmtools.call import ToolCall
from mmtools.hosting import answers, langchain_approvals
from mmtools.pending import PendingCall

__all__ = ["Node", "Question", "given"]


@frozen
class Question:
    """
    What a graph is interrupted with.

    Args:
        place: How many answers the node had before.
    """

    record: PendingCall
    place: int

    def ask(self) -> None:
        """Interrupt the graph."""
        question = {**langchain_approvals.request(self.record), "place": self.place}
        interrupt(question, response_schema=langchain_approvals.ANSWERS)


@frozen
class Node:
    """
    The run of a graph's node that makes a call. After an interrupt, the graph runs it again from its start.

    Args:
        name: The same when it is run again.
        saver: None where the graph keeps nothing, and so cannot go on after an interrupt.
        checkpoint: Where the node's interrupts are kept.
    """

    name: str
    saver: BaseCheckpointSaver[Any] | None
    checkpoint: RunnableConfig
    _path: Sequence[object]
    _state: object = field(repr=False)

    @classmethod
    def of(cls, config: RunnableConfig, state: object) -> Self | None:
        """Return the node that makes a call; None outside any graph."""
        metadata, known = config.get("metadata") or {}, config.get("configurable") or {}
        name = metadata.get("langgraph_checkpoint_ns")
        if name is None:
            return None
        graph = name.rpartition("|")[0]
        place = {"checkpoint_ns": graph, "checkpoint_id": known.get("checkpoint_map", {}).get(graph)}
        checkpoint: RunnableConfig = {"configurable": {"thread_id": known.get("thread_id"), **place}}
        return cls(name, known.get("__pregel_checkpointer"), checkpoint, metadata["langgraph_path"], state)

    @property
    def is_shared(self) -> bool:
        """
        Whether the node makes all calls of a response: an interrupt for one would run all of them again.

        A graph that sends each call to the node by its own `Send`, as `create_agent` does, keeps them apart.
        """
        if self._path[0] != "__pregel_pull" or self._state is None:
            return False
        messages = self._state if isinstance(self._state, Sequence) else _messages(self._state)
        response = next((each for each in reversed(messages) if isinstance(each, AIMessage)), None)
        return response is None or len(response.tool_calls) > 1

    def asked(self, call: ToolCall) -> Question | None:
        """Return the last question that was asked about a call, if there was one."""
        return None if self.saver is None else _about(call, self.saver.get_tuple(self.checkpoint))

    async def aasked(self, call: ToolCall) -> Question | None:
        """Do as `asked` does."""
        return None if self.saver is None else _about(call, await self.saver.aget_tuple(self.checkpoint))


def given() -> list[Any]:
    """Return the node's answers, oldest first."""
    return list(iter(_next_answer, None))


def _next_answer() -> Any:
    try:
        return interrupt(None)
    except GraphInterrupt:
        return None


def _about(call: ToolCall, kept: CheckpointTuple | None) -> Question | None:
    writes = () if kept is None else kept.pending_writes or ()
    for value in [each.value for _, channel, raised in writes if channel == "__interrupt__" for each in raised]:
        match value:
            case {"tool_call_id": call.call_id, "name": call.name, "pending": pending, "place": int(place)}:
                return Question(answers.recorded(pending, tool=call.name, call_id=call.call_id), place)
    return None


def _messages(state: object) -> Sequence[object]:
    found = state.get("messages") if isinstance(state, Mapping) else getattr(state, "messages", None)
    return found if isinstance(found, Sequence) else ()
