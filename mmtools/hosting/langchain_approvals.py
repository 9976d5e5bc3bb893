"""A call that waits, and the answer to it, in the words of LangChain's own human-in-the-loop approvals."""

from __future__ import annotations

from typing import Any

from mmtools.pending import PendingCall
from mmtools.ports.permission import Choice, Decision

__all__ = ["ANSWERS", "decision", "request"]

#: What a client may answer.
ANSWERS = {
    "type": "object",
    "properties": {
        "type": {"enum": ["approve", "reject"]},
        "message": {"type": "string", "description": "For the model, with a reject."},
        "always": {"type": "boolean", "description": "Whether the policy shall remember it."},
    },
    "required": ["type"],
}


def request(record: PendingCall) -> dict[str, Any]:
    """Return what a client is shown."""
    return {
        "type": "tool_approval",
        "tool_call_id": record.call_id,
        "name": record.tool,
        "args": dict(record.arguments),
        "description": record.title,
        "always": record.always,
        "pending": record.to_json(),
    }


def decision(answered: object) -> Decision:
    """Read an answer. What is neither yes nor no is a no, as from every permission."""
    match answered:
        case {"type": "approve", **more}:
            return Decision(Choice.ALLOW_ALWAYS if more.get("always") is True else Choice.ALLOW_ONCE)
        case {"type": "reject", **more}:
            said = more.get("message")
            choice = Choice.REJECT_ALWAYS if more.get("always") is True else Choice.REJECT_ONCE
            return Decision(choice, said if isinstance(said, str) else "")
        case _:
            return Decision(Choice.REJECT_ONCE, "(the answer was neither approve nor reject)")
