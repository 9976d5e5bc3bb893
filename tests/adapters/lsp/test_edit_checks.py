"""What an edit made worse or better is told when a server says it in time, and otherwise nothing is."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from mmtools.adapters.lsp.edit_checks import LanguageServerChecks
from mmtools.call import Cancellation
from mmtools.core.lsp.diagnostics import Finding, Severity
from mmtools.core.lsp.diagnostics_delta import Delta
from mmtools.ports.edit_checks import EditChecks
from mmtools.ports.language_servers import LanguageServers
from mmtools.testing.scripted_language_servers import CAPABILITIES, Step, exits, publishes, replies, sleeps
from mmtools.tools.wording import diagnostics
from tests.adapters.lsp.workbench import PATIENT, Bench, bench
from tests.patience import AGES_S, PATIENCE_S, at_once, soon, when

pytestmark = pytest.mark.slow

DID_OPEN = "textDocument/didOpen"
DID_CHANGE = "textDocument/didChange"

Turns = Mapping[str, Sequence[Sequence[Step]]]


def bad(line: int, message: str, severity: int = 1) -> dict[str, Any]:
    ends = {"line": line, "character": 0}, {"line": line, "character": 1}
    return {"range": dict(zip(("start", "end"), ends, strict=True)), "message": message, "severity": severity}


def found(line: int, message: str, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(line, 1, severity, message, "")


def edited(
    at: Bench, text: str, name: str = "a.py", *, before_s: float = PATIENCE_S, total_s: float = AGES_S
) -> Delta | None:
    """Write a file under watch; what is to be told has the time to be."""
    checks: EditChecks = LanguageServerChecks(servers=at.servers, before_s=before_s, total_s=total_s)
    watch = checks.watch(at.files.locate(name), Cancellation())
    at.write(name, text)
    return watch.delta()


@pytest.mark.parametrize(
    ("before", "after", "delta"),
    [
        ([], [bad(1, "new")], Delta(appeared=(found(2, "new"),))),
        ([bad(0, "old")], [], Delta(gone=(found(1, "old"),))),
        ([bad(0, "kept")], [bad(0, "kept")], Delta()),
        ([], [bad(1, "warns", 2)], Delta(appeared=(found(2, "warns", Severity.WARNING),))),
        ([bad(0, "hint", 4)], [bad(0, "information", 3)], Delta()),
    ],
)
def test_what_the_server_finds_after_and_not_before_is_the_delta(
    tmp_path: Path, before: list[Any], after: list[Any], delta: Delta
) -> None:
    with bench(tmp_path, {DID_OPEN: [[publishes(before)]], DID_CHANGE: [[publishes(after)]]}) as at:
        assert edited(at, "a = 1\nb = 2\n") == delta


def test_a_new_file_had_nothing_wrong(tmp_path: Path) -> None:
    with bench(tmp_path, {DID_OPEN: [[publishes([bad(0, "new")])]]}) as at:
        assert edited(at, "b\n", "new/b.py") == Delta(appeared=(found(1, "new"),))


@pytest.mark.parametrize(
    "on",
    [
        {},
        {DID_OPEN: [[publishes([])]]},
        {DID_CHANGE: [[publishes([bad(0, "new")])]]},
        {"initialize": [[exits(1)]]},
        {DID_OPEN: [[publishes([]), exits(1)]]},
    ],
    ids=["says nothing", "nothing after", "nothing before", "does not start", "dies"],
)
def test_a_server_that_does_not_speak_of_both_states_is_no_reason_to_say_anything(tmp_path: Path, on: Turns) -> None:
    with bench(tmp_path, on) as at:
        assert edited(at, "a = 2\n", before_s=0.4, total_s=0.8) is None


@pytest.mark.parametrize(
    ("on", "reason"),
    [
        ({"initialize": [[sleeps(AGES_S)]]}, "server starting"),
        ({"initialize": [[exits(1)]]}, "no answer from the server"),
    ],
)
def test_silence_after_an_edit_is_told_with_its_reason(tmp_path: Path, on: Turns, reason: str) -> None:
    with bench(tmp_path, on) as at:
        checks = LanguageServerChecks(servers=at.servers, before_s=0.5 if reason == "server starting" else PATIENCE_S)
        watch = checks.watch(at.files.locate("a.py"), Cancellation())
        assert watch.delta() is None
        assert watch.missing() == reason
        assert diagnostics.not_known(watch.missing()) == f"\ndiagnostics not known yet ({reason})"


def test_a_server_that_has_spoken_before_is_not_said_to_start(tmp_path: Path) -> None:
    on: Turns = {DID_OPEN: [[publishes([bad(0, "old")])]], DID_CHANGE: [[]]}
    with bench(tmp_path, on) as at:
        checks = LanguageServerChecks(servers=at.servers, before_s=PATIENCE_S, total_s=AGES_S)
        place = at.files.locate("a.py")
        checks.watch(place, Cancellation())
        at.write("a.py", "a = 2\n")
        assert checks.look(place, 0.5, Cancellation()) in ("server still checking", "nothing heard from the server")


def test_a_file_that_no_server_takes_is_passed_over(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.write("x.md", "x\n")
        assert edited(at, "y\n", "x.md") is None
        assert at.scripted.received() == []


def test_an_edit_does_not_wait_for_a_server_that_starts_slowly_but_the_next_one_finds_it_there(tmp_path: Path) -> None:
    on = {
        "initialize": [[sleeps(3.0), replies({"capabilities": CAPABILITIES})]],
        DID_OPEN: [[publishes([])]],
        DID_CHANGE: [[publishes([bad(0, "new")])]],
    }
    with bench(tmp_path, on) as at:
        assert edited(at, "a = 2\n", before_s=0.2, total_s=0.4) is None
        assert not at.received(DID_OPEN)
        soon(lambda: at.received(DID_OPEN))
        assert edited(at, "a = 3\n") == Delta(appeared=(found(1, "new"),))
        assert len(at.received("initialize")) == 1


def test_both_waits_together_have_a_limit(tmp_path: Path) -> None:
    with bench(tmp_path, {"textDocument/documentSymbol": [[sleeps(AGES_S)]]}, timeouts=PATIENT) as at, at_once():
        assert edited(at, "a = 2\n", before_s=0.3, total_s=0.6) is None


def test_a_cancelled_call_does_not_wait(tmp_path: Path) -> None:
    with bench(tmp_path, {DID_OPEN: [[publishes([])]]}) as at:
        checks = LanguageServerChecks(servers=at.servers, before_s=PATIENCE_S, total_s=AGES_S)
        cancellation = Cancellation()
        watch = checks.watch(at.files.locate("a.py"), cancellation)
        at.write("a.py", "a = 2\n")
        with at_once(), when(lambda: at.received(DID_CHANGE), cancellation.request):
            assert watch.delta() is None


def test_no_more_than_a_few_files_are_looked_at_side_by_side(tmp_path: Path) -> None:
    with bench(tmp_path, {"initialize": [[sleeps(AGES_S)]]}) as at:
        servers: LanguageServers = at.servers
        checks = LanguageServerChecks(servers=servers, before_s=0.01)
        for _ in range(20):
            checks.watch(at.files.locate("a.py"), Cancellation())
        waiting = [thread for thread in threading.enumerate() if thread.name == "mmtools-edit-check"]
        assert 0 < len(waiting) <= 8
    soon(lambda: not any(thread.name == "mmtools-edit-check" for thread in threading.enumerate()))
