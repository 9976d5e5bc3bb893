"""Edits of one file: exact or refused, and a refusal says what to send instead."""

from __future__ import annotations

import os
import re
import resource
import stat
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.call import FilesPreview, Location, ReadPreview
from mmtools.core.edits import Applied, Replacement, resolve
from mmtools.core.freshness import Ledger, fingerprint
from mmtools.core.text import Text, decode
from mmtools.core.writers import Writers
from mmtools.errors import PermissionRefused, ToolFailure
from mmtools.ports.files import AccessDenied, Locked, Missing, Place, Snapshot, WriteFailed
from mmtools.testing.calls import StubCall
from mmtools.testing.conformance.edits import EditRefused, check_edit_function
from mmtools.testing.files import MemoryFiles
from mmtools.testing.strategies import Edits, applicable_edits, edit_lists, file_bytes, refused_edits, texts
from mmtools.tools.operations.edit_text import EditTerms, edit_text, plan
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.tools.wording.changes import PlannedChange
from tests.tools.operations.working import EDIT, Interrupted, Working

GBK = "t = 1  # 中文\n".encode("gbk")


class Editing(Working):
    """An editor, as a model would be."""

    def __call__(self, path: str, *edits: tuple[str, str], dry_run: bool = False) -> str:
        return self.edit(path, *edits, dry_run=dry_run)

    def refusal(self, path: str, *edits: tuple[str, str]) -> str:
        return self.refused(lambda: self.edit(path, *edits))


def outcome(data: bytes, *edits: tuple[str, str], encodings: tuple[str, ...] = ()) -> bytes | str:
    """Edit a place with one file, `f`: the new bytes, or the refusal."""
    files = MemoryFiles({"f": data})
    editing = Editing(files, encodings=encodings)
    try:
        editing("f", *edits)
    except ToolFailure as refusal:
        assert files.contents == {"f": data}
        assert not editing.call.proposals
        return refusal.text
    return files.contents["f"]


