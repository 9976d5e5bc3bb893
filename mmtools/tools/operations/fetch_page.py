"""A page on the web: asked for hop by hop, read for what it says, and told as what comes from outside."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import ClassVar

from attrs import evolve, frozen

from mmtools.call import GrantScope, Proposal, Report, Status, UrlPreview
from mmtools.core.web import charsets, invisible_characters, media_types, urls, visible_text
from mmtools.core.web.media_types import Form
from mmtools.core.web.urls import BadUrl, Url
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.web import (
    BodyEnd,
    FetchCancelled,
    Fetched,
    Fetcher,
    Pages,
    PagesUnavailable,
    Redirected,
    TooSlow,
    WebProblem,
)
from mmtools.tool import Call
from mmtools.tools.wording import web as wording
from mmtools.tools.wording import web_pages
from mmtools.tools.wording.web import FetchTerms
from mmtools.tools.wording.web_pages import Reading

__all__ = ["PageReader", "fetch_page"]

#: How many redirects are followed. Source: semantics 3.8.
_MAX_REDIRECTS = 10

#: An extract shorter than this is not trusted: of small pages the library takes everything, or next to nothing.
_SHORT_EXTRACT = 500


@frozen(kw_only=True)
class PageReader:
    """
    The way to pages, and how they are read.

    Args:
        timeout_s: For all requests of one call together; questions do not count (60 s: semantics 3.8).
        max_output: Characters of a page's text; lines about it come on top.
    """

    fetcher: Fetcher
    pages: Pages
    timeout_s: float = 60.0
    max_output: int = 30_000


class _TimedOut(ToolFailure):
    """A page that did not come in time."""

    status: ClassVar[str] = "timed_out"


def fetch_page(reader: PageReader, url: str, call: Call, terms: FetchTerms) -> str:
    """
    Fetch a page from a public server and show what it says, marked as outside content.

    Asks:
        Before the first request, and again when a redirect leaves the server that was agreed to. Not for what is
        refused anyway.

    Fails:
        No http or https URL, credentials in it; an address that is not public, also behind a redirect; unknown name, no
        connection, no trust, no time, no HTTP; redirects in a cycle or more than ten; content that is no text. A
        status of 400 or more is a failure with the page's text.
    """
    asked = urls.parse(url)
    if isinstance(asked, BadUrl):
        raise ArgumentsRefused(f"[{terms.tool}: {terms.url}: {wording.fault(asked)}]")
    fetched = _arrive(asked, reader, call, terms)
    answer = web_pages.told(fetched, _read(fetched, reader.pages, terms), asked=asked, max_chars=reader.max_output)
    failed = fetched.status >= HTTPStatus.BAD_REQUEST
    call.report(Report(status=Status.FAILED if failed else Status.OK, truncated=answer.truncated))
    return answer.text


def _arrive(asked: Url, reader: PageReader, call: Call, terms: FetchTerms) -> Fetched:
    """Go where redirects lead, and ask again where they leave the server that was agreed to."""
    agreed: list[Url] = []
    visited = [asked]
    left_s = reader.timeout_s
    while True:
        url = visited[-1]
        try:
            reader.fetcher.check(url)
            if terms.scope is not None and not any(each.covers(url) for each in agreed):
                call.approve(_proposal(url, terms.scope))
                agreed.append(url)
            answer = reader.fetcher.fetch(url, limit_s=left_s, cancellation=call.cancellation)
        except WebProblem as problem:
            text = wording.unfetched(problem, visited, terms.tool, limit_s=reader.timeout_s)
            raise _failure(problem, text) from problem
        if isinstance(answer, Fetched):
            return answer
        left_s -= answer.took_s
        visited.append(_next(answer, visited, terms.tool))


def _proposal(url: Url, scope: GrantScope) -> Proposal:
    return Proposal(
        title=f"fetch: {url.text}",
        preview=UrlPreview(url.text),
        scope=scope,
        refusal="[fetch rejected by the user]",
    )


def _failure(problem: WebProblem, text: str) -> ToolFailure:
    match problem:
        case FetchCancelled():
            return Cancelled(text)
        case TooSlow():
            return _TimedOut(text)
        case _:
            return ToolFailure(text)


def _next(redirect: Redirected, visited: Sequence[Url], tool: str) -> Url:
    """Find out where a redirect leads, and whether to go there."""
    target = urls.resolve(redirect.url, redirect.location)
    if isinstance(target, BadUrl):
        raise ToolFailure(f"[{tool}: {redirect.url.text} redirects to what cannot be fetched: {wording.fault(target)}]")
    if target in visited:
        raise ToolFailure(
            f"[{tool}: {redirect.url.text} redirects in a cycle, back to {target.text}; "
            "the site may want cookies or a login, which are never sent. Look for another page]"
        )
    if len(visited) > _MAX_REDIRECTS:
        raise ToolFailure(
            f"[{tool}: {redirect.url.text}: more than {_MAX_REDIRECTS} redirects, the next one to {target.text}; "
            "fetch that one yourself if it is what you want]"
        )
    return target


def _read(fetched: Fetched, pages: Pages, terms: FetchTerms) -> Reading:
    if not fetched.body:
        return Reading(what=f"the body is empty{web_pages.broken(fetched)}")
    named, whole = fetched.media_type, fetched.end is BodyEnd.WHOLE
    form = media_types.form(named.essence, fetched.body)
    decoded = None if form is Form.BINARY else charsets.decode(fetched.body, named.charset, form, whole=whole)
    if decoded is None or invisible_characters.is_binary(decoded.text):
        raise ToolFailure(web_pages.not_text(fetched, terms.tool))
    plain = invisible_characters.plain(decoded.text)
    spoiled = web_pages.spoiled(decoded, plain)
    if form is Form.HTML:
        reading = _page(plain.text, fetched.url, pages)
        return evolve(reading, notices=(*reading.notices, *spoiled))
    return Reading(what=web_pages.verbatim(fetched, form, plain.text), text=plain.text, notices=spoiled)


def _page(page: str, url: Url, pages: Pages) -> Reading:
    """Read HTML: its main text, else what is visible of it, else what there is instead."""
    seen = visible_text.see(page)
    onward = web_pages.onward(seen, url)
    if not seen.text.strip():
        return Reading(what="the page has no readable text", notices=(*onward, *web_pages.instead(seen, url)))
    unavailable: tuple[str, ...] = ()
    try:
        main = pages.main_text(page, seen)
    except PagesUnavailable as problem:
        main = None
        unavailable = (f"[main text could not be told from the rest: {problem.reason}]",)
    if main and len(main) >= _SHORT_EXTRACT:
        text, what = main, "main text of the page; menus and the like are left out"
    elif seen.inner.strip():
        text, what = seen.inner, "visible text of the page, without its menus, headers and footers"
    else:
        text, what = seen.text, "all visible text of the page"
    partial = ("[the page has more tags than are read; its text goes on]",) if seen.partial else ()
    return Reading(
        what=what,
        text=invisible_characters.plain(text).text,
        title=invisible_characters.plain(seen.title).text.strip(),
        notices=(*onward, *unavailable, *partial),
    )
