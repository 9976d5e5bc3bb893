"""A question goes to one place after another; which answer counts, and which failure is told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import Cancellation
from mmtools.core.lsp.languages import language
from mmtools.core.lsp.positions import Document, Position
from mmtools.core.lsp.symbols import Pointed
from mmtools.errors import ToolFailure
from mmtools.ports.files import Place
from mmtools.ports.language_server_problems import NoAnswer, ServerError
from mmtools.ports.language_servers import Answer, Feature, LanguageServer
from mmtools.testing.language_servers import MemoryLanguageServers
from mmtools.tools.wording import asking
from mmtools.tools.wording.asking import Asked, Read
from mmtools.tools.wording.lsp_problems import Question

SERVERS = (LanguageServer("gopls", "gopls", ".go"),)
TEXT = "x x x\n"


def opened(*reactions: object) -> tuple[Asked, MemoryLanguageServers]:
    """Three places, with what the server says at each."""
    by_place = {Position(0, 2 * number): reaction for number, reaction in enumerate(reactions)}
    servers = MemoryLanguageServers(
        SERVERS, read=lambda _: TEXT, reactions={Feature.HOVER: lambda asked: by_place[asked.position]}
    )
    question = Question(action="hover", path="a.go", servers=SERVERS)
    file = servers.open(Place("a.go", "/repo/a.go"), Cancellation())
    return asking.point(question, file, language("a.go"), Pointed(symbol="x")), servers


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
        found = asking.ask(asked, Feature.HOVER, read)
        settled = not isinstance(reactions[first], Answer)
        assert found == Read(contents[first], 2 * first, settled)
        assert len(servers.asked) == first + 1
        return
    with pytest.raises((ToolFailure, ServerError)) as failure:
        asking.ask(asked, Feature.HOVER, read)
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
        asking.ask(asked, Feature.HOVER, read)


def test_a_server_that_does_not_answer_is_not_asked_again() -> None:
    asked, servers = opened(NoAnswer("gopls", 30.0), "late", "later")
    with pytest.raises(NoAnswer):
        asking.ask(asked, Feature.HOVER, read)
    assert len(servers.asked) == 1


def test_the_reader_is_told_the_place() -> None:
    asked, _ = opened(None, None, {"contents": "x"})
    places = []

    def note(content: object, offset: int) -> str | None:
        places.append(offset)
        return "found" if content else None

    assert asking.ask(asked, Feature.HOVER, note).offset == 4
    assert places == [0, 2, 4]


def test_the_name_that_is_meant_is_the_symbol_or_what_stands_there() -> None:
    file = MemoryLanguageServers(SERVERS, read=lambda _: "foo bar\n").open(Place("a.go", "/a.go"), Cancellation())
    question = Question(action="hover", path="a.go", servers=SERVERS)
    asked = asking.point(question, file, language("a.go"), Pointed(line=1, column=6))
    assert (asked.symbol, asked.name_at(asked.offsets[0]), asked.shown(asked.offsets[0])) == ("", "bar", "a.go:1:6")
    asked = asking.point(question, file, language("a.go"), Pointed(symbol="foo"))
    assert asked.name_at(asked.offsets[0]) == "foo"
    assert asked.opened.document == Document("foo bar\n")


def test_what_is_not_in_the_file_is_not_asked_about() -> None:
    file = MemoryLanguageServers(SERVERS, read=lambda _: "foo\n").open(Place("a.go", "/a.go"), Cancellation())
    question = Question(action="hover", path="a.go", servers=SERVERS)
    with pytest.raises(ToolFailure, match=r'^\[lsp: "bar" not found in a.go\]$'):
        asking.point(question, file, language("a.go"), Pointed(symbol="bar"))
