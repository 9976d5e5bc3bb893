"""
JSON as RFC 8259 means it, for text that a model wrote: nothing doubtful passes in silence.

Refused although Python's decoder takes it: `NaN` and `Infinity`, `1e999`, a key given twice, nesting deeper than `MAX_DEPTH`.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from typing import Any, NoReturn

__all__ = ["MAX_DEPTH", "JsonTextError", "decode", "normal"]

#: Far above what a tool takes, far below what Python's recursion allows to whoever encodes the value again.
MAX_DEPTH = 100


class JsonTextError(ValueError):
    """The reason, in a few words, why something is not JSON: "expecting value at line 1 column 8"."""


def decode(text: str) -> Any:
    """
    Return the value of a JSON text.

    Raises:
        JsonTextError: With the place where there is one.
    """
    try:
        value = _DECODER.decode(text)
    except JsonTextError:
        raise
    except json.JSONDecodeError as error:
        problem = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
        raise JsonTextError(f"{problem} at line {error.lineno} column {error.colno}") from None
    except RecursionError:
        raise JsonTextError(_TOO_DEEP) from None
    except ValueError:
        raise JsonTextError("a number has too many digits") from None
    if text.count("[") + text.count("{") > MAX_DEPTH and _is_deeper(value, MAX_DEPTH):
        raise JsonTextError(_TOO_DEEP)
    return value


def normal(value: object) -> Any:
    """
    Return a copy of a host's value as JSON has it: mappings as dicts, tuples as lists.

    Raises:
        JsonTextError: It holds what JSON has not, holds itself, or is nested too deep.
    """
    try:
        text = json.dumps(value, allow_nan=False, default=_as_dict)
    except RecursionError:
        raise JsonTextError(_TOO_DEEP) from None
    except (TypeError, ValueError):
        raise JsonTextError("it holds what JSON cannot say") from None
    return decode(text)


_TOO_DEEP = f"it is nested deeper than {MAX_DEPTH} levels"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise JsonTextError(f"the key {json.dumps(twice[:40])} is given twice")
    return members


def _constant(name: str) -> NoReturn:
    raise JsonTextError(f"{name} is not a JSON number")


def _float(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise JsonTextError("a number is too large")
    return number


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant, parse_float=_float)


def _as_dict(value: object) -> dict[Any, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError


def _is_deeper(value: Any, levels: int) -> bool:
    layer = [value]
    for _ in range(levels):
        layer = [
            child
            for container in layer
            if isinstance(container, dict | list)
            for child in (container.values() if isinstance(container, dict) else container)
        ]
        if not layer:
            return False
    return True
