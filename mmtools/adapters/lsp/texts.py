"""The texts of files, as language servers may see them."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from mmtools.core.text import Text, decode
from mmtools.ports.files import Files, Place
from mmtools.ports.language_server_problems import NotSendable

__all__ = ["TextReader"]

#: 4 MiB: beyond it a file is not written by hand, and servers choke on it (ours).
_MAX_BYTES = 1 << 22


@frozen(kw_only=True)
class TextReader:
    """
    A reader of a file's text, without its BOM, line ends as found.

    Args:
        encodings: Codecs tried, in order, for files that are not UTF-8.
    """

    files: Files
    encodings: Sequence[str] = ()

    def __call__(self, place: Place) -> str | None:
        """
        Return the text; None when there is no file.

        Raises:
            FileProblem: It cannot be read.
            NotSendable: It is no text, or a very large one.
        """
        data = self.files.snapshot(place).data
        if data is None:
            return None
        if len(data) > _MAX_BYTES:
            raise NotSendable("", f"{len(data)} bytes, more than a language server is given ({_MAX_BYTES})")
        text = decode(data, self.encodings)
        if not isinstance(text, Text):
            raise NotSendable("", "not text in UTF-8")
        return text.content
