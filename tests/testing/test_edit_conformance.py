"""The suite finds what is wrong with an edit function, and shows it in one small case."""

from __future__ import annotations

import contextlib
import io
import re
import unicodedata
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from mmtools.core.edits import Applied, Replacement, resolve
from mmtools.testing.conformance.edit_characters import ROWS, SEQUENCES
from mmtools.testing.conformance.edit_vectors import VECTORS, Newlines, Vector
from mmtools.testing.conformance.edits import (
    Counterexample,
    Damage,
    EditFunction,
    EditRefused,
    MustRefuse,
    check_edit_function,
    expected_result,
)
from mmtools.testing.strategies import Edits

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "test-your-own-edit-function.md"


def sound(text: str, edits: Edits) -> str | None:
    """Resolve against the original; a `\\r` is a character like any other."""
    cuts: list[tuple[int, int, str]] = []
    for old, new in edits:
        start = text.find(old)
        if not old or start < 0 or text.find(old, start + 1) >= 0:
            return None
        cuts.append((start, start + len(old), new))
    cuts.sort()
    result, done = "", 0
    for start, end, new in cuts:
        if start < done:
            return None
        result, done = result + text[done:start] + new, end
    return result + text[done:]


def ours(text: str, edits: Edits) -> str | None:
    found = resolve(text, [Replacement(old, new) for old, new in edits])
    return found.text if isinstance(found, Applied) else None


def raising(text: str, edits: Edits) -> str:
    result = sound(text, edits)
    if result is None:
        raise EditRefused
    return result


def raising_its_own(text: str, edits: Edits) -> str:
    result = sound(text, edits)
    if result is None:
        raise ValueError("refused")
    return result


def test_a_sound_function_passes() -> None:
    check_edit_function(sound)
    check_edit_function(raising, examples=50)
    check_edit_function(raising_its_own, refusals=(ValueError, KeyError), examples=50)


def test_our_own_function_passes_on_the_view() -> None:
    check_edit_function(ours, newlines="view")


@pytest.mark.parametrize("newlines", ["exact", "view"])
def test_the_vectors_and_the_plain_rules_agree(newlines: Newlines) -> None:
    def expected(vector: Vector) -> str | None:
        result = expected_result(vector.text, vector.edits, newlines=newlines)
        return None if isinstance(result, MustRefuse) else result

    held = [vector for vector in VECTORS if vector.newlines in (None, newlines)]
    assert [vector for vector in held if expected(vector) != vector.result] == []


def test_no_two_vectors_are_the_same() -> None:
    keys = [(vector.text, tuple(vector.edits), vector.newlines) for vector in VECTORS]
    assert len(keys) == len(set(keys))


# Wrong functions, each as somebody once wrote it.


def cascade(text: str, edits: Edits) -> str | None:
    for old, new in edits:
        if sound(text, [(old, new)]) is None:
            return None
        text = text.replace(old, new)
    return text


def first_of_several(text: str, edits: Edits) -> str | None:
    cuts = []
    for old, new in edits:
        if not old or old not in text:
            return None
        cuts.append((text.index(old), old, new))
    for start, old, new in sorted(cuts, reverse=True):
        text = text[:start] + new + text[start + len(old) :]
    return text


def trimming(text: str, edits: Edits) -> str | None:
    return sound(text, [(old.strip() or old, new) for old, new in edits])


def trimming_the_new(text: str, edits: Edits) -> str | None:
    return sound(text, [(old, new.rstrip()) for old, new in edits])


def expanding_tokens(text: str, edits: Edits) -> str | None:
    return sound(text, [(old, new.replace("$$", "$").replace("$&", old)) for old, new in edits])


def as_a_pattern(text: str, edits: Edits) -> str | None:
    matches = [re.search(old, text) for old, _ in edits]
    return sound(text, [(match[0] if match else old, new) for match, (old, new) in zip(matches, edits, strict=True)])


def counting_apart(text: str, edits: Edits) -> str | None:
    if any(text.count(old) != 1 for old, _ in edits):
        return None
    return sound(text, edits) or first_of_several(text, edits)


def dropping_overlaps(text: str, edits: Edits) -> str | None:
    kept: Edits = []
    for edit in edits:
        if sound(text, [edit]) is None:
            return None
        if sound(text, [*kept, edit]) is not None:
            kept.append(edit)
    return sound(text, kept)


