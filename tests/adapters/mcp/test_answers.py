"""Results of calls, of every kind and of none."""

from __future__ import annotations

import base64
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.mcp.answers import is_deeper, read_answer
from mmtools.ports.remote_tools import Link, MediaBlock, RemoteAnswer, TextBlock, UnreadableBlock

PNG = b"\x89PNG\r\n\x1a\n"
DATA = base64.b64encode(PNG).decode()

words = st.sampled_from(
    ["type", "text", "image", "resource", "uri", "data", "blob", "resource_link", "mimeType", "é\ud800"]
)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | words | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)


@given(st.fixed_dictionaries({}, optional={"content": values, "structuredContent": values, "isError": values}))
def test_any_json_is_an_answer_and_no_part_gets_lost(result: dict[str, Any]) -> None:
    answer = read_answer(result)
    content = result.get("content")
    assert len(answer.blocks) == (len(content) if isinstance(content, list) else 0 if content is None else 1)
    assert answer.failed == (result.get("isError") is True)
    assert answer.structured == result.get("structuredContent")
    for block in answer.blocks:
        for text in (getattr(block, name, "") for name in ("text", "uri", "name", "what", "why", "description")):
            text.encode()


@pytest.mark.parametrize(
    ("part", "block"),
    [
        ({"type": "text", "text": "a"}, TextBlock("a")),
        ({"type": "text", "text": ""}, TextBlock("")),
        ("bare", TextBlock("bare")),
        ({"type": "image", "data": DATA, "mimeType": "image/png"}, MediaBlock("image/png", PNG)),
        ({"type": "audio", "data": DATA, "mimeType": "audio/wav"}, MediaBlock("audio/wav", PNG)),
        ({"type": "image", "data": DATA[:4] + "\n" + DATA[4:]}, MediaBlock("", PNG)),
        ({"type": "image", "data": "-_-_", "mimeType": "x/y"}, MediaBlock("x/y", b"\xfb\xff\xbf")),
        ({"type": "image", "data": "no base64!"}, UnreadableBlock("image", "its data is not base64")),
        ({"type": "image", "mimeType": "image/png"}, UnreadableBlock("image", "it is not complete")),
        ({"type": "resource", "resource": {"uri": "a:b", "text": "t"}}, TextBlock("t", "a:b")),
        ({"type": "resource", "resource": {"uri": "a:b", "blob": DATA, "mimeType": "i/p"}}, MediaBlock("i/p", PNG, "a:b")),
        ({"type": "resource", "resource": {"uri": "a:b", "blob": "é"}}, UnreadableBlock("resource a:b", "its data is not base64")),
        ({"type": "resource", "resource": {"uri": "a:b"}}, UnreadableBlock("resource", "it is not complete")),
        (
            {"type": "resource_link", "uri": "a:b", "name": "n", "description": "d", "mimeType": "m/t"},
            Link("a:b", "n", "d", "m/t"),
        ),
        ({"type": "resource_link", "uri": "a:b", "title": "t"}, Link("a:b", "t")),
        ({"type": "video", "data": DATA}, UnreadableBlock("video", "there is no such kind of content")),
        ({"text": "a"}, UnreadableBlock("part", "it has no kind")),
        (7, UnreadableBlock("part", "it has no kind")),
    ],
)  # fmt: skip
def test_each_kind_of_part(part: object, block: object) -> None:
    assert read_answer({"content": [part]}) == RemoteAnswer(blocks=(block,))  # type: ignore[arg-type]  # a block, by the table


def test_a_server_that_asks_instead_of_answering_has_failed() -> None:
    answer = read_answer({"resultType": "input_required", "inputRequests": {}})
    assert answer.failed
    assert answer.blocks == (UnreadableBlock("answer", "it asks for input, which nobody here can give"),)


def test_structured_content_beyond_reason_is_left_out() -> None:
    value: Any = 1
    for _ in range(500):
        value = {"a": value}
    answer = read_answer({"content": ["a"], "structuredContent": value})
    assert answer.structured is None
    assert answer.blocks[1:] == (UnreadableBlock("structured content", "it is nested deeper than 100 levels"),)


json_values = st.recursive(
    st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=1), inner, max_size=2),
)


def depth(value: Any) -> int:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, children), default=0)


@given(json_values, st.integers(0, 8))
def test_the_depth_is_that_of_the_deepest_value(value: Any, levels: int) -> None:
    assert is_deeper(value, levels) == (depth(value) > levels)


def test_no_depth_is_too_deep_to_be_told() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    assert is_deeper(value)
