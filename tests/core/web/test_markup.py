"""Tags and text, against the standard library's parser on pages that it reads well, and in bounded work on all others."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.web.markup import Closing, Opening, Piece, attributes, tokens, unescape

names = st.sampled_from(["p", "div", "b", "h1", "custom-tag", "SPAN"])
values = st.text("ab é<>=/'&;", max_size=6)
written = st.one_of(
    st.tuples(names, st.lists(st.tuples(st.sampled_from(["a", "b", "data-x"]), values), max_size=3)).map(
        lambda tag: f"<{tag[0]}" + "".join(f' {name}="{value}"' for name, value in tag[1]) + ">"
    ),
    names.map(lambda name: f"</{name}>"),
    st.text("abc é\n>", max_size=6),
    st.sampled_from(["<!-- a > b -->", "<!doctype html>", "<br/>", "<p a=b c>", "<script>if (a<b) '</p>'</script>"]),
)


class Standard(HTMLParser):
    """What the standard library's parser sees."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.seen: list[tuple[str, object]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        first: dict[str, str] = {}
        for name, value in attrs:
            first.setdefault(name, value or "")
        self.seen.append((tag, first))

    def handle_endtag(self, tag: str) -> None:
        self.seen.append(("/" + tag, None))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)

    def handle_data(self, data: str) -> None:
        if self.seen and self.seen[-1][0] == "text":
            data = f"{self.seen.pop()[1]}{data}"
        self.seen.append(("text", data))


@given(st.lists(written, max_size=12).map("".join))
def test_it_sees_what_the_standard_parser_sees(page: str) -> None:
    standard = Standard()
    standard.feed(page)
    standard.close()
    ours: list[tuple[str, object]] = []
    for token in tokens(page):
        match token:
            case Opening(name=name):
                ours.append((name, attributes(token)))
            case Closing(name=name):
                ours.append(("/" + name, None))
            case Piece(text=text):
                if ours and ours[-1][0] == "text":
                    text = f"{ours.pop()[1]}{text}"
                ours.append(("text", text))
    assert ours == standard.seen


@given(st.one_of(st.text(max_size=80), st.text("<>/!-?a\"'= &;[]script", max_size=80)))
def test_every_text_is_taken_apart_and_nothing_is_added(page: str) -> None:
    row = list(tokens(page))
    assert len(row) <= len(page) + 1
    for token in row:
        if isinstance(token, Piece):
            assert token.text in page
            unescape(token.text)
        elif isinstance(token, Opening):
            assert token.inside in page
            attributes(token)


HOSTILE = [
    "<", "<a ", "<!--", "</", '<a b="', "<![CDATA[", "<a ='\" ", "<script>", "<script></script ", "<title>", "&#", "<?", "<a =",
]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
def test_pages_made_to_hurt_do_not(piece: str) -> None:
    """A megabyte each; quadratic work would take hours."""
    page = piece * (1_000_000 // len(piece))
    assert sum(len(token.text) for token in tokens(page) if isinstance(token, Piece)) <= len(page)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        (
            "a < b <3 <<p>x",
            [Piece("a "), Piece("<"), Piece(" b "), Piece("<"), Piece("3 "), Piece("<"), Opening("p"), Piece("x")],
        ),
        ("<!-->a<!--->b", [Piece("a"), Piece("b")]),
        ("<textarea><p></textarea>", [Opening("textarea"), Piece("<p>", "textarea"), Closing("textarea")]),
        ("<TITLE>a</Title >", [Opening("title"), Piece("a", "title"), Closing("title")]),
        ("<p a='>'>x", [Opening("p", " a='>'"), Piece("x")]),
        ("<p>a<b", [Opening("p"), Piece("a")]),
        ("</>x</ a>y", [Piece("x"), Piece("y")]),
        ("<script>a", [Opening("script"), Piece("a", "script")]),
    ],
)
def test_pieces(page: str, expected: list[object]) -> None:
    assert list(tokens(page)) == expected


def test_references() -> None:
    assert unescape("&lt;&amp;&eacute;&#233;&#xE9;") == "<&ééé"
    assert unescape("&#" + "1" * 5_000 + ";&#x" + "f" * 5_000) == "\ufffd\ufffd"
    assert attributes(Opening("a", " href='&amp;x' HREF=y checked")) == {"href": "&x", "checked": ""}
