"""What an editor shows of a call, in the protocol's words: titles, diffs, places, output, questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, assert_never

from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FileChange,
    FilesPreview,
    Location,
    Media,
    Outcome,
    Preview,
    ReadPreview,
    RemotePreview,
    Status,
    ToolKind,
    UrlPreview,
)
from mmtools.core import acts, digests, screen_text, units
from mmtools.hosting import answers
from mmtools.hosting.acp import editor_text
from mmtools.hosting.acp.sdk import schema
from mmtools.hosting.answers import MediaFamily, encodable
from mmtools.ports.display import StartedCall
from mmtools.ports.permission import Choice, PermissionRequest

__all__ = ["Content", "answer", "locations", "options", "preview", "question_title", "status", "text", "title"]

Content: TypeAlias = schema.ContentToolCallContent | schema.FileEditToolCallContent | schema.TerminalToolCallContent

#: Old and new characters of the diffs of one message: six bytes each on the wire at worst, and the SDK's clients read
#: lines of at most 50 MB.
_DIFF_CHARS = 4_000_000

#: 140 and 50 columns: of a name, and of a tool's name, in a title.
_NAME, _TOOL = 140, 50

#: Bytes of one picture or sound: a third more on the wire.
_MEDIA_BYTES = 10_000_000


def title(call: StartedCall) -> str:
    """Name a call in one line: what it is about, and the tool where the kind does not say it."""
    about = call.headline.text
    kind = call.headline.kind or call.kind
    if kind is ToolKind.EXECUTE and about.strip():
        return editor_text.line(about)
    about = screen_text.shown_name(about, _NAME) if about.strip() else ""
    if kind is ToolKind.FETCH and about:
        return about
    return f"{screen_text.shown_name(call.tool, _TOOL)} {about}".strip() if call.tool.strip() else about or "(unnamed)"


def question_title(request: PermissionRequest) -> str:
    """Say in one line what a question is about; its verb and size stand where no string of the request can write to."""
    shown = acts.acts(request.preview)
    if isinstance(request.preview, FilesPreview | DeletionPreview):
        more = f" and {units.count(len(shown) - 1, 'more path')}" if shown[1:] else ""
        said = "".join([*(act.line(_NAME) for act in shown[:1]), more])
    else:
        # Whoever runs a server chose its tools' names, and the host the server's.
        order = reversed(shown) if isinstance(request.preview, RemotePreview) else shown
        said = " · ".join(act.line(_NAME) for act in order)
    known = any(request.title.startswith(f"{act.verb}: ") for act in shown)
    return said if known else f"{said} — {editor_text.line(screen_text.one_line(request.title))}"


def status(ended: Status) -> schema.ToolCallStatus:
    """Return how a call stands in the protocol's version 1, which knows two ends."""
    match ended:
        case Status.OK:
            return "completed"
        case Status.PENDING:
            return "pending"
        case Status.FAILED | Status.REJECTED | Status.TIMED_OUT | Status.CANCELLED:
            return "failed"
        case _:
            assert_never(ended)


def text(said: str) -> schema.ContentToolCallContent:
    """Show a text as it stands."""
    return schema.ContentToolCallContent(type="content", content=schema.TextContentBlock(type="text", text=said))


def answer(outcome: Outcome) -> list[Content]:
    """Show an end: what changed as diffs, else what was said; pictures and sounds beside it."""
    said, media = answers.split(outcome, takes=_is_shown)
    shown: list[Content] = []
    if outcome.status is not Status.OK or not outcome.changes:
        plain = screen_text.plain(said)
        ours = outcome.status in (Status.REJECTED, Status.CANCELLED, Status.PENDING)
        shown.append(text(plain if ours else editor_text.fenced(plain)))
    return [*shown, *_diffs(outcome.changes), *map(_block, media)]


def preview(request: PermissionRequest) -> list[Content]:
    """Show what a question is about, in full."""
    shown: Preview = request.preview
    match shown:
        case CommandPreview(command=command, directory=directory):
            return [text(f"{_quoted(command)}\n\nin {screen_text.one_line(directory)}")]
        case FilesPreview(changes=changes):
            several = [text(editor_text.fenced(_lines(shown)))] if len(changes) > 1 else []
            return [*several, *_diffs(changes)]
        case ReadPreview(path=path):
            return [text(_named(path))]
        case UrlPreview(url=url):
            return [text(_quoted(url))]
        case RemotePreview(server=server, tool=tool, arguments=arguments):
            return [text(f"{_named(f'{server}: {tool}')}\n\n{_quoted(digests.canonical_json(arguments))}")]
        case DeletionPreview(paths=paths):
            return [text("\n\n".join(["delete", *map(_named, paths)]))]
        case CardPreview(title=name, rows=rows):
            return [text("\n\n".join([_quoted(name), *(_quoted(f"{row}: {value}") for row, value in rows)]))]
        case _:
            assert_never(shown)


def options(request: PermissionRequest) -> list[schema.PermissionOption]:
    """Offer the protocol's four answers; each one's id is the `Choice` that it makes."""
    scope = editor_text.line(screen_text.one_line(request.scope.words))
    return [
        schema.PermissionOption(option_id=Choice.ALLOW_ONCE.value, name="Allow once", kind="allow_once"),
        schema.PermissionOption(
            option_id=Choice.ALLOW_ALWAYS.value, name=f"Allow for this session: {scope}", kind="allow_always"
        ),
        schema.PermissionOption(option_id=Choice.REJECT_ONCE.value, name="Reject", kind="reject_once"),
        schema.PermissionOption(
            option_id=Choice.REJECT_ALWAYS.value, name=f"Reject for this session: {scope}", kind="reject_always"
        ),
    ]


def locations(places: Iterable[Location]) -> list[schema.ToolCallLocation]:
    """Point at files, each place once; lines count from 1."""
    return [
        schema.ToolCallLocation(path=screen_text.plain(place.path), line=place.line)
        for place in dict.fromkeys(places)
        if place.path.startswith("/")
    ]


def _diffs(changes: Sequence[FileChange]) -> Iterator[Content]:
    room = _DIFF_CHARS
    for change in changes:
        old, new = change.old_text, change.new_text
        size = len(old or "") + len(new or "")
        if new is None or (old is None and not change.created):
            yield text(f"{_named(change.path)}\n\nis not text: {len(change.after):,} bytes")
        elif size > room:
            yield text(f"{_named(change.path)}\n\nis too long to show here: {len(new):,} characters")
        else:
            room -= size
            yield schema.FileEditToolCallContent(
                type="diff", path=encodable(change.path), old_text=old and encodable(old), new_text=encodable(new)
            )


def _is_shown(media: Media) -> bool:
    return answers.family(media) in (MediaFamily.IMAGE, MediaFamily.AUDIO) and len(media.data) <= _MEDIA_BYTES


def _block(media: Media) -> Content:
    data = answers.base64_text(media)
    block: schema.ImageContentBlock | schema.AudioContentBlock
    if answers.family(media) is MediaFamily.IMAGE:
        block = schema.ImageContentBlock(type="image", data=data, mime_type=media.mime_type)
    else:
        block = schema.AudioContentBlock(type="audio", data=data, mime_type=media.mime_type)
    return schema.ContentToolCallContent(type="content", content=block)


def _quoted(said: str) -> str:
    return editor_text.fenced(screen_text.spelled(said))


def _named(name: str) -> str:
    return editor_text.fenced(screen_text.one_line(name))


def _lines(preview: Preview) -> str:
    return "\n".join(act.line(_NAME) for act in acts.acts(preview))
