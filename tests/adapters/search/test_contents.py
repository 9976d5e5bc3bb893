"""One file, of any encoding and size."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from mmtools.adapters.search import contents
from mmtools.adapters.search.contents import NotText, first_nul, search_file
from mmtools.adapters.search.matching import LineMatch, LineMatcher


def search(path: Path, regex: str) -> list[LineMatch | NotText]:
    return list(search_file(os.fsencode(path), LineMatcher(regex, ignore_case=False)))


@pytest.mark.parametrize("piece", [3, 7, 1 << 22])
@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"HIT\nno\nHIT", [1, 3]),
        (b"\xef\xbb\xbfHIT\n", [1]),
        (b"\xff\xfe" + "no\nHIT\n".encode("utf-16-le"), [2]),
        (b"\xfe\xff" + "no\r\nHIT\r\n".encode("utf-16-be"), [2]),
        (b"\xff\xfe" + "\ufeffHIT".encode("utf-16-le") + b"x", [1]),
        (b"", []),
        (b"\xff\xfe", []),
        (b"x" * 50 + b"\nHIT\n", [2]),
    ],
)
def test_text_is_found_by_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, lines: list[int], piece: int
) -> None:
    monkeypatch.setattr(contents, "_PIECE_BYTES", piece)
    (tmp_path / "f").write_bytes(data)
    found = search(tmp_path / "f", "^HIT")
    assert [each.line for each in found if isinstance(each, LineMatch)] == lines
    assert len(found) == len(lines)


@pytest.mark.parametrize("piece", [3, 1 << 22])
@pytest.mark.parametrize(("data", "offset"), [(b"HIT\nx\0y\n", 5), (b"\0HIT", 0), (b"a\n\0\nno\nHIT\n", 2)])
def test_a_file_that_holds_a_nul_is_not_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, offset: int, piece: int
) -> None:
    monkeypatch.setattr(contents, "_PIECE_BYTES", piece)
    (tmp_path / "f").write_bytes(data)
    assert search(tmp_path / "f", "HIT") == [NotText(offset)]
    assert search(tmp_path / "f", "absent") == []


@pytest.mark.parametrize("piece", [3, 1 << 22])
@pytest.mark.parametrize(
    ("data", "offset"),
    [
        (b"", -1),
        (b"long enough text", -1),
        (b"\0", 0),
        (b"\xef\xbb\xbfa text\0", 6),
        (b"\xff\xfeh\0i\0", -1),
        (b"\xff\xfeh\0\0\0", 1),
    ],
)
def test_where_a_text_ends_to_be_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes, offset: int, piece: int
) -> None:
    monkeypatch.setattr(contents, "_PIECE_BYTES", piece)
    (tmp_path / "f").write_bytes(data)
    assert first_nul(os.fsencode(tmp_path / "f"), time.monotonic() + 600) == offset
    assert first_nul(os.fsencode(tmp_path / "f"), 0) == -1
    assert first_nul(os.fsencode(tmp_path / "none"), time.monotonic() + 600) == -1


def test_what_is_no_regular_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("nowhere")
    for name in ("pipe", "link", "absent", "."):
        with pytest.raises(OSError, match=r"\[Errno"):
            search(tmp_path / name, "x")
