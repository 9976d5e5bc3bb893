"""
What a model or a host sends, as a tool's own arguments object: exact types, or one line that names the place.

Arguments that fit are built at once by `builders`. Only what does not fit is walked, repaired as `repairs` says, and
built then.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import field, frozen

from mmtools.arguments import builders, json_text, repairs, validation_messages
from mmtools.arguments.json_text import JsonTextError
from mmtools.errors import ArgumentsRefused
from mmtools.schema import declarations
from mmtools.tool import ToolSpec

__all__ = ["Parsed", "parse"]


@frozen
class Parsed:
    """
    Arguments as understood.

    Args:
        value: An instance of the spec's arguments class; the dict itself for a ready schema.
        sent: The same as JSON: aliases renamed, repairs done, unknown keys gone, defaults not filled in.
            May share what it holds with the mapping that was given.
    """

    value: Any
    sent: dict[str, Any] = field(repr=False)


def parse(arguments: object, spec: ToolSpec) -> Parsed:
    """
    Understand the arguments of one call.

    Args:
        arguments: A mapping, JSON text of an object, None or "" for none, or the tool's own arguments object.
        spec: For a ready schema the arguments must only be a JSON object: checking is up to whoever wrote it.

    Raises:
        ArgumentsRefused: They do not fit; for any value whatever, nothing else is raised.
        DefinitionError: The arguments class cannot be declared.
    """
    expected = spec.arguments
    if not isinstance(expected, type):
        members = _json_object(arguments)
        return Parsed(members, members)
    builder = builders.compiled(expected)
    payload = declarations.plain(arguments) if isinstance(arguments, expected) else _decoded(arguments)
    # A host's own mapping may hold anything where anything may stand; the walk makes it JSON.
    if type(payload) is dict and (builder.exact or payload is not arguments):
        try:
            return Parsed(builder.build(payload), dict(payload))
        except builders.MISFITS:
            pass
    sent = repairs.repaired(payload, declarations.read(expected), spec)
    try:
        return Parsed(builder.build(sent), sent)
    except (TypeError, ValueError) as error:
        # Only a validator of the class itself is left to object: its limits that shapes cannot say.
        raise ArgumentsRefused(validation_messages.one_line(str(error.args[0] if error.args else error))) from error


def _decoded(arguments: object) -> Any:
    if arguments is None:
        return {}
    if not isinstance(arguments, str):
        return arguments
    if not arguments or arguments.isspace():
        return {}
    try:
        value = json_text.decode(arguments)
    except JsonTextError as error:
        raise ArgumentsRefused(f"arguments are not valid JSON: {error}") from None
    return {} if value is None else value


def _json_object(arguments: object) -> dict[str, Any]:
    payload = _decoded(arguments)
    if not isinstance(payload, Mapping):
        raise ArgumentsRefused(f"arguments must be an object, not {validation_messages.described(payload)}")
    if payload is not arguments:
        return dict(payload)
    try:
        return dict(json_text.normal(payload))
    except JsonTextError as error:
        raise ArgumentsRefused(f"arguments must be JSON: {error}") from None
