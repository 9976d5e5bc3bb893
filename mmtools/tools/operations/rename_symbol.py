"""A rename, from the server's answer to the files: all of them or none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack

from attrs import evolve

from mmtools.call import FileChange, Location, Report
from mmtools.core.freshness import fingerprint
from mmtools.core.lsp import answers, renames, workspace_edits
from mmtools.core.lsp.languages import language
from mmtools.core.lsp.renames import Flaw, Outdated, Plan, Rename
from mmtools.core.lsp.workspace_edits import FileEdits, Refused
from mmtools.errors import ToolFailure
from mmtools.ports.files import FileProblem, Missing, OutsideRoots, Place, Replaced, Snapshot
from mmtools.ports.language_servers import Feature
from mmtools.tool import Call
from mmtools.tools.operations.code_questions import Asked, CodeSession
from mmtools.tools.operations.remaining_words import remaining_words
from mmtools.tools.operations.renamed_declarations import declarations
from mmtools.tools.wording import changes
from mmtools.tools.wording import renames as wording
from mmtools.tools.wording.renames import Renamed

__all__ = ["rename_symbol"]


def rename_symbol(asked: Asked, call: Call) -> str:
    """
    Rename what is meant at the first place where the server would do it.

    Asks:
        Once, with every file that changes.

    Fails:
        A name that cannot be. Edits that may be a part, are not about that name, overlap, lie outside the roots, are of
        another text than the file's, or are no edits of text. A file that was not read, changed, or could not be
        written: then all files are as before.
    """
    pointed = asked
    if asked.opened.offers(Feature.PREPARE_RENAME):
        asked = _prepared(asked)
    rename = _rename(asked)
    edits, chosen = _edits(asked)
    plans, planned = _plan(asked, rename, edits, call)
    session = asked.session
    below = wording.reached(declarations(pointed, chosen, rename.old, plans, call))
    call.approve(wording.proposal(rename.old, rename.new, planned, root=session.files.root))
    replaced = _write(session, planned)
    if session.search is not None:
        word = rename.names.core(rename.old)
        below += remaining_words(session.search, session.files, word, call, session.terms.tool)
    told = wording.renamed(rename.new, planned, replaced, below, max_chars=session.files.max_output)
    call.report(
        Report(
            changes=tuple(one.change for one in planned),
            locations=tuple(Location(one.change.path, one.line) for one in planned),
            truncated=told.truncated,
        )
    )
    return told.text


def _prepared(asked: Asked) -> Asked:
    """Leave the first place where the server would rename what is meant, with the name that it would rename."""
    document, names, symbol = asked.opened.document, asked.language.names, asked.question.pointed.symbol

    def meant(content: object, offset: int) -> tuple[str, int] | None:
        prepared = answers.prepared(content)
        if prepared is None:
            return None
        if prepared.range is None:
            name = asked.name_at(offset)
            return (name, offset) if name else None
        found = document.text[document.offset(prepared.range.start) : document.offset(prepared.range.end)]
        if not names.accepts(found) or (symbol and names.core(found) != names.core(symbol)):
            return None
        return symbol or found, offset

    (name, offset), _ = asked.ask(Feature.PREPARE_RENAME, meant)
    pointed = evolve(asked.question.pointed, symbol=name)
    return evolve(asked, question=evolve(asked.question, pointed=pointed), offsets=(offset,))


def _rename(asked: Asked) -> Rename:
    """Find out what becomes what."""
    old, new, names = asked.name_at(asked.offsets[0]), asked.question.new_name, asked.language.names
    if not old:
        raise asked.nothing()
    if flaw := names.flaw(new, old):
        raise asked.session.failure(wording.unfit_name(flaw, new, asked.language, asked.session.terms))
    return Rename(old, new, names)


def _edits(asked: Asked) -> tuple[tuple[FileEdits, ...], int]:
    """Ask for the edits, of all files or of none; and say for which place they are."""

    def read(content: object, offset: int) -> tuple[tuple[FileEdits, ...] | Refused, int] | None:
        edits = workspace_edits.parse(content)
        return (edits, offset) if edits else None

    answer = asked.read(Feature.RENAME, read, new_name=asked.question.new_name)
    edits, chosen = answer.content
    if not answer.settled:
        raise _not_renamed(wording.not_settled(asked.server), asked.session)
    if answer.lacks:
        raise _not_renamed(wording.not_whole(asked.server, answer.lacks, asked.session.terms), asked.session)
    if not isinstance(edits, tuple):
        raise _not_renamed(wording.refused(edits, asked.server, asked.session.terms), asked.session)
    return edits, chosen


def _plan(
    asked: Asked, rename: Rename, edits: Sequence[FileEdits], call: Call
) -> tuple[Mapping[str, Plan], tuple[Renamed, ...]]:
    """
    Find out what becomes of each file, also by its path; nothing is written.

    Raises:
        PermissionRefused: A file is denied.
        ToolFailure: A file is not to be changed, or not like this.
    """
    session = asked.session
    try:
        planned = tuple(_planned(asked, rename, edits, call))
    except FileProblem as problem:
        raise _not_renamed(wording.unusable_file(problem, asked.server), session) from problem
    if not planned:
        raise _not_renamed(wording.unchanged(asked.server, session.terms), session)
    objections = [session.files.objection(renamed.before) for renamed, _ in planned]
    if any(objections):
        raise ToolFailure(wording.not_fresh(list(filter(None, objections))))
    plans = {renamed.change.path: plan for renamed, plan in planned}
    return plans, tuple(renamed for renamed, _ in planned)


def _planned(asked: Asked, rename: Rename, edits: Sequence[FileEdits], call: Call) -> Iterator[tuple[Renamed, Plan]]:
    session = asked.session
    places: dict[str, Place] = {}
    real: list[FileEdits] = []
    for file in edits:
        place = _locate(session, file.path, call)
        places[place.path] = place
        real.append(evolve(file, path=place.path))
    for file in workspace_edits.merged(real):
        before = session.files.files.snapshot(places[file.path])
        if before.data is None:
            raise Missing(before.place)
        planned = _of_file(asked, rename, before.data, file)
        if isinstance(planned, Plan):
            yield _renamed(before, planned), planned
        elif planned is not None:
            why = wording.flawed(planned, before.place.requested, asked.server, session.terms)
            raise _not_renamed(why, session)


def _locate(session: CodeSession, path: str, call: Call) -> Place:
    """Find a file that the server named; shown from the root, and never outside, whoever would be asked."""
    place = session.files.locate_allowed(path, call, refusal=wording.REFUSAL)
    if place.outside_roots:
        raise OutsideRoots(place)
    return evolve(place, requested=session.shown(place.path))


def _of_file(asked: Asked, rename: Rename, data: bytes, file: FileEdits) -> Plan | Flaw | None:
    sent = asked.opened.sent(file.path)
    if file.is_stale(sent.version if sent else None):
        return Outdated()
    return renames.plan(
        data,
        file.edits,
        evolve(rename, names=language(file.path).names),
        units=asked.opened.document.units,
        sent=sent.document.text if sent else None,
        encodings=asked.session.files.encodings,
    )


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


def _write(session: CodeSession, planned: Sequence[Renamed]) -> tuple[Replaced, ...]:
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
                replaced.append(session.files.files.replace(renamed.before, renamed.change.after))
                undo.callback(_put_back, session, renamed, stuck)
            undo.pop_all()
    except FileProblem as problem:
        raise ToolFailure(wording.not_written(problem, len(replaced) - len(stuck), stuck, session.terms)) from problem
    finally:
        session.servers.note_changed([renamed.change.path for renamed in planned])
    if session.files.ledger is not None:
        for renamed in planned:
            session.files.ledger.wrote(renamed.change.path, fingerprint(renamed.change.after), session.terms.tool)
    return tuple(replaced)


def _put_back(session: CodeSession, renamed: Renamed, stuck: list[FileProblem]) -> None:
    old = renamed.before.data
    assert old is not None
    try:
        session.files.files.replace(evolve(renamed.before, data=renamed.change.after), old)
    except FileProblem as problem:
        stuck.append(problem)


def _not_renamed(why: str, session: CodeSession) -> ToolFailure:
    return ToolFailure(wording.not_renamed(why, session.terms))
