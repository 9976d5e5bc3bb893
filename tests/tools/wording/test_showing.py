"""How lines are shown in the words of any dialect."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import Cancellation
from mmtools.core import reading
from mmtools.core.freshness import ChangedSince, Fresh, Ledger, NeverRead
from mmtools.core.lines import Window
from mmtools.errors import Cancelled, ToolFailure
from mmtools.testing.files import MemoryFiles
from mmtools.tools.wording.answer import Answer
from mmtools.tools.wording.showing import Pieces, Showing, Wanted


def shown(data: bytes, window: Window, *, max_output: int = 1_000, numbered: bool = False) -> Answer:
    wanted = Wanted(tool="look", window=window, numbered=numbered, start="from", rest=lambda line: f", and={line * 2}")
    files = MemoryFiles({"f": data})
    place = files.locate("f")
    with files.open(place) as reader:
        found = reading.find(reader.read, window, max_chars=max_output)
        return Showing(wanted=wanted, max_output=max_output).answer(found, place, reader.size)


def test_going_on_is_told_in_the_dialects_own_arguments() -> None:
    assert shown(b"aaaa\n" * 9, Window(), max_output=12).text == (
        "aaaa\naaaa\n[… lines 1-2 of 9 shown; continue with from=3, and=6]"
    )
    assert "Next line: from=2]" in shown(b"a" * 50 + b"\nb\n", Window(), max_output=12).text


def test_the_dialects_tool_is_named_where_there_is_no_such_line() -> None:
    with pytest.raises(ToolFailure, match=r"^\[look: line 3 is past the end of f \(1 line\)\]$"):
        shown(b"a\n", Window(3))
    with pytest.raises(ToolFailure, match=r"^\[look: line 2 is past the end of f \(0 lines\)\]$"):
        shown(b"", Window(2, 5))
    assert shown(b"", Window(1, 5)) == Answer("[f is empty]")


def test_numbers_stand_before_lines_where_a_dialect_has_them() -> None:
    assert shown(b"a\nb\nc\n", Window(2, 3), numbered=True).text == "2\tb\n3\tc\n"


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


@pytest.mark.slow
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
