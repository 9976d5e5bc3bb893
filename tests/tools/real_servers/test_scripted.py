"""mm `lsp` with a server process that does what a script says: right answers, or words that say what went wrong."""

from __future__ import annotations

import resource
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from mmtools.call import FilesPreview
from mmtools.errors import Cancelled, PermissionRefused, ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.testing.scripted_language_servers import (
    CAPABILITIES,
    Step,
    awaits,
    exits,
    fails,
    floods,
    later,
    notifies,
    publishes,
    replies,
    requests,
    signals,
    sleeps,
    writes_errors,
)
from mmtools.tools.mm.edit_file import EditArg, EditFile, EditFileArgs
from mmtools.tools.mm.lsp import Lsp, LspArgs
from tests.adapters.lsp.workbench import HASTE, PATIENT, Bench, bench
from tests.patience import AGES_S, at_once, when
from tests.tools.asked import at, location, stretch, versioned

pytestmark = pytest.mark.slow

HOVER = "textDocument/hover"
DEFINITION = "textDocument/definition"
REFERENCES = "textDocument/references"
RENAME = "textDocument/rename"
DID_OPEN = "textDocument/didOpen"
DID_CHANGE = "textDocument/didChange"
NO_PREPARE = {**CAPABILITIES, "renameProvider": True}

Turns = Mapping[str, Sequence[Sequence[Step]]]


class Working:
    """An asker of a scripted server, as a model would be."""

    def __init__(self, at_work: Bench) -> None:
        self.bench = at_work
        self.tool = Lsp(servers=at_work.servers, files=at_work.files)
        self.call = StubCall()

    def __call__(self, action: Any, path: str = "a.py", **arguments: Any) -> str:
        self.call = StubCall(allows=self.call.allows)
        return self.tool.execute(LspArgs(action=action, path=path, **arguments), self.call)

    def refused(self, action: Any, path: str = "a.py", **arguments: Any) -> str:
        with pytest.raises(ToolFailure) as failure:
            self(action, path, **arguments)
        return failure.value.text

    def edit(self, path: str, old: str, new: str) -> None:
        tool = EditFile(files=self.bench.files)
        tool.execute(EditFileArgs(path=path, edits=(EditArg(old=old, new=new),)), StubCall())

    def uri(self, name: str = "a.py") -> str:
        return (self.bench.root / name).as_uri()


@contextmanager
def working(
    folder: Path, on: Turns | None = None, files: Mapping[str, str | bytes] | None = None, **more: Any
) -> Iterator[Working]:
    with bench(folder, on, **more) as made:
        for name, text in (files or {}).items():
            made.write(name, text)
        yield Working(made)


def root(folder: Path) -> str:
    """The URI of the project that `working` makes."""
    return (folder / "project").as_uri()


