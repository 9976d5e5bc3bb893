"""mm `lsp`: what a language server knows of the code, and its renames. Source: mm reference, "lsp"."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools.call import Headline, Location, Reach, ToolKind
from mmtools.core.lsp.languages import language
from mmtools.core.lsp.symbols import Pointed
from mmtools.ports.files import Files
from mmtools.ports.language_servers import LanguageServers
from mmtools.ports.search import Search
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.ask_language_server import ask_language_server
from mmtools.tools.operations.code_questions import CodeSession
from mmtools.tools.operations.session_files import SessionFiles, session_files
from mmtools.tools.operations.spellings import PATH
from mmtools.tools.wording import lsp as wording
from mmtools.tools.wording.lsp import Action, LspTerms, Question

__all__ = ["TERMS", "Lsp", "LspArgs"]

#: The words of the mm dialect; another has its own editor and writer.
TERMS = LspTerms(
    tool="lsp",
    editor="edit_file",
    writer="write_file",
    action="action",
    path="path",
    symbol="symbol",
    new_name="new_name",
)
_SENTENCE = (
    "Ask a language server about code: definition, references, hover, symbols (outline of a file), diagnostics "
    "(its errors and warnings), rename (all uses, in every file). Point by symbol, or by line and column. "
    "Servers available:"
)


@frozen(kw_only=True)
class LspArgs:
    action: Annotated[Action, Doc("What to ask.")]
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
    The tool that asks the language server of a file, and makes its renames: `ask_language_server`.

    Args:
        terms: How the dialect names what an answer mentions.
        search: Given, a rename says where the old name still stands.
        sources: Reads the lines that a server points at outside the roots, where `files` refuses to.

    Needs:
        servers: To ask, and to be told of what a rename wrote.
        files: To locate paths, to show source lines, and to replace what a rename changes.

    Source:
        mm reference, "lsp".
    """

    servers: LanguageServers
    files: SessionFiles = field(converter=session_files)
    terms: LspTerms = TERMS
    search: Search | None = None
    sources: Files | None = None

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            name="lsp",
            kind=ToolKind.READ,
            also=(ToolKind.EDIT,),
            family="lsp",
            description=f"{_SENTENCE} {wording.available(self.servers.servers)}",
            arguments=LspArgs,
            aliases={**PATH, "newName": "new_name"},
        )

    def headline(self, arguments: LspArgs) -> Headline:
        line, column, is_rename = arguments.line, arguments.column, arguments.action == "rename"
        words = [
            arguments.action,
            arguments.path + (f":{line}" if line else "") + (f":{column}" if line and column else ""),
        ]
        question = _question(arguments)
        if not question.is_about_the_file:
            meant = question.cleaned(language(arguments.path))
            words.append(meant.pointed.symbol or arguments.symbol)
            if is_rename and meant.new_name:
                words.append(f"→ {meant.new_name}")
        return Headline(
            text=" ".join(filter(None, words)),
            locations=(Location(self.files.files.absolute(arguments.path), line or None),),
            reach=Reach.ANYWHERE,
            kind=ToolKind.EDIT if is_rename else None,
        )

    def execute(self, arguments: LspArgs, call: Call) -> str:
        session = CodeSession(
            servers=self.servers, files=self.files, terms=self.terms, search=self.search, sources=self.sources
        )
        return ask_language_server(session, _question(arguments), call)


def _question(arguments: LspArgs) -> Question:
    pointed = Pointed(symbol=arguments.symbol, line=arguments.line, column=arguments.column)
    return Question(action=arguments.action, path=arguments.path, pointed=pointed, new_name=arguments.new_name)
