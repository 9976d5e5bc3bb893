"""Which files a language server may see, and as what."""

from __future__ import annotations

import pytest

from mmtools.adapters.lsp.texts import TextReader
from mmtools.ports.files import IsDirectory
from mmtools.ports.language_server_problems import NotSendable
from mmtools.testing.files import MemoryFiles


def read(data: bytes, encodings: tuple[str, ...] = ()) -> str | None:
    files = MemoryFiles({"a.py": data, "folder/b.py": ""})
    return TextReader(files=files, encodings=encodings)(files.locate("a.py"))


@pytest.mark.parametrize("text", ["", "a\r\nb\rc\n", "ä😀\n"])
def test_the_text_is_the_files_own_without_its_mark(text: str) -> None:
    assert read(text.encode()) == text
    assert read(b"\xef\xbb\xbf" + text.encode()) == text
    assert read(text.encode("utf-16")) == text


def test_other_encodings_are_taken_where_the_host_names_them() -> None:
    assert read("é".encode("cp1252"), ("cp1252",)) == "é"
    with pytest.raises(NotSendable, match="not text in UTF-8"):
        read("é".encode("cp1252"))


@pytest.mark.parametrize("data", [b"\0\1", b"x" * (1 << 22) + b"x"])
def test_what_is_no_text_or_very_large_is_refused(data: bytes) -> None:
    with pytest.raises(NotSendable):
        read(data)
    assert read(b"x" * (1 << 22)) == "x" * (1 << 22)


def test_no_file_is_no_text_and_a_folder_is_a_problem() -> None:
    files = MemoryFiles({"folder/b.py": ""})
    assert TextReader(files=files)(files.locate("a.py")) is None
    with pytest.raises(IsDirectory):
        TextReader(files=files)(files.locate("folder"))
