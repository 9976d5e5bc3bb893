"""A question goes to one place after another; which answer counts, and which failure is told."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.positions import Position
from mmtools.core.lsp.symbols import Pointed
from mmtools.errors import ToolFailure
from mmtools.ports.language_server_problems import NoAnswer, ServerError
from mmtools.ports.language_servers import Answer, Feature, LanguageServer
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import MemoryLanguageServers
from mmtools.tools.operations import code_questions
from mmtools.tools.operations.code_questions import Asked, CodeSession
from mmtools.tools.operations.session_files import session_files
from mmtools.tools.wording.lsp import Question
from tests.tools.asked import TERMS


def asked(text: str, *reactions: object, **place: Any) -> tuple[Asked, MemoryLanguageServers]:
    """A question about a text of names, each two characters after the other, with what the server says at each."""
    by_place = {Position(0, 2 * number): reaction for number, reaction in enumerate(reactions)}
    servers = MemoryLanguageServers(
        [LanguageServer("gopls", "gopls", ".go")],
        read=lambda _: text,
        reactions={Feature.HOVER: lambda asking: by_place[asking.position]},
    )
    session = CodeSession(servers=servers, files=session_files(MemoryFiles({"a.go": text})), terms=TERMS)
    question = Question(action="hover", path="a.go", pointed=Pointed(**place))
    return code_questions.point(session, question, StubCall()), servers


def opened(*reactions: object) -> tuple[Asked, MemoryLanguageServers]:
    return asked("x x x\n", *reactions, symbol="x")


def read(content: object, _: int) -> str | None:
    return content if isinstance(content, str) else None


REACTIONS = st.sampled_from(
    [None, "one", "two", Answer(None, settled=False), Answer("some", settled=False), ServerError("gopls", "e")]
)


@given(st.lists(REACTIONS, min_size=3, max_size=3))
def test_the_first_answer_counts_else_the_strongest_reason_why_there_is_none(reactions: list[object]) -> None:
    asked, servers = opened(*reactions)
    contents = [reaction.content if isinstance(reaction, Answer) else reaction for reaction in reactions]
    first = next((number for number, content in enumerate(contents) if isinstance(content, str)), None)
    if first is not None:
        settled = not isinstance(reactions[first], Answer)
        assert asked.ask(Feature.HOVER, read) == (contents[first], settled)
        assert len(servers.asked) == first + 1
        return
    with pytest.raises((ToolFailure, ServerError)) as failure:
        asked.ask(Feature.HOVER, read)
    assert len(servers.asked) == 3
    if any(isinstance(reaction, Answer) for reaction in reactions):
        assert "still loading" in str(failure.value)
    elif any(isinstance(reaction, ServerError) for reaction in reactions):
        assert isinstance(failure.value, ServerError)
    else:
        assert str(failure.value) == "[lsp: no hover found for the symbol at a.go:1:1]"


def test_the_last_error_is_the_one_that_is_told() -> None:
    asked, _ = opened(ServerError("gopls", "first"), ServerError("gopls", "second"), None)
    with pytest.raises(ServerError, match="second"):
        asked.ask(Feature.HOVER, read)


def test_a_server_that_does_not_answer_is_not_asked_again() -> None:
    asked, servers = opened(NoAnswer("gopls", 30.0), "late", "later")
    with pytest.raises(NoAnswer):
        asked.ask(Feature.HOVER, read)
    assert len(servers.asked) == 1


def test_the_reader_is_told_the_place() -> None:
    asked, _ = opened(None, None, {"contents": "x"})
    places = []

    def note(content: object, offset: int) -> str | None:
        places.append(offset)
        return "found" if content else None

    assert asked.ask(Feature.HOVER, note) == ("found", True)
    assert places == [0, 2, 4]


def test_the_name_that_is_meant_is_the_symbol_or_what_stands_there() -> None:
    by_place, _ = asked("foo bar\n", line=1, column=6)
    assert (by_place.offsets, by_place.name_at(by_place.offsets[0])) == ((5,), "bar")
    by_name, _ = asked("foo bar\n", symbol="foo")
    assert by_name.name_at(by_name.offsets[0]) == "foo"


def test_what_is_not_in_the_file_is_not_asked_about() -> None:
    with pytest.raises(ToolFailure, match=r'^\[lsp: "bar" not found in a.go\]$'):
        asked("foo\n", symbol="bar")


def test_a_path_is_shown_as_a_model_sees_it() -> None:
    session = opened()[0].session
    assert session.shown("/repo/a/b.go") == "a/b.go"
    assert session.shown("/repository/b.go") == "/repository/b.go"
