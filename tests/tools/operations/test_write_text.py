"""One file written as a whole: the bytes are the content, exactly."""

from __future__ import annotations

import os
import resource
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.call import FilesPreview, Location
from mmtools.core.freshness import Fresh, Ledger, NeverRead, fingerprint
from mmtools.errors import PermissionRefused, ToolFailure
from mmtools.ports.files import Place, Snapshot
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.strategies import file_bytes, texts
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.tools.operations.write_text import WriteTerms, encoded, plan, write_text
from tests.tools.operations.working import WRITE, Interrupted, Working


class Writing(Working):
    """A writer, as a model would be."""

    def __call__(self, path: str, content: str) -> str:
        return self.write(path, content)

    def refusal(self, path: str, content: str) -> str:
        return self.refused(lambda: self.write(path, content))


def names_below(root: Path) -> list[str]:
    return sorted(str(path.relative_to(root)) for path in root.rglob("*"))


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


@given(st.none() | file_bytes(), texts())
def test_whatever_was_there_the_bytes_are_the_content(before: bytes | None, content: str) -> None:
    files = MemoryFiles({} if before is None else {"f": before})
    writing = Writing(files)
    answer = writing("f", content)
    assert files.contents == {"f": content.encode()}
    assert len(writing.call.proposals) == (before != content.encode())
    answer.encode()
    assert answer.split("\n")[0].startswith("created f (" if before is None else ("wrote f: ", "f unchanged: "))


@pytest.mark.parametrize(
    "content",
    [
        'print("a\\nb")\n',
        "- item:\\\n  text\n",
        "<p>&amp;&lt;&apos;</p>\n",
        "x",
        "x\n",
        "a\r\nb\n",
        "",
        "\ufeffx",
        "$& \\1 %s {}",
    ],
)
def test_the_text_is_not_repaired(tmp_path: Path, content: str) -> None:
    Writing(LocalFiles(tmp_path))("o.txt", content)
    assert (tmp_path / "o.txt").read_bytes() == content.encode()


@pytest.mark.parametrize(
    ("before", "content", "answer"),
    [
        pytest.param(None, "a\nb", "created f (2 lines)\n+1 a\n+2 b\n\\ No newline at end of file", id="new"),
        pytest.param(None, "a\n", "created f (1 line)\n+1 a", id="new, one line"),
        pytest.param(None, "", "created f (0 lines)", id="new, empty"),
        pytest.param(b"a\nb\nc\n", "a\nB\nc\n", "wrote f: +1 -1 lines\n 1 a\n-2 b\n+2 B\n 3 c", id="changed"),
        pytest.param(b"a\n", "", "wrote f: +0 -1 lines\n-1 a", id="emptied"),
        pytest.param(b"", "a\n", "wrote f: +1 -0 lines\n+1 a", id="filled"),
        pytest.param(b"a\n", "a\n", "f unchanged: the content is identical", id="identical"),
        pytest.param(b"", "", "f unchanged: the content is identical", id="identical, empty"),
        pytest.param(b"\xef\xbb\xbfa\n", "a\n", "wrote f: +0 -0 lines; the byte order mark is gone", id="BOM gone"),
        pytest.param(b"a\n", "\ufeffa\n", "wrote f: +0 -0 lines; a byte order mark was added", id="BOM added"),
        pytest.param(b"a\r\nb\r\n", "a\nb\n", "wrote f: +0 -0 lines; line endings changed from CRLF to LF", id="CRLF to LF"),
        pytest.param(b"a\nb\n", "a\r\nb\r\n", "wrote f: +0 -0 lines; line endings changed from LF to CRLF", id="LF to CRLF"),
        pytest.param(b"a\r\nb\n", "a\nb\n", "wrote f: +0 -0 lines; line endings changed from mixed to LF", id="mixed to LF"),
        pytest.param(b"a\r\nb\n", "a\nb\r\n", "wrote f: +0 -0 lines; only line endings changed", id="mixed to mixed"),
        pytest.param(
            b"\xef\xbb\xbfa\r\nb\r\n", "a\nB\n",
            "wrote f: +1 -1 lines; the byte order mark is gone; line endings changed from CRLF to LF\n 1 a\n-2 b\n+2 B",
            id="all at once",
        ),
        pytest.param("a\n".encode("utf-16"), "a\n", "wrote f: +0 -0 lines; encoding changed from utf-16-le to utf-8", id="UTF-16"),
        pytest.param(b"\0\1\2", "a\n", "wrote f: 1 line in place of 3 bytes that are not text", id="binary"),
        pytest.param(b"caf\xe9", "cafe", "wrote f: 1 line in place of 4 bytes that are not text", id="undecodable"),
    ],
)  # fmt: skip
def test_the_answer_is_a_headline_and_a_diff(before: bytes | None, content: str, answer: str) -> None:
    assert Writing(MemoryFiles({} if before is None else {"f": before}))("f", content) == answer


