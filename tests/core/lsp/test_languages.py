"""A file's name says its language; reserved words are words, and Python's are those that Python itself refuses."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.languages import language


@pytest.mark.parametrize(
    ("path", "id_"),
    [
        ("main.go", "go"),
        ("/w/a b/x.py", "python"),
        ("x.pyi", "python"),
        ("x.ts", "typescript"),
        ("x.mts", "typescript"),
        ("x.d.ts", "typescript"),
        ("x.tsx", "typescriptreact"),
        ("x.jsx", "javascriptreact"),
        ("x.mjs", "javascript"),
        ("x.c", "c"),
        ("x.h", "cpp"),
        ("X.CPP", "cpp"),
        ("x.cs", "csharp"),
        ("x.m", "objective-c"),
        ("x.sh", "shellscript"),
        ("x.bash", "shellscript"),
        ("x.rs", "rust"),
        ("x.yml", "yaml"),
        ("dir.d/Dockerfile", "dockerfile"),
        ("Makefile", "makefile"),
        ("CMakeLists.txt", "cmake"),
        ("go.mod", "go.mod"),
        ("x.unheard", "unheard"),
        ("UNHEARD", "plaintext"),
        (".env", "env"),
        ("x.", "plaintext"),
        ("", "plaintext"),
    ],
)
def test_the_id_is_the_protocols_or_the_extension(path: str, id_: str) -> None:
    assert language(path).id == id_


@given(st.text())
def test_every_path_has_a_language(path: str) -> None:
    found = language(path)
    assert found.id
    assert found.comments.spans("") == []


def test_one_language_has_one_comment_family_and_one_kind_of_name() -> None:
    assert language("a.ts") == language("dir/b.mts")
    assert language("a.py").comments != language("a.c").comments


def reserved(extension: str) -> frozenset[str]:
    return language(f"a.{extension}").names.reserved


@pytest.mark.parametrize("extension", ["c", "cpp", "go", "java", "py", "rs"])
def test_each_list_of_reserved_words_holds_only_what_looks_like_a_name(extension: str) -> None:
    words = reserved(extension)
    assert len(words) > 20
    assert all(word.isidentifier() for word in words)


@pytest.mark.parametrize("word", sorted(reserved("py")))
def test_python_refuses_its_words_as_names(word: str) -> None:
    with pytest.raises(SyntaxError):
        ast.parse(f"{word} = 1\n")


@pytest.mark.parametrize(
    ("extension", "reserved_words", "free"),
    [
        ("go", {"func", "type", "range"}, {"string", "nil", "len", "new"}),
        ("rs", {"fn", "match", "self", "Self"}, {"union", "String", "Vec"}),
        ("c", {"static", "restrict"}, {"class", "bool"}),
        ("cpp", {"class", "template", "static", "co_await"}, {"override", "final", "restrict"}),
        ("java", {"class", "true", "_"}, {"var", "record", "String"}),
    ],
)
def test_known_words_are_where_they_belong(extension: str, reserved_words: set[str], free: set[str]) -> None:
    assert reserved_words <= reserved(extension)
    assert not free & reserved(extension)
