"""
crab `edit`, row by row of its page: literal, exactly once, against the original, all or nothing, never over what was
not read.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import assume, given

from mmtools import AllowAll, Runner, Toolset
from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.call import Location, Proposal, Status, ToolKind
from mmtools.core.edits import Applied, Replacement, resolve
from mmtools.core.freshness import Ledger
from mmtools.core.writers import Writers
from mmtools.errors import PermissionRefused, ToolFailure
from mmtools.ports.files import Files
from mmtools.testing.calls import StubCall
from mmtools.testing.conformance.edits import EditRefused, check_edit_function
from mmtools.testing.files import MemoryFiles
from mmtools.testing.strategies import Edits, refused_edits
from mmtools.tools.crab.bash import Bash, BashArgs
from mmtools.tools.crab.edit import Edit, EditArg, EditArgs
from mmtools.tools.crab.read import Read, ReadArgs


class Editing:
    """A reader and editor in a session with the gate, as a model would be."""

    def __init__(self, files: Files, *, ledger: Ledger | None = None) -> None:
        self.ledger = ledger or Ledger()
        self.reading = Read(files=files, ledger=self.ledger)
        self.tool = Edit(files=files, ledger=self.ledger)
        self.call = StubCall()

    def __call__(self, path: str, *edits: tuple[str, str]) -> str:
        self.call = StubCall()
        return self.tool.execute(arguments(path, *edits), self.call)

    def refused(self, path: str, *edits: tuple[str, str]) -> str:
        with pytest.raises(ToolFailure) as refusal:
            self(path, *edits)
        assert not self.call.reported.changes
        assert not self.call.proposals
        return refusal.value.text

    def read(self, path: str) -> None:
        self.reading.execute(ReadArgs(path=path), StubCall())


class Interrupted(StubCall):
    """A call that does something while the question is open."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def approve(self, proposal: Proposal) -> None:
        super().approve(proposal)
        self._meanwhile()


def arguments(path: str, *edits: tuple[str, str]) -> EditArgs:
    return EditArgs(path=path, edits=tuple(EditArg(old=old, new=new) for old, new in edits))


def opened(data: bytes | str) -> tuple[MemoryFiles, Editing]:
    """A place with one file, `f`, that was read."""
    files = MemoryFiles({"f": data})
    edit = Editing(files)
    edit.read("f")
    return files, edit


def test_the_declaration_is_that_of_the_page() -> None:
    spec = Edit.spec
    assert (spec.name, spec.kind, spec.family) == ("edit", ToolKind.EDIT, "file")
    assert spec.arguments_schema["required"] == ["path", "edits"]
    assert "read it first" in spec.description


@pytest.mark.slow
def test_it_passes_the_suite_for_edit_functions() -> None:
    def edit(text: str, edits: Edits) -> str:
        # A first character of our own: what would be a BOM is a character like any other then.
        files = MemoryFiles({"f": f"\ue001{text}"})
        try:
            Edit(files=files).execute(arguments("f", *edits), StubCall())
        except ToolFailure as refusal:
            if "is not text" not in refusal.text:
                raise EditRefused from refusal
            # A NUL: no text for us, and some for the suite.
            result = resolve(text, [Replacement(*pair) for pair in edits])
            if not isinstance(result, Applied):
                raise EditRefused from refusal
            return result.text
        return files.contents["f"].decode()[1:]

    check_edit_function(edit, newlines="view")


@given(refused_edits())
def test_a_failed_edit_in_a_batch_applies_none_and_asks_nothing(case: tuple[str, Edits]) -> None:
    before, edits = case
    assume("\0" not in before)
    files, edit = opened(before)
    assert edit.refused("f", *edits)
    assert files.contents == {"f": before.encode()}


