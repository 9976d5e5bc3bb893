"""The kind of binary data, by its beginning: of real files, and of heads as the formats define them."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sqlite3
import struct
import tarfile
import wave
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import media


def png() -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0\0")) + chunk(b"IEND", b"")


def zipped() -> bytes:
    with io.BytesIO() as file:
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("a.txt", "a")
        return file.getvalue()


def tarred() -> bytes:
    with io.BytesIO() as file:
        with tarfile.open(fileobj=file, mode="w") as archive:
            archive.addfile(tarfile.TarInfo("a.txt"))
        return file.getvalue()


def sound() -> bytes:
    with io.BytesIO() as file:
        with wave.open(file, "wb") as writer:
            writer.setparams((1, 1, 8000, 0, "NONE", ""))
            writer.writeframes(b"\0" * 8)
        return file.getvalue()


def database(tmp_path: Path) -> bytes:
    path = tmp_path / "x.db"
    connection = sqlite3.connect(path)
    connection.execute("create table t(x)")
    connection.close()
    return path.read_bytes()


BRANDED = b"\0\0\0\x18ftyp%b\0\0\x02\0"


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (png(), "image/png"),
        (zipped(), "application/zip"),
        (tarred(), "application/x-tar"),
        (sound(), "audio/wav"),
        (gzip.compress(b"a", mtime=0), "application/gzip"),
        (bz2.compress(b"a"), "application/x-bzip2"),
        (lzma.compress(b"a"), "application/x-xz"),
        (b"\x7fELF\2\1\1\0", "application/x-elf"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", "image/jpeg"),
        (b"GIF89a\1\0\1\0\0\0\0", "image/gif"),
        (b"RIFF\x10\0\0\0WEBPVP8 ", "image/webp"),
        (b"RIFF\x10\0\0\0AVI LIST", "video/x-msvideo"),
        (b"%PDF-1.7\n%\xe2\xe3\0", "application/pdf"),
        (BRANDED % b"isom", "video/mp4"),
        (BRANDED % b"mp42", "video/mp4"),
        (BRANDED % b"M4A ", "audio/mp4"),
        (BRANDED % b"avif", "image/avif"),
        (BRANDED % b"qt  ", "video/quicktime"),
        (b"\x1aE\xdf\xa3\x9fB\x86\x81\1B\x82\x84webm", "video/webm"),
        (b"\x1aE\xdf\xa3\xa3B\x86\x81\1B\x82\x88matroska", "video/x-matroska"),
        (b"BM" + struct.pack("<IIII", 70, 0, 54, 40), "image/bmp"),
        (b"BMW is a car\0 and no bitmap", None),
        (b"RIFF\x10\0\0\0????", None),
        (b"\0\1\2\3", None),
        (b"", None),
    ],
)
def test_the_beginning_tells_the_kind(data: bytes, expected: str | None) -> None:
    assert media.recognise(data) == expected
    assert media.recognise(data[: media.HEAD_BYTES]) == expected


def test_a_database_is_recognised(tmp_path: Path) -> None:
    assert media.recognise(database(tmp_path)) == "application/vnd.sqlite3"


@given(st.binary(max_size=300))
def test_any_bytes_have_a_kind_or_none(data: bytes) -> None:
    kind = media.recognise(data)
    assert kind is None or kind.count("/") == 1


@pytest.mark.parametrize("data", [png(), zipped(), sound(), BRANDED % b"isom"])
def test_half_a_mark_is_no_mark(data: bytes) -> None:
    assert all(media.recognise(data[:length]) is None for length in range(4))
