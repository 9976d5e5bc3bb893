"""A file change in words."""

from __future__ import annotations

import pytest
from attrs import evolve

from mmtools.call import FileChange
from mmtools.core import change_text
from tests.adapters.shown_calls import change


def facts(one: FileChange) -> list[str]:
    return list(change_text.facts(one, change_text.difference(one)))


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (None, b"a\nb\n", ["new", "+2"]),
        (None, b"", ["new", "empty"]),
        (b"a\nb\n", b"a\nc\n", ["+1 −1"]),
        (b"a\nb\n", b"", ["−2"]),
        (b"a\r\nb\r\n", b"a\nb\n", ["line ends CRLF → LF"]),
        (b"a\nb\n", b"a\r\nc\r\n", ["+1 −1", "line ends LF → CRLF"]),
        (b"a\r\nb\n", b"a\nb\r\nc\n", ["+1"]),
        (b"a\r\nb\nc\n", b"a\r\nb\r\nc\n", ["some line ends change"]),
        (b"\xef\xbb\xbfa\n", b"a\n", ["+1 −1", "the BOM goes"]),
        (b"a\n", b"\xef\xbb\xbfa\n", ["+1 −1", "a BOM comes"]),
    ],
)
def test_what_becomes_of_a_text(before: bytes | None, after: bytes, said: list[str]) -> None:
    assert facts(change("a.txt", before, after)) == said


def test_what_is_no_text_is_told_by_its_size() -> None:
    binary = evolve(change("logo.png", b"\0" * 1204, b"\0" * 1310), before_encoding=None, after_encoding=None)
    assert facts(binary) == ["not text: 1,204 → 1,310 bytes"]
    assert facts(evolve(binary, before=None)) == ["new", "not text: 1,310 bytes"]


def test_another_encoding_is_told() -> None:
    recoded = evolve(change("a.txt", b"caf\xe9\n", "café\n".encode()), before_encoding="latin-1")
    assert facts(recoded) == ["latin-1 → utf-8"]


@pytest.mark.parametrize(
    ("shown", "path", "name"),
    [
        ("src/a.py", "/repo/src/a.py", "src/a.py"),
        ("./src/../src/a.py", "/repo/src/a.py", "./src/../src/a.py"),
        ("/repo/a.py", "/repo/a.py", "/repo/a.py"),
        ("notes.txt", "/home/me/.bashrc", "notes.txt → /home/me/.bashrc"),
        ("s.txt", "/repo/notes.txt", "s.txt → /repo/notes.txt"),
        ("../a.py", "/other/a.py", "../a.py → /other/a.py"),
    ],
)
def test_a_file_is_named_as_asked_for_and_where_that_leads(shown: str, path: str, name: str) -> None:
    assert change_text.name(FileChange(path=path, shown=shown, before=b"", after=b"x")) == name
