"""The tools that a server lists: those that can be offered, and why the others cannot."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from attrs import frozen

from mmtools.adapters.mcp.answers import MAX_DEPTH, is_deeper
from mmtools.ports.remote_tools import LeftOut, McpServer, RemoteTool

__all__ = ["Cut", "read_tools"]

#: Of a tool's name, where it is repeated in a reason.
_SHOWN_NAME_CHARS = 80
#: Members of a schema that hold values, not schemas.
_VALUES = frozenset({"const", "default", "enum", "example", "examples"})
#: Of another's complaint.
_SHOWN_COMPLAINT_CHARS = 200
#: Of one schema, written as JSON; a model would read all of it at every request.
_MAX_SCHEMA_CHARS = 200_000
#: Objects and lists in one schema; each of them is checked.
_MAX_SCHEMA_PARTS = 2_000


@frozen
class Cut:
    """The end of a list that we did not read to its own."""

    reason: str


def read_tools(
    server: McpServer, listed: Iterable[object], *, until: float = math.inf
) -> tuple[list[RemoteTool], list[LeftOut]]:
    """
    Read what a server lists, tool by tool.

    Args:
        listed: As the server sent them, of any shape; `Cut` where the list was left.
        until: When to leave out what is not checked yet, in seconds of the monotonic clock.
    """
    tools: dict[str, RemoteTool] = {}
    left_out: list[LeftOut] = []
    for number, entry in enumerate(listed, 1):
        if isinstance(entry, Cut):
            left_out.append(LeftOut(server.name, entry.reason, f"number {number} and later"))
            continue
        name = entry.get("name") if isinstance(entry, Mapping) else None
        shown = name[:_SHOWN_NAME_CHARS] if isinstance(name, str) and name else f"number {number}"
        if not isinstance(entry, Mapping) or not isinstance(name, str) or not name:
            left_out.append(LeftOut(server.name, "it has no name", shown))
        elif _is_broken_text(name):
            left_out.append(
                LeftOut(server.name, "its name holds half of a character", shown.encode(errors="replace").decode())
            )
        elif name in tools:
            left_out.append(LeftOut(server.name, "the server lists that name twice; the first one is offered", shown))
        elif complaint := _complaint(schema := _schema(entry), until):
            left_out.append(LeftOut(server.name, complaint, shown))
        else:
            tools[name] = RemoteTool(
                server=server.name,
                name=name,
                description=_description(entry),
                schema=schema,
                reads=server.trusted_reads and _calls_itself_read_only(entry),
            )
    return list(tools.values()), left_out


def _schema(entry: Mapping[str, Any]) -> Any:
    """Return the schema as it is; an absent one, or one without a type, is that of an object."""
    schema = entry.get("inputSchema")
    if schema is None:
        return {"type": "object", "properties": {}}
    if isinstance(schema, Mapping) and "type" not in schema:
        return {"type": "object", **schema}
    return schema


def _complaint(schema: Any, until: float) -> str:
    """Say what is wrong with a schema; empty when it can be shown to a model."""
    if not isinstance(schema, Mapping):
        return f"its arguments' schema is no object but {json.dumps(schema)[:_SHOWN_NAME_CHARS]}"
    if schema["type"] != "object":
        return f"its arguments' schema is of type {json.dumps(schema['type'])[:_SHOWN_NAME_CHARS]}, not object"
    if is_deeper(schema):
        return f"its arguments' schema is nested deeper than {MAX_DEPTH} levels"
    text = json.dumps(schema, ensure_ascii=False)
    if len(text) > _MAX_SCHEMA_CHARS:
        return f"its arguments' schema is too large: {len(text)} characters; at most {_MAX_SCHEMA_CHARS} are taken"
    if (parts := _parts(schema)) > _MAX_SCHEMA_PARTS:
        return f"its arguments' schema is too large: {parts} objects and lists; at most {_MAX_SCHEMA_PARTS} are taken"
    if _is_broken_text(text):
        return "its arguments' schema holds half of a character"
    return _meta_complaint(schema, until) or _dangling(schema)


def _parts(schema: Any) -> int:
    """Count the objects and lists."""
    count, layer = 0, [schema]
    while layer:
        layer = [each for each in layer if isinstance(each, Mapping | list)]
        count += len(layer)
        layer = [inner for each in layer for inner in (each.values() if isinstance(each, Mapping) else each)]
    return count


def _meta_complaint(schema: Mapping[str, Any], until: float) -> str:
    from jsonschema import SchemaError
    from jsonschema.validators import Draft202012Validator, validator_for

    validator = validator_for(schema, default=Draft202012Validator)
    for place, piece in _pieces(schema):
        if time.monotonic() > until:
            return "its arguments' schema could not be checked in the time for the server's start"
        try:
            validator.check_schema(piece)
        except SchemaError as error:
            at = "/".join(map(str, (*place, *error.absolute_path)))
            return f"its arguments' schema is wrong at {at or 'its root'}: {error.message[:_SHOWN_COMPLAINT_CHARS]}"
    return ""


def _pieces(schema: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Part a schema into the schema of each property, and what is left; so the clock can be looked at in between."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        yield (), dict(schema)
        return
    yield (), {**schema, "properties": {}}
    for name, each in properties.items():
        yield ("properties", name), each


def _dangling(schema: Mapping[str, Any]) -> str:
    """Find a reference within the schema that leads nowhere: some model APIs refuse all tools for it."""
    layer: list[Any] = [schema]
    while layer:
        following: list[Any] = []
        for value in layer:
            if isinstance(value, Mapping):
                # A part with an identity of its own is the root of its references.
                if "$id" in value and value is not schema:
                    continue
                reference = value.get("$ref")
                if (
                    isinstance(reference, str)
                    and reference.startswith("#/")
                    and not _leads_somewhere(schema, reference)
                ):
                    return f"its arguments' schema refers to {reference[:_SHOWN_NAME_CHARS]}, which is not there"
                following += (part for key, part in value.items() if key not in _VALUES)
            elif isinstance(value, list):
                following += value
        layer = following
    return ""


def _leads_somewhere(schema: Any, reference: str) -> bool:
    from urllib.parse import unquote

    at = schema
    for step in reference[2:].split("/"):
        key = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(at, Mapping) and key in at:
            at = at[key]
        elif isinstance(at, list) and key.isdecimal() and int(key) < len(at):
            at = at[int(key)]
        else:
            return False
    return True


def _description(entry: Mapping[str, Any]) -> str:
    annotations = entry.get("annotations")
    titles = annotations.get("title") if isinstance(annotations, Mapping) else None
    for text in (entry.get("description"), entry.get("title"), titles):
        if isinstance(text, str) and text.strip():
            return text.encode("utf-8", "replace").decode("utf-8")
    return ""


def _calls_itself_read_only(entry: Mapping[str, Any]) -> bool:
    annotations = entry.get("annotations")
    return isinstance(annotations, Mapping) and annotations.get("readOnlyHint") is True


def _is_broken_text(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
