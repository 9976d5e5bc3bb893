"""Arguments on their way from a model through a host that wants an object, without losing what the runner must see."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from typing import Any

__all__ = ["as_object"]

#: Levels from which on it is for the runner to say no.
_DEEP = 100


def as_object(text: str) -> dict[str, Any] | None:
    """
    Read the text of a JSON object, when nothing in it would be lost.

    Returns:
        None for anything else, which the runner must get as text, to say what is wrong with it: text that is no JSON
        or no object, a key given twice, `NaN`, `1e999`, deep nesting.
    """
    try:
        value = json.loads(text, object_pairs_hook=_members, parse_float=_finite, parse_constant=_finite)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and not _reaches(value, _DEEP) else None


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a key is given twice")
    return members


def _finite(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise ValueError(f"{word} is no JSON number")
    return number


def _reaches(value: object, level: int) -> bool:
    layer = [value]
    for _ in range(level):
        layer = [child for each in layer for child in _children(each)]
    return bool(layer)


def _children(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
