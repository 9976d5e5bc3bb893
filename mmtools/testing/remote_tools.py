"""Remote tools that answer from a script."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from mmtools.call import Cancellation
from mmtools.ports.remote_tool_problems import Interrupted, RemoteToolProblem, RemoteToolsClosed
from mmtools.ports.remote_tools import LeftOut, RemoteAnswer, RemoteTool, TextBlock

__all__ = ["Reaction", "ScriptedRemoteTools"]

#: An answer, a problem to raise, or what gives either for a tool and its arguments.
Reaction: TypeAlias = (
    RemoteAnswer | RemoteToolProblem | Callable[[RemoteTool, Mapping[str, Any]], "RemoteAnswer | RemoteToolProblem"]
)


class ScriptedRemoteTools:
    """
    A port that offers tools, answers each call with the next reaction, and keeps the calls.

    Args:
        reactions: In order; the last one goes on for ever. Without any, an answer names the tool.
    """

    def __init__(
        self,
        tools: Iterable[RemoteTool] = (),
        reactions: Iterable[Reaction] = (),
        *,
        left_out: Iterable[LeftOut] = (),
    ) -> None:
        self.tools = tuple(tools)
        self.left_out = tuple(left_out)
        self.calls: list[tuple[str, str, Mapping[str, Any]]] = []
        self.closed = False
        self._reactions = list(reactions) or [_name]

    def call(self, tool: RemoteTool, arguments: Mapping[str, Any], *, cancellation: Cancellation) -> RemoteAnswer:
        if self.closed:
            raise RemoteToolsClosed(tool.server)
        if cancellation.requested:
            raise Interrupted(tool.server)
        self.calls.append((tool.server, tool.name, arguments))
        reaction = self._reactions[0] if len(self._reactions) == 1 else self._reactions.pop(0)
        answer = reaction(tool, arguments) if callable(reaction) else reaction
        if isinstance(answer, RemoteToolProblem):
            raise answer
        return answer

    def close(self) -> None:
        self.closed = True


def _name(tool: RemoteTool, _: Mapping[str, Any]) -> RemoteAnswer:
    return RemoteAnswer(blocks=(TextBlock(f"{tool.server}: {tool.name}"),))
