"""A server's settings, as it asks for them."""

from __future__ import annotations

from collections.abc import Mapping

from mmtools.core.lsp import wire

__all__ = ["answer", "nested"]


def nested(settings: Mapping[str, object]) -> dict[str, object]:
    """Turn dotted keys into objects: `{"a.b": 1}` into `{"a": {"b": 1}}`."""
    whole: dict[str, object] = {}
    for key, value in settings.items():
        first, dot, rest = key.partition(".")
        inner = nested({rest: value}) if dot else nested(value) if isinstance(value, Mapping) else value
        old = whole.get(first)
        whole[first] = _merged(old, inner) if isinstance(old, dict) and isinstance(inner, dict) else inner
    return whole


def answer(settings: Mapping[str, object], params: object) -> list[object]:
    """
    Answer `workspace/configuration`: for each item the value of its section, or null.

    Args:
        settings: Nested.
    """
    items = wire.sequence(wire.object_(params).get("items"))
    return [_section(settings, wire.text(wire.object_(item).get("section")) or "") for item in items]


def _section(settings: Mapping[str, object], name: str) -> object:
    value: object = settings or None
    for key in filter(None, name.split(".")):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _merged(old: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
    whole = dict(old)
    for key, value in new.items():
        before = whole.get(key)
        whole[key] = _merged(before, value) if isinstance(before, Mapping) and isinstance(value, Mapping) else value
    return whole
