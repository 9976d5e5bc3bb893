"""How a call ended, in MCP's words."""

from __future__ import annotations

from typing import assert_never

from mcp_types import (
    AudioContent,
    BlobResourceContents,
    CallToolResult,
    ContentBlock,
    EmbeddedResource,
    ImageContent,
    TextContent,
)

from mmtools.call import Media, Outcome
from mmtools.errors import LoopStopped
from mmtools.hosting.answers import MediaFamily, base64_text, encodable, failed, family

__all__ = ["finished", "stopped"]

#: A client's model may go on as it likes after an error; this is all that a server can do about it.
_TURN_MUST_END = "[the turn must end here: make no further call, and say to the user what you could not do]"


def finished(outcome: Outcome) -> CallToolResult:
    """Return the text, then the media; an error unless the call did, or is going to do, what was asked."""
    media = [_block(outcome, number, each) for number, each in enumerate(outcome.media, 1)]
    return CallToolResult(content=[_text(outcome.text), *media], is_error=failed(outcome))


def stopped(stop: LoopStopped) -> CallToolResult:
    """Return the error that says that the turn must end."""
    return CallToolResult(content=[_text(f"{stop.text}\n{_TURN_MUST_END}")], is_error=True)


def _block(outcome: Outcome, number: int, media: Media) -> ContentBlock:
    kind = family(media)
    match kind:
        case MediaFamily.IMAGE:
            return ImageContent(data=base64_text(media), mime_type=media.mime_type)
        case MediaFamily.AUDIO:
            return AudioContent(data=base64_text(media), mime_type=media.mime_type)
        case MediaFamily.VIDEO | MediaFamily.FILE:
            uri = f"mmtools:///{outcome.tool}/{outcome.call_id}/{number}"
            blob = BlobResourceContents(uri=uri, mime_type=media.mime_type, blob=base64_text(media))
            return EmbeddedResource(resource=blob)
        case _:
            assert_never(kind)


def _text(text: str) -> TextContent:
    return TextContent(text=encodable(text))
