"""
The tool list in the shape that each model API takes.

Each function returns a fresh list for the request's `tools`. A name that the API would refuse, or that two tools share, is
a `DefinitionError` here instead of a failed request later. A ready schema, as MCP servers give them, is folded into one
that the API takes; a tool for which that cannot be done is left out, with a warning that names it.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mmtools.call import ToolKind
from mmtools.errors import DefinitionError
from mmtools.schema import folding, renewal
from mmtools.tool import ToolSpec

__all__ = ["anthropic", "gemini", "mcp", "openai_chat", "openai_responses"]


def anthropic(specs: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """
    Return `tools` of Anthropic's Messages API.

    Raises:
        DefinitionError: A name does not match `^[a-zA-Z0-9_-]{1,128}$`, as the API's error text has it.
    """
    return [
        {"name": spec.name, "description": spec.description, "input_schema": taken}
        for spec, taken in _taken(_named(specs, "Anthropic", r"[a-zA-Z0-9_-]{1,128}"), "Anthropic", _ANTHROPIC_KEYS)
    ]


def openai_chat(specs: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """
    Return `tools` of OpenAI's Chat Completions API, and of the many servers that speak it.

    Raises:
        DefinitionError: A name has other characters than `a-zA-Z0-9_-`, or more than 64, as the API reference says.
    """
    return [
        {
            "type": "function",
            "function": {
                "name": spec.name,
                "description": spec.description,
                "parameters": taken,
            },
        }
        for spec, taken in _taken(_named(specs, "OpenAI", _OPENAI), "OpenAI")
    ]


def openai_responses(specs: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """
    Return `tools` of OpenAI's Responses API.

    `strict` is off, where the API's default is on: strict mode wants every field required, so a model
    would have to make up a value for each optional one.

    Raises:
        DefinitionError: As `openai_chat`.
    """
    return [
        {
            "type": "function",
            "name": spec.name,
            "description": spec.description,
            "parameters": taken,
            "strict": False,
        }
        for spec, taken in _taken(_named(specs, "OpenAI", _OPENAI), "OpenAI")
    ]


def gemini(specs: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """
    Return `tools` of the Gemini API: one tool that holds every function; none when there are none.

    Raises:
        DefinitionError: A name does not start with a letter or underscore, has other characters than
            `a-zA-Z0-9_.-`, or more than 64: what the API references of Gemini and of Vertex AI both take.
    """
    declarations = [
        {"name": spec.name, "description": spec.description, "parametersJsonSchema": taken}
        for spec, taken in _taken(_named(specs, "Gemini", r"[a-zA-Z_][a-zA-Z0-9_.-]{0,63}"), "Gemini")
    ]
    return [{"functionDeclarations": declarations}] if declarations else []


def mcp(specs: Iterable[ToolSpec]) -> list[dict[str, Any]]:
    """
    Return `tools` of an MCP server's answer to `tools/list`.

    The annotations are hints, made from the tool's kind; a kind that may be anything gets the protocol's defaults, which
    are the worst.

    Raises:
        DefinitionError: A name has other characters than `a-zA-Z0-9_.-`, or more than 128 (MCP 2025-11-25).
    """
    return [
        {
            "name": spec.name,
            "description": spec.description,
            "inputSchema": spec.arguments_schema,
            "annotations": _worst(_annotations(kind) for kind in (spec.kind, *spec.also)),
        }
        for spec in _named(specs, "MCP", r"[a-zA-Z0-9_.-]{1,128}")
    ]


_OPENAI = r"[a-zA-Z0-9_-]{1,64}"
#: Of the root's properties, as the API's error text has it; those further in may be anything.
_ANTHROPIC_KEYS = re.compile(r"[a-zA-Z0-9_.-]{1,64}")


def _named(specs: Iterable[ToolSpec], api: str, pattern: str) -> list[ToolSpec]:
    listed = list(specs)
    names = [spec.name for spec in listed]
    for name in names:
        if not re.fullmatch(pattern, name):
            raise DefinitionError(f"{api} does not take {name!r} as a tool's name: it must match {pattern}")
        if names.count(name) > 1:
            raise DefinitionError(f"two tools are called {name!r}")
    return listed


def _taken(
    specs: Iterable[ToolSpec], api: str, keys: re.Pattern[str] | None = None
) -> Iterator[tuple[ToolSpec, dict[str, Any]]]:
    """
    Pair each tool with the schema that an API takes; warn of each that has none.

    Args:
        keys: What the API takes as an argument's name; None when that is anything.
    """
    for spec in specs:
        schema = spec.arguments_schema
        if isinstance(spec.arguments, Mapping):
            try:
                schema = renewal.renew(folding.fold(schema))
                if keys is not None:
                    schema = _with_keys(schema, keys, spec.name, api)
            except (folding.Unfoldable, RecursionError) as problem:
                reason = str(problem) if isinstance(problem, folding.Unfoldable) else "it is nested too deeply"
                _warn(f"tool {spec.name} is left out: {api} does not take its arguments' schema: {reason}")
                continue
        yield spec, schema


def _with_keys(schema: dict[str, Any], keys: re.Pattern[str], name: str, api: str) -> dict[str, Any]:
    """Leave out optional arguments whose names the API does not take."""
    refused = [key for key in schema["properties"] if not keys.fullmatch(key)]
    if not refused:
        return schema
    shown = ", ".join(ascii(key[:_SHOWN_KEY_CHARS]) for key in refused[:_SHOWN_KEYS])
    if required := [key for key in refused if key in schema.get("required", ())]:
        raise folding.Unfoldable(f"it requires an argument named {required[0][:_SHOWN_KEY_CHARS]!a}")
    _warn(f"tool {name} is offered without arguments whose names {api} does not take: {shown}")
    kept = {key: each for key, each in schema["properties"].items() if key not in refused}
    return {**schema, "properties": kept}


def _warn(text: str) -> None:
    warnings.warn(f"[warning: {text}]", stacklevel=5)


#: Of a refused name, and of such names, in a warning.
_SHOWN_KEY_CHARS, _SHOWN_KEYS = 80, 10


def _worst(annotations: Iterable[Mapping[str, bool]]) -> dict[str, bool]:
    """Say of a tool what holds for all its kinds of calls."""
    first, *others = annotations
    worst = dict(first)
    for other in others:
        worst["readOnlyHint"] = worst["readOnlyHint"] and other["readOnlyHint"]
        worst["openWorldHint"] = worst["openWorldHint"] or other["openWorldHint"]
        if not other["readOnlyHint"]:
            worst["destructiveHint"] = worst.get("destructiveHint", False) or other["destructiveHint"]
            worst["idempotentHint"] = False
    return worst


def _annotations(kind: ToolKind) -> dict[str, bool]:
    match kind:
        case ToolKind.READ | ToolKind.SEARCH | ToolKind.THINK:
            return {"readOnlyHint": True, "openWorldHint": False}
        case ToolKind.FETCH:
            return {"readOnlyHint": True, "openWorldHint": True}
        case ToolKind.SWITCH_MODE:
            return {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False, "openWorldHint": False}
        case ToolKind.EDIT | ToolKind.DELETE | ToolKind.MOVE:
            return {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": False}
        case ToolKind.EXECUTE | ToolKind.OTHER:
            return {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False, "openWorldHint": True}
