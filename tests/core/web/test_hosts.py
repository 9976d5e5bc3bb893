"""Hosts in every spelling, against the C library's reading of numbers and the idna package's of names."""

from __future__ import annotations

import re
import socket
from ipaddress import IPv4Address, IPv6Address, ip_address

import idna
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.web.hosts import BadHost, HostName, is_local_name, parse


def spelled(number: int, base: str) -> str:
    return {"decimal": f"{number}", "octal": f"0{number:o}", "hex": f"0x{number:x}", "HEX": f"0X{number:X}"}[base]


@st.composite
def spellings(draw: st.DrawFn) -> tuple[str, IPv4Address]:
    """An IPv4 address in one of the ways that C libraries and browsers take it for one."""
    number = draw(st.integers(0, 2**32 - 1))
    count = draw(st.integers(1, 4))
    parts = [number >> (24 - 8 * place) & 255 for place in range(count - 1)]
    parts.append(number & ((1 << (32 - 8 * (count - 1))) - 1))
    text = ".".join(spelled(part, draw(st.sampled_from(["decimal", "octal", "hex", "HEX"]))) for part in parts)
    return text, IPv4Address(number)


@given(spellings())
def test_every_spelling_of_an_address_is_that_address(case: tuple[str, IPv4Address]) -> None:
    text, address = case
    assert socket.inet_aton(text) == address.packed
    assert parse(text) == parse(text + ".") == address


@given(spellings(), st.sampled_from("．。｡."), st.booleans())
def test_wide_and_circled_characters_change_nothing(case: tuple[str, IPv4Address], dot: str, wide: bool) -> None:
    text, address = case
    text = text.replace(".", dot)
    if wide:
        text = "".join(chr(ord(char) + 0xFEE0) if char.isascii() and char.isalnum() else char for char in text)
    assert parse(text) == address
    circled = {"1": "①", "2": "②", "7": "⑦", "0": "⓪", "x": "ⓧ"}
    assert parse("".join(circled.get(char, char) for char in case[0])) == address


@given(st.one_of(st.text(max_size=30), st.text("0123456789abxX.-_[]:%é１。", max_size=20)))
def test_what_is_a_name_is_no_number_to_anybody(text: str) -> None:
    host = parse(text)
    if isinstance(host, HostName):
        assert re.fullmatch(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", host.text)
        assert len(host.text) <= 253
        with pytest.raises(OSError, match="illegal IP address"):
            socket.inet_aton(host.text)
        assert parse(host.text) == host
    elif isinstance(host, BadHost):
        assert host.reason


@given(st.integers(0, 2**128 - 1))
def test_ipv6_stands_in_brackets(number: int) -> None:
    address = IPv6Address(number)
    assert parse(f"[{address}]") == parse(f"[{address.exploded.upper()}]") == address
    assert isinstance(parse(str(address)), BadHost)


@pytest.mark.parametrize(
    "text",
    [
        "", ".", "..", "a..b", ".a", "-a", "a-", "a b", "a\tb", "a%20b", "%31", "[::1", "::1]", "[::1%eth0]", "[::1%25lo]",
        "[v1.x]", "[]", "[127.0.0.1]", "256.1.1.1", "1.2.3.4.5", "1.2.3.256", "4294967296", "0x100000000", "a.1", "09.1",
        "1..2", "a" * 64, ".".join(["a" * 60] * 5), "a/b", "a@b", "a!b", "a\u200bb", "a\u00adb", "\ud800", "a\u202eb",
        "1.-2", "\u0301a", "a,b", "*.a", "a<b", "127.0.0.1..", "1" * 50,
    ],
)  # fmt: skip
def test_what_is_no_host_says_why(text: str) -> None:
    assert isinstance(parse(text), BadHost)


@pytest.mark.parametrize(
    "name",
    ["bücher.example", "straße.de", "例え.テスト", "пример.рф", "παράδειγμα.gr", "BÜCHER.example", "faß.de", "日本語。jp", "مثال.إختبار", "הדוגמה.טעסט", "ﬁn.example", "é.x"],
)  # fmt: skip
def test_foreign_names_are_spelled_as_browsers_do(name: str) -> None:
    host = parse(name)
    assert isinstance(host, HostName)
    assert host.text == idna.encode(name, uts46=True, transitional=False).decode()


@given(st.text("aßéüñøłшщяγλωπ例語本あカ한글", min_size=1, max_size=12))
def test_punycode_agrees_with_the_library(label: str) -> None:
    host = parse(label + ".example")
    assert isinstance(host, HostName)
    assert host.text == idna.encode(label + ".example", uts46=True, transitional=False).decode()


@pytest.mark.parametrize(
    ("name", "local"),
    [
        ("localhost", True), ("LOCALHOST.", True), ("a.b.localhost", True), ("ｌｏｃａｌｈｏｓｔ", True),
        ("localhost.localdomain", True), ("localhost.example.com", False), ("notlocalhost", False),
        ("example.com", False),
    ],
)  # fmt: skip
def test_names_of_this_machine(name: str, local: bool) -> None:
    host = parse(name)
    assert isinstance(host, HostName)
    assert is_local_name(host) is local


def test_an_address_is_an_address() -> None:
    assert parse("1.2.3.4") == ip_address("1.2.3.4")
