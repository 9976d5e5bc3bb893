"""
Keys that a record does not have: renamed, refused, or left out.

A key is read as a field when it is one of the tool's documented aliases and the field itself is absent or null; beside the
field it is left out. Any other unknown key is left out, as is one that is null, except where the call would mean
something else without it:

* in a nested object, where the values are (`edits[0].count`);
* when `ToolSpec.refuses` names it, anywhere, unless it is false;
* when it belongs inside one of the fields (`old` beside `edits`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import Factory, define

from mmtools.arguments import validation_messages
from mmtools.arguments.validation_messages import Complaints
from mmtools.schema.shapes import Array, Record, Shape
from mmtools.tool import ToolSpec

__all__ = ["Keys", "settle"]


@define
class Keys:
    """
    What an object's keys were taken as.

    Args:
        named: Field → value.
        renamed: Alias → field.
        ignored: Left out of the outermost object.
        misplaced: Field → the keys that belong inside it.
    """

    named: dict[str, Any]
    renamed: dict[str, str] = Factory(dict)
    ignored: list[object] = Factory(list)
    misplaced: dict[str, list[object]] = Factory(dict)


def settle(sent: Mapping[Any, Any], record: Record, spec: ToolSpec, place: str, problems: Complaints) -> Keys:
    """
    Take every key as what it is, or complain.

    Args:
        place: Of the object; "" for the arguments themselves.
        problems: Where validation_messages go.
    """
    keys = Keys({key: value for key, value in sent.items() if key in record.members})
    for key, value in sent.items():
        if key in record.members or value is None:
            continue
        if problems.full:
            break
        field = spec.aliases.get(key, key)
        if field in record.members:
            _rename(key, field, value, keys, problems)
        elif key in spec.refuses:
            if value is not False:
                problems.add(f"{_stranger(key, spec, place)}; {spec.refuses[key]}")
        elif place:
            problems.add(f"{_stranger(key, spec, place)}; {place} takes {validation_messages.listed(record.members)}")
        elif owner := _owner(field, record):
            keys.misplaced.setdefault(owner, []).append(key)
        else:
            keys.ignored.append(key)
    for owner, inner in keys.misplaced.items():
        belong = "belongs" if len(inner) == 1 else "belong"
        problems.add(
            f"{validation_messages.listed(inner)} {belong} inside {owner}: {_example(owner, record.members[owner].shape)}"
        )
    return keys


def _rename(key: str, field: str, value: object, keys: Keys, problems: Complaints) -> None:
    if field in keys.renamed.values():
        first = next(alias for alias, renamed in keys.renamed.items() if renamed == field)
        problems.add(f"{first} and {key} both mean {field}: send {field} alone")
    elif keys.named.get(field) is None:
        keys.named[field] = value
        keys.renamed[key] = field


def _stranger(key: object, spec: ToolSpec, place: str) -> str:
    return f"{validation_messages.place(place, key)} is not an argument of {spec.name}"


def _owner(key: Any, record: Record) -> str:
    """Return the field that `key` belongs inside; "" when there is none."""
    return next((wire for wire, member in record.members.items() if key in _inner(member.shape)), "")


def _inner(shape: Shape) -> Iterable[str]:
    """Return the keys of the object that a field holds, or holds a list of."""
    match shape:
        case Record(members=members) | Array(Record(members=members)):
            return members
        case _:
            return ()


def _example(owner: str, shape: Shape) -> str:
    """Return how the field is sent: `"edits": [{"old": …, "new": …}]`."""
    members = "{" + ", ".join(f'"{wire}": …' for wire in _inner(shape)) + "}"
    return f'"{owner}": [{members}]' if isinstance(shape, Array) else f'"{owner}": {members}'