def refusing_to_touch(text: str, edits: Edits) -> str | None:
    spans = sorted((text.find(old), text.find(old) + len(old)) for old, _ in edits)
    if any(first[1] >= second[0] for first, second in pairwise(spans)):
        return None
    return sound(text, edits)


def shifting_offsets(text: str, edits: Edits) -> str | None:
    if sound(text, edits) is None:
        return None
    original, shift = text, 0
    for old, new in edits:
        start = original.index(old) + shift
        text = text[:start] + new + text[start + len(old) :]
        shift += len(new) - len(old)
    return text


def accepting_the_empty(text: str, edits: Edits) -> str | None:
    if edits == [("", edits[0][1])] and not text:
        return edits[0][1]
    return sound(text, edits)


def applying_what_it_can(text: str, edits: Edits) -> str | None:
    return sound(text, [edit for edit in edits if sound(text, [edit]) is not None] or edits)


def flipping_endings(text: str, edits: Edits) -> str | None:
    result = sound(text.replace("\r\n", "\n"), edits)
    return None if result is None else result.replace("\n", "\r\n") if text.count("\r\n") > 1 else result


def ending_with_a_newline(text: str, edits: Edits) -> str | None:
    result = sound(text, edits)
    return f"{result}\n" if result and not result.endswith("\n") else result


def composing(text: str, edits: Edits) -> str | None:
    return sound(text, [(unicodedata.normalize("NFKC", old), new) for old, new in edits]) or sound(
        unicodedata.normalize("NFC", text), edits
    )


def by_splitlines(text: str, edits: Edits) -> str | None:
    return sound("\n".join(text.splitlines()) + "\n" * text.endswith("\n"), edits)


def forgetting_the_fourth(text: str, edits: Edits) -> str | None:
    return None if sound(text, edits) is None else sound(text, edits[:3])


def unescaping(text: str, edits: Edits) -> str | None:
    return sound(text, [(old, new.replace("\\t", "\t")) for old, new in edits])


def ending_at_a_nul(text: str, edits: Edits) -> str | None:
    result = sound(text, edits)
    return None if result is None else result.partition("\0")[0]


def comparing_neighbours_as_sent(text: str, edits: Edits) -> str | None:
    if any(sound(text, list(pair)) is None for pair in pairwise(edits)) or sound(text, edits[:1]) is None:
        return None
    return first_of_several(text, edits)


WRONG: tuple[EditFunction, ...] = (cascade, first_of_several, trimming_the_new, counting_apart, flipping_endings)


@pytest.mark.parametrize(
    ("function", "text", "edits", "expected", "got"),
    [
        (cascade, "a", [("a", "b"), ("b", "c")], None, "c"),
        (first_of_several, "aa", [("a", "b")], None, "ba"),
        (trimming, "a", [(" a", "b")], None, "b"),
        (trimming_the_new, "a", [("a", "b ")], "b ", "b"),
        (expanding_tokens, "a", [("a", "$$")], "$$", "$"),
        (as_a_pattern, "a", [(".", "b")], None, "b"),
        (counting_apart, "aaa", [("aa", "b")], None, "ba"),
        (dropping_overlaps, "a", [("a", "b"), ("a", "c")], None, "b"),
        (refusing_to_touch, "ab", [("a", "b"), ("b", "a")], "ba", None),
        (shifting_offsets, "abc", [("b", ""), ("c", "d"), ("a", "ee")], "eed", "aeead"),
        (accepting_the_empty, "", [("", "a")], None, "a"),
        (applying_what_it_can, "a", [("a", "b"), ("", "c")], None, "b"),
        (flipping_endings, "a\r\n", [("a", "b")], "b\r\n", "b\n"),
        (ending_with_a_newline, "a", [("a", "b")], "b", "b\n"),
        (composing, "e\u0301", [("\u00e9", "b")], None, "b"),
        (by_splitlines, "a\rb", [("a\nb", "c")], None, "c"),
        (forgetting_the_fourth, "0123", [("0", ""), ("1", ""), ("2", ""), ("3", "")], "", "3"),
        (unescaping, r"\told\t", [("old", r"\t")], r"\t\t\t", "\\t\t\\t"),
        (ending_at_a_nul, f"{ROWS[0]}old{ROWS[0]}", [("old", ROWS[0])], ROWS[0] * 3, ""),
        (comparing_neighbours_as_sent, "abcd", [("ab", "e"), ("d", "f"), ("bc", "g")], None, "ef"),
    ],
)
def test_a_wrong_function_is_shown_the_smallest_case(
    function: EditFunction, text: str, edits: Edits, expected: str | None, got: str | None
) -> None:
    with pytest.raises(Counterexample) as caught:
        check_edit_function(function)
    found = caught.value
    assert (found.text, found.edits) == (text, edits)
    assert (None if isinstance(found.expected, MustRefuse) else found.expected) == expected
    assert found.got == got
    assert found.got == function(text, edits) != expected
    assert not getattr(found, "__notes__", [])


