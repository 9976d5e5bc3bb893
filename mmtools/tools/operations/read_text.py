"""Lines of a text file: find, show, and note that the session knows the file."""

from __future__ import annotations

import hashlib
from typing import assert_never

from mmtools.call import Cancellation, Location, Report
from mmtools.core import media, reading
from mmtools.core.forms import Survey
from mmtools.core.freshness import Ledger
from mmtools.core.lines import PastEnd
from mmtools.core.reading import Found, NotText, Reading, Seen, TooWide
from mmtools.errors import Cancelled, ToolFailure
from mmtools.ports.files import Place, Reader, TooLarge
from mmtools.tool import Call
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.tools.wording import files
from mmtools.tools.wording import showing as wording
from mmtools.tools.wording.answer import Answer
from mmtools.tools.wording.showing import ReadTerms, Showing, Wanted

__all__ = ["Pieces", "ReadTerms", "Wanted", "read_text"]

_REFUSAL = "[read rejected by the user]"
#: 256 MiB: no larger file is changed as a whole, so none needs to be known as a whole.
_LARGEST_KNOWN = 1 << 28
#: 1 MiB: so much is read on only to tell how many lines there are, which costs less than a millisecond.
_CHEAP = 1 << 20
#: 256 KiB: stays in a core's cache; larger pieces are no faster.
_AT_ONCE = 1 << 18


def read_text(session: SessionFiles, path: str, wanted: Wanted, call: Call, terms: ReadTerms) -> str:
    """
    Show lines of a file; the ledger learns its whole bytes, also when only a range of it is shown.

    Asks:
        Only for a file outside the roots, where the host leaves that to a person.

    Fails:
        Missing, directory, special file, outside the roots …: the shared sentences. Binary. A first line past the end.
        A failed read opens no gate.

    Source:
        Decisions D1, D2, D6, D8, D13, D14.
    """
    with session.problems_told(terms.writer, call):
        place = session.locate(path, call, refusal=_REFUSAL)
        with session.open(place) as reader:
            pieces = Pieces(reader, call.cancellation, tool=terms.tool, ledger=session.ledger)
            found = reading.find(pieces.read, wanted.window, max_chars=session.max_output)
            showing = Showing(wanted=wanted, terms=terms, max_output=session.max_output, encodings=session.encodings)
            if isinstance(found, Found):
                pieces.read_on()
            answer = _answer(found, place, reader.size, showing, pieces.seen)
            pieces.note(place.path)
    call.report(Report(locations=(Location(place.path, wanted.first),), truncated=answer.truncated))
    return answer.text


class Pieces:
    """
    A file that is read until the host stops the call; the ledger is told of its whole.

    Args:
        tool: The wire name of the tool that reads.
        ledger: None where nothing needs to be read before it is changed.
    """

    def __init__(self, reader: Reader, cancellation: Cancellation, *, tool: str, ledger: Ledger | None) -> None:
        self._reader = reader
        self._cancellation = cancellation
        self._tool = tool
        self._ledger = ledger
        self._hash = None if ledger is None else hashlib.sha256()
        self._survey = Survey()
        self._taken = 0

    def read(self, max_bytes: int) -> bytes:
        """
        Return the next bytes; empty at the end.

        Raises:
            Cancelled: The call was.
        """
        if self._cancellation.requested:
            raise Cancelled(f"[{self._tool} was cancelled]")
        data = self._reader.read(max_bytes)
        self._taken += len(data)
        self._survey.feed(data)
        if self._hash is not None:
            self._hash.update(data)
        return data

    @property
    def seen(self) -> Seen:
        """What was learnt so far of the file as a whole."""
        return Seen(survey=self._survey, complete=self._taken >= self._reader.size)

    def read_on(self) -> None:
        """Read to the end where that is cheap."""
        if self._reader.size - self._taken <= _CHEAP:
            while self._taken <= _LARGEST_KNOWN and self.read(_AT_ONCE):
                pass

    def note(self, path: str) -> None:
        """
        Read what is left, and note in the ledger that the model knows the file; one too large to be changed is left out.

        Args:
            path: Of the real file.
        """
        stamp = self._reader.stamp
        if self._ledger is None or self._hash is None or self._ledger.proven(path, stamp):
            return
        if self._reader.size > _LARGEST_KNOWN:
            return
        while self._taken <= _LARGEST_KNOWN and self.read(_AT_ONCE):
            pass
        if self._taken <= _LARGEST_KNOWN:
            self._ledger.saw(path, self._hash.digest(), stamp)


def _answer(found: Reading, place: Place, size: int, showing: Showing, seen: Seen) -> Answer:
    """
    Show the lines, or say that the file is empty.

    Args:
        size: Of the file, in bytes.
        seen: Of the file as a whole.

    Raises:
        ToolFailure: The file is binary, or has no such line.
        TooLarge: It is UTF-16 and cannot be converted.
    """
    first = showing.wanted.window.first
    match found:
        case Found():
            return showing.answer(found, place, seen)
        case PastEnd(lines=0) if first == 1:
            return Answer(wording.empty(place.requested))
        case PastEnd(lines=total):
            raise ToolFailure(wording.past_end(place.requested, first, total, showing.terms))
        case NotText(head=head):
            raise ToolFailure(files.not_text(place.requested, size=size, mime_type=media.recognise(head)))
        case TooWide():
            raise TooLarge(place, wording.too_wide(size))
        case never:
            assert_never(never)
