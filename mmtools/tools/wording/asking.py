"""One question to a language server: about which places, and what it comes to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from attrs import frozen

from mmtools.core.lsp import symbols
from mmtools.core.lsp.languages import Language
from mmtools.core.lsp.symbols import Pointed
from mmtools.errors import ToolFailure
from mmtools.ports.language_server_problems import ServerError
from mmtools.ports.language_servers import Feature, OpenFile
from mmtools.tools.wording import lsp as wording
from mmtools.tools.wording.lsp_problems import Question

__all__ = ["Asked", "Read", "ask", "point"]

T = TypeVar("T")


@frozen(kw_only=True)
class Asked:
    """
    A question, and the places in the open file that may be meant.

    Args:
        symbol: Clean; empty when only a place was given.
        offsets: At least one, in the order to try them.
    """

    question: Question
    opened: OpenFile
    language: Language
    symbol: str
    offsets: tuple[int, ...]

    def name_at(self, offset: int) -> str:
        """Return the name that is meant there; empty when there is none."""
        return self.symbol or self.language.names.at(self.opened.document.text, offset)

    def shown(self, offset: int) -> str:
        """Return a place as the model sees it: `path:line:column`."""
        place = self.opened.document.line_column(offset)
        return f"{self.question.path}:{place.line}:{place.column}"


@frozen
class Read(Generic[T]):
    """
    What was read from an answer.

    Args:
        offset: Of the place that it is about.
        settled: Whether it is all there is.
    """

    content: T
    offset: int
    settled: bool


def point(question: Question, opened: OpenFile, language: Language, pointed: Pointed) -> Asked:
    """
    Find the places that a model means.

    Raises:
        ToolFailure: They are not in the file.
    """
    pointing = symbols.find(opened.document, pointed, language)
    if not isinstance(pointing, tuple):
        raise ToolFailure(wording.nowhere(pointing, pointed, question.path))
    return Asked(question=question, opened=opened, language=language, symbol=pointed.symbol, offsets=pointing)


def ask(
    asked: Asked, feature: Feature, read: Callable[[object, int], T | None], *, new_name: str | None = None
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
    opened = asked.opened
    error: ServerError | None = None
    settled = True
    for offset in asked.offsets:
        try:
            answer = opened.ask(feature, opened.document.position(offset), new_name=new_name)
        except ServerError as problem:
            error = problem
            continue
        content = read(answer.content, offset)
        if content is not None:
            return Read(content, offset, answer.settled)
        settled = settled and answer.settled
    if not settled:
        raise ToolFailure(wording.loading(opened.server.name, asked.question.action))
    raise error or ToolFailure(wording.nothing(asked.question.action, asked.shown(asked.offsets[0])))
