"""URLs in one spelling, and references, against the standard library's."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.web.urls import BadUrl, Fault, Url, parse, resolve


def url(text: str) -> Url:
    parsed = parse(text)
    assert isinstance(parsed, Url), parsed
    return parsed


odd = st.one_of(
    st.text(max_size=40),
    st.text("htps:/.?#@[]%\\ a1-_~é\t", max_size=30).map(lambda text: "http://a" + text),
    st.text(max_size=30).map(lambda text: "https://example.com/" + text),
)


@given(odd)
def test_every_text_has_one_spelling_or_a_fault(text: str) -> None:
    parsed = parse(text)
    if isinstance(parsed, Url):
        assert parsed.text.isascii()
        assert parsed.text.isprintable()
        assert not set(parsed.text) & set(' #\\"<>')
        assert parse(parsed.text) == parsed
        split = urlsplit(parsed.text)
        assert (split.scheme, split.username, split.fragment) == (parsed.scheme, None, "")
        assert (split.hostname or "") == parsed.host_text
        assert (split.port or {"http": 80, "https": 443}[parsed.scheme]) == parsed.port


@given(odd, odd)
def test_every_reference_leads_somewhere_or_has_a_fault(base: str, reference: str) -> None:
    start = parse(base)
    if isinstance(start, Url):
        target = resolve(start, reference)
        if isinstance(target, Url):
            assert parse(target.text) == target


segments = st.lists(st.sampled_from(["a", "b", "c.html", ".", ".."]), max_size=5).map("/".join)


@given(segments, segments, st.sampled_from(["", "?q", "?a=b/c"]), st.booleans())
def test_references_agree_with_the_standard_library(base: str, path: str, query: str, rooted: bool) -> None:
    start = url(f"http://h.test/{base}")
    reference = f"{'/' if rooted else ''}{path.lstrip('/')}{query}"
    if reference:
        target = resolve(start, reference)
        assert isinstance(target, Url)
        assert target.text == url(urljoin(start.text, reference)).text


@pytest.mark.parametrize(
    ("text", "spelled"),
    [
        ("http://example.com", "http://example.com/"),
        ("HTTPS://EXAMPLE.com:443/a/./b/../c?d#e", "https://example.com/a/c?d"),
        ("  http://example.com:80/ \n", "http://example.com/"),
        ("http://example.com:0080", "http://example.com/"),
        ("http://example.com:/x", "http://example.com/x"),
        ("http://example.com?q=a b", "http://example.com/?q=a%20b"),
        ("http://example.com/é/“x”", "http://example.com/%C3%A9/%E2%80%9Cx%E2%80%9D"),
        ("http://example.com/a%2Fb%zz", "http://example.com/a%2Fb%zz"),
        ("http://example.com/%2e%2E/%2e/x", "http://example.com/x"),
        ("http://example.com/a\\b", "http://example.com/a/b"),
        ("http://[2606:4700::0001]:8080/", "http://[2606:4700::1]:8080/"),
        ("http://0x8.8.8.8/", "http://8.8.8.8/"),
        ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    ],
)
def test_one_spelling(text: str, spelled: str) -> None:
    assert url(text).text == spelled


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", Fault.EMPTY), (" \n", Fault.EMPTY), ("example.com/x", Fault.NO_SCHEME), ("//example.com", Fault.NO_SCHEME),
        ("localhost:8080/x", Fault.NO_SCHEME), ("ftp://example.com", Fault.OTHER_SCHEME),
        ("file:///etc/passwd", Fault.OTHER_SCHEME), ("javascript:alert(1)", Fault.OTHER_SCHEME),
        ("view-source:http://x", Fault.OTHER_SCHEME), ("http:/example.com", Fault.NO_SLASHES),
        ("http:example.com", Fault.NO_SLASHES), ("http:\\\\example.com", Fault.BACKSLASH),
        ("http:/\\example.com", Fault.BACKSLASH), ("http://a\\@b/", Fault.BACKSLASH), ("http://a@b/", Fault.CREDENTIALS),
        ("http://a:b@c/", Fault.CREDENTIALS), ("http://@c/", Fault.CREDENTIALS), ("http://", Fault.HOST),
        ("http:///x", Fault.HOST), ("http://a..b/", Fault.HOST), ("http://a b/", Fault.HOST), ("http://a:x/", Fault.PORT),
        ("http://a:0/", Fault.PORT), ("http://a:65536/", Fault.PORT), ("http://a:８０/", Fault.PORT),
        ("http://a:-1/", Fault.PORT), ("http://a:1:2/", Fault.HOST), ("http://a:22/", Fault.OTHER_SERVICE),
        ("http://a:25/", Fault.OTHER_SERVICE), ("http://a/\tb", Fault.CONTROL_CHARACTER),
        ("http://a/\r\nHost: b", Fault.CONTROL_CHARACTER), ("http://a\0b/", Fault.CONTROL_CHARACTER),
        ("http://a/\ud800", Fault.HALF_CHARACTER), ("http://a/" + "b" * 9_000, Fault.TOO_LONG),
    ],
)  # fmt: skip
def test_faults(text: str, fault: Fault) -> None:
    parsed = parse(text)
    assert isinstance(parsed, BadUrl)
    if text != "http://a:1:2/":
        assert parsed.fault is fault


@pytest.mark.parametrize(
    ("reference", "target"),
    [
        ("/x", "http://h.test:81/x"), ("x", "http://h.test:81/a/x"), ("?x", "http://h.test:81/a/b?x"),
        ("#x", "http://h.test:81/a/b?q"), ("//o.test/x", "http://o.test/x"), ("https://o.test", "https://o.test/"),
        (" /x y ", "http://h.test:81/x%20y"), ("../../../x", "http://h.test:81/x"), ("x?y#z", "http://h.test:81/a/x?y"),
    ],
)  # fmt: skip
def test_references(reference: str, target: str) -> None:
    resolved = resolve(url("http://h.test:81/a/b?q"), reference)
    assert isinstance(resolved, Url)
    assert resolved.text == target


@pytest.mark.parametrize("reference", ["", "\\\\o.test", "/\\o.test/x", "javascript:x", "http:/x", "//a@b/", "/a\nb"])
def test_references_that_lead_nowhere(reference: str) -> None:
    assert isinstance(resolve(url("http://h.test/"), reference), BadUrl)


@pytest.mark.parametrize(
    ("agreed", "other", "covered"),
    [
        ("http://a/x", "http://a/y", True), ("http://a/", "https://a/", True), ("https://a/", "http://a/", False),
        ("http://a/", "http://b/", False), ("http://a/", "http://a:8080/", False), ("http://a:8080/", "https://a/", False),
        ("http://a/", "https://a:8443/", False), ("https://a/", "https://www.a/", False),
    ],
)  # fmt: skip
def test_what_an_agreement_covers(agreed: str, other: str, covered: bool) -> None:
    assert url(agreed).covers(url(other)) is covered