def test_the_outcome_holds_old_and_new_text_and_the_first_changed_line() -> None:
    writing = Writing(MemoryFiles({"f": b"\xef\xbb\xbfa\nb\n"}))
    writing("f", "a\nc\n")
    (change,) = writing.call.reported.changes
    assert (change.path, change.shown, change.old_text, change.new_text) == ("/repo/f", "f", "a\nb\n", "a\nc\n")
    assert writing.call.reported.locations == (Location("/repo/f", 2),)
    writing("new", "x")
    (change,) = writing.call.reported.changes
    assert (change.created, change.old_text, change.new_text) == (True, None, "x")


def test_a_long_diff_is_cut_after_whole_lines_and_says_so() -> None:
    writing = Writing(MemoryFiles({"f": b"".join(b"line %d\n" % number for number in range(500))}), max_output=100)
    *shown, note = writing("f", "changed\n").split("\n")
    assert shown[:2] == ["wrote f: +1 -500 lines", "-  1 line 0"]
    assert len("\n".join(shown)) <= 100
    assert note == f"[… {502 - len(shown)} more lines of the diff are not shown; read the file to see what it holds]"
    assert writing.call.reported.truncated


def test_of_many_new_lines_the_ends_are_shown_for_the_model_has_just_sent_them() -> None:
    told = Writing(MemoryFiles())("f", "".join(f"line {number}\n" for number in range(13)))
    assert told.split("\n") == [
        "created f (13 lines)",
        "+ 1 line 0",
        "+ 2 line 1",
        "+ 3 line 2",
        "[… 7 more added lines, as sent]",
        "+11 line 10",
        "+12 line 11",
        "+13 line 12",
    ]
    assert "more added" not in Writing(MemoryFiles())("f", "".join(f"line {number}\n" for number in range(12)))


# Permission


def test_identical_content_asks_nothing_and_keeps_the_time(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"a\n")
    before = file.stat()
    writing = Writing(LocalFiles(tmp_path), allows=False)
    assert writing("f", "a\n") == "f unchanged: the content is identical"
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == (before.st_mtime_ns, before.st_ino)
    assert not writing.call.proposals


def test_the_one_question_shows_the_whole_change() -> None:
    writing = Writing(MemoryFiles({"f": b"\0"}))
    writing("f", "b\n")
    writing_proposal = writing.call.proposals[0]
    assert isinstance(writing_proposal.preview, FilesPreview)
    (change,) = writing_proposal.preview.changes
    assert (change.before, change.after, change.old_text) == (b"\0", b"b\n", None)
    assert (writing_proposal.title, writing_proposal.scope.key) == ("overwrite f", "edit:/repo/")
    writing("d/new", "b\n")
    assert writing.call.proposals[0].title == "create d/new"


