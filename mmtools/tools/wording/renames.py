"""
Renames over files: the question, the answer, and why one was not made, in words a model can act on.

Source:
    mm reference, "lsp": `rename`; the reasons are ours.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from typing import assert_never

from attrs import frozen

from mmtools.call import FileChange, FilesPreview, GrantScope, Proposal
from mmtools.core import search_answers
from mmtools.core.edits import NotText, Overlapping, Unencodable
from mmtools.core.lsp.languages import Language
from mmtools.core.lsp.names import NameFlaw
from mmtools.core.lsp.renames import Astray, Flaw, Outdated
from mmtools.core.lsp.text_edits import StartsOutside
from mmtools.core.lsp.workspace_edits import NotAFile, Refused, ResourceOperation, Unreadable
from mmtools.core.text import Binary
from mmtools.ports.files import FileProblem, Missing, OutsideRoots, Replaced, Snapshot
from mmtools.tools.wording import files, phrases
from mmtools.tools.wording.answer import Answer
from mmtools.tools.wording.changes import in_place, notes
from mmtools.tools.wording.lsp import LspTerms, Question, example, listed, marked

__all__ = [
    "Renamed",
    "flawed",
    "name_needed",
    "not_fresh",
    "not_led_to",
    "not_looked_for",
    "not_renamed",
    "not_settled",
    "not_whole",
    "not_written",
    "proposal",
    "reached",
    "refused",
    "remaining",
    "renamed",
    "several",
    "unchanged",
    "unfit_name",
    "unusable_file",
]

REFUSAL = "[rename rejected by the user]"
#: A function may have several: in a header, and where its body is.
_MOST_DECLARATIONS = 3
#: Files that are named one by one.
_MOST_FILES = 20
#: Files with the old name that are named one by one.
_MOST_REMAINING = 10


@frozen(kw_only=True)
class Renamed:
    """
    What a rename does to one file.

    Args:
        edits: How many the server sent for it.
        line: 1-based, of the first change.
    """

    before: Snapshot
    change: FileChange
    edits: int
    line: int


def name_needed(question: Question, terms: LspTerms) -> str:
    """Say that a rename needs the new name, with a call that points as the question does."""
    pointed = question.pointed
    where: dict[str, object] = {terms.symbol: pointed.symbol or "<the identifier>"}
    if pointed.line and pointed.column and not pointed.symbol:
        where = {"line": pointed.line, "column": pointed.column}
    call = example(question, {**where, terms.new_name: "<the new identifier>"}, terms)
    return (
        f"rename needs {terms.new_name} — call {terms.tool} again with {call}; do not use {terms.editor} for a rename"
    )


def unfit_name(flaw: NameFlaw, new_name: str, language: Language, terms: LspTerms) -> str:
    """Say why this cannot be the new name."""
    quoted = json.dumps(new_name[:100], ensure_ascii=False)
    match flaw:
        case NameFlaw.NOT_A_NAME:
            return (
                f"{quoted} is no identifier in {language.id} — send {terms.new_name} as one name, "
                "without blanks, quotes or what leads to it"
            )
        case NameFlaw.RESERVED:
            return f"{quoted} is a reserved word in {language.id} — choose another {terms.new_name}"
        case NameFlaw.UNCHANGED:
            return f"{quoted} is the name already — nothing to rename; send another {terms.new_name} to change it"
        case never:
            assert_never(never)


def not_renamed(why: str, terms: LspTerms) -> str:
    """Say that all files are as they were."""
    return marked(f"nothing was renamed: {why}", terms)


def not_led_to(qualifiers: Sequence[str], symbol: str, path: str, places: Sequence[str]) -> str:
    """
    Say that no place of a symbol is inside what leads to it, nor written so.

    Args:
        places: Where the symbol stands, `path:line:column`.
    """
    shown = ", ".join(places[:_MOST_FILES]) + (", …" if len(places) > _MOST_FILES else "")
    return (
        f'nothing was renamed: "{".".join(qualifiers)}" names nothing that holds "{symbol}" in {path} — '
        f'"{symbol}" stands at {shown}; point at one by line and column'
    )


def several(name: str, places: Sequence[str], denied: int, terms: LspTerms) -> str:
    """
    Say that a name may mean one of several declarations.

    Args:
        places: Of the declarations, each `path:line:column` with its source line.
        denied: In how many files there are others, of which nothing may be told.
    """
    why = (
        f'"{name}" is declared at {len(places) + denied} places — call {terms.tool} again with the {terms.path}, line and column '
        "of the one that you mean:"
    )
    rows = list(places[:_MOST_FILES])
    if more := len(places) - len(rows):
        rows.append(f"and {more} more")
    return "\n".join([not_renamed(why, terms), *rows, *phrases.left_out(denied, terms.tool)])


def reached(declarations: Sequence[str]) -> list[str]:
    """
    Say which declaration was renamed.

    Args:
        declarations: Each `path:line:column` with its source line.
    """
    return [f"[declaration renamed: {place}]" for place in declarations[:_MOST_DECLARATIONS]]


def remaining(
    word: str, counts: Mapping[str, int], *, cut: Collection[str], whole: bool, left_out: Sequence[str]
) -> list[str]:
    """
    Say where the old name still stands, most often first.

    Args:
        counts: How often, by path as a tool takes it.
        cut: Those with a line that was too long to count in.
        whole: Whether all files were looked at.
        left_out: Lines about files that were not.
    """
    if not counts:
        return [*([] if whole else [not_looked_for(word)]), *left_out]
    paths = sorted(counts, key=lambda path: (-counts[path], path))
    shown = [
        f"{search_answers.quoted(path, reserved=',()')} ({counts[path]}{' or more' if path in cut else ''})"
        for path in paths[:_MOST_REMAINING]
    ]
    if more := len(paths) - len(shown):
        shown.append(f"and {phrases.counted(more, 'more file')}")
    least = "" if whole else "at least "
    ended = "" if whole else "; not all files were looked at"
    files_ = phrases.counted(len(paths), "file")
    return [f'[the word "{word}" still stands in {least}{files_}: {", ".join(shown)}{ended}]', *left_out]


def not_looked_for(word: str) -> str:
    """Say that nobody knows where the old name still stands."""
    return f'[where the word "{word}" still stands is not known: the search for it ended early]'


def not_settled(server: str) -> str:
    """Say that the server's edits may not be all there are."""
    return f"{server} is still loading or indexing, and its edits may be only a part — wait a moment, then call again"


