"""The page: one file, well formed, its numbers those of the calls, whatever the tools are called."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser
from xml.etree.ElementTree import Element

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.metrics import page
from mmtools.adapters.metrics.names import shown_name
from mmtools.adapters.metrics.records import Recorded, RecordedSession
from mmtools.call import Observation
from mmtools.core import metrics
from mmtools.core.metrics import Metrics
from mmtools.core.units import data_size, milliseconds, share
from tests.adapters.metrics.observed import any_observation, observation, recorded
from tests.hypothesis_profiles import scaled


def parsed(text: str) -> Element:
    """Read a page as XML: whatever is not closed or not escaped is an error."""
    assert text.startswith("<!DOCTYPE html>\n")
    return ElementTree.fromstring(text.partition("\n")[2])


def section(root: Element, title: str) -> Element:
    return next(one for one in root.iter("section") if one[0].text == title)


def cells(table: Element) -> list[list[str]]:
    return [["".join(cell.itertext()) for cell in row] for row in table.iter("tr")]


def row(name: str, one: Metrics) -> list[str]:
    return [
        name,
        *(f"{number:,}" for number in (one.calls, one.errors, one.rejected, one.cancelled)),
        data_size(one.bytes_in),
        data_size(one.bytes_out),
        *map(milliseconds, (one.p50_ms, one.p95_ms, one.total_ms)),
    ]


@scaled(40)
@given(st.lists(any_observation, min_size=1, max_size=8))
def test_every_number_of_the_table_is_that_of_the_calls(sent: list[Observation]) -> None:
    root = parsed(page.render(recorded(*sent)))
    parts = metrics.by_tool(sent)
    whole = metrics.measure(sent)
    expected = [row(shown_name(shown_name(name, 64), 34), metrics.measure(part)) for name, part in parts.items()]
    expected += [row("all", whole)] if len(parts) > 1 else []
    assert cells(section(root, "Tools"))[1:] == expected
    tiles = {str(tile[0].text): [str(more.text) for more in tile[1:]] for tile in root.iter("div") if len(tile) == 3}
    assert tiles["Calls"][0] == f"{whole.calls:,}"
    assert tiles["Errors"] == [f"{whole.errors:,}", f"{share(whole.errors, whole.calls)} of the calls"]
    assert tiles["p50"] == [milliseconds(whole.p50_ms), f"p95 {milliseconds(whole.p95_ms)}"]


@scaled(40)
@given(st.lists(any_observation, min_size=1, max_size=3), st.text(st.characters(), min_size=1))
def test_no_name_becomes_part_of_the_page(sent: list[Observation], name: str) -> None:
    hostile = f"{name}</td><script>alert(1)</script><img src=x onerror=alert(1)>\"' &amp; ]]>"
    session = RecordedSession(name=hostile, observations=tuple(sent), began=hostile, ended=hostile)
    renamed = attrs.evolve(sent[0], tool=hostile, outcome=hostile, args_digest=hostile)
    session = attrs.evolve(session, observations=(renamed, renamed, renamed, *sent))
    text = page.render(Recorded(source=hostile, sessions=(session, session), notes=(hostile,)))
    text.encode()
    tags: set[str] = set()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.add(tag)
            assert not any(name.startswith("on") or name == "src" for name, _ in attrs)

    reader = Reader()
    reader.feed(text)
    reader.close()
    assert tags.isdisjoint({"script", "img", "link", "iframe", "object", "a"})
    parsed(text)


def test_nothing_comes_from_elsewhere() -> None:
    text = page.render(recorded(*(observation(number) for number in range(50))))
    assert re.findall(r"https?:|//|url\(|@import|<link|<script", text) == []
    assert set(re.findall(r'href="([^"]*)"', text)) == {"#mark-ok"}


def test_a_mark_that_is_used_is_defined_once() -> None:
    sent = [observation(number, outcome=end) for number, end in enumerate(["ok", "failed", "rejected", "odd"])]
    root = parsed(page.render(recorded(*sent)))
    defined = [str(one.get("id")) for one in root.iter() if one.get("id")]
    assert len(defined) == len(set(defined))
    assert {str(one.get("href"))[1:] for one in root.iter("use")} <= set(defined)


def test_one_session_is_named_and_many_are_listed() -> None:
    sent = (observation(1), observation(2, outcome="failed"))
    session = RecordedSession(
        name="monday", observations=sent, began="2026-11-30T10:00:00.123Z", ended="2026-11-30T10:09:00.000Z"
    )
    root = parsed(page.render(Recorded(source="calls.db", sessions=(session,))))
    assert [str(one.text) for one in root.iter("h1")] == ["Tool calls of session monday"]
    text = "".join(root.itertext())
    assert "From calls.db, recorded from 2026-11-30 10:00:00 to 2026-11-30 10:09:00 UTC" in text
    assert not [one for one in root.iter("section") if one[0].text == "Sessions"]

    sessions = tuple(attrs.evolve(session, name=f"s{number}") for number in range(60))
    root = parsed(page.render(Recorded(source="calls.db", sessions=sessions)))
    assert [str(one.text) for one in root.iter("h1")] == ["Tool calls of 60 sessions"]
    listed = section(root, "Sessions")
    assert listed[1].text == "The latest first. 10 earlier sessions not shown."
    assert cells(listed)[1] == ["s59", "2026-11-30 10:00:00", "2", "1", "2.5 ms"]
    assert len(cells(listed)) == 51


def test_repeated_calls_are_listed_and_others_are_not() -> None:
    sent = [observation(number, args_digest="a" * 16, result_digest=f"{number % 2}") for number in range(4)]
    root = parsed(page.render(recorded(*sent)))
    again = section(root, "Made again and again")
    assert cells(again)[1:] == [["bash", "a" * 16, "4", "4", "2"]]
    root = parsed(page.render(recorded(*sent[:2])))
    assert not [one for one in root.iter("section") if one[0].text == "Made again and again"]


@pytest.mark.slow
def test_the_page_stays_small_however_much_was_recorded() -> None:
    sent = [
        observation(
            number,
            tool=f"made_up_{number % 3000}" + "x" * 200,
            args_digest=f"{number % 900}",
            duration_ms=1.0003 ** (number * 7919 % 60_000),
            outcome=["ok", "failed", "rejected"][number % 3],
        )
        for number in range(20_000)
    ]
    text = page.render(recorded(*sent))
    assert len(text) < 1_500_000
    root = parsed(text)
    table = cells(section(root, "Tools"))
    assert len(table) == 1 + 100 + 1 + 1
    assert table[-2][0] == "(2,900 more tools)"
    assert sum(int(line[1].replace(",", "")) for line in table[1:-1]) == 20_000
