"""Comments are told from code, against Python's tokenizer and a scanner that reads character by character."""

from __future__ import annotations

import io
import time
import tokenize

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mmtools.core.lsp.comments import Comments
from mmtools.core.lsp.languages import language

#: A file of each family.
EXTENSIONS = (
    *("ts", "css", "php", "py", "sh", "ps1", "jl", "tf", "sql", "lua", "hs", "ada", "clj", "ini", "tex", "ml", "fs"),
    *("pas", "vb", "f90", "html", "vue", "json", "c"),
)


def cover(comments: Comments, text: str, offset: int) -> bool:
    """Whether an offset is in a comment, behind the first sign of it."""
    return any(start < offset < end for start, end in comments.spans(text))


PYTHON_LINES = st.lists(
    st.sampled_from(
        ["x = 1", "f[0]", "'#'", '"a # b"', '"it\'s"', "# note", "#'", "   # 'open", '"\\"#"', "r'\\\\'", ","]
    ),
    max_size=5,
).map(" ".join)


def python_comments(source: str) -> set[int]:
    """Offsets in comments, by Python's tokenizer."""
    starts = [0]
    for line in source.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    found: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            start = starts[token.start[0] - 1] + token.start[1]
            found |= set(range(start + 1, start + len(token.string) + 1))
    return found


@given(st.lists(PYTHON_LINES, max_size=4).map(lambda lines: "".join(f"{line}\n" for line in lines)))
def test_python_comments_are_those_of_its_tokenizer(source: str) -> None:
    expected = python_comments(source)
    comments = language("a.py").comments
    assert {offset for offset in range(len(source)) if cover(comments, source, offset)} == expected - {len(source)}


C_PIECES = st.lists(
    st.sampled_from(
        [
            "x",
            " ",
            "\n",
            "\r\n",
            "/* ",
            " */",
            "//",
            '"//"',
            '"/*"',
            '"*/"',
            '"\\""',
            "'\"'",
            "'/'",
            " * ",
            "#if ",
            "/**/",
        ]
    ),
    max_size=14,
).map("".join)


def c_comments(source: str) -> set[int]:
    """Offsets in comments, behind their first sign, by reading on from the start."""
    found: set[int] = set()
    state, at = "code", 0
    while at < len(source):
        two = source[at : at + 2]
        if state == "code":
            if two in ("/*", "//"):
                state = "block" if two == "/*" else "line"
                found.add(at + 1)
                at += 2
                continue
            if source[at] == '"':
                at += 1
                while source[at : at + 1] != '"':
                    assume(at < len(source) and source[at] != "\n")  # a string ends on its line
                    at += 2 if source[at] == "\\" else 1
            elif source[at] == "'":
                at += 2
        elif state == "block" and two == "*/":
            found |= {at, at + 1}
            state = "code"
            at += 2
            continue
        elif state == "line" and source[at] == "\n":
            found.add(at)
            state = "code"
        else:
            found.add(at)
        at += 1
    return found


@given(C_PIECES)
def test_c_comments_are_those_of_a_scanner(source: str) -> None:
    comments = language("a.c").comments
    expected = c_comments(source)
    for offset in range(len(source)):
        # Where words stand: on the signs themselves nobody looks for one.
        if source[offset] == "x":
            assert cover(comments, source, offset) == (offset in expected), offset


def covered(path: str, source: str) -> list[bool]:
    """Whether each `foo` of a source is in a comment."""
    comments = language(path).comments
    places = [at for at in range(len(source)) if source.startswith("foo", at)]
    return [cover(comments, source, at) for at in places]


@pytest.mark.parametrize(
    ("path", "source", "expected"),
    [
        ("a.go", "// foo\nfoo() // foo\n/* foo\n * foo\nfoo\n*/ foo /* foo */ foo\n", [1, 0, 1, 1, 1, 1, 0, 1, 0]),
        ("a.go", 'get("http://x", foo)\nglob("src/*", foo)\nfoo\n', [0, 0, 0]),
        ("a.c", "#define foo 1\n#include <foo.h>\n", [0, 0]),
        ("a.c", "*foo = 1;\n", [0]),
        ("a.ts", "a('//', foo); `//` + foo // foo\n", [0, 0, 1]),
        ("a.py", "foo # foo\n'#', foo\n\"it's # \" + foo\n", [0, 1, 0, 0]),
        ("a.sh", "echo $# foo\nx=${#y} foo\nfoo #foo\nfoo;# foo\n", [0, 0, 0, 1, 0, 1]),
        ("a.sql", "select foo -- foo\n/* foo */ , foo", [0, 1, 1, 0]),
        ("a.lua", "foo --[[ foo\nfoo ]] foo -- foo\n", [0, 1, 1, 0, 1]),
        ("a.hs", "foo' -- foo\n{- foo -} foo\n", [0, 1, 1, 0]),
        ("a.rs", "fn f<'a>(foo: &'a str) {} // foo\n", [0, 1]),
        ("a.html", "<!-- foo\nfoo --> foo 'tis\n", [1, 1, 0]),
        ("a.vue", "<!-- foo --> foo // foo\n'http://x' + foo", [1, 0, 1, 0]),
        ("a.php", "#[foo]\n# foo\n// foo\nfoo /* foo */\n", [0, 1, 1, 0, 1]),
        ("a.yaml", "foo: a#foo # foo\n", [0, 0, 1]),
        ("a.tex", "50\\% foo % foo\n", [0, 1]),
        ("a.clj", "(foo) ; foo\n", [0, 1]),
        ("a.ml", "foo (* foo\n foo *) foo", [0, 1, 1, 0]),
        ("a.vb", "foo ' foo", [0, 1]),
        ("a.json", "foo // foo", [0, 0]),
        ("a.unheard-of", "foo // foo", [0, 1]),
    ],
)
def test_families_write_comments_in_their_way(path: str, source: str, expected: list[int]) -> None:
    assert covered(path, source) == [bool(each) for each in expected]


@given(st.sampled_from(EXTENSIONS), st.text(st.sampled_from("fo#/*'\"`-;%<!(){}[]=\\\r\n "), max_size=20))
def test_comments_are_in_the_text_in_order(extension: str, text: str) -> None:
    bounds = [bound for span in language(f"a.{extension}").comments.spans(text) for bound in span]
    assert bounds == sorted(bounds)
    assert all(0 <= bound <= len(text) for bound in bounds)


def test_a_family_without_comments_has_none() -> None:
    assert not Comments().spans("// # -- /* x")


@pytest.mark.parametrize("part", ['"/*" + foo;', '\\"', "'\\", '"', "`a"])
def test_a_file_of_one_line_takes_no_longer_than_another(part: str) -> None:
    text = f"{part * 300_001}\nfoo // foo\n"
    started = time.thread_time()
    assert language("a.ts").comments.spans(text) == [(len(text) - len("// foo\n"), len(text))]
    assert time.thread_time() - started < 5
