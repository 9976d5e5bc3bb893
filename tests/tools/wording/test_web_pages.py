"""A page as a model reads it: its text between marks, what is said above it and below."""

from __future__ import annotations

from http import HTTPStatus

import pytest

from mmtools.core.web import media_types
from mmtools.core.web.charsets import Decoded
from mmtools.core.web.invisible_characters import Plain
from mmtools.core.web.media_types import Form
from mmtools.core.web.urls import Url, parse
from mmtools.core.web.visible_text import Seen
from mmtools.ports.web import BodyEnd, Fetched
from mmtools.tools.wording import web_pages
from mmtools.tools.wording.web_pages import Reading

URL = "http://pub.test/a"


def url(text: str = URL) -> Url:
    parsed = parse(text)
    assert isinstance(parsed, Url)
    return parsed


def fetched(body: bytes = b"x", kind: str = "text/plain", end: BodyEnd = BodyEnd.WHOLE, status: int = 200) -> Fetched:
    return Fetched(url=url(), status=status, media_type=media_types.parse(kind), body=body, end=end)


def test_a_cut_keeps_whole_lines_and_the_marks() -> None:
    reading = Reading(what="full body, text/plain", text="0123456789\n" * 100)
    result = web_pages.told(fetched(), reading, asked=url(), max_chars=55)
    assert result.truncated
    assert "[cut: the first 55 of 1100 characters; " in result.text
    assert result.text.count("0123456789") == 5
    begin, end = (f"{word} outside content " for word in ("begin", "end"))
    assert result.text.split(begin)[1][:8] == result.text.split(end)[1][:8]


@pytest.mark.parametrize("status", [200, 404, 799])
def test_the_first_line_tells_where_it_comes_from(status: int) -> None:
    words = f"status {status}" + (f" {HTTPStatus(status).phrase}" if status == 404 else "")
    text = web_pages.told(fetched(status=status), Reading(what="what"), asked=url("http://b.test"), max_chars=9).text
    beginning = "fetched" if status == 200 else f"{words} from"
    assert text == f"[{beginning} {URL}, redirected from http://b.test/: what]"


def test_nothing_of_a_body_is_only_cut_off_where_there_was_something() -> None:
    for body, truncated in ((b"", False), (b"x", True)):
        answer = web_pages.told(fetched(body, end=BodyEnd.CAPPED), Reading(what="what"), asked=url(), max_chars=9)
        assert answer.truncated is truncated


@pytest.mark.parametrize(
    ("kind", "end", "text", "said"),
    [
        ("text/csv", BodyEnd.WHOLE, "x", "full body, text/csv"),
        ("text/csv", BodyEnd.CAPPED, "x", "beginning of the body, text/csv"),
        ("", BodyEnd.WHOLE, "x", "full body, text; the server did not say what it is"),
        ("text/csv", BodyEnd.WHOLE, " ", "the body is empty but for spaces (text/csv)"),
    ],
)
def test_what_is_shown_as_it_stands_has_its_name(kind: str, end: BodyEnd, text: str, said: str) -> None:
    assert web_pages.verbatim(fetched(kind=kind, end=end), Form.TEXT, text) == said


def test_what_is_not_shown_as_it_came_is_counted() -> None:
    assert web_pages.spoiled(Decoded("x", "utf-8", 1), Plain("x", 2)) == (
        "[1 place is not utf-8, shown as \ufffd]",
        "[2 invisible characters were left out]",
    )
    assert web_pages.spoiled(Decoded("x", "utf-8"), Plain("x", 1)) == ("[1 invisible character was left out]",)


def test_a_page_leads_on_only_to_what_can_be_fetched() -> None:
    assert web_pages.onward(Seen(refresh="/b"), url()) == (
        "[the page sends its reader on to http://pub.test/b; fetch that for what it leads to]",
    )
    for refresh in ("/a", "ftp://x/", None):
        assert web_pages.onward(Seen(refresh=refresh), url()) == ()
    assert list(web_pages.instead(Seen(frames=("f", "f", "ftp://x")), url())) == [
        "[its content is in frames, to be fetched by themselves: http://pub.test/f]"
    ]
