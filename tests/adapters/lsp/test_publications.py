"""What was published about a file, and whether it is about the text that the server has."""

from __future__ import annotations

import pytest

from mmtools.adapters.lsp.documents import OpenDocument
from mmtools.adapters.lsp.publications import Publications
from mmtools.core.lsp.positions import Document
from mmtools.ports.files import Place

URI = "file:///w/a%20b.py"


def opened(*, version: int = 1, heard: int = 0) -> OpenDocument:
    place = Place("a b.py", "/w/a b.py")
    return OpenDocument(place=place, uri=URI, document=Document("x"), version=version, heard=heard, stamp=None)


@pytest.mark.parametrize("uri", [URI, "file:/w/a b.py", "FILE://localhost/w/%61%20b.py", "file:///w/./x/../a%20b.py"])
def test_the_latest_counts_in_whatever_spelling(uri: str) -> None:
    publications = Publications()
    publications.take({"uri": URI, "diagnostics": []})
    publications.take({"uri": uri, "version": 1, "diagnostics": []})
    latest = publications.about(opened())
    assert latest
    assert (latest.number, latest.version) == (2, 1)


@pytest.mark.parametrize(
    ("published", "counts"), [({}, True), ({"version": 3}, True), ({"version": 4}, True), ({"version": 2}, False)]
)
def test_an_older_version_does_not_count(published: dict[str, object], counts: bool) -> None:
    publications = Publications()
    publications.take({"uri": URI, "diagnostics": [], **published})
    assert (publications.about(opened(version=3)) is not None) is counts
    assert publications.about(opened(version=1, heard=1)) is None


@pytest.mark.parametrize(
    "params", [None, 3, {}, {"uri": URI}, {"uri": 3, "diagnostics": []}, {"uri": "untitled:1", "diagnostics": []}]
)
def test_what_names_no_file_is_passed_over(params: object) -> None:
    publications = Publications()
    publications.take(params)
    assert publications.count == 0
    assert publications.about(opened()) is None
