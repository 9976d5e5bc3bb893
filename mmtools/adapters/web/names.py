"""Names looked up, once per request, in a thread that nobody has to wait for."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from typing import TypeAlias

from mmtools.adapters.web.watch import Watch
from mmtools.core.web.addresses import Address
from mmtools.ports.web import NameUnknown, TooSlow

__all__ = ["Resolve", "addresses_of", "system_addresses"]

#: A name → its addresses, as text, best first. It may raise OSError.
Resolve: TypeAlias = Callable[[str], Sequence[str]]


def system_addresses(name: str) -> Sequence[str]:
    """Ask the system's resolver, as every program does."""
    found = socket.getaddrinfo(name.encode("ascii"), None, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def addresses_of(name: str, resolve: Resolve, watch: Watch, *, limit_s: float) -> tuple[Address, ...]:
    """
    Look a name up.

    Args:
        name: ASCII.
        limit_s: For the lookup alone.

    Raises:
        NameUnknown: It has no address, or not one that can be read.
        TooSlow, FetchCancelled: No answer in time; the lookup is left to itself.
    """
    answers: queue.SimpleQueue[Sequence[str] | OSError | None] = queue.SimpleQueue()

    def look_up() -> None:
        answer: Sequence[str] | OSError | None = None
        try:
            answer = resolve(name)
        except OSError as error:
            answer = error
        finally:
            answers.put(answer)

    threading.Thread(target=look_up, name="mmtools-resolver", daemon=True).start()
    watch.wake(lambda: answers.put(None))
    try:
        answer = answers.get(timeout=min(limit_s, watch.left_s))
    except queue.Empty:
        watch.check("the name's address")
        raise TooSlow("the name's address") from None
    watch.check("the name's address")
    if isinstance(answer, OSError):
        raise NameUnknown(answer.strerror or type(answer).__name__) from answer
    if not answer:
        raise NameUnknown("it has no address")
    try:
        return tuple(ip_address(text) for text in answer)
    except ValueError as error:
        raise NameUnknown("the resolver answered what is no address") from error
