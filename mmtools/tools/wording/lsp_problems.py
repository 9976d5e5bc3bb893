"""Why a language server gave no answer, in words a model can act on."""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from mmtools.call import CommandPreview, GrantScope, Proposal, ToolKind
from mmtools.core import paths
from mmtools.core.lsp.wire import one_line
from mmtools.ports.language_server_problems import (
    Died,
    DiesTooOften,
    LanguageServerProblem,
    LanguageServersClosed,
    NoAnswer,
    NoServer,
    NotAllowed,
    NotSendable,
    NotStarted,
    ServerError,
    TextChanged,
    Unsupported,
)
from mmtools.ports.language_servers import LanguageServer
from mmtools.tools.wording.lsp import LspTerms, Question, available, quoted, short

__all__ = ["not_allowed", "problem", "starting"]


def problem(problem: LanguageServerProblem, question: Question, servers: Iterable[LanguageServer]) -> str:
    """
    Say why there is no answer, and what to do.

    Args:
        servers: All there are.

    Source:
        mm reference, "lsp": Failures, for two of the sentences; the others are ours.
    """
    server, action, path = problem.server, question.action, question.path
    match problem:
        case NoServer():
            return f"no language server for {quoted(path)} — configured: {available(servers)}"
        case NotAllowed(reason=program):
            return (
                f"{server} is the project's own ({short(one_line(program))}), and was not allowed to start — "
                "go on without it"
            )
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
                f"{server} is {state} gave no answer to {action} within {seconds:g}s — "
                "call again later, or go on without it"
            )
        case ServerError(reason=reason, busy=busy):
            failed = f"{server}: {action} failed: {_said(reason) or 'it gave no reason'}"
            return f"{failed} — it is still loading or indexing: wait a moment, then call again" if busy else failed
        case Unsupported():
            return f"{server} does not support {action} — use another action, or search the files"
        case NotSendable():
            return f"{path} cannot be shown to a language server{_because(problem)} — choose another file"
        case TextChanged():
            return f"{path} changed while {server} was asked — call again"
        case LanguageServersClosed():
            return "the session is closed"
        case _:
            return f"{server} cannot be asked{_because(problem)} — go on without it"


def starting(server: LanguageServer, root: str, terms: LspTerms) -> Proposal:
    """
    Ask to start a server whose program the project brought along.

    Args:
        server: With the program's absolute path.
        root: Absolute.
    """
    program = server.command[0]
    shown = paths.relative(program, [root])
    return Proposal(
        title=f"start the project's own language server {server.name}: {shown}",
        preview=CommandPreview(shlex.join(server.command), root),
        scope=GrantScope(f"start:{program}", f"starting {program} as a language server"),
        refusal=f"[{terms.tool}: {server.name} of the project ({shown}) was not started: rejected by the user]",
        paths=(program,),
        kind=ToolKind.EXECUTE,
    )


def not_allowed(refused: Iterable[LanguageServer], root: str) -> list[str]:
    """Say below an answer whose it is not, one line for each of the project's own servers that somebody said no to."""
    return [
        f"[{server.name} of the project ({paths.relative(server.command[0], [root])}) was not allowed to start; "
        "another server answered]"
        for server in refused
    ]


def _because(problem: LanguageServerProblem) -> str:
    last_words = _said(problem.last_words)
    told = [_said(problem.reason), f"it last wrote: {last_words}" if last_words else ""]
    reasons = "; ".join(filter(None, told))
    return f" ({reasons})" if reasons else ""


def _said(words: str) -> str:
    return short(one_line(words))
