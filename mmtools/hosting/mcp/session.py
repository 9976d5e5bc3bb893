"""One client's session: a Runner of its own, with its ledger, its loop detector and its grants."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeAlias

import anyio
from attrs import define, field
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, CallToolRequestParams, CallToolResult, ElicitResult, InputRequiredResult, Tool

from mmtools import providers
from mmtools.call import Outcome, Status
from mmtools.errors import LoopStopped
from mmtools.hosting.live import LiveDisplay, listening
from mmtools.hosting.mcp import questions, results
from mmtools.hosting.mcp.asking import Asking
from mmtools.hosting.mcp.exchange import Context, Exchange
from mmtools.pending import PendingCall
from mmtools.ports.display import Display
from mmtools.ports.permission import Permission
from mmtools.runner import Runner

__all__ = ["Answer", "OpenRunner", "Session"]

Answer: TypeAlias = CallToolResult | InputRequiredResult

#: Makes a client's Runner, given who asks the person at that client, and where live output goes.
OpenRunner: TypeAlias = Callable[[Permission, Display], Runner]

#: The one question of a result that asks for input.
_QUESTION = "permission"


@define(eq=False)
class Session:
    """The server of one client's calls."""

    runner: Runner
    _exchanges: dict[str, Exchange]
    _retired: bool = field(init=False, default=False)
    _numbers: Iterator[int] = field(init=False, factory=lambda: itertools.count(1))

    @classmethod
    def open(cls, open_runner: OpenRunner) -> Session:
        """Start a session; may take as long as starting language servers does."""
        exchanges: dict[str, Exchange] = {}
        return cls(open_runner(Asking(exchanges), LiveDisplay()), exchanges)

    def tools(self) -> list[Tool]:
        """Return the declarations, with our schemas as they are."""
        return [Tool.model_validate(declared, by_name=False) for declared in providers.mcp(self.runner.specs)]

    async def call(self, context: Context, params: CallToolRequestParams) -> Answer:
        """Serve one call: a new one, or one that comes again with the answer to its question."""
        exchange = Exchange(context)
        work: Awaitable[Outcome]
        if params.request_state is None:
            call_id = f"mcp-{next(self._numbers)}"
            work = self.runner.acall(params.name, params.arguments, call_id=call_id)
        else:
            call_id, work = self._resumed(params.request_state, params)
        self._exchanges[call_id] = exchange
        try:
            with listening(exchange.output.feed):
                outcome = await _uninterrupted(work)
            await exchange.output.close()
        except LoopStopped as stop:
            return results.stopped(stop)
        finally:
            exchange.output.drop()
            del self._exchanges[call_id]
            await self._leave()
        return _answer(outcome, exchange)

    async def retire(self) -> None:
        """Close as soon as no call is being served."""
        self._retired = True
        await self._leave()

    async def close(self) -> None:
        """Stop all that still runs."""
        with anyio.CancelScope(shield=True):
            await asyncio.to_thread(self.runner.close)

    async def _leave(self) -> None:
        if self._retired and not self._exchanges:
            await self.close()

    def _resumed(self, state: str, params: CallToolRequestParams) -> tuple[str, Awaitable[Outcome]]:
        # The boundary has opened it: it is what this process once sent about this very call.
        pending = PendingCall.from_json(state)
        reply = (params.input_responses or {}).get(_QUESTION)
        if reply is not None and not isinstance(reply, ElicitResult):
            raise MCPError(INVALID_PARAMS, f"the answer to {_QUESTION!r} is not that of a form")
        return pending.call_id, self.runner.aresume(pending, questions.answer(reply))


def _answer(outcome: Outcome, exchange: Exchange) -> Answer:
    if outcome.status is not Status.PENDING or exchange.question is None:
        return results.finished(outcome)
    return InputRequiredResult(
        input_requests={_QUESTION: questions.request(exchange.question)},
        request_state=outcome.pending,
        result_type="input_required",
    )


async def _uninterrupted(work: Awaitable[Outcome]) -> Outcome:
    """
    Wait for a call; cancelled, wait until it has stopped.

    A cancelled scope of anyio cancels again and again whatever waits inside it, and a Runner stops its work at the first.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        task.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait([task])
        if not task.cancelled():
            task.exception()
        raise