def test_the_message_shows_the_rule_the_case_and_both_answers() -> None:
    with pytest.raises(Counterexample) as caught:
        check_edit_function(first_of_several)
    case = (
        "an `old` that occurs more than once is refused\n"
        "  text      'aa'\n"
        "  edits     [('a', 'b')]\n"
        "  expected  a refusal: the old text of edit 1 occurs 2 times\n"
        "  got       'ba'"
    )
    assert f"it applies what must be refused: {case}\n\n" in str(caught.value)
    caught.value.others = ()
    assert str(caught.value) == case


def test_a_refusal_of_what_must_apply_is_shown_too() -> None:
    with pytest.raises(Counterexample) as caught:
        check_edit_function(lambda text, edits: None)
    _, first, *_ = str(caught.value).split("\n\n")
    assert first.endswith("expected  'b'\n  got       a refusal")
    assert {found.damage for found in (caught.value, *caught.value.others)} == {Damage.REFUSED}


@pytest.mark.parametrize("newlines", ["exact", "view"])
def test_the_other_way_with_line_endings_is_caught(newlines: Newlines) -> None:
    function = ours if newlines == "exact" else sound
    with pytest.raises(Counterexample) as caught:
        check_edit_function(function, newlines=newlines)
    assert caught.value.text == "a\r\nb"
    assert caught.value.edits == [("a\nb", "c")]


def test_an_exception_that_is_no_refusal_comes_out_with_its_case() -> None:
    with pytest.raises(ValueError, match="refused") as caught:
        check_edit_function(raising_its_own)
    assert "for text '' and edits [('', 'a')]" in caught.value.__notes__[0]


def test_a_function_may_do_to_its_list_what_it_likes() -> None:
    def emptying(text: str, edits: Edits) -> str | None:
        result = sound(text, edits)
        edits.clear()
        return result

    check_edit_function(emptying, examples=20)


Likeness: TypeAlias = Callable[[str, Edits], bool]


def with_edits(count: int) -> Likeness:
    return lambda _, edits: len(edits) == count


def longer_than(size: int) -> Likeness:
    return lambda text, _: len(text) > size


def with_breaks(count: int) -> Likeness:
    return lambda text, _: text.count("\n") >= count


#: What a case is like, where a function goes wrong in no other.
LIKE: tuple[Likeness, ...] = (
    *map(with_edits, (1, 2, 3, 4, 6)),
    *map(longer_than, (10, 50, 100, 250)),
    *map(with_breaks, (1, 2, 3, 6, 10)),
    lambda _, edits: any(len(new) > 50 for _, new in edits),
    lambda _, edits: any(len(old) > 50 for old, _ in edits),
    lambda _, edits: any("\n" in new and "\n" not in old for old, new in edits),
    lambda _, edits: any("\n" in old and "\n" not in new for old, new in edits),
    lambda _, edits: any(old != new and old in new for old, new in edits),
    lambda _, edits: any(old != new and new in old for old, new in edits),
    lambda text, edits: any(new and new in text for _, new in edits),
    lambda text, edits: any(not text[: max(text.find(old), 0)].isascii() for old, _ in edits),
)

#: The largest first: they tell most.
SHARP = [vector for vector in reversed(VECTORS) if vector.newlines != "view"]


def is_told(function: Callable[[str, Edits], str | None]) -> bool:
    """Whether a sharp case alone shows that a function is wrong."""
    return any(function(vector.text, vector.edits) != vector.result for vector in SHARP)


@pytest.mark.parametrize("fits", LIKE)
def test_a_function_that_is_wrong_in_one_kind_of_case_is_told(fits: Likeness) -> None:
    def refusing(text: str, edits: Edits) -> str | None:
        return None if fits(text, edits) else sound(text, edits)

    def applying(text: str, edits: Edits) -> str | None:
        result = sound(text, edits)
        return first_of_several(text, edits) if result is None and fits(text, edits) else result

    assert is_told(refusing)
    assert is_told(applying)


