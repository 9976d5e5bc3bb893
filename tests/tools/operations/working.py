"""A model at work on the files of one session: the operations in the words of mm, one call after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from mmtools.call import Proposal
from mmtools.core.edits import Replacement
from mmtools.core.freshness import Ledger
from mmtools.errors import ToolFailure
from mmtools.ports.edit_checks import EditChecks
from mmtools.ports.files import Files
from mmtools.testing.calls import StubCall
from mmtools.tools.operations.edit_text import EditTerms, edit_text
from mmtools.tools.operations.read_text import ReadTerms, Wanted, read_text
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.tools.operations.write_text import WriteTerms, write_text

__all__ = ["EDIT", "READ", "WRITE", "Interrupted", "Working"]


def _onward(line: int, last: int | None) -> str:
    return f"start={line}, end={last}" if last else f"start={line}"


READ = ReadTerms(tool="read_file", writer="write_file", onward=_onward)
WRITE = WriteTerms(tool="write_file", content="content")
EDIT = EditTerms(tool="edit_file", writer="write_file", edits="edits", old="old", new="new")


class Working:
    """
    A session with its files; `call` is that of the last operation.

    Args:
        allows: Whether a person says yes.
    """

    def __init__(
        self,
        files: Files,
        *,
        ledger: Ledger | None = None,
        checks: EditChecks | None = None,
        encodings: Sequence[str] = (),
        max_output: int = 30_000,
        allows: bool = True,
    ) -> None:
        self.session = SessionFiles(
            files=files, ledger=ledger, checks=checks, encodings=encodings, max_output=max_output
        )
        self.allows = allows
        self.call = StubCall()

    def read(
        self, path: str, first: int = 0, last: int = 0, *, numbered: bool = False, call: StubCall | None = None
    ) -> str:
        self.call = call or StubCall(allows=self.allows)
        wanted = Wanted(first=first or None, last=last or None, numbered=numbered)
        return read_text(self.session, path, wanted, self.call, READ)

    def write(self, path: str, content: str, *, call: StubCall | None = None) -> str:
        self.call = call or StubCall(allows=self.allows)
        return write_text(self.session, path, content, self.call, WRITE)

    def edit(
        self,
        path: str,
        *edits: tuple[str, str],
        dry_run: bool = False,
        everywhere: bool = False,
        call: StubCall | None = None,
    ) -> str:
        self.call = call or StubCall(allows=self.allows)
        replacements = [Replacement(old, new, everywhere=everywhere) for old, new in edits]
        return edit_text(self.session, path, replacements, self.call, EDIT, dry_run=dry_run)

    def refused(self, run: Callable[[], str]) -> str:
        """Return the text of a refusal, after which nothing has changed."""
        with pytest.raises(ToolFailure) as refusal:
            run()
        assert not self.call.reported.changes
        return refusal.value.text


class Interrupted(StubCall):
    """A call that does something while the question is open."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def approve(self, proposal: Proposal) -> None:
        super().approve(proposal)
        self._meanwhile()
