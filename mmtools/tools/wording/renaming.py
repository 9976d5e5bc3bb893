"""A rename, from the server's answer to the files: all of them or none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from attrs import evolve, frozen

from mmtools.call import FileChange
from mmtools.core.freshness import Ledger, fingerprint
from mmtools.core.lsp import answers, renames, workspace_edits
from mmtools.core.lsp.languages import language
from mmtools.core.lsp.renames import Flaw, Outdated, Plan, Rename
from mmtools.core.lsp.workspace_edits import FileEdits, Refused
from mmtools.errors import ToolFailure
from mmtools.ports.files import FileProblem, Files, Missing, OutsideRoots, Place, Replaced, Snapshot
from mmtools.ports.language_servers import Feature, LanguageServers, OpenFile
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.tools.wording import asking, changes
from mmtools.tools.wording import lsp as answering
from mmtools.tools.wording import renames as wording
from mmtools.tools.wording.asking import Asked, Read
from mmtools.tools.wording.named_files import shown
from mmtools.tools.wording.renames import Renamed

__all__ = ["Renaming", "Wanted", "wanted"]


@frozen(kw_only=True)
class Wanted:
    """
    What a server wants changed.

    Args:
        opened: The file that it was asked about.
        old, new: Names.
    """

    opened: OpenFile
    old: str
    new: str
    edits: tuple[FileEdits, ...]


def wanted(asked: Asked, new_name: str) -> Wanted:
    """
    Ask for the edits of a rename, at the first place where the server would make it.

    Raises:
        ToolFailure: There are none, or perhaps not all, or they are no edits of texts.
        ServerError: The server refuses.
    """
    opened = asked.opened
    if opened.offers(Feature.PREPARE_RENAME):
        asked = _prepared(asked)
    old = asked.name_at(asked.offsets[0])
    if not old:
        raise ToolFailure(answering.nothing(asked.question.action, asked.shown(asked.offsets[0])))
    if flaw := asked.language.names.flaw(new_name, old):
        raise ToolFailure(wording.unfit_name(flaw, new_name, asked.language))
    answer: Read[tuple[FileEdits, ...] | Refused] = asking.ask(asked, Feature.RENAME, _edits, new_name=new_name)
    if not answer.settled:
        raise ToolFailure(wording.half_known(opened.server.name))
    if not isinstance(answer.content, tuple):
        raise ToolFailure(wording.no_plan(answer.content, opened.server.name))
    return Wanted(opened=opened, old=old, new=new_name, edits=answer.content)


@frozen(kw_only=True)
class Renaming:
    """
    The making of a rename's edits in files.

    Args:
        servers: To be told what was written.
        encodings, ledger: As for the tool.
    """

    files: Files
    servers: LanguageServers
    encodings: Sequence[str] = ()
    ledger: Ledger | None = None

    def plan(self, wanted: Wanted) -> tuple[Renamed, ...]:
        """
        Find out what becomes of each file; nothing is written.

        Raises:
            ToolFailure: A file is not to be changed, or not like this.
        """
        server = wanted.opened.server.name
        try:
            planned = tuple(self._planned(wanted))
        except FileProblem as problem:
            raise ToolFailure(wording.unusable_file(problem, server)) from problem
        if not planned:
            raise ToolFailure(wording.no_change(server))
        session = SessionFiles(files=self.files, ledger=self.ledger)
        objections = [session.objection(renamed.before) for renamed in planned]
        if any(objections):
            raise ToolFailure(wording.not_fresh(list(filter(None, objections))))
        return planned

    def write(self, planned: Sequence[Renamed]) -> tuple[Replaced, ...]:
        """
        Change the files, in order; if one cannot be, those before it get their old bytes back.

        Raises:
            ToolFailure: One could not be written.
        """
        stuck: list[FileProblem] = []
        replaced: list[Replaced] = []
        try:
            with ExitStack() as undo:
                for renamed in planned:
                    replaced.append(self.files.replace(renamed.before, renamed.change.after))
                    undo.callback(self._put_back, renamed, stuck)
                undo.pop_all()
        except FileProblem as problem:
            restored = len(replaced) - len(stuck)
            raise ToolFailure(wording.not_written(problem, restored, stuck)) from problem
        finally:
            self.servers.note_changed([renamed.change.path for renamed in planned])
        if self.ledger is not None:
            for renamed in planned:
                self.ledger.wrote(renamed.change.path, fingerprint(renamed.change.after), "lsp")
        return tuple(replaced)

    def _planned(self, wanted: Wanted) -> Iterator[Renamed]:
        places: dict[str, Place] = {}
        edits: list[FileEdits] = []
        for file in wanted.edits:
            place = self._locate(file.path)
            places[place.path] = place
            edits.append(evolve(file, path=place.path))
        for file in workspace_edits.merged(edits):
            before = self.files.snapshot(places[file.path])
            if before.data is None:
                raise Missing(before.place)
            planned = self._plan(before.data, file, wanted)
            if isinstance(planned, Plan):
                yield _renamed(before, planned)
            elif planned is not None:
                raise ToolFailure(wording.flawed(planned, before.place.requested, wanted.opened.server.name))

    def _locate(self, path: str) -> Place:
        """Find a file that the server named; shown from the root, and never outside, whoever would be asked."""
        place = self.files.locate(path)
        if place.outside_roots:
            raise OutsideRoots(place)
        return evolve(place, requested=shown(place.path, self.files))

    def _plan(self, data: bytes, file: FileEdits, wanted: Wanted) -> Plan | Flaw | None:
        sent = wanted.opened.sent(file.path)
        if file.is_stale(sent.version if sent else None):
            return Outdated()
        return renames.plan(
            data,
            file.edits,
            Rename(wanted.old, wanted.new, language(file.path).names),
            units=wanted.opened.document.units,
            sent=sent.document.text if sent else None,
            encodings=self.encodings,
        )

    def _put_back(self, renamed: Renamed, stuck: list[FileProblem]) -> None:
        old = renamed.before.data
        assert old is not None
        try:
            self.files.replace(evolve(renamed.before, data=renamed.change.after), old)
        except FileProblem as problem:
            stuck.append(problem)


def _prepared(asked: Asked) -> Asked:
    """Leave the first place where the server would rename what is meant, with the name that it would rename."""
    document, known = asked.opened.document, asked.language.names

    def name(content: object, offset: int) -> str | None:
        prepared = answers.prepared(content)
        if prepared is None:
            return None
        if prepared.range is None:
            return asked.name_at(offset) or None
        start, end = document.offset(prepared.range.start), document.offset(prepared.range.end)
        found = document.text[start:end]
        if asked.symbol and known.core(found) != known.core(asked.symbol):
            return None
        return (asked.symbol or found) if known.accepts(found) else None

    answer = asking.ask(asked, Feature.PREPARE_RENAME, name)
    return evolve(asked, symbol=answer.content, offsets=(answer.offset,))


def _edits(content: object, _: int) -> tuple[FileEdits, ...] | Refused | None:
    return workspace_edits.parse(content) or None


def _renamed(before: Snapshot, plan: Plan) -> Renamed:
    codec = changes.codec(plan.decoded)
    change = FileChange(
        path=before.place.path,
        shown=before.place.requested,
        before=before.data,
        after=plan.after,
        before_encoding=codec,
        after_encoding=codec,
    )
    return Renamed(before=before, change=change, edits=plan.edits, line=plan.line)
