"""Canonical JSON, and what is recorded of a text instead of the text: its digest."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence, Set
from enum import Enum
from typing import Any, TypeAlias

import attrs
from attrs import field, frozen

__all__ = ["Mark", "Token", "Word", "canonical_json", "digest", "tokens"]

#: 64 bits: enough to tell the calls of a session apart, short enough to read in a table.
_DIGEST_DIGITS = 16
#: Deeper values than tools take are laid out without recursion.
_PLAIN_DEPTH = 8

#: Among values still to be laid out: the innermost open one ends here.
_CLOSE = object()


class Mark(Enum):
    """What stands in a row of tokens for the ends of an object or array."""

    OBJECT = "{"
    ARRAY = "["
    END = "end of the innermost object or array"
    AGAIN = "an object or array that is still open; how many levels up follows"


@frozen
class Word:
    """
    A value that is neither text nor a whole number, as it is written in JSON: 1.0 is not 1, NaN is itself.

    Args:
        key: Equal to nothing for what may change unseen: nobody can tell whether it is the same.
    """

    text: str
    key: object = field(default=None, repr=False)


Token: TypeAlias = Mark | Word | str | int

_WORDS = {None: Word("null"), True: Word("true"), False: Word("false")}


def canonical_json(value: object) -> str:
    """
    Write a value as JSON with sorted keys and without spaces, characters as they are.

    Total: what JSON has no form for is written as a string. May hold lone surrogates.
    """
    try:
        # In C, which does for all that models send.
        return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return _written(tokens(value))


def digest(text: str) -> str:
    """Return the first 16 hex digits of SHA-256 over the text's UTF-8."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_DIGITS]


def tokens(value: object) -> tuple[Token, ...]:
    """
    Lay a value out flat, in a row that later changes of the value do not reach.

    The rows of two values are equal when their canonical JSON is. Strings are shared, not copied, so
    a row costs little and two rows compare at the speed of memory. Total: any depth, any type, a
    value that holds itself.
    """
    row: list[Token] = []
    if _laid_out_plainly(value, row, _PLAIN_DEPTH):
        return tuple(row)
    row.clear()
    todo = [value]
    opened: list[object] = []
    depths: dict[int, int] = {}
    while todo:
        item = todo.pop()
        if item is _CLOSE:
            del depths[id(opened.pop())]
            row.append(Mark.END)
        elif (scalar := _scalar(item)) is not None:
            row.append(scalar)
        elif id(item) in depths:
            row += (Mark.AGAIN, len(opened) - depths[id(item)])
        elif (members := _members(item)) is None:
            row.append(_foreign(item))
        else:
            mark, inner = members
            row.append(mark)
            depths[id(item)] = len(opened)
            opened.append(item)
            todo.append(_CLOSE)
            todo += reversed(inner)
    return tuple(row)


def _laid_out_plainly(item: Any, row: list[Token], depth: int) -> bool:
    """
    Do as `tokens` does, five times as fast, for what models send: exact JSON types, no floats, shallow.

    Returns:
        Whether it was such a value; if not, `row` holds a part of it.
    """
    if type(item) is str or type(item) is int:
        row.append(item)
    elif item is None or type(item) is bool:
        row.append(_WORDS[item])
    elif not depth:
        return False
    elif type(item) is list:
        row.append(Mark.ARRAY)
        for inner in item:
            if not _laid_out_plainly(inner, row, depth - 1):
                return False
        row.append(Mark.END)
    elif type(item) is dict:
        if any(type(key) is not str for key in item):
            return False
        row.append(Mark.OBJECT)
        for key in sorted(item):
            row.append(key)
            if not _laid_out_plainly(item[key], row, depth - 1):
                return False
        row.append(Mark.END)
    else:
        return False
    return True


def _scalar(item: object) -> Token | None:
    if isinstance(item, str):
        # Exactly `str`, whatever a subclass says of itself.
        return item if type(item) is str else str.__str__(item)
    if item is None or isinstance(item, bool):
        return _WORDS[item]
    if isinstance(item, int):
        return int(item)
    return Word(json.dumps(float(item))) if isinstance(item, float) else None


def _members(item: object) -> tuple[Mark, Sequence[object]] | None:
    """Return what an object or array holds, keys and values alternating; None for anything else."""
    if isinstance(item, Mapping):
        return Mark.OBJECT, _pairs(item)
    if isinstance(item, list | tuple):
        return Mark.ARRAY, item
    if isinstance(item, type):
        return None
    kind = type(item)
    if attrs.has(kind):
        return Mark.OBJECT, _pairs({each.name: getattr(item, each.name) for each in attrs.fields(kind)})
    if dataclasses.is_dataclass(item):
        return Mark.OBJECT, _pairs({each.name: getattr(item, each.name) for each in dataclasses.fields(item)})
    return None


def _pairs(mapping: Mapping[object, object] | Mapping[str, object]) -> list[object]:
    named = [(_name(key), value) for key, value in mapping.items()]
    named.sort(key=lambda pair: pair[0])
    return [part for pair in named for part in pair]


def _name(key: object) -> str:
    """Return a key as JSON writes it."""
    match _scalar(key):
        case str() as name:
            return name
        case None:
            return repr(key)
        case scalar:
            return _word(scalar)


def _foreign(item: object) -> Word:
    if isinstance(item, Set):
        return Word(_quoted(str(sorted(map(repr, item)))))
    # What has no hash of its own may change while it stays equal to itself.
    changeable = type(item).__hash__ in (None, object.__hash__)
    return Word(_quoted(repr(item)), object() if changeable else None)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _word(token: Token) -> str:
    match token:
        case str():
            return _quoted(token)
        case Word(text=text):
            return text
        case Mark():
            return token.value
        case _:
            try:
                return str(token)
            except ValueError:
                # Too long for Python to write in tens.
                return f'"{token:#x}"'


def _written(row: tuple[Token, ...]) -> str:
    """Write a row as JSON."""
    pieces: list[str] = []
    closers: list[str] = []
    counts = [0]
    follows = iter(row)
    for token in follows:
        if token is Mark.END:
            counts.pop()
            pieces.append(closers.pop())
            continue
        if counts[-1]:
            pieces.append(":" if closers[-1] == "}" and counts[-1] % 2 else ",")
        counts[-1] += 1
        if token is Mark.AGAIN:
            pieces.append(f'"<{next(follows)} up>"')
            continue
        pieces.append(_word(token))
        if token is Mark.OBJECT or token is Mark.ARRAY:
            counts.append(0)
            closers.append("}" if token is Mark.OBJECT else "]")
    return "".join(pieces)
