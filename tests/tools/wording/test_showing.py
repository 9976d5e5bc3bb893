"""How lines are shown in the words of any dialect."""

from __future__ import annotations

from mmtools.core import reading
from mmtools.core.reading import Found
from mmtools.testing.files import MemoryFiles
from mmtools.tools.wording import showing
from mmtools.tools.wording.answer import Answer
from mmtools.tools.wording.showing import ReadTerms, Showing, Wanted


def _onward(line: int, last: int | None) -> str:
    return f"from={line}, and={last}"


TERMS = ReadTerms(tool="look", writer="make", onward=_onward)


def shown(data: bytes, wanted: Wanted, *, max_output: int = 1_000) -> Answer:
    files = MemoryFiles({"f": data})
    place = files.locate("f")
    with files.open(place) as reader:
        found = reading.find(reader.read, wanted.window, max_chars=max_output)
    assert isinstance(found, Found)
    return Showing(wanted=wanted, terms=TERMS, max_output=max_output).answer(found, place)


def test_going_on_is_told_in_the_dialects_own_arguments() -> None:
    assert shown(b"aaaa\n" * 9, Wanted(), max_output=12).text == (
        "aaaa\naaaa\n[… lines 1-2 of 9 shown; continue with from=3, and=None]"
    )
    assert shown(b"aaaa\n" * 9, Wanted(last=6), max_output=12).text.endswith("continue with from=3, and=6]")
    assert "Next line: from=2, and=None]" in shown(b"a" * 50 + b"\nb\n", Wanted(last=6), max_output=12).text


def test_the_dialects_tool_is_named_where_there_is_no_such_line() -> None:
    assert showing.past_end("f", 3, 1, TERMS) == "[look: line 3 is past the end of f (1 line)]"
    assert showing.past_end("f", 2, 0, TERMS) == "[look: line 2 is past the end of f (0 lines)]"
    assert showing.empty("f") == "[f is empty]"


def test_what_cannot_be_converted_is_told_with_the_limit() -> None:
    assert showing.too_wide(20_000_000) == "UTF-16, 20000000 bytes; at most 16777216 can be converted"


def test_numbers_stand_before_lines_where_a_dialect_has_them() -> None:
    assert shown(b"a\nb\nc\n", Wanted(first=2, last=3, numbered=True)).text == "2\tb\n3\tc\n"