def not_whole(server: str, lacks: str, terms: LspTerms) -> str:
    """
    Say that the server does not know which files belong together.

    Args:
        lacks: The file that would tell it.
    """
    return (
        f"{server} found no {lacks}, so it may know only a part of the program, and its edits may be only a part — "
        f"have the user make one, or change the uses with {terms.editor}"
    )


def unchanged(server: str, terms: LspTerms) -> str:
    """Say that all files would stay as they are."""
    return f"the edits of {server} change nothing — call again; if it stays so, use {terms.editor}"


def refused(refused: Refused, server: str, terms: LspTerms) -> str:
    """Say that what the server wants is not a change of texts."""
    match refused:
        case ResourceOperation(kind=kind):
            return (
                f"{server} would also {kind} a file, which is no part of a rename here — "
                f"do that by a command, and change the uses with {terms.editor}"
            )
        case NotAFile(uri=uri):
            return f"{server} would change {uri}, which is no file"
        case Unreadable():
            return f"what {server} answered could not be read — change the uses with {terms.editor}"
        case never:
            assert_never(never)


def not_fresh(objections: Sequence[str]) -> str:
    """
    Say of each file why it has to be read first.

    Args:
        objections: At least one, a sentence each.
    """
    return "\n".join(phrases.first(objections, _MOST_FILES, more="and {} more files were not read as they are now"))


