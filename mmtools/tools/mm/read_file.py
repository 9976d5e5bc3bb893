"""
mm `read_file`: a text file, or a range of its lines. Source: mm reference, "read_file".
"""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Sequence
from typing import Annotated, ClassVar, assert_never

from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools.call import Cancellation, Headline, Location, Report, ToolKind
from mmtools.core import lines, media, reading, shown_lines
from mmtools.core.freshness import Ledger
from mmtools.core.lines import Ending, Excerpt, PastEnd, Window
from mmtools.core.reading import Found, NotText, Reading, TooWide
from mmtools.core.shown_lines import FirstTooLong, Head, Whole
from mmtools.core.text import view
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.files import FileProblem, Files, Place, Reader, TooLarge
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import changes
from mmtools.tools.wording import files as wording

__all__ = ["ReadFile", "ReadFileArgs"]


@frozen(kw_only=True)
class ReadFileArgs:
    """
    Name a file, and the lines of it that are wanted.
    """

    path: Annotated[str, Doc("File path, relative to the working directory.")]
    start: Annotated[int, Doc("First line (1-based); 0 = from the start.")] = field(
        default=0, validator=validators.ge(0)
    )
    end: Annotated[int, Doc("Last line (1-based, inclusive); 0 = to the end.")] = field(
        default=0, validator=validators.ge(0)
    )
    numbered: Annotated[bool, Doc("Prefix each line with its number.")] = False


@frozen(kw_only=True)
class ReadFile:
    """
    Show the lines of a text file.

    Args:
        max_output: Characters of lines in one answer; notes about what is missing come on top.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
        ledger: Learns the whole file's bytes, also when only a range of it is shown.

    Needs:
        files: To locate the path and read it in pieces.

    Asks:
        Only for a file outside the roots, where the host leaves that to a person.

    Fails:
        Missing, directory, special file, outside the roots …: the shared sentences. Binary.
        `[read_file: line 9 is past the end of a.txt (2 lines)]`. An end before the start.

    Source:
        mm reference, "read_file"; decisions D1, D2, D6, D8, D13, D14.
    """

    files: Files
    max_output: int = 30_000
    encodings: Sequence[str] = ()
    ledger: Ledger | None = None

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="read_file",
        kind=ToolKind.READ,
        family="file",
        description=(
            "Read a text file, or its lines start to end. Long output is cut after a whole line, "
            "with the start that continues it."
        ),
        arguments=ReadFileArgs,
        aliases={
            "file_path": "path",
            "filePath": "path",
            "offset": "start",
            "line_offset": "start",
            "start_line": "start",
            "end_line": "end",
        },
    )

    def headline(self, arguments: ReadFileArgs) -> Headline:
        location = Location(self.files.absolute(arguments.path), arguments.start or None)
        return Headline(text=arguments.path, locations=(location,))

    def execute(self, arguments: ReadFileArgs, call: Call) -> str:
        window = _window(arguments)
        try:
            place = self.files.locate(arguments.path)
            if place.outside:
                call.approve(changes.reading(place, "[read rejected by the user]"))
            with self.files.open(place) as reader:
                pieces = _Pieces(reader, call.cancellation, hashing=self.ledger is not None)
                found = reading.find(pieces.read, window, max_chars=self.max_output)
                answer = self._answer(found, arguments, place, reader.size)
                if self.ledger is not None:
                    self.ledger.saw(place.path, pieces.fingerprint())
        except FileProblem as problem:
            raise ToolFailure(wording.problem_among(problem, self.files)) from problem
        location = Location(place.path, arguments.start or None)
        call.report(Report(locations=(location,), truncated=answer.truncated))
        return answer.text

    def _answer(self, found: Reading, arguments: ReadFileArgs, place: Place, size: int) -> _Answer:
        match found:
            case Found():
                return self._shown(found, arguments, place)
            case PastEnd(lines=0) if arguments.start <= 1:
                return _Answer(f"[{place.shown} is empty]")
            case PastEnd(lines=total):
                count = "1 line" if total == 1 else f"{total} lines"
                raise ToolFailure(f"[read_file: line {arguments.start} is past the end of {place.shown} ({count})]")
            case NotText(head=head):
                raise ToolFailure(wording.not_text(place.shown, size=size, mime_type=media.recognise(head)))
            case TooWide():
                raise TooLarge(place, f"UTF-16, {size} bytes; at most {reading.MAX_CONVERTED} can be converted")
            case never:
                assert_never(never)

    def _shown(self, found: Found, arguments: ReadFileArgs, place: Place) -> _Answer:
        excerpt = found.excerpt
        decoded = reading.shown(excerpt.data, self.encodings)
        text = view(decoded.text)
        if arguments.numbered:
            text = shown_lines.numbered(text, excerpt.first)
        if excerpt.ending is Ending.WINDOW:
            text = text.removesuffix("\n")
        more = excerpt.ending is Ending.BUDGET or excerpt.missing > 0
        match shown_lines.fit(text, max_chars=self.max_output, more=more):
            case Whole(text=whole):
                notes = _undecodable(decoded.undecodable)
                if notes and excerpt.ending is Ending.STREAM:
                    whole = whole.removesuffix("\n")
                return _Answer(_joined(whole or f"[line {excerpt.first} of {place.shown} is empty]", *notes))
            case Head(text=part, lines=count):
                if decoded.undecodable:
                    decoded = reading.shown(lines.head(excerpt.data, count), self.encodings)
                next_call = _continued(excerpt, count, arguments)
                return _Answer(_joined(part, next_call, *_undecodable(decoded.undecodable)), truncated=True)
            case FirstTooLong():
                return self._beginning(found, arguments, place)
            case never:
                assert_never(never)

    def _beginning(self, found: Found, arguments: ReadFileArgs, place: Place) -> _Answer:
        """
        Show the beginning of a line that is longer than an answer, and the command that shows its rest.
        """
        excerpt = found.excerpt
        line, _, after = excerpt.data.partition(b"\n")
        prefix = f"{excerpt.first}\t" if arguments.numbered else ""
        data = lines.beginning(line, max(self.max_output - len(prefix), 1))
        decoded = reading.shown(data, self.encodings)
        note = f"line {excerpt.first} is {len(line) + excerpt.missing} bytes long, its first {len(data)} are shown. "
        note += f"Its rest, by command: {_command(found, len(data), place)} | head -c {self.max_output}"
        if after or excerpt.ending is not Ending.STREAM:
            note += f". Next line: start={excerpt.first + 1}"
        text = _joined(prefix + decoded.text, f"[… {note}]", *_undecodable(decoded.undecodable))
        return _Answer(text, truncated=True)


