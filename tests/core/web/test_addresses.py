"""Which addresses are public, against another table of the same registries."""

from __future__ import annotations

from collections.abc import Callable
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ssrfguard import DEFAULT_DENIED

from mmtools.core.web.addresses import Address, judge, parse_network

#: What the registries call reachable for a service of the network itself, and we refuse: nobody has pages there.
STRICTER = [
    ip_network(text)
    for text in (
        *("192.0.0.0/24", "2001::/23", "2002::/16", "::/8", "64:ff9b::/96", "::ffff:0:0/96", "100::/8"),
        *("192.88.99.0/24",),
    )
]

V4_EDGES = [
    edge
    for text in (
        *("0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24"),
        *("192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24"),
        *("224.0.0.0/4", "240.0.0.0/4"),
    )
    for network in [IPv4Network(text)]
    for edge in (int(network[0]) - 1, int(network[0]), int(network[-1]), int(network[-1]) + 1)
]

v4 = st.one_of(
    st.integers(0, 2**32 - 1),
    st.builds(lambda edge, step: (edge + step) % 2**32, st.sampled_from(V4_EDGES), st.integers(-2, 2)),
).map(IPv4Address)

#: Every way to carry an IPv4 address inside an IPv6 one.
CARRIERS: list[Callable[[int], int]] = [
    lambda n: 0xFFFF << 32 | n,
    lambda n: n,
    lambda n: 0x0064_FF9B << 96 | n,
    lambda n: 0x0064_FF9B_0001 << 80 | n,
    lambda n: 0x2002 << 112 | n << 80,
    lambda n: 0x2001 << 112 | n << 64,
    lambda n: 0x2001 << 112 | 0x0808_0808 << 64 | (n ^ 0xFFFF_FFFF),
    lambda n: 0x2600 << 112 | 0x5EFE << 32 | n,
    lambda n: 0x2600 << 112 | 0x0200_5EFE << 32 | n,
]

v6 = st.one_of(
    st.integers(0, 2**128 - 1),
    st.builds(lambda top, rest: top << 112 | rest, st.integers(0, 2**16 - 1), st.integers(0, 2**112 - 1)),
    st.builds(lambda top, rest: top << 96 | rest, st.integers(0x2001_0000, 0x2001_0FFF), st.integers(0, 2**96 - 1)),
).map(IPv6Address)


def oracle_refuses(address: Address) -> bool:
    return DEFAULT_DENIED.classify(address).blocked


@given(v4)
def test_ipv4_agrees_with_the_other_table(address: IPv4Address) -> None:
    refused = judge(address) is not None
    if oracle_refuses(address) or address.is_private or address.is_multicast or address.is_reserved:
        assert refused
    elif refused:
        assert any(address in network for network in STRICTER if network.version == 4)


@given(v6)
def test_ipv6_lets_nothing_through_that_the_other_table_refuses(address: IPv6Address) -> None:
    refused = judge(address) is not None
    if oracle_refuses(address) or address.is_private or address.is_multicast or address.is_link_local:
        assert refused
    elif refused and address in IPv6Network("2000::/3"):
        carried = address.exploded.split(":")[4:6]
        assert any(address in network for network in STRICTER if network.version == 6) or "5efe" in carried


@given(v4, st.sampled_from(range(len(CARRIERS))))
def test_what_carries_an_internal_address_is_internal(inner: IPv4Address, carrier: int) -> None:
    outer = IPv6Address(CARRIERS[carrier](int(inner)))
    if judge(inner) is not None:
        assert judge(outer) is not None
    if oracle_refuses(outer):
        assert judge(outer) is not None


@given(v4)
def test_what_ends_at_a_public_address_is_public(inner: IPv4Address) -> None:
    """IPv4-mapped, and the prefix under which a network without IPv4 shows all of it."""
    for carrier in (CARRIERS[0], CARRIERS[2]):
        outer = judge(IPv6Address(carrier(int(inner))))
        assert (outer is None) == (judge(inner) is None)
        if outer is not None:
            assert outer.inner == inner


@pytest.mark.parametrize(
    ("text", "block"),
    [
        ("127.0.0.1", "loopback"), ("0.0.0.0", "this network"), ("10.1.2.3", "private"), ("::1", "loopback"),
        ("172.31.0.1", "private"), ("192.168.1.1", "private"), ("169.254.169.254", "link-local"),
        ("100.100.100.200", "shared by carriers"), ("224.0.0.1", "multicast"), ("255.255.255.255", "reserved"),
        ("::", "unspecified"), ("::7f00:1", "IPv4-compatible"), ("::ffff:127.0.0.1", "loopback"),
        ("64:ff9b::a00:1", "private"), ("64:ff9b:1::808:808", "local translation"), ("2002:808:808::1", "6to4"),
        ("2001:0:808:808::", "Teredo"), ("2001:db8::1", "documentation"), ("3fff::1", "documentation"),
        ("fd00:ec2::254", "unique local"), ("fe80::1", "link-local"), ("fec0::1", "site-local"), ("ff02::1", "multicast"),
        ("5f00::1", "segment routing"), ("4000::1", "not assigned to the public"), ("100::1", "discard-only"),
        ("2600::5efe:a00:1", "private"),
    ],
)  # fmt: skip
def test_a_refusal_names_what_the_address_is(text: str, block: str) -> None:
    judged = judge(ip_address(text))
    assert judged is not None
    assert (str(judged.address), judged.block) == (str(ip_address(text)), block)


@pytest.mark.parametrize(
    "text", ["8.8.8.8", "1.1.1.1", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_the_public_is_public(text: str) -> None:
    assert judge(ip_address(text)) is None


def test_an_address_with_a_zone_is_never_public() -> None:
    assert judge(ip_address("2606:4700::1%eth0")) is not None


@given(st.one_of(v4, v6), st.one_of(v4, v6))
def test_an_allowed_network_allows_its_addresses_alone(allowed: Address, other: Address) -> None:
    networks = [ip_network(allowed)]
    assert judge(allowed, networks) is None
    if other != allowed and judge(other) is not None and getattr(judge(other), "inner", None) != allowed:
        assert judge(other, networks) == judge(other)


def test_an_allowed_ipv4_network_covers_what_carries_its_addresses() -> None:
    allowed = [ip_network("127.0.0.0/8")]
    assert judge(ip_address("::ffff:127.0.0.1"), allowed) is None
    assert judge(ip_address("::1"), allowed) is not None
    assert judge(ip_address("::ffff:10.0.0.1"), allowed) is not None


@given(st.text(max_size=20))
def test_a_network_is_read_or_not(text: str) -> None:
    network = parse_network(text)
    assert network is None or ip_network(text.strip()) == network
    assert parse_network("127.0.0.1/8") is None
    assert parse_network(" 127.0.0.0/8 ") == ip_network("127.0.0.0/8")
