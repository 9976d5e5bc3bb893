"""How lines are shown in the words of any dialect."""

from __future__ import annotations

from mmtools.core import reading
from mmtools.core.forms import Survey
from mmtools.core.reading import Found, Seen
from mmtools.testing.files import MemoryFiles
from mmtools.tools.wording import showing
from mmtools.tools.wording.answer import Answer
from mmtools.tools.wording.showing import ReadTerms, Showing, Wanted


def _onward(line: int, last: int | None) -> str:
    return f"from={line}, and={last}"


TERMS = ReadTerms(tool="look", writer="make", onward=_onward)


def shown(data: bytes, wanted: Wanted, *, max_output: int = 1_000, taken: int | None = None) -> Answer:
    files = MemoryFiles({"f": data})
    place = files.locate("f")
    with files.open(place) as reader:
        found = reading.find(reader.read, wanted.window, max_chars=max_output)
    assert isinstance(found, Found)
    survey = Survey()
    survey.feed(data[:taken])
    seen = Seen(survey=survey, complete=taken is None)
    return Showing(wanted=wanted, terms=TERMS, max_output=max_output).answer(found, place, seen)


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
    assert shown(b"a\nb\nc\n", Wanted(first=2, last=3, numbered=True)).text == "2\tb\n3\tc\n[lines 2-3 of 3]"


def test_a_part_says_where_it_stands_and_that_more_follows() -> None:
    data = b"a\nb\nc\nd"
    assert shown(data, Wanted(first=2, last=3)).text == "b\nc\n[lines 2-3 of 4; no line break at the end]"
    assert shown(data, Wanted(last=1), taken=4).text == "a\n[line 1; more lines follow]"


def test_what_a_reader_cannot_see_is_said_also_where_more_is_to_come() -> None:
    assert shown(b"\xef\xbb\xbfa\r\n", Wanted()).text == "a\n[CRLF line endings, byte order mark]"
    assert shown(b"aaaa\r\n" * 9, Wanted(), max_output=12).text.endswith(
        "\n[… lines 1-2 of 9 shown (CRLF line endings); continue with from=3, and=None]"
    )
