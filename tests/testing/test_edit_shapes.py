"""Correct edit functions of every shape: understood, or told how to be adapted; never accused of a wrong edit."""

from __future__ import annotations

import asyncio
import functools
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from mmtools.errors import DefinitionError
from mmtools.testing.conformance.edit_vectors import VECTORS, Edits, as_json
from mmtools.testing.conformance.edits import (
    Counterexample,
    EditFunction,
    WrongShape,
    check_edit_function,
    expected_result,
)


def sound(text: str, edits: Edits) -> str | None:
    """Apply the rules by the book."""
    result = expected_result(text, edits)
    return result if isinstance(result, str) else None


def message(text: str, edits: Edits) -> str:
    return sound(text, edits) or ("" if sound(text, edits) == "" else "Error: the edits do not fit")


@frozen
class Result:
    text: str | None


class Editor:
    def apply(self, text: str, edits: Edits) -> str | None:
        return sound(text, edits)

    def __call__(self, text: str, edits: Edits) -> str | None:
        return sound(text, edits)


async def later(text: str, edits: Edits) -> str | None:
    await asyncio.sleep(0)
    return sound(text, edits)


async def later_with_count(text: str, edits: Edits) -> tuple[str, int]:
    return with_count(text, edits)


def with_count(text: str, edits: Edits) -> tuple[str, int]:
    result = sound(text, edits)
    return (text, 0) if result is None else (result, len(edits))


def with_count_or_none(text: str, edits: Edits) -> tuple[str, int] | None:
    result = sound(text, edits)
    return None if result is None else (result, len(edits))


def with_optional_arguments(text: str, edits: Edits, strict: bool = True, **options: object) -> str | None:
    return sound(text, edits)


def of_strings(text: str, old: str, new: str) -> str | None:
    return sound(text, [(old, new)])


def of_one(text: str, edits: Edits) -> str | None:
    return sound(text, edits) if len(edits) == 1 else None


def of_one_or_raises(text: str, edits: Edits) -> str | None:
    if len(edits) > 1:
        raise NotImplementedError("one edit at a time")
    return sound(text, edits)


@pytest.mark.parametrize(
    "function",
    [
        later,
        later_with_count,
        with_count,
        with_count_or_none,
        with_optional_arguments,
        Editor().apply,
        Editor(),
        functools.partial(with_optional_arguments, strict=False),
        lambda text, edits: sound(text, edits) or (sound(text, edits) if sound(text, edits) == "" else Result(None)),
    ],
)
def test_what_is_understood_passes(function: EditFunction) -> None:
    check_edit_function(function, examples=30)


def of_one_with_an_option(text: str, edits: Edits, strict: bool = True) -> str | None:
    return of_one(text, edits)


def of_strings_with_an_option(text: str, old: str, new: str, replace_all: bool = False) -> str | None:
    return of_strings(text, old, new)


@pytest.mark.parametrize(
    "function", [of_strings, of_strings_with_an_option, of_one, of_one_or_raises, of_one_with_an_option]
)
def test_a_function_for_one_edit_passes_by_its_option(function: EditFunction) -> None:
    check_edit_function(function, shape="one", examples=30)


def is_error(answer: str) -> bool:
    return answer.startswith("Error: ")


def test_a_function_that_refuses_by_a_message_passes_by_its_option() -> None:
    check_edit_function(message, refusal=is_error, examples=30)
    check_edit_function(
        lambda text, edits: None if edits[0][0] == "" else message(text, edits), refusal=is_error, examples=30
    )
    check_edit_function(lambda text, old, new: message(text, [(old, new)]), shape="one", refusal=is_error, examples=30)


def of_dictionaries(text: str, edits: Any) -> str | None:
    return sound(text, [(edit["old"], edit["new"]) for edit in edits])


def by_path(path: str, edits: Edits) -> None:
    Path(path).write_text(str(sound(Path(path).read_text(), edits)))


def by_file(file: str, edits: Edits) -> None:
    Path(file).write_text(str(sound(Path(file).read_text(), edits)))


def by_real_path(where: Path, edits: Edits) -> None:
    where.write_text(str(sound(where.read_text(), edits)))


def in_pieces(text: str, edits: Edits) -> Iterator[str]:
    yield sound(text, edits) or ""


def with_keywords(text: str, *, old: str, new: str) -> str | None:
    return of_strings(text, old, new)


def with_problem(text: str, edits: Edits) -> tuple[str | None, str | None]:
    result = sound(text, edits)
    return (None, "it does not fit") if result is None else (result, None)


def as_it_was(text: str, edits: Edits) -> str:
    result = sound(text, edits)
    return text if result is None else result


OTHER_SHAPES: list[tuple[Any, str]] = [
    (of_strings, r'of_strings takes \(text, old, new\), .*shape="one"'),
    (of_one, 'shape="one"'),
    (of_one_or_raises, 'shape="one"'),
    (as_it_was, "returns the text as it was where it should refuse.*== text else new`"),
    (message, "'Error: the edits do not fit' .* pass `refusal=`"),
    (lambda text, edits: (sound(text, edits) or "").encode(), r"bytes.*\.decode\(\)`"),
    (lambda text, edits: Result(sound(text, edits)), r"of the type Result.*function\(text, edits\)\.text`"),
    (lambda text, edits: {"ok": True, "text": sound(text, edits)}, r"a dict with 'ok', 'text'.*edits\)\['text'\]`"),
    (with_problem, r"no \(text, count\).*with_problem\(text, edits\)\[0\]`"),
    (lambda text, edits: (True, sound(text, edits)), r"edits\)\[1\]`"),
    (lambda text, edits: True, "of the type bool"),
    (in_pieces, "of the type generator"),
    (of_dictionaries, r"raised TypeError.*edits of another kind"),
    (lambda edits, text: sound(text, edits), r"another order: check `lambda text, edits: function\(edits, text\)`"),
    (None, "None is no function"),
    (lambda text, edits: sound(text, [(edit.old, edit.new) for edit in edits]), "raised AttributeError"),
    (lambda text, edits: sound(text, [(old, new) for old, new, _ in edits]), "raised ValueError"),
    (Editor.apply, r"takes \(self, text, edits\)"),
    (lambda text: text, r"takes \(text\), and is called with a text and a list"),
    (with_keywords, r"takes \(text, old, new\).*wrap it"),
    (by_path, "by_path takes the path of a file"),
    (by_real_path, "by_real_path takes the path of a file"),
    (by_file, "raised FileNotFoundError.* by its path, write the text to a file"),
]


