"""Elements hold any text and come back as they were."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.metrics.markup import element, key, page_text, percent, small

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]))


@given(st.lists(texts), texts)
def test_text_comes_back_as_it_was(pieces: list[str], title: str) -> None:
    made = element("p.a.b", *pieces, element("b", "x"), *pieces, title=title, text_anchor="end", class_="a b")
    read = ElementTree.fromstring(page_text(made).partition("\n")[2])
    assert "".join(read.itertext()) == "".join([*pieces, "x", *pieces])
    assert read.attrib == {"class": "a b", "title": title, "text-anchor": "end"}


@given(texts)
def test_text_is_never_markup(text: str) -> None:
    seen: list[str] = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            seen.append(tag)

    reader = Reader()
    reader.feed(page_text(element("p", text, title=text)))
    reader.close()
    assert seen == ["p"]


@pytest.mark.parametrize(
    ("part", "words"), [(0, "0%"), (1, "100%"), (1 / 3, "33.33%"), (0.1, "10%"), (1e-9, "0%"), (0.004, "0.4%")]
)
def test_percent(part: float, words: str) -> None:
    assert percent(part) == words


def test_a_key_says_each_colour_in_words() -> None:
    legend = key({"ok": "fine", "error": "not"})
    assert [item.tail or "".join(item.itertext()) for item in legend] == ["fine", "not"]
    assert [rect.get("class") for rect in legend.iter("rect")] == ["ok", "error"]
    assert small(element("circle")).get("aria-hidden") == "true"
