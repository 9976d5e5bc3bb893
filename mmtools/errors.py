"""
What can go wrong, by who must act.

    MmtoolsError
    ├── DefinitionError          the host's bug: a tool, schema or toolset that cannot be
    ├── ToolFailure              an ordinary failure: its text is the tool's answer
    │   ├── ArgumentsRefused     the model's arguments do not fit
    │   ├── PermissionRefused    somebody or a policy said no
    │   ├── Deferred             nobody has decided yet
    │   └── Cancelled            the host stopped the call
    └── LoopStopped              the model repeats itself: the turn must end
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mmtools.call import Outcome

__all__ = [
    "ArgumentsRefused",
    "Cancelled",
    "Deferred",
    "DefinitionError",
    "LoopStopped",
    "MmtoolsError",
    "PermissionRefused",
    "ToolFailure",
]


class MmtoolsError(Exception):
    """The root of every exception that mmtools raises on purpose."""


class DefinitionError(MmtoolsError, TypeError):
    """A tool, a schema or a toolset that is declared wrongly; a bug of the host."""


class ToolFailure(MmtoolsError):
    """
    A failure with the text that the model reads instead of a result.

    Args:
        text: One or more lines, complete: they name the place and the next action.
    """

    #: The value of `Outcome.status` that this failure becomes.
    status: ClassVar[str] = "failed"

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class ArgumentsRefused(ToolFailure):
    """The refusal of an argument that does not fit: which one and why, in one line."""


class PermissionRefused(ToolFailure):
    """A call that was not allowed; nothing was changed or run."""

    status = "rejected"


class Deferred(ToolFailure):
    """
    A call that waits for a decision; nothing was changed or run.

    Args:
        pending: What the call goes on with, once it is decided: one line of JSON.
    """

    status = "pending"

    def __init__(self, text: str, pending: str) -> None:
        super().__init__(text)
        self.pending = pending


class Cancelled(ToolFailure):
    """A call that the host stopped before it was done."""

    status = "cancelled"


class LoopStopped(MmtoolsError):
    """
    The end of the turn: the model made the same call with the same result too often.

    Args:
        text: The error for the session's record, worded as the mm reference says.
        outcomes: One for each call of the response, in call order: what ran, the call that stopped the turn, and as
            `cancelled` those that were not run any more.
    """

    def __init__(self, text: str, outcomes: Sequence[Outcome] = ()) -> None:
        super().__init__(text)
        self.text = text
        self.outcomes = tuple(outcomes)
