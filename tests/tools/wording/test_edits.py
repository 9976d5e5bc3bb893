"""A refusal is enough: a caller that does only what the text says succeeds on its next call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import pytest
from hypothesis import assume, given

from mmtools.core import edits as resolving
from mmtools.core.edits import NotText, Refused, Replacement
from mmtools.core.text import LegacyText, Text
from mmtools.errors import ToolFailure
from mmtools.testing.files import MemoryFiles
from mmtools.testing.strategies import Edits, refused_edits
from mmtools.tools.wording import edits as wording
from tests.tools.operations.working import EDIT, Working

Pair: TypeAlias = tuple[str, str]
#: What the caller sends instead of one edit: edits, or nothing.
Instead: TypeAlias = list[Pair]


class LiteralCaller:
    """An editor of the file `f`; after a refusal it does what the refusal's text says and nothing else."""

    def __init__(self, data: bytes, encodings: tuple[str, ...] = ()) -> None:
        self.files = MemoryFiles({"f": data})
        self.working = Working(self.files, encodings=encodings)

    def send(self, edits: Sequence[Pair]) -> str:
        return self.working.edit("f", *edits)

    def read(self, start: int = 0, end: int = 0) -> str:
        return self.working.read("f", start, end)

    def recover(self, edits: Sequence[Pair], refusal: str) -> str:
        """Make the next call; an exception out of it means that the refusal was not enough."""
        if "write its whole content instead" in refusal:
            content = "".join(new for _, new in edits)
            return self.working.write("f", content)
        if "send at least one" in refusal:
            return self.send([(self.read().split("\n")[0], "changed")])
        told = re.split(r"^edit (\d+): ", refusal, flags=re.MULTILINE)
        refused = dict(zip(map(int, told[1::2]), told[2::2], strict=True)) or {1: refusal}
        instead: dict[int, Instead] = {index: [edit] for index, edit in enumerate(edits, 1)}
        for index, sentence in refused.items():
            if joined := re.search(r"overlaps that of edit (\d+); join the two into one", sentence):
                other = int(joined[1])
                instead[other] = [self.join(edits[other - 1], edits[index - 1])]
                instead[index] = []
            else:
                instead[index] = self.correct(edits[index - 1], sentence)
        again = [pair for _, pairs in sorted(instead.items()) for pair in pairs]
        return self.send(again) if again else "nothing left to do"

    def correct(self, edit: Pair, sentence: str) -> Instead:
        old, new = edit
        if block := re.search(r"^(`{3,})\n(.*?)\n\1$", sentence, re.DOTALL | re.MULTILINE):
            copied = block[2]
            if "choose a part of ASCII" in sentence:
                return [(max(re.findall(r"[\x20-\x7e]+", copied), key=len), new)]
            if "its last line break included" in sentence:
                copied += "\n"
            if "include surrounding lines" in sentence:
                return [self.surround(copied, new)]
            return [(copied, new)]
        if lines := re.search(r"Read lines (\d+)-(\d+) again and copy old from there; fewer lines will do", sentence):
            return [(self.read(int(lines[1]), int(lines[2])), new)]
        if "include its surrounding lines in old" in sentence:
            return [self.surround(old, new)]
        if "leave it out" in sentence or "leave this edit out" in sentence:
            return []
        if "old is empty" in sentence:
            beside = self.read().split("\n")[0]
            return [(beside, f"{beside}\n{new}")]
        if "send the whole one" in sentence:
            return [(re.sub("[\ud800-\udfff]", "\U0001f600", old), re.sub("[\ud800-\udfff]", "\U0001f600", new))]
        if missing := re.search(r"U\+([0-9A-F]+)\), which .* send new without it", sentence):
            return [(old, new.replace(chr(int(missing[1], 16)), ""))]
        if "read the file again and copy old from it" in sentence:
            return [(self.read().split("\n")[0], new)]
        raise AssertionError(f"no next action in: {sentence}")

    def surround(self, old: str, new: str) -> Pair:
        """Take in lines around the first occurrence until the text is unique."""
        page = self.read()
        start = page.index(old)
        end = start + len(old)
        while page.count(page[start:end]) > 1 and (start, end) != (0, len(page)):
            start = page.rfind("\n", 0, max(start - 1, 0)) + 1
            end = page.find("\n", end) + 1 or len(page)
        around = page[start:end]
        return around, around.replace(old, new, 1)

    def join(self, one: Pair, other: Pair) -> Pair:
        page = self.read()
        spans = sorted((page.index(old), page.index(old) + len(old)) for old, _ in (one, other))
        return page[spans[0][0] : max(spans[0][1], spans[1][1])], one[1] + other[1]


