"""What servers answered is told line by line, whole or with what is missing."""

from __future__ import annotations

import pytest

from mmtools.core.lsp.symbols import NotFound, Pointed
from mmtools.ports.language_servers import LanguageServer
from mmtools.tools.wording import lsp
from mmtools.tools.wording.lsp import Question
from tests.tools.asked import TERMS


def test_servers_are_listed_with_their_extensions() -> None:
    gopls, clangd = LanguageServer("gopls", "gopls", ".go"), LanguageServer("clangd", "clangd", (".c", "h"))
    assert lsp.available([gopls]) == "gopls (.go)"
    assert lsp.available([gopls, clangd]) == "gopls (.go), clangd (.c, .h)"


def test_a_long_list_of_lines_is_shortened() -> None:
    question = Question(action="hover", path="a.go", pointed=Pointed(symbol="x", line=40))
    text = lsp.nowhere(NotFound(tuple(range(1, 26))), question)
    assert text == '"x" not found in line 40 of a.go — it is in lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …'
    text = lsp.nowhere(NotFound((7,)), question)
    assert text == '"x" not found in line 40 of a.go — it is in line 7'


def test_what_was_sent_without_an_identifier_is_repeated_in_part() -> None:
    question = Question(action="hover", path="a.go", pointed=Pointed(symbol="+" * 10_000))
    text = lsp.where_needed(question, TERMS)
    assert "there is no identifier in symbol" in text
    assert len(text) < 1_000


@pytest.mark.parametrize("max_chars", range(1, 30))
def test_lines_are_listed_whole_and_the_missing_ones_counted(max_chars: int) -> None:
    lines = ["headline", "one", "two", "", "three"]
    told = lsp.listed(lines, ["[note]"], max_chars=max_chars, rest="look elsewhere")
    *shown, note = told.text.split("\n")
    assert note == "[note]"
    whole = "\n".join(lines)
    if len(whole) <= max_chars:
        assert shown == lines
        assert not told.truncated
    else:
        cut = shown.pop()
        missing = len(lines) - len(shown)
        assert shown == lines[: len(shown)]
        assert cut == f"[… {missing} more {'line is' if missing == 1 else 'lines are'} not shown; look elsewhere]"
        assert told.truncated
        assert len(shown) == 1 or len("\n".join(shown)) <= max_chars
        assert len("\n".join(lines[: len(shown) + 1])) > max_chars
