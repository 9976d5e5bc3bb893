"""The way to a page, without a dialect: what is asked, what is said where it ends."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import GrantScope, UrlPreview
from mmtools.core.web.urls import Fault, Url, parse
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.web import (
    BadAnswer,
    FetchCancelled,
    NameUnknown,
    NotConnected,
    NotTrusted,
    TooSlow,
    WebProblem,
)
from mmtools.testing.calls import StubCall
from mmtools.testing.web import Redirect, Reply, ScriptedWeb
from mmtools.tools.wording import web
from mmtools.tools.wording.web import Way

URL = "http://pub.test/a"
SCOPE = GrantScope("one", "this one")


def url(text: str) -> Url:
    return web.parsed(text, tool="Fetch")


def way(fetcher: ScriptedWeb, *, limit_s: float = 60.0) -> Way:
    return Way(
        fetcher=fetcher, tool="Fetch", asks=lambda url: web.fetching(url, scope=SCOPE, refusal="no"), limit_s=limit_s
    )


def refused(problem: WebProblem, *, hops: int = 0) -> ToolFailure:
    scripts: dict[str, str | Reply | Redirect | WebProblem] = {
        f"http://pub.test/{n}": Redirect(f"/{n + 1}") for n in range(hops)
    }
    fetcher = ScriptedWeb({**scripts, f"http://pub.test/{hops}": problem})
    with pytest.raises(ToolFailure) as failure:
        web.follow(url("http://pub.test/0"), StubCall(), way(fetcher))
    return failure.value


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (
            NameUnknown("Name or service not known"),
            "the name pub.test was not found: Name or service not known; check its",
        ),
        (NotConnected("Connection refused"), "no connection to pub.test, port 80: Connection refused; try again later"),
        (
            NotTrusted("certificate has expired"),
            "pub.test could not prove who it is: certificate has expired; nothing was",
        ),
        (BadAnswer("it is no HTTP"), "the answer cannot be read: it is no HTTP; try again"),
        (TooSlow("a connection"), "timed out waiting for a connection; 60 s are allowed"),
        (FetchCancelled(), "the fetch was cancelled"),
        (WebProblem(), "not fetched: the server could not be asked; try again"),
    ],
)
def test_every_problem_names_the_place_and_what_to_do(problem: WebProblem, words: str) -> None:
    text = refused(problem).text
    assert text.startswith(f"[Fetch: http://pub.test/0: {words}")
    assert "\n" not in text
    assert refused(problem, hops=2).text.startswith("[Fetch: http://pub.test/2 (redirected from http://pub.test/0): ")


def test_problems_have_their_status() -> None:
    assert refused(TooSlow("x")).status == "timed_out"
    assert isinstance(refused(FetchCancelled()), Cancelled)
    assert refused(NotConnected("x")).status == "failed"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "it is empty; send a whole one"),
        ("example.com/x", "it has no scheme; send https://example.com/x"),
        ("http:example.com", "two slashes are missing after the scheme; send https://example.com"),
        ("ftp://x", "only http and https are fetched, not ftp"),
        ("http://a@b", "is never sent; leave it out"),
        ("http://a\\b", "write /"),
        ("http://a:b", "'b' is no port"),
        ("http://a:22", "port 22 belongs to another service"),
        ("http://a..b", "the host cannot be read: there is nothing between two dots"),
        ("http://a/\nb", "character 10 is a control character or a line end"),
        ("http://a/" + "b" * 9_000, "it has 9009 characters"),
        ("http://a/\ud800", "half of a surrogate pair"),
    ],
)
def test_every_fault_says_what_to_send(text: str, words: str) -> None:
    with pytest.raises(ArgumentsRefused) as failure:
        url(text)
    assert failure.value.text.startswith("[Fetch: url: ")
    assert words in failure.value.text
    assert failure.value.text.isprintable()


def test_every_fault_has_an_example_here() -> None:
    assert len(Fault) == 12


@given(st.text(max_size=40))
def test_whatever_is_sent_the_answer_is_one_clean_line(text: str) -> None:
    if isinstance(parse(text), Url):
        assert parse(url(text).text) == url(text)
    else:
        with pytest.raises(ArgumentsRefused) as failure:
            url(text)
        assert failure.value.text.isprintable()


def test_a_proposal_shows_the_url_whole() -> None:
    long = url("http://pub.test/" + "a" * 500)
    proposal = web.fetching(long, scope=SCOPE, refusal="[no]")
    assert (proposal.title, proposal.preview) == (f"fetch: {long.text}", UrlPreview(long.text))
    assert (proposal.scope, proposal.refusal) == (SCOPE, "[no]")


def test_a_dialect_that_never_asks_never_asks() -> None:
    call = StubCall(allows=False)
    fetcher = ScriptedWeb({URL: Redirect("http://other.test/"), "http://other.test/": "<p>hi"})
    arrived = web.follow(url(URL), call, Way(fetcher=fetcher, tool="Fetch", asks=None, limit_s=60))
    assert (arrived.redirected, arrived.asked.text, arrived.fetched.url.text) == (True, URL, "http://other.test/")
    assert call.proposals == []


def test_the_time_of_all_requests_is_one_budget() -> None:
    fetcher = ScriptedWeb({URL: Redirect("/b", takes_s=6), "http://pub.test/b": Reply(body=b"x", takes_s=5)})
    with pytest.raises(ToolFailure, match=r"timed out .* 10\.5 s are allowed"):
        web.follow(url(URL), StubCall(), way(fetcher, limit_s=10.5))
    assert not web.follow(url("http://pub.test/b"), StubCall(), way(fetcher, limit_s=5)).redirected