def unusable_file(problem: FileProblem, server: str) -> str:
    """Say that one of the files cannot be read."""
    if isinstance(problem, OutsideRoots):
        return (
            f"{server} would also change {problem.place.path}, which is outside the working directory — "
            "choose a symbol of this project"
        )
    if isinstance(problem, Missing):
        return f"{server} would change {problem.place.requested}, which does not exist — call again"
    return files.problem(problem)


def flawed(flaw: Flaw, shown: str, server: str, terms: LspTerms) -> str:
    """Say why the edits of one file cannot be made."""
    match flaw:
        case Binary(size=size):
            return f"{server} would change {shown}, which is not text ({size} bytes)"
        case NotText():
            return (
                f"{shown} is not UTF-8, and its edits cannot be made without knowing its encoding — "
                "convert the file, or change it by a command that knows"
            )
        case Outdated():
            return f"{shown} changed while {server} was asked — call again"
        case Astray(place=place, found=found, left=left):
            change = f'from "{_short(found)}" to "{_short(left)}"' if found else f'by adding "{_short(left)}"'
            return (
                f"{server} would change {shown}:{place.line}:{place.column} {change}, which is not this name — "
                f"change the uses with {terms.editor}"
            )
        case StartsOutside(line=line, lines=lines):
            return (
                f"{server} would change line {line + 1} of {shown}, which has {lines} — call again; "
                f"if it stays so, change the uses with {terms.editor}"
            )
        case Overlapping():
            return f"two edits of {server} overlap in {shown} — change the uses with {terms.editor}"
        case Unencodable():
            return f"the encoding of {shown} does not have the new name — choose one in ASCII"
        case never:
            assert_never(never)


def proposal(old: str, new: str, renames: Sequence[Renamed], *, root: str) -> Proposal:
    """
    Ask to change all files at once.

    Args:
        root: Absolute; what an "always" covers, as for an edit.
    """
    return Proposal(
        title=f"rename {old} → {new}: {_counted(renames)}",
        preview=FilesPreview(tuple(rename.change for rename in renames)),
        scope=GrantScope(f"edit:{root}/", f"every file change under {root}"),
        refusal=REFUSAL,
        paths=tuple(rename.change.path for rename in renames),
    )


def renamed(
    new: str,
    renames: Sequence[Renamed],
    replaced: Sequence[Replaced],
    notes_below: Sequence[str] = (),
    *,
    max_chars: int,
) -> Answer:
    """Say what was done, file by file, with what else there is to know below."""
    rows = [
        f"{rename.change.shown}: {rename.edits} edit(s){notes(in_place(rename.before, done))}"
        for rename, done in zip(renames, replaced, strict=True)
    ]
    headline = f"renamed to {new}: {_counted(renames)}"
    rest = "all were changed; a command can list them"
    return listed([headline, *rows], notes_below, max_chars=max_chars, rest=rest)


def not_written(problem: FileProblem, restored: int, stuck: Sequence[FileProblem], terms: LspTerms) -> str:
    """
    Say that a file could not be written, and what became of those written before it.

    Args:
        restored: How many hold their old bytes again.
        stuck: Why others do not.
    """

    def told(problem: FileProblem) -> str:
        return files.problem(problem, writer=terms.writer)

    back = f" (the {restored} file(s) written before it are as they were)" if restored else ""
    if not stuck:
        return not_renamed(f"{told(problem)}{back}", terms)
    rows = [f"- {told(one)}" for one in stuck[:_MOST_FILES]]
    if more := len(stuck) - len(rows):
        rows.append(f"- and {more} more")
    stopped = (
        f"the rename stopped half-way: {told(problem)}{back}. {len(stuck)} file(s) hold the new name and could not be "
        "put back; look at them, and undo the change there:"
    )
    return "\n".join([marked(stopped, terms), *rows])


def _counted(renames: Sequence[Renamed]) -> str:
    return f"{sum(rename.edits for rename in renames)} edit(s) in {len(renames)} file(s)"


def _short(words: str) -> str:
    return words if len(words) <= 100 else words[:99] + "…"
