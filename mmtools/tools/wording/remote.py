"""What a model reads of a remote tool's answer, and of its absence."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, assert_never

from mmtools.call import Media
from mmtools.core import media as kinds
from mmtools.core.truncation import keep_head
from mmtools.ports.remote_tool_problems import (
    CallRefused,
    ConnectionLost,
    DiesTooOften,
    Interrupted,
    NoAnswer,
    NotConnected,
    RemoteToolProblem,
    RemoteToolsClosed,
)
from mmtools.ports.remote_tools import Block, Link, MediaBlock, RemoteAnswer, TextBlock, UnreadableBlock
from mmtools.tools.wording import phrases
from mmtools.tools.wording.answer import Answer

__all__ = ["media", "no_answer", "shown", "timed_out"]

_FAILED = "[error: the server reports that the call failed]"
#: Kinds of data that a model may be handed beside the text.
_FOR_A_MODEL = ("image/", "audio/", "video/")


def shown(answer: RemoteAnswer, max_output: int) -> Answer:
    """
    Put an answer's parts under one another, and the answer as JSON where no text says the same.

    Args:
        max_output: Characters of that; the notice and the marker of a failure come on top.
    """
    parts = [_block(block) for block in answer.blocks]
    if answer.structured is not None and not _is_said(answer.structured, answer.blocks):
        parts.append(_json(answer.structured))
    text = "\n".join(part for part in parts if part)
    kept = keep_head(text, max_output)
    notes = [f"[… {kept.dropped_chars} more characters are left out; ask for less at a time]"] * (
        kept.dropped_chars > 0
    )
    if answer.failed:
        notes.append(_FAILED)
    elif not text.strip():
        notes.append("[the tool answered, with no content]")
    return Answer(text=phrases.stacked(kept.text if text.strip() else "", *notes), truncated=kept.dropped_chars > 0)


def media(answer: RemoteAnswer) -> tuple[Media, ...]:
    """Pick what a model may look at or listen to; each has its line in the text."""
    found = (
        Media(_mime_type(block), block.data) for block in answer.blocks if isinstance(block, MediaBlock) and block.data
    )
    return tuple(each for each in found if each.mime_type.startswith(_FOR_A_MODEL))


def timed_out(problem: NoAnswer) -> str:
    """Say that a server took too long."""
    return (
        f"[error: {problem.after_s:g}s timeout exceeded; the MCP server {problem.server} was told to stop, "
        "and may have done part of the work]"
    )


def no_answer(problem: RemoteToolProblem, tool: str) -> str:
    """Say why there is no answer, and what to do."""
    why = f"{problem.reason}: {problem.last_words}" if problem.last_words else problem.reason
    server = f"the MCP server {problem.server}"
    match problem:
        case DiesTooOften():
            return f"[{tool}: not called: {server} ended too often to be started again now ({why}); use other tools]"
        case NotConnected():
            return f"[{tool}: not called: {server} is not there ({why}); try once more later, or use other tools]"
        case ConnectionLost():
            return (
                f"[{tool}: {server} ended, or the connection to it, during the call ({why}); "
                "it may have done part of the work. The next call starts anew]"
            )
        case CallRefused():
            return f"[{tool}: {server} refused the call: {why}]"
        case Interrupted():
            return f"[{tool}: the call was cancelled; {server} may have done part of the work]"
        case RemoteToolsClosed():
            return f"[{tool}: not called: the session is closed]"
        case RemoteToolProblem():
            return f"[{tool}: {server} gave no answer: {why}]"


def _block(block: Block) -> str:
    match block:
        case TextBlock(text=text, uri=""):
            return text
        case TextBlock(text=text, uri=uri):
            return f"[resource {_one_line(uri)}]\n{text or '[it is empty]'}"
        case MediaBlock(data=data, uri=uri):
            mime_type = _mime_type(block)
            what = f"resource {_one_line(uri)}" if uri else mime_type.partition("/")[0]
            return f"[{what}: {mime_type}, {len(data)} bytes]"
        case Link(uri=uri, name=name, description=description, mime_type=mime_type):
            named = ", ".join(filter(None, map(_one_line, (name, mime_type, description))))
            return f"[link to the resource {_one_line(uri)}{': ' if named else ''}{named}]"
        case UnreadableBlock(what=what, why=why):
            return f"[{_one_line(what)} left out: {why}]"
        case never:
            assert_never(never)


def _mime_type(block: MediaBlock) -> str:
    """Name the type by the bytes, where they tell it."""
    return kinds.recognise(block.data) or _one_line(block.mime_type) or "application/octet-stream"


def _is_said(structured: Any, blocks: Iterable[Block]) -> bool:
    """
    Say whether the texts hold the same; servers wrap a bare value in an object of one member, and give each item of a
    list a text of its own.
    """
    texts = [block.text for block in blocks if isinstance(block, TextBlock)]
    bare = list(structured.values()) if isinstance(structured, dict) and len(structured) == 1 else []
    for value in (structured, *bare):
        if any(_says(text, value) for text in texts):
            return True
        if isinstance(value, list) and value and len(value) == len(texts) and all(map(_says, texts, value)):
            return True
    return False


def _says(text: str, value: Any) -> bool:
    wanted = _canonical(value)
    try:
        return _canonical(text) == wanted or _canonical(json.loads(text)) == wanted
    except (ValueError, RecursionError):
        return False


def _canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")


def _one_line(text: str) -> str:
    return " ".join(text.split())