def picture(root: Path) -> dict[str, tuple[int, int, int, bytes]]:
    return {
        str(path): (path.stat().st_ino, path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@contextmanager
def unchanged(root: Path) -> Iterator[None]:
    """Nothing below a directory changes meanwhile: bytes, modes, times, names."""
    before = picture(root)
    yield
    assert picture(root) == before


# Which text is matched, which bytes change


@pytest.mark.slow
def test_it_passes_the_suite_for_edit_functions() -> None:
    def edit(text: str, edits: Edits) -> str:
        # A first character of our own: what would be a BOM is a character like any other then.
        if "\0" in text:
            result = resolve(text, [Replacement(*pair) for pair in edits])
            if isinstance(result, Applied):
                return result.text
            raise EditRefused
        after = outcome(f"\ue001{text}".encode(), *edits)
        if isinstance(after, str):
            raise EditRefused
        return after.decode()[1:]

    check_edit_function(edit, newlines="view")


@given(applicable_edits(), st.booleans())
def test_bytes_outside_the_changed_spans_stay(case: tuple[str, Edits], with_bom: bool) -> None:
    text, edits = case
    assume("\0" not in text and not text.startswith("\ufeff"))
    bom = b"\xef\xbb\xbf" if with_bom else b""
    resolved = resolve(text, [Replacement(*pair) for pair in edits])
    assert isinstance(resolved, Applied)
    after = outcome(bom + text.encode(), *edits)
    assert after == bom + resolved.text.encode()
    kept = 0
    assert isinstance(after, bytes)
    at = len(bom)
    for span in resolved.spans:
        same = text[kept : span.start].encode()
        assert after[at : at + len(same)] == same
        at += len(same) + len(span.new.encode())
        kept = span.end
    assert after[at:] == text[kept:].encode()


@given(st.data(), file_bytes())
def test_any_file_is_edited_in_place_or_left_alone(data: st.DataObject, before: bytes) -> None:
    decoded = decode(before)
    text = decoded.content if isinstance(decoded, Text) else before.decode("utf-8", "replace")
    edits = data.draw(edit_lists(text))
    after = outcome(before, *edits)
    if isinstance(after, bytes):
        assert after != before
        assert type(decode(after)) is type(decoded)
        assert "\ufffd".encode() not in after.replace(before, b"") or "\ufffd" in text + "".join(map("".join, edits))


@given(refused_edits())
def test_a_refusal_leaves_the_file_and_asks_nothing(case: tuple[str, Edits]) -> None:
    text, edits = case
    assume(text and not text.startswith("\ufeff"))
    assert isinstance(outcome(text.encode(), *edits), str)


@pytest.mark.parametrize(
    ("before", "edits", "after"),
    [
        pytest.param(b"unit A;\r\nx := 1;\r\nend.\r\n", [("x := 1;", "x := 2;")], b"unit A;\r\nx := 2;\r\nend.\r\n", id="CRLF, one line"),
        pytest.param(b"[a]\nk=1\r\nk=2\r\n[b]\n", [("k=1\nk=2", "k=1\nk=3\nk=4")], b"[a]\nk=1\r\nk=3\r\nk=4\r\n[b]\n", id="CRLF region of a mixed file"),
        pytest.param(b"[a]\nx\ny\r\n", [("[a]\nx", "[a]\nX")], b"[a]\nX\ny\r\n", id="LF region of a mixed file"),
        pytest.param(b"one\r\ntwo\r\n", [("one\n", "one\n1.5\n")], b"one\r\n1.5\r\ntwo\r\n", id="new ends in a newline"),
        pytest.param(b"\xef\xbb\xbfhello\nw\xc3\xb6rld\n", [("hello", "hi")], b"\xef\xbb\xbfhi\nw\xc3\xb6rld\n", id="BOM kept"),
        pytest.param(b"\xef\xbb\xbfhello\nw\xc3\xb6rld\n", [("hello\nw\u00f6rld", "x")], b"\xef\xbb\xbfx\n", id="BOM invisible"),
        pytest.param(b"n = 1\n# caf\xe9\n", [("n = 1", "n = 2")], b"n = 2\n# caf\xe9\n", id="Latin-1 far from the edit"),
        pytest.param(GBK, [("t = 1", "t = 2")], GBK.replace(b"1", b"2"), id="GBK far from the edit"),
        pytest.param(b'echo "done"\n', [("done", "pid=$$ all=$& pre=$` post=$' g=$1 \\1 \\g<0>")], b"echo \"pid=$$ all=$& pre=$` post=$' g=$1 \\1 \\g<0>\"\n", id="literal new"),
        pytest.param(b'greeting = "hi"\ngreeting = \xe2\x80\x9chi\xe2\x80\x9d\n', [('greeting = "hi"', 'greeting = "yo"')], b'greeting = "yo"\ngreeting = \xe2\x80\x9chi\xe2\x80\x9d\n', id="a typographic twin"),
        pytest.param(b"a = 1\nb = 2\n", [("a = 1", "a = b"), ("b", "c")], b"a = b\nc = 2\n", id="no cascade"),
        pytest.param(b"a b\n", [("a", "b"), ("b", "a")], b"b a\n", id="swap"),
        pytest.param(b"abcdef\n", [("def", "Y"), ("abc", "X")], b"XY\n", id="touching, any order"),
        pytest.param(b"abc\n", [("abc\n", "")], b"", id="emptied"),
        pytest.param(b"abc", [("abc", "abd")], b"abd", id="no final newline"),
        pytest.param("\ufeffa\r\nb\n".encode("utf-16-le"), [("a\nb", "a\nc")], "\ufeffa\r\nc\n".encode("utf-16-le"), id="UTF-16"),
        pytest.param(b"a\r\nb\r\n", [("b", "c")], b"a\r\nc\r\n", id="CRLF, last line"),
        pytest.param(b"\xef\xbb\xbfa\n", [("a", "b")], b"\xef\xbb\xbfb\n", id="after a BOM"),
        pytest.param(b"$&\n", [("$&", "\\1 $' $$")], b"\\1 $' $$\n", id="literal old and new"),
        pytest.param(b"caf\xe9 = 1\n", [("= 1", "= 2")], b"caf\xe9 = 2\n", id="Latin-1 in the line"),
        pytest.param(b"a\nb\n", [("a\n", "")], b"b\n", id="a line deleted"),
        pytest.param("日本\n😀 x\n".encode(), [("😀 x", "😀😀")], "日本\n😀😀\n".encode(), id="astral"),
    ],
)  # fmt: skip
def test_exactly_the_edit_is_made(before: bytes, edits: list[tuple[str, str]], after: bytes) -> None:
    assert outcome(before, *edits) == after


def test_a_hosts_encoding_is_edited_in_that_encoding() -> None:
    before = "naïve = 1\r\n".encode("cp1252")
    assert outcome(before, ("naïve = 1", "naïve = “2”"), encodings=("cp1252",)) == "naïve = “2”\r\n".encode("cp1252")
    refusal = outcome(before, ("naïve = 1", "naïve = ≠"), encodings=("cp1252",))
    assert isinstance(refusal, str)
    assert "≠" in refusal
    assert "cp1252" in refusal


# What is refused, and what the refusal says


def refusal_of(data: bytes | str, *edits: tuple[str, str]) -> str:
    text = outcome(data.encode() if isinstance(data, str) else data, *edits)
    assert isinstance(text, str), "must be refused"
    return text


def test_an_ambiguous_text_names_its_lines() -> None:
    text = "".join("mark\n" if number in (11, 20) else f"{number}\n" for number in range(1, 30))
    assert refusal_of(text, ("mark", "x")) == (
        "old text appears 2 times (lines 11, 20) — to change ONE of them, include its surrounding lines in old until "
        "the text is unique; to change several, send one edit per place, each with enough surrounding lines to be unique."
    )
    many = refusal_of("x\n" * 25, ("x", "y"))
    assert many.startswith("old text appears 25 times (lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …) — to change ONE")
    assert refusal_of("aaa\n", ("aa", "b")).startswith("old text appears 2 times (lines 1, 1) — ")


@pytest.mark.parametrize(
    ("data", "old", "told"),
    [
        pytest.param(b"list in\xc2\xa0current\n", "list in current", ["line 1, column 8", "U+00A0"], id="NBSP"),
        pytest.param(b"cafe\xcc\x81 ok\n", "caf\u00e9 ok", ["line 1, column 4", '"e" + U+0301'], id="decomposed"),
        pytest.param("a\n\tb\n", "    b", ["line 2, column 1", "1 tab", "4 spaces"], id="indent"),
        pytest.param("a\nb\nc\n", "2\tb\n3\tc", ["line numbers", "b\nc"], id="pasted numbers"),
        pytest.param("x = 2\n", "x = 9", ["line 1", '"2"', '"9"'], id="one letter"),
        pytest.param("", "x", ["the file is empty"], id="empty file"),
        pytest.param("a\n", "zebra crossing", ["nothing in the file is like it", "read the file"], id="nothing alike"),
    ],
)
def test_a_text_that_is_not_found_gets_a_hint(data: bytes | str, old: str, told: list[str]) -> None:
    refusal = refusal_of(data, (old, "\ue000"))
    assert refusal.startswith("old text not found")
    for part in told:
        assert part in refusal


@pytest.mark.parametrize("data", [b"abc", b""])
def test_an_empty_old_is_refused(data: bytes) -> None:
    assert "old is empty" in refusal_of(data, ("", "X"))


def test_an_empty_list_and_an_edit_without_effect_are_refused() -> None:
    assert "edits is empty" in refusal_of("a\n")
    assert "old and new are the same" in refusal_of("a\n", ("a", "a"))
    assert "old and new are the same" in refusal_of("a\r\nb", ("a\nb", "a\r\nb"))


@pytest.mark.parametrize(
    "edits", [[("abc", "X"), ("cde", "Y")], [("abcdef", "X"), ("cd", "Y")], [("ab", "X"), ("ab", "Y")]]
)
def test_edits_that_overlap_nest_or_repeat_name_each_other(edits: list[tuple[str, str]]) -> None:
    refusal = refusal_of("abcdef\n", *edits)
    assert refusal.startswith("edit 2: its old text overlaps that of edit 1")
    assert "nothing was written" in refusal


def test_every_bad_edit_is_told_and_good_ones_are_not_made() -> None:
    refusal = refusal_of("one\ntwo\ntwo\n", ("zzzz", "q"), ("one", "1"), ("two", "2"), ("", "x"))
    lines = refusal.split("\n")
    assert [line.split(":")[0] for line in lines] == ["edit 1", "edit 3", "edit 4", "nothing was written"]


def test_a_later_edit_does_not_find_what_an_earlier_one_makes() -> None:
    assert refusal_of("red\n", ("red", "green"), ("green", "blue")).startswith("edit 2: old text not found")


@pytest.mark.parametrize(("old", "new", "name"), [("ab\ncd", "x\ny\ud83d", "new"), ("a\nb\udc00", "x", "old")])
def test_half_a_character_is_refused_by_name_and_place(old: str, new: str, name: str) -> None:
    refusal = refusal_of("ab\ncd\n", (old, new))
    assert f"{name} holds half a character" in refusal
    assert "line 2, column 2" in refusal
    assert refusal.isprintable()


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
    assert told in refusal_of(before, *edits)


def test_a_long_list_of_bad_edits_is_cut() -> None:
    refusal = refusal_of("a\n", *[(f"zebra {number}", "x") for number in range(100)])
    assert len(refusal) < 5_000
    assert "and 80 more edits cannot be made" in refusal


def test_what_is_no_text_is_refused_with_its_size() -> None:
    assert "binary data, 5 bytes" in refusal_of(b"a\0b\0c", ("a", "b"))
    assert "image/png" in refusal_of(b"\x89PNG\r\n\x1a\n\0\0", ("PNG", "b"))


@pytest.mark.parametrize(
    ("data", "old", "new"),
    [
        pytest.param(b"n = 1\n# caf\xe9\n", "n = 1", "n = \u00e9", id="new is not ASCII"),
        pytest.param(b"n = 1\n# caf\xe9\n", "caf\u00e9", "cafe", id="old is not ASCII"),
        pytest.param("表x\n".encode("shift_jis"), "\\x", "/x", id="may be half of a character"),
    ],
)
def test_legacy_text_is_edited_only_where_that_is_safe(data: bytes, old: str, new: str) -> None:
    refusal = refusal_of(data, (old, new))
    assert "f is not text" in refusal
    assert "edit 1 cannot" in refusal


def test_a_hint_in_legacy_text_shows_no_invented_characters() -> None:
    refusal = refusal_of(b"n  =  1 # caf\xe9\n", ("n = 1 # cafe", "x"))
    assert "é" not in refusal
    assert "n  =  1" in refusal


def test_a_missing_file_is_told_as_by_read_file() -> None:
    files = MemoryFiles({"here.txt": "a"})
    editing = Editing(files)
    assert editing.refusal("gone.txt", ("a", "b")) == "gone.txt does not exist. Create it with write_file"
    assert editing.refusal("gone.txt", ("", "X")) == "gone.txt does not exist. Create it with write_file"
    assert "here.txt" in editing.refusal("here.tx\u200bt", ("a", "b"))
    assert files.contents == {"here.txt": b"a"}
    assert not editing.call.proposals


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "live.pipe")
    (tmp_path / "dir").mkdir()
    editing = Editing(LocalFiles(tmp_path))
    assert "not a regular file" in editing.refusal("live.pipe", ("a", "b"))
    assert "is a directory" in editing.refusal("dir", ("a", "b"))
    assert "outside" in editing.refusal("/dev/zero", ("a", "b"))
    assert "outside" in editing.refusal("../x", ("a", "b"))


@pytest.mark.parametrize("problem", [AccessDenied, Locked, WriteFailed])
def test_a_write_that_fails_is_told(problem: type[AccessDenied | Locked | WriteFailed]) -> None:
    files = MemoryFiles({"f": "a\n"})
    files.fail("f", problem, "No space left on device", when="written")
    assert Editing(files).refusal("f", ("a", "b")).startswith("f")


# What is told


def test_the_answer_is_a_headline_and_a_numbered_diff() -> None:
    files = MemoryFiles({"f": "".join(f"line {number}\n" for number in range(1, 31))})
    answer = Editing(files)("f", ("line 20\n", ""), ("line 5\n", "five\nand a half\n"))
    assert answer.split("\n") == [
        "edited f: 2 edit(s), +2 -2 lines, first change at line 5",
        "  2 line 2", "  3 line 3", "  4 line 4", "- 5 line 5", "+ 5 five", "+ 6 and a half", "  7 line 6",
        "  8 line 7", "  9 line 8", "...",
        " 18 line 17", " 19 line 18", " 20 line 19", "-20 line 20", " 21 line 21", " 22 line 22", " 23 line 23",
    ]  # fmt: skip


def test_edits_match_the_original_and_not_one_another() -> None:
    files = MemoryFiles({"f": "a\nb\n"})
    answer = Editing(files)("f", ("a", "b"), ("b", "c"))
    assert files.contents == {"f": b"b\nc\n"}
    assert answer == "edited f: 2 edit(s), +1 -1 lines, first change at line 1\n-1 a\n 1 b\n+2 c"


def test_counts_come_from_the_diff_not_from_the_edits() -> None:
    text = "".join(f"line {number}\n" for number in range(50))
    files = MemoryFiles({"f": text})
    answer = Editing(files)("f", (text, text.replace("line 30\n", "thirty\n").replace("line 40\n", "")))
    assert answer.startswith("edited f: 1 edit(s), +1 -2 lines, first change at line 31\n")


def test_a_change_of_line_endings_alone_is_told() -> None:
    files = MemoryFiles({"f": b"a\r\nb\r\n"})
    assert Editing(files)("f", ("a\r\nb", "a\nb")) == (
        "edited f: 1 edit(s), +0 -0 lines, first change at line 1; only line endings change"
    )
    assert files.contents == {"f": b"a\nb\r\n"}


def test_the_outcome_holds_old_and_new_text_and_the_first_changed_line() -> None:
    editing = Editing(MemoryFiles({"d/f": b"\xef\xbb\xbfa\nb\n"}))
    editing("d/f", ("b", "c"))
    (change,) = editing.call.reported.changes
    assert (change.path, change.shown, change.old_text, change.new_text) == ("/repo/d/f", "d/f", "a\nb\n", "a\nc\n")
    assert change.after == b"\xef\xbb\xbfa\nc\n"
    assert editing.call.reported.locations == (Location("/repo/d/f", 2),)
    assert not editing.call.reported.truncated


def test_a_long_diff_is_cut_after_whole_lines_and_says_so() -> None:
    files = MemoryFiles({"f": "".join(f"{number}\n" for number in range(1_000))})
    editing = Editing(files, max_output=300)
    answer = editing("f", ("".join(f"{number}\n" for number in range(10, 900)), ""))
    *shown, note = answer.split("\n")
    assert len("\n".join(shown)) <= 300
    assert (
        note == f"[… {896 - len(shown) + 1} more lines of the diff are not shown; read the file to see what it holds]"
    )
    assert editing.call.reported.truncated


def test_a_change_in_a_very_long_line_is_shown() -> None:
    files = MemoryFiles({"f": "x" * 100_000 + "NEEDLE" + "y" * 100_000 + "\n"})
    editing = Editing(files)
    answer = editing("f", ("NEEDLE", "PIN"))
    assert "xxNEEDLEyy" in answer
    assert "xxPINyy" in answer
    assert len(answer) < 6_000
    assert editing.call.reported.truncated


@given(applicable_edits())
def test_a_dry_run_predicts_the_run_and_changes_nothing(case: tuple[str, Edits]) -> None:
    text, edits = case
    assume("\0" not in text and not text.startswith("\ufeff"))
    files = MemoryFiles({"f": text})
    editing = Editing(files)
    foretold = editing("f", *edits, dry_run=True)
    assert files.contents == {"f": text.encode()}
    assert not editing.call.proposals
    assert not editing.call.reported.changes
    told = editing("f", *edits)
    assert foretold.replace("dry run, nothing written: ", "edited ", 1) == told


# Permission


def test_the_one_question_shows_the_whole_change() -> None:
    editing = Editing(MemoryFiles({"f": "a\n"}))
    editing("f", ("a", "b"))
    (proposal,) = editing.call.proposals
    assert isinstance(proposal.preview, FilesPreview)
    assert [(one.before, one.after) for one in proposal.preview.changes] == [(b"a\n", b"b\n")]
    assert (proposal.scope.key, proposal.scope.words) == ("edit:/repo/", "every file change under /repo")
    assert (proposal.title, proposal.paths) == ("edit f", ("/repo/f",))


def test_a_no_leaves_the_file(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\n")
    with unchanged(tmp_path), pytest.raises(PermissionRefused, match=r"^\[edit rejected by the user\]$"):
        Editing(LocalFiles(tmp_path), allows=False)("f", ("a", "b"))


def test_a_file_outside_is_asked_for_before_it_is_read() -> None:
    files = MemoryFiles({"/etc/f": "secret\n"}, outside="ask")
    editing = Editing(files)
    editing("/etc/f", ("secret", "open"))
    first, second = editing.call.proposals
    assert first.preview == ReadPreview("/etc/f")
    assert isinstance(second.preview, FilesPreview)
    assert second.scope.key == "edit:/etc/f"
    assert "/etc/f" in second.title
    assert files.contents == {"/etc/f": b"open\n"}
    editing.allows = False
    with pytest.raises(PermissionRefused, match=r"^\[edit rejected by the user\]$"):
        editing("/etc/f", ("no such text", "x"))
    assert len(editing.call.proposals) == 1


@pytest.mark.parametrize("other", [b"a\nother\n", b""])
def test_a_file_that_changes_while_the_question_is_open_is_not_overwritten(tmp_path: Path, other: bytes) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"a\n")
    with pytest.raises(ToolFailure, match="changed") as refusal:
        Editing(LocalFiles(tmp_path)).edit("f", ("a", "b"), call=Interrupted(lambda: file.write_bytes(other)))
    assert "ead it again" in refusal.value.text
    assert file.read_bytes() == other


def test_a_touch_while_the_question_is_open_costs_nothing(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"a\n")
    Editing(LocalFiles(tmp_path)).edit("f", ("a", "b"), call=Interrupted(lambda: file.write_bytes(b"a\n")))
    assert file.read_bytes() == b"b\n"


# The gate


def test_with_a_ledger_a_file_must_have_been_read_as_it_is() -> None:
    files, ledger = MemoryFiles({"f": "a\n"}), Ledger()
    edit = Editing(files, ledger=ledger)
    assert edit.refusal("f", ("a", "b")) == (
        "f was not read yet; nothing was written. Read it first, then repeat the change"
    )
    assert not edit.call.proposals
    assert edit("f", ("a", "b"), dry_run=True).startswith("dry run")
    ledger.saw("/repo/f", fingerprint(b"a\n"))
    edit("f", ("a", "b"))
    edit("f", ("b", "c"))
    files.put("f", "c\nother\n")
    assert "changed since it was read" in edit.refusal("f", ("c", "d"))
    assert files.contents == {"f": b"c\nother\n"}


@given(refused_edits())
def test_with_a_ledger_too_a_bad_edit_applies_none_and_asks_nothing(case: tuple[str, Edits]) -> None:
    before, edits = case
    # A mark at the beginning of a file is none of its text, so there may be one less to find.
    assume("\0" not in before and not before.startswith("\ufeff"))
    files = MemoryFiles({"f": before})
    edit = Editing(files, ledger=Ledger())
    edit.read("f")
    assert edit.refusal("f", *edits)
    assert not edit.call.proposals
    assert files.contents == {"f": before.encode()}


# The file as an object


def test_mode_links_and_names_stay(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_bytes(b"#!/bin/sh\necho 1\n")
    script.chmod(0o755)
    (tmp_path / "link").symlink_to("run.sh")
    editing = Editing(LocalFiles(tmp_path))
    editing("link", ("echo 1", "echo 2"))
    assert stat.S_IMODE(script.stat().st_mode) == 0o755
    assert (tmp_path / "link").is_symlink()
    assert subprocess.run([script], capture_output=True, check=True).stdout == b"2\n"
    os.link(script, tmp_path / "twin")
    answer = editing("run.sh", ("echo 2", "echo 3"))
    assert answer.split("\n")[0].endswith("; written in place, under all 2 names of the file")
    # Who is asked is told before.
    titles = [proposal.title for proposal in editing.call.proposals]
    assert titles == ["edit run.sh, which has 2 names (hard links) that all change"]
    assert (tmp_path / "twin").read_bytes() == script.read_bytes() == b"#!/bin/sh\necho 3\n"


@pytest.mark.parametrize(
    "name", ["app/[id]/page.tsx", "n/deep research.md", "n/{rule} x.md", "a*b?.txt", "-x", "$HOME"]
)
def test_a_path_is_never_a_pattern(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"a\n")
    Editing(LocalFiles(tmp_path))(name, ("a", "b"))
    assert file.read_bytes() == b"b\n"


def test_a_full_disk_leaves_the_old_bytes(tmp_path: Path) -> None:
    (tmp_path / "big.txt").write_bytes(b"precious\n")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, hard))
    try:
        with unchanged(tmp_path):
            assert "could not be written" in Editing(LocalFiles(tmp_path)).refusal(
                "big.txt", ("precious", "y" * 100_000)
            )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [path.name for path in tmp_path.iterdir()] == ["big.txt"]


