"""A tool of an MCP server, offered as `<server>__<tool>`. Source: crab tools page, "Adding tools"."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from mmtools.call import GrantScope, Headline, Proposal, RemotePreview, Report, Status, ToolKind
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.remote_tool_problems import Interrupted, NoAnswer, RemoteToolProblem
from mmtools.ports.remote_tools import RemoteTool, RemoteTools
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import remote as wording

__all__ = ["NamespacedTool"]


@frozen(kw_only=True)
class NamespacedTool:
    """
    A tool that has a server carry out a call, and shows what it answers.

    Args:
        name: Under which the tool is offered; unique, and never read to find the server.
        max_output: Characters of text in one answer; notes and markers come on top.

    Needs:
        remote: To call the tool.

    Asks:
        For every call, unless the host believes the server that the tool only reads; an "always" covers every call
        of this tool.

    Fails:
        Arguments that cannot be sent; refused; cancelled; a server that cannot be started, ends during the call or
        refuses it. A timeout and an answer that the server calls a failure are results:
        `[error: 30s timeout exceeded; …]`, `[error: the server reports that the call failed]`.

    Source:
        crab tools page, "Adding tools"; decisions D8, D14, D16.
    """

    remote: RemoteTools
    tool: RemoteTool
    name: str
    max_output: int = 30_000

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            name=self.name,
            kind=ToolKind.READ if self.tool.reads else ToolKind.OTHER,
            family="mcp",
            description=self.tool.description or f"{self.tool.name}, a tool of the MCP server {self.tool.server}.",
            arguments=self.tool.schema,
        )

    def headline(self, arguments: Mapping[str, Any]) -> Headline:
        return Headline(text=json.dumps(arguments, ensure_ascii=False, default=str) if arguments else "(no arguments)")

    def execute(self, arguments: Mapping[str, Any], call: Call) -> str:
        _refuse_unsendable(arguments, self.name)
        if not self.tool.reads:
            call.approve(self._proposal(arguments))
        try:
            answer = self.remote.call(self.tool, arguments, cancellation=call.cancellation)
        except NoAnswer as problem:
            call.report(Report(status=Status.TIMED_OUT))
            return wording.timed_out(problem)
        except Interrupted as problem:
            raise Cancelled(wording.no_answer(problem, self.name)) from problem
        except RemoteToolProblem as problem:
            raise ToolFailure(wording.no_answer(problem, self.name)) from problem
        shown = wording.shown(answer, self.max_output)
        call.report(
            Report(
                status=Status.FAILED if answer.failed else Status.OK,
                media=wording.media(answer),
                truncated=shown.truncated,
            )
        )
        return shown.text

    def _proposal(self, arguments: Mapping[str, Any]) -> Proposal:
        return Proposal(
            title=" ".join(f"call {self.tool.name} of the MCP server {self.tool.server}".split()),
            preview=RemotePreview(self.tool.server, self.tool.name, arguments),
            scope=GrantScope(f"mcp:{self.name}", f"every call of {self.name} in this session"),
            refusal=f"[{self.name} rejected by the user]",
        )


def _refuse_unsendable(arguments: Mapping[str, Any], name: str) -> None:
    try:
        json.dumps(arguments, ensure_ascii=False, allow_nan=False).encode()
    except UnicodeEncodeError as error:
        raise ArgumentsRefused(
            f"[{name}: the arguments hold half of a surrogate pair; send the whole character]"
        ) from error
    except (TypeError, ValueError, RecursionError) as error:
        raise ArgumentsRefused(f"[{name}: the arguments are no JSON: {error}]") from error
