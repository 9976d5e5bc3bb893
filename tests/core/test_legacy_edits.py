"""Text in an encoding that nobody named, and in those that a host names; Python's codecs know better."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.edits import (
    Ambiguous,
    Applied,
    NoReplacements,
    NotFound,
    NotText,
    Refused,
    Replacement,
    resolve,
    resolve_legacy,
    splice,
)
from mmtools.core.text import LegacyText, Text, decode
from mmtools.testing.conformance.edits import expected_result
from mmtools.testing.strategies import Edits
from tests.hypothesis_profiles import scaled

#: All of Python's in which ASCII is ASCII and other characters take several bytes.
MULTI_BYTE = (
    *("big5", "big5hkscs", "cp932", "cp949", "cp950", "euc_jis_2004", "euc_jisx0213", "euc_jp", "euc_kr"),
    *("gb18030", "gb2312", "gbk", "johab", "shift_jis", "shift_jis_2004", "shift_jisx0213"),
)
SINGLE_BYTE = ("cp1252", "koi8-r", "latin-1", "cp437")
#: Second bytes of characters that are ASCII by themselves: the ends of each range, and those that mean something.
TRAILS = b"019@AZ[\\]`az{|}~"


def edited(data: bytes, edits: Edits, encodings: tuple[str, ...] = ()) -> bytes | Refused | NotText:
    """Do what a tool does with a file's bytes."""
    decoded = decode(data, encodings)
    replacements = [Replacement(old, new) for old, new in edits]
    match decoded:
        case Text(content, encoding):
            found: Applied | Refused | NotText = resolve(content, replacements, encoding=encoding)
        case LegacyText():
            found = resolve_legacy(decoded, replacements)
        case _:
            raise AssertionError(decoded)
    return splice(data, decoded, found) if isinstance(found, Applied) else found


@pytest.mark.parametrize(
    ("data", "edits", "result"),
    [
        (b"n = 1\n# caf\xe9\n", [("n = 1", "n = 2")], b"n = 2\n# caf\xe9\n"),
        (b"t = 1  # \xd6\xd0\xce\xc4\r\n", [("t = 1", "t = 2\nu")], b"t = 2\r\nu  # \xd6\xd0\xce\xc4\r\n"),
        (b"\xe9\r\na\r\n", [("\na", "\nb")], NotText((0,))),
        (b"\xe9 \r\na\r\n", [("\na", "\nb\nc")], b"\xe9 \r\nb\r\nc\r\n"),
        ("表 x".encode("cp932"), [("\\ x", "y")], NotText((0,))),
        ("表 x".encode("cp932"), [(" x", "y")], "表y".encode("cp932")),
        ("表 \\".encode("cp932"), [("\\", "/")], Refused((Ambiguous(0, 2, (1, 1)),))),
        ("ϊ 1".encode("gb18030"), [("0 1", "x")], NotText((0,))),
        (b"caf\xe9 x", [("x", "\u00e9")], NotText((0,))),
        (b"caf\xe9 x", [("\u00e9", "x")], NotText((0,))),
        (b"caf\xe9 x", [("x", "y"), ("a", "\u00e9"), ("\u00e8", "a")], NotText((1, 2))),
        (b"caf\xe9s x", [("x", "y"), ("s", "t")], NotText((1,))),
        (b"caf\xe9 x", [("y", "z")], Refused((NotFound(0),))),
        (b"caf\xe9 x", [], Refused((NoReplacements(),))),
    ],
)
def test_legacy_text_is_edited_where_no_encoding_could_mind(
    data: bytes, edits: Edits, result: bytes | Refused | NotText
) -> None:
    assert isinstance(decode(data), LegacyText)
    assert edited(data, edits) == result


# Against Python's codecs, which share no code with us.


@cache
def characters_with_ascii_within(encoding: str) -> tuple[str, ...]:
    """Return characters of every first byte, whose second byte is one of `TRAILS`."""
    found = (_character(bytes((lead, trail)), encoding) for lead in range(0x80, 0x100) for trail in TRAILS)
    # Four bytes, the second and the fourth of which are digits.
    four = ("\u03ca", "\U0001f600") if encoding == "gb18030" else ()
    return (*filter(None, found), *four)


def _character(data: bytes, encoding: str) -> str | None:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return text if len(text) == 1 and text.encode(encoding) == data else None