def edits(folder: Path, **ranges: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """Edits of first lines to `new`, by module."""
    return {
        f"{root(folder)}/{name}.py": [{"range": stretch(0, start, end), "newText": "new"} for start, end in some]
        for name, some in ranges.items()
    }


# C49
def test_columns_are_utf_16_on_the_wire_and_characters_for_the_model(tmp_path: Path) -> None:
    on = {
        DEFINITION: [[replies(location(f"{root(tmp_path)}/a.py", 0, 16, 19))]],
        REFERENCES: [[replies([location(f"{root(tmp_path)}/b.py", 0, 2, 3)])]],
    }
    files = {"a.py": 's = "\U0001f600"; foo = foo + 1\n', "b.py": "\U0001f60b\U0001f60bx\n"}
    with working(tmp_path, on, files) as work:
        assert work("definition", line=1, column=10) == 'a.py:1:16  s = "\U0001f600"; foo = foo + 1'
        (asked,) = work.bench.received(DEFINITION)
        assert asked["position"] == {"line": 0, "character": 10}
        assert "b.py:1:2  " in work("references", symbol="foo")


# C50
@pytest.mark.parametrize("form", ["ascending", "descending", "three entries", "whole text"])
def test_both_edit_forms_and_several_edits_on_one_line(tmp_path: Path, form: str) -> None:
    uri, text = f"{root(tmp_path)}/r.py", "a.close(a.x, a)\n"
    some = [{"range": stretch(0, start, start + 1), "newText": "plugin"} for start in (0, 8, 13)]
    whole = {"range": {"start": at(0, 0), "end": at(5, 0)}, "newText": "plugin.close(plugin.x, plugin)\n"}
    entries = [{"textDocument": {"uri": uri, "version": None}, "edits": [edit]} for edit in some]
    answer = {
        "ascending": {"changes": {uri: some}},
        "descending": versioned({uri: some[::-1]}),
        "three entries": {"documentChanges": entries},
        "whole text": {"changes": {uri: [whole]}},
    }[form]
    with working(tmp_path, {RENAME: [[replies(answer)]]}, {"r.py": text}, capabilities=NO_PREPARE) as work:
        count = 1 if form == "whole text" else 3
        told = work("rename", "r.py", symbol="a", new_name="plugin")
        assert told == f"renamed to plugin: {count} edit(s) in 1 file(s)\nr.py: {count} edit(s)"
        assert (work.bench.root / "r.py").read_bytes() == b"plugin.close(plugin.x, plugin)\n"


# C53
@pytest.mark.parametrize(
    ("name", "spelt"),
    [
        ("app/(auth)/my page#1.py", "app/%28auth%29/my%20page%231.py"),
        ("app/(auth)/my page#1.py", "app/(auth)/my%20page%231.py"),
        ("app/100%25.py", "app/100%2525.py"),
        ("app/é?.py", "app/%c3%a9%3f.py"),
    ],
)
def test_findings_are_shown_however_the_server_spells_the_uri(tmp_path: Path, name: str, spelt: str) -> None:
    bad = {"range": stretch(0, 0, 1), "message": "bad", "severity": 1}
    on = {DID_OPEN: [[publishes([bad], uri=f"{root(tmp_path)}/{spelt}")]]}
    with working(tmp_path, on, {name: "x\n"}) as work:
        assert work("diagnostics", name) == f"1 diagnostic(s) in {name}:\nerror {name}:1:1 bad"


# C54
def test_hover_is_answered_once_the_server_got_its_own_answers(tmp_path: Path) -> None:
    on = {
        HOVER: [
            [
                requests("r1", "client/registerCapability", {"registrations": []}),
                requests(1, "workspace/configuration", {"items": [{"section": "a"}, {"section": "b"}]}),
                requests(2, "window/workDoneProgress/create", {"token": 1}),
                requests(3, "unknown/method"),
                *[awaits(number) for number in ("r1", 1, 2, 3)],
                replies({"contents": "found"}),
            ]
        ]
    }
    with working(tmp_path, on) as work:
        assert work("hover", symbol="a") == "found"
        answers = {entry["id"]: entry for entry in work.bench.scripted.received() if "method" not in entry}
        assert [answers[number]["result"] for number in ("r1", 1, 2)] == [None, [None, None], None]
        assert answers[3]["error"]["code"] == -32601


@pytest.mark.parametrize("method", ["initialize", HOVER])
def test_a_server_that_never_answers_is_told_in_time(tmp_path: Path, method: str) -> None:
    timeouts = evolve(HASTE, initialize_s=0.5, request_s=0.5)
    with working(tmp_path, {method: [[]]}, timeouts=timeouts) as work:
        with at_once():
            text = work.refused("hover", symbol="a")
        assert "no answer to" in text
        assert "within 0.5s" in text


# C55
BAD = {"range": stretch(0, 0, 1), "message": "old error", "severity": 1}


@pytest.mark.parametrize(
    ("after", "text"),
    [
        ([later(0.3, publishes([]))], "no diagnostics: a.py is clean"),
        ([publishes([], version=None)], "no diagnostics: a.py is clean"),
        (
            [publishes([], version=None), later(0.1, publishes([{**BAD, "message": "real"}]))],
            "1 diagnostic(s) in a.py:\nerror a.py:1:1 real",
        ),
        ([], "no diagnostics received for a.py within 3s ("),
        ([publishes([BAD], version=1)], "no diagnostics received for a.py within 3s ("),
    ],
    ids=["later", "without a version", "empty, then full", "never", "of the old text"],
)
def test_after_an_edit_only_what_is_about_the_new_text_counts(tmp_path: Path, after: Sequence[Step], text: str) -> None:
    on: Turns = {DID_OPEN: [[publishes([BAD])]], DID_CHANGE: [after]}
    with working(tmp_path, on, timeouts=evolve(HASTE, clean_s=1.5)) as work:
        assert work("diagnostics") == "1 diagnostic(s) in a.py:\nerror a.py:1:1 old error"
        work.edit("a.py", "a = 1", "b = 2")
        told = work("diagnostics")
        assert told.startswith(text)
        assert "old error" not in told


def test_an_empty_list_that_is_only_the_first_stage_is_not_called_clean(tmp_path: Path) -> None:
    """C133: errors that come two seconds later; or later than anybody waits."""
    on: Turns = {DID_OPEN: [[publishes([]), later(2.0, publishes([BAD]))]]}
    with working(tmp_path, on) as work:
        assert work("diagnostics") == "1 diagnostic(s) in a.py:\nerror a.py:1:1 old error"


def test_a_server_that_does_not_say_when_it_has_looked_is_not_believed_in_full(tmp_path: Path) -> None:
    """C133."""
    with working(tmp_path, {DID_OPEN: [[publishes([])]]}) as work:
        assert work("diagnostics") == (
            "no diagnostics: a.py is clean\n"
            "[scripted does not tell when it has looked at everything: call again later to be sure]"
        )


def test_a_file_that_did_not_change_is_told_as_last_published(tmp_path: Path) -> None:
    with working(tmp_path, {DID_OPEN: [[publishes([BAD])]]}) as work:
        work("diagnostics")
        assert work("diagnostics") == "1 diagnostic(s) in a.py (as last published):\nerror a.py:1:1 old error"


# C57
@contextmanager
def largest_file(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("large", ["a.py", "b.py", "c.py"])
def test_a_file_that_cannot_be_written_leaves_all_as_they_were(tmp_path: Path, large: str) -> None:
    files = {name: b"old\n" + b"#" * 20_000 * (name == large) for name in ("a.py", "b.py", "c.py")}
    answer = {"changes": edits(tmp_path, a=[(0, 3)], b=[(0, 3)], c=[(0, 3)])}
    on = {RENAME: [[replies(answer)]], HOVER: [[replies({"contents": "x"})]]}
    with working(tmp_path, on, files, capabilities=NO_PREPARE) as work:
        work("hover", symbol="old")
        with largest_file(10_000):
            text = work.refused("rename", symbol="old", new_name="new")
        assert f"nothing was renamed: {large} could not be written" in text
        assert {path.name: path.read_bytes() for path in work.bench.root.iterdir()} == files
        work("hover", symbol="old")
        texts = [each["contentChanges"][0]["text"] for each in work.bench.received(DID_CHANGE)]
        assert not texts or texts[-1].encode() == files["a.py"]


def test_edits_outside_the_project_are_refused_whole(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_bytes(b"old\n")
    some = edits(tmp_path, a=[(0, 3)])
    some[outside.as_uri()] = [{"range": stretch(0, 0, 3), "newText": "new"}]
    on = {RENAME: [[replies({"changes": some})]]}
    with working(tmp_path, on, {"a.py": "old\n"}, capabilities=NO_PREPARE) as work:
        assert f"{outside}, which is outside the working directory" in work.refused(
            "rename", symbol="old", new_name="new"
        )
        assert not work.call.proposals
        assert (work.bench.root / "a.py").read_bytes() == outside.read_bytes() == b"old\n"


def test_a_link_that_leads_out_of_the_project_is_outside(tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_bytes(b"old\n")
    on = {RENAME: [[replies({"changes": edits(tmp_path, a=[(0, 3)], linked=[(0, 3)])})]]}
    with working(tmp_path, on, {"a.py": "old\n"}, capabilities=NO_PREPARE) as work:
        (work.bench.root / "linked.py").symlink_to(outside)
        assert "outside the working directory" in work.refused("rename", symbol="old", new_name="new")
        assert outside.read_bytes() == b"old\n"


def test_a_file_under_two_names_is_changed_once_and_the_link_stays(tmp_path: Path) -> None:
    answer = {"changes": edits(tmp_path, a=[(0, 3)], linked=[(6, 9)])}
    on = {RENAME: [[replies(answer)]]}
    with working(tmp_path, on, {"a.py": "old = old\n"}, capabilities=NO_PREPARE) as work:
        link = work.bench.root / "linked.py"
        link.symlink_to("a.py")
        assert work("rename", symbol="old", new_name="new") == (
            "renamed to new: 2 edit(s) in 1 file(s)\na.py: 2 edit(s)"
        )
        assert (work.bench.root / "a.py").read_bytes() == b"new = new\n"
        assert link.is_symlink()


def test_a_refused_rename_writes_nothing_and_was_asked_about_with_all_paths(tmp_path: Path) -> None:
    on = {RENAME: [[replies({"changes": edits(tmp_path, a=[(0, 3)], b=[(0, 3)])})]]}
    files = {"a.py": "old\n", "b.py": "old\r\n"}
    with working(tmp_path, on, files, capabilities=NO_PREPARE) as work:
        work.call.allows = False
        with pytest.raises(PermissionRefused, match=r"^\[rename rejected by the user\]$"):
            work("rename", symbol="old", new_name="new")
        [proposal] = work.call.proposals
        assert proposal.paths == tuple(str(work.bench.root / name) for name in files)
        assert isinstance(proposal.preview, FilesPreview)
        assert [change.after for change in proposal.preview.changes] == [b"new\n", b"new\r\n"]
        assert {path.name: path.read_bytes() for path in work.bench.root.iterdir()} == {
            name: text.encode() for name, text in files.items()
        }


def test_a_rename_that_does_not_settle_is_refused(tmp_path: Path) -> None:
    turns = [[replies({"changes": edits(tmp_path, a=[(0, 3)] * (number % 2), b=[(0, 3)])})] for number in range(60)]
    files = {"a.py": "old\n", "b.py": "old\n"}
    with working(tmp_path, {RENAME: turns}, files, capabilities=NO_PREPARE) as work:
        text = work.refused("rename", symbol="old", new_name="new")
        assert text.startswith("[lsp: nothing was renamed: scripted is still loading or indexing")
        assert not work.call.proposals


def test_edits_for_another_version_of_an_open_file_are_refused(tmp_path: Path) -> None:
    answer = versioned(edits(tmp_path, a=[(0, 3)]), 7)
    with working(tmp_path, {RENAME: [[replies(answer)]]}, {"a.py": "old\n"}, capabilities=NO_PREPARE) as work:
        assert "a.py changed while scripted was asked" in work.refused("rename", symbol="old", new_name="new")


def test_the_server_is_told_what_a_rename_wrote(tmp_path: Path) -> None:
    on = {
        RENAME: [[replies({"changes": edits(tmp_path, a=[(0, 3)], b=[(0, 3)])})]],
        HOVER: [[replies({"contents": "x"})]],
    }
    files = {"a.py": "old\n", "b.py": "old\n"}
    with working(tmp_path, on, files, capabilities=NO_PREPARE) as work:
        work("rename", symbol="old", new_name="new")
        work("hover", symbol="new")
        (change,) = work.bench.received(DID_CHANGE)
        assert change["contentChanges"] == [{"text": "new\n"}]
        (notice,) = work.bench.received("workspace/didChangeWatchedFiles")
        assert {each["uri"] for each in notice["changes"]} == {work.uri("a.py"), work.uri("b.py")}


# Early, partial, late and last words
def test_the_first_partial_references_are_not_taken_for_all(tmp_path: Path) -> None:
    uri = f"{root(tmp_path)}/a.py"
    one, two = location(uri, 0, 0, 1), location(uri, 0, 4, 5)
    on = {REFERENCES: [[replies([one])], [replies([one, two])]]}
    with working(tmp_path, on) as work:
        assert work("references", symbol="a").startswith("2 reference(s):\n")


def test_a_server_that_loads_for_ever_is_said_to_do_so(tmp_path: Path) -> None:
    begin = notifies("$/progress", {"token": "t", "value": {"kind": "begin", "title": "indexing"}})
    on = {"initialized": [[begin]], DEFINITION: [[replies([])]]}
    with working(tmp_path, on, timeouts=evolve(HASTE, ready_s=0.3)) as work:
        text = work.refused("definition", symbol="a")
        assert text.startswith("[lsp: scripted is still loading or indexing, and has found nothing for definition")


@pytest.mark.parametrize(
    ("steps", "parts"),
    [
        ([writes_errors("panic: oh no\n"), signals(9)], ["ended before it answered", "SIGKILL", "panic: oh no"]),
        ([exits(3)], ["ended before it answered", "exit status 3"]),
        ([fails(-32603, "it broke")], ["scripted: hover failed: it broke"]),
    ],
)
def test_a_death_in_the_middle_of_a_request_is_told_within_a_second_and_the_next_call_works(
    tmp_path: Path, steps: Sequence[Step], parts: Sequence[str]
) -> None:
    on: Turns = {HOVER: [steps], DEFINITION: [[replies(location(f"{root(tmp_path)}/a.py", 0, 0, 1))]]}
    with working(tmp_path, on, timeouts=PATIENT) as work:
        work("definition", symbol="a")
        with at_once():
            text = work.refused("hover", symbol="a")
        assert all(part in text for part in parts)
        assert work("definition", symbol="a") == "a.py:1:1  a = 1"


def test_a_server_that_cannot_start_is_told_and_not_started_for_ever(tmp_path: Path) -> None:
    with working(tmp_path, {"initialize": [[writes_errors("component missing\n"), exits(1)]]}) as work:
        for _ in range(3):
            text = work.refused("symbols")
            assert "scripted could not be started (exit status 1; it last wrote: component missing)" in text
        assert "ended too often" in work.refused("symbols")


def test_split_frames_and_a_flood_of_errors_are_no_trouble(tmp_path: Path) -> None:
    words = "größer \U0001f600 " * 50
    with working(tmp_path, {HOVER: [[floods(4), replies({"contents": words})]]}, piece_bytes=7) as work:
        assert work("hover", symbol="a") == words


def test_links_and_flat_symbols_are_understood(tmp_path: Path) -> None:
    uri = f"{root(tmp_path)}/a.py"
    link = {"targetUri": uri, "targetRange": stretch(0, 0, 5), "targetSelectionRange": stretch(0, 4, 5)}
    flat = [
        {"name": "C", "kind": 5, "location": {"uri": uri, "range": stretch(0, 0, 5)}},
        {"name": "m", "kind": 6, "containerName": "C", "location": {"uri": uri, "range": stretch(0, 2, 3)}},
    ]
    with working(tmp_path, {DEFINITION: [[replies([link])]], "textDocument/documentSymbol": [[replies(flat)]]}) as work:
        assert work("definition", symbol="a") == "a.py:1:5  a = 1"
        assert work("symbols") == "class C  line 1\n  method m  line 1"


def test_a_cancelled_call_stops_waiting(tmp_path: Path) -> None:
    with working(tmp_path, {HOVER: [[sleeps(AGES_S)]]}, timeouts=PATIENT) as work:
        call = StubCall()
        asked = when(lambda: work.bench.received(HOVER), call.cancellation.request)
        with at_once(), asked, pytest.raises(Cancelled, match=r"^\[lsp was cancelled\]$"):
            work.tool.execute(LspArgs(action="hover", path="a.py", symbol="a"), call)
