"""Addresses against patterns: an allowance is not fooled by what only looks like its host."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.policies.addresses import Address


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://docs.python.org/3/", "docs.python.org"),
        ("HTTPS://DOCS.Python.ORG/3/", "docs.python.org"),
        ("https://docs.python.org/3/", "Docs.Python.org"),
        ("https://docs.python.org", "docs.python.org"),
        ("https://docs.python.org?x", "docs.python.org"),
        ("https://docs.python.org#x", "docs.python.org"),
        ("https://docs.python.org./", "docs.python.org"),
        ("https://docs.python.org:443/", "docs.python.org"),
        ("http://docs.python.org:080/", "docs.python.org"),
        ("https://docs.python.org:/", "docs.python.org"),
        ("https://docs.python.org:8443/", "docs.python.org:8443"),
        ("https://docs.python.org:8443/", "docs.python.org:*"),
        ("https://docs.python.org/", "*.python.org"),
        ("https://a.b.python.org/", "*.python.org"),
        ("https://docs.python.org/", "*"),
        ("https://docs.python.org/3/library/a.html?b=c", "https://docs.python.org/3/*"),
        ("https://docs.python.org/3/#a", "https://docs.python.org/3/"),
        ("https://docs.python.org", "https://docs.python.org"),
        ("https://docs.python.org/", "https://docs.python.org"),
        ("https://docs.python.org/3", "https://docs.python.org*"),
        ("https://docs.python.org/3", "https://*"),
        ("https://docs.python.org/3", "docs.python.org/3"),
        ("http://[::1]/", "[::1]"),
        ("https://a.org/..b/c..", "https://a.org/*"),
        ("https://xn--bcher-kva.de/", "b\u00fccher.de"),
        ("http://[::1]/", "[0:0::1]"),
    ],
)
def test_an_address_that_a_pattern_covers(url: str, pattern: str) -> None:
    assert Address(url).surely(pattern)
    assert Address(url).maybe(pattern)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://docs.python.org@evil.org/", "docs.python.org"),
        ("https://docs.python.org:x@evil.org/", "docs.python.org"),
        ("https://docs.python.org@evil.org/", "https://docs.python.org*"),
        ("https://docs.python.org.evil.org/", "docs.python.org"),
        ("https://docs.python.org.evil.org/", "docs.python.org*"),
        ("https://docs.python.org.evil.org/", "https://docs.python.org*"),
        ("https://docs.python.org.evil.org/", "https://docs.python.o*/*"),
        ("https://evil.org/docs.python.org", "docs.python.org"),
        ("https://evil.org/.python.org", "*.python.org"),
        ("https://evil.org?.python.org", "*.python.org"),
        ("https://evil.org#.python.org", "*.python.org"),
        ("https://evil.org\\.python.org", "*.python.org"),
        ("https://evil.org\\@docs.python.org/", "docs.python.org"),
        ("https://evilpython.org/", "*.python.org"),
        ("https://python.org/", "*.python.org"),
        ("https://docs.python.org:8443/", "docs.python.org"),
        ("https://docs.python.org:80/", "docs.python.org"),
        ("https://docs.python.org:8443/", "https://docs.python.org/*"),
        ("http://docs.python.org/", "https://docs.python.org/*"),
        ("ftp://docs.python.org/", "docs.python.org"),
        ("file:///docs.python.org", "*"),
        ("//docs.python.org/", "docs.python.org"),
        ("docs.python.org", "docs.python.org"),
        ("https:docs.python.org", "docs.python.org"),
        ("https:/docs.python.org", "docs.python.org"),
        ("https:///docs.python.org", "docs.python.org"),
        (" https://docs.python.org/", "docs.python.org"),
        ("https://docs.python.org/\n", "docs.python.org"),
        ("https://docs.python.org/\nHost: x", "docs.python.org"),
        ("https://docs.py\tthon.org/", "docs.python.org"),
        ("https://docs.python.org%2eevil.org/", "docs.python.org*"),
        ("https://docs%2epython.org/", "docs.python.org"),
        ("https://docs\uff0epython.org/", "docs.python.org"),
        ("https://docs.p\u0443thon.org/", "*.org"),
        ("https://docs.python.org/3/../../admin", "https://docs.python.org/3/*"),
        ("https://docs.python.org/3/%2E%2e/admin", "https://docs.python.org/3/*"),
        ("https://docs.python.org/3/..%2fadmin", "https://docs.python.org/3/*"),
        ("https://docs.python.org/3/.\\..", "https://docs.python.org/3/*"),
        ("https://127.0.0.evil.org/", "127.0.0.*"),
        ("https://docs.python.org..evil.org/", "docs.python.org*"),
        ("", "*"),
        ("https://a.org/", "a:b://c/d"),
        ("https://a.org/", "a:b/c"),
        ("http://2130706433/", "127.0.0.1"),
        ("http://0177.0.0.1/", "127.0.0.1"),
    ],
)
def test_an_allowance_is_not_fooled(url: str, pattern: str) -> None:
    assert not Address(url).surely(pattern)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://www.evil.org/", "evil.org"),
        ("https://evil.org:8443/", "evil.org"),
        ("https://evil.org:8443/", "evil.org:8443"),
        ("https://x@evil.org/", "evil.org"),
        ("https://evil\uff0eorg/", "evil.org"),
        ("https://evil.org/a", "https://evil.org"),
        ("https://evil.org/a/b", "https://evil.org/a"),
        ("https://evil.org/a?b", "https://evil.org/a"),
        ("https://evil.org/%61dmin", "https://evil.org/admin"),
        ("https://evil.org/x/../admin", "https://evil.org/admin"),
        ("https://evil.com/", "evil.*"),
        ("http://evil.org/", "http://*"),
        ("nonsense", "evil.org"),
        ("https://xn--bcher-kva.de/", "https://B\u00fccher.de/"),
        ("http://2130706433/", "127.0.0.1"),
        ("http://127.0.0.1/", "127.1"),
    ],
)
def test_a_denial_reaches_whatever_may_be_meant(url: str, pattern: str) -> None:
    assert Address(url).maybe(pattern)


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("https://docs.python.org/", "evil.org"),
        ("https://notevil.org/", "evil.org"),
        ("https://evil.org.uk/", "evil.org"),
        ("https://a.org/evil.org", "evil.org"),
        ("https://evil.org/", "http://*"),
        ("https://evil.org/b", "https://evil.org/a"),
        ("https://evil.org/ab", "https://evil.org/a"),
    ],
)
def test_a_denial_leaves_other_addresses_alone(url: str, pattern: str) -> None:
    assert not Address(url).maybe(pattern)


pieces = st.sampled_from(
    ["http", "https", "HTTPS", ":", "/", "//", "@", "\\", "?", "#", ".", "..", "good.org", "evil.org", "GOOD.org", ":443",
     ":8443", "%2e", "\t", "\n", " ", "\u3002", "[::1]", "user", "a", "*"]
)  # fmt: skip
urls = st.lists(pieces, max_size=9).map("".join) | st.lists(pieces, max_size=6).map(
    lambda parts: "https://" + "".join(parts)
)


@given(urls)
def test_what_is_allowed_by_its_host_has_that_host_for_another_reader_too(url: str) -> None:
    for pattern, host in (
        ("good.org", "good.org"),
        ("https://good.org/*", "good.org"),
        ("https://good.org*", "good.org"),
    ):
        if Address(url).surely(pattern):
            split = urlsplit(url)
            assert (split.hostname or "").rstrip(".") == host
            assert split.username is None
            assert split.port in (None, 80, 443)


@given(urls, st.sampled_from(["*", "good.org", "*.org", "https://*", "https://good.org/*", "evil.org:*"]))
def test_what_is_sure_is_possible(url: str, pattern: str) -> None:
    assert Address(url).maybe(pattern) or not Address(url).surely(pattern)


@given(st.text(), st.text())
def test_any_texts_can_be_compared(url: str, pattern: str) -> None:
    Address(url).surely(pattern)
    Address(url).maybe(pattern)