@pytest.mark.parametrize(
    ("before", "edits", "told"),
    [
        ("a b\n", [("a  b", "x")], "old text not found: line 1 differs in blanks"),
        ("a\na\n", [("a", "x")], "old text appears 2 times (lines 1, 2)"),
        ("aaa\n", [("aa", "x")], "old text appears 2 times"),
        ("", [("", "x")], "old is empty; send the text to replace"),
        ("abc\n", [("", "x")], "old is empty; send the text to replace"),
        ("abc\n", [("ab", "x"), ("bc", "y")], "overlaps"),
        ("a\nb\n", [("a", "b"), ("b", "c"), ("x", "y")], "edit 3: old text not found"),
        ("def greet(name):\n    return 1\n", [("def greet(nome):", "x")], "line 1"),
        ("a\n", [], "edits is empty; send at least one {old, new}"),
    ],
)
def test_each_refusal_is_loud_and_names_the_place(before: str, edits: list[tuple[str, str]], told: str) -> None:
    files, edit = opened(before)
    assert told in edit.refused("f", *edits)
    assert files.contents == {"f": before.encode()}


def test_edits_match_the_original_and_not_one_another() -> None:
    files, edit = opened("a\nb\n")
    answer = edit("f", ("a", "b"), ("b", "c"))
    assert files.contents == {"f": b"b\nc\n"}
    assert answer == "edited f: 2 edit(s), +1 -1 lines, first change at line 1\n-1 a\n 1 b\n+2 c"


@pytest.mark.parametrize(
    ("before", "edit", "after"),
    [
        (b"a\r\nb\r\n", ("b", "c"), b"a\r\nc\r\n"),
        (b"\xef\xbb\xbfa\n", ("a", "b"), b"\xef\xbb\xbfb\n"),
        (b"a", ("a", "b"), b"b"),
        (b"$&\n", ("$&", "\\1 $' $$"), b"\\1 $' $$\n"),
        (b"caf\xe9 = 1\n", ("= 1", "= 2"), b"caf\xe9 = 2\n"),
        (b"a\nb\n", ("a\n", ""), b"b\n"),
    ],
)
def test_the_bytes_around_stay(before: bytes, edit: tuple[str, str], after: bytes) -> None:
    files, editing = opened(before)
    editing("f", edit)
    assert files.contents == {"f": after}


# The gate


def test_what_was_not_read_is_not_edited() -> None:
    files = MemoryFiles({"f": "a\n"})
    edit = Editing(files)
    assert edit.refused("f", ("a", "b")) == (
        "f was not read yet; nothing was written. Read it first, then repeat the change"
    )
    assert files.contents == {"f": b"a\n"}


def test_own_edits_keep_the_gate_open_and_an_editors_close_it() -> None:
    files, edit = opened("1\n")
    for number in range(1, 20):
        edit("f", (str(number), str(number + 1)))
    files.put("f", "mine\n")
    assert edit.refused("f", ("mine", "x")) == (
        "f changed since it was read; nothing was written. Read it again, then repeat the change"
    )
    edit.read("f")
    edit("f", ("mine", "x"))
    assert files.contents == {"f": b"x\n"}


@pytest.mark.parametrize("same_size", [True, False])
def test_an_editor_is_never_overwritten_even_with_the_time_put_back(tmp_path: Path, same_size: bool) -> None:
    path = tmp_path / "f"
    path.write_text("one two\n")
    edit = Editing(LocalFiles(tmp_path))
    edit.read("f")
    status = path.stat()
    saved = "one own\n" if same_size else "one of my own\n"
    path.write_text(saved)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert "changed since it was read" in edit.refused("f", ("one", "1"))
    assert path.read_text() == saved
    edit.read("f")

    def save_again() -> None:
        before = path.stat()
        path.write_text("one two\n")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    with pytest.raises(ToolFailure, match="changed while permission was asked for"):
        edit.tool.execute(arguments("f", ("one", "1")), Interrupted(save_again))
    assert path.read_text() == "one two\n"


def test_a_touch_during_the_question_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("one\n")
    edit = Editing(LocalFiles(tmp_path))
    edit.read("f")
    edit.tool.execute(arguments("f", ("one", "two")), Interrupted(path.touch))
    assert path.read_text() == "two\n"


def test_a_missing_file_is_told_as_by_read_and_drops_out() -> None:
    files, edit = opened("a\n")
    files.remove("f")
    assert edit.refused("f", ("a", "b")) == "f does not exist. Create it with write"
    files.put("f", "a\n")
    assert "was not read yet" in edit.refused("f", ("a", "b"))


