"""
The words of one call: what a tool is about to do, what it did, and the switch that stops it.

Values only, but for `Cancellation`; everything here may be kept, compared and handed to another thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from attrs import field, frozen

from mmtools.previews import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FileChange,
    FilesPreview,
    Preview,
    ReadPreview,
    RemotePreview,
    UrlPreview,
)

__all__ = [
    "Cancellation",
    "CardPreview",
    "CommandPreview",
    "DeletionPreview",
    "FileChange",
    "FilesPreview",
    "GrantScope",
    "Headline",
    "Location",
    "Media",
    "Observation",
    "Outcome",
    "Preview",
    "Proposal",
    "Reach",
    "ReadPreview",
    "RemotePreview",
    "Report",
    "Status",
    "ToolCall",
    "ToolKind",
    "UrlPreview",
]


class ToolKind(StrEnum):
    """What a call does, in the closed list of the Agent Client Protocol."""

    READ = "read"
    EDIT = "edit"
    DELETE = "delete"
    MOVE = "move"
    SEARCH = "search"
    EXECUTE = "execute"
    THINK = "think"
    FETCH = "fetch"
    SWITCH_MODE = "switch_mode"
    OTHER = "other"


class Status(StrEnum):
    """How a call ended."""

    OK = "ok"
    FAILED = "failed"
    REJECTED = "rejected"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    PENDING = "pending"


@frozen
class ToolCall:
    """
    One call as a model sends it.

    Args:
        arguments: A mapping, JSON text, the tool's own arguments object, or None for no arguments.
        call_id: The model's own, where it gave one.
    """

    name: str
    arguments: Any = None
    call_id: str | None = None


@frozen
class Location:
    """
    A file, and a line of it when one is meant.

    Args:
        path: Absolute.
        line: 1-based.
    """

    path: str
    line: int | None = None


class Reach(StrEnum):
    """
    Which files a call may touch.

    Attributes:
        LOCATIONS: Those of its headline, if there are any; a command any file.
        ANYWHERE: Any file.
        NOWHERE: None by itself. All that it does it does by calls of its own runner, or it has to do with no files.
    """

    LOCATIONS = "locations"
    ANYWHERE = "anywhere"
    NOWHERE = "nowhere"


@frozen(kw_only=True)
class Headline:
    """
    What a call is about, in one line, before it runs.

    Args:
        text: Without the tool's name: the command, the path, the skill. May hold newlines; a display shortens it.
        locations: Files that the call is known to touch; a search, or a move, may name a directory.
        reach: Which files it may touch, so that it waits for other calls about them.
        kind: Where this call's kind differs from its tool's (a rename by a read tool).
        echoes: Whether a display repeats the answer under the headline (a skill's text is not).
    """

    text: str
    locations: tuple[Location, ...] = ()
    reach: Reach = Reach.LOCATIONS
    kind: ToolKind | None = None
    echoes: bool = True


@frozen
class GrantScope:
    """
    Exactly what an "always" would cover.

    Args:
        key: Equal for two calls that one grant covers.
        words: The same for a person: "every file change under /repo".
    """

    key: str
    words: str


@frozen(kw_only=True)
class Proposal:
    """
    The wish to go on: what a tool hands to `Call.approve` at the one point where its change is known.

    Args:
        title: One line: "run: make test".
        preview: What is about to happen, in full.
        scope: What an "always" would cover.
        refusal: The text the model reads after a no.
        paths: Absolute, of the real files concerned.
        kind: Where this step's kind differs from its call's (a program that a read has to start).
    """

    title: str
    preview: Preview
    scope: GrantScope
    refusal: str
    paths: tuple[str, ...] = ()
    kind: ToolKind | None = None


@frozen
class Media:
    """
    A picture, sound or video for the model.

    Args:
        mime_type: Read from the bytes, not from the name.
    """

    mime_type: str
    data: bytes = field(repr=False)


@frozen(kw_only=True)
class Report:
    """
    What a call's outcome holds beside its text.

    Args:
        status: FAILED for an answer that is a failure although it has a result (a non-zero exit).
        locations: In place of the headline's, when given.
    """

    status: Status = Status.OK
    changes: tuple[FileChange, ...] = ()
    locations: tuple[Location, ...] = ()
    media: tuple[Media, ...] = ()
    truncated: bool = False


@frozen(kw_only=True)
class Outcome:
    """
    The end of one call.

    Args:
        text: What the model reads; never empty.
        arguments: As understood: parsed, aliases renamed, repairs done; None when they could not be.
        duration_s: From the call's start to its end, waiting for permission included.
        truncated: Whether the text was cut; the text says so too.
        pending: Of a call that waits for a decision: what `Runner.resume` goes on with, as one line of JSON.
    """

    call_id: str
    tool: str
    text: str
    status: Status
    arguments: Mapping[str, Any] | None = field(default=None, repr=False)
    changes: tuple[FileChange, ...] = ()
    locations: tuple[Location, ...] = ()
    media: tuple[Media, ...] = ()
    duration_s: float = 0.0
    truncated: bool = False
    pending: str | None = field(default=None, repr=False)


@frozen(kw_only=True)
class Observation:
    """
    One call in numbers, without its content.

    Args:
        call_seq: 1 for the first call of the session.
        args_digest: First 16 hex digits of SHA-256 over the canonical JSON of the arguments.
        result_digest: The same over the text's UTF-8.
        bytes_in: UTF-8 size of the canonical arguments.
        bytes_out: UTF-8 size of the text.
        outcome: A value of `Status`.

    Source:
        crab tools page, "What each call records".
    """

    tool: str
    call_seq: int
    args_digest: str
    result_digest: str
    bytes_in: int
    bytes_out: int
    duration_ms: float
    outcome: str


class Cancellation:
    """A way to stop one call from another thread, once and for all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._callbacks: list[Callable[[], object]] = []
        self._requested = False

    @property
    def requested(self) -> bool:
        """Whether the call should stop."""
        return self._requested

    def request(self) -> None:
        """Ask the call to stop; a second request does nothing."""
        with self._lock:
            callbacks, self._callbacks = self._callbacks, []
            self._requested = True
        for callback in callbacks:
            callback()

    def subscribe(self, callback: Callable[[], object]) -> Callable[[], None]:
        """
        Have `callback` called at the request, or at once when it was made already.

        Args:
            callback: Must return soon and not raise: it runs in the thread that cancels.

        Returns:
            A function that ends the subscription.
        """
        with self._lock:
            if not self._requested:
                self._callbacks.append(callback)
                return lambda: self._unsubscribe(callback)
        callback()
        return lambda: None

    def _unsubscribe(self, callback: Callable[[], object]) -> None:
        with self._lock:
            if callback in self._callbacks:
                self._callbacks.remove(callback)
