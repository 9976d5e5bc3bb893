"""What a language server knows of the code in a file: definitions, uses, types, an outline, errors; and its renames."""

from __future__ import annotations

from typing import assert_never

from mmtools.call import Location, Report
from mmtools.core.lsp import answers, outlines, uris
from mmtools.core.lsp.answers import Targets
from mmtools.ports.language_servers import Feature
from mmtools.tool import Call
from mmtools.tools.operations.code_questions import Asked, CodeSession, point
from mmtools.tools.operations.named_files import is_denied, named
from mmtools.tools.operations.rename_symbol import rename_symbol
from mmtools.tools.wording import diagnostics, lsp_problems, phrases
from mmtools.tools.wording import lsp as wording
from mmtools.tools.wording.answer import Answer
from mmtools.tools.wording.lsp import Question, marked

__all__ = ["ask_language_server"]


def ask_language_server(session: CodeSession, question: Question, call: Call) -> str:
    """
    Answer a question about code, or make the rename that is asked for.

    Asks:
        Before a rename is made, with every file that it changes. For a file outside the roots, before it is shown to
        a server. Before a program of the project's own is started as a server, once. Otherwise never.

    Fails:
        No server for such a file; not started, ended, silent, still loading: which of them, and what to do. A symbol
        or place that is not there; nothing found. Of a rename: see `rename_symbol`.

    Source:
        Decisions D1, D2, D4, D5, D6, D8, D13, D14, D16.
    """
    with session.problems_told(question, call):
        answer = _answer(session, question, call)
        refused = session.servers.refused(session.locate(question.path, call))
        return "\n".join([answer, *lsp_problems.not_allowed(refused, session.files.root)])


def _answer(session: CodeSession, question: Question, call: Call) -> str:
    match question.action:
        case "definition":
            return _places(point(session, question, call), Feature.DEFINITION, call)
        case "references":
            return _places(point(session, question, call), Feature.REFERENCES, call)
        case "hover":
            return _told(_hover(point(session, question, call)), call)
        case "symbols":
            return _told(_symbols(session, question, call), call)
        case "diagnostics":
            return _told(_diagnostics(session, question, call), call)
        case "rename":
            return rename_symbol(point(session, question, call), call)
        case never:
            assert_never(never)


def _places(asked: Asked, feature: Feature, call: Call) -> str:
    answer = asked.read(feature, _targets)
    targets = answer.content
    uris_found = {target.uri for target in targets.found}
    denied = {uri for uri in uris_found if is_denied(asked.session, uri, call)}
    allowed = [target for target in targets.found if target.uri not in denied]
    files = {uri: named(asked, uri) for uri in uris_found - denied}
    rows = answers.rows(allowed, files)
    caveats = wording.caveats(asked.server, unread=targets.unread, settled=answer.settled, lacks=answer.lacks)
    counted = feature is Feature.REFERENCES
    left_out = phrases.left_out(len(denied), asked.session.terms.tool)
    told = wording.places(rows, [*left_out, *caveats], counted=counted, max_chars=asked.session.files.max_output)
    real = {opened.shown: path for uri, opened in files.items() if (path := uris.to_path(uri))}
    return _told(told, call, *(Location(real[row.path], row.line) for row in rows if row.path in real))


def _targets(content: object, _: int) -> Targets | None:
    targets = answers.locations(content)
    return targets if targets.found or targets.unread else None


def _hover(asked: Asked) -> Answer:
    text, settled = asked.ask(Feature.HOVER, lambda content, _: answers.hover(content) or None)
    return wording.hover(text, wording.caveats(asked.server, settled=settled), max_chars=asked.session.files.max_output)


def _symbols(session: CodeSession, question: Question, call: Call) -> Answer:
    opened = session.open(session.locate(question.path, call), call)
    answer = opened.ask(Feature.SYMBOLS)
    outline = outlines.outline(answer.content, opened.document)
    server = opened.server.name
    if not outline.symbols and not answer.settled:
        raise session.failure(wording.loading(server, question.action))
    caveats = wording.caveats(server, unread=outline.unread, settled=answer.settled)
    nothing = marked(wording.no_symbols(question.path), session.terms)
    return wording.symbols(outline.symbols, caveats, nothing=nothing, max_chars=session.files.max_output)


def _diagnostics(session: CodeSession, question: Question, call: Call) -> Answer:
    opened = session.open(session.locate(question.path, call), call)
    return diagnostics.diagnosed(
        opened.diagnostics(),
        opened.document,
        shown=question.path,
        server=opened.server.name,
        max_chars=session.files.max_output,
    )


def _told(told: Answer, call: Call, *locations: Location) -> str:
    call.report(Report(locations=locations, truncated=told.truncated))
    return told.text