def test_a_link_and_its_file_are_one_to_the_gate(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("a\n")
    (tmp_path / "link").symlink_to("real")
    edit = Editing(LocalFiles(tmp_path))
    edit.read("link")
    edit("real", ("a", "b"))
    edit("./link", ("b", "c"))
    assert (tmp_path / "real").read_text() == "c\n"
    assert (tmp_path / "link").is_symlink()


def test_another_session_of_ours_is_named() -> None:
    files, writers = MemoryFiles({"f": "a\n"}), Writers()
    main = Editing(files, ledger=Ledger(writers=writers))
    helper = Editing(files, ledger=Ledger(session="reviewer", writers=writers))
    main.read("f")
    assert "was not read yet" in helper.refused("f", ("a", "b"))
    helper.read("f")
    helper("f", ("a", "b"))
    assert main.refused("f", ("b", "c")) == (
        "f changed since it was read, by the call `edit` of session reviewer; nothing was written. "
        "Read it again, then repeat the change"
    )
    files.put("f", "mine\n")
    assert "since it was read; nothing" in main.refused("f", ("mine", "c"))


def test_a_command_of_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a\n")
    edit = Editing(LocalFiles(tmp_path))
    edit.read("f")
    processes = Subprocesses(tmp_path, environment=dict(os.environ))
    try:
        bash = Bash(processes=processes, ledger=edit.ledger)
        bash.execute(BashArgs(command="sed -i s/a/b/ f\nexit 3"), StubCall())
    finally:
        processes.close()
    assert edit.refused("f", ("b", "c")) == (
        "f changed since it was read, while the command `sed -i s/a/b/ f …` ran; nothing was written. "
        "Read it again, then repeat the change"
    )


# The question and the answer


def test_an_all_covers_every_file_change_under_the_root() -> None:
    _, edit = opened("a\n")
    edit("f", ("a", "b"))
    (proposal,) = edit.call.proposals
    assert (proposal.title, proposal.scope.words) == ("edit f", "every file change under /repo")
    assert edit.call.reported.locations == (Location("/repo/f", 1),)


def test_a_file_outside_is_asked_for_before_it_is_read() -> None:
    edit = Editing(MemoryFiles({"/etc/f": "a\n"}, outside="ask"))
    with pytest.raises(PermissionRefused, match=r"^\[edit rejected by the user\]$"):
        edit.tool.execute(arguments("/etc/f", ("a", "b")), StubCall(allows=False))
    edit.read("/etc/f")
    edit("/etc/f", ("a", "b"))
    reading, changing = edit.call.proposals
    assert "read" in reading.title
    assert changing.scope.words == "every change of /etc/f"


def test_a_no_leaves_the_file_and_the_gate_open() -> None:
    files, edit = opened("a\n")
    with pytest.raises(PermissionRefused, match=r"^\[edit rejected by the user\]$"):
        edit.tool.execute(arguments("f", ("a", "b")), StubCall(allows=False))
    assert files.contents == {"f": b"a\n"}
    edit("f", ("a", "b"))


@pytest.mark.parametrize(
    ("sent", "after"),
    [
        ({"path": "f", "edits": [{"old": "a", "new": "x"}]}, b"x\nb\n"),
        ({"file_path": "f", "edits": [{"old_string": "a", "new_string": "x"}]}, b"x\nb\n"),
        ({"path": "f", "edits": '[{"oldText":"a","newText":"x"}]'}, b"x\nb\n"),
        ({"path": "f", "edits": ['{"old":"a","new":"x"}']}, b"x\nb\n"),
        ({"path": "f", "edits": {"old": "a", "new": "x"}}, b"x\nb\n"),
        ({"path": "f", "edits": "not json"}, None),
        ({"path": "f", "edits": [{"old": "a", "new": "x"}, {"old": "b"}]}, None),
        ({"path": "f", "edits": [{"old": "a", "new": "x", "replace_all": True}]}, None),
        ({"path": "f"}, None),
        ({"edits": []}, None),
    ],
)
def test_sloppy_arguments_are_understood_or_refused_by_place(sent: object, after: bytes | None) -> None:
    files = MemoryFiles({"f": "a\nb\n"})
    runner = Runner(Toolset([Edit(files=files)]), permission=AllowAll())
    outcome = runner.call("edit", sent)
    assert outcome.status is (Status.FAILED if after is None else Status.OK)
    assert files.contents == {"f": after or b"a\nb\n"}