@frozen
class _Answer:
    text: str
    truncated: bool = False


class _Pieces:
    """
    Read a file until the host stops the call; keep its fingerprint when that will be asked for.
    """

    def __init__(self, reader: Reader, cancellation: Cancellation, *, hashing: bool) -> None:
        self._reader = reader
        self._cancellation = cancellation
        self._hash = hashlib.sha256() if hashing else None

    def read(self, max_bytes: int) -> bytes:
        if self._cancellation.requested:
            raise Cancelled("[read_file was cancelled]")
        data = self._reader.read(max_bytes)
        if self._hash is not None:
            self._hash.update(data)
        return data

    def fingerprint(self) -> bytes:
        """
        Read what is left, and return the `freshness.fingerprint` of the whole; nothing without hashing.
        """
        while self.read(1 << 18):
            pass
        return self._hash.digest() if self._hash is not None else b""


def _window(arguments: ReadFileArgs) -> Window:
    first, last = arguments.start or 1, arguments.end or None
    if last is not None and last < first:
        raise ArgumentsRefused(f"end ({last}) is before start ({first}); send end=0 to read to the end of the file")
    return Window(first, last)


def _continued(excerpt: Excerpt, count: int, arguments: ReadFileArgs) -> str:
    last = excerpt.first + count - 1
    shown = f"lines {excerpt.first}-{last}" if count > 1 else f"line {last}"
    total = f" of {excerpt.stream_lines}" if excerpt.stream_lines else ""
    end = f", end={arguments.end}" if arguments.end else ""
    return f"[… {shown}{total} shown; continue with start={last + 1}{end}]"


def _command(found: Found, skipped: int, place: Place) -> str:
    """
    Return a shell command that prints the file from within the excerpt on.
    """
    path = shlex.quote(place.path if place.shown.startswith("~") else place.shown)
    first = found.begins + found.excerpt.offset + skipped + 1
    if found.converted:
        return f"iconv -f UTF-16 -t UTF-8 -- {path} | tail -c +{first}"
    return f"tail -c +{first} -- {path}"


def _undecodable(count: int) -> tuple[str, ...]:
    what = "1 byte here is" if count == 1 else f"{count} bytes here are"
    return (f"[{what} not valid UTF-8, shown as \ufffd; edits of ASCII text keep such bytes]",) if count else ()


def _joined(text: str, *notes: str) -> str:
    return "\n".join([text, *notes])