def dropping(part: str) -> tuple[Callable[[str, Edits], str | None], ...]:
    """Return functions that leave a part out of one of the three texts, or take no text that has it."""

    def rest(text: str) -> str:
        return text.replace(part, "")

    return (
        lambda text, edits: sound(rest(text), edits),
        lambda text, edits: sound(text, [(old, rest(new)) for old, new in edits]),
        lambda text, edits: sound(text, [(rest(old), new) for old, new in edits]),
        lambda text, edits: None if part in text else sound(text, edits),
    )


def test_a_function_to_which_a_part_of_a_text_means_something_is_told() -> None:
    for part in (*map(chr, range(256)), *"".join(ROWS[16:]), *SEQUENCES):
        assert all(map(is_told, dropping(part))), part


def told(function: EditFunction, **options: Any) -> list[Counterexample]:
    """All that is wrong with a function, in the order of the message."""
    with pytest.raises(Counterexample) as caught:
        check_edit_function(function, **options)
    found = [caught.value, *caught.value.others]
    assert all(one.rule in str(caught.value) and repr(one.text) in str(caught.value) for one in found)
    return sorted(found, key=lambda one: str(caught.value).index(one.case))


def with_lines_of_one_kind(text: str, edits: Edits) -> str | None:
    """Take `aa` in `aaa` as one place, and write every line break of the file as `\\n`."""
    result = counting_apart(text, edits)
    return None if result is None else result.replace("\r\n", "\n")


def crashing_on_patterns(text: str, edits: Edits) -> str | None:
    if any(re.compile(old) is None for old, _ in edits):
        return None
    return flipping_endings(text, edits)


def dropping_the_end(text: str, edits: Edits) -> str | None:
    """Lose the last line of four or more in a short text that has digits; no sharp case is like that."""
    result = sound(text, edits)
    short = text.count("\n") >= 3 and len(text) < 60 and not set(text).isdisjoint("0123")
    return result.rpartition("\n")[0] if short and result is not None else result


def test_a_small_fault_hides_no_large_one() -> None:
    first, *others = told(with_lines_of_one_kind)
    assert first.damage is Damage.OUTSIDE
    assert first.rule == "line breaks that no edit touches keep their ending"
    assert (first.text, first.edits, first.got) == ("a\r\n", [("a", "b")], "b\n")
    small = next(one for one in others if one.rule == "overlapping occurrences count as several")
    assert (small.text, small.damage) == ("aaa", Damage.APPLIED)


@pytest.mark.parametrize("first", WRONG)
def test_of_two_faults_each_is_told(first: EditFunction) -> None:
    """A function with two faults shows the damage of both, wherever the second leaves the first alone."""

    def both(text: str, edits: Edits) -> object:
        return None if text == "a" and edits == [("a", "bb")] else first(text, edits)

    alone = {one.damage for one in told(first)}
    assert alone <= {one.damage for one in told(both)}


def test_what_no_sharp_case_shows_is_searched_for_beside_what_one_shows() -> None:
    def both(text: str, edits: Edits) -> str | None:
        return dropping_the_end(text, edits) if sound(text, edits) is not None else counting_apart(text, edits)

    found = told(both)
    worst, *_ = found
    assert (worst.damage, worst.rule) == (Damage.OUTSIDE, "found by search, and made as small as it would go")
    assert worst.text.count("\n") == 3
    assert [str(one) for one in told(both)] == [str(one) for one in found]


def test_an_exception_hides_no_law_and_no_law_an_exception() -> None:
    found, *_ = told(crashing_on_patterns)
    with pytest.raises(Counterexample, match=r"it raised .*unterminated.*for text '\(' and edits") as caught:
        check_edit_function(crashing_on_patterns)
    assert found.damage is Damage.OUTSIDE
    assert isinstance(caught.value.__cause__, re.error)


def test_every_case_is_as_it_says() -> None:
    for function in WRONG:
        for one in told(function):
            assert one.got == function(one.text, list(one.edits))
            expected = expected_result(one.text, one.edits)
            assert one.expected == expected != one.got
            assert (one.damage is Damage.REFUSED) == (one.got is None)
            assert (one.damage is Damage.APPLIED) == (isinstance(expected, MustRefuse))


def test_the_how_to_page_prints_what_it_says() -> None:
    page = PAGE.read_text(encoding="utf-8")
    printed, space = io.StringIO(), dict[str, object]()
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        with contextlib.redirect_stdout(printed):
            exec(compile(block, str(PAGE), "exec"), space)
    assert printed.getvalue() == "".join(re.findall(r"```text\n(.*?)```", page, re.DOTALL))
