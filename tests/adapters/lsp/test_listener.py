"""What a server tells of its own accord: what it is busy with, what it registers, what it has published."""

from __future__ import annotations

from typing import Any

import pytest

from mmtools.adapters.lsp.documents import OpenDocument
from mmtools.adapters.lsp.listener import Activity, Publications, Registrations
from mmtools.core.lsp.positions import Document
from mmtools.ports.files import Place
from mmtools.testing.clock import FixedClock

URI = "file:///w/a%20b.py"


def progress(token: object, kind: object) -> dict[str, Any]:
    return {"token": token, "value": {"kind": kind}}


def entry(id_: object, method: object, options: object = None) -> dict[str, object]:
    return {"id": id_, "method": method, "registerOptions": options}


def opened(*, version: int = 1, heard: int = 0) -> OpenDocument:
    place = Place("a b.py", "/w/a b.py")
    return OpenDocument(
        place=place, uri=URI, document=Document("x"), version=version, opened_as=1, heard=heard, stamp=None
    )


class TestActivity:
    def test_a_server_is_busy_from_the_first_begin_to_the_last_end(self) -> None:
        activity = Activity(60)
        assert not activity.is_busy()
        assert not activity.has_come_to_rest
        activity.take_progress(progress(1, "begin"))
        activity.take_progress(progress("1", "begin"))
        activity.take_progress(progress(1, "report"))
        activity.take_progress(progress(1, "end"))
        assert activity.is_busy()
        assert not activity.has_come_to_rest
        activity.take_progress(progress("1", "end"))
        assert not activity.is_busy()
        assert activity.has_come_to_rest

    def test_what_begins_later_may_be_left_out(self) -> None:
        activity = Activity(60)
        activity.take_progress(progress(1, "begin"))
        begun = activity.begun
        activity.take_progress(progress(2, "begin"))
        assert activity.is_busy(begun)
        activity.take_progress(progress(1, "end"))
        assert not activity.is_busy(begun)
        assert activity.is_busy()

    def test_a_progress_without_news_is_taken_for_forgotten(self) -> None:
        clock = FixedClock()
        activity = Activity(2, clock)
        activity.take_progress(progress(1, "begin"))
        clock.advance(1.2)
        activity.take_progress(progress(1, "report"))
        clock.advance(1.2)
        assert activity.is_busy()
        clock.advance(1.2)
        assert not activity.is_busy()
        activity.take_progress(progress(2, "begin"))
        activity.take_progress(progress(2, "end"))
        assert not activity.is_busy()

    def test_only_the_status_counts_where_there_is_one(self) -> None:
        activity = Activity(60)
        activity.take_progress(progress(1, "begin"))
        activity.take_status({"health": "ok", "quiescent": True})
        assert not activity.is_busy()
        assert activity.has_come_to_rest
        activity.take_status({"quiescent": False})
        activity.take_progress(progress(1, "end"))
        assert activity.is_busy()
        assert activity.is_busy(0)

    @pytest.mark.parametrize(
        "params",
        [None, [], 3, {}, {"token": 1}, {"token": None, "value": {"kind": "begin"}}, progress([], "begin"), progress(1, {}),
         progress(1, "end"), progress(1, "report"), {"token": 1, "value": "begin"}],
    )  # fmt: skip
    def test_what_makes_no_sense_is_passed_over(self, params: object) -> None:
        activity = Activity(60)
        activity.take_progress(params)
        activity.take_status(params)
        activity.take_status({"quiescent": "no"})
        assert not activity.is_busy()
        assert not activity.has_come_to_rest


class TestRegistrations:
    @pytest.mark.parametrize("key", ["unregisterations", "unregistrations"])
    def test_a_method_is_registered_until_its_last_registration_goes(self, key: str) -> None:
        registrations = Registrations()
        assert registrations.options("m") is None
        registrations.add({"registrations": [entry("a", "m", {"x": 1}), entry("b", "n")]})
        registrations.add({"registrations": [entry("c", "m", {"x": 2})]})
        assert registrations.options("m") == {"x": 1}
        assert registrations.options("n") == {}
        registrations.remove({key: [{"id": "a", "method": "m"}]})
        assert registrations.options("m") == {"x": 2}
        registrations.remove({key: [{"id": "c"}, {"id": "never"}]})
        assert registrations.options("m") is None

    @pytest.mark.parametrize(
        "params",
        [None, 3, [], {}, {"registrations": 1}, {"registrations": [None, 3, {}, entry(1, "m"), entry("a", 2)]}],
    )
    def test_what_makes_no_sense_is_passed_over(self, params: object) -> None:
        registrations = Registrations()
        registrations.add(params)
        registrations.remove(params)
        assert registrations.options("m") is None


class TestPublications:
    @pytest.mark.parametrize(
        "uri", [URI, "file:/w/a b.py", "FILE://localhost/w/%61%20b.py", "file:///w/./x/../a%20b.py"]
    )
    def test_the_latest_counts_in_whatever_spelling(self, uri: str) -> None:
        publications = Publications()
        publications.take({"uri": URI, "diagnostics": []})
        publications.take({"uri": uri, "version": 1, "diagnostics": []})
        latest = publications.about(opened())
        assert latest
        assert (latest.number, latest.version) == (2, 1)

    @pytest.mark.parametrize(
        ("published", "counts"), [({}, True), ({"version": 3}, True), ({"version": 4}, True), ({"version": 2}, False)]
    )
    def test_an_older_version_does_not_count(self, published: dict[str, object], counts: bool) -> None:
        publications = Publications()
        publications.take({"uri": URI, "diagnostics": [], **published})
        assert (publications.about(opened(version=3)) is not None) is counts
        assert publications.about(opened(version=1, heard=1)) is None

    @pytest.mark.parametrize(
        "params", [None, 3, {}, {"uri": URI}, {"uri": 3, "diagnostics": []}, {"uri": "untitled:1", "diagnostics": []}]
    )
    def test_what_names_no_file_is_passed_over(self, params: object) -> None:
        publications = Publications()
        publications.take(params)
        assert publications.count == 0
        assert publications.about(opened()) is None
