"""
One session with an editor: the calls of a runner shown in it, their questions asked in it.

    tool_call pending → request_permission → in_progress → completed or failed
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeAlias, TypeVar

from attrs import define, field

from mmtools.call import ToolKind
from mmtools.errors import DefinitionError
from mmtools.hosting import answers
from mmtools.hosting.acp import contents, editor_text, sdk
from mmtools.hosting.acp.editor_permission import EditorPermission, understood
from mmtools.hosting.acp.host_loop import HostLoop
from mmtools.hosting.acp.outbox import Outbox
from mmtools.hosting.acp.sdk import schema
from mmtools.hosting.acp.shown_calls import ShownCall, ShownCalls
from mmtools.hosting.acp.turns import Turns
from mmtools.ports.display import FinishedCall, StartedCall
from mmtools.ports.permission import Decision, Permission, PermissionRequest, Resettable

__all__ = ["AcpSession", "Update"]

Update: TypeAlias = schema.ToolCallStart | schema.ToolCallProgress | schema.AgentMessageChunk | schema.AgentPlanUpdate

ResultT = TypeVar("ResultT")

#: Such calls begin at once: below the roots they never wait for anybody.
_UNASKED = frozenset({ToolKind.READ, ToolKind.SEARCH, ToolKind.THINK})

#: 100 ms before an update of a call that runs: each carries its last lines again, and a quick end makes it needless.
_SHOWN_AFTER_S = 0.1


@define(eq=False)
class AcpSession:
    """
    The Permission and the Display of one session: hand it to a runner as both.

    Make it in the coroutine that serves `session/new`, and call the runner by `acall` or `acall_many`: a runner that
    blocks the connection's event loop could never be answered.

    Args:
        connection: The SDK's, to the editor.
        policy: What stands around the person: `Remember`, or `lambda ask: Rules([…], inner=Remember(ask))`. It gets
            the permission that asks in the editor; one that remembers nothing turns an "always" into a "once".
        capabilities: What the editor offered at `initialize`.
    """

    connection: sdk.Client
    session_id: str
    policy: Callable[[Permission], Permission] = field(kw_only=True)
    capabilities: schema.ClientCapabilities | None = field(kw_only=True, default=None)
    host_loop: HostLoop = field(init=False, factory=HostLoop)
    _permission: Permission = field(init=False)
    _calls: ShownCalls = field(init=False, factory=ShownCalls)
    _lock: threading.Lock = field(init=False, factory=threading.Lock)
    _outbox: Outbox[Update] = field(init=False)
    _turns: Turns = field(init=False, factory=Turns)

    def __attrs_post_init__(self) -> None:
        self._permission = self.policy(EditorPermission(self._ask))
        self._outbox = Outbox(partial(self.connection.session_update, self.session_id), self.host_loop)

    async def turn(self, work: Coroutine[Any, Any, None]) -> schema.StopReason:
        """
        Do the work of one `session/prompt`, and return when the editor was sent all of it.

        Returns:
            `end_turn`; `cancelled` after `cancel`; `max_turn_requests` when a `LoopStopped` ended it, whose text the
            editor was shown.

        Raises:
            RequestError: The turn before is still going on.
        """
        with self._turns.begin(work) as turn:
            with self._lock:
                self._calls.new_turn()
            reason = await turn.reason(self.say)
        await self.flush()
        return reason

    def cancel(self) -> None:
        """Serve `session/cancel`: stop the turn's work, and the process trees of its calls with it."""
        self._turns.cancel()

    def say(self, text: str) -> None:
        """Show what the model says, after all that was shown before."""
        block = schema.TextContentBlock(type="text", text=answers.encodable(text))
        self.send(schema.AgentMessageChunk(session_update="agent_message_chunk", content=block))

    def send(self, update: Update) -> None:
        """Send any update, after all that was sent before; from any thread."""
        self._outbox.put(update)

    async def flush(self) -> None:
        """Return when the editor was sent all updates so far."""
        await self._outbox.flush()

    def wait_for(self, question: Coroutine[Any, Any, ResultT]) -> ResultT:
        """
        Ask the editor from a tool's thread, after all updates so far, and block until it has answered.

        Raises:
            Cancelled: The connection's loop ends.
            DefinitionError: This is that loop's own thread.
        """
        try:
            return self.host_loop.wait_for(self._in_turn(question))
        except DefinitionError:
            question.close()
            raise

    async def decide(self, request: PermissionRequest) -> Decision:
        return await self.host_loop.run(self._decide(request))

    def reset(self) -> None:
        if isinstance(self._permission, Resettable):
            self._permission.reset()

    def started(self, call: StartedCall) -> None:
        kind = call.headline.kind or call.kind
        with self._lock:
            shown = self._calls.add(call)
            self.send(
                schema.ToolCallStart(
                    session_update="tool_call",
                    tool_call_id=shown.tool_call_id,
                    title=shown.title,
                    kind=kind.value,
                    status="in_progress" if kind in _UNASKED else "pending",
                    locations=contents.locations(call.headline.locations) or None,
                    raw_input=None if call.arguments is None else editor_text.carried(call.arguments),
                )
            )

    def output(self, call_id: str, text: str) -> None:
        with self._lock:
            shown = self._calls.find(call_id)
            if shown is None or shown.terminal_id is not None:
                return
            shown.live.feed(text)
            self._show_soon(shown)

    def finished(self, call: FinishedCall) -> None:
        outcome = call.outcome
        with self._lock:
            shown = self._calls.end(call.call)
            if shown is None:
                return
            known = call.call.headline.locations
            said = contents.answer(outcome)
            if shown.terminal_id is not None and not outcome.media:
                # The terminal has shown it.
                said = [schema.TerminalToolCallContent(type="terminal", terminal_id=shown.terminal_id)]
            self._update(
                shown,
                status=contents.status(outcome.status),
                content=said,
                locations=None if outcome.locations == known else contents.locations(outcome.locations),
                raw_output={"status": outcome.status.value, "text": outcome.text},
            )

    def embed(self, terminal_id: str) -> None:
        """Show a terminal of the editor's in the call that this thread serves."""
        with self._lock:
            shown = self._calls.served()
            if shown is None:
                return
            shown.terminal_id = terminal_id
            terminal = schema.TerminalToolCallContent(type="terminal", terminal_id=terminal_id)
            self._update(shown, status="in_progress", content=[terminal])

    async def _in_turn(self, question: Coroutine[Any, Any, ResultT]) -> ResultT:
        await self.flush()
        return await question

    async def _decide(self, request: PermissionRequest) -> Decision:
        answer = self._permission.decide(request)
        decision = await answer if inspect.isawaitable(answer) else answer
        if isinstance(decision, Decision) and decision.allowed:
            with self._lock:
                shown = self._calls.find(request.call_id)
                if shown is not None and shown.was_asked:
                    self._update(shown, status="in_progress", title=shown.title)
                elif shown is not None:
                    self._show_soon(shown)
        return decision

    async def _ask(self, request: PermissionRequest) -> Decision:
        with self._lock:
            shown = self._calls.find(request.call_id)
            if shown is not None:
                shown.was_asked = True
        await self.flush()
        offered = contents.options(request)
        answered = await self.connection.request_permission(
            session_id=self.session_id,
            tool_call=schema.ToolCallUpdate(
                tool_call_id=request.call_id if shown is None else shown.tool_call_id,
                title=contents.question_title(request),
                kind=request.kind.value,
                status="pending",
                content=contents.preview(request),
            ),
            options=offered,
        )
        return understood(answered, offered)

    def _show_soon(self, shown: ShownCall) -> None:
        if not shown.due:
            shown.due = True
            self.host_loop.soon(partial(self.host_loop.loop.call_later, _SHOWN_AFTER_S, self._show_running, shown))

    def _show_running(self, shown: ShownCall) -> None:
        with self._lock:
            shown.due = False
            if not shown.ended and shown.terminal_id is None:
                said = [contents.text(shown.live.shown())] if shown.live else None
                self._update(shown, status="in_progress", content=said)

    def _update(self, shown: ShownCall, **fields: Any) -> None:
        self.send(schema.ToolCallProgress(session_update="tool_call_update", tool_call_id=shown.tool_call_id, **fields))