@pytest.mark.parametrize("encoding", MULTI_BYTE)
def test_no_edit_parts_a_character_of_any_encoding(encoding: str) -> None:
    for character in characters_with_ascii_within(encoding):
        data = character.encode(encoding)
        assert edited(data + b" x\n", [(f"{data[-1]:c} x", "y")]) == NotText((0,)), data
        for inner in filter(str.isascii, data.decode("latin-1")):
            assert isinstance(edited(data + b" x\n", [(inner, "y")]), NotText | Refused), data


def test_what_stands_behind_a_byte_is_edited_exactly_where_that_byte_is_ascii() -> None:
    for before in set(range(1, 0x100)) - set(b"x"):
        result = b"\xff\n%cy" % before if before < 0x80 else NotText((0,))
        assert edited(b"\xff\n%cx" % before, [("x", "y")]) == result, before


ASCII = "ab\\|@~{1 \n"


@st.composite
def legacy_files(draw: st.DrawFn) -> tuple[str, str]:
    """Generate an encoding and a text that it can hold, rich in characters that have ASCII within."""
    encoding = draw(st.sampled_from(MULTI_BYTE + SINGLE_BYTE))
    holds = [character for character in ASCII if _character(character.encode(), encoding) == character]
    foreign = characters_with_ascii_within(encoding) or tuple(
        "\u8868\u529f\u00e9".encode(encoding, "ignore").decode(encoding)
    )
    pieces = st.sampled_from([*holds, "\r\n"]) | st.sampled_from(foreign or ["\u00a0"])
    return encoding, "".join(draw(st.lists(pieces, min_size=6, max_size=14)))


@st.composite
def ascii_edits(draw: st.DrawFn, data: bytes) -> Edits:
    """Generate edits of ASCII that is in the bytes, mostly once, whether or not it is in the text."""
    seen = data.replace(b"\r\n", b"\n")
    sizes = range(1, 4)
    parts = [seen[at : at + size].decode("latin-1") for size in sizes for at in range(len(seen) - size + 1)]
    parts = [part for part in parts if part.isascii()]
    single = [part for part in parts if parts.count(part) == 1] or parts
    new = st.text("xy\n", max_size=3)
    edits = st.tuples(st.sampled_from([*single, *single, *single, *parts]), new).filter(lambda edit: edit[0] != edit[1])
    return draw(st.lists(edits, min_size=1, max_size=2, unique_by=lambda edit: edit[0]))


@scaled(200)
@given(legacy_files(), st.data())
def test_an_edit_of_unknown_text_is_what_the_codec_says_or_refused(case: tuple[str, str], drawn: st.DataObject) -> None:
    encoding, text = case
    data = text.encode(encoding)
    seen = data.replace(b"\r\n", b"\n")
    if not isinstance(decode(data), LegacyText) or not re.search(rb"[\0-\x7f]", data):
        return
    edits = drawn.draw(ascii_edits(data))
    places = [[m.start() for m in re.finditer(b"(?=%s)" % re.escape(old.encode()), seen)] for old, _ in edits]
    unsafe = [i for i, found in enumerate(places) if found and found[0] > 0 and seen[found[0] - 1] >= 0x80]
    image = expected_result(data.decode("latin-1"), edits, newlines="view")
    result = edited(data, edits)
    if not isinstance(image, str):
        assert isinstance(result, Refused)
    elif unsafe:
        assert result == NotText(tuple(unsafe))
    else:
        expected = expected_result(text, edits, newlines="view")
        assert isinstance(expected, str)
        assert result == expected.encode(encoding)


@given(
    legacy_files(), st.lists(st.tuples(st.integers(0, 14), st.integers(1, 3), st.text("xy\n", max_size=3)), max_size=3)
)
def test_an_edit_in_a_named_encoding_is_what_the_codec_says(
    case: tuple[str, str], guesses: list[tuple[int, int, str]]
) -> None:
    encoding, text = case
    seen = text.replace("\r\n", "\n")
    # Half of what is new holds characters of the encoding, too.
    edits = [(seen[at : at + size], f"{new}{seen[at : at + size - 1]}.") for at, size, new in guesses if at < len(seen)]
    expected = expected_result(text, edits, newlines="view")
    result = edited(text.encode(encoding), edits, (encoding,))
    if edits and isinstance(expected, str) and isinstance(decode(text.encode(encoding), [encoding]), Text):
        assert result == expected.encode(encoding)
