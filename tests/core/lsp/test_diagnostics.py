"""Findings, pushed and pulled, placed in the text they were made on."""

from __future__ import annotations

import pytest
from hypothesis import given

from mmtools.core.lsp import diagnostics
from mmtools.core.lsp.diagnostics import Diagnostic, Diagnostics, Finding, Publication, Severity
from mmtools.core.lsp.positions import Document, Position, Range
from tests.core.lsp.server_json import ANYTHING, damaged, stretch

DOCUMENT = Document('s = "\U0001f600"; foo\r\nbar\r\n')
ITEM = {
    "range": stretch(0, 10, 13),
    "severity": 1,
    "code": "reportUndefinedVariable",
    "source": "Pyright",
    "message": '"foo" is not defined\n  \xa0\xa0see there',
}
FOUND = Diagnostic(
    Range(Position(0, 10), Position(0, 13)),
    Severity.ERROR,
    '"foo" is not defined see there',
    "Pyright",
    "reportUndefinedVariable",
)


def test_a_diagnostic_is_read_onto_one_line() -> None:
    assert diagnostics.decode([ITEM]) == Diagnostics((FOUND,))


@pytest.mark.parametrize(
    ("severity", "word"),
    [
        (1, "error"),
        (2, "warning"),
        (3, "information"),
        (4, "hint"),
        (None, "error"),
        (0, "error"),
        (9, "error"),
        ("2", "error"),
        (2.0, "warning"),
    ],
)
def test_severities_have_words_and_none_means_error(severity: object, word: str) -> None:
    [found] = diagnostics.decode([{**ITEM, "severity": severity}]).found
    assert found.severity.word == word


@pytest.mark.parametrize(
    ("code", "shown"), [(404, "404"), ("E1", "E1"), (None, ""), ({"value": 1}, ""), (True, ""), (2.0, "2")]
)
def test_a_code_is_a_word_or_a_number(code: object, shown: str) -> None:
    [found] = diagnostics.decode([{**ITEM, "code": code}]).found
    assert found.code == shown


def test_a_message_may_be_markup_and_a_source_may_lack() -> None:
    item = {"range": ITEM["range"], "message": {"kind": "markdown", "value": "`x`"}}
    assert diagnostics.decode([item]) == Diagnostics((Diagnostic(FOUND.range, Severity.ERROR, "`x`"),))


def test_repetitions_go_and_what_says_nothing_is_counted() -> None:
    items = [ITEM, 3, dict(ITEM), {"message": "where?"}, {"range": ITEM["range"]}]
    assert diagnostics.decode(items) == Diagnostics((FOUND,), unread=2 + 1)


def item(line: int, start: int, message: str, **more: object) -> dict[str, object]:
    return {"range": stretch(line, start, start + 1), "message": message, **more}


def test_findings_are_sorted_by_place_and_each_is_there_once() -> None:
    """One and the same finding may be pushed and pulled, and named by two parts of a server."""
    pushed = diagnostics.decode([item(1, 0, "b"), item(0, 10, "z", severity=2), item(0, 10, "a", code=1)])
    pulled = diagnostics.decode([item(0, 10, "a", code=1, source="x"), item(1, 0, "b"), item(0, 2, "c")])
    assert diagnostics.findings([*pushed.found, *pulled.found], DOCUMENT) == (
        Finding(1, 3, Severity.ERROR, "c", ""),
        Finding(1, 10, Severity.ERROR, "a", ""),
        Finding(1, 10, Severity.WARNING, "z", ""),
        Finding(2, 1, Severity.ERROR, "b", ""),
    )


def test_a_finding_outside_the_text_is_at_its_closest_place() -> None:
    found = diagnostics.decode([item(0, 99, "a"), item(99, 0, "b"), item(-1, -1, "c")])
    places = [(each.line, each.column) for each in diagnostics.findings(found.found, DOCUMENT)]
    assert places == [(1, 1), (1, 13), (3, 1)]


PUBLISHED = {"uri": "file:///a.py", "version": 3, "diagnostics": [ITEM]}


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (PUBLISHED, Publication("file:///a.py", 3, Diagnostics((FOUND,)))),
        ({"uri": "u", "diagnostics": []}, Publication("u", None, Diagnostics())),
        ({"uri": "u", "version": None, "diagnostics": []}, Publication("u", None, Diagnostics())),
        ({"uri": "u", "diagnostics": None}, None),
        ({"uri": "u"}, None),
        ({"diagnostics": []}, None),
        (None, None),
    ],
)
def test_a_publication_names_a_file_and_a_list(params: object, expected: Publication | None) -> None:
    assert diagnostics.publication(params) == expected


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"kind": "full", "items": [ITEM]}, Diagnostics((FOUND,))),
        ({"kind": "", "items": [ITEM]}, Diagnostics((FOUND,))),
        ({"items": []}, Diagnostics()),
        ({"kind": "unchanged", "resultId": "1"}, None),
        ({"kind": "full"}, None),
        ({"kind": "full", "items": {}}, None),
        ([], None),
        (None, None),
    ],
)
def test_a_pulled_report_is_known_by_what_it_holds(answer: object, expected: object) -> None:
    assert diagnostics.report(answer) == expected


@given(ANYTHING | damaged(PUBLISHED) | damaged({"kind": "full", "items": [ITEM]}))
def test_everything_is_read_as_something_or_nothing(answer: object) -> None:
    published, report = diagnostics.publication(answer), diagnostics.report(answer)
    items = answer.get("diagnostics") if isinstance(answer, dict) else None
    if published:
        assert isinstance(items, list)
        assert published.diagnostics.unread + len(published.diagnostics.found) <= len(items)
        diagnostics.findings(published.diagnostics.found, DOCUMENT)
    if isinstance(report, Diagnostics):
        for finding in diagnostics.findings(report.found, DOCUMENT):
            assert "\n" not in finding.message