@given(refused_edits(), texts(max_pieces=3))
def test_a_refusal_touches_nothing_on_disk(case: tuple[str, Edits], name: str) -> None:
    text, edits = case
    assume(text and "\0" not in text and not text.startswith("\ufeff"))
    data = text.encode()
    refusal = Editing(MemoryFiles({"f": data})).refusal("f", *edits)
    refusal.encode()
    assert refusal.strip()


def test_a_refused_edit_and_a_dry_run_keep_inode_and_times(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"a\na\nb\n")
    editing = Editing(LocalFiles(tmp_path))
    with unchanged(tmp_path):
        for edits in ([("a", "x")], [("zzz", "x")], [("", "x")], [("b", "b")], [("b", "c"), ("a", "x")]):
            editing.refusal("f", *edits)
        editing("f", ("b", "c"), dry_run=True)


@pytest.mark.parametrize("names", [("n.txt", "n.txt"), ("n.txt", "./n.txt"), ("n.txt", "link")])
def test_no_success_is_lost_when_edits_run_side_by_side(tmp_path: Path, names: tuple[str, str]) -> None:
    edits = {"\n50\n": "\nFIFTY\n", "\n75\n": "\nSEVENTY-FIVE\n"}
    for attempt in range(15):
        root = tmp_path / str(attempt)
        root.mkdir()
        (root / "n.txt").write_text("".join(f"{number}\n" for number in range(1, 101)))
        (root / "link").symlink_to("n.txt")

        def edit(name: str, pair: tuple[str, str], root: Path = root) -> str:
            try:
                Editing(LocalFiles(root))(name, pair)
            except ToolFailure as refusal:
                return refusal.text
            return pair[1]

        with ThreadPoolExecutor(2) as pool:
            ends = list(pool.map(edit, names, edits.items()))
        made = [end for end in ends if end in edits.values()]
        text = (root / "n.txt").read_text()
        assert made
        assert all("changed" in end for end in ends if end not in made)
        assert [new for new in edits.values() if new in text] == [new for new in edits.values() if new in made]
        assert len(text.split("\n")) == 101


