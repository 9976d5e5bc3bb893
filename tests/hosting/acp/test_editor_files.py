"""Files through an editor's buffers: the laws of all files, and what only an editor knows."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from acp import schema
from hypothesis import given
from hypothesis import strategies as st

from mmtools import AllowAll, Runner, Status
from mmtools.adapters.local_files import LocalFiles
from mmtools.hosting.acp import EditorFiles
from mmtools.ports.files import AccessDenied, Changed, Files, Snapshot, WriteFailed
from mmtools.testing.conformance import files as laws
from mmtools.toolsets import mm
from tests.hosting.acp.editors import Editor, LoopThread
from tests.hypothesis_profiles import scaled

pytestmark = [pytest.mark.needs("acpx"), pytest.mark.slow]

BOTH = schema.FileSystemCapabilities(read_text_file=True, write_text_file=True)
READING = schema.FileSystemCapabilities(read_text_file=True, write_text_file=False)


@contextmanager
def editor_files(root: Path, editor: Editor, fs: schema.FileSystemCapabilities = BOTH) -> Iterator[EditorFiles]:
    with LoopThread(editor, fs=fs) as session:
        yield EditorFiles(LocalFiles(root), session)


def whole(files: Files, path: str) -> bytes | None:
    return files.snapshot(files.locate(path)).data


#: But for one that asks only what is handed on as it is, a thousand files long.
LAWS = [law for law in laws.LAWS if law is not laws.lists_the_names_beside]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_they_keep_the_laws_of_all_files(tmp_path: Path, law: Callable[[laws.Make], None]) -> None:
    numbers = itertools.count()
    with LoopThread(Editor(), fs=BOTH) as session:

        @contextmanager
        def make() -> Iterator[Files]:
            root = tmp_path / str(next(numbers))
            root.mkdir()
            yield EditorFiles(LocalFiles(root), session)

        law(make)


def test_reads_see_what_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("saved\n")
    with editor_files(tmp_path, Editor(buffers={str(path): "unsaved\n"}), READING) as files:
        assert whole(files, "a.txt") == b"unsaved\n"
        with files.open(files.locate("a.txt")) as reader:
            assert (reader.size, reader.stamp) == (8, None)
            assert [reader.read(3), reader.read(99), reader.read(1)] == [b"uns", b"aved\n", b""]


def test_an_edit_goes_into_the_buffer_and_through_the_editor(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\n")
    editor = Editor(buffers={str(path): "one\ntwo\n"})
    with editor_files(tmp_path, editor) as files:
        runner = Runner(mm.build(files=files), permission=AllowAll())
        outcome = runner.call("edit_file", {"path": "a.txt", "edits": [{"old": "two", "new": "three"}]})
    assert outcome.status is Status.OK
    assert path.read_text() == "one\nthree\n"
    assert editor.written == [str(path)]


def test_an_unsaved_change_is_not_lost_to_an_editor_that_cannot_write(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\n")
    with editor_files(tmp_path, Editor(buffers={str(path): "one\ntwo\n"}), READING) as files:
        before = files.snapshot(files.locate("a.txt"))
        with pytest.raises(Changed):
            files.replace(before, b"three\n")
    assert path.read_text() == "one\n"


@pytest.mark.parametrize("moved", ["buffer", "disk"])
def test_what_moved_meanwhile_is_not_overwritten(tmp_path: Path, moved: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\n")
    editor = Editor()
    with editor_files(tmp_path, editor) as files:
        before = files.snapshot(files.locate("a.txt"))
        if moved == "buffer":
            editor.buffers[str(path)] = "typed\n"
        else:
            path.write_text("other\n")
        with pytest.raises(Changed):
            files.replace(before, b"two\n")
    assert not editor.written


@given(
    st.text("ab\n\r\ufeff", max_size=12).map(lambda text: text.encode()),
    st.text("ab\n\r\ufeff", max_size=12).map(lambda text: text.encode()),
)
@scaled(40)
def test_every_byte_is_kept_where_nothing_is_unsaved(
    tmp_path_factory: pytest.TempPathFactory, old: bytes, new: bytes
) -> None:
    root = tmp_path_factory.mktemp("root")
    (root / "a").write_bytes(old)
    with editor_files(root, Editor(saves=lambda text: text.replace("\r", ""))) as files:
        before = files.snapshot(files.locate("a"))
        assert before.data == old
        files.replace(before, new)
    assert (root / "a").read_bytes() == new


@pytest.mark.parametrize(
    ("on_disk", "shown", "seen"),
    [
        (b"a\r\nb\r\n", "a\nb\n", b"a\r\nb\r\n"),
        (b"a\r\nb\r\n", "a\nc\n", b"a\r\nc\r\n"),
        (b"a\r\nb\n", "a\nc\n", b"a\nc\n"),
        (b"\xef\xbb\xbfa\n", "a\n", b"\xef\xbb\xbfa\n"),
        (b"\xef\xbb\xbfa\n", "\ufeffb\n", b"\xef\xbb\xbfb\n"),
        (b"", "typed", b"typed"),
        (b"caf\xe9", "other", b"caf\xe9"),
        (b"nul\0", "other", b"nul\0"),
    ],
)
def test_line_breaks_and_marks_that_a_buffer_does_not_hold(
    tmp_path: Path, on_disk: bytes, shown: str, seen: bytes
) -> None:
    path = tmp_path / "a"
    path.write_bytes(on_disk)
    with editor_files(tmp_path, Editor(buffers={str(path): shown})) as files:
        assert whole(files, "a") == seen


def test_new_files_are_made_by_the_editor_and_their_directories_by_us(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "old").touch()
    editor = Editor()
    with editor_files(tmp_path, editor) as files:
        for path in ("there/new", "not/there/new"):
            files.replace(Snapshot(place=files.locate(path), data=None), b"x\n")
            assert (tmp_path / path).read_text() == "x\n"
    assert editor.written == [str(tmp_path / "there/new")]


def test_what_the_editor_refuses_to_write_is_not_written_behind_its_back(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("one\n")
    with editor_files(tmp_path, Editor(refuses={"fs/write_text_file"})) as files:
        before = files.snapshot(files.locate("a.txt"))
        with pytest.raises(WriteFailed, match="the editor did not write it"):
            files.replace(before, b"two\n")
        runner = Runner(mm.build(files=files), permission=AllowAll())
        outcome = runner.call("write_file", {"path": "a.txt", "content": "two\n"})
    assert outcome.status is Status.FAILED
    assert "the editor did not write it" in outcome.text
    assert path.read_text() == "one\n"


def test_a_file_that_the_editor_does_not_show_is_read_from_disk(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    with editor_files(tmp_path, Editor(refuses={"fs/read_text_file"})) as files:
        assert whole(files, "a.txt") == b"one\n"


def test_an_editor_without_these_methods_is_never_asked(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    editor = Editor()
    with LoopThread(editor) as session:
        files = EditorFiles(LocalFiles(tmp_path), session)
        files.replace(files.snapshot(files.locate("a.txt")), b"two\n")
        with files.open(files.locate("a.txt")) as reader:
            assert reader.read(99) == b"two\n"
    assert (editor.read, editor.written) == ([], [])


def test_an_editor_that_went_away_is_said_to_be_gone(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    editor = Editor()
    with editor_files(tmp_path, editor) as files:
        before = files.snapshot(files.locate("a.txt"))
        files.session.wait_for(files.session.connection.close())  # type: ignore[attr-defined]
        with pytest.raises(AccessDenied, match="the editor does not answer: Connection closed"):
            files.replace(before, b"two\n")
    assert (tmp_path / "a.txt").read_text() == "one\n"
