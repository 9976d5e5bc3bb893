"""What every host needs of an outcome, in no framework's words: its text, its media, whether it failed, what it waits for."""

from __future__ import annotations

import base64
from collections.abc import Callable
from enum import StrEnum

from mmtools.call import Media, Outcome, Status
from mmtools.errors import DefinitionError
from mmtools.pending import PendingCall
from mmtools.ports.permission import Choice, Decision

__all__ = ["MediaFamily", "base64_text", "data_url", "decision", "encodable", "failed", "family", "recorded", "split"]


class MediaFamily(StrEnum):
    """A group of media types, as hosts form them."""

    IMAGE = "image"
    AUDIO = "audio"
    VIDEO = "video"
    FILE = "file"


def family(media: Media) -> MediaFamily:
    """Return the family of a media type; FILE is any that is no picture, sound or video."""
    main = media.mime_type.partition("/")[0].strip().lower()
    return MediaFamily(main) if main in ("image", "audio", "video") else MediaFamily.FILE


def base64_text(media: Media) -> str:
    """Return the data as base64."""
    return base64.b64encode(media.data).decode("ascii")


def encodable(text: str) -> str:
    """Put a question mark for each half of a character, which no UTF-8 can carry."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def data_url(media: Media) -> str:
    """Return the data as a `data:` URL."""
    return f"data:{media.mime_type};base64,{base64_text(media)}"


def failed(outcome: Outcome) -> bool:
    """Whether a host with a mark for errors sets it: every end but a result and a wait."""
    return outcome.status not in (Status.OK, Status.PENDING)


def split(outcome: Outcome, *, takes: Callable[[Media], bool] = lambda media: True) -> tuple[str, tuple[Media, ...]]:
    """
    Return the text and the media that a host can hand to its model.

    Args:
        takes: Whether the host can; what it cannot is named in the text.
    """
    taken = tuple(media for media in outcome.media if takes(media))
    left = [media for media in outcome.media if not takes(media)]
    above = outcome.text.removesuffix("\n") if left else outcome.text
    notes = [f"[{media.mime_type}, {len(media.data):,} bytes: cannot be shown here]" for media in left]
    return "\n".join([above, *notes]), taken


def decision(*, allowed: bool, feedback: str = "") -> Decision:
    """Return a host's yes or no, for this one call."""
    return Decision(Choice.ALLOW_ONCE if allowed else Choice.REJECT_ONCE, feedback)


def recorded(pending: object, *, tool: str, call_id: str | None = None) -> PendingCall:
    """
    Read back the record of a call that waits, as a host kept it.

    Args:
        pending: `Outcome.pending`, on its way through a host's own storage.
        tool: Which tool the host goes on with.
        call_id: Which call; None where the host does not know.

    Raises:
        DefinitionError: It is no record, or that of another call: nothing may be done with a decision about this one.
    """
    if not isinstance(pending, str):
        raise DefinitionError(f"a pending call is kept as text, not as {type(pending).__name__}")
    record = PendingCall.from_json(pending)
    asked = record.tool if call_id is None else f"{record.tool} ({record.call_id})"
    meant = tool if call_id is None else f"{tool} ({call_id})"
    if asked != meant:
        raise DefinitionError(f"the decision is about {meant}, but the record given with it is of {asked}")
    return record
