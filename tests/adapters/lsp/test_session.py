"""What a server is told before it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from mmtools.ports.files import Missing
from mmtools.ports.language_servers import Answer, Feature
from mmtools.testing.scripted_language_servers import Step, awaits, notifies, replies, requests
from tests.adapters.lsp.workbench import HERE, Bench, bench
from tests.patience import at_once, soon

pytestmark = pytest.mark.slow

OPEN, CHANGE, SAVE, CLOSE = (f"textDocument/did{what}" for what in ("Open", "Change", "Save", "Close"))
WATCHED, HOVER, REFERENCES = "workspace/didChangeWatchedFiles", "textDocument/hover", "textDocument/references"
ANSWERS: Mapping[str, Sequence[Sequence[Step]]] = {HOVER: [[replies({"contents": "x"})]]}
WATCHES = requests("w", "client/registerCapability", {"registrations": [{"id": "1", "method": WATCHED}]})
#: A server that watches files, and says so before it answers anything.
WATCHING: Mapping[str, Sequence[Sequence[Step]]] = {**ANSWERS, "initialized": [[WATCHES, awaits("w")]]}


def place(name: str, line: int) -> dict[str, Any]:
    point = {"line": line, "character": 0}
    return {"uri": f"file:///{name}", "range": {"start": point, "end": point}}


def methods(at: Bench) -> list[str]:
    return [message["method"] for message in at.scripted.received() if "method" in message]


def names(at: Bench, method: str) -> list[str]:
    return [params["textDocument"]["uri"].rpartition("/")[2] for params in at.received(method)]


def test_every_open_file_is_brought_up_to_date_before_each_question(tmp_path: Path) -> None:
    with bench(tmp_path, ANSWERS) as at:
        at.write("b.py", "b = 1\n")
        at.open("b.py")
        at.open("a.py").ask(Feature.HOVER, HERE)
        at.write("b.py", "b = 2\n")
        at.open("a.py").ask(Feature.HOVER, HERE)
        soon(lambda: len(at.received(HOVER)) == 2)
        (change,) = at.received(CHANGE)
        assert change["textDocument"] == {"uri": (at.root / "b.py").as_uri(), "version": 2}
        assert change["contentChanges"] == [{"text": "b = 2\n"}]
        assert names(at, SAVE) == ["b.py"]
        assert [method for method in methods(at) if method in (CHANGE, SAVE, HOVER)] == [HOVER, CHANGE, SAVE, HOVER]


def test_a_file_that_is_gone_is_closed(tmp_path: Path) -> None:
    with bench(tmp_path, ANSWERS) as at:
        path = at.write("b.py", "b = 1\n")
        at.open("b.py")
        path.unlink()
        at.open("a.py").ask(Feature.HOVER, HERE)
        assert names(at, CLOSE) == ["b.py"]
        with pytest.raises(Missing):
            at.open("b.py")


def test_what_was_sent_of_a_file_is_known(tmp_path: Path) -> None:
    with bench(tmp_path, ANSWERS) as at:
        path = str(at.write("b.py", "b = 1\n"))
        file = at.open("a.py")
        assert file.sent(path) is None
        at.open("b.py")
        at.write("b.py", "b = 2\n")
        at.open("b.py")
        sent = file.sent(path)
        assert sent
        assert (sent.version, sent.document.text) == (2, "b = 2\n")


def test_a_server_that_watches_files_gets_notices(tmp_path: Path) -> None:
    with bench(tmp_path, WATCHING) as at:
        gone = at.write("gone.py", "")
        old = at.write("old #1.py", "")
        at.open("a.py").ask(Feature.HOVER, HERE)
        new = at.write("new.txt", "")
        at.write("old #1.py", "2")
        gone.unlink()
        at.servers.note_changed(map(str, [old, gone]))
        at.servers.note_changed([str(new)])
        assert at.received(WATCHED) == []
        at.open("a.py").ask(Feature.HOVER, HERE)
        at.open("a.py").ask(Feature.HOVER, HERE)
        (notice,) = at.received(WATCHED)
        assert notice["changes"] == [
            {"uri": gone.as_uri(), "type": 3},
            {"uri": new.as_uri(), "type": 1},
            {"uri": old.as_uri(), "type": 2},
        ]
        assert names(at, OPEN) == ["a.py"]


def test_a_server_that_does_not_watch_files_is_shown_those_it_takes(tmp_path: Path) -> None:
    with bench(tmp_path, ANSWERS) as at:
        at.open("a.py").ask(Feature.HOVER, HERE)
        changed = [at.write(name, "x") for name in ("b.py", "c.txt", "d.py")]
        binary, gone = at.write("e.py", b"\0"), at.root / "f.py"
        at.servers.note_changed(map(str, [*changed, binary, gone]))
        at.open("a.py").ask(Feature.HOVER, HERE)
        assert names(at, OPEN) == ["a.py", "b.py", "d.py"]
        assert names(at, SAVE) == ["b.py", "d.py"]


def test_after_a_command_changes_are_looked_for(tmp_path: Path) -> None:
    with bench(tmp_path, WATCHING) as at:
        at.open("a.py").ask(Feature.HOVER, HERE)
        (at.root / "sub").mkdir()
        new = at.write("sub/new.py", "")
        at.open("a.py").ask(Feature.HOVER, HERE)
        assert at.received(WATCHED) == []
        at.servers.note_changed()
        at.open("a.py").ask(Feature.HOVER, HERE)
        assert at.received(WATCHED) == [{"changes": [{"uri": new.as_uri(), "type": 1}]}]
        at.servers.note_changed()
        at.open("a.py").ask(Feature.HOVER, HERE)
        assert len(at.received(WATCHED)) == 1


def test_references_are_asked_for_until_they_stand_still_and_again_after_a_change(tmp_path: Path) -> None:
    """At first they are a part."""
    few, all_ = [place("a", 1)], [place("a", 1), place("b", 2)]
    with bench(tmp_path, {REFERENCES: [[replies(few)], [replies(all_)]]}) as at:
        assert at.open().ask(Feature.REFERENCES, HERE) == Answer(all_)
        assert len(at.received(REFERENCES)) == 3
        assert at.received(REFERENCES)[0]["context"] == {"includeDeclaration": True}
        at.open().ask(Feature.REFERENCES, HERE)
        assert len(at.received(REFERENCES)) == 4
        at.servers.note_changed([str(at.write("new.py", ""))])
        at.open().ask(Feature.REFERENCES, HERE)
        assert len(at.received(REFERENCES)) == 6


def test_a_rename_that_does_not_stand_still_is_told_as_such(tmp_path: Path) -> None:
    turns = [[replies({"changes": {f"file:///{number}": []}})] for number in range(500)]
    with bench(tmp_path, {"textDocument/rename": turns}) as at:
        answer = at.open().ask(Feature.RENAME, HERE, new_name="x")
        assert not answer.settled
        asked = at.received("textDocument/rename")[0]
        assert asked == {"textDocument": {"uri": (at.root / "a.py").as_uri()}, "position": HERE_WIRE, "newName": "x"}


HERE_WIRE = {"line": 0, "character": 0}


def test_a_rename_of_a_server_that_is_still_indexing_is_told_as_such(tmp_path: Path) -> None:
    begin = notifies("$/progress", {"token": 1, "value": {"kind": "begin"}})
    with bench(tmp_path, {OPEN: [[begin]], "textDocument/rename": [[replies({"changes": {}})]]}) as at, at_once():
        assert not at.open().ask(Feature.RENAME, HERE, new_name="x").settled
