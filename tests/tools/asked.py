"""Questions about code, asked as a tool would ask them, of servers that answer from a script or rename words."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

import pytest

from mmtools.adapters.lsp.texts import TextReader
from mmtools.core.freshness import Ledger
from mmtools.core.lsp import uris
from mmtools.core.lsp.positions import Document
from mmtools.core.lsp.symbols import Pointed
from mmtools.core.text import Text, decode
from mmtools.errors import ToolFailure
from mmtools.ports.language_server_problems import LanguageServerProblem
from mmtools.ports.language_servers import Diagnosis, Feature, LanguageServer
from mmtools.ports.search import Search
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import Asked as Asking
from mmtools.testing.language_servers import MemoryLanguageServers
from mmtools.tools.operations.ask_language_server import ask_language_server
from mmtools.tools.operations.code_questions import CodeSession
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.tools.wording.lsp import Action, LspTerms, Question

__all__ = [
    "GOPLS",
    "MAIN",
    "SERVERS",
    "TERMS",
    "Asked",
    "Contents",
    "Shape",
    "WordServer",
    "at",
    "in_words",
    "location",
    "stretch",
    "versioned",
    "words",
]

Contents: TypeAlias = Mapping[str, bytes | str]
#: An answer, its content, or a problem to raise.
Reply: TypeAlias = object
#: Turns edits by URI into a server's answer.
Shape: TypeAlias = Callable[[Any], Any]

MAIN = 'package main\n\nfunc greet() string {\n\treturn "hi"\n}\n\nfunc main() {\n\tprintln(greet()) // greet\n}\n'
GOPLS = LanguageServer("gopls", "gopls", ".go")
CLANGD = LanguageServer("clangd", "clangd", (".c", ".h"))
PYRIGHT = LanguageServer("pyright", "pyright-langserver --stdio", ".py")
SERVERS = (GOPLS, CLANGD, PYRIGHT)
TERMS = LspTerms(
    tool="lsp",
    editor="edit_file",
    writer="write_file",
    action="action",
    path="path",
    symbol="symbol",
    new_name="new_name",
)


def at(line: int, character: int) -> dict[str, int]:
    return {"line": line, "character": character}


def stretch(line: int, start: int, end: int) -> dict[str, Any]:
    return {"start": at(line, start), "end": at(line, end)}


def location(uri: str, line: int, start: int, end: int) -> dict[str, Any]:
    return {"uri": uri, "range": stretch(line, start, end)}


class Asked:
    """
    An asker, as a tool would be.

    Args:
        replies: By feature; or what answers all of them.
        lacks: What is not offered all the same.
        diagnosis: Of `main.go`.
        problem: Raised instead of opening.
    """

    def __init__(
        self,
        files: MemoryFiles | Contents | None = None,
        replies: Mapping[Feature, Reply] | Callable[[Asking], Reply] | None = None,
        *,
        servers: tuple[LanguageServer, ...] = SERVERS,
        lacks: Sequence[Feature] = (),
        diagnosis: Diagnosis | LanguageServerProblem | None = None,
        problem: LanguageServerProblem | None = None,
        ledger: Ledger | None = None,
        max_output: int = 30_000,
        search: Search | None = None,
        brought: Collection[str] = (),
        sources: MemoryFiles | None = None,
    ) -> None:
        self.files = files if isinstance(files, MemoryFiles) else MemoryFiles(files or {"main.go": MAIN})
        reactions = dict.fromkeys(Feature, replies) if callable(replies) else dict(replies or {})
        self.servers = MemoryLanguageServers(
            servers,
            read=TextReader(files=self.files),
            reactions={feature: reaction for feature, reaction in reactions.items() if feature not in lacks},
            diagnoses={"/repo/main.go": diagnosis} if diagnosis else None,
            brought=brought,
        )
        self.servers.problem = problem
        known = SessionFiles(files=self.files, ledger=ledger, max_output=max_output)
        self.session = CodeSession(servers=self.servers, files=known, terms=TERMS, search=search, sources=sources)
        self.call = StubCall()

    def __call__(
        self, action: Action, path: str = "main.go", *, new_name: str = "", call: StubCall | None = None, **place: Any
    ) -> str:
        self.call = call or StubCall(allows=self.call.allows)
        question = Question(action=action, path=path, pointed=Pointed(**place), new_name=new_name)
        return ask_language_server(self.session, question, self.call)

    def refused(self, action: Action, path: str = "main.go", **arguments: Any) -> str:
        with pytest.raises(ToolFailure) as failure:
            self(action, path, **arguments)
        assert not self.call.reported.changes
        return failure.value.text

    @property
    def positions(self) -> list[tuple[int, int]]:
        """The places that the server was asked about."""
        return [(each.position.line, each.position.character) for each in self.servers.asked if each.position]


def words(text: str, name: str) -> list[tuple[int, int]]:
    return [found.span() for found in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)]


class WordServer:
    """
    A server that renames a word in all files that it was given, as one would that counts right.

    Args:
        shape: Turns edits by URI into an answer.
        prepares: What it says to `prepareRename`; given the range.
    """

    def __init__(self, files: MemoryFiles, paths: Sequence[str], shape: Shape | None = None) -> None:
        self.files = files
        self.paths = paths
        self.shape = shape or (lambda edits: {"changes": edits})

    def __call__(self, asking: Asking) -> Reply:
        text = self.text(asking.path)
        document = Document(text)
        assert asking.position is not None
        at = document.offset(asking.position)
        span = next(((a, b) for a, b in (found.span() for found in re.finditer(r"\w+", text)) if a <= at <= b), None)
        if span is None:
            return None
        if asking.feature is Feature.PREPARE_RENAME:
            return self.range(document, *span)
        if asking.feature is not Feature.RENAME:
            return None
        name = text[slice(*span)]
        edits = {uris.from_path(f"/repo/{path}"): self.edits(path, name, asking.new_name) for path in self.paths}
        return self.shape({uri: some for uri, some in edits.items() if some})

    def edits(self, path: str, name: str, new_name: str | None) -> list[dict[str, Any]]:
        text = self.text(f"/repo/{path}")
        document = Document(text)
        return [{"range": self.range(document, *span), "newText": new_name} for span in words(text, name)]

    def text(self, path: str) -> str:
        decoded = decode(self.files.contents[path.removeprefix("/repo/")])
        assert isinstance(decoded, Text)
        return decoded.content

    @staticmethod
    def range(document: Document, start: int, end: int) -> dict[str, Any]:
        places = document.position(start), document.position(end)
        return dict(zip(("start", "end"), (at(place.line, place.character) for place in places), strict=True))


def versioned(edits: Mapping[str, Any], version: object = None) -> dict[str, Any]:
    return {
        "documentChanges": [
            {"textDocument": {"uri": uri, "version": version}, "edits": some} for uri, some in edits.items()
        ]
    }


def in_words(contents: Contents, shape: Shape | None = None, **scripted: Any) -> Asked:
    """A project whose server renames words in all of its files."""
    files = MemoryFiles(contents)
    return Asked(files, WordServer(files, [path for path in contents if "." in path], shape), **scripted)
