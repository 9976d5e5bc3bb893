"""Answers of remote tools as text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import Media
from mmtools.ports.remote_tool_problems import (
    CallRefused,
    ConnectionLost,
    DiesTooOften,
    Interrupted,
    NoAnswer,
    NotConnected,
    RemoteToolProblem,
    RemoteToolsClosed,
)
from mmtools.ports.remote_tools import Block, Link, MediaBlock, RemoteAnswer, TextBlock, UnreadableBlock
from mmtools.tools.wording.remote import media, no_answer, shown, timed_out

PNG = b"\x89PNG\r\n\x1a\n"
NOTHING = "[the tool answered, with no content]"
FAILED = "[error: the server reports that the call failed]"

texts = st.text(max_size=30)
blocks: st.SearchStrategy[Block] = st.one_of(
    st.builds(TextBlock, texts, texts),
    st.builds(MediaBlock, texts, st.binary(max_size=20), texts),
    st.builds(Link, texts, texts, texts, texts),
    st.builds(UnreadableBlock, texts, texts),
)
answers = st.builds(
    RemoteAnswer,
    blocks=st.lists(blocks, max_size=5).map(tuple),
    structured=st.none() | st.dictionaries(texts, st.none() | st.integers() | texts, max_size=3),
    failed=st.booleans(),
)


@given(answers, st.integers(0, 200))
def test_an_answer_is_never_empty_or_cut_in_silence(answer: RemoteAnswer, max_output: int) -> None:
    whole, cut = shown(answer, 10**6), shown(answer, max_output)
    assert whole.text.strip()
    assert cut.text.strip()
    assert not whole.truncated
    if cut.truncated:
        kept, _, note = cut.text.rpartition("[… ")
        assert int(note.split(" ")[0]) > 0
        assert whole.text.startswith(kept[:max_output].removesuffix("\n"))
        assert len(kept) <= max_output + 1
    else:
        assert cut == whole
    assert (FAILED in cut.text) or not answer.failed


@given(answers)
def test_every_text_and_every_medium_has_its_place(answer: RemoteAnswer) -> None:
    text = shown(answer, 10**6).text
    if text == NOTHING:
        assert not any(isinstance(block, TextBlock) and block.text.strip() for block in answer.blocks)
        return
    for block in answer.blocks:
        if isinstance(block, TextBlock) and block.text.strip():
            assert block.text in text
        elif isinstance(block, MediaBlock):
            assert f"{len(block.data)} bytes]" in text


@pytest.mark.parametrize(
    ("block", "text"),
    [
        (TextBlock("a\nb\n"), "a\nb\n"),
        (TextBlock("t", "a:b"), "[resource a:b]\nt"),
        (TextBlock("", "a:b"), "[resource a:b]\n[it is empty]"),
        (MediaBlock("image/webp", PNG), "[image: image/png, 8 bytes]"),
        (MediaBlock("audio/x-odd", b"\x01"), "[audio: audio/x-odd, 1 bytes]"),
        (MediaBlock("", b"\x01"), "[application: application/octet-stream, 1 bytes]"),
        (MediaBlock("application/gzip", b"\x01", "a:b"), "[resource a:b: application/gzip, 1 bytes]"),
        (Link("a:b"), "[link to the resource a:b]"),
        (Link("a:b", "n", "d\nd", "m/t"), "[link to the resource a:b: n, m/t, d d]"),
        (UnreadableBlock("video", "no such kind"), "[video left out: no such kind]"),
    ],
)
def test_each_kind_of_part(block: Block, text: str) -> None:
    assert shown(RemoteAnswer(blocks=(block,)), 1000).text == text


@pytest.mark.parametrize(
    ("texts", "structured", "text"),
    [
        ([], {"a": 1}, '{"a": 1}'),
        (["22 degrees"], {"celsius": 22}, '22 degrees\n{"celsius": 22}'),
        (['{ "b": [1, null],\n"a": "é"}'], {"a": "é", "b": [1, None]}, '{ "b": [1, null],\n"a": "é"}'),
        (["3"], {"result": 3}, "3"),
        (["three"], {"result": "three"}, "three"),
        (["true"], {"result": 1}, 'true\n{"result": 1}'),
        (["hello\n"], {"content": "hello\n"}, "hello\n"),
        (["a", '{"b": 1}'], {"result": ["a", {"b": 1}]}, 'a\n{"b": 1}'),
        (["a"], {"result": ["a", "b"]}, 'a\n{"result": ["a", "b"]}'),
        (["b", "a"], {"result": ["a", "b"]}, 'b\na\n{"result": ["a", "b"]}'),
        (["a"], {"content": "a", "size": 1}, 'a\n{"content": "a", "size": 1}'),
        ([], [], "[]"),
        ([], {"a": "\ud800"}, '{"a": "?"}'),
    ],
)
def test_structured_content_is_shown_where_no_text_says_the_same(
    texts: list[str], structured: object, text: str
) -> None:
    answer = RemoteAnswer(blocks=tuple(map(TextBlock, texts)), structured=structured)
    assert shown(answer, 1000).text == text


def test_a_text_of_any_depth_is_shown() -> None:
    text = "[" * 990 + "]" * 990
    answer = RemoteAnswer(blocks=(TextBlock(text),), structured={"a": 1})
    assert shown(answer, 10_000).text == f'{text}\n{{"a": 1}}'


@pytest.mark.parametrize("texts", [[], [""], [" \n"], ["", ""]])
def test_nothing_is_a_note(texts: list[str]) -> None:
    assert shown(RemoteAnswer(blocks=tuple(map(TextBlock, texts))), 1000).text == NOTHING


def test_a_failure_without_a_word_is_a_failure() -> None:
    assert shown(RemoteAnswer(failed=True), 1000).text == FAILED


def test_the_marker_of_a_failure_is_never_cut() -> None:
    answer = RemoteAnswer(blocks=(TextBlock("x" * 50),), failed=True)
    assert (
        shown(answer, 10).text == f"xxxxxxxxxx\n[… 40 more characters are left out; ask for less at a time]\n{FAILED}"
    )


def test_media_for_a_model_are_pictures_sounds_and_videos() -> None:
    answer = RemoteAnswer(
        blocks=(
            TextBlock("a"),
            MediaBlock("text/plain", PNG),
            MediaBlock("audio/wav", b"\x01"),
            MediaBlock("application/zip", b"\x01"),
            MediaBlock("image/png", b""),
            MediaBlock("image/jpeg", PNG, "a:b"),
        )
    )
    assert media(answer) == (Media("image/png", PNG), Media("audio/wav", b"\x01"), Media("image/png", PNG))


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (NotConnected("s", "no route"), "[t: not called: the MCP server s is not there (no route); try once more later, or use other tools]"),
        (DiesTooOften("s", "exit status 1", last_words="boo"), "[t: not called: the MCP server s ended too often to be started again now (exit status 1: boo); use other tools]"),
        (ConnectionLost("s", "exit status 1"), "[t: the MCP server s ended, or the connection to it, during the call (exit status 1); it may have done part of the work. The next call starts anew]"),
        (CallRefused("s", "no such tool"), "[t: the MCP server s refused the call: no such tool]"),
        (Interrupted("s"), "[t: the call was cancelled; the MCP server s may have done part of the work]"),
        (RemoteToolsClosed("s"), "[t: not called: the session is closed]"),
        (RemoteToolProblem("s", "odd"), "[t: the MCP server s gave no answer: odd]"),
    ],
)  # fmt: skip
def test_each_problem_names_the_server_and_what_to_do(problem: RemoteToolProblem, text: str) -> None:
    assert no_answer(problem, "t") == text


def test_a_timeout_says_how_long_it_was() -> None:
    assert timed_out(NoAnswer("s", 0.5)).startswith("[error: 0.5s timeout exceeded; the MCP server s was told to stop")
