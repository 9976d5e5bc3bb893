"""The scripted web: refuses as the real one does, answers as its scripts say."""

from __future__ import annotations

import pytest

from mmtools.call import Cancellation
from mmtools.core.web.urls import Url, parse
from mmtools.core.web.visible_text import Seen
from mmtools.ports.web import (
    AddressRefused,
    FetchCancelled,
    Fetched,
    NotConnected,
    PagesUnavailable,
    Redirected,
    TooSlow,
)
from mmtools.testing.web import Redirect, Reply, ScriptedPages, ScriptedWeb


def url(text: str) -> Url:
    parsed = parse(text)
    assert isinstance(parsed, Url)
    return parsed


def fetch(web: ScriptedWeb, text: str, cancellation: Cancellation | None = None) -> Fetched | Redirected:
    return web.fetch(url(text), limit_s=10, cancellation=cancellation or Cancellation())


def test_scripts_are_answers() -> None:
    web = ScriptedWeb(
        {
            "http://a.test/": "<p>é",
            "http://a.test/b": Reply(body=b"x", content_type="", status=404),
            "http://a.test/c": Redirect("/d", 301),
            "http://a.test/e": NotConnected("refused"),
            "http://a.test/f": Reply(takes_s=11),
        }
    )
    first = fetch(web, "http://a.test/")
    assert isinstance(first, Fetched)
    assert (first.body, first.media_type.essence, first.status) == ("<p>é".encode(), "text/html", 200)
    second = fetch(web, "http://a.test/b")
    assert isinstance(second, Fetched)
    assert (second.media_type.essence, second.status) == ("", 404)
    third = fetch(web, "http://a.test/c")
    assert isinstance(third, Redirected)
    assert (third.location, third.status) == ("/d", 301)
    with pytest.raises(NotConnected):
        fetch(web, "http://a.test/e")
    with pytest.raises(TooSlow):
        fetch(web, "http://a.test/f")
    assert len(web.asked) == 5
    with pytest.raises(AssertionError, match="no script for"):
        fetch(web, "http://b.test/")


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "10.0.0.1"])
def test_what_is_inside_is_refused(host: str) -> None:
    web = ScriptedWeb({f"http://{host}/": "x"})
    with pytest.raises(AddressRefused):
        web.check(url(f"http://{host}/"))
    with pytest.raises(AddressRefused):
        fetch(web, f"http://{host}/")
    assert web.asked == []


def test_a_cancelled_call_asks_nobody() -> None:
    web, cancellation = ScriptedWeb({"http://a.test/": "x"}), Cancellation()
    cancellation.request()
    with pytest.raises(FetchCancelled):
        fetch(web, "http://a.test/", cancellation)
    assert web.asked == []


def test_the_extractor_finds_what_it_is_told_to() -> None:
    pages = ScriptedPages("found")
    assert pages.main_text("<p>x", Seen()) == "found"
    assert pages.pages == ["<p>x"]
    assert ScriptedPages().main_text("<p>x", Seen()) is None
    with pytest.raises(PagesUnavailable):
        ScriptedPages(PagesUnavailable("no")).main_text("<p>x", Seen())
