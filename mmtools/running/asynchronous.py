"""The async side: one worker thread per call, cancelled as one, and questions answered on the host's loop."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextvars
import inspect
import queue
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import TypeVar

from mmtools.call import Cancellation
from mmtools.errors import Cancelled
from mmtools.ports.permission import Decision, Permission, PermissionRequest
from mmtools.running.live_call import WITHDRAWN, Ask
from mmtools.running.workers import Workers

__all__ = ["ask", "called", "in_thread", "is_asked_on_loop", "resolve"]

ResultT = TypeVar("ResultT")


async def in_thread(work: Callable[[Cancellation], ResultT], workers: Workers) -> ResultT:
    """
    Run blocking work in a thread.

    When the task is cancelled, the work is told to stop, and the cancellation goes on only when it
    has: no child process outlives its call.

    Args:
        work: Gets the switch that stops it.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[ResultT] = loop.create_future()
    cancellation = Cancellation()

    context = contextvars.copy_context()

    def run() -> Callable[[], None]:
        try:
            settle = partial(done.set_result, context.run(work, cancellation))
        except BaseException as error:  # noqa: BLE001 - carried over to the task, which raises it
            settle = partial(done.set_exception, error)

        def tell() -> None:
            # A closed loop has nobody left who waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(settle)

        return tell

    workers.start(run)
    try:
        return await asyncio.shield(done)
    except asyncio.CancelledError:
        cancellation.request()
        while not done.done():
            with suppress(asyncio.CancelledError):
                await asyncio.wait([done])
        done.exception()
        raise


async def called(subscribe: Callable[[Callable[[], object]], object]) -> None:
    """
    Wait for a call from any thread.

    Args:
        subscribe: Gets the function that is to be called.
    """
    loop = asyncio.get_running_loop()
    come = asyncio.Event()

    def tell() -> None:
        # A closed loop has nobody left who waits.
        with suppress(RuntimeError):
            loop.call_soon_threadsafe(come.set)

    subscribe(tell)
    await come.wait()


def resolve(answer: Decision | Awaitable[Decision]) -> Decision:
    """Wait for an answer that may be a coroutine, where no host's loop is ours to use."""
    if not inspect.isawaitable(answer):
        return answer
    replies: queue.SimpleQueue[Decision | BaseException] = queue.SimpleQueue()

    async def wait() -> Decision:
        return await answer

    def run() -> None:
        try:
            replies.put(asyncio.run(wait()))
        except BaseException as error:  # noqa: BLE001 - carried over to the asking thread, which raises it
            replies.put(error)

    # A thread of its own: the caller's may be running a loop.
    _asking_thread(run).join()
    return _unwrap(replies.get())


def ask(permission: Permission) -> Ask:
    """
    Ask from a worker thread of this loop: on the loop itself where `decide` is a coroutine function.

    Returns:
        A function that blocks until the answer, or raises `Cancelled` as soon as the call is cancelled.
    """
    if is_asked_on_loop(permission):
        return _ask_on_loop(asyncio.get_running_loop(), permission)
    return _ask_in_thread(permission)


def is_asked_on_loop(permission: Permission) -> bool:
    """Whether `decide` is a coroutine function."""
    return inspect.iscoroutinefunction(permission.decide)


def _ask_on_loop(loop: asyncio.AbstractEventLoop, permission: Permission) -> Ask:
    """Withdraw the question when the call is cancelled."""

    def ask(request: PermissionRequest, cancellation: Cancellation) -> Decision:
        async def wait() -> Decision:
            answer = permission.decide(request)
            return await answer if inspect.isawaitable(answer) else answer

        future = asyncio.run_coroutine_threadsafe(wait(), loop)
        unsubscribe = cancellation.subscribe(future.cancel)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise Cancelled(WITHDRAWN) from None
        finally:
            unsubscribe()

    return ask


def _ask_in_thread(permission: Permission) -> Ask:
    """Leave the question to itself when the call is cancelled: it need not wait for a person."""

    def ask(request: PermissionRequest, cancellation: Cancellation) -> Decision:
        replies: queue.SimpleQueue[Decision | BaseException] = queue.SimpleQueue()

        def run() -> None:
            try:
                replies.put(resolve(permission.decide(request)))
            except BaseException as error:  # noqa: BLE001 - carried over to the asking thread, which raises it
                replies.put(error)

        unsubscribe = cancellation.subscribe(lambda: replies.put(Cancelled(WITHDRAWN)))
        _asking_thread(run)
        try:
            return _unwrap(replies.get())
        finally:
            unsubscribe()

    return ask


def _asking_thread(run: Callable[[], None]) -> threading.Thread:
    # In the call's context: what a permission calls is called from inside this call.
    thread = threading.Thread(target=contextvars.copy_context().run, args=(run,), name="mmtools-ask", daemon=True)
    thread.start()
    return thread


def _unwrap(reply: Decision | BaseException) -> Decision:
    if isinstance(reply, BaseException):
        raise reply
    return reply
