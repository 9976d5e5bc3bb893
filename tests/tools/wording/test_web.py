"""Why a page was not fetched: whatever it was, the text names the place and what to do."""

from __future__ import annotations

from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.web.addresses import NotPublic
from mmtools.core.web.urls import BadUrl, Fault, Url, parse
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
from mmtools.tools.wording import web


def way(*paths: str) -> list[Url]:
    urls = [parse(f"http://pub.test/{path}") for path in paths]
    return [url for url in urls if isinstance(url, Url)]


def fault(text: str) -> str:
    bad = parse(text)
    assert isinstance(bad, BadUrl)
    return web.fault(bad)


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
        (AddressRefused("localhost"), "refused: localhost is this machine; only public addresses are fetched"),
        (
            AddressRefused("a.test", NotPublic(ip_address("10.0.0.1"), "private")),
            "refused: a.test is 10.0.0.1 (private); only public addresses are fetched",
        ),
        (FetchCancelled(), "the fetch was cancelled"),
        (WebProblem(), "not fetched: the server could not be asked; try again"),
    ],
)
def test_every_problem_names_the_place_and_what_to_do(problem: WebProblem, words: str) -> None:
    text = web.unfetched(problem, way("0"), "Fetch", limit_s=60.0)
    assert text.startswith(f"[Fetch: http://pub.test/0: {words}")
    assert "\n" not in text
    redirected = web.unfetched(problem, way("0", "1", "2"), "Fetch", limit_s=60.0)
    assert redirected.startswith("[Fetch: http://pub.test/2 (redirected from http://pub.test/0): ")


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
    said = fault(text)
    assert words in said
    assert said.isprintable()


def test_every_fault_has_an_example_here() -> None:
    assert len(Fault) == 12


@given(st.text(max_size=40))
def test_whatever_is_sent_the_answer_is_one_clean_line(text: str) -> None:
    url = parse(text)
    if isinstance(url, Url):
        assert parse(url.text) == url
    else:
        assert web.fault(url).isprintable()