# Every place


def test_a_text_in_several_places_is_changed_in_all_and_each_counts() -> None:
    files = MemoryFiles({"f": b"a\r\nb\r\na\na"})
    edit = Editing(files)
    answer = edit.edit("f", ("a", "c"), everywhere=True)
    assert answer.startswith("edited f: 3 edit(s), +3 -3 lines, first change at line 1\n")
    assert files.contents == {"f": b"c\r\nb\r\nc\nc"}
    assert edit.refused(lambda: edit.edit("f", ("a", "c"), everywhere=True)).startswith("old text not found")


# What edits make of a file


def planned(before: bytes | None, *edits: tuple[str, str]) -> PlannedChange:
    replacements = [Replacement(*pair) for pair in edits]
    return plan(Snapshot(place=Place("f", "/repo/f"), data=before), replacements, (), EDIT)


@given(applicable_edits())
def test_the_change_is_that_of_the_core(case: tuple[str, Edits]) -> None:
    before, edits = case
    mark = "\ufeff" if before.startswith("\ufeff") else ""
    applied = resolve(before.removeprefix(mark), [Replacement(*pair) for pair in edits])
    if "\0" in before or not isinstance(applied, Applied):
        return
    found = planned(before.encode(), *edits)
    assert found.change.after.decode() == mark + applied.text
    assert f"{len(edits)} edit(s)" in found.summary
    working = Working(MemoryFiles({"f": before}))
    dry = working.edit("f", *edits, dry_run=True)
    assert not working.call.reported.changes
    told = working.edit("f", *edits)
    assert [change.after for change in working.call.reported.changes] == [found.change.after]
    assert told.removeprefix("edited ") == dry.removeprefix("dry run, nothing written: ")


