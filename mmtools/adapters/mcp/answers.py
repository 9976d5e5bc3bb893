"""What servers send as JSON, read with forbearance: a part that is not as it should be costs no other part."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from mmtools.ports.remote_tools import Block, Link, MediaBlock, RemoteAnswer, TextBlock, UnreadableBlock

__all__ = ["MAX_DEPTH", "is_deeper", "read_answer"]

#: As deep as a model's arguments may be; what is deeper than a reader can take breaks whoever encodes it again.
MAX_DEPTH = 100


def read_answer(result: Mapping[str, Any]) -> RemoteAnswer:
    """
    Read the result of a call.

    Args:
        result: As the server sent it, of any shape.
    """
    if result.get("resultType") == "input_required":
        return RemoteAnswer(
            blocks=(UnreadableBlock("answer", "it asks for input, which nobody here can give"),), failed=True
        )
    content = result.get("content")
    parts = content if isinstance(content, list) else [] if content is None else [content]
    blocks, structured = [*map(_block, parts)], result.get("structuredContent")
    if is_deeper(structured):
        blocks.append(UnreadableBlock("structured content", f"it is nested deeper than {MAX_DEPTH} levels"))
        structured = None
    return RemoteAnswer(
        blocks=tuple(blocks),
        structured=structured,
        failed=result.get("isError") is True,
    )


def is_deeper(value: Any, levels: int = MAX_DEPTH) -> bool:
    """Say whether something is nested deeper than so many levels."""
    layer = [value]
    for _ in range(levels):
        layer = [
            child
            for container in layer
            if isinstance(container, Mapping | list)
            for child in (container.values() if isinstance(container, Mapping) else container)
        ]
        if not layer:
            return False
    return True


def _block(part: Any) -> Block:
    match part:
        case str(text):
            return TextBlock(_whole(text))
        case {"type": "text", "text": str(text)}:
            return TextBlock(_whole(text))
        case {"type": "image" | "audio" as kind, "data": str(data)}:
            return _media(kind, data, _text(part, "mimeType"), "")
        case {"type": "resource", "resource": {"uri": str(uri), "text": str(text)}}:
            return TextBlock(_whole(text), _whole(uri))
        case {"type": "resource", "resource": {"uri": str(uri), "blob": str(data)} as resource}:
            return _media("resource", data, _text(resource, "mimeType"), _whole(uri))
        case {"type": "resource_link", "uri": str(uri)}:
            named = _text(part, "name") or _text(part, "title")
            return Link(_whole(uri), named, _text(part, "description"), _text(part, "mimeType"))
        case {"type": "text" | "image" | "audio" | "resource" | "resource_link" as kind}:
            return UnreadableBlock(kind, "it is not complete")
        case {"type": str(kind)}:
            return UnreadableBlock(_whole(kind), "there is no such kind of content")
        case _:
            return UnreadableBlock("part", "it has no kind")


def _media(kind: str, data: str, mime_type: str, uri: str) -> Block:
    try:
        decoded = base64.b64decode(
            "".join(data.split()), altchars=b"-_" if "-" in data or "_" in data else None, validate=True
        )
    except (binascii.Error, ValueError):
        return UnreadableBlock(f"{kind} {uri}".rstrip(), "its data is not base64")
    return MediaBlock(mime_type, decoded, uri)


def _text(part: Mapping[str, Any], key: str) -> str:
    value = part.get(key)
    return _whole(value) if isinstance(value, str) else ""


def _whole(text: str) -> str:
    """Replace halves of characters: JSON can spell them, nothing else takes them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")
