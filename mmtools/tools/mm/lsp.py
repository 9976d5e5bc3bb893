"""mm `lsp`: what a language server knows of the code, and its renames. Source: mm reference, "lsp"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal, assert_never

from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools.call import Headline, Location, Reach, Report, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.core.lsp import answers, names, outlines, uris
from mmtools.core.lsp.answers import Targets
from mmtools.core.lsp.languages import Language, language
from mmtools.core.lsp.spots import Pointed
from mmtools.core.lsp.symbols import symbol_and_name
from mmtools.core.truncation import keep_head
from mmtools.errors import ArgumentsRefused, Cancelled, ToolFailure
from mmtools.ports.files import FileProblem, Files
from mmtools.ports.language_server_problems import Interrupted, LanguageServerProblem
from mmtools.ports.language_servers import Feature, LanguageServers, OpenFile
from mmtools.tool import Call, ToolSpec
from mmtools.tools.wording import asking, changes, diagnostics, files, lsp_problems, renames, renaming
from mmtools.tools.wording import lsp as wording
from mmtools.tools.wording.asking import Asked
from mmtools.tools.wording.lsp_problems import Question
from mmtools.tools.wording.named_files import NamedFiles
from mmtools.tools.wording.renaming import Renaming

__all__ = ["Lsp", "LspArgs"]

_SENTENCE = (
    "Ask a language server about code: definition, references, hover, symbols (outline of a file), diagnostics "
    "(its errors and warnings), rename (all uses, in every file). Point by symbol, or by line and column. "
    "Servers available:"
)
#: What is asked about a whole file.
_WHOLE_FILE = ("symbols", "diagnostics")


@frozen(kw_only=True)
class LspArgs:
    action: Annotated[
        Literal["definition", "references", "hover", "symbols", "diagnostics", "rename"], Doc("What to ask.")
    ]
    path: Annotated[str, Doc("File path, relative to the working directory. Its extension picks the server.")]
    symbol: Annotated[
        str, Doc("The identifier, as written in the code; looked for in the file, code before comments.")
    ] = ""
    line: Annotated[int, Doc("1-based line. With symbol: only this line is searched.")] = field(
        default=0, validator=validators.ge(0)
    )
    column: Annotated[int, Doc("1-based column, in characters, inside the identifier. Needed without symbol.")] = field(
        default=0, validator=validators.ge(0)
    )
    new_name: Annotated[str, Doc("The new identifier, for rename.")] = ""


@frozen(kw_only=True)
class Lsp:
    """
    The tool that asks the language server of a file, and makes its renames.

    Args:
        max_output: Characters of one answer; notes about what is missing come on top.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
        ledger: Given, a rename needs every file that it changes to have been read as it is now; it learns
            what was written.

    Needs:
        servers: To ask, and to be told of what a rename wrote.
        files: To locate paths, to show source lines, and to replace what a rename changes.

    Asks:
        Before a rename is made, with every file that it changes. For a file outside the roots, before it is shown to
        a server. Otherwise never.

    Fails:
        No server for such a file; not started, ended, silent, still loading: which of them, and what to do. A symbol
        or place that is not there; nothing found. A rename without a usable name, or with edits that may be a part,
        are not about that name, overlap, lie outside the roots or are no edits of text. A file that changed or could
        not be written: then all files are as before.

    Source:
        mm reference, "lsp"; decisions D1, D2, D4, D5, D6, D8, D13, D14, D16.
    """

    servers: LanguageServers
    files: Files
    max_output: int = 30_000
    encodings: Sequence[str] = ()
    ledger: Ledger | None = None

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            name="lsp",
            kind=ToolKind.READ,
            also=(ToolKind.EDIT,),
            family="lsp",
            description=f"{_SENTENCE} {wording.available(self.servers.servers)}",
            arguments=LspArgs,
            aliases={"file_path": "path", "filePath": "path", "newName": "new_name"},
        )

    def headline(self, arguments: LspArgs) -> Headline:
        action, line, column = arguments.action, arguments.line, arguments.column
        words = [action, arguments.path + (f":{line}" if line else "") + (f":{column}" if line and column else "")]
        if action not in _WHOLE_FILE:
            meant = symbol_and_name(arguments.symbol, arguments.new_name, language(arguments.path))
            words.append(meant.symbol or arguments.symbol)
            if action == "rename" and meant.new_name:
                words.append(f"→ {meant.new_name}")
        return Headline(
            text=" ".join(filter(None, words)),
            locations=(Location(self.files.absolute(arguments.path), line or None),),
            reach=Reach.ANYWHERE,
            kind=ToolKind.EDIT if action == "rename" else None,
        )

    def execute(self, arguments: LspArgs, call: Call) -> str:
        question = Question(action=arguments.action, path=arguments.path, servers=self.servers.servers)
        try:
            return self._answer(arguments, question, call)
        except FileProblem as problem:
            raise ToolFailure(files.problem_among(problem, self.files)) from problem
        except Interrupted as problem:
            raise Cancelled("[lsp was cancelled]") from problem
        except LanguageServerProblem as problem:
            raise ToolFailure(lsp_problems.problem(problem, question)) from problem

    def _answer(self, arguments: LspArgs, question: Question, call: Call) -> str:
        place = self.files.locate(arguments.path)
        known = language(place.path)
        pointed, new_name = _meant(arguments, known)
        if place.outside_roots:
            call.approve(changes.reading(place, "[read rejected by the user]"))
        opened = self.servers.open(place, call.cancellation)
        if arguments.action == "symbols":
            return self._symbols(opened, question, call)
        if arguments.action == "diagnostics":
            return self._diagnostics(opened, question, call)
        asked = asking.point(question, opened, known, pointed)
        match arguments.action:
            case "definition":
                return self._locations(asked, Feature.DEFINITION, call)
            case "references":
                return self._locations(asked, Feature.REFERENCES, call)
            case "hover":
                return self._hover(asked, call)
            case "rename":
                return self._rename(asked, new_name, call)
            case never:
                assert_never(never)

    def _locations(self, asked: Asked, feature: Feature, call: Call) -> str:
        found = asking.ask(asked, feature, _targets)
        targets = found.content.found
        named = NamedFiles(files=self.files, opened=asked.opened, encodings=self.encodings).look(targets)
        rows = answers.rows(targets, named)
        counted = [f"{len(rows)} reference(s):"] if feature is Feature.REFERENCES else []
        caveats = wording.caveats(asked.opened.server.name, unread=found.content.unread, settled=found.settled)
        told = wording.listed(
            [*counted, *map(wording.row, rows)],
            caveats,
            max_chars=self.max_output,
            rest="search the files for the name to find them",
        )
        real = {opened.shown: path for uri, opened in named.items() if (path := uris.to_path(uri))}
        locations = tuple(Location(real[row.path], row.line) for row in rows if row.path in real)
        call.report(Report(locations=locations, truncated=told.truncated))
        return told.text

    def _hover(self, asked: Asked, call: Call) -> str:
        found = asking.ask(asked, Feature.HOVER, _hover)
        kept = keep_head(found.content, self.max_output)
        cut = [f"[… {kept.dropped_chars} more characters; read the source for the rest]"] if kept.dropped_chars else []
        call.report(Report(truncated=kept.dropped_chars > 0))
        return "\n".join([kept.text, *cut, *wording.caveats(asked.opened.server.name, settled=found.settled)])

    def _symbols(self, opened: OpenFile, question: Question, call: Call) -> str:
        answer = opened.ask(Feature.SYMBOLS)
        outline = outlines.outline(answer.content, opened.document)
        if not outline.symbols and not answer.settled:
            raise ToolFailure(wording.loading(opened.server.name, question.action))
        lines = [wording.symbol(symbol) for symbol in outline.symbols] or [
            f"[lsp: no symbols found in {question.path}]"
        ]
        caveats = wording.caveats(opened.server.name, unread=outline.unread, settled=answer.settled)
        told = wording.listed(lines, caveats, max_chars=self.max_output, rest="read the file to see them")
        call.report(Report(truncated=told.truncated))
        return told.text

    def _diagnostics(self, opened: OpenFile, question: Question, call: Call) -> str:
        told = diagnostics.diagnosed(
            opened.diagnostics(),
            opened.document,
            shown=question.path,
            server=opened.server.name,
            max_chars=self.max_output,
        )
        call.report(Report(truncated=told.truncated))
        return told.text

    def _rename(self, asked: Asked, new_name: str, call: Call) -> str:
        renamer = Renaming(files=self.files, servers=self.servers, encodings=self.encodings, ledger=self.ledger)
        wanted = renaming.wanted(asked, new_name)
        planned = renamer.plan(wanted)
        call.approve(renames.proposal(wanted.old, new_name, planned, root=self.files.absolute(".")))
        replaced = renamer.write(planned)
        told = renames.renamed(new_name, planned, replaced, max_chars=self.max_output)
        call.report(
            Report(
                changes=tuple(one.change for one in planned),
                locations=tuple(Location(one.change.path, one.line) for one in planned),
                truncated=told.truncated,
            )
        )
        return told.text


def _targets(content: object, _: int) -> Targets | None:
    targets = answers.locations(content)
    return targets if targets.found or targets.unread else None


def _hover(content: object, _: int) -> str | None:
    return answers.hover(content) or None


def _meant(arguments: LspArgs, known: Language) -> tuple[Pointed, str]:
    """Return the place and the new name that are meant; what lacks one is refused before a server is started."""
    action, path, line, column = arguments.action, arguments.path, arguments.line, arguments.column
    if action in _WHOLE_FILE:
        return Pointed(), ""
    meant = symbol_and_name(arguments.symbol, arguments.new_name, known)
    pointed = Pointed(symbol=meant.symbol, line=line, column=column)
    if action == "rename" and not meant.new_name:
        raise ArgumentsRefused(renames.name_needed(path, pointed))
    if not meant.symbol and not (line and column):
        raise ArgumentsRefused(wording.where_needed(action, path, sent=arguments.symbol))
    if action == "rename" and (flaw := names.flaw(meant.new_name, meant.symbol, known.names)):
        raise ArgumentsRefused(renames.unfit_name(flaw, meant.new_name, known))
    return pointed, meant.new_name
