"""Lines of a text file, and what the session knows afterwards."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.call import Cancellation, Location, ReadPreview
from mmtools.core.freshness import ChangedSince, Fresh, Ledger, NeverRead
from mmtools.errors import Cancelled, PermissionRefused, ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.tools.operations.read_text import Pieces, ReadTerms, Wanted, read_text
from mmtools.tools.operations.session_files import SessionFiles
from tests.tools.operations.working import Working


class Reading(Working):
    """A reader, as a model would be."""

    def __call__(self, path: str, start: int = 0, end: int = 0, *, numbered: bool = False) -> str:
        return self.read(path, start, end, numbered=numbered)

    def refusal(self, path: str, start: int = 0, end: int = 0) -> str:
        return self.refused(lambda: self.read(path, start, end))


def reading(data: bytes | str, *, max_output: int = 30_000, encodings: tuple[str, ...] = ()) -> Reading:
    """Read in a place with one file, `f`."""
    return Reading(MemoryFiles({"f": data}), max_output=max_output, encodings=encodings)


# Lines


@pytest.mark.parametrize(
    ("data", "start", "end", "expected"),
    [
        (b"a\nb\n", 0, 0, "a\nb\n"),
        (b"a\nb\n", 2, 0, "b\n[line 2 of 2]"),
        (b"a\nb\n", 1, 1, "a\n[line 1 of 2]"),
        (b"a\nb\n", 1, 2, "a\nb\n"),
        (b"a\nb\n", 1, 9, "a\nb\n"),
        (b"a\nb\n", 0, 1, "a\n[line 1 of 2]"),
        (b"a\nb", 2, 0, "b\n[line 2 of 2; no line break at the end]"),
        (b"a\nb", 0, 0, "a\nb\n[no line break at the end]"),
        (b"a", 1, 1, "a\n[no line break at the end]"),
        (b"\n", 0, 0, "\n"),
        (b"\n\n\n", 1, 2, "\n\n[lines 1-2 of 3]"),
        (b"a\n\nb\n", 2, 2, "[line 2 of f is empty]\n[line 2 of 3]"),
        (b"a\r\nb\r\n", 0, 0, "a\nb\n[CRLF line endings]"),
        (b"a\r\nb\r\n", 1, 1, "a\n[line 1 of 2; CRLF line endings]"),
        (b"a\rb\r\nc\r\r\n\n", 0, 0, "a\rb\nc\r\n\n[mixed line endings]"),
        (b"a\n\rb\n", 2, 2, "\rb\n[line 2 of 2]"),
        (b"a\x0bb\x0cc\xc2\x85d\xe2\x80\xa8e\x1c\nf\n", 2, 2, "f\n[line 2 of 2]"),
        (b"\xef\xbb\xbfa\nb\n", 0, 0, "a\nb\n[byte order mark]"),
        (b"\xef\xbb\xbfa\nb\n", 1, 1, "a\n[line 1 of 2; byte order mark]"),
        ("größe\n".encode("utf-16"), 0, 0, "größe\n[byte order mark, encoding utf-16-le]"),
        (
            "a\r\n漢\r\nb".encode("utf-16"),
            2,
            2,
            "漢\n[line 2 of 3; CRLF line endings, byte order mark, encoding utf-16-le, no line break at the end]",
        ),
        (b"\x1b[31mred\x1b[0m\n", 0, 0, "\x1b[31mred\x1b[0m\n"),
    ],
)
def test_a_range_shows_its_lines(data: bytes, start: int, end: int, expected: str) -> None:
    read = reading(data)
    assert read("f", start, end) == expected
    assert not read.call.reported.truncated


@pytest.mark.parametrize("data", [b"", b"\xef\xbb\xbf", b"\xff\xfe"])
@pytest.mark.parametrize(("start", "end"), [(0, 0), (1, 0), (0, 7)])
def test_an_empty_file_is_said_to_be_empty(data: bytes, start: int, end: int) -> None:
    assert reading(data)("f", start, end) == "[f is empty]"


@pytest.mark.parametrize(
    ("data", "start", "total"),
    [
        (b"a\nb\n", 3, "2 lines"),
        (b"a\nb", 3, "2 lines"),
        (b"a\nb\n", 2**53 - 1, "2 lines"),
        (b"a", 2, "1 line"),
        (b"", 2, "0 lines"),
        (b"\n" * 300_000, 300_001, "300000 lines"),
    ],
)
def test_a_start_past_the_end_is_refused_with_the_count(data: bytes, start: int, total: str) -> None:
    assert reading(data).refusal("f", start) == f"[read_file: line {start} is past the end of f ({total})]"


def test_numbers_are_prefixed_on_request() -> None:
    read = reading("a\n\nb\n" + "\n" * 6 + "c\r\nd\r\n")
    assert read("f", 1, 3, numbered=True) == "1\ta\n2\t\n3\tb\n[lines 1-3 of 11; mixed line endings]"
    assert read("f", 2, 2, numbered=True) == "2\t\n[line 2 of 11; mixed line endings]"
    assert read("f", 10, numbered=True) == "10\tc\n11\td\n[lines 10-11 of 11; mixed line endings]"


contents = st.lists(
    st.sampled_from(["\n", "\n", "\r\n", "\r", "a", "word ", "é", "漢", "😀", "\u2028", "\ufeff"]), max_size=30
).map("".join)


def lines_of(content: str) -> list[str]:
    *ended, rest = content.removeprefix("\ufeff").split("\n")
    return [line.removesuffix("\r") for line in ended] + ([rest] if rest else [])


def notes_of(content: str, first: int, last: int) -> list[str]:
    """What is said below lines of a file: which they are unless they are all, and what a reader cannot see of it."""
    form = []
    if pairs := content.count("\r\n"):
        form.append("CRLF line endings" if pairs == content.count("\n") else "mixed line endings")
    if content.startswith("\ufeff"):
        form.append("byte order mark")
    if not content.endswith("\n"):
        form.append("no line break at the end")
    total = len(lines_of(content))
    shown = f"line {first}" if first == last else f"lines {first}-{last}"
    where = [] if (first, last) == (1, total) else [f"{shown} of {total}"]
    told = "; ".join([*where, *([", ".join(form)] if form else [])])
    return [f"[{told}]"] if told else []


@given(contents, st.integers(0, 8), st.integers(0, 8), st.booleans())
def test_a_range_is_what_splitting_the_whole_would_give(content: str, start: int, end: int, numbered: bool) -> None:
    read = reading(content)
    lines = lines_of(content)
    first, last = start or 1, min(end or len(lines), len(lines))
    assume(not 0 < end < first)
    if first > max(len(lines), 1):
        read.refusal("f", start, end)
    elif not lines:
        assert read("f", start, end) == "[f is empty]"
    else:
        shown = [f"{number}\t{line}" if numbered else line for number, line in enumerate(lines, 1)]
        text = "\n".join(shown[first - 1 : last])
        notes = notes_of(content, first, last)
        if last == len(lines) and content.endswith("\n") and not notes:
            text += "\n"
        expected = "\n".join([text or f"[line {first} of f is empty]", *notes])
        assert read("f", start, end, numbered=numbered) == expected


# Limits


def test_what_fits_exactly_is_shown_whole() -> None:
    assert reading("ab\ncd\n", max_output=6)("f") == "ab\ncd\n"
    assert reading("ab\ncd", max_output=5)("f") == "ab\ncd\n[no line break at the end]"
    assert reading("abc\n", max_output=3)("f") == "abc\n"


def test_what_does_not_fit_ends_after_a_whole_line_with_the_next_start() -> None:
    read = reading("ab\ncd\nef\n", max_output=6)
    assert read("f") == "ab\ncd\n[… lines 1-2 of 3 shown; continue with start=3]"
    assert read.call.reported.truncated
    assert read("f", 3) == "ef\n[line 3 of 3]"
    assert not read.call.reported.truncated


def test_the_end_that_was_asked_for_stays_in_the_advice() -> None:
    read = reading("ab\ncd\nef\ngh\n", max_output=4)
    assert read("f", 2, 3) == "cd\n[… line 2 of 4 shown; continue with start=3, end=3]"
    assert read("f", 3, 3) == "ef\n[line 3 of 4]"


def test_the_total_is_told_only_where_it_is_known() -> None:
    answer = reading("0123456789\n" * 1_000_000, max_output=1000)("f")
    assert answer.endswith("\n[… lines 1-91 shown; continue with start=92]")


@pytest.mark.parametrize("numbered", [False, True])
@given(content=contents, max_output=st.integers(6, 30))
def test_following_the_advice_rebuilds_the_whole_file(content: str, max_output: int, numbered: bool) -> None:
    read = reading(content, max_output=max_output)
    rebuilt, start, calls = list[str](), 0, set()
    while True:
        assert start not in calls
        calls.add(start)
        answer = read("f", start, numbered=numbered)
        shown, _, advice = answer.rpartition("\n[…")
        continued = re.search(r"start=(\d+)]$", advice)
        if "bytes long" in advice:
            number = start or 1
            line = (f"{number}\t" if numbered else "") + lines_of(content)[number - 1]
            assert line.startswith(shown)
            rebuilt.append(line)
        elif continued is not None:
            rebuilt += shown.split("\n")
            assert len(shown) <= max_output
        else:
            shown, notes = re.subn(r"\n\[[^\n]*\]$", "", answer)
            rebuilt += (shown if notes else shown.removesuffix("\n")).split("\n")
        if continued is None:
            break
        start = int(continued[1])
    whole = lines_of(content)
    if numbered:
        whole = [f"{number}\t{line}" for number, line in enumerate(whole, 1)]
    # A last line that is empty is told, for there is nothing to show.
    assert [re.sub(r"^\[line \d+ of f is empty\]$", "", line) for line in rebuilt] == (whole or ["[f is empty]"])


@pytest.mark.parametrize("line", ['["' + "x" * 200_000 + '"]', "漢" * 100_000, "x" * 30_001, "é" * 2_000_000])
@pytest.mark.parametrize("before", ["", "\ufeff", "one\ntwo\n", "\ufeffone\n"])
@pytest.mark.parametrize("after", ["", "\n", "\nnext\n"])
def test_a_line_longer_than_an_answer_is_shown_cut_and_its_rest_can_be_had(
    tmp_path: Path, line: str, before: str, after: str
) -> None:
    (tmp_path / "it's data.json").write_text(before + line + after, encoding="utf-8", newline="")
    read = Reading(LocalFiles(tmp_path))
    number = before.count("\n") + 1
    answer = read("it's data.json", number)
    shown, _, advice = answer.rpartition("\n")
    assert read.call.reported.truncated
    assert shown
    assert line.startswith(shown)
    assert len(shown) <= 30_000
    size = len(line.encode())
    assert f"line {number} is {size} bytes long, its first {len(shown.encode())} are shown" in advice
    command = advice.split("by command: ")[1].removesuffix("]").split(". Next line")[0]
    rest = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=True).stdout
    assert rest == (line + after).encode()[len(shown.encode()) :][:30_000]
    if after == "\nnext\n":
        assert advice.endswith(f". Next line: start={number + 1}]")
        assert read("it's data.json", number + 1).startswith("next\n[")
    else:
        assert "start=" not in advice


def test_the_rest_of_a_long_line_of_utf16_can_be_had(tmp_path: Path) -> None:
    line = "漢é" * 50_000
    (tmp_path / "f").write_bytes(f"one\n{line}\n".encode("utf-16"))
    shown, _, advice = Reading(LocalFiles(tmp_path))("f", 2).rpartition("\n")
    command = advice.split("by command: ")[1].removesuffix("]")
    rest = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, check=True).stdout
    assert line.encode()[len(shown.encode()) :].startswith(rest)
    assert len(rest) == 30_000


def test_a_command_for_a_file_at_home_names_it_in_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "f").write_bytes(b"x" * 40_000)
    assert f"-- {tmp_path.resolve()}/f |" in Reading(LocalFiles(tmp_path))("~/f")


def test_lines_before_a_long_one_are_shown_first() -> None:
    read = reading("a\n" + "x" * 200 + "\nb\n", max_output=50)
    assert read("f") == "a\n[… line 1 of 3 shown; continue with start=2]"
    assert read("f", 2).startswith("x" * 50 + "\n[… line 2 is 200 bytes long, its first 50 are shown. ")
    assert read("f", 2).endswith(". Next line: start=3]")
    assert read("f", 2, numbered=True).startswith("2\t" + "x" * 48 + "\n[… line 2 is 200 bytes long, its first 48")


# Bytes that are not UTF-8


def test_what_cannot_be_decoded_is_shown_as_such_and_counted() -> None:
    note = "[2 bytes here are not valid UTF-8, shown as \ufffd; edits of ASCII text keep such bytes]"
    assert reading(b"caf\xe9 \xff\nb\n")("f") == f"caf\ufffd \ufffd\nb\n{note}"
    assert reading(b"caf\xe9 \xff\nb")("f") == f"caf\ufffd \ufffd\nb\n[no line break at the end]\n{note}"
    assert reading(b"caf\xe9 \xff\n\nb\n")("f", 1, 2) == f"caf\ufffd \ufffd\n\n[lines 1-2 of 3]\n{note}"
    assert "[1 byte here is not valid UTF-8" in reading(b"\xe9\n")("f")


def test_only_what_is_shown_is_counted() -> None:
    data = b"a\n\xe9b\nc\n\xe9\xe9\n"
    assert reading(data)("f", 1, 1) == "a\n[line 1 of 4]"
    assert "[1 byte here is" in reading(data)("f", 1, 3)
    assert "[1 byte here is" in reading(data, max_output=7)("f")
    assert "byte" not in reading(data, max_output=3)("f", 1)
    assert "[2 bytes here are" in reading(data)("f", 3)


def test_a_long_line_that_cannot_be_decoded_is_counted_where_shown() -> None:
    answer = reading(b"\xa0" * 100, max_output=10)("f")
    assert answer.startswith("\ufffd" * 10 + "\n[… line 1 is 100 bytes long, its first 10 are shown. ")
    assert answer.endswith("[10 bytes here are not valid UTF-8, shown as \ufffd; edits of ASCII text keep such bytes]")


def test_an_encoding_that_the_host_names_is_used() -> None:
    assert reading(b"caf\xe9\r\n", encodings=("cp1252",))("f") == "café\n[CRLF line endings, encoding cp1252]"
    assert reading("漢字\n".encode("gbk"), encodings=("gbk",))("f") == "漢字\n[encoding gbk]"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "image/png, 16 bytes"),
        (b"text\n" * 10 + b"\0", "binary data, 51 bytes"),
        (b"text\n" * 100_000 + b"\0", "binary data, 500001 bytes"),
        ("a\n".encode("utf-16-le"), "binary data, 4 bytes"),
        ("a\n".encode("utf-32"), "binary data, 12 bytes"),
    ],
)
def test_binary_data_is_refused_with_kind_and_size(data: bytes, kind: str) -> None:
    assert reading(data, max_output=10**6).refusal("f").startswith(f"f is not text: {kind}. ")


def test_utf16_too_large_to_convert_is_refused(tmp_path: Path) -> None:
    with open(tmp_path / "f", "wb") as file:
        file.write(b"\xff\xfe")
        file.truncate(1 << 30)
    assert (
        Reading(LocalFiles(tmp_path))
        .refusal("f")
        .startswith("f is too large to handle as a whole (UTF-16, 1073741824 bytes")
    )


# Places


def test_a_missing_file_is_answered_as_the_reference_has_it() -> None:
    assert reading("").refusal("no/such.txt") == "no/such.txt does not exist. Create it with write_file"


def test_the_exact_name_is_read_and_a_look_alike_only_offered(tmp_path: Path) -> None:
    (tmp_path / "in\u00a0put.txt").write_text("NB\n")
    (tmp_path / "in put.txt").write_text("SP\n")
    (tmp_path / "d2").mkdir()
    (tmp_path / "d2" / "at 2.06\u202fPM.png").write_text("x\n")
    (tmp_path / "a~b").write_text("tilde\n")
    read = Reading(LocalFiles(tmp_path))
    assert read("in\u00a0put.txt") == "NB\n"
    assert read("in put.txt") == "SP\n"
    assert read("a~b") == "tilde\n"
    first, second = read.refusal("d2/at 2.06 PM.png").split("\n")
    assert first == "d2/at 2.06 PM.png does not exist. Create it with write_file"
    assert second.startswith("did you mean d2/at 2.06\u202fPM.png")


@pytest.mark.parametrize("name", ["app/[id]/page.tsx", "n/deep research.md", "n/{rule} x.md", "-n", "*", "$HOME", "é"])
def test_a_path_is_never_a_pattern(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / name).write_text("x\n")
    assert Reading(LocalFiles(tmp_path))(name) == "x\n"


def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "live.pipe")
    (tmp_path / "d").mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "zero").symlink_to("/dev/zero")
    (tmp_path / "loop").symlink_to("loop")
    read = Reading(LocalFiles(tmp_path))
    assert read.refusal("live.pipe").startswith("live.pipe is not a regular file (named pipe)")
    assert read.refusal("d").startswith("d is a directory, not a file")
    assert read.refusal("file/x").startswith("file/x cannot exist: ")
    assert read.refusal("/dev/zero").startswith("/dev/zero is outside the working directory")
    assert read.refusal("zero").startswith("zero leads to /dev/zero, which is outside the working directory")
    assert read.refusal("loop").startswith('"loop" cannot be a path')
    assert read.refusal("").startswith('"" cannot be a path')
    assert read.refusal("a\0b").startswith('"a\\u0000b" cannot be a path')


def test_a_sibling_with_the_same_prefix_is_outside(tmp_path: Path) -> None:
    (tmp_path / "proj" / "a").mkdir(parents=True)
    (tmp_path / "proj" / "a" / "x.txt").write_text("inside\n")
    (tmp_path / "proj-secret").mkdir()
    (tmp_path / "proj-secret" / "k.txt").write_text("secret\n")
    read = Reading(LocalFiles(tmp_path / "proj"))
    for path in ("../proj-secret/k.txt", str(tmp_path / "proj-secret" / "k.txt"), "a/../../proj-secret/k.txt"):
        text = read.refusal(path)
        assert "outside the working directory" in text
        assert str(tmp_path.resolve() / "proj-secret" / "k.txt") in text
        assert "secret\n" not in text
    assert read("a/../a/x.txt") == "inside\n"


def test_a_file_outside_is_read_after_a_yes_to_its_real_path() -> None:
    files = MemoryFiles({"/other/k.txt": "k\n", "a.txt": "a\n"}, outside="ask")
    read = Reading(files)
    assert read("../other/k.txt") == "k\n"
    [proposal] = read.call.proposals
    assert proposal.preview == ReadPreview("/other/k.txt")
    assert proposal.paths == ("/other/k.txt",)
    assert "/other/k.txt" in proposal.title
    assert "/other/k.txt" in proposal.scope.words
    assert read("a.txt") == "a\n"
    assert read.call.proposals == []


@pytest.mark.parametrize("path", ["/other/k.txt", "/other/missing.txt", "/other"])
def test_after_a_no_nothing_is_told_about_a_file_outside(path: str) -> None:
    read = Reading(MemoryFiles({"/other/k.txt": "k\n"}, outside="ask"), allows=False)
    with pytest.raises(PermissionRefused) as refusal:
        read(path)
    assert refusal.value.text == "[read rejected by the user]"


def test_names_outside_are_not_offered() -> None:
    read = Reading(MemoryFiles({"/other/README.md": "k\n"}, outside="ask"))
    assert read.refusal("/other/readme.md") == "/other/readme.md does not exist. Create it with write_file"


# What a host sees


def test_the_report_points_at_the_real_file_and_the_line(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("a\nb\n")
    (tmp_path / "link.txt").symlink_to("real.txt")
    read = Reading(LocalFiles(tmp_path))
    read("link.txt", 2)
    assert read.call.reported.locations == (Location(f"{tmp_path.resolve()}/real.txt", 2),)
    read("link.txt")
    assert read.call.reported.locations == (Location(f"{tmp_path.resolve()}/real.txt"),)


# The gate


def test_a_read_opens_the_gate_for_the_whole_file_and_a_failed_one_does_not() -> None:
    ledger = Ledger()
    data = b"a\nb\n" * 200_000
    read = Reading(MemoryFiles({"f": data, "empty": b"", "binary": b"\0"}), ledger=ledger)
    read.refusal("binary")
    read.refusal("f", 10**6)
    assert ledger.verdict("/repo/f", data) == NeverRead()
    assert ledger.verdict("/repo/binary", b"\0") == NeverRead()
    read("f", 1, 1)
    assert ledger.verdict("/repo/f", data) == Fresh()
    read("empty")
    assert ledger.verdict("/repo/empty", b"") == Fresh()


def test_a_read_that_is_cancelled_or_finds_nothing_closes_it() -> None:
    ledger, files = Ledger(), MemoryFiles({"f": "a\n"})
    read, call = Reading(files, ledger=ledger), StubCall()
    call.cancellation.request()
    with pytest.raises(Cancelled, match=r"^\[read_file was cancelled\]$"):
        read.read("f", call=call)
    assert ledger.verdict("/repo/f", b"a\n") == NeverRead()
    read("f")
    files.remove("f")
    read.refusal("f")
    files.put("f", "a\n")
    assert ledger.verdict("/repo/f", b"a\n") == NeverRead()


@given(st.binary(max_size=500), st.lists(st.integers(1, 200), max_size=5))
def test_the_ledger_knows_the_whole_however_much_was_read(data: bytes, sizes: list[int]) -> None:
    files, ledger = MemoryFiles({"f": data}), Ledger()
    with files.open(files.locate("f")) as reader:
        pieces = Pieces(reader, Cancellation(), tool="look", ledger=ledger)
        assert data.startswith(b"".join(map(pieces.read, sizes)))
        assert ledger.verdict("/repo/f", data) == NeverRead()
        pieces.note("/repo/f")
    assert ledger.verdict("/repo/f", data) == Fresh()
    assert ledger.verdict("/repo/f", data + b"x") == ChangedSince()


class Endless:
    """A file that grows faster than it is read, or is huge from the start."""

    stamp = None

    def __init__(self, size: int) -> None:
        self.size = size
        self.taken = 0

    def read(self, max_bytes: int, /) -> bytes:
        self.taken += max_bytes
        return bytes(max_bytes)


@pytest.mark.parametrize(("size", "most"), [(1, 300 << 20), (1 << 40, 1 << 20)])
def test_a_file_too_large_to_be_changed_is_not_read_to_its_end(size: int, most: int) -> None:
    reader, ledger = Endless(size), Ledger()
    Pieces(reader, Cancellation(), tool="look", ledger=ledger).note("/repo/f")
    assert reader.taken < most
    assert ledger.verdict("/repo/f", b"") == NeverRead()


def test_a_file_that_is_proved_unchanged_is_not_read_again() -> None:
    files, ledger = MemoryFiles({"f": "abc"}), Ledger()
    for left in (b"", b"abc", b"abc"):
        with files.open(files.locate("f")) as reader:
            Pieces(reader, Cancellation(), tool="look", ledger=ledger).note("/repo/f")
            assert reader.read(9) == left
    files.touch("f")
    with files.open(files.locate("f")) as reader:
        Pieces(reader, Cancellation(), tool="look", ledger=ledger).note("/repo/f")
        assert reader.read(9) == b""


def test_a_cancelled_call_reads_no_further() -> None:
    files, cancellation = MemoryFiles({"f": "abc"}), Cancellation()
    with files.open(files.locate("f")) as reader:
        pieces = Pieces(reader, cancellation, tool="look", ledger=None)
        assert pieces.read(1) == b"a"
        cancellation.request()
        with pytest.raises(Cancelled, match=r"^\[look was cancelled\]$"):
            pieces.read(1)


# The words of a dialect


def test_the_words_are_the_terms() -> None:
    terms = ReadTerms(tool="<tool>", writer="<writer>", onward=lambda line, last: f"<from {line} to {last}>")
    session = SessionFiles(files=MemoryFiles({"f": "aaaa\n" * 9}), max_output=12)
    assert read_text(session, "f", Wanted(last=5), StubCall(), terms) == (
        "aaaa\naaaa\n[… lines 1-2 of 9 shown; continue with <from 3 to 5>]"
    )
    for path, first, told in (
        ("f", 10, r"^\[<tool>: line 10 is past the end of f \(9 lines\)\]$"),
        ("gone", None, r"^gone does not exist\. Create it with <writer>$"),
    ):
        with pytest.raises(ToolFailure, match=told):
            read_text(session, path, Wanted(first=first), StubCall(), terms)
    call = StubCall()
    call.cancellation.request()
    with pytest.raises(Cancelled, match=r"^\[<tool> was cancelled\]$"):
        read_text(session, "f", Wanted(), call, terms)
