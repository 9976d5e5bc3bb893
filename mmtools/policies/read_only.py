"""Reads may go on, nothing else."""

from __future__ import annotations

from typing import assert_never

from attrs import frozen

from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FilesPreview,
    Preview,
    ReadPreview,
    RemotePreview,
    ToolKind,
    UrlPreview,
)
from mmtools.ports.permission import Choice, Decision, PermissionRequest

__all__ = ["ReadOnly"]

_READS = frozenset({ToolKind.READ, ToolKind.SEARCH, ToolKind.THINK})


@frozen
class ReadOnly:
    """
    A policy that allows what only reads, and refuses the rest with the reason.

    A tool's kind is its own word, so it must not contradict what the tool shows: a command, a file that
    changes, a page from outside and another program's work are no reads. Reads inside the roots never ask;
    a host that lets reads outside them ask allows those with this policy.
    """

    def decide(self, request: PermissionRequest) -> Decision:
        if request.kind in _READS and _only_reads(request.preview):
            return Decision(Choice.ALLOW_ONCE)
        reason = f"Refused by policy: this session is read-only, and {request.tool} would do more than read."
        return Decision(Choice.REJECT_ONCE, reason)

    def refusal(self, request: PermissionRequest) -> Decision | None:
        decision = self.decide(request)
        return None if decision.allowed else decision


def _only_reads(preview: Preview) -> bool:
    match preview:
        case ReadPreview():
            return True
        case CommandPreview() | FilesPreview() | UrlPreview() | RemotePreview() | DeletionPreview() | CardPreview():
            return False
        case _:
            assert_never(preview)
