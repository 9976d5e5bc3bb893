"""What is said of a file that is written as a whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.errors import ToolFailure
from mmtools.ports.files import Place, Replaced, Snapshot
from mmtools.testing.calls import StubCall
from mmtools.testing.strategies import file_bytes, texts
from mmtools.tools.wording.writing import Written, compare, encoded

PLACE = Place("f", "/repo/f")


def written(before: bytes | None, content: str, *, links: int = 1) -> Written:
    return compare(Snapshot(place=PLACE, data=before, links=links), content, encoded(content), ())


@given(st.none() | file_bytes(), texts())
def test_the_change_holds_both_sides_and_the_headline_counts(before: bytes | None, content: str) -> None:
    found = written(before, content)
    assert (found.change.before, found.change.after) == (before, content.encode())
    assert found.change.created == (before is None)
    call = StubCall()
    told = found.tell(Replaced(), call, max_chars=30_000)
    assert told.startswith(found.headline)
    assert call.reported.changes == (found.change,)


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
    found = written(before, content)
    proposal = found.proposal("/repo")
    assert (proposal.title, proposal.refusal, found.headline) == (title, "[write rejected by the user]", headline)


def test_other_names_that_change_too_are_told() -> None:
    told = written(b"a\n", "b\n", links=2).tell(Replaced(in_place=True), StubCall(), max_chars=30_000)
    assert told.split("\n")[0] == "wrote f: +1 -1 lines; written in place, under all 2 names of the file"


def test_half_a_character_is_no_content() -> None:
    with pytest.raises(ToolFailure, match="content holds half a character"):
        encoded("\ud800")
