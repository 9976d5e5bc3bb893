"""Options that are known to be harmless: alone, in clusters, with values."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from mmtools.policies.options import Harmless, Verdict

SOME = Harmless(
    options="-abc -n: -U? -# --long --value: --perhaps?",
    values=MappingProxyType({"-n": r"\d+", "--value": "x|y"}),
    operand="[a-z]+",
)
WHOLE = Harmless(options="-name: -print -o", whole=True)


@pytest.mark.parametrize(
    "word",
    [
        "-a",
        "-abc",
        "-cab",
        "-n5",
        "-an5",
        "-U",
        "-U5",
        "-aU",
        "-5",
        "-a12",
        "--long",
        "--value=x",
        "--perhaps",
        "--perhaps=z",
    ],
)
def test_harmless_words(word: str) -> None:
    assert SOME.option(word).harmless


@pytest.mark.parametrize(
    "word", ["-d", "-ad", "-nx", "-5x", "--lon", "--long=x", "--value=z", "--valu=x", "--other", "---long"]
)
def test_words_that_may_act(word: str) -> None:
    assert not SOME.option(word).harmless


def test_a_value_may_be_the_next_word() -> None:
    assert SOME.option("-an") == Verdict(harmless=True, takes_next=True, name="-n")
    assert SOME.option("--value") == Verdict(harmless=True, takes_next=True, name="--value")
    assert SOME.takes("7", "-n")
    assert not SOME.takes("x", "-n")
    assert not SOME.option("--perhaps").takes_next


def test_options_of_one_dash_may_have_several_letters() -> None:
    assert WHOLE.option("-name").takes_next
    assert WHOLE.option("--print").harmless
    assert WHOLE.option("-name=x").harmless
    assert not WHOLE.option("-p").harmless
    assert not WHOLE.option("-nameo").harmless


def test_operands_match_their_pattern_and_every_option_may_be_harmless() -> None:
    assert SOME.is_operand("a")
    assert not SOME.is_operand("A")
    assert not Harmless(runs=True).is_operand("a")
    assert Harmless(every=True).option("-whatever").harmless
