"""Calls of an edit function under test, whatever its shape; one sentence on how to adapt it where it has another."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Iterable
from itertools import permutations
from typing import Any, Literal, TypeAlias

from attrs import field, frozen

from mmtools.errors import DefinitionError
from mmtools.testing.conformance.acts import Caught
from mmtools.testing.conformance.edit_vectors import Edits

__all__ = [
    "PLAINEST",
    "Answer",
    "EditCalls",
    "EditFunction",
    "EditRefused",
    "Raised",
    "Shape",
    "WrongShape",
    "is_message",
]

#: Takes a text and its edits, or a text, old and new (`Shape`); may be a coroutine function.
EditFunction: TypeAlias = Callable[..., object]

#: "original": `function(text, edits)`, all edits against the original. "one": `function(text, old, new)`, or a list of one.
Shape: TypeAlias = Literal["original", "one"]

#: The case that every edit function gets right; the line break keeps it from being the path of a file.
PLAINEST: tuple[str, Edits, str] = ("one two\n", [("two", "2")], "one 2\n")

#: First parameters of a function that edits a file instead of a text.
_PATHS = frozenset(("path", "file_path", "filepath", "filename", "file_name"))

_BY_PATH = "write the text to a file, call it, and return what the file then holds"


class EditRefused(Exception):
    """What an edit function may raise to refuse, if it has no exception of its own."""


class WrongShape(DefinitionError):
    """A function that is called or answers in a way that the suite cannot judge; the text says how to adapt it."""


@frozen
class Raised:
    """An exception that is no refusal, and the case for which it was raised."""

    error: Exception
    text: str
    edits: Edits

    @property
    def case(self) -> str:
        """For what it was raised, and what to do when it is a refusal after all."""
        return f"for text {self.text!r} and edits {self.edits!r}; is it a refusal? Then name it in `refusals`."


#: The new text; None for a refusal.
Answer: TypeAlias = str | Raised | None


@frozen(kw_only=True)
class EditCalls:
    """
    A function under test, as it is called.

    Args:
        refusals: The exceptions that mean a refusal.
        refusal: Whether an answer that is not None means a refusal; None for "what is no text".
    """

    function: EditFunction
    shape: Shape
    refusals: tuple[type[Exception], ...]
    refusal: Callable[[Any], bool] | None
    _loop: asyncio.Runner = field(init=False, factory=asyncio.Runner)

    def __enter__(self) -> EditCalls:
        """
        Try the plainest case.

        Raises:
            WrongShape: It cannot be called like this, or answers in a way that cannot be judged.
        """
        try:
            self._check_parameters()
            self._check_answer()
        except WrongShape:
            self._loop.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.close()

    def answer(self, text: str, edits: Edits) -> Answer:
        """Call the function for one case."""
        answer = self._raw(text, edits)
        return answer if isinstance(answer, (str, Raised)) else None

    def _raw(self, text: str, edits: Edits) -> object:
        return self._called(self._arguments(text, edits), text, edits)

    def _called(self, arguments: Iterable[object], text: str, edits: Edits) -> object:
        caught = Caught()
        with caught:
            answer = self._awaited(self.function(*arguments))
            if answer is not None and self.refusal is not None and self.refusal(answer):
                return None
            return _without_count(answer, text)
        assert caught.error is not None, "a block that did not end by an exception returned"
        if isinstance(caught.error, self.refusals):
            return None
        return Raised(caught.error, text, edits)

    def _arguments(self, text: str, edits: Edits) -> tuple[object, ...]:
        if self.shape == "original" or _takes_a_list(self.function):
            return text, list(edits)
        ((old, new),) = edits
        return text, old, new

    def _awaited(self, answer: object) -> object:
        if not inspect.isawaitable(answer):
            return answer
        if _in_a_loop():
            if inspect.iscoroutine(answer):
                answer.close()
            raise WrongShape(
                "a coroutine function is checked outside of a running event loop: `await asyncio.to_thread(check_edit_function, function)`"
            )
        return self._loop.run(_wait(answer))

    def _check_parameters(self) -> None:
        if not callable(self.function):
            raise WrongShape(f"{self.function!r} is no function")
        name, first = _name(self.function), _first_parameter(self.function)
        if first is not None and (first.name in _PATHS or "Path" in str(first.annotation)):
            raise WrongShape(f"{name} takes the path of a file, and a text is what it is called with: {_BY_PATH}")
        if _takes(self.function, 2) or (self.shape == "one" and _takes(self.function, 3)):
            return
        takes = f"{name} takes {_parameters(self.function)}"
        if self.shape == "original" and _takes(self.function, 3):
            raise WrongShape(f'{takes}, and no list of edits: if these are text, old and new, pass shape="one"')
        raise WrongShape(
            f"{takes}, and is called with a text and a list of (old, new) pairs: wrap it, as in "
            f"`lambda text, edits: …`, or pass a method with its object"
        )

    def _check_order(self) -> None:
        """Require that it is not merely the order of the arguments that is another."""
        text, edits, expected = PLAINEST
        names = {3: ("text", "old", "new"), 2: ("text", "edits")}[len(self._arguments(text, edits))]
        for order in list(permutations(range(len(names))))[1:]:
            arguments = self._arguments(text, edits)
            if self._called([arguments[at] for at in order], text, edits) == expected:
                taken = ", ".join(names[at] for at in order)
                raise WrongShape(
                    f"the arguments stand in another order: check `lambda {', '.join(names)}: {_name(self.function)}({taken})`"
                )

    def _check_answer(self) -> None:
        text, edits, expected = PLAINEST
        answer, name = self._raw(text, edits), _name(self.function)
        if answer != expected:
            self._check_order()
        match answer:
            case Raised(error=WrongShape() as error):
                raise error
            case Raised(error=OSError() as error):
                raise WrongShape(f"{name} raised {error!r}: if it edits a file by its path, {_BY_PATH}") from error
            case Raised(error=TypeError() | AttributeError() | LookupError() | ValueError() as error):
                raise WrongShape(
                    f"{name} raised {error!r} for the plainest edit, {name}{self._arguments(text, edits)!r}: if it takes "
                    f"edits of another kind, wrap it, as in `lambda text, edits: …`"
                ) from error
            case Raised() | str() | None | False:
                return
            case _:
                raise WrongShape(f"{name} returned {_returned(answer, name)}")


def is_message(answer: str, text: str, edits: Edits) -> bool:
    """Whether an answer holds words that no edit can have written: three letters of neither the text nor the edits."""
    known = set(text).union(*(old + new for old, new in edits))
    return len({character for character in answer if character.isalpha()} - known) >= 3


def _without_count(answer: object, text: str) -> object:
    """Take `(text, count)` for the text; a count of 0 with the text as it was, for a refusal."""
    match answer:
        case (str() as new, int() as count) if not isinstance(count, bool):
            return None if count == 0 and new == text else new
    return answer


def _returned(answer: object, name: str) -> str:
    call = f"`lambda text, edits: {name}(text, edits)"
    alone = "return the text alone"
    match answer:
        case bytes() | bytearray():
            return f"bytes, not text: {alone}, as in {call}.decode()`"
        case tuple() | list():
            at = next((number for number, part in enumerate(answer) if isinstance(part, str)), None)
            how = "" if at is None else f", as in {call}[{at}]`"
            return f"{answer!r:.100}, which is no text and no (text, count): {alone}{how}"
        case dict():
            key = next((key for key, part in answer.items() if isinstance(part, str)), "text")
            return f"a dict with {', '.join(map(repr, answer))}: {alone}, as in {call}[{key!r}]`"
    texts = [key for key in ("text", "content", "result") if isinstance(getattr(answer, key, None), str)]
    how = f", as in {call}.{texts[0]}`" if texts else ", or None to refuse"
    return f"an object of the type {type(answer).__name__}, not text: {alone}{how}"


def _signature(function: EditFunction) -> inspect.Signature | None:
    """Return what a function takes; None where that is not known, as for some of C."""
    try:
        return inspect.signature(function)
    except ValueError:
        return None


def _takes(function: EditFunction, count: int) -> bool:
    signature = _signature(function)
    if signature is None:
        return True
    try:
        signature.bind(*range(count))
    except TypeError:
        return False
    return True


def _takes_a_list(function: EditFunction) -> bool:
    """Whether two arguments are enough; where that is not known, a text, old and new are likelier."""
    return _signature(function) is not None and _takes(function, 2)


def _first_parameter(function: EditFunction) -> inspect.Parameter | None:
    signature = _signature(function)
    return None if signature is None else next(iter(signature.parameters.values()), None)


def _parameters(function: EditFunction) -> str:
    signature = _signature(function)
    return "other arguments" if signature is None else f"({', '.join(signature.parameters)})"


def _name(function: EditFunction) -> str:
    name = getattr(function, "__name__", "function")
    return name if isinstance(name, str) and name.isidentifier() else "function"


def _in_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


async def _wait(answer: Awaitable[object]) -> object:
    return await answer
