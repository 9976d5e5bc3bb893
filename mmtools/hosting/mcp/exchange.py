"""One `tools/call` request, from the moment it came in until it is answered."""

from __future__ import annotations

from typing import Any, TypeAlias

from attrs import define, field
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitRequestFormParams
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from mmtools.hosting.mcp import questions
from mmtools.hosting.mcp.live_output import LiveOutput
from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["Context", "Exchange"]

Context: TypeAlias = "ServerRequestContext[Any, Any]"

_NO_FORM = Decision(
    Choice.REJECT_ONCE,
    "(refused by policy: this client cannot show a question, so nobody can be asked; go on with what needs no "
    "permission, or tell the user to start the server with another --allow)",
)


@define(eq=False)
class Exchange:
    """
    One call on its way for the client that sent it.

    Args:
        question: What the client has to ask a person before the call can go on, once the call has come to it.
    """

    context: Context
    output: LiveOutput = field(init=False)
    question: PermissionRequest | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.output = LiveOutput(self._report)

    async def ask(self, request: PermissionRequest) -> Decision:
        """
        Ask the person at the client.

        Up to MCP 2025-11-25 that is a request to the client, answered while the call waits. From 2026-07-28 on a server
        sends no requests: the call is put off, and the client sends it again together with the answer.
        """
        session = self.context.session
        if not self._client_shows_forms():
            return _NO_FORM
        if session.can_send_request:
            form = questions.request(request).params
            assert isinstance(form, ElicitRequestFormParams)
            try:
                result = await session.elicit_form(form.message, form.requested_schema, self.context.request_id)
            except MCPError as error:
                return Decision(Choice.REJECT_ONCE, f"(refused by policy: the client could not ask: {error.message})")
            return questions.answer(result)
        if session.protocol_version in MODERN_PROTOCOL_VERSIONS:
            self.question = request
            return Decision(Choice.DEFER)
        return _NO_FORM

    def _client_shows_forms(self) -> bool:
        capabilities = self.context.session.client_capabilities
        elicitation = None if capabilities is None else capabilities.elicitation
        # A client of before 2025-11-25 says only that it has elicitation; forms were all there was.
        return elicitation is not None and (elicitation.form is not None or elicitation.url is None)

    async def _report(self, seen: int, text: str) -> None:
        await self.context.session.report_progress(seen, None, text)
