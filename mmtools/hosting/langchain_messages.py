"""An outcome as what LangChain's models read: text, or content blocks; and an artifact for the host."""

from __future__ import annotations

from typing import Any

from langchain_core.messages import ToolMessage

from mmtools.call import Media, Outcome
from mmtools.hosting import answers

__all__ = ["answer"]


def answer(outcome: Outcome, call_id: str | None) -> ToolMessage | str | list[str | dict[Any, Any]]:
    """Return the answer to a call; its content alone to a caller that gave no id."""
    text, media = answers.split(outcome, takes=_is_shown)
    content: str | list[str | dict[Any, Any]] = text
    if media:
        content = [{"type": "text", "text": text}, *map(_block, media)]
    if call_id is None:
        return content
    status = "error" if answers.failed(outcome) else "success"
    return ToolMessage(content, artifact=_artifact(outcome), tool_call_id=call_id, name=outcome.tool, status=status)


def _is_shown(media: Media) -> bool:
    # Sound and video are no blocks of a ToolMessage.
    return answers.family(media) in (answers.MediaFamily.IMAGE, answers.MediaFamily.FILE)


def _block(media: Media) -> dict[Any, Any]:
    return {
        "type": answers.family(media).value,
        "base64": answers.base64_text(media),
        "mime_type": media.mime_type,
    }


def _artifact(outcome: Outcome) -> dict[str, Any]:
    """Say how a call ended, in what every checkpointer can write; files by name, for a history is written at each step."""
    return {
        "status": outcome.status.value,
        "changed": [change.path for change in outcome.changes],
        "locations": [{"path": place.path, "line": place.line} for place in outcome.locations],
        "truncated": outcome.truncated,
        "duration_s": outcome.duration_s,
        "pending": outcome.pending,
    }
