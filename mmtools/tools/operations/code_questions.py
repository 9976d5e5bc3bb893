"""A question about code: its file opened in a server, the places that may be meant, and the first answer there is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Generic, TypeVar

from attrs import evolve, frozen

from mmtools.core import paths
from mmtools.core.lsp import outlines, qualified, symbols
from mmtools.core.lsp.languages import Language, language
from mmtools.core.lsp.outlines import Declared
from mmtools.core.lsp.positions import LineColumn
from mmtools.core.lsp.qualified import Nearness
from mmtools.errors import ArgumentsRefused, Cancelled, PermissionRefused, ToolFailure
from mmtools.ports.files import FileProblem, Files, Place
from mmtools.ports.language_server_problems import (
    Interrupted,
    LanguageServerProblem,
    NotAllowed,
    ServerError,
    Unsupported,
)
from mmtools.ports.language_servers import Feature, LanguageServer, LanguageServers, OpenFile
from mmtools.ports.search import Search
from mmtools.tool import Call
from mmtools.tools.operations.session_files import SessionFiles, refuse_denied
from mmtools.tools.wording import changes, lsp_problems, renames
from mmtools.tools.wording import lsp as wording
from mmtools.tools.wording.lsp import LspTerms, Question, marked

__all__ = ["Asked", "CodeSession", "Read", "point"]

#: Places of a qualified symbol that are looked at before they are asked about: no more are asked about than of others.
_MOST_QUALIFIED = 2000
_REFUSAL = "[read rejected by the user]"

T = TypeVar("T")


@frozen(kw_only=True)
class CodeSession:
    """
    Language servers, the files that they speak of, and how the dialect names what an answer mentions.

    Args:
        search: Given, a rename says where the old name still stands.
        sources: Reads the lines that a server points at outside the roots, where `files` refuses to.
    """

    servers: LanguageServers
    files: SessionFiles
    terms: LspTerms
    search: Search | None = None
    sources: Files | None = None

    def shown(self, path: str) -> str:
        """Return a path as a model sees it: relative inside the root, else absolute."""
        return paths.relative(path, [self.files.root])

    def locate(self, path: str, call: Call) -> Place:
        """
        Find a file that nothing denies; nobody is asked.

        Raises:
            PermissionRefused, FileProblem: It is denied; it cannot be.
        """
        return self.files.locate_allowed(path, call, refusal=_REFUSAL)

    def open(self, place: Place, call: Call) -> OpenFile:
        """
        Open a file in its server.

        A person is asked before one outside the roots is shown to it, and before a program that the project brought along
        is started, once.

        Raises:
            PermissionRefused: Somebody said no, and there is no other server.
            LanguageServerProblem, FileProblem: As the port does.
        """
        if place.outside_roots:
            call.approve(changes.reading(place, _REFUSAL))
        refusals: list[PermissionRefused] = []

        def may_start(server: LanguageServer) -> bool:
            try:
                self._approve_start(server, call)
            except PermissionRefused as refusal:
                refusals.append(refusal)
                return False
            return True

        self.servers.permit(place, may_start, call.cancellation)
        try:
            return self.servers.open(place, call.cancellation)
        except NotAllowed as problem:
            if refusals:
                raise refusals[-1] from problem
            raise

    def _approve_start(self, server: LanguageServer, call: Call) -> None:
        proposal = lsp_problems.starting(server, self.files.root, self.terms)
        with suppress(FileProblem):
            refuse_denied(call, self.files.files.locate(server.command[0]), self.files.files, refusal=proposal.refusal)
        call.approve(proposal)

    def failure(self, sentence: str) -> ToolFailure:
        """Return the failure that says this."""
        return ToolFailure(marked(sentence, self.terms))

    @contextmanager
    def problems_told(self, question: Question, call: Call) -> Iterator[None]:
        """Turn the problems of files and servers in this block into the sentences for the model."""
        try:
            with self.files.problems_told(self.terms.writer, call):
                yield
        except Interrupted as problem:
            raise Cancelled(f"[{self.terms.tool} was cancelled]") from problem
        except LanguageServerProblem as problem:
            raise self.failure(lsp_problems.problem(problem, question, self.servers.servers)) from problem


@frozen
class Read(Generic[T]):
    """
    What was read of an answer.

    Args:
        settled, lacks: As the answer says.
    """

    content: T
    settled: bool
    lacks: str


@frozen(kw_only=True)
class Asked:
    """
    A question about places in an open file.

    Args:
        question: With clean identifiers.
        offsets: At least one, in the order to try them.
    """

    session: CodeSession
    question: Question
    opened: OpenFile
    language: Language
    offsets: tuple[int, ...]

    @property
    def server(self) -> str:
        """Who is asked."""
        return self.opened.server.name

    def name_at(self, offset: int) -> str:
        """Return the name that is meant there; empty when there is none."""
        return self.question.pointed.symbol or self.language.names.at(self.opened.document.text, offset)

    def ask(self, feature: Feature, read: Callable[[object, int], T | None]) -> tuple[T, bool]:
        """Ask as `read` does; return what was read, and whether it is all there is."""
        found = self.read(feature, read)
        return found.content, found.settled

    def read(
        self, feature: Feature, read: Callable[[object, int], T | None], *, new_name: str | None = None
    ) -> Read[T]:
        """
        Ask at one place after another, until the server answers: many an occurrence is a word in a comment.

        Args:
            read: Reads an answer about an offset; None for one that says nothing.
            new_name: For a rename.

        Raises:
            ToolFailure: It knows nothing at any place, or is not ready to know.
            ServerError: It knows nothing, and said so with an error at least once; the last one.
        """
        error: ServerError | None = None
        settled = True
        for offset in self.offsets:
            try:
                answer = self.opened.ask(feature, self.opened.document.position(offset), new_name=new_name)
            except ServerError as problem:
                error = problem
                continue
            content = read(answer.content, offset)
            if content is not None:
                return Read(content, answer.settled, answer.lacks)
            settled = settled and answer.settled
        if not settled:
            raise self.session.failure(wording.loading(self.server, self.question.action))
        raise error or self.nothing()

    def nothing(self) -> ToolFailure:
        """Return the failure of a question that has no answer."""
        place = self.opened.document.line_column(self.offsets[0])
        shown = f"{self.question.path}:{place.line}:{place.column}"
        return self.session.failure(wording.nothing(self.question.action, shown))


def point(session: CodeSession, sent: Question, call: Call) -> Asked:
    """
    Find the places that a model means.

    Raises:
        ArgumentsRefused: It did not say enough; no server was started.
        ToolFailure: They are not in the file.
        LanguageServerProblem, FileProblem: The file cannot be opened.
    """
    place = session.locate(sent.path, call)
    known = language(place.path)
    question = sent.cleaned(known)
    if lack := _lack(sent, question, known, session.terms):
        raise ArgumentsRefused(marked(lack, session.terms))
    opened = session.open(place, call)
    most = _MOST_QUALIFIED if question.pointed.qualifiers else symbols.MAX_TRIES
    found = symbols.find(opened.document, question.pointed, known, most=most)
    if not isinstance(found, tuple):
        raise session.failure(wording.nowhere(found, question))
    asked = Asked(session=session, question=question, opened=opened, language=known, offsets=found)
    return asked if _is_exact(asked) or not question.pointed.qualifiers else _closest_first(asked)


def _is_exact(asked: Asked) -> bool:
    """Whether the one place is the one that was pointed at, whatever leads to it."""
    pointed = asked.question.pointed
    if not (pointed.line and pointed.column):
        return False
    return asked.offsets == (asked.opened.document.offset_at(LineColumn(pointed.line, pointed.column)),)


def _closest_first(asked: Asked) -> Asked:
    """
    Order the places by what leads to the symbol; a rename keeps only the closest.

    Raises:
        ToolFailure: For a rename, no place is led to by that.
    """
    renaming = asked.question.action == "rename"
    if len(asked.offsets) == 1 and not renaming:
        return asked
    document, pointed = asked.opened.document, asked.question.pointed
    path = asked.session.files.files.absolute(asked.question.path)
    near = qualified.nearness(document.text, path, pointed, asked.offsets, _declared(asked), asked.language)
    offsets = sorted(asked.offsets, key=near.__getitem__)
    if renaming:
        closest = near[offsets[0]]
        if closest > Nearness.WRITTEN:
            raise asked.session.failure(_not_led(asked))
        offsets = [offset for offset in offsets if near[offset] == closest]
    return evolve(asked, offsets=tuple(offsets[: symbols.MAX_TRIES]))


def _declared(asked: Asked) -> tuple[Declared, ...]:
    if not asked.opened.offers(Feature.SYMBOLS):
        return ()
    try:
        return tuple(outlines.declared(asked.opened.ask(Feature.SYMBOLS).content, asked.opened.document))
    except (ServerError, Unsupported):
        return ()


def _not_led(asked: Asked) -> str:
    pointed, document = asked.question.pointed, asked.opened.document
    places = [document.line_column(offset) for offset in sorted(asked.offsets)]
    shown = [f"{asked.question.path}:{place.line}:{place.column}" for place in places]
    return renames.not_led_to(pointed.qualifiers, pointed.symbol, asked.question.path, shown)


def _lack(sent: Question, question: Question, language: Language, terms: LspTerms) -> str | None:
    """Say what a call lacks, whatever the file holds."""
    pointed, renaming = question.pointed, question.action == "rename"
    if renaming and not question.new_name:
        return renames.name_needed(question, terms)
    if not pointed.symbol and not (pointed.line and pointed.column):
        return wording.where_needed(sent, terms)
    if renaming and (flaw := language.names.flaw(question.new_name, pointed.symbol)):
        return renames.unfit_name(flaw, question.new_name, language, terms)
    return None
