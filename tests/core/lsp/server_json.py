"""What a server may send: any JSON, and answers that are right but for one part."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from hypothesis import strategies as st

__all__ = ["ANYTHING", "at", "damaged", "stretch"]

Json: TypeAlias = object
Way: TypeAlias = tuple[str | int, ...]

#: Keys of the protocol, so that a random object is sometimes half an answer.
_KEYS = st.sampled_from(
    (
        *("uri", "range", "start", "end", "line", "character", "targetUri", "targetRange", "contents", "value", "kind"),
        *("language", "name", "detail", "children", "location", "containerName", "selectionRange", "message", "code"),
        *(
            "items",
            "diagnostics",
            "severity",
            "changes",
            "documentChanges",
            "edits",
            "newText",
            "textDocument",
            "version",
        ),
        *("placeholder", "defaultBehavior", "file:///a.py", "file:///b"),
    )
)
_SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(("file:///a.py", "full", "unchanged", "", "rename", "markdown"))
)
ANYTHING = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_KEYS, inner, max_size=4), max_leaves=20
)


def at(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def stretch(line: int, start: int, end: int, last: int | None = None) -> dict[str, dict[str, int]]:
    """A range on one line, or up to the line `last`."""
    return {"start": at(line, start), "end": at(line if last is None else last, end)}


@st.composite
def damaged(draw: st.DrawFn, answer: Json) -> Json:
    """Put anything in the place of one part of an answer, or leave the part out."""
    ways = list(_ways(answer, ()))
    return _without(answer, draw(st.sampled_from(ways)), draw(st.none() | st.tuples(ANYTHING)))


def _ways(value: Json, here: Way) -> Iterator[Way]:
    yield here
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield from _ways(item, (*here, key))


def _without(value: Json, way: Way, instead: tuple[Json] | None) -> Json:
    if not way:
        return instead[0] if instead else None
    key, *rest = way
    if isinstance(value, dict):
        kept = {other: item for other, item in value.items() if other != key}
        return kept if not rest and not instead else {**kept, key: _without(value[key], tuple(rest), instead)}
    assert isinstance(value, list)
    assert isinstance(key, int)
    replaced = [_without(value[key], tuple(rest), instead)] if rest or instead else []
    return [*value[:key], *replaced, *value[key + 1 :]]
