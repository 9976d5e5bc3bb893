"""Front matter as skill files hold it."""

from __future__ import annotations

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import front_matter
from mmtools.core.front_matter import Value


def fields(*lines: str) -> dict[str, Value]:
    return dict(front_matter.read("\n".join(["---", *lines, "---", "body"])).fields)


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["k: plain"], "plain"),
        (["k:   spaced out   "], "spaced out"),
        (["k: Use when: x: y"], "Use when: x: y"),
        (["k: see http://x.org"], "see http://x.org"),
        (["k: value # why"], "value"),
        (["k: Fix #12 in C#"], "Fix #12 in C#"),
        (["k: # nothing but a comment"], ""),
        (["k:"], ""),
        (["k: it's"], "it's"),
        (["k: 'it''s # no comment'"], "it's # no comment"),
        (["k: 'a' # comment"], "a"),
        (['k: "a \\"b\\" \\\\ \\u00e9\\x21\\n"'], 'a "b" \\ é!\n'),
        (['k: "a" and "b"'], '"a" and "b"'),
        (['k: "open'], '"open'),
        (["k: one", "  two", "", "  three"], "one two three"),
        (['k: "one', '  two"'], "one two"),
        (["k: |", "  one", "    two", "", "  three", ""], "one\n  two\n\nthree\n"),
        (["k: |-", "  one", "  two"], "one\ntwo"),
        (["k: |+", "  one", "", ""], "one\n\n\n"),
        (["k: >", "  one", "  two", "", "  three", "    four", "  five"], "one two\nthree\n  four\nfive\n"),
        (["k: >-", "  key: no key", "  # no comment", "  - no item"], "key: no key # no comment - no item"),
        (["k: |2", "   one", "  two"], " one\ntwo\n"),
        (["k: |", ""], ""),
        (["k: |no block"], "|no block"),
        (["k:", "  - one", "  - 'two'", "  - three # c"], ("one", "two", "three")),
        (["k:", "- one", "- two", "  goes on"], ("one", "two goes on")),
        (["k: [a, 'b, c', \"d\", e f]"], ("a", "b, c", "d", "e f")),
        (["k: [a,", "  b]"], ("a", "b")),
        (["k: []"], ()),
        (["k: [internal] not a list"], "[internal] not a list"),
        (["k: [unclosed"], "[unclosed"),
        (["k: {a: b}"], "{a: b}"),
        (["k:", "  nested: x", "  more: y"], "nested: x more: y"),
        (["# comment", "", "k: x", "# comment"], "x"),
        (['"k": quoted key'], "quoted key"),
        (["k: first", "k: second"], "second"),
        (["k: x", "what is this", "  and this"], "x"),
        (["k: x\r"], "x"),
        (["k:\tx"], "x"),
    ],
)
def test_a_value_is_read(lines: list[str], expected: Value) -> None:
    assert fields(*lines) == {"k": expected}


def test_unknown_keys_are_kept_beside_the_known() -> None:
    assert fields("name: a", "allowed-tools: Bash(git:*)", "x-y_z: 1") == {
        "name": "a",
        "allowed-tools": "Bash(git:*)",
        "x-y_z": "1",
    }


@pytest.mark.parametrize("fence", ["---", "---  ", "\ufeff---", "---\r"])
@pytest.mark.parametrize("end", ["---", "--- ", "...", "---\r"])
def test_the_body_begins_after_the_closing_fence(fence: str, end: str) -> None:
    document = front_matter.read(f"{fence}\nk: x\n{end}\nbody\n---\nmore\n")
    assert document.fields == {"k": "x"}
    assert document.body == "body\n---\nmore\n"


@pytest.mark.parametrize(
    "text", ["", "# Title\n", "k: x\n---\n", " ---\nk: x\n---\n", "\n---\nk: x\n---\n", "----\nk: x\n---\n"]
)
def test_without_a_fence_on_the_first_line_all_is_body(text: str) -> None:
    document = front_matter.read(text)
    assert (document.fields, document.body, document.unclosed) == ({}, text, False)


def test_front_matter_that_never_ends_is_body() -> None:
    document = front_matter.read("---\nname: x\n# Title\n")
    assert (document.fields, document.body, document.unclosed) == ({}, "---\nname: x\n# Title\n", True)


def test_a_rule_above_a_text_begins_no_front_matter() -> None:
    assert not front_matter.read("---\n\n# Title\n").unclosed


@given(st.text(st.sampled_from("---...ka: '\"\\\n\r#|>[],-+2x \t\ufeffé"), max_size=80))
def test_any_text_is_parted_without_loss_of_the_body(text: str) -> None:
    document = front_matter.read(text)
    assert text.replace("\r\n", "\n").endswith(document.body.removeprefix("\ufeff"))
    document = front_matter.read(f"---\n{text}\n---\n")
    assert all(isinstance(value, str | tuple) for value in document.fields.values())


@given(st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"])))
def test_json_strings_are_read_as_json_reads_them(value: str) -> None:
    for spelled in (json.dumps(value), json.dumps(value, ensure_ascii=False)):
        if "\\b" not in spelled and "\\f" not in spelled and "\r" not in spelled:
            assert fields(f"k: {spelled}") == {"k": value}


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(lambda line: line == line.strip())
    )
)
def test_a_literal_block_is_its_lines(block: list[str]) -> None:
    assert fields("k: |-", *(f"  {line}" for line in block)) == {"k": "\n".join(block)}


@pytest.mark.parametrize("hostile", ["'", '"', '\\"', " ", "\t#", "[,", "- ", "a:", "''", "#", ": "])
def test_hostile_lines_cost_linear_time(hostile: str) -> None:
    many = hostile * 100_000
    begun = time.thread_time()
    for line in (f"k: {many}", f"k: [{many}]", f"k: '{many}", f'k: "{many}', f"k{many}", many):
        fields(line, f"  {many}")
    # Quadratic would be hours.
    assert time.thread_time() - begun < 30
