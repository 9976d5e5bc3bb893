"""Diagnostics of a file as it is now, pushed and pulled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from mmtools.call import Cancellation
from mmtools.ports.files import Missing
from mmtools.ports.language_server_problems import Died, Interrupted
from mmtools.ports.language_servers import Diagnosis, Feature, Findings, NothingHeard
from mmtools.testing.scripted_language_servers import (
    CAPABILITIES,
    Step,
    exits,
    fails,
    later,
    notifies,
    publishes,
    replies,
    requests,
    sleeps,
)
from tests.adapters.lsp.workbench import HASTE, HERE, bench
from tests.patience import AGES_S, at_once, soon, when

pytestmark = pytest.mark.slow

OPEN, CHANGE, PULL = "textDocument/didOpen", "textDocument/didChange", "textDocument/diagnostic"
PULLS = {**CAPABILITIES, "diagnosticProvider": {"interFileDependencies": True}}
#: For servers of which something is still to come, also on a loaded machine.
SLOW = evolve(HASTE, ready_s=60.0)
CALM = evolve(HASTE, quiet_s=1.0, clean_s=1.5)


def finding(message: str = "bad") -> dict[str, Any]:
    return {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}, "message": message}


def progress(token: int, kind: str) -> Step:
    return notifies("$/progress", {"token": token, "value": {"kind": kind, "title": "indexing"}})


def messages(diagnosis: Diagnosis) -> list[str]:
    assert isinstance(diagnosis, Findings)
    return [each.message for each in diagnosis.diagnostics.found]


class TestPushed:
    def test_the_last_list_of_a_row_counts(self, tmp_path: Path) -> None:
        stages = [
            publishes([]),
            later(0.1, publishes([finding("one")])),
            later(0.13, publishes([finding(), finding("two")])),
        ]
        with bench(tmp_path, {OPEN: [stages]}, timeouts=CALM) as at:
            diagnosis = at.open().diagnostics()
            assert messages(diagnosis) == ["bad", "two"]
            assert diagnosis == Findings(diagnostics=diagnosis.diagnostics)  # type: ignore[union-attr]  # checked above

    def test_an_empty_list_counts_when_nothing_follows(self, tmp_path: Path) -> None:
        with bench(tmp_path, {OPEN: [[publishes([])]]}) as at, at_once():
            assert messages(at.open().diagnostics(AGES_S)) == []

    @pytest.mark.parametrize("version", ["$version", None])
    @pytest.mark.parametrize("delay", [0.0, 0.3])
    def test_a_corrected_file_is_clean_when_the_server_says_so(
        self, tmp_path: Path, version: object, delay: float
    ) -> None:
        """C55 a, b: after half a second, or in the same instant and without a version."""
        clean = publishes([], version)
        on = {OPEN: [[publishes([finding()], version)]], CHANGE: [[later(delay, clean) if delay else clean]]}
        with bench(tmp_path, on) as at:
            assert messages(at.open().diagnostics()) == ["bad"]
            at.write("a.py", "a = 2\n")
            diagnosis = at.open().diagnostics(60.0)
            assert messages(diagnosis) == []
            assert isinstance(diagnosis, Findings)
            assert not diagnosis.as_last_published

    def test_an_old_list_is_never_shown_for_a_new_text(self, tmp_path: Path) -> None:
        """C55 c."""
        with bench(tmp_path, {OPEN: [[publishes([finding()])]]}) as at:
            assert messages(at.open().diagnostics()) == ["bad"]
            at.write("a.py", "a = 2\n")
            assert at.open().diagnostics(0.3) == NothingHeard(within_s=0.3)
            assert at.open().diagnostics(0.3) == NothingHeard(within_s=0.3)

    def test_a_list_about_an_older_version_does_not_count(self, tmp_path: Path) -> None:
        on = {
            OPEN: [[publishes([finding("old")])]],
            CHANGE: [[publishes([finding("old")], 1), later(0.1, publishes([finding("new")]))]],
        }
        with bench(tmp_path, on) as at:
            at.open()
            at.write("a.py", "a = 2\n")
            assert messages(at.open().diagnostics(60.0)) == ["new"]

    def test_a_list_about_a_document_that_was_closed_does_not_count(self, tmp_path: Path) -> None:
        late = [publishes([finding("old")], 2), later(0.1, publishes([finding("new")]))]
        with bench(tmp_path, {OPEN: [[], late]}) as at:
            at.open()
            path = at.write("a.py", "a = 2\n")
            at.open()
            path.unlink()
            with pytest.raises(Missing):
                at.open()
            at.write("a.py", "a = 3\n")
            assert messages(at.open().diagnostics(60.0)) == ["new"]

    @pytest.mark.parametrize("answer", [replies(), fails(-32602, "no such document")])
    def test_a_late_list_about_a_closed_document_does_not_count_although_it_names_no_version(
        self, tmp_path: Path, answer: Step
    ) -> None:
        closed = [sleeps(0.3), publishes([finding("old")], None)]
        on = {
            OPEN: [[publishes([finding("old")], None)], [later(0.5, publishes([finding("new")], None))]],
            "textDocument/didClose": [closed],
            "textDocument/hover": [[answer]],
        }
        with bench(tmp_path, on) as at:
            assert messages(at.open().diagnostics(60.0)) == ["old"]
            (at.root / "a.py").unlink()
            with pytest.raises(Missing):
                at.open()
            at.write("a.py", "a = 3\n")
            assert messages(at.open().diagnostics(60.0)) == ["new"]

    def test_who_is_cancelled_does_not_wait_for_what_is_still_said_of_a_closed_document(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"textDocument/hover": [[later(AGES_S, replies())]]}) as at:
            at.open()
            (at.root / "a.py").unlink()
            with pytest.raises(Missing):
                at.open()
            at.write("a.py", "a = 3\n")
            cancelled = Cancellation()
            cancelled.request()
            with at_once(), pytest.raises(Interrupted):
                at.open(cancellation=cancelled)

    def test_the_last_list_stands_as_long_as_nothing_changes(self, tmp_path: Path) -> None:
        """C55 d."""
        with bench(tmp_path, {OPEN: [[publishes([finding()])]]}) as at:
            at.open().diagnostics()
            again = at.open().diagnostics()
            assert messages(again) == ["bad"]
            assert isinstance(again, Findings)
            assert again.as_last_published
            assert len(at.received(OPEN)) == 1
            assert at.received(CHANGE) == []

    def test_a_list_that_came_between_calls_is_the_last_one(self, tmp_path: Path) -> None:
        with bench(tmp_path, {OPEN: [[publishes([finding()])]]}) as at:
            at.open().ask(Feature.HOVER, HERE)
            diagnosis = at.open().diagnostics()
            assert isinstance(diagnosis, Findings)
            assert diagnosis.as_last_published

    def test_after_a_change_elsewhere_the_server_has_a_moment_to_think_again(self, tmp_path: Path) -> None:
        uri = (tmp_path / "project" / "a.py").as_uri()
        changed = [later(0.1, publishes([finding("after")], None, uri))]
        on = {OPEN: [[publishes([finding("before")])], []], CHANGE: [changed, []]}
        with bench(tmp_path, on, timeouts=CALM) as at:
            at.write("b.py", "b = 1\n")
            assert messages(at.open().diagnostics()) == ["before"]
            at.open("b.py")
            at.write("b.py", "b = 2\n")
            assert messages(at.open().diagnostics()) == ["after"]
            at.write("b.py", "b = 3\n")
            again = at.open().diagnostics()
            assert messages(again) == ["after"]
            assert isinstance(again, Findings)
            assert again.as_last_published

    @pytest.mark.parametrize("name", ["(auth)/my page#1.py", "100%25.py", "ä é?.py"])
    def test_a_file_is_known_in_whatever_spelling(self, tmp_path: Path, name: str) -> None:
        """C53."""
        everything = "".join(f"%{byte:02x}" for byte in f"{tmp_path}/project/{name}".encode()).replace("%2f", "/")
        publication = publishes([finding()], uri=f"FILE://localhost{everything}")
        with bench(tmp_path, {OPEN: [[publication]]}) as at:
            at.write(name, "x\n")
            assert messages(at.open(name).diagnostics()) == ["bad"]

    def test_time_counts_from_when_the_server_is_ready(self, tmp_path: Path) -> None:
        loading = [progress(1, "begin"), later(1.0, progress(1, "end"), publishes([finding()]))]
        with bench(tmp_path, {OPEN: [loading]}, timeouts=SLOW) as at:
            assert messages(at.open().diagnostics(0.5)) == ["bad"]

    def test_an_empty_list_of_a_busy_server_is_not_believed(self, tmp_path: Path) -> None:
        loading = [
            progress(1, "begin"),
            publishes([]),
            later(0.8, publishes([finding()]), progress(1, "end")),
        ]
        with bench(tmp_path, {OPEN: [loading]}, timeouts=SLOW) as at:
            assert messages(at.open().diagnostics(0.5)) == ["bad"]

    def test_findings_of_a_busy_server_are_told_as_such(self, tmp_path: Path) -> None:
        with bench(tmp_path, {OPEN: [[progress(1, "begin"), publishes([finding()])]]}, timeouts=SLOW) as at:
            diagnosis = at.open().diagnostics()
            assert messages(diagnosis) == ["bad"]
            assert isinstance(diagnosis, Findings)
            assert diagnosis.busy

    def test_silence_of_a_busy_server_is_told_as_such(self, tmp_path: Path) -> None:
        with bench(tmp_path, {OPEN: [[progress(1, "begin")]]}, timeouts=evolve(HASTE, ready_s=0.3)) as at:
            assert at.open().diagnostics(0.1) == NothingHeard(within_s=0.1, busy=True)

    def test_time_does_not_count_before_the_first_answer(self, tmp_path: Path) -> None:
        on = {OPEN: [[sleeps(0.8)]], "textDocument/documentSymbol": [[publishes([finding()]), replies([])]]}
        with bench(tmp_path, on) as at:
            assert messages(at.open().diagnostics(0.2)) == ["bad"]

    def test_a_server_that_answers_nothing_is_given_up(self, tmp_path: Path) -> None:
        on: Mapping[str, Any] = {"textDocument/documentSymbol": [[later(60, replies())]]}
        with bench(tmp_path, on, timeouts=evolve(HASTE, wake_s=0.3)) as at:
            assert at.open().diagnostics(0.2) == NothingHeard(within_s=0.2, busy=True)

    def test_what_is_published_counts_whether_or_not_anything_is_answered(self, tmp_path: Path) -> None:
        on: Mapping[str, Any] = {"textDocument/documentSymbol": [[]], OPEN: [[publishes([])]]}
        with bench(tmp_path, on) as at, at_once():
            assert messages(at.open().diagnostics(AGES_S)) == []

    def test_a_death_is_told(self, tmp_path: Path) -> None:
        with bench(tmp_path, {OPEN: [[later(0.2, exits(3))]]}) as at, pytest.raises(Died, match="exit status 3"):
            at.open().diagnostics(AGES_S)

    def test_a_cancelled_wait_ends_at_once(self, tmp_path: Path) -> None:
        with bench(tmp_path) as at:
            cancellation = Cancellation()
            file = at.open("a.py", cancellation)
            asked = when(lambda: at.received("textDocument/documentSymbol"), cancellation.request)
            with at_once(), asked, pytest.raises(Interrupted):
                file.diagnostics(AGES_S)


class TestPulled:
    @pytest.mark.parametrize("kind", ["full", "", None])
    def test_findings_are_asked_for(self, tmp_path: Path, kind: str | None) -> None:
        report = {"kind": kind, "items": [finding()]}
        with bench(tmp_path, {PULL: [[replies(report)]]}, capabilities=PULLS) as at:
            assert messages(at.open().diagnostics()) == ["bad"]
            again = at.open().diagnostics()
            assert isinstance(again, Findings)
            assert not again.as_last_published

    def test_what_is_published_beside_them_joins_them(self, tmp_path: Path) -> None:
        on = {
            OPEN: [[publishes([finding("pushed")])]],
            PULL: [[replies({"kind": "full", "items": [finding("pulled")]})]],
        }
        with bench(tmp_path, on, capabilities=PULLS) as at:
            assert messages(at.open().diagnostics()) == ["pulled", "pushed"]

    @pytest.mark.parametrize("delay", [0.0, 0.3])
    def test_a_server_may_register_late_that_it_can_be_asked(self, tmp_path: Path, delay: float) -> None:
        options = {"identifier": "me", "documentSelector": None}
        registration = {"registrations": [{"id": "d", "method": PULL, "registerOptions": options}]}
        register = requests(1, "client/registerCapability", registration)
        on = {
            "initialized": [[later(delay, register) if delay else register]],
            PULL: [[replies({"kind": "full", "items": [finding()]})]],
        }
        with bench(tmp_path, on) as at:
            assert messages(at.open().diagnostics(60.0)) == ["bad"]
            assert {params.get("identifier") for params in at.received(PULL)} == {"me"}

    def test_nothing_found_by_a_busy_server_is_asked_for_again(self, tmp_path: Path) -> None:
        nothing = [progress(1, "begin"), replies({"kind": "full", "items": []}), later(0.4, progress(1, "end"))]
        on = {PULL: [nothing, [replies({"kind": "full", "items": [finding()]})]]}
        with bench(tmp_path, on, capabilities=PULLS, timeouts=SLOW) as at:
            assert messages(at.open().diagnostics()) == ["bad"]

    @pytest.mark.parametrize(
        "answer", [fails(-32603, "no"), replies(None), replies({"kind": "unchanged"}), replies([3])]
    )
    def test_without_an_answer_the_published_ones_count(self, tmp_path: Path, answer: Step) -> None:
        with bench(tmp_path, {OPEN: [[publishes([finding()])]], PULL: [[answer]]}, capabilities=PULLS) as at:
            assert messages(at.open().diagnostics()) == ["bad"]

    def test_without_any_answer_nothing_is_claimed(self, tmp_path: Path) -> None:
        with bench(tmp_path, {PULL: [[later(AGES_S, replies())]]}, capabilities=PULLS) as at, at_once():
            assert at.open().diagnostics(0.3) == NothingHeard(within_s=0.3)

    def test_a_death_is_told(self, tmp_path: Path) -> None:
        with bench(tmp_path, {PULL: [[exits(3)]]}, capabilities=PULLS) as at, pytest.raises(Died):
            at.open().diagnostics()

    def test_findings_are_of_the_file_as_it_is(self, tmp_path: Path) -> None:
        with bench(tmp_path, {PULL: [[replies({"items": [finding()]})]]}, capabilities=PULLS) as at:
            at.open().diagnostics()
            at.write("a.py", "a = 2\n")
            at.open().diagnostics()
            soon(lambda: at.received(CHANGE))
            methods = [message.get("method") for message in at.scripted.received()]
            assert methods.index(CHANGE) < len(methods) - 1 - methods[::-1].index(PULL)
