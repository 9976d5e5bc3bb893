"""The names of remote tools, against the rules that they must keep whatever servers call theirs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.remote_names import hashed, name_all, plain, sanitise
from mmtools.errors import DefinitionError

VALID = re.compile(r"\A[A-Za-z0-9_-]{1,64}\Z")

#: Parts that are close to one another, so that many of them clash; and any text at all, halves of characters too.
close = st.text(alphabet="ab_-. é", max_size=5)
anything = st.text(alphabet=st.characters(exclude_categories=()), max_size=90)
parts = st.one_of(close, close, anything, st.text(alphabet="ab", min_size=40, max_size=90))
pairs = st.lists(st.tuples(parts, parts), unique=True, max_size=12)


@given(pairs)
def test_every_name_is_valid_unique_and_in_the_order_given(tools: list[tuple[str, str]]) -> None:
    names = name_all(tools)
    assert list(names) == tools
    assert len(set(names.values())) == len(tools)
    for name in names.values():
        assert VALID.match(name), name
        assert "__" in name


@given(pairs, st.randoms(use_true_random=False))
def test_no_name_depends_on_the_order(tools: list[tuple[str, str]], random: object) -> None:
    shuffled = list(tools)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a `random.Random`
    assert name_all(shuffled) == name_all(tools)


@given(pairs)
def test_a_tool_that_needs_no_other_name_keeps_its_own(tools: list[tuple[str, str]]) -> None:
    for (server, tool), name in name_all(tools).items():
        if sanitise(server) == server and sanitise(tool) == tool and len(server) + len(tool) <= 62:
            assert name == f"{server}__{tool}"


@given(pairs)
def test_names_offered_once_more_under_one_server_stay_valid_and_unique(tools: list[tuple[str, str]]) -> None:
    again = name_all(("relay", name) for name in name_all(tools).values())
    assert len(set(again.values())) == len(tools)
    assert all(VALID.match(name) for name in again.values())


@given(parts)
def test_sanitising_is_done_once(part: str) -> None:
    once = sanitise(part)
    assert sanitise(once) == once
    assert re.fullmatch(r"[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*", once)


@given(st.tuples(parts, parts), st.tuples(parts, parts))
def test_two_tools_have_two_hashes(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert (hashed(*one)[-8:] == hashed(*other)[-8:]) == (one == other)


@given(parts, parts, st.integers(1, 40))
def test_a_hashed_name_is_valid_at_every_length_of_the_hash(server: str, tool: str, rounds: int) -> None:
    assert VALID.match(hashed(server, tool, rounds=rounds))


def test_names_that_collide_or_split_badly() -> None:
    tools = [
        ("files", "read-file"),
        ("files", "read_file"),
        ("files", "read.file"),
        ("a", "b__c"),
        ("a__b", "c"),
        ("acme_", "status"),
        ("acme", "_status"),
        ("bash", "bash"),
    ]
    names = name_all(tools)
    assert names == name_all(reversed(tools))
    assert names["files", "read-file"] == "files__read-file"
    assert names["files", "read_file"] == "files__read_file"
    assert re.fullmatch("files__read_file_[0-9a-f]{8}", names["files", "read.file"])
    assert names["a", "b__c"] == "a__b_c"
    assert names["a__b", "c"] == "a_b__c"
    assert {re.sub("[0-9a-f]{8}$", "#", names[pair]) for pair in tools[5:7]} == {"acme__status_#"}
    assert names["bash", "bash"] == "bash__bash"
    assert len(set(names.values())) == len(tools)


def test_a_tool_named_like_anothers_hash_keeps_its_name() -> None:
    taken = hashed("files", "read.file").removeprefix("files__")
    names = name_all([("files", "read_file"), ("files", "read.file"), ("files", taken)])
    assert names["files", taken] == f"files__{taken}"
    assert re.fullmatch("files__read_file_[0-9a-f]{16}", names["files", "read.file"])


def test_even_a_server_that_takes_every_hash_ends() -> None:
    taken = [hashed("files", "read.file", rounds=rounds).removeprefix("files__") for rounds in range(1, 20)]
    names = name_all([("files", "read_file"), ("files", "read.file"), *(("files", each) for each in taken)])
    assert len(set(names.values())) == 21


def test_a_long_name_keeps_something_of_both_parts() -> None:
    name = plain("server" * 20, "tool" * 20)
    assert len(name) == 64
    assert re.fullmatch("(server)+__(tool)+[to]*_[0-9a-f]{8}", name)
    assert plain("s", "t" * 61) == f"s__{'t' * 61}"
    assert len(plain("s", "t" * 62)) == 64


def test_a_part_of_which_nothing_is_left_becomes_a_hash() -> None:
    assert re.fullmatch("[0-9a-f]{8}", sanitise("___"))
    assert sanitise("é") != sanitise("ü")


def test_the_same_tool_twice_is_a_bug() -> None:
    with pytest.raises(DefinitionError, match="server 'a' has two tools named 'b'"):
        name_all([("a", "b"), ("a", "b")])
