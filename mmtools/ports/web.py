"""Pages on the web: fetched one hop at a time, and read for what they say."""

from __future__ import annotations

from enum import StrEnum
from typing import Protocol

from attrs import field, frozen

from mmtools.call import Cancellation
from mmtools.core.web.addresses import NotPublic
from mmtools.core.web.media_types import MediaType
from mmtools.core.web.urls import Url
from mmtools.core.web.visible_text import Seen
from mmtools.errors import MmtoolsError

__all__ = [
    "AddressRefused",
    "BadAnswer",
    "BodyEnd",
    "FetchCancelled",
    "Fetched",
    "Fetcher",
    "NameUnknown",
    "NotConnected",
    "NotTrusted",
    "Pages",
    "PagesUnavailable",
    "Redirected",
    "TooSlow",
    "WebProblem",
]


class BodyEnd(StrEnum):
    """Why a body ends where it does."""

    WHOLE = "whole"
    CAPPED = "capped"
    BROKEN_OFF = "broken off"


@frozen(kw_only=True)
class Fetched:
    """
    What a server answered.

    Args:
        status: Of HTTP; 200 or more, one of 4xx and 5xx as well.
        body: Decompressed; the beginning only, unless `end` says that it is whole.
        declared_bytes: How long the server said that the body is, as it was sent.
        took_s: From the call to the last byte.
    """

    url: Url
    status: int
    media_type: MediaType
    body: bytes = field(repr=False)
    end: BodyEnd = BodyEnd.WHOLE
    declared_bytes: int | None = None
    took_s: float = 0.0


@frozen(kw_only=True)
class Redirected:
    """
    A server's word that a page is elsewhere. Nobody has been there yet.

    Args:
        location: As the server sent it, perhaps relative, perhaps nonsense.
    """

    url: Url
    status: int
    location: str
    took_s: float = 0.0


class WebProblem(MmtoolsError):
    """
    The reason why a page could not be fetched. No text for a model: tools word it.

    Args:
        reason: The system's own words, or ours; never the server's.
    """

    def __init__(self, reason: str = "") -> None:
        super().__init__(reason)
        self.reason = reason


class AddressRefused(WebProblem):
    """
    A host that is not public; nothing was sent to it.

    Args:
        host: As the URL has it.
        judged: The address that it leads to; None for a name that means this machine.
    """

    def __init__(self, host: str, judged: NotPublic | None = None) -> None:
        super().__init__(host)
        self.host = host
        self.judged = judged


class NameUnknown(WebProblem):
    """A host's name that has no address."""


class NotConnected(WebProblem):
    """A connection that failed: no server could be reached."""


class NotTrusted(WebProblem):
    """A server that could not prove over TLS to be the one that was asked for."""


class BadAnswer(WebProblem):
    """A server's answer that is no HTTP, or is packed in a way that cannot be undone."""


class TooSlow(WebProblem):
    """A fetch whose time was up; `reason` tells what was being waited for."""


class FetchCancelled(WebProblem):
    """A call that was stopped."""


class Fetcher(Protocol):
    """A way to get pages: by GET, without cookies, credentials and proxies, and only from servers that are public."""

    def check(self, url: Url) -> None:
        """
        Refuse what can be refused without a network: an address that is not public, a name for this machine.

        Raises:
            AddressRefused: It would be refused by `fetch`.
        """
        ...

    def fetch(self, url: Url, *, limit_s: float, cancellation: Cancellation) -> Fetched | Redirected:
        """
        Make one request; a redirect is an answer, never followed.

        Every address that the name has is checked, and only a checked one is connected to: the name is looked up
        once. A cancellation ends the call at once, whatever it waits for.

        Args:
            limit_s: For all of it, from the name to the last byte.

        Raises:
            WebProblem: There is no answer.
        """
        ...


class PagesUnavailable(MmtoolsError):
    """
    The lack of anything here that can tell main text from the rest.

    Args:
        reason: One line.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Pages(Protocol):
    """A reader that tells the main text of a page from menus, adverts and the like."""

    def main_text(self, page: str, seen: Seen) -> str | None:
        """
        Extract a page's main text, as Markdown; in bounded time, whatever the page holds.

        Args:
            page: HTML, without control characters.
            seen: The same page as its reader sees it.

        Returns:
            None where there is none, or the page is larger or deeper than can be worked on.

        Raises:
            PagesUnavailable: It can never be done here.
        """
        ...
