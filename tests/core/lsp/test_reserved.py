"""Reserved words are words, and Python's are those that Python itself refuses."""

from __future__ import annotations

import ast

import pytest

from mmtools.core.lsp import reserved


@pytest.mark.parametrize("name", reserved.__all__)
def test_each_list_holds_only_what_looks_like_a_name(name: str) -> None:
    words = getattr(reserved, name)
    assert len(words) > 20
    assert all(word.isidentifier() for word in words)


@pytest.mark.parametrize("word", sorted(reserved.PYTHON))
def test_python_refuses_its_words_as_names(word: str) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(f"{word} = 1\n")


@pytest.mark.parametrize(
    ("words", "reserved_words", "free"),
    [
        (reserved.GO, {"func", "type", "range"}, {"string", "nil", "len", "new"}),
        (reserved.RUST, {"fn", "match", "self", "Self"}, {"union", "String", "Vec"}),
        (reserved.ANSI_C, {"static", "restrict"}, {"class", "bool"}),
        (reserved.CPLUSPLUS, {"class", "template", "static", "co_await"}, {"override", "final", "restrict"}),
        (reserved.JAVA, {"class", "true", "_"}, {"var", "record", "String"}),
    ],
)
def test_known_words_are_where_they_belong(words: set[str], reserved_words: set[str], free: set[str]) -> None:
    assert reserved_words <= words
    assert not free & words
