"""What kind of data some bytes are, by their beginning and never by a file's name."""

from __future__ import annotations

__all__ = ["HEAD_BYTES", "recognise"]

#: How many leading bytes `recognise` looks at: a tar's mark is the last, at 257.
HEAD_BYTES = 264

#: Offset, mark, type. Where several fit, the first wins.
_MARKS = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"\x00\x00\x01\x00", "image/x-icon"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"PK\x05\x06", "application/zip"),
    (0, b"\x1f\x8b\x08", "application/gzip"),
    (0, b"BZh", "application/x-bzip2"),
    (0, b"\xfd7zXZ\x00", "application/x-xz"),
    (0, b"\x28\xb5\x2f\xfd", "application/zstd"),
    (0, b"7z\xbc\xaf\x27\x1c", "application/x-7z-compressed"),
    (257, b"ustar", "application/x-tar"),
    (0, b"SQLite format 3\x00", "application/vnd.sqlite3"),
    (0, b"\x7fELF", "application/x-elf"),
    (0, b"\xcf\xfa\xed\xfe", "application/x-mach-binary"),
    (0, b"\xca\xfe\xba\xbe", "application/java-vm"),
    (0, b"\x00asm", "application/wasm"),
    (0, b"wOFF", "font/woff"),
    (0, b"wOF2", "font/woff2"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"OggS", "audio/ogg"),
)

#: RIFF files: what stands at 8.
_RIFF_FORMS = {b"WEBP": "image/webp", b"WAVE": "audio/wav", b"AVI ": "video/x-msvideo"}

#: ISO base media files: the brand at 8; any other brand is some MP4.
_BRANDS = {
    b"avif": "image/avif",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"mif1": "image/heif",
    b"M4A ": "audio/mp4",
    b"qt  ": "video/quicktime",
}


def recognise(data: bytes) -> str | None:
    """
    Name the media type of binary data.

    For data already known not to be text: some marks are plain letters that a text may begin with.

    Args:
        data: The beginning; `HEAD_BYTES` are enough, fewer are looked at as far as they go.

    Returns:
        A media type such as `image/png`; None when the bytes tell nothing.
    """
    if data.startswith(b"RIFF"):
        return _RIFF_FORMS.get(data[8:12])
    if data[4:8] == b"ftyp":
        return _BRANDS.get(data[8:12], "video/mp4")
    if data.startswith(b"\x1aE\xdf\xa3"):
        return "video/webm" if b"webm" in data[:64] else "video/x-matroska"
    if data.startswith(b"BM") and data[14:18] in (b"\x28\x00\x00\x00", b"\x6c\x00\x00\x00", b"\x7c\x00\x00\x00"):
        return "image/bmp"
    return next((kind for offset, mark, kind in _MARKS if data.startswith(mark, offset)), None)
