"""
One spelling for every way to write a host: a lower-case ASCII name, dotted IPv4, or compressed IPv6.

Read as browsers read it, so that `2130706433`, `0x7f.1`, `①②⑦.1` and `１２７。０。０。１` are the addresses they stand for;
stricter where no honest URL needs it.
"""

from __future__ import annotations

import re
import unicodedata
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import TypeAlias

from attrs import frozen

__all__ = ["BadHost", "Host", "HostName", "in_url", "is_local_name", "parse"]


@frozen
class HostName:
    """
    A name that only a resolver can turn into addresses.

    Args:
        text: ASCII, lower case, without a final dot; foreign letters in punycode.
    """

    text: str


@frozen
class BadHost:
    """
    The reason why a text is no host.

    Args:
        reason: A few words about the place: "it is empty", "a zone id (%eth0)".
    """

    reason: str


Host: TypeAlias = HostName | IPv4Address | IPv6Address

#: What names in URLs are made of once they are ASCII; the underscore is used though not allowed.
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")

_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
_FULL_STOPS = str.maketrans("。．｡", "...")
_MAX_NAME = 253

#: 32 bits in octal have 11 digits; leading zeros say nothing. More than this is no address, whatever it is.
_MAX_DIGITS = 40


def parse(text: str) -> Host | BadHost:
    """Read a host as it stands in a URL, brackets included."""
    if text.startswith("[") or text.endswith("]") or ":" in text:
        return _ipv6(text)
    if "%" in text:
        return BadHost("percent signs do not belong into a host")
    if any(char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn") for char in text):
        return BadHost("it holds a space or an invisible character")
    plain = unicodedata.normalize("NFKC", text.translate(_FULL_STOPS)).translate(_FULL_STOPS).lower()
    plain = unicodedata.normalize("NFC", plain)
    name = plain.removesuffix(".")
    if not name:
        return BadHost("it is empty")
    labels = name.split(".")
    if _NUMBER.fullmatch(labels[-1]):
        return _ipv4(labels)
    return _name(labels)


def in_url(host: Host) -> str:
    """Return the one spelling of a host, as it stands in a URL."""
    if isinstance(host, HostName):
        return host.text
    return f"[{host}]" if isinstance(host, IPv6Address) else str(host)


def is_local_name(name: HostName) -> bool:
    """Whether a name means this very machine, by RFC 6761, whatever a resolver says."""
    return name.text == "localhost" or name.text.endswith((".localhost", "localhost.localdomain"))


def _ipv6(text: str) -> IPv6Address | BadHost:
    inside = text.removeprefix("[").removesuffix("]")
    if text != f"[{inside}]":
        return BadHost("an IPv6 address stands in square brackets")
    if "%" in inside:
        return BadHost("an address with a zone id is never public")
    try:
        return IPv6Address(inside)
    except AddressValueError:
        return BadHost("what stands in the brackets is no IPv6 address")


def _ipv4(labels: list[str]) -> IPv4Address | BadHost:
    """Read one to four numbers, decimal, octal or hexadecimal; the last one fills what is left of 32 bits."""
    if len(labels) > 4 or not all(_NUMBER.fullmatch(label) and len(label) <= _MAX_DIGITS for label in labels):
        return BadHost("it ends in a number, but is no IPv4 address")
    *first, last = [_number(label) for label in labels]
    if last is None or last >= 256 ** (4 - len(first)) or any(part is None or part > 255 for part in first):
        return BadHost("it ends in a number, but is no IPv4 address")
    value = last
    for place, part in enumerate(first):
        value += (part or 0) << (8 * (3 - place))
    return IPv4Address(value)


def _number(label: str) -> int | None:
    if label[:2] == "0x":
        return int(label[2:] or "0", 16)
    if label[0] == "0" and len(label) > 1:
        return None if set(label) & {"8", "9"} else int(label, 8)
    return int(label)


def _name(labels: list[str]) -> HostName | BadHost:
    spelled = []
    for label in labels:
        ascii_label = label if label.isascii() else _punycode(label)
        if not label:
            return BadHost("there is nothing between two dots")
        if ascii_label is None or not _LABEL.fullmatch(ascii_label):
            return BadHost(f"{label[:80]!r} cannot be part of a name")
        spelled.append(ascii_label)
    name = ".".join(spelled)
    return BadHost(f"it is longer than {_MAX_NAME} characters") if len(name) > _MAX_NAME else HostName(name)


def _punycode(label: str) -> str | None:
    """Spell a foreign label in ASCII; None where it holds what is neither a letter, a mark, a digit nor a hyphen."""
    if unicodedata.category(label[0]).startswith("M"):
        return None
    if not all(char in "-_·・" or unicodedata.category(char)[0] in "LMN" or _is_symbol(char) for char in label):
        return None
    return "xn--" + label.encode("punycode").decode("ascii")


def _is_symbol(char: str) -> bool:
    """Whether it is a pictograph, which some registries sell as a name."""
    return unicodedata.category(char) == "So"
