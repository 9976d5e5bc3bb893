"""A file's name says its language."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.comments import ALL_FAMILIES
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
    assert found.comments in ALL_FAMILIES.values()


def test_one_language_has_one_comment_family_and_one_kind_of_name() -> None:
    assert language("a.ts") == language("dir/b.mts")
    assert language("a.py").comments != language("a.c").comments
