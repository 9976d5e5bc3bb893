"""Why a page on the web was not fetched: what is wrong with its URL, or where the way to it ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from attrs import frozen

from mmtools.call import GrantScope
from mmtools.core.web.addresses import NotPublic
from mmtools.core.web.urls import BadUrl, Fault, Url
from mmtools.ports.web import (
    AddressRefused,
    BadAnswer,
    FetchCancelled,
    NameUnknown,
    NotConnected,
    NotTrusted,
    TooSlow,
    WebProblem,
)
from mmtools.tools.wording import phrases

__all__ = ["FetchTerms", "fault", "unfetched"]


@frozen(kw_only=True)
class FetchTerms:
    """
    The names of a dialect's contract for what an answer mentions.

    Args:
        tool, url: Wire names, of the tool and of its argument.
        scope: What an "always" covers; None asks nothing.
    """

    tool: str
    url: str
    scope: GrantScope | None


def unfetched(problem: WebProblem, visited: Sequence[Url], tool: str, *, limit_s: float) -> str:
    """
    Say why there is no page, and what to do.

    Args:
        visited: The URLs on the way, the one where it ended last.
        limit_s: For all requests together.
    """
    url = visited[-1]
    led = f" (redirected from {visited[0].text})" if len(visited) > 1 else ""
    return f"[{tool}: {url.text}{led}: {_reason(problem, url, limit_s)}]"


def _reason(problem: WebProblem, url: Url, limit_s: float) -> str:
    reason = problem.reason
    match problem:
        case FetchCancelled():
            return "the fetch was cancelled"
        case TooSlow():
            return (
                f"timed out waiting for {reason}; {phrases.seconds(limit_s)} s are allowed for all of it. "
                "Try again later, or look for another page"
            )
        case AddressRefused(host=host, judged=judged):
            return f"refused: {_leads(host, judged)}; only public addresses are fetched"
        case NameUnknown():
            return f"the name {url.host_text} was not found: {reason}; check its spelling"
        case NotTrusted():
            return (
                f"{url.host_text} could not prove who it is: {reason}; "
                "nothing was sent. Do not go around it; tell the user"
            )
        case NotConnected():
            return f"no connection to {url.host_text}, port {url.port}: {reason}; try again later"
        case BadAnswer():
            return f"the answer cannot be read: {reason}; try again, or look for another page"
        case WebProblem():
            return f"not fetched: {reason or 'the server could not be asked'}; try again later"


def _leads(host: str, judged: NotPublic | None) -> str:
    if judged is None:
        return f"{host} is this machine"
    where = f"{judged.address}" + (f", which stands for {judged.inner}" if judged.inner else "")
    return f"{where if host == str(judged.address) else f'{host} is {where}'} ({judged.block})"


def fault(bad: BadUrl) -> str:
    """Say what is wrong with a URL, and what to send instead."""
    detail = bad.detail
    match bad.fault:
        case Fault.EMPTY:
            return "it is empty; send a whole one, such as https://example.com/page"
        case Fault.CONTROL_CHARACTER:
            return f"character {detail} is a control character or a line end; send one URL without it"
        case Fault.HALF_CHARACTER:
            return "it holds half of a surrogate pair; send the whole character"
        case Fault.TOO_LONG:
            return f"it has {detail} characters, more than servers take; send a shorter one"
        case Fault.NO_SCHEME:
            return f"it has no scheme; send https://{_printable(detail)}"
        case Fault.OTHER_SCHEME:
            return f"only http and https are fetched, not {_printable(detail)}"
        case Fault.NO_SLASHES:
            return f"two slashes are missing after the scheme; send https://{_printable(detail)}"
        case Fault.BACKSLASH:
            return "it holds a backslash where only a slash can stand; write /"
        case Fault.CREDENTIALS:
            return "a name or password before the host (the part up to @) is never sent; leave it out"
        case Fault.HOST:
            return f"the host cannot be read: {_printable(detail)}; send a name such as example.com"
        case Fault.PORT:
            return f"{_printable(detail)!r} is no port; leave it out, or send a number from 1 to 65535"
        case Fault.OTHER_SERVICE:
            return f"port {detail} belongs to another service than the web, and is never asked"
        case never:
            assert_never(never)


def _printable(text: str) -> str:
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)
