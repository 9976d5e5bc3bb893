"""Language servers, wherever they run: files opened in them, questions, findings."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Protocol, TypeAlias

from attrs import field, frozen

from mmtools.call import Cancellation
from mmtools.core.lsp.diagnostics import Diagnostics
from mmtools.core.lsp.languages import is_file_name
from mmtools.core.lsp.positions import Document, Position
from mmtools.ports.files import Place

__all__ = [
    "Answer",
    "Diagnosis",
    "Feature",
    "Findings",
    "LanguageServer",
    "LanguageServers",
    "NothingHeard",
    "OpenFile",
    "Sent",
]


def _words(command: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(shlex.split(command) if isinstance(command, str) else command)


def _dotted(extensions: str | Sequence[str]) -> tuple[str, ...]:
    each = (extensions,) if isinstance(extensions, str) else extensions
    return tuple(word if is_file_name(word) else f".{word.removeprefix('.')}" for word in each)


@frozen
class LanguageServer:
    """
    How a language server is started, and for which files.

    Args:
        name: For the model and the user.
        command: Program and arguments; a string is split as a shell would.
        extensions: Ends of file names, with or without the dot before them; and whole names, `Dockerfile`, which are
            ends as well.
        settings: What it gets when it asks for its configuration: nested, or with dotted keys.
        initialization_options: Passed on at the start as they are.
    """

    name: str
    command: tuple[str, ...] = field(converter=_words)
    extensions: tuple[str, ...] = field(converter=_dotted)
    settings: Mapping[str, object] = field(factory=dict, repr=False)
    initialization_options: object = field(default=None, repr=False)

    def takes(self, path: str) -> bool:
        """Whether a file of this name is for this server."""
        name = path.rpartition("/")[2]
        return any(
            name.endswith(each) if each.startswith(".") else name == each or name.endswith(f".{each}")
            for each in self.extensions
        )


class Feature(StrEnum):
    """What a server may be asked, by the protocol's method."""

    DEFINITION = "textDocument/definition"
    REFERENCES = "textDocument/references"
    HOVER = "textDocument/hover"
    SYMBOLS = "textDocument/documentSymbol"
    PREPARE_RENAME = "textDocument/prepareRename"
    RENAME = "textDocument/rename"


@frozen
class Answer:
    """
    What a server answered.

    Args:
        content: The JSON as received; None for null.
        settled: Whether it can be taken for all there is. If not, the server was still loading or indexing, or
            kept changing its answer: what is missing may exist, and a rename may be half of one.
        lacks: What the server would need to know all files that belong together, as "compile_commands.json"; empty
            where it has it, or nothing is known of that.
    """

    content: object
    settled: bool = True
    lacks: str = ""


@frozen(kw_only=True)
class Findings:
    """
    What a server found in a file.

    Args:
        diagnostics: On the text of the open file.
        as_last_published: The file did not change since the server last spoke of it.
        busy: The server was still at work; more may come.
        early: The server found nothing, and there was not the time to know that nothing follows.
        final: Whether nothing more is to come about this text, as far as anybody can know: false for an empty list that
            was pushed a moment ago by a server of which it is not known when it has looked.
        needs: A program without which this server checks nothing, where it is missing: "shellcheck".
    """

    diagnostics: Diagnostics
    as_last_published: bool = False
    busy: bool = False
    early: bool = False
    final: bool = True
    needs: str = ""


@frozen(kw_only=True)
class NothingHeard:
    """The silence of a server that said nothing of the file as it is now; it may still be at work."""

    within_s: float
    busy: bool = False


#: What comes of waiting for diagnostics. A closed union.
Diagnosis: TypeAlias = Findings | NothingHeard


@frozen
class Sent:
    """A text as the server has it, and the version that it knows it by."""

    document: Document
    version: int


class OpenFile(Protocol):
    """One file as its server sees it since it was opened here."""

    @property
    def server(self) -> LanguageServer:
        """Who is asked."""
        ...

    @property
    def document(self) -> Document:
        """The text that the server has, in the units it counts."""
        ...

    def offers(self, feature: Feature) -> bool:
        """Say whether the server says that it can do this."""
        ...

    def ask(self, feature: Feature, position: Position | None = None, *, new_name: str | None = None) -> Answer:
        """
        Ask about this file; what changed in other files since is told to the server first.

        References include the declaration. What depends on the whole project is asked again until the answer
        stands still, where the server may not know everything yet.

        Args:
            position: Where; only SYMBOLS needs none.
            new_name: For RENAME.

        Raises:
            Unsupported, ServerError, NoAnswer, Died, TextChanged, Interrupted: As they say.
            FileProblem: The file is gone, or cannot be read any more.
            NotSendable: It is no text any more.
        """
        ...

    def diagnostics(self, within_s: float = 3.0) -> Diagnosis:
        """
        Wait for what the server finds in this file.

        Args:
            within_s: Counted from when the server is ready. Source: mm reference.

        Raises:
            Died, TextChanged, Interrupted, FileProblem, NotSendable: As for `ask`.
        """
        ...

    def sent(self, path: str) -> Sent | None:
        """
        Return a file's text as this server has it; None for one that is not open there.

        Args:
            path: Absolute, every symlink resolved.
        """
        ...


class LanguageServers(Protocol):
    """
    The language servers for the files below one root, each started when it is first needed.

    Nothing that a server does or sends makes a method hang or raise anything but the problems named.
    """

    @property
    def servers(self) -> tuple[LanguageServer, ...]:
        """Those that there are, in the host's order; the first that takes a file's name is asked."""
        ...

    def permit(self, place: Place, ask: Callable[[LanguageServer], bool], cancellation: Cancellation) -> None:
        """
        Have it decided whether a program that the project brought along may be started for a file.

        Only of one that would be preferred to those that may, once for each, and one question at a time.

        Args:
            ask: Gets a server with the program's absolute path in its command. What it raises leaves the question open.

        Raises:
            Interrupted: While another call's question was open.
        """
        ...

    def refused(self, place: Place) -> tuple[LanguageServer, ...]:
        """Return the project's own servers that would be preferred for a file, had nobody said no to them."""
        ...

    def open(self, place: Place, cancellation: Cancellation) -> OpenFile:
        """
        Show a file to its server, as it is now; the server is started, or started again, if need be.

        A program that the project brought along is never started before it was allowed.

        Args:
            place: As the files' port located it.
            cancellation: Stops this and every later wait of the open file.

        Raises:
            NoServer, NotAllowed, NotStarted, DiesTooOften, Died, NotSendable, Interrupted, LanguageServersClosed: As they
                say.
            FileProblem: There is no such file, or it cannot be read.
        """
        ...

    def note_changed(self, paths: Iterable[str] | None = None) -> None:
        """
        Remember to tell the running servers, before their next question, that files were written, made or deleted.

        Open files need no note; they are compared before each question. No I/O, never raises.

        Args:
            paths: Absolute, every symlink resolved. None: something somewhere may have changed (a command ran).
        """
        ...

    def close(self) -> None:
        """Stop every server; nothing can be opened afterwards."""
        ...