CODE = """\
def total(items):
    result = 0
    for item in items:
        result += item.price
    return result

def mean(items):
\tif not items:
\t\treturn None
\treturn total(items) / len(items)
"""
LONG = "".join(f"    step_{number} = compute({number})\n" for number in range(60))
FENCED = "text\n```py\nx  = 1\n```\nmore\n"

CASES = [
    pytest.param(CODE.encode(), [("\tresult = 0\n\tfor item in items:", "\tpass")], id="tabs for spaces"),
    pytest.param(CODE.encode(), [("    if not items:\n        return None", "    pass")], id="spaces for tabs"),
    pytest.param(CODE.encode(), [("result = 0 \n", "result = 1\n")], id="trailing blanks"),
    pytest.param(CODE.encode(), [("return result\n\n\ndef mean", "return 1\n\ndef mean")], id="a blank line too many"),
    pytest.param(CODE.encode(), [("    for itm in items:\n        result += itm.price\n", "    pass\n")], id="another name"),
    pytest.param(CODE.encode(), [("def mean(items):\n\treturn total(items) / len(items)\n", "\tpass\n")], id="lines left out"),
    pytest.param(CODE.encode(), [("reslt = 0", "x = 0")], id="a part of a line"),
    pytest.param(CODE.encode(), [("DEF TOTAL(ITEMS):", "x")], id="another case"),
    pytest.param(CODE.encode(), [("1\tdef total(items):\n2\t    result = 0", "x")], id="numbered lines"),
    pytest.param(CODE.encode(), [("    result = 0\\n    for item in items:", "x")], id="typed newline"),
    pytest.param(CODE.encode(), [("```\n    result = 0\n```", "x")], id="a fence around it"),
    pytest.param(CODE.encode(), [("-    result = 0\n+    result = 1", "x")], id="a diff"),
    pytest.param(CODE.encode(), [("    result = 0\r\n    for item in items:\r\n", "x\n")], id="CRLF for LF"),
    pytest.param(CODE.encode(), [("totally unrelated words", "x")], id="nothing alike"),
    pytest.param(CODE.encode(), [("", "import os")], id="empty old"),
    pytest.param(CODE.encode(), [("    result = 0", "    result = 0")], id="unchanging"),
    pytest.param(CODE.encode(), [("    result = 9", "    result = 0")], id="made before"),
    pytest.param(CODE.encode(), [], id="no edits"),
    pytest.param(CODE.encode(), [("items", "things")], id="ambiguous"),
    pytest.param(CODE.encode(), [("\treturn  None", "\tpass"), ("result", "r"), ("mean", "avg")], id="two of three bad"),
    pytest.param(CODE.encode(), [("result = 0\n    for", "x"), ("for item in items:", "y")], id="overlapping"),
    pytest.param(CODE.encode(), [("def total(items):", "# \ud83d\ndef total(items):")], id="half a character in new"),
    pytest.param(CODE.encode() + "# \U0001f600\n".encode(), [("# \ud83d", "# x")], id="half a character in old"),
    pytest.param(CODE.replace("\n", "\r\n").encode(), [("\tresult = 0\n\tfor item in items:\n", "\tpass\n")], id="CRLF and tabs"),
    pytest.param(b"\xef\xbb\xbf" + CODE.encode(), [("def  total(items):", "def total():")], id="after a BOM"),
    pytest.param(b"list in\xc2\xa0current\n", [("list in current", "z")], id="NBSP"),
    pytest.param(b"cafe\xcc\x81 ok\n", [("caf\u00e9 ok", "z")], id="decomposed"),
    pytest.param("say “hi” — now\n".encode(), [('say "hi" - now', "z")], id="quotes and dash"),
    pytest.param("val\u200bue = 1\n".encode(), [("value = 1", "z")], id="zero width"),
    pytest.param(b"if a < b && c:\n", [("if a &lt; b &amp;&amp; c:", "z")], id="entities"),
    pytest.param(b'p("a\\nb")\n', [('p("a\nb")', "z")], id="newline for an escape"),
    pytest.param(b"last line", [("last line\n", "z\n")], id="no newline at the end"),
    pytest.param(b"", [("x = 1", "x = 2\n")], id="empty file"),
    pytest.param(b"x\n\tfoo(1)\ny\n\tfoo(1)\nz\n", [("    foo(1)", "\tbar()")], id="the place is there twice"),
    pytest.param(LONG.encode(), [(LONG.replace("step_30 ", "step_x ").replace("    ", "\t"), "x\n")], id="a long text"),
    pytest.param(FENCED.encode(), [("```py\nx = 1\n```", "x")], id="the text holds a fence"),
    pytest.param(b"x = 1 # caf\xe9\ny  =  2\n", [("y = 2", "y = 3")], id="legacy text"),
    pytest.param(b"x  =  1 # caf\xe9\ny\n", [("x = 1 # cafe", "y = 3")], id="legacy text, other characters"),
    pytest.param(b"f(a,\n  b\rc)\r\nend\r\n", [("f(a,\n b\rc)\nend", "x")], id="lone returns"),
]  # fmt: skip


