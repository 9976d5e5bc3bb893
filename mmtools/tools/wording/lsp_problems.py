"""Why a language server gave no answer, in words a model can act on."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from mmtools.core.lsp.wire import one_line
from mmtools.ports.language_server_problems import (
    Died,
    DiesTooOften,
    LanguageServerProblem,
    LanguageServersClosed,
    NoAnswer,
    NoServer,
    NotSendable,
    NotStarted,
    ServerError,
    TextChanged,
    Unsupported,
)
from mmtools.ports.language_servers import LanguageServer
from mmtools.tools.wording.lsp import available, quoted

__all__ = ["Question", "problem"]

#: Characters of what a server or the system said.
_MOST_SAID = 500


@frozen(kw_only=True)
class Question:
    """
    What was asked.

    Args:
        action: The wire word.
        path: As the model wrote it.
        servers: All there are.
    """

    action: str
    path: str
    servers: Sequence[LanguageServer]


def problem(problem: LanguageServerProblem, question: Question) -> str:
    """
    Say why there is no answer, and what to do.

    Source:
        mm reference, "lsp": Failures, for two of the sentences; the others are ours.
    """
    return f"[lsp: {_sentence(problem, question)}]"


def _sentence(problem: LanguageServerProblem, question: Question) -> str:
    server = problem.server
    match problem:
        case NoServer():
            return f"no language server for {quoted(question.path)} — configured: {available(question.servers)}"
        case DiesTooOften():
            return (
                f"{server} ended too often{_because(problem)} and is not started again for a minute — "
                "go on without it, or call again later"
            )
        case NotStarted():
            return (
                f"{server} could not be started{_because(problem)} — go on without it, and tell the user how it failed"
            )
        case Died():
            return f"{server} ended before it answered{_because(problem)} — call again: it is started anew"
        case NoAnswer(within_s=seconds, busy=busy):
            state = "still loading or indexing, and" if busy else "running but"
            return (
                f"{server} is {state} gave no answer to {question.action} within {seconds:g}s — "
                "call again later, or go on without it"
            )
        case ServerError(reason=reason, busy=busy):
            failed = f"{server}: {question.action} failed: {_said(reason) or 'it gave no reason'}"
            return f"{failed} — it is still loading or indexing: wait a moment, then call again" if busy else failed
        case Unsupported():
            return f"{server} does not support {question.action} — use another action, or search the files"
        case NotSendable():
            return f"{question.path} cannot be shown to a language server{_because(problem)} — choose another file"
        case TextChanged():
            return f"{question.path} changed while {server} was asked — call again"
        case LanguageServersClosed():
            return "the session is closed"
        case _:
            return f"{server} cannot be asked{_because(problem)} — go on without it"


def _because(problem: LanguageServerProblem) -> str:
    last_words = _said(problem.last_words)
    told = [_said(problem.reason), f"it last wrote: {last_words}" if last_words else ""]
    reasons = "; ".join(filter(None, told))
    return f" ({reasons})" if reasons else ""


def _said(words: str) -> str:
    line = one_line(words)
    return line if len(line) <= _MOST_SAID else line[: _MOST_SAID - 1] + "…"
