"""What is said of a file that is written as a whole."""

from __future__ import annotations

import pytest

from mmtools.core import diffs
from mmtools.core.text import Text, decode
from mmtools.ports.files import Place, Snapshot
from mmtools.tools.wording import writing


@pytest.mark.parametrize(
    ("before", "content", "told"),
    [
        (None, "a\n", "f (1 line)"),
        (None, "a\nb", "f (2 lines)"),
        (None, "", "f (0 lines)"),
        (b"a\n", "b\n", "f: +1 -1 lines"),
        (b"\0", "b\n", "f: 1 line in place of 1 bytes that are not text"),
        (b"caf\xe9", "", "f: 0 lines in place of 4 bytes that are not text"),
        (b"a\r\n", "a\n", "f: +0 -0 lines; line endings changed from CRLF to LF"),
        (b"\xef\xbb\xbfa\n", "a\n", "f: +0 -0 lines; the byte order mark is gone"),
        ("a\n".encode("utf-16"), "a\n", "f: +0 -0 lines; encoding changed from utf-16-le to utf-8"),
    ],
)
def test_the_sum_says_what_is_there_now_and_what_was(before: bytes | None, content: str, told: str) -> None:
    old = None if before is None else decode(before)
    diff = diffs.between(old.content if isinstance(old, Text) else "", content)
    snapshot = Snapshot(place=Place("f", "/repo/f"), data=before)
    assert writing.summary(snapshot, old, content, Text(content), diff) == told


def test_what_is_there_already_is_said_to_be() -> None:
    assert writing.unchanged("f") == "f unchanged: the content is identical"
