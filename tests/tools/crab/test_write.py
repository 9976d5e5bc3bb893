"""crab `write`, row by row of its page: parents made, the whole replaced, never over what was not read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools import AllowAll, Runner, Toolset
from mmtools.adapters.local_files import LocalFiles
from mmtools.call import FilesPreview, Location, Proposal, Status, ToolKind
from mmtools.core.freshness import Fresh, Ledger, NeverRead, fingerprint
from mmtools.errors import PermissionRefused, ToolFailure
from mmtools.ports.files import Files
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.strategies import file_bytes, texts
from mmtools.tools.crab.read import Read, ReadArgs
from mmtools.tools.crab.write import Write, WriteArgs


class Writing:
    """A writer with one tool in a session with the gate, as a model would be."""

    def __init__(self, files: Files, *, allows: bool = True) -> None:
        self.ledger = Ledger()
        self.reading = Read(files=files, ledger=self.ledger)
        self.tool = Write(files=files, ledger=self.ledger)
        self.allows = allows
        self.call = StubCall()

    def __call__(self, path: str, content: str) -> str:
        self.call = StubCall(allows=self.allows)
        return self.tool.execute(WriteArgs(path=path, content=content), self.call)

    def refused(self, path: str, content: str) -> str:
        with pytest.raises(ToolFailure) as refusal:
            self(path, content)
        assert not self.call.reported.changes
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


def test_the_declaration_is_that_of_the_page() -> None:
    spec = Write.spec
    assert (spec.name, spec.kind, spec.family) == ("write", ToolKind.EDIT, "file")
    assert spec.arguments_schema["required"] == ["path", "content"]
    assert "read it first" in spec.description


@given(st.none() | file_bytes(), texts())
def test_whatever_was_there_the_bytes_are_the_content(before: bytes | None, content: str) -> None:
    files = MemoryFiles({} if before is None else {"f": before})
    tool, call = Write(files=files), StubCall()
    answer = tool.execute(WriteArgs(path="f", content=content), call)
    assert files.contents == {"f": content.encode()}
    assert len(call.proposals) == (before != content.encode())
    assert answer.split("\n")[0].startswith("created f (" if before is None else ("wrote f: ", "f unchanged: "))


def test_missing_parents_are_made(tmp_path: Path) -> None:
    write = Writing(LocalFiles(tmp_path))
    assert write("a/b/c.txt", "x\n") == "created a/b/c.txt (1 line)\n+1 x"
    assert (tmp_path / "a/b/c.txt").read_bytes() == b"x\n"
    assert "a/b/c.txt is a file, not a directory" in write.refused("a/b/c.txt/d", "x")


def test_a_no_makes_neither_file_nor_directory(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\n")
    write = Writing(LocalFiles(tmp_path), allows=False)
    write.read("f")
    for path in ("f", "d/new"):
        with pytest.raises(PermissionRefused, match=r"^\[write rejected by the user\]$"):
            write(path, "x")
    assert [path.name for path in tmp_path.iterdir()] == ["f"]
    assert (tmp_path / "f").read_bytes() == b"a\n"


# The gate


def test_what_was_not_read_is_not_overwritten() -> None:
    files = MemoryFiles({"f": "a\n"})
    write = Writing(files)
    assert write.refused("f", "b\n") == "f was not read yet; nothing was written. Read it first, then repeat the change"
    assert write.call.proposals == []
    assert files.contents == {"f": b"a\n"}
    write.read("f")
    assert write("f", "b\n").startswith("wrote f: +1 -1 lines")


def test_what_changed_since_is_not_overwritten() -> None:
    files = MemoryFiles({"f": "a\n"})
    write = Writing(files)
    write.read("f")
    files.put("f", "mine\n")
    assert write.refused("f", "b\n") == (
        "f changed since it was read; nothing was written. Read it again, then repeat the change"
    )
    assert write.call.proposals == []
    assert files.contents == {"f": b"mine\n"}


def test_a_new_file_needs_no_read_and_its_writer_knows_it() -> None:
    write = Writing(MemoryFiles())
    write("f", "a\n")
    assert write("f", "b\n").startswith("wrote f")
    assert write.ledger.verdict("/repo/f", b"b\n") == Fresh()


def test_identical_content_needs_neither_read_nor_question_and_is_known_then() -> None:
    write = Writing(MemoryFiles({"f": "a\n"}), allows=False)
    assert write("f", "a\n") == "f unchanged: the content is identical"
    write.allows = True
    assert write("f", "b\n").startswith("wrote f")


def test_a_deleted_file_is_created_afresh_without_a_read() -> None:
    files = MemoryFiles({"f": "a\n"})
    write = Writing(files)
    write.read("f")
    files.remove("f")
    assert write("f", "b\n").startswith("created f")
    files.remove("f")
    write.refused("d\0", "")
    files.put("f", "b\n")
    assert write("f", "c\n").startswith("wrote f"), "nobody saw it gone, and its bytes are those that were written"


def test_what_happens_during_the_question_is_kept() -> None:
    files = MemoryFiles({"f": "a\n"})
    write = Writing(files)
    write.read("f")
    with pytest.raises(ToolFailure, match="f changed while permission was asked for; nothing was written"):
        write.tool.execute(WriteArgs(path="f", content="b"), Interrupted(lambda: files.put("f", "mine\n")))
    with pytest.raises(ToolFailure, match="new was created while permission was asked for; nothing was written"):
        write.tool.execute(WriteArgs(path="new", content="b"), Interrupted(lambda: files.put("new", "mine\n")))
    assert files.contents == {"f": b"mine\n", "new": b"mine\n"}


def test_a_refused_or_failed_write_leaves_the_ledger_as_it_was() -> None:
    files = MemoryFiles({"f": "a\n"})
    write = Writing(files, allows=False)
    with pytest.raises(PermissionRefused):
        write("new", "x")
    assert write.ledger.verdict("/repo/new", b"x") == NeverRead()


def test_a_session_of_its_own_knows_nothing_of_another() -> None:
    files = MemoryFiles({"f": "a\n"})
    first, second = Writing(files), Writing(files)
    first.read("f")
    assert "was not read yet" in second.refused("f", "b\n")


# The question and the answer


def test_an_all_covers_every_file_change_under_the_root_and_one_file_elsewhere() -> None:
    write = Writing(MemoryFiles({"/etc/f": "old\n"}, outside="ask"))
    write("d/new", "b\n")
    (proposal,) = write.call.proposals
    assert (proposal.title, proposal.scope.key) == ("create d/new", "edit:/repo/")
    assert proposal.scope.words == "every file change under /repo"
    assert isinstance(proposal.preview, FilesPreview)
    write.ledger.saw("/etc/f", fingerprint(b"old\n"))
    write("/etc/f", "new\n")
    (proposal,) = write.call.proposals
    assert proposal.scope.words == "every change of /etc/f"


def test_a_file_of_another_root_is_not_under_the_first(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    call = StubCall()
    tool = Write(files=LocalFiles(tmp_path / "a", extra_roots=[tmp_path / "b"]))
    tool.execute(WriteArgs(path=f"{tmp_path}/b/f", content="x"), call)
    assert call.proposals[0].scope.words == f"every change of {tmp_path.resolve()}/b/f"


@pytest.mark.parametrize(
    "content", ['print("a\\nb")\n', "<p>&amp;&lt;&apos;</p>\n", "x", "x\n", "a\r\nb\n", "", "\ufeffx", "$& \\1 %s {}"]
)
def test_the_text_is_not_repaired(tmp_path: Path, content: str) -> None:
    Writing(LocalFiles(tmp_path))("o.txt", content)
    assert (tmp_path / "o.txt").read_bytes() == content.encode()


def test_half_a_character_is_refused_by_place() -> None:
    write = Writing(MemoryFiles({"f": "a\n"}))
    assert "content holds half a character, U+D83D, at line 2, column 2" in write.refused("f", "ab\nc\ud83d\n")


def test_paths_that_lead_out_are_refused(tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    write = Writing(LocalFiles(tmp_path / "ws"))
    for path in ("../x", f"{tmp_path}/ws-evil/x", "a/../../x"):
        assert "outside the working directory" in write.refused(path, "x")
    assert [path.name for path in tmp_path.iterdir()] == ["ws"]


def test_aliases_and_the_headline() -> None:
    files = MemoryFiles()
    runner = Runner(Toolset([Write(files=files)]), permission=AllowAll())
    outcome = runner.call("write", {"file_path": "d/f", "content": "x"})
    assert (outcome.status, outcome.locations) == (Status.OK, (Location("/repo/d/f", 1),))
    assert files.contents == {"d/f": b"x"}
    assert Write(files=files).headline(WriteArgs(path="a", content="")).locations == (Location("/repo/a"),)
    assert "content" in runner.call("write", {"path": "f"}).text
