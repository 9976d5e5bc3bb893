"""A web that answers by a script, and an extractor that finds what it is told to."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from mmtools.call import Cancellation
from mmtools.core.web import media_types
from mmtools.core.web.addresses import judge
from mmtools.core.web.hosts import HostName, is_local_name
from mmtools.core.web.urls import Url
from mmtools.core.web.visible_text import Seen
from mmtools.ports.web import (
    AddressRefused,
    BodyEnd,
    FetchCancelled,
    Fetched,
    PagesUnavailable,
    Redirected,
    TooSlow,
    WebProblem,
)

__all__ = ["Redirect", "Reply", "ScriptedPages", "ScriptedWeb"]


@frozen(kw_only=True)
class Reply:
    """
    The script of a server's answer.

    Args:
        content_type: As a header; "" for a server that sends none.
        takes_s: What it is said to have taken; nobody waits. More than is allowed means that time is up.
    """

    body: bytes = b""
    content_type: str = "text/html; charset=utf-8"
    status: int = 200
    end: BodyEnd = BodyEnd.WHOLE
    declared_bytes: int | None = None
    takes_s: float = 0.0


@frozen
class Redirect:
    """The script of a redirect."""

    location: str
    status: int = 302
    takes_s: float = 0.0


class ScriptedWeb:
    """
    A fetcher that answers each URL as its script says, and records what was asked for.

    Addresses and names that mean this machine are refused as by a real fetcher; other names are public.

    Args:
        scripts: URL → what its server does; a string is an HTML page, a problem is raised.
    """

    def __init__(self, scripts: Mapping[str, str | Reply | Redirect | WebProblem] | None = None) -> None:
        self.scripts = dict(scripts or {})
        self.asked: list[str] = []

    def check(self, url: Url) -> None:
        if isinstance(url.host, HostName):
            if is_local_name(url.host):
                raise AddressRefused(url.host_text)
        elif judged := judge(url.host):
            raise AddressRefused(url.host_text, judged)

    def fetch(self, url: Url, *, limit_s: float, cancellation: Cancellation) -> Fetched | Redirected:
        self.check(url)
        if cancellation.requested:
            raise FetchCancelled
        assert url.text in self.scripts, f"no script for {url.text!r}; there are {sorted(self.scripts)}"
        self.asked.append(url.text)
        script = self.scripts[url.text]
        if isinstance(script, WebProblem):
            raise script
        if isinstance(script, str):
            script = Reply(body=script.encode())
        if script.takes_s > limit_s:
            raise TooSlow("an answer")
        if isinstance(script, Redirect):
            return Redirected(url=url, status=script.status, location=script.location, took_s=script.takes_s)
        return Fetched(
            url=url,
            status=script.status,
            media_type=media_types.parse(script.content_type),
            body=script.body,
            end=script.end,
            declared_bytes=script.declared_bytes,
            took_s=script.takes_s,
        )


class ScriptedPages:
    """A reader that finds the main text that it is given, whatever the page; None finds none, a problem is raised."""

    def __init__(self, found: str | PagesUnavailable | None = None) -> None:
        self.found = found
        self.pages: list[str] = []

    def main_text(self, page: str, seen: Seen) -> str | None:
        self.pages.append(page)
        if isinstance(self.found, PagesUnavailable):
            raise self.found
        return self.found