def test_a_no_makes_neither_file_nor_directory(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\n")
    writing = Writing(LocalFiles(tmp_path), allows=False)
    for path in ("f", "d/e/new.txt"):
        with pytest.raises(PermissionRefused, match=r"^\[write rejected by the user\]$"):
            writing(path, "x")
    assert names_below(tmp_path) == ["f"]
    assert (tmp_path / "f").read_bytes() == b"a\n"


def test_a_file_outside_is_asked_for_with_its_path() -> None:
    files = MemoryFiles({"/etc/f": "old\n"}, outside="ask")
    writing = Writing(files)
    writing("/etc/f", "new\n")
    (proposal,) = writing.call.proposals
    assert "/etc/f" in proposal.title
    assert (proposal.scope.key, proposal.scope.words) == ("edit:/etc/f", "every change of /etc/f")
    assert files.contents == {"/etc/f": b"new\n"}


def test_a_file_that_changes_while_the_question_is_open_is_not_overwritten() -> None:
    files = MemoryFiles({"f": "a\n"})
    with pytest.raises(ToolFailure, match="changed"):
        Writing(files).write("f", "x", call=Interrupted(lambda: files.put("f", "other\n")))
    assert files.contents == {"f": b"other\n"}


def test_a_grant_reaches_all_files_under_the_root_and_one_file_elsewhere() -> None:
    writing = Writing(MemoryFiles())
    writing("d/new", "b\n")
    (proposal,) = writing.call.proposals
    assert (proposal.title, proposal.scope.key) == ("create d/new", "edit:/repo/")
    assert proposal.scope.words == "every file change under /repo"


def test_a_file_of_another_root_is_not_under_the_first(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    writing = Writing(LocalFiles(tmp_path / "a", extra_roots=[tmp_path / "b"]))
    writing(f"{tmp_path}/b/f", "x")
    assert writing.call.proposals[0].scope.words == f"every change of {tmp_path.resolve()}/b/f"


# The gate


def test_with_a_ledger_an_existing_file_must_have_been_read() -> None:
    files, ledger = MemoryFiles({"f": "a\n"}), Ledger()
    writing = Writing(files, ledger=ledger)
    assert "was not read yet" in writing.refusal("f", "b\n")
    assert "unchanged" in writing("f", "a\n")
    ledger.saw("/repo/f", fingerprint(b"a\n"))
    for content in ("b\n", "c\n"):
        writing("f", content)
    writing("new", "1")
    writing("new", "2")
    files.put("f", "other\n")
    assert "changed since it was read" in writing.refusal("f", "d\n")


def gated(
    contents: dict[str, bytes | str] | None = None, *, allows: bool = True
) -> tuple[MemoryFiles, Writing, Ledger]:
    """A place, and a writer in a session with the gate."""
    files, ledger = MemoryFiles(contents), Ledger()
    return files, Writing(files, ledger=ledger, allows=allows), ledger


def test_what_was_not_read_is_not_overwritten() -> None:
    files, write, _ = gated({"f": "a\n"})
    assert write.refusal("f", "b\n") == "f was not read yet; nothing was written. Read it first, then repeat the change"
    assert write.call.proposals == []
    assert files.contents == {"f": b"a\n"}
    write.read("f")
    assert write("f", "b\n").startswith("wrote f: +1 -1 lines")


def test_what_changed_since_is_not_overwritten() -> None:
    files, write, _ = gated({"f": "a\n"})
    write.read("f")
    files.put("f", "mine\n")
    assert write.refusal("f", "b\n") == (
        "f changed since it was read; nothing was written. Read it again, then repeat the change"
    )
    assert write.call.proposals == []
    assert files.contents == {"f": b"mine\n"}


def test_a_new_file_needs_no_read_and_its_writer_knows_it() -> None:
    _, write, ledger = gated()
    write("f", "a\n")
    assert write("f", "b\n").startswith("wrote f")
    assert ledger.verdict("/repo/f", b"b\n") == Fresh()


def test_identical_content_needs_neither_read_nor_question_and_is_known_then() -> None:
    _, write, _ = gated({"f": "a\n"}, allows=False)
    assert write("f", "a\n") == "f unchanged: the content is identical"
    write.allows = True
    assert write("f", "b\n").startswith("wrote f")


def test_a_deleted_file_is_created_afresh_without_a_read() -> None:
    files, write, _ = gated({"f": "a\n"})
    write.read("f")
    files.remove("f")
    assert write("f", "b\n").startswith("created f")
    files.remove("f")
    write.refusal("d\0", "")
    files.put("f", "b\n")
    assert write("f", "c\n").startswith("wrote f"), "nobody saw it gone, and its bytes are those that were written"


def test_what_happens_during_the_question_is_kept() -> None:
    files, write, _ = gated({"f": "a\n"})
    write.read("f")
    with pytest.raises(ToolFailure, match="f changed while permission was asked for; nothing was written"):
        write.write("f", "b", call=Interrupted(lambda: files.put("f", "mine\n")))
    with pytest.raises(ToolFailure, match="new was created while permission was asked for; nothing was written"):
        write.write("new", "b", call=Interrupted(lambda: files.put("new", "mine\n")))
    assert files.contents == {"f": b"mine\n", "new": b"mine\n"}


def test_a_refused_or_failed_write_leaves_the_ledger_as_it_was() -> None:
    _, write, ledger = gated({"f": "a\n"}, allows=False)
    with pytest.raises(PermissionRefused):
        write("new", "x")
    assert ledger.verdict("/repo/new", b"x") == NeverRead()


def test_a_session_of_its_own_knows_nothing_of_another() -> None:
    files, first, _ = gated({"f": "a\n"})
    first.read("f")
    assert "was not read yet" in Writing(files, ledger=Ledger()).refusal("f", "b\n")


# What is refused


def test_the_argument_is_named_as_the_dialect_has_it() -> None:
    session, terms = SessionFiles(files=MemoryFiles()), WriteTerms(tool="<tool>", content="<content>")
    with pytest.raises(ToolFailure, match=r"^<content> holds half a character"):
        write_text(session, "f", "\ud800", StubCall(), terms)


def test_half_a_character_is_refused_by_place() -> None:
    files = MemoryFiles({"f": "a\n"})
    refusal = Writing(files).refusal("f", "ab\nc\ud83d\n")
    assert "content holds half a character, U+D83D, at line 2, column 2" in refusal
    assert refusal.isprintable()
    assert files.contents == {"f": b"a\n"}


def test_what_can_be_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    (tmp_path / "plain").write_bytes(b"x")
    os.mkfifo(tmp_path / "live.pipe")
    writing = Writing(LocalFiles(tmp_path))
    before = names_below(tmp_path)
    assert "is a directory" in writing.refusal("dir", "x")
    assert "not a regular file" in writing.refusal("live.pipe", "x")
    assert "is a file, not a directory" in writing.refusal("plain/below", "x")
    assert "outside" in writing.refusal("../x", "x")
    assert "outside the working directory" in writing.refusal(f"{tmp_path}-evil/x", "x")
    assert "outside the working directory" in writing.refusal("a/../../x", "x")
    for path in ("", "a\0b", "new/", "dir/", "a" * 300):
        assert writing.refusal(path, "x")
    assert names_below(tmp_path) == before


def test_a_full_disk_leaves_the_old_bytes(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_bytes(b"precious\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, hard))
    try:
        assert "could not be written" in Writing(LocalFiles(tmp_path)).refusal("big.txt", "y" * 100_000)
        assert "could not be written" in Writing(LocalFiles(tmp_path)).refusal("new.txt", "y" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert names_below(tmp_path) == ["big.txt"]
    assert (tmp_path / "big.txt").read_bytes() == b"precious\n"


# The file as an object


def test_missing_parents_are_made(tmp_path: Path) -> None:
    writing = Writing(LocalFiles(tmp_path))
    assert writing("a/b/c.txt", "x\n") == "created a/b/c.txt (1 line)\n+1 x"
    assert (tmp_path / "a/b/c.txt").read_bytes() == b"x\n"
    assert "a/b/c.txt is a file, not a directory" in writing.refusal("a/b/c.txt/d", "x")


def test_modes_stay_and_new_files_follow_the_umask(tmp_path: Path) -> None:
    key = tmp_path / "key.sh"
    key.write_bytes(b"x")
    key.chmod(0o600)
    writing = Writing(LocalFiles(tmp_path))
    with umask(0o027):
        writing("key.sh", "y")
        writing("d/e/new.txt", "x")
    modes = {name: stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("key.sh", "d", "d/e", "d/e/new.txt")}
    assert modes == {"key.sh": 0o600, "d": 0o750, "d/e": 0o750, "d/e/new.txt": 0o640}


def test_links_stay(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"a\n")
    (tmp_path / "link").symlink_to("real")
    writing = Writing(LocalFiles(tmp_path))
    writing("link", "b\n")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_bytes() == b"b\n"
    os.link(tmp_path / "real", tmp_path / "twin")
    assert writing("real", "c\n").split("\n")[0] == (
        "wrote real: +1 -1 lines; written in place, under all 2 names of the file"
    )
    assert (tmp_path / "twin").read_bytes() == b"c\n"


def test_a_name_with_a_twin_is_never_redirected(tmp_path: Path) -> None:
    (tmp_path / "in\u00a0put.txt").write_bytes(b"NB\n")
    Writing(LocalFiles(tmp_path))("in put.txt", "SP\n")
    assert (tmp_path / "in\u00a0put.txt").read_bytes() == b"NB\n"
    assert (tmp_path / "in put.txt").read_bytes() == b"SP\n"


# What is to be written


@given(st.none() | file_bytes(), texts())
def test_the_plan_holds_both_sides_and_the_headline_counts(before: bytes | None, content: str) -> None:
    after = encoded(content, WRITE)
    found = plan(Snapshot(place=Place("f", "/repo/f"), data=before), content, after, ())
    assert (found.change.before, found.change.after) == (before, content.encode())
    assert found.change.created == (before is None)
    writing = Writing(MemoryFiles({} if before is None else {"f": before}))
    told = writing("f", content)
    if before != after:
        assert told.startswith(f"{found.done} {found.summary}")
        assert [(change.before, change.after) for change in writing.call.reported.changes] == [(before, after)]


@pytest.mark.parametrize(
    ("before", "content", "title", "headline"),
    [
        (None, "a\n", "create f", "created f (1 line)"),
        (b"a\n", "b\n", "overwrite f", "wrote f: +1 -1 lines"),
        (b"\0", "b\n", "overwrite f", "wrote f: 1 line in place of 1 bytes that are not text"),
        (b"a\r\n", "a\n", "overwrite f", "wrote f: +0 -0 lines; line endings changed from CRLF to LF"),
    ],
)
def test_the_question_and_the_answer_name_the_same(
    before: bytes | None, content: str, title: str, headline: str
) -> None:
    writing = Writing(MemoryFiles({} if before is None else {"f": before}))
    told = writing("f", content)
    (proposal,) = writing.call.proposals
    assert (proposal.title, proposal.refusal) == (title, "[write rejected by the user]")
    assert told.split("\n")[0] == headline
