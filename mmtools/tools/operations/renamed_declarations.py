"""Which declaration a rename acts on, and whether the name might as well mean another one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from attrs import frozen

from mmtools.core.lsp import answers, uris
from mmtools.core.lsp.answers import Row
from mmtools.core.lsp.renames import Plan
from mmtools.errors import ToolFailure
from mmtools.ports.files import FileProblem
from mmtools.ports.language_server_problems import ServerError, Unsupported
from mmtools.ports.language_servers import Feature
from mmtools.tool import Call
from mmtools.tools.operations.code_questions import Asked
from mmtools.tools.operations.named_files import is_denied, named
from mmtools.tools.wording import lsp as wording
from mmtools.tools.wording import renames

__all__ = ["declarations"]


@frozen
class _Target:
    """
    A place that a definition leads to.

    Args:
        path: The file's real one.
        row: How it is told.
        is_denied: Whether nothing may be told of it.
    """

    path: str
    offset: int
    row: Row
    is_denied: bool = False


def declarations(asked: Asked, chosen: int, name: str, plans: Mapping[str, Plan], call: Call) -> list[str]:
    """
    Return the declarations that a rename changes, each `path:line:column` with its source line.

    Args:
        asked: With every place that the name may mean.
        chosen: The place that was asked to be renamed.
        name: The old one.
        plans: What changes, by real path.

    Returns:
        Empty where the server does not say what is declared where.

    Raises:
        ToolFailure: The name leads to another declaration too, which this rename would not change.
    """
    if not asked.opened.offers(Feature.DEFINITION):
        return []
    here = plans.get(_path(asked))
    own = _targets(asked, chosen, call)
    mine = {(target.path, target.offset) for target in own} | {(_path(asked), chosen)}
    others: list[_Target] = []
    for offset in asked.offsets:
        if offset == chosen or (here and here.touches(offset)):
            continue
        found = _targets(asked, offset, call)
        if not any((target.path, target.offset) in mine or _is_touched(target, plans) for target in found):
            others += found
    touched = [target for target in own if _is_touched(target, plans)]
    if others:
        meant = touched or own or [_at(asked, chosen)]
        places = list(dict.fromkeys([*_shown(meant), *_shown(others)]))
        denied = {target.path for target in (*meant, *others) if target.is_denied}
        raise ToolFailure(renames.several(name, places, len(denied), asked.session.terms))
    if touched:
        return _shown(touched)
    return _shown([_at(asked, chosen)]) if own or asked.question.pointed.qualifiers else []


def _is_touched(target: _Target, plans: Mapping[str, Plan]) -> bool:
    plan = plans.get(target.path)
    return plan is not None and plan.touches(target.offset)


def _targets(asked: Asked, offset: int, call: Call) -> list[_Target]:
    """Ask where what stands at a place is declared; nowhere where the server does not know."""
    try:
        content = asked.opened.ask(Feature.DEFINITION, asked.opened.document.position(offset)).content
    except (ServerError, Unsupported):
        return []
    found = []
    for target in answers.locations(content).found:
        opened, path = named(asked, target.uri), uris.to_path(target.uri)
        (row,) = answers.rows([target], {target.uri: opened})
        at = opened.document.offset(target.range.start) if opened.document else -1
        denied = is_denied(asked.session, target.uri, call)
        found.append(_Target(_real(asked, path) if path else target.uri, at, row, denied))
    return found


def _real(asked: Asked, path: str) -> str:
    try:
        return asked.session.files.files.locate(path).path
    except FileProblem:
        return path


def _path(asked: Asked) -> str:
    return _real(asked, asked.question.path)


def _at(asked: Asked, offset: int) -> _Target:
    document = asked.opened.document
    place = document.line_column(offset)
    source = document.line_text(place.line).strip()[: answers.MAX_SOURCE]
    return _Target(_path(asked), offset, Row(asked.question.path, place.line, place.column, source))


def _shown(targets: Iterable[_Target]) -> list[str]:
    told = sorted((target for target in targets if not target.is_denied), key=lambda each: each.row)
    return list(dict.fromkeys(wording.place(target.row) for target in told))
