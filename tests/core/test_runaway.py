"""Runaway arguments: found at the right character, however the stream is cut."""

from __future__ import annotations

import argparse
import random
import string
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.runaway import Fine, Runaway, RunawayGuard, Verdict


def feed(guard: RunawayGuard, text: str, pieces: int) -> Verdict:
    """Feed a text in pieces of one size, up to the first that is a runaway."""
    verdict: Verdict = Fine()
    for start in range(0, len(text), pieces):
        verdict = guard.feed(text[start : start + pieces])
        if isinstance(verdict, Runaway):
            break
    return verdict


def first_break(text: str, *, window: int, shortest: int, longest: int, max_bytes: int) -> int | None:
    """Find the first character at which a rule is broken, character by character and period by period."""
    runs = dict.fromkeys(range(shortest, longest + 1), 0)
    size = 0
    for position, char in enumerate(text):
        for period in runs:
            repeats = position >= period and text[position - period] == char
            runs[period] = runs[period] + 1 if repeats else 0
        size += len(char.encode("utf-8", "surrogatepass"))
        if size > max_bytes or any(run >= window - period for period, run in runs.items()):
            return position + 1
    return None


def cut(text: str, sizes: list[int]) -> list[str]:
    pieces = []
    for size in sizes:
        pieces.append(text[:size])
        text = text[size:]
    return [*pieces, text]


#: Texts made of repeated scraps over few letters, so that runs of every length and period come up.
scraps = st.tuples(st.text("ab", min_size=1, max_size=9), st.integers(1, 9)).map(lambda scrap: scrap[0] * scrap[1])
texts = st.lists(scraps | st.text("abé語𝄞\udc00", max_size=5), max_size=12).map("".join)


@given(texts, st.lists(st.integers(0, 40), max_size=20), st.integers(1, 8), st.integers(0, 12), st.integers(0, 300))
def test_the_first_break_is_found_at_its_character_however_the_stream_is_cut(
    text: str, sizes: list[int], shortest: int, wider: int, max_bytes: int
) -> None:
    longest = shortest + wider % 5
    window = 2 * longest + wider
    expected = first_break(text, window=window, shortest=shortest, longest=longest, max_bytes=max_bytes)
    guard = RunawayGuard(window=window, min_pattern=shortest, max_pattern=longest, max_bytes=max_bytes)
    fed = 0
    for piece in cut(text, sizes):
        fed += len(piece)
        verdict = guard.feed(piece)
        if expected is None or fed < expected:
            assert verdict == Fine()
        else:
            assert isinstance(verdict, Runaway)
            assert verdict.characters == expected