@given(refused_edits())
def test_a_refusal_is_text(case: tuple[str, Edits]) -> None:
    before, edits = case
    assume(not before.startswith("\ufeff"))
    with pytest.raises(ToolFailure):
        planned(before.encode(), *edits)


def test_a_missing_or_binary_file_has_no_edits() -> None:
    with pytest.raises(Missing):
        planned(None, ("a", "b"))
    with pytest.raises(ToolFailure, match="f is not text: binary data, 2 bytes"):
        planned(b"a\0", ("a", "b"))


# The words of a dialect

_ALIEN = EditTerms(tool="<tool>", writer="<writer>", edits="<edits>", old="<old>", new="<new>", several="<several>")


@pytest.mark.parametrize(
    ("data", "edits"),
    [
        ("a b\n", [("a  b", "x")]),
        ("a\na\n", [("a", "x")]),
        ("abc\n", [("", "x")]),
        ("abc\n", [("ab", "x"), ("bc", "y"), ("zz", "y")]),
        ("abc\n", []),
        ("abc\n", [("a", "a")]),
        ("abc\n", [("a", "\ud800")]),
        ("abc\n", [("\ud800", "a")]),
        ("x = 1\n", [("`x = 1`", "y")]),
        ("y = 2\n", [("x = 1", "y = 2")]),
        ("x = 2\nx = 2\n", [("x  = 2", "y")]),
        ("".join(f"    step {number}\n" for number in range(60)), [("".join(f"\tstep {n}\n" for n in range(60)), "x")]),
        ("a\n", [("zebra crossing", "x")]),
        ("", [("a", "b")]),
        (None, [("a", "b")]),
    ],
)
def test_the_words_of_a_refusal_are_the_terms(data: str | None, edits: list[tuple[str, str]]) -> None:
    session = SessionFiles(files=MemoryFiles({} if data is None else {"f": data}))
    replacements = [Replacement(*pair) for pair in edits]
    with pytest.raises(ToolFailure) as alien:
        edit_text(session, "f", replacements, StubCall(), _ALIEN)
    with pytest.raises(ToolFailure) as ours:
        edit_text(session, "f", replacements, StubCall(), EDIT)
    told = alien.value.text
    assert re.findall(r"(?<!<)\b(?:old|new)\b(?! text)", told) == []
    for name in ("tool", "writer", "edits", "old", "new", "several"):
        told = told.replace(f"<{name}>", getattr(EDIT, name))
    assert told == ours.value.text


def test_what_was_written_is_known_under_the_tools_name() -> None:
    writers, files = Writers(), MemoryFiles({"f": "b\n"})
    mine, other = Editing(files, ledger=Ledger(writers=writers)), Ledger(writers=writers)
    mine.read("f")
    session = SessionFiles(files=files, ledger=other)
    other.saw("/repo/f", fingerprint(b"b\n"))
    edit_text(session, "f", [Replacement("b", "c")], StubCall(), _ALIEN)
    assert "by the call `<tool>` of another session" in mine.refusal("f", ("c", "d"))