def recovered(caller: LiteralCaller, edits: Sequence[Pair]) -> str:
    with pytest.raises(ToolFailure) as refusal:
        caller.send(edits)
    before = caller.files.contents
    try:
        return caller.recover(edits, refusal.value.text)
    except ToolFailure as second:
        assert caller.files.contents == before
        pytest.fail(f"first: {refusal.value.text}\nthen: {second.text}")


@pytest.mark.parametrize(("data", "edits"), CASES)
def test_a_caller_that_takes_the_text_literally_succeeds_on_its_next_call(data: bytes, edits: list[Pair]) -> None:
    caller = LiteralCaller(data)
    answer = recovered(caller, edits)
    if answer == "nothing left to do":
        assert caller.files.contents == {"f": data}
    else:
        assert caller.files.contents != {"f": data}


def test_a_character_that_the_file_cannot_hold_is_left_out() -> None:
    caller = LiteralCaller("naïve\n".encode("cp1252"), encodings=("cp1252",))
    recovered(caller, [("naïve", "clever ≠")])
    assert caller.files.contents == {"f": b"clever \n"}


@given(refused_edits())
def test_every_refusal_can_be_shown_and_names_each_bad_edit(case: tuple[str, Edits]) -> None:
    text, pairs = case
    assume(text)
    sent = [Replacement(old, new) for old, new in pairs]
    refusal = resolving.resolve(text, sent)
    assert isinstance(refusal, Refused)
    told = wording.refused(refusal, sent, Text(text), EDIT)
    told.encode()
    for one in refusal.refusals:
        assert len(sent) == 1 or f"edit {getattr(one, 'index', 0) + 1}: " in told


@pytest.mark.parametrize(
    ("text", "old", "said"),
    [
        ("a\r\nb\r\n", "a\r\nb\r\r\n", "\\r"),
        ("a\nb\n", "1\ta\n2\tb", "line numbers"),
        (" a\n-b\n", "- a\n--b", "signs of a diff"),
        ("x = 1\n", "`x = 1`", "code fence"),
        ("a b\nc\n", "a b\\nc", "backslash escapes"),
        ('p("\\t")\n', 'p("\t")', "backslash before them"),
        ("a < b\n", "a &lt; b", "HTML entities where"),
        ("a &lt; b\n", "a < b", "as HTML entities"),
    ],
)
def test_every_habit_of_copying_has_its_words(text: str, old: str, said: str) -> None:
    sent = [Replacement(old, "\ue000")]
    refusal = resolving.resolve(text, sent)
    assert isinstance(refusal, Refused)
    assert said in wording.refused(refusal, sent, Text(text), EDIT)


def test_a_hint_costs_a_search_so_only_the_first_few_bad_edits_get_one() -> None:
    text = "".join(f"value_{number} = 1\n" for number in range(30))
    sent = [Replacement(f"value_{number}  = 1", "x") for number in range(12)]
    refusal = resolving.resolve(text, sent)
    assert isinstance(refusal, Refused)
    told = wording.refused(refusal, sent, Text(text), EDIT)
    assert told.count("Send exactly this as old") == 5
    assert told.count("old text not found") == 12


def test_a_part_of_a_line_is_offered_as_its_whole_line() -> None:
    text = "def typed_key(*args, **kwargs):\n    return 1\n"
    sent = [Replacement("def typedkey(*args, **kwargs", "def typedkey(*args, x=1")]
    refusal = resolving.resolve(text, sent)
    assert isinstance(refusal, Refused)
    told = wording.refused(refusal, sent, Text(text), EDIT)
    assert told.endswith("like it:\n```\ndef typed_key(*args, **kwargs):\n```")
    assert "\nBelow is the whole line: what new leaves out is deleted\n" in told


def test_legacy_text_names_what_it_cannot_take() -> None:
    told = wording.not_editable("f", NotText(tuple(range(12))), LegacyText("caf\xe9", 1))
    assert told.startswith("f is not text: 1 byte of it is not valid UTF-8")
    assert "edits 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, … cannot" in told


def test_sentences_are_told_as_they_are() -> None:
    assert wording.half_character("content", "ab\ncd\udc00", 5) == (
        "content holds half a character, U+DC00, at line 2, column 3: no file can hold it; send the whole one"
    )
