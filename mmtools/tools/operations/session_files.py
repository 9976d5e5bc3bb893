"""The files of one session: a port, what the session knows of them, and how much of them is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from attrs import frozen

from mmtools.call import Headline, Location, Report
from mmtools.core.freshness import ChangedSince, Ledger, fingerprint
from mmtools.errors import PermissionRefused, ToolFailure
from mmtools.ports.files import Changed, FileProblem, Files, IsDirectory, Missing, Place, Reader, Replaced, Snapshot
from mmtools.tool import Call
from mmtools.tools.operations import near_files
from mmtools.tools.wording import changes, freshness
from mmtools.tools.wording import files as wording
from mmtools.tools.wording.changes import PlannedChange

if TYPE_CHECKING:
    from mmtools.ports.edit_checks import EditChecks, EditWatch

__all__ = ["SessionFiles", "denial", "problem_text", "refuse_denied", "session_files"]


@frozen(kw_only=True)
class SessionFiles:
    """
    Files as one session uses them.

    Args:
        ledger: Given, a file must have been read as it is now before it is changed; it learns what was read and written.
        checks: Given, the answer to a change tells what became worse or better in the file.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
        max_output: Characters of one answer; notes about what is missing come on top.

    Source:
        crab tools page, "The freshness gate"; decision D5.
    """

    files: Files
    ledger: Ledger | None = None
    checks: EditChecks | None = None
    encodings: Sequence[str] = ()
    max_output: int = 30_000

    @property
    def root(self) -> str:
        """The absolute path at which relative ones begin."""
        return self.files.absolute(".")

    def headline(self, path: str, line: int | None = None) -> Headline:
        """Announce a call about one file, and a line of it where one is meant."""
        return Headline(text=path, locations=(Location(self.files.absolute(path), line),))

    @contextmanager
    def problems_told(self, writer: str, call: Call) -> Iterator[None]:
        """
        Turn a `FileProblem` of this block into the sentence for the model.

        Args:
            writer: The dialect's tool that would create a missing file.
        """
        try:
            yield
        except FileProblem as problem:
            raise ToolFailure(problem_text(problem, self.files, call, writer=writer)) from problem

    def locate(self, path: str, call: Call, *, refusal: str) -> Place:
        """
        Find a file to read; a person is asked before anything is told about one outside the roots.

        Raises:
            PermissionRefused: It is denied, or somebody said no.
        """
        place = self.locate_allowed(path, call, refusal=refusal)
        if place.outside_roots:
            call.approve(changes.reading(place, refusal))
        return place

    def locate_allowed(self, path: str, call: Call, *, refusal: str) -> Place:
        """
        Find a file that nothing denies; nobody is asked.

        Raises:
            PermissionRefused: It is denied, by its real path or by the name that the model used.
        """
        place = self.files.locate(path)
        refuse_denied(call, place, self.files, refusal=refusal)
        return place

    @contextmanager
    def open(self, place: Place) -> Iterator[Reader]:
        """Open a file to read it in pieces; one that does not exist drops out of the ledger."""
        try:
            with self.files.open(place) as reader:
                yield reader
        except Missing:
            if self.ledger is not None:
                self.ledger.gone(place.path)
            raise

    def objection(self, before: Snapshot) -> str | None:
        """
        Say that a file was not read, or not as it is now; None when it may be changed.

        A file that does not exist drops out of the ledger.
        """
        if self.ledger is None:
            return None
        if before.data is None:
            self.ledger.gone(before.place.path)
            return None
        verdict = self.ledger.verdict(before.place.path, before.data, before.stamp)
        return freshness.objection(before.place.requested, verdict, before.data)

    def require_read(self, before: Snapshot) -> None:
        """
        Let only a file pass that may be changed.

        Raises:
            ToolFailure: It was not read, or not as it is now.
        """
        if reason := self.objection(before):
            raise ToolFailure(reason)

    def note_known(self, found: Snapshot) -> None:
        """Note that the model sent exactly the bytes that are there."""
        if self.ledger is not None and found.data is not None:
            self.ledger.saw(found.place.path, fingerprint(found.data), found.stamp)

    def change(self, planned: PlannedChange, call: Call, *, tool: str, refusal: str) -> str:
        """
        Ask, replace the file, and say what was done.

        Args:
            tool: The wire name under which others learn who did it.
            refusal: The text after a no.

        Raises:
            PermissionRefused, Cancelled: As `approve` does.
            ToolFailure, FileProblem: As `replace` does.
        """
        before = planned.before
        call.approve(changes.proposal(planned, root=self.root, refusal=refusal))
        watch = None if self.checks is None else self.checks.watch(before.place, call.cancellation)
        replaced = self.replace(before, planned.change.after, tool=tool)
        made = changes.made(planned, replaced, max_chars=self.max_output)
        location = Location(planned.change.path, planned.line)
        call.report(Report(changes=(planned.change,), locations=(location,), truncated=made.truncated))
        return made.text + _checked(watch, before.place.requested)

    def replace(self, before: Snapshot, after: bytes, *, tool: str) -> Replaced:
        """
        Replace a file, if it is still what was looked at.

        Raises:
            ToolFailure: It changed since; the text says who did it, as far as it is known.
            FileProblem: It could not be replaced for another reason.
        """
        try:
            replaced = self.files.replace(before, after)
        except Changed as problem:
            if reason := self._meanwhile(before):
                raise ToolFailure(reason) from problem
            raise
        if self.ledger is not None:
            self.ledger.wrote(before.place.path, fingerprint(after), tool)
        return replaced

    def _meanwhile(self, before: Snapshot) -> str | None:
        """Say what happened to a file while a person was asked; None when that is not to be seen."""
        if self.ledger is None:
            return None
        place = before.place
        try:
            now = self.files.snapshot(place)
        except FileProblem:
            return None
        if now.data is None:
            self.ledger.gone(place.path)
            return freshness.deleted_meanwhile(place.requested)
        if before.data is None:
            return freshness.created_meanwhile(place.requested)
        verdict = self.ledger.verdict(place.path, now.data, now.stamp)
        return freshness.changed_meanwhile(place.requested, verdict) if isinstance(verdict, ChangedSince) else None


def session_files(files: Files | SessionFiles) -> SessionFiles:
    """Take a port alone for files of which the session knows nothing."""
    return files if isinstance(files, SessionFiles) else SessionFiles(files=files)


def denial(call: Call, place: Place, files: Files) -> str | None:
    """Say why a file may not be read, by its real path or by the name that the model used; None when it may."""
    return None if call.denied is None else call.denied((place.path, files.absolute(place.requested)))


def refuse_denied(call: Call, place: Place, files: Files, *, refusal: str) -> None:
    """
    Let only a file pass that nothing denies.

    Args:
        refusal: The text after a no, which the reason follows.

    Raises:
        PermissionRefused: It is denied.
    """
    if reason := denial(call, place, files):
        raise PermissionRefused(f"{refusal}\n{reason}")


def problem_text(problem: FileProblem, files: Files, call: Call, *, writer: str | None) -> str:
    """
    Say why a file cannot be used, and what may be meant: for a missing one its look-alikes and namesakes, in a directory its
    names. What is denied is not told, and outside the roots nobody looks.

    Args:
        writer: The dialect's tool that would create a missing file; None where creating it is no answer.
    """
    offers = near_files.offers(problem.place, files, call) if isinstance(problem, Missing) else ()
    entries = near_files.entries(problem.place, files, call) if isinstance(problem, IsDirectory) else ()
    return wording.problem(problem, offers=offers, entries=entries, writer=writer)


def _checked(watch: EditWatch | None, shown: str) -> str:
    """
    Ask once what a change made worse or better, after the file was written.

    Args:
        watch: None where nobody watches; that costs nothing.

    Returns:
        Empty, or text that begins with a line break.
    """
    if watch is None:
        return ""
    # Here, for it brings along what language servers say.
    from mmtools.tools.wording import diagnostics

    delta = watch.delta()
    return diagnostics.not_known(watch.missing()) if delta is None else diagnostics.after_edit(delta, shown)
