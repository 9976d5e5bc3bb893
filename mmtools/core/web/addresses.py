"""
Which addresses are public, by the special-purpose registries of IANA and not by `ipaddress`, which lets some through.

An address that carries another one inside is judged by both: what counts is where the packets end.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from typing import TypeAlias

from attrs import frozen

__all__ = ["Address", "Network", "NotPublic", "judge", "parse_network"]

Address: TypeAlias = IPv4Address | IPv6Address
Network: TypeAlias = IPv4Network | IPv6Network

#: Special IPv4 blocks; what else there is, is public. Source: IANA IPv4 special-purpose and multicast registries.
_SPECIAL_V4 = (
    ("0.0.0.0/8", "this network"),
    ("10.0.0.0/8", "private"),
    ("100.64.0.0/10", "shared by carriers"),
    ("127.0.0.0/8", "loopback"),
    ("169.254.0.0/16", "link-local"),
    ("172.16.0.0/12", "private"),
    ("192.0.0.0/24", "protocol assignments"),
    ("192.0.2.0/24", "documentation"),
    ("192.88.99.0/24", "6to4 relay"),
    ("192.168.0.0/16", "private"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("240.0.0.0/4", "reserved"),
)

#: Special IPv6 blocks, narrow ones first. Outside 2000::/3 nothing is public, named here or not.
_SPECIAL_V6 = (
    ("::/128", "unspecified"),
    ("::1/128", "loopback"),
    ("64:ff9b:1::/48", "local translation"),
    ("100::/64", "discard-only"),
    ("2001::/32", "Teredo"),
    ("2001:db8::/32", "documentation"),
    ("2001::/23", "protocol assignments"),
    ("2002::/16", "6to4"),
    ("3fff::/20", "documentation"),
    ("5f00::/16", "segment routing"),
    ("fc00::/7", "unique local"),
    ("fe80::/10", "link-local"),
    ("fec0::/10", "site-local"),
    ("ff00::/8", "multicast"),
    ("::/96", "IPv4-compatible"),
)

_GLOBAL_UNICAST = IPv6Network("2000::/3")

#: Prefixes whose last 32 bits say where packets end: IPv4-mapped, and the well-known one of NAT64. What a
#: network with DNS64 answers for every name that has IPv4 only lies in the second.
_CARRIERS = (IPv6Network("::ffff:0:0/96"), IPv6Network("64:ff9b::/96"))

#: The upper half of an ISATAP interface: an IPv4 address follows.
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})


@frozen
class NotPublic:
    """
    The reason why an address must not be fetched from.

    Args:
        address: As it would be connected to.
        block: What it is: "loopback", "private", …
        inner: The IPv4 address that it carries, where that one decided.
    """

    address: Address
    block: str
    inner: IPv4Address | None = None


def judge(address: Address, allowed: Iterable[Network] = ()) -> NotPublic | None:
    """
    Say why an address is not public, or None when it is, or is allowed by name.

    Args:
        allowed: Networks that count as public; one of IPv4 covers an address that carries one of its addresses.
    """
    if isinstance(address, IPv6Address) and address.scope_id is not None:
        return NotPublic(address, "link-local")
    inner = _carried(address)
    decides: Address = address if inner is None else inner
    if any(_holds(network, each) for network in allowed for each in {address, decides}):
        return None
    block = _block(decides)
    return None if block is None else NotPublic(address, block, inner)


def parse_network(text: str) -> Network | None:
    """Read "127.0.0.0/8", "::1" or the like; None when it is no network, or has bits beside its prefix."""
    try:
        return ip_network(text.strip())
    except ValueError:
        return None


def _holds(network: Network, address: Address) -> bool:
    return network.version == address.version and address in network


def _carried(address: Address) -> IPv4Address | None:
    """Find the IPv4 address where packets to an IPv6 address end."""
    if isinstance(address, IPv4Address):
        return None
    number = int(address)
    if any(address in network for network in _CARRIERS):
        return IPv4Address(number & 0xFFFF_FFFF)
    if (number >> 32) & 0xFFFF_FFFF in _ISATAP and _block(address) is None:
        return IPv4Address(number & 0xFFFF_FFFF)
    return None


def _block(address: Address) -> str | None:
    if isinstance(address, IPv4Address):
        return next((name for network, name in _tables()[0] if address in network), None)
    special = next((name for network, name in _tables()[1] if address in network), None)
    return special or (None if address in _GLOBAL_UNICAST else "not assigned to the public")


@lru_cache(maxsize=1)
def _tables() -> tuple[tuple[tuple[IPv4Network, str], ...], tuple[tuple[IPv6Network, str], ...]]:
    return (
        tuple((IPv4Network(text), name) for text, name in _SPECIAL_V4),
        tuple((IPv6Network(text), name) for text, name in _SPECIAL_V6),
    )
