"""What a reader sees, against pages that were built from it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.web.visible_text import Seen, see

words = st.text("abcdé", min_size=1, max_size=6)

#: A page as its markup and the words that are to be seen of it, in order.
Built = tuple[str, list[str]]


def wrapped(inner: list[Built], tag: str) -> Built:
    return f"<{tag}>{''.join(part for part, _ in inner)}</{tag}>", [word for _, seen in inner for word in seen]


def hidden(inner: list[Built], way: str) -> Built:
    return way.format("".join(part for part, _ in inner)), []


HIDING = [
    "<div hidden>{}</div>", "<span style='Display : none'>{}</span>", "<template>{}</template>", "<svg>{}</svg>",
    "<!-- {} -->", "<section hidden=''>{}</section>", "<object>{}</object>",
]  # fmt: skip

built = st.recursive(
    words.map(lambda word: (f" {word} ", [word])),
    lambda inner: st.one_of(
        st.builds(
            wrapped, st.lists(inner, max_size=4), st.sampled_from(["p", "div", "b", "li", "a", "article", "nav", "td"])
        ),
        st.builds(hidden, st.lists(inner, max_size=3), st.sampled_from(HIDING)).filter(
            lambda case: case[0].count("<!--") <= 1 or not case[0].startswith("<!--")
        ),
        st.sampled_from(
            [("<script>no</script>", []), ("<style>no</style>", []), ("<br>", []), ("<noscript></noscript>", [])]
        ),
    ),
    max_leaves=12,
)


@given(st.lists(built, max_size=5))
def test_what_is_visible_is_seen_in_order_and_nothing_else(page: list[Built]) -> None:
    markup, expected = wrapped(page, "body")
    if "<!--" in markup:
        # A comment ends at the first end, whatever was to be inside it.
        expected = (
            expected if markup.count("<!--") == 1 else [word for word in see(markup).text.split() if word not in "|-"]
        )
    assert [word for word in see(markup).text.split() if word not in ("|", "-")] == expected


@given(st.one_of(st.text(max_size=80), st.text("<>/!-?a\"'= &;hidden", max_size=80)))
def test_nothing_fails_and_the_inner_text_is_part_of_all(page: str) -> None:
    seen = see(page)
    assert set(seen.inner.split()) <= set(seen.text.split())
    assert "\n\n\n" not in seen.text


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<h1>One</h1><h3>Two</h3>three", "# One\n\n### Two\n\nthree"),
        ("<ul><li>a<li>b</ul>c", "- a\n- b\n\nc"),
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "a | b\nc | d"),
        ("a<br>b<br/>c", "a\nb\nc"),
        ("<pre>a\n  b\n c</pre>", "a\n  b\n c"),
        ("a\n  b\t c", "a b c"),
        ("<p>a</p>\n\n\n<p>b</p>", "a\n\nb"),
        ("<p hidden>a<p>b", "a\n\nb"),
        ("<div hidden>a<div>b</div>c</div>d", "d"),
        ("<div style='display:none'>a</div>d", "d"),
        ("<details hidden=until-found>a</details>", "a"),
        ("<img alt=' a  b '><img alt=''>", "[image: a b]"),
        ("<textarea>a</textarea><textarea hidden>b</textarea>", "a"),
        ("a &lt;b&gt; &copy; &nbsp; c", "a <b> © c"),
        ("<noscript>turn it on</noscript>", "turn it on"),
        ("<iframe>old browsers</iframe><select><option>a<option>b</select>", "a\nb"),
        ("", ""),
        ("just text", "just text"),
    ],
)
def test_pages(page: str, text: str) -> None:
    assert see(page).text == text


def test_what_stands_around_is_told_apart() -> None:
    seen = see(
        "<header>top</header><nav>menu<nav>sub</nav></nav><p>text<aside>by</aside></p><form>x</form><footer>end</footer>"
    )
    assert seen.inner == "text"
    assert seen.text.split() == ["top", "menu", "sub", "text", "by", "x", "end"]


def test_the_title_is_one_short_line() -> None:
    assert see("<title> a\n &amp; b </title><svg><title>c</title></svg><p>x").title == "a & b"
    assert see("<svg><title>c</title></svg>").title == ""
    assert len(see(f"<title>{'x' * 5_000}</title>").title) == 300


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0;url=/x", "/x"), ("0; URL='/x y'", "/x y"), ("5;/x", "/x"), ("0,url = /x", "/x"), ("3", None), ("", None),
        (";url=/x", "/x"), ("0;url=https://a/?url=b", "https://a/?url=b"),
    ],
)  # fmt: skip
def test_where_a_page_sends_its_reader(content: str, target: str | None) -> None:
    assert see(f'<meta http-equiv="Refresh" content="{content}">').refresh == target


def test_frames_scripts_and_measures() -> None:
    seen = see("<frameset><frame src=a><frame></frameset><iframe src='b'></iframe><script></script>")
    assert (seen.frames, seen.scripts, seen.tags) == (("a", "b"), 1, 5)
    assert see("<div>" * 50 + "</div>" * 50 + "<div>").depth == 50
    assert see("<p>a" * 500).depth == 0
    assert see("<p " + "a " * 3_000 + ">").overlong
    assert not see("<p " + "a" * 30_000 + ">").overlong
    assert see("") == Seen()


@pytest.mark.slow
def test_a_page_without_end_is_read_as_far_as_it_goes() -> None:
    seen = see("<b>x" * 300_000)
    assert seen.partial
    assert seen.text.startswith("xxx")
    assert not see("<b>x" * 1_000).partial
