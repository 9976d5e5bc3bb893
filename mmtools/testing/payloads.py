"""
Hypothesis strategies for arguments: right ones, nearly right ones, and what nobody should send.

The first two are made from a JSON Schema alone (`tool.spec.arguments_schema`), so they also test a host's own tools, and
know nothing of how mmtools reads arguments. Needs hypothesis.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from mmtools.testing.hypothesis_needed import strategies as st

__all__ = ["broken_payloads", "hostile_payloads", "json_values", "odd_strings", "valid_payloads"]

#: Beyond these, JSON implementations disagree. Source: RFC 8259, section 6.
_INTEGERS = (-(2**53) + 1, 2**53 - 1)

_ODD_STRINGS = (
    "", " ", "\x00", "\ud800", "\udfff", "\ufeff", "\n", "\r\n", "\u2028", "null", "true", "2", "2.0", "2x", "-1", "1e999",
    "NaN", "[]", "{}", "[1,]", '{"a": 1, "a": 2}', '["a", {"b": "c"}]', "'", '"', "\\", "${HOME}", "../..", "a" * 5_000, "[" * 5_000,
)  # fmt: skip

#: Keys that models send to tools that have no such argument.
_STRANGERS = ("explanation", "replace_all", "file", "filename", "old", "new", "", "\x00", "__class__", "path ", "Path")


def odd_strings() -> st.SearchStrategy[str]:
    """Generate strings of any code points: NUL, lone surrogates, and strings that look like other JSON values."""
    return st.text(st.characters(exclude_categories=()), max_size=20) | st.sampled_from(_ODD_STRINGS)


def json_values() -> st.SearchStrategy[Any]:
    """Generate JSON values of every kind, nested a few levels deep."""
    scalars = (
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | odd_strings()
    )
    return st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd_strings(), inner, max_size=3),
        max_leaves=6,
    )


def valid_payloads(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """
    Generate what a JSON Schema allows, optional members now there and now not.

    Args:
        schema: With the keywords that mmtools renders: type, enum, anyOf, properties, required, items,
            additionalProperties, and the limits of numbers and lengths.
    """
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    if "anyOf" in schema:
        return st.one_of([valid_payloads(alternative) for alternative in schema["anyOf"]])
    return _BY_TYPE[schema.get("type", "")](schema)


def broken_payloads(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """
    Generate payloads that a schema allows, but for one to three places: replaced, null, removed, added to, wrapped, or
    turned into text.

    Some are still allowed.
    """
    return _broken(valid_payloads(schema))


def hostile_payloads(schema: Mapping[str, Any] | None = None) -> st.SearchStrategy[Any]:
    """
    Generate anything that could be handed over as arguments, by a model gone astray or a careless host.

    JSON texts that are cut, repeat a key or nest without end; values of wrong types; values that are no JSON: NaN, bytes, sets,
    objects, keys that are no strings, lists that hold themselves.

    Args:
        schema: Adds payloads that nearly fit it, as values and as text.
    """
    near = st.nothing() if schema is None else broken_payloads(schema) | valid_payloads(schema)
    values = near | json_values()
    texts = values.map(json.dumps)
    return st.one_of(
        values,
        texts,
        st.builds(lambda text, cut: text[: cut % (len(text) + 1)], texts, st.integers(0, 500)),
        odd_strings(),
        _aliens(),
        st.dictionaries(st.sampled_from(_STRANGERS) | st.integers() | st.binary(max_size=2), _aliens(), max_size=3),
        st.builds(_with, values, odd_strings(), _aliens()),
    )


#: Built once: building strategies costs more than drawing from them.
_KEYS = st.sampled_from(_STRANGERS) | odd_strings()
_VALUES = json_values()
_BREAKS = st.lists(st.sampled_from(("replace", "null", "remove", "add", "as text", "wrap")), min_size=1, max_size=3)


@st.composite
def _broken(draw: st.DrawFn, valid: st.SearchStrategy[Any]) -> Any:
    root = {"": draw(valid)}
    for way in draw(_BREAKS):
        places = list(_places(root))
        holder, key = places[draw(st.integers(0, len(places) - 1))]
        match way:
            case "replace":
                holder[key] = draw(_VALUES)
            case "null":
                holder[key] = None
            case "remove" if holder is not root:
                del holder[key]
            case "add" if isinstance(holder[key], dict):
                holder[key][draw(_KEYS)] = draw(_VALUES)
            case "as text":
                holder[key] = json.dumps(holder[key])
            case _:
                holder[key] = [holder[key]]
    return root[""]


def _aliens() -> st.SearchStrategy[Any]:
    return st.one_of(
        st.binary(max_size=5),
        st.sets(st.integers(), max_size=3),
        st.floats(),
        st.complex_numbers(),
        st.builds(object),
        st.builds(lambda: 10**5_000),
        st.builds(_endless),
        st.sampled_from((range(3), int, print, Ellipsis)),
        st.tuples(odd_strings(), st.integers()),
    )


def _endless() -> list[Any]:
    holds_itself: list[Any] = []
    holds_itself.append(holds_itself)
    return holds_itself


def _with(payload: Any, key: str, alien: Any) -> Any:
    """Put an alien in place of the payload's first member."""
    if isinstance(payload, dict):
        return {**payload, next(iter(payload), key): alien}
    return [payload, alien]


def _places(holder: dict[str, Any] | list[Any]) -> Iterator[tuple[Any, Any]]:
    for key, value in list(holder.items()) if isinstance(holder, dict) else list(enumerate(holder)):
        yield holder, key
        if isinstance(value, dict | list):
            yield from _places(value)


def _integers(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    low, high = schema.get("minimum", _INTEGERS[0]), schema.get("maximum", _INTEGERS[1])
    return st.integers(low, high) | st.sampled_from((low, high))


def _numbers(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    return st.floats(schema.get("minimum"), schema.get("maximum"), allow_nan=False, allow_infinity=False) | _integers(
        schema
    )


def _strings(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    low, high = schema.get("minLength", 0), schema.get("maxLength")
    within = odd_strings().filter(lambda text: len(text) >= low and (high is None or len(text) <= high))
    return within | st.text(min_size=low, max_size=high if high is not None else low + 20)


def _arrays(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    low = schema.get("minItems", 0)
    return st.lists(valid_payloads(schema["items"]), min_size=low, max_size=schema.get("maxItems", low + 3))


def _objects(schema: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    if isinstance(values := schema.get("additionalProperties"), Mapping):
        low = schema.get("minProperties", 0)
        return st.dictionaries(
            odd_strings(), valid_payloads(values), min_size=low, max_size=schema.get("maxProperties", low + 3)
        )
    members = {key: valid_payloads(member) for key, member in schema.get("properties", {}).items()}
    required = {key: members[key] for key in schema.get("required", ())}
    return st.fixed_dictionaries(
        required, optional={key: member for key, member in members.items() if key not in required}
    )


_BY_TYPE: dict[str, Callable[[Mapping[str, Any]], st.SearchStrategy[Any]]] = {
    "": lambda _: json_values(),
    "string": _strings,
    "integer": _integers,
    "number": _numbers,
    "boolean": lambda _: st.booleans(),
    "null": lambda _: st.none(),
    "array": _arrays,
    "object": _objects,
}
