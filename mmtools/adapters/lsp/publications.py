"""What a server has published about files."""

from __future__ import annotations

import time

from attrs import frozen

from mmtools.adapters.lsp.documents import OpenDocument
from mmtools.core.lsp import diagnostics, uris
from mmtools.core.lsp.diagnostics import Diagnostics

__all__ = ["Publications", "Published"]


@frozen(kw_only=True)
class Published:
    """
    The latest that was published about a file.

    Args:
        version: Of the text that was looked at, where the server tells.
        number: Grows with each publication of the server.
        at: When it came, by the monotonic clock.
    """

    diagnostics: Diagnostics
    version: int | None
    number: int
    at: float

    def is_about(self, document: OpenDocument) -> bool:
        """Whether it came after the text that the server has now, and is not known to be about an older one."""
        return self.number > document.heard and (self.version is None or self.version >= document.version)


class Publications:
    """The latest publication of each file, however its URI is spelt. Written by one thread, read by any."""

    def __init__(self) -> None:
        self._latest: dict[str, Published] = {}
        #: How many have come so far.
        self.count = 0

    def take(self, params: object) -> None:
        """Take the parameters of `publishDiagnostics`."""
        publication = diagnostics.publication(params)
        path = uris.to_path(publication.uri) if publication else None
        if publication is None or path is None:
            return
        self._latest[uris.key(path)] = Published(
            diagnostics=publication.diagnostics,
            version=publication.version,
            number=self.count + 1,
            at=time.monotonic(),
        )
        self.count += 1

    def about(self, document: OpenDocument) -> Published | None:
        """Return what was published about a file as it is now; None for nothing yet."""
        latest = self._latest.get(uris.key(document.place.path))
        return latest if latest and latest.is_about(document) else None
