"""The way to a page: one request after the other, asked for, and the sentences for where it ends."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, assert_never

from attrs import frozen

from mmtools.call import GrantScope, Proposal, UrlPreview
from mmtools.core.web import urls
from mmtools.core.web.urls import BadUrl, Fault, Url
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.web import (
    AddressRefused,
    BadAnswer,
    FetchCancelled,
    Fetched,
    Fetcher,
    NameUnknown,
    NotConnected,
    NotTrusted,
    Redirected,
    TooSlow,
    WebProblem,
)
from mmtools.tool import Call

__all__ = ["Arrived", "Way", "fetching", "follow", "parsed"]

#: How many redirects are followed. Source: semantics 3.8.
_MAX_REDIRECTS = 10


@frozen(kw_only=True)
class Way:
    """
    How to get to a page.

    Args:
        tool: The wire name, for the sentences.
        asks: What to ask before a server is contacted that nobody agreed to; None asks nothing.
        limit_s: For all requests together; the time of questions does not count.
    """

    fetcher: Fetcher
    tool: str
    asks: Callable[[Url], Proposal] | None
    limit_s: float


@frozen
class Arrived:
    """
    The end of the way.

    Args:
        asked: The URL that the model sent.
    """

    fetched: Fetched
    asked: Url

    @property
    def redirected(self) -> bool:
        """Whether the page is elsewhere than it was looked for."""
        return self.fetched.url != self.asked


class _TimedOut(ToolFailure):
    """A page that did not come in time."""

    status: ClassVar[str] = "timed_out"


def fetching(url: Url, *, scope: GrantScope, refusal: str) -> Proposal:
    """Propose to fetch a page."""
    return Proposal(title=f"fetch: {url.text}", preview=UrlPreview(url.text), scope=scope, refusal=refusal)


def parsed(text: str, *, tool: str) -> Url:
    """
    Read the URL that a model sent.

    Raises:
        ArgumentsRefused: It is none that may be fetched; the text tells what to send instead.
    """
    url = urls.parse(text)
    if isinstance(url, BadUrl):
        raise ArgumentsRefused(f"[{tool}: url: {_fault(url)}]")
    return url


def follow(url: Url, call: Call, way: Way) -> Arrived:
    """
    Fetch a page, wherever redirects lead, and ask again where they leave the server that was agreed to.

    Raises:
        ToolFailure: There is no page; the text names the host at which it ended.
        PermissionRefused: Somebody said no.
    """
    agreed: list[Url] = []
    visited = [url]
    left_s = way.limit_s
    while True:
        url = visited[-1]
        try:
            way.fetcher.check(url)
            if way.asks is not None and not any(each.covers(url) for each in agreed):
                call.approve(way.asks(url))
                agreed.append(url)
            answer = way.fetcher.fetch(url, limit_s=left_s, cancellation=call.cancellation)
        except WebProblem as problem:
            raise _failure(problem, visited, way) from problem
        if isinstance(answer, Fetched):
            return Arrived(answer, visited[0])
        left_s -= answer.took_s
        visited.append(_next(answer, visited, way.tool))


def _next(answer: Redirected, visited: list[Url], tool: str) -> Url:
    """Find out where a redirect leads, and whether to go there."""
    place = f"{tool}: {answer.url.text}"
    target = urls.resolve(answer.url, answer.location)
    if isinstance(target, BadUrl):
        raise ToolFailure(f"[{place} redirects to what cannot be fetched: {_fault(target)}]")
    if target in visited:
        raise ToolFailure(
            f"[{place} redirects in a cycle, back to {target.text}; "
            "the site may want cookies or a login, which are never sent. Look for another page]"
        )
    if len(visited) > _MAX_REDIRECTS:
        raise ToolFailure(
            f"[{place}: more than {_MAX_REDIRECTS} redirects, the next one to {target.text}; "
            "fetch that one yourself if it is what you want]"
        )
    return target


def _failure(problem: WebProblem, visited: list[Url], way: Way) -> ToolFailure:
    url = visited[-1]
    led = f" (redirected from {visited[0].text})" if len(visited) > 1 else ""
    place = f"{way.tool}: {url.text}{led}"
    match problem:
        case FetchCancelled():
            return Cancelled(f"[{place}: the fetch was cancelled]")
        case TooSlow(reason=awaited):
            return _TimedOut(
                f"[{place}: timed out waiting for {awaited}; {_seconds(way.limit_s)} s are allowed for all of it. "
                "Try again later, or look for another page]"
            )
        case AddressRefused(host=host, judged=None):
            return ToolFailure(f"[{place}: refused: {host} is this machine; only public addresses are fetched]")
        case AddressRefused(host=host, judged=judged) if judged is not None:
            inner = f", which stands for {judged.inner}" if judged.inner else ""
            leads = f"{judged.address}{inner}" if host == str(judged.address) else f"{host} is {judged.address}{inner}"
            return ToolFailure(f"[{place}: refused: {leads} ({judged.block}); only public addresses are fetched]")
        case NameUnknown(reason=reason):
            return ToolFailure(f"[{place}: the name {url.host_text} was not found: {reason}; check its spelling]")
        case NotTrusted(reason=reason):
            return ToolFailure(
                f"[{place}: {url.host_text} could not prove who it is: {reason}; "
                "nothing was sent. Do not go around it; tell the user]"
            )
        case NotConnected(reason=reason):
            return ToolFailure(
                f"[{place}: no connection to {url.host_text}, port {url.port}: {reason}; try again later]"
            )
        case BadAnswer(reason=reason):
            return ToolFailure(f"[{place}: the answer cannot be read: {reason}; try again, or look for another page]")
        case WebProblem(reason=reason):
            return ToolFailure(f"[{place}: not fetched: {reason or 'the server could not be asked'}; try again later]")


def _fault(bad: BadUrl) -> str:
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


def _seconds(seconds: float) -> str:
    return str(int(seconds)) if float(seconds).is_integer() else str(seconds)
