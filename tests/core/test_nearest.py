"""A hint says where a text was meant to be and gives what the file has there, exactly; it is total and bounded."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mmtools.core import nearest
from mmtools.core.copy_errors import CopyError
from mmtools.core.differences import Difference
from mmtools.core.edits import Ambiguous, Applied, Refused, Replacement, resolve
from mmtools.core.hints import AlreadyThere, Closest, Hint, LooksAlike, Misquoted, NothingAlike, Spot, Unwritable
from mmtools.core.text import view
from mmtools.testing.strategies import texts

CODE = """\
import os

def total(items):
    result = 0
    for item in items:
        result += item.price * item.count
    return result

def mean(items):
\tif not items:
\t\treturn None
\treturn total(items) / len(items)
"""


def spot_of(hint: Hint) -> Spot:
    assert isinstance(hint, LooksAlike | Misquoted | AlreadyThere | Closest), hint
    return hint.spot


def differences_of(hint: Hint) -> list[tuple[int, int, str, str]]:
    assert isinstance(hint, LooksAlike | Closest), hint
    return [(one.line, one.column, one.found, one.sent) for one in hint.differences]


def check(text: str, hint: Hint) -> None:
    """What is given to be copied is there, where the hint says, and as often as it says."""
    if isinstance(hint, NothingAlike | Unwritable):
        return
    spot = spot_of(hint)
    resolved = resolve(text, [Replacement(spot.text, "\ue000")])
    page, part = view(text), view(spot.text)
    starts = [at for at in range(len(page)) if page.startswith(part, at)]
    lines = [page.count("\n", 0, at) + 1 for at in starts]
    assert spot.line in lines
    # Whole lines: who replaces them leaves no remainder that the hint has not shown.
    assert any(f"\n{page}\n".startswith(f"\n{part}".removesuffix("\n") + "\n", at) for at in starts)
    assert sorted([spot.line, *spot.others]) == lines or len(spot.others) == nearest.MOST_OTHERS
    assert spot.last_line - spot.line == part.removesuffix("\n").count("\n")
    if isinstance(resolved, Applied):
        assert not spot.others
    else:
        assert isinstance(resolved.refusals[0], Ambiguous)
        assert spot.others


@given(texts(max_pieces=30), texts(max_pieces=8), texts(max_pieces=4))
def test_any_text_that_is_not_found_has_a_hint_that_holds(text: str, old: str, new: str) -> None:
    assume(old and isinstance(resolve(text, [Replacement(old, old + "\ue000")]), Refused))
    assume(view(old) not in view(text))
    check(text, nearest.find(text, old, new))


@st.composite
def misread(draw: st.DrawFn) -> tuple[str, str, int]:
    """A part of a text as it may be misread: other blanks, other case, other quotes, one other letter per line."""
    words = st.sampled_from(["alpha", "beta_one", "x = 1", "“hi”", "café", "foo(bar)", "return None", "naïve", "}"])
    line = st.builds(lambda indent, some: indent + " ".join(some), st.sampled_from(["", "  ", "\t"]), st.lists(words))
    lines = draw(st.lists(line, min_size=1, max_size=30))
    start = draw(st.integers(0, len(lines) - 1))
    end = draw(st.integers(start + 1, len(lines)))
    old = "\n".join(lines[start:end])
    for before, after in draw(
        st.lists(
            st.sampled_from(
                [
                    ("\t", "    "),
                    ("  ", "\t"),
                    (" ", "\u00a0"),
                    ("“", '"'),
                    ("é", "e\u0301"),
                    ("alpha", "Alpha"),
                    ("\n", " \n"),
                ]
            ),
            min_size=1,
        )
    ):
        old = old.replace(before, after)
    return "\n".join(lines), old, start + 1


@given(misread())
def test_what_looks_the_same_is_found_whatever_the_blanks_and_characters_are(case: tuple[str, str, int]) -> None:
    text, old, _ = case
    assume(old not in text and sum(map(str.isalpha, old)) >= 3)
    hint = nearest.find(text, old)
    assert isinstance(hint, LooksAlike)
    check(text, hint)
    assert hint.differences


@pytest.mark.parametrize(
    ("text", "old", "spot", "differences"),
    [
        pytest.param("list in\u00a0current\n", "list in current", (1, "list in\u00a0current"), [(1, 8, "\u00a0", " ")], id="NBSP"),
        pytest.param("cafe\u0301 ok\n", "caf\u00e9 ok", (1, "cafe\u0301 ok"), [(1, 4, "e\u0301", "\u00e9")], id="NFD in the file"),
        pytest.param("caf\u00e9 ok\n", "cafe\u0301 ok", (1, "caf\u00e9 ok"), [(1, 4, "\u00e9", "e\u0301")], id="NFC in the file"),
        pytest.param("x\nsay “hi”\n", 'say "hi"', (2, "say “hi”"), [(2, 5, "“", '"'), (2, 8, "”", '"')], id="quotes"),
        pytest.param("a — b c\n", "a - b c", (1, "a — b c"), [(1, 3, "—", "-")], id="dash"),
        pytest.param("val\u200bue = 1\n", "value = 1", (1, "val\u200bue = 1"), [(1, 4, "\u200b", "")], id="zero width"),
        pytest.param("p\u0430ssword here\n", "password here", (1, "p\u0430ssword here"), [(1, 2, "\u0430", "a")], id="Cyrillic"),
        pytest.param("full\uff08width\uff09\n", "full(width)", (1, "full\uff08width\uff09"), [(1, 5, "\uff08", "("), (1, 11, "\uff09", ")")], id="full width"),
        pytest.param("Hello World\n", "hello world", (1, "Hello World"), [(1, 1, "H", "h"), (1, 7, "W", "w")], id="case"),
        pytest.param("if x:\n\tfoo(1)\n\tbar(2)\n", "    foo(1)\n    bar(2)", (2, "\tfoo(1)\n\tbar(2)"), [(2, 1, "\t", "    "), (3, 1, "\t", "    ")], id="tabs"),
        pytest.param("    foo(1)\n", "\tfoo(1)\n", (1, "    foo(1)\n"), [(1, 1, "    ", "\t")], id="spaces"),
        pytest.param("  foo(1)\n    bar(2)\n", "foo(1)\nbar(2)", (1, "  foo(1)\n    bar(2)"), [(2, 1, "    ", "")], id="indent left out"),
        pytest.param("foo(1)  \nbar(2)\n", "foo(1)\nbar(2)", (1, "foo(1)  \nbar(2)"), [(1, 7, "  ", "")], id="trailing blanks in the file"),
        pytest.param("foo(1)\nbar(2)\n", "foo(1) \nbar(2)", (1, "foo(1)\nbar(2)"), [(1, 7, "", " ")], id="trailing blanks sent"),
        pytest.param("a = 1\n  \nb = 2\n", "a = 1\n\nb = 2", (1, "a = 1\n  \nb = 2"), [(2, 1, "  ", "")], id="blank line with spaces"),
        pytest.param("a  =  1\n", "a = 1", (1, "a  =  1"), [(1, 3, " ", ""), (1, 5, " ", "")], id="runs of blanks"),
        pytest.param("a=1\n", "a = 1", (1, "a=1"), [(1, 2, "", " "), (1, 3, "", " ")], id="blanks around a sign"),
        pytest.param("foo(\n  a,\n  b)\n", "foo(a, b)", (1, "foo(\n  a,\n  b)"), [(1, 5, "\n  ", ""), (2, 5, "\n  ", " ")], id="wrapped"),
        pytest.param("x\nlast line", "last line\n", (2, "last line"), [(2, 10, "", "\n")], id="no newline at the end"),
        pytest.param("last line\n", "last line\n\n", (1, "last line\n"), [(1, 10, "\n", "\n\n")], id="one newline at the end"),
    ],
)  # fmt: skip
def test_what_differs_is_named_with_line_and_column(
    text: str, old: str, spot: tuple[int, str], differences: list[tuple[int, int, str, str]]
) -> None:
    for ending in ("\n", "\r\n"):
        raw = text.replace("\n", ending)
        hint = nearest.find(raw, old)
        assert isinstance(hint, LooksAlike)
        assert (hint.spot.line, hint.spot.text) == spot
        assert differences_of(hint) == differences
        check(raw, hint)


@pytest.mark.parametrize(
    ("text", "old", "copy_error", "meant"),
    [
        pytest.param("a\nb\nc\n", "2\tb", CopyError.NUMBERED, "b", id="one numbered line"),
        pytest.param("a\nb\nc\n", "2\tb\n3\tc\n", CopyError.NUMBERED, "b\nc\n", id="numbered lines"),
        pytest.param("a\n\nc\n", "1\ta\n2\t\n3\tc", CopyError.NUMBERED, "a\n\nc", id="an empty one among them"),
        pytest.param("a\nb\nc\n", "     2\tb\n     3\tc", CopyError.NUMBERED, "b\nc", id="cat -n"),
        pytest.param("a\n  b\nc\n", "2:  b\n3:c", CopyError.NUMBERED, "  b\nc", id="grep -n"),
        pytest.param("x\n" * 8 + "a\nb\nc\n", "  9 a\n+10 b\n-10 q\n 11 c", CopyError.NUMBERED, "a\nb\nc", id="our diff, made"),
        pytest.param("x\n" * 8 + "a\nq\nc\n", "  9 a\n-10 q\n+10 b\n 11 c", CopyError.NUMBERED, "a\nq\nc", id="our diff, not made"),
        pytest.param("a\nq\nc\n", " a\n-q\n+b\n c", CopyError.DIFF_SIGNS, "a\nq\nc", id="a unified diff"),
        pytest.param("x = 1\ny = 2\n", "```python\nx = 1\ny = 2\n```", CopyError.FENCED, "x = 1\ny = 2", id="fence"),
        pytest.param("x = 1\ny = 2\n", "`x = 1`", CopyError.FENCED, "x = 1", id="backticks"),
        pytest.param("a b\nc d\n", "a b\\nc d", CopyError.ESCAPED, "a b\nc d", id="typed newline"),
        pytest.param('say "x"\n', 'say \\"x\\"', CopyError.ESCAPED, 'say "x"', id="typed quotes"),
        pytest.param("caf\u00e9\n", "caf\\u00e9", CopyError.ESCAPED, "caf\u00e9", id="typed code point"),
        pytest.param('p("a\\n")\n', 'p("a\\\\n")', CopyError.ESCAPED, 'p("a\\n")', id="doubled backslash"),
        pytest.param('p("a\\nb")\n', 'p("a\nb")', CopyError.UNESCAPED, 'p("a\\nb")', id="newline for an escape"),
        pytest.param("C:\\\\dir\n", "C:\\dir", CopyError.UNESCAPED, "C:\\\\dir", id="single backslash"),
        pytest.param('"\\"x\\""\n', 'z "x"', None, "", id="nothing of it"),
        pytest.param("if a < b && c:\n", "if a &lt; b &amp;&amp; c:", CopyError.ENTITIES, "if a < b && c:", id="entities"),
        pytest.param("<p>a &amp; b</p>\n", "<p>a & b</p>", CopyError.NO_ENTITIES, "<p>a &amp; b</p>", id="a bare ampersand"),
        pytest.param("&lt;p&gt;x&lt;/p&gt;\n", "<p>x</p>", CopyError.NO_ENTITIES, "&lt;p&gt;x&lt;/p&gt;", id="bare brackets"),
        pytest.param("one\ntwo\n", "one\r\ntwo\r\n", CopyError.LINE_ENDS, "one\ntwo\n", id="CRLF sent, LF there"),
        pytest.param("one\r\ntwo\n3\n", "one\r\ntwo\r\n", CopyError.LINE_ENDS, "one\ntwo\n", id="CRLF sent, mixed there"),
        pytest.param("one\ntwo\n", "one\rtwo\r", CopyError.LINE_ENDS, "one\ntwo\n", id="CR sent"),
    ],
)  # fmt: skip
def test_a_habit_of_copying_is_recognised_and_undone(
    text: str, old: str, copy_error: CopyError | None, meant: str
) -> None:
    hint = nearest.find(text, old, "\ue000")
    check(text, hint)
    if copy_error is None:
        assert not isinstance(hint, Misquoted)
        return
    assert isinstance(hint, Misquoted)
    assert (hint.copy_error, hint.spot.text) == (copy_error, meant)


@pytest.mark.parametrize(
    ("text", "old", "copy_error", "meant"),
    [
        pytest.param("a\n\talpha()\n\tbeta()\n", "12\t  alpha()\n13\t  beta()", CopyError.NUMBERED, "\talpha()\n\tbeta()", id="numbers and blanks"),
        pytest.param("alpha\tone\n  beta\n", "alpha one\\n\\n\\n\\n\\n\\n beta", CopyError.ESCAPED, "alpha\tone\n  beta", id="escapes and blanks"),
    ],
)  # fmt: skip
def test_a_habit_is_recognised_although_more_differs(text: str, old: str, copy_error: CopyError, meant: str) -> None:
    hint = nearest.find(text, old)
    assert spot_of(hint).text == meant
    if isinstance(hint, Misquoted):
        assert hint.copy_error is copy_error
        assert hint.differences


@pytest.mark.parametrize("old", ["3 apples", "3: pears"])
def test_a_number_that_is_the_files_own_text_is_not_taken_for_a_line_number(old: str) -> None:
    text = "4 apples\n4: pears\napples\n pears\n"
    assert not isinstance(nearest.find(text, old), Misquoted)


@pytest.mark.parametrize(
    ("text", "old", "new", "line"),
    [
        pytest.param("a = 1\nx = 2\n", "x = 1", "x = 2", 2, id="one line"),
        pytest.param(CODE.replace("result", "sum_of"), "    result = 0", "    sum_of = 0", 4, id="a renaming"),
        pytest.param("a\n    b()\n", "\tb()", "    b()", 2, id="a new indent"),
        pytest.param("a\r\nb\r\nc\r\n", "a\nX\nc", "a\nb\nc", 1, id="lines in a CRLF file"),
    ],
)
def test_an_edit_that_was_made_before_is_recognised(text: str, old: str, new: str, line: int) -> None:
    hint = nearest.find(text, old, new)
    assert isinstance(hint, AlreadyThere)
    assert hint.spot.line == line
    check(text, hint)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("    for itm in items:", "result = 1", id="another place is much like old"),
        pytest.param("def total(items):\n    reslt = 0", "def total(items):", id="new is a part of old"),
        pytest.param("    reslt = 0", "", id="a deletion"),
        pytest.param("    return reslt", "items", id="new is there several times"),
    ],
)
def test_a_new_text_that_is_there_by_chance_is_not_taken_for_a_made_edit(old: str, new: str) -> None:
    hint = nearest.find(CODE + "\nresult = 1\n", old, new)
    assert isinstance(hint, Closest)


@pytest.mark.parametrize(
    ("old", "line", "text", "differences"),
    [
        pytest.param("    reslt = 0", 4, "    result = 0", [(4, 5, "result", "reslt")], id="one letter"),
        pytest.param("reslt = 0", 4, "    result = 0", [(4, 5, "result", "reslt")], id="without the indent"),
        pytest.param("result += item.prize", 6, "        result += item.price * item.count", [(6, 24, "price", "prize")], id="a part of a line"),
        pytest.param(
            "    for i in items:\n        result += i.price * i.count\n    return result\n",
            5,
            "    for item in items:\n        result += item.price * item.count\n    return result\n",
            [(5, 9, "item", "i"), (6, 19, "item.price * item", "i.price * i")],
            id="other names",
        ),
        pytest.param(
            "def mean(items):\n\treturn total(items) / len(items)\n",
            9,
            "def mean(items):\n\tif not items:\n\t\treturn None\n\treturn total(items) / len(items)\n",
            [(10, 1, "\tif not items:\n", ""), (11, 1, "\t\treturn None\n", "")],
            id="lines left out",
        ),
        pytest.param(
            "def total(items):\n    # adds up\n    result = 0\n",
            3,
            "def total(items):\n    result = 0\n",
            [(4, 1, "", "    # adds up\n")],
            id="a line too many",
        ),
    ],
)  # fmt: skip
def test_the_closest_place_is_found(
    old: str, line: int, text: str, differences: list[tuple[int, int, str, str]]
) -> None:
    hint = nearest.find(CODE, old)
    assert isinstance(hint, Closest)
    assert (hint.spot.line, hint.spot.text) == (line, text)
    assert differences_of(hint) == differences
    assert nearest.HALF <= hint.alike < 1


def test_a_misspelt_word_is_found_by_its_parts() -> None:
    hint = nearest.find("one\ndef compute_total_price():\n", "compute_totl_price")
    assert isinstance(hint, Closest)
    assert hint.differences == (Difference(2, 5, "compute_total_price", "compute_totl_price"),)


def test_a_place_that_is_there_several_times_names_the_others() -> None:
    text = "x\n\tfoo(1)\ny\n\tfoo(1)\nz\n\tfoo(1)\n"
    hint = nearest.find(text, "    foo(1)")
    assert spot_of(hint).line == 2
    assert spot_of(hint).others == (4, 6)


@pytest.mark.parametrize(
    ("text", "old"),
    [("", "x = 1"), (CODE, "completely_unrelated stuff"), (CODE, " \n "), ("\n\n\n", "    "), (CODE, "§§§")],
)
def test_what_has_nothing_like_it_has_no_place(text: str, old: str) -> None:
    assert nearest.find(text, old) == NothingAlike()


def test_half_a_character_is_named() -> None:
    assert nearest.find("ab\n", "a\ud83d") == Unwritable(1)


def test_text_with_lone_carriage_returns_is_given_as_it_must_be_sent() -> None:
    text = "alpha\rbeta  gamma\r\ndelta\r\n"
    hint = nearest.find(text, "alpha\rbeta gamma\ndelta")
    assert spot_of(hint).text == "alpha\rbeta  gamma\r\ndelta"
    check(text, hint)


def big(lines: int) -> list[str]:
    rng = random.Random(7)
    words = [f"word{number}" for number in range(5_000)]
    common = ["return", "if", "self", "None", "value", "else", "for", "in"]
    return [
        "    " * rng.randrange(4) + " ".join([*rng.choices(words, k=3), *rng.choices(common, k=2)])
        for _ in range(lines)
    ]


def test_in_a_large_file_the_right_place_is_found() -> None:
    lines = big(60_000)
    place = 42_000
    true = lines[place : place + 6]
    text = "\n".join(lines)
    misread_ones = {
        "one word": "\n".join([*true[:3], true[3].replace("word", "wrod", 1), *true[4:]]),
        "tabs and one word": "\n".join(["\t" + line.strip() for line in true[:5]] + ["wrod " + true[5].strip()]),
        "every line": "\n".join(line.replace("word", "wird", 1) for line in true),
        "indent": "\n".join("\t\t\t\t\t" + line.strip() for line in true),
    }
    for name, old in misread_ones.items():
        assert spot_of(nearest.find(text, old)).line == place + 1, name
    assert spot_of(nearest.find(text, true[2].strip()[:-1] + "x")).line == place + 3


@pytest.mark.slow
def test_whatever_the_text_the_effort_is_bounded() -> None:
    lines = big(100_000)
    text = "\n".join(lines)
    one_line = text.replace("\n", ";")
    hostile = [
        (text, "entirely_unknown stuff_here\n  more_unknown(things)\n zork blah blubb"),
        (text, "return None\nif self else value"),
        (text, "\n".join(lines[100:20_000]) + "!"),
        (one_line, lines[70_000].strip().replace(" ", "  ")),
        (one_line, "word12 wird13 word14"),
        ("a" * 4_000_000, "a" * 3_000 + "b"),
        ("a\n" * 2_000_000, "a\n" * 500 + "b"),
        ("\u00e9" * 2_000_000, "e\u0301" * 300 + "x"),
        (" " * 4_000_000, "x" + " " * 500 + "x"),
        ("ab " * 1_000_000, "ab\tab\tba" * 50),
        ("x" * 100, "y " * 200_000),
    ]
    for text, old in hostile:
        started = time.thread_time()
        check(text, NothingAlike() if len(text) > 1_000 else nearest.find(text, old))
        nearest.find(text, old)
        assert time.thread_time() - started < 20, old[:20]