@given(st.integers(0, 400), st.integers(1, 70), st.integers(200, 400), st.randoms(use_true_random=False))
def test_the_seeds_numbers_hold_for_every_period_and_offset(
    before: int, period: int, repeated: int, chance: random.Random
) -> None:
    noise = "".join(chance.choices(string.ascii_letters, k=before))
    pattern = "".join(chance.choices("01", k=period - 1)) + "2"
    text = noise + (pattern * (repeated // period + 1))[:repeated] + "END"
    expected = first_break(text, window=256, shortest=4, longest=64, max_bytes=10_000)
    for pieces in (1, 20, len(text)):
        verdict = feed(RunawayGuard(), text, pieces)
        assert (verdict.characters if isinstance(verdict, Runaway) else None) == expected


@pytest.mark.parametrize("period", [1, 2, 3, 4])
@pytest.mark.parametrize("repeated", [10, 11, 12, 13, 17])
def test_a_window_is_found_wherever_it_lies(period: int, repeated: int) -> None:
    """Every offset against the places where the guard looks: no window slips between two of them."""
    for before in range(40):
        noise = "".join(map(chr, range(1000, 1000 + before)))
        text = noise + ("abcd"[:period] * repeated)[:repeated] + "once MORE"
        for pieces in (1, 3, 100):
            verdict = feed(RunawayGuard(window=12, min_pattern=1, max_pattern=4), text, pieces)
            found = verdict.characters if isinstance(verdict, Runaway) else None
            assert found == (before + 12 if repeated >= 12 else None), (before, pieces)


DISTINCT_64 = string.ascii_letters + string.digits + "+/"


@pytest.mark.parametrize("pieces", [1, 7, 4096, 1_000_000])
@pytest.mark.parametrize(
    ("text", "characters"),
    [
        ("abc" * 86, 256),
        (DISTINCT_64 * 4, 256),
        ((DISTINCT_64 + "=") * 4, None),
        ("-" * 255, None),
        ("-" * 256, 256),
        ("0, " * 85, None),
        ("0, " * 86, 256),
        ("\\u0000" * 60, 256),
        ("x" + "\\n" * 128, 257),
        ("語" * 256, 256),
        ("\0" * 300, 256),
    ],
)
def test_one_pattern_of_4_to_64_characters_may_not_fill_the_last_256(
    text: str, characters: int | None, pieces: int
) -> None:
    verdict = feed(RunawayGuard(), text, pieces)
    assert (verdict.characters if isinstance(verdict, Runaway) else None) == characters


def noise(size: int, letters: str = string.ascii_letters + " \n") -> str:
    return "".join(random.Random(1).choices(letters, k=size))


@pytest.mark.parametrize("pieces", [1, 20, 10_000_000])
@pytest.mark.parametrize(
    ("text", "characters"),
    [
        (noise(262_144), None),
        (noise(262_145), 262_145),
        (noise(100_000, "日本語漢字かな"), 262_144 // 3 + 1),
        (noise(65_536, "𝄞😀🎉🧪🦀🐍"), None),
        (noise(65_537, "𝄞😀🎉🧪🦀🐍"), 65_537),
    ],
)
def test_arguments_may_have_256_kilobytes_of_utf8(text: str, characters: int | None, pieces: int) -> None:
    verdict = feed(RunawayGuard(), text, pieces)
    assert (verdict.characters if isinstance(verdict, Runaway) else None) == characters


def test_honest_source_code_is_fine() -> None:
    library = Path(argparse.__file__).read_text(encoding="utf-8")
    for pieces in (20, 1_000_000):
        assert feed(RunawayGuard(), (library * 3)[:200_000], pieces) == Fine()


def test_the_error_shows_the_pattern_and_the_number_of_characters() -> None:
    verdict = RunawayGuard().feed('{"content": "' + "ab\n\x1b[" * 60)
    assert isinstance(verdict, Runaway)
    assert verdict.error == (
        "[error: the model's tool call ran away: its arguments repeat the same pattern "
        f"({verdict.characters} characters so far: ab\\n\\x1b[) — generation stopped; rephrase the request, or try another model]"
    )
    assert verdict.characters == 13 + 256


@pytest.mark.parametrize(
    ("max_bytes", "words"), [(262_144, "256 KB"), (2048, "2 KB"), (1000, "1000 bytes"), (0, "0 bytes")]
)
def test_the_error_of_the_size_names_the_limit(max_bytes: int, words: str) -> None:
    verdict = RunawayGuard(max_bytes=max_bytes).feed(noise(max_bytes + 9))
    assert isinstance(verdict, Runaway)
    assert verdict.error == (
        f"[error: the model's tool call ran away: its arguments exceed {words} ({max_bytes + 1} characters so far) "
        "— generation stopped; rephrase the request, or try another model]"
    )


def test_a_runaway_stays_one_until_reset() -> None:
    guard = RunawayGuard()
    first = guard.feed("-" * 1000)
    assert isinstance(first, Runaway)
    assert guard.feed("") == guard.feed("and then something sensible " * 9) == first
    guard.reset()
    assert guard.feed("-" * 255) == Fine()
    assert isinstance(guard.feed("-"), Runaway)


@pytest.mark.parametrize(
    "numbers",
    [{"window": 100}, {"min_pattern": 0}, {"min_pattern": 65}, {"max_pattern": 129}, {"max_bytes": -1}],
)
def test_numbers_that_make_no_rule_are_refused(numbers: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="max_pattern"):
        RunawayGuard(**numbers)
