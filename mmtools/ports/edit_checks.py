"""What an edit makes worse or better in a file, as far as somebody who knows its language can tell."""

from __future__ import annotations

from typing import Protocol

from mmtools.call import Cancellation
from mmtools.core.lsp.diagnostics_delta import Delta
from mmtools.ports.files import Place

__all__ = ["EditChecks", "EditWatch"]


class EditWatch(Protocol):
    """The knowledge of what was wrong with one file before it was written."""

    def delta(self) -> Delta | None:
        """
        Compare with what is wrong now; to be asked once, after the file was written.

        Returns:
            None when there is nothing to be known, or not in time. Never raises.
        """
        ...

    def missing(self) -> str:
        """Return why `delta` gave None though somebody might have known, in a few words; else empty. Never raises."""
        ...


class EditChecks(Protocol):
    """A look at files before and after they are written, in little time: some seconds for both."""

    def watch(self, place: Place, cancellation: Cancellation) -> EditWatch:
        """
        Find out what is wrong with a file that is about to be written, or made. Never raises.

        Args:
            cancellation: Ends this and the later wait.
        """
        ...
