"""Files as their editor shows them: reads see what is not saved yet, writes go through the editor."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import field, frozen

from mmtools.core.stamps import Stamp
from mmtools.hosting.acp import sdk
from mmtools.hosting.acp.session import AcpSession
from mmtools.ports.files import (
    AccessDenied,
    Changed,
    FileProblem,
    Files,
    Place,
    Reader,
    Replaced,
    Snapshot,
    WriteFailed,
)

__all__ = ["EditorFiles"]

#: Bytes of a file that the editor is asked about: it answers with the whole text in one message.
_MAX_BYTES = 4_000_000

#: 30 s: an editor that answers at all does so in milliseconds. A write may wait for a person.
_READ_S = 30.0

_BOM = b"\xef\xbb\xbf"


@frozen(eq=False)
class EditorFiles:
    """
    Some files, with the editor's buffers in front of them, as far as the editor offers it.

    Paths, roots, directories and whatever is not UTF-8 text stay with `files`. So does a write where the exact bytes
    count that an editor may not keep (carriage returns, a byte order mark), while its buffer holds nothing unsaved.
    A buffer that the editor formats on saving ends up as the editor wants it.

    Args:
        files: Where the files are; the editor must see the same.
    """

    files: Files
    session: AcpSession
    _writing: threading.Lock = field(init=False, factory=threading.Lock)

    def absolute(self, path: str) -> str:
        return self.files.absolute(path)

    def locate(self, path: str) -> Place:
        return self.files.locate(path)

    def snapshot(self, place: Place) -> Snapshot:
        on_disk = self.files.snapshot(place)
        unsaved = self._unsaved(on_disk)
        return on_disk if unsaved is None else Snapshot(place=place, data=unsaved, links=on_disk.links)

    @contextmanager
    def open(self, place: Place) -> Iterator[Reader]:
        with self.files.open(place) as reader:
            small = reader.size <= _MAX_BYTES and sdk.reads_buffers(self.session.capabilities)
            unsaved = self._unsaved(self.files.snapshot(place)) if small else None
            yield reader if unsaved is None else _BufferReader(unsaved)

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        place = before.place
        text = _text(data)
        if (
            not sdk.writes_buffers(self.session.capabilities)
            or place.outside_roots
            or text is None
            or len(data) > _MAX_BYTES
        ):
            return self.files.replace(before, data)
        with self._writing:
            try:
                on_disk = self.files.snapshot(place)
            except FileProblem:
                # Whatever stands there now: the files themselves say it as a refused replacement.
                return self.files.replace(before, data)
            unsaved = self._unsaved(on_disk)
            if unsaved is None and self._exact(before, data):
                return self.files.replace(before, data)
            if (on_disk.data if unsaved is None else unsaved) != before.data:
                raise Changed(place)
            self._write(place, text)
        return Replaced()

    def names_beside(self, place: Place) -> tuple[str, ...]:
        return self.files.names_beside(place)

    def _exact(self, before: Snapshot, data: bytes) -> bool:
        if b"\r" in data or data.startswith(_BOM):
            return True
        # Not every editor makes the directories of a new file.
        return before.data is None and not self.files.names_beside(before.place)

    def _unsaved(self, on_disk: Snapshot) -> bytes | None:
        """
        Return what the editor's buffer holds; None where that is what is on disk, or no business of the editor's.

        Raises:
            AccessDenied: The editor is gone.
        """
        place, data = on_disk.place, on_disk.data
        if (
            not sdk.reads_buffers(self.session.capabilities)
            or place.outside_roots
            or data is None
            or len(data) > _MAX_BYTES
        ):
            return None
        text = _text(data)
        if text is None:
            return None
        shown = self._read(place)
        if shown is None:
            return None
        saved = (text, text.replace("\r\n", "\n"))
        if shown in saved or shown.removeprefix("\ufeff") in saved:
            return None
        if "\r" not in shown and "\r\n" in text and "\n" not in text.replace("\r\n", ""):
            shown = shown.replace("\n", "\r\n")
        typed = shown.encode("utf-8", "replace")
        return _BOM + typed.removeprefix(_BOM) if data.startswith(_BOM) else typed

    def _read(self, place: Place) -> str | None:
        session = self.session
        question = session.connection.read_text_file(session_id=session.session_id, path=place.path)
        try:
            return session.wait_for(asyncio.wait_for(question, _READ_S)).content
        except sdk.RequestError:
            # The editor does not show this file, so there is nothing unsaved in it.
            return None
        except OSError as error:
            raise AccessDenied(place, _silent(error)) from error

    def _write(self, place: Place, text: str) -> None:
        session = self.session
        order = session.connection.write_text_file(session_id=session.session_id, path=place.path, content=text)
        try:
            session.wait_for(order)
        except sdk.RequestError as error:
            raise WriteFailed(place, f"the editor did not write it: {sdk.reason(error)}") from error
        except OSError as error:
            raise WriteFailed(place, _silent(error)) from error


class _BufferReader:
    """A reader of a buffer in pieces."""

    def __init__(self, data: bytes) -> None:
        self._data = io.BytesIO(data)
        self.size = len(data)
        self.stamp: Stamp | None = None

    def read(self, max_bytes: int, /) -> bytes:
        return self._data.read(max_bytes)


def _text(data: bytes) -> str | None:
    """Decode what an editor can show: UTF-8 without NUL, its byte order mark left out."""
    if b"\0" in data:
        return None
    try:
        return data.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError:
        return None


def _silent(error: OSError) -> str:
    return f"the editor does not answer: {error}".removesuffix(": ")