@pytest.mark.parametrize(("function", "words"), OTHER_SHAPES)
def test_another_shape_is_told_in_one_sentence_with_what_to_do(function: EditFunction, words: str) -> None:
    with pytest.raises(WrongShape, match=words) as caught:
        check_edit_function(function, examples=10)
    assert isinstance(caught.value, DefinitionError)
    assert "\n" not in str(caught.value)


def test_another_order_of_strings_is_told_with_the_right_one() -> None:
    def changed(old: str, new: str, text: str) -> str | None:
        return sound(text, [(old, new)])

    with pytest.raises(WrongShape, match=r"check `lambda text, old, new: changed\(old, new, text\)`"):
        check_edit_function(changed, shape="one")


def test_an_option_that_is_none_is_refused() -> None:
    wrong: Any = "two"
    with pytest.raises(DefinitionError, match="'original', 'one'"):
        check_edit_function(sound, shape=wrong)
    with pytest.raises(DefinitionError, match="'exact', 'view'"):
        check_edit_function(sound, newlines=wrong)


def reaches(function: EditFunction, **options: Any) -> type[Exception] | None:
    try:
        check_edit_function(function, examples=10, **options)
    except (Counterexample, WrongShape) as found:
        return type(found)
    return None


WRAPPERS: list[Callable[[object], object]] = [
    lambda answer: answer,
    lambda answer: None if answer is None else (answer, 1),
    lambda answer: (answer, None),
    lambda answer: (1, answer),
    lambda answer: [answer],
    lambda answer: {"new": answer},
    lambda answer: Result(answer if isinstance(answer, str) else None),
    lambda answer: "refused: no such place" if answer is None else answer,
    lambda answer: None if answer is None else str(answer).encode(),
    lambda answer: 404 if answer is None else answer,
    lambda answer: "FAILED" if answer is None else (answer, 3),
]


@pytest.mark.parametrize("number", range(len(WRAPPERS)))
def test_no_way_to_hand_out_right_answers_is_called_a_wrong_edit(number: int) -> None:
    wrap = WRAPPERS[number]

    async def coroutine(text: str, edits: Edits) -> object:
        return wrap(sound(text, edits))

    functions: list[EditFunction] = [
        lambda text, edits: wrap(sound(text, edits)),
        coroutine,
        lambda text, old, new: wrap(sound(text, [(old, new)])),
        lambda text, edits: wrap(sound(text, edits) if len(edits) < 2 else None),
    ]
    for function in functions:
        assert reaches(function) is not Counterexample
    assert reaches(functions[2], shape="one") is not Counterexample


def test_a_wrong_function_of_another_shape_is_still_found() -> None:
    async def replacing(text: str, edits: Edits) -> tuple[str, int]:
        for old, new in edits:
            text = text.replace(old, new)
        return text, 1

    with pytest.raises(Counterexample, match="occurs more than once"):
        check_edit_function(replacing, examples=10)
    with pytest.raises(Counterexample, match="an empty `old` is refused"):
        check_edit_function(lambda text, old, new: text.replace(old, new), shape="one", examples=10)


def test_a_coroutine_function_is_told_where_it_can_be_checked() -> None:
    async def inside() -> None:
        check_edit_function(later)

    with pytest.raises(WrongShape, match=r"asyncio\.to_thread"):
        asyncio.run(inside())

    async def beside() -> None:
        await asyncio.to_thread(check_edit_function, later, examples=10)

    asyncio.run(beside())


WITHOUT_HYPOTHESIS = """
import sys
sys.modules["hypothesis"] = None
import mmtools.testing.conformance.edit_vectors as vectors
assert vectors.VECTORS
for name in ("strategies", "payloads", "conformance.edits", "conformance.files"):
    try:
        __import__(f"mmtools.testing.{name}")
    except ModuleNotFoundError as missing:
        print(missing)
"""


def test_the_vectors_are_data_without_hypothesis_and_the_rest_says_what_to_install() -> None:
    ended = subprocess.run([sys.executable, "-c", WITHOUT_HYPOTHESIS], capture_output=True, text=True, check=True)
    lines = ended.stdout.splitlines()
    assert lines == ["this part of mmtools.testing needs the package hypothesis: pip install hypothesis"] * 4


def test_the_vectors_are_written_as_json() -> None:
    read = json.loads(as_json())
    assert as_json().isascii()
    assert [(case["rule"], case["text"], case["result"], case["newlines"]) for case in read] == [
        (vector.rule, vector.text, vector.result, vector.newlines) for vector in VECTORS
    ]
    assert [[tuple(edit) for edit in case["edits"]] for case in read] == [vector.edits for vector in VECTORS]
