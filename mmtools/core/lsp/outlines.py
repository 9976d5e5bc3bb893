"""What a server answers to `documentSymbol`: a tree, or a flat list from which the tree is made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from attrs import define, field, frozen

from mmtools.core.lsp import wire
from mmtools.core.lsp.positions import Document, Position, Range

__all__ = ["Declared", "Outline", "Symbol", "declared", "outline"]

#: The 26 kinds of the protocol, in the order of their numbers from 1.
_KINDS = (
    *("file", "module", "namespace", "package", "class", "method", "property", "field", "constructor", "enum"),
    *("interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key"),
    *("null", "enum member", "struct", "event", "operator", "type parameter"),
)
#: What stands for a number that is none of these.
_UNKNOWN_KIND = "symbol"


@frozen(kw_only=True)
class Symbol:
    """
    One line of an outline.

    Args:
        depth: 0 at the top; how many symbols enclose it.
        kind: In the protocol's words, small: "enum member".
        detail: A signature or a type; for want of one, the container that is not in the outline; or empty.
        line: 1-based, of the name.
    """

    depth: int
    kind: str
    name: str
    detail: str
    line: int


@frozen
class Outline:
    """Symbols of a file, each followed by those in it, in order of place; and how many more could not be read."""

    symbols: tuple[Symbol, ...]
    unread: int = 0


@frozen
class Declared:
    """
    A symbol with what encloses it.

    Args:
        outer: Names as the server writes them, the outermost first.
        at: The offset of its name, or of all of it where the server does not tell.
        end: The offset behind all of it.
    """

    outer: tuple[str, ...]
    name: str
    at: int
    end: int


@define(eq=False)
class _Node:
    """
    A decoded symbol.

    Args:
        whole: From its first to its last character.
        at: Where its name is.
        container: The name of what encloses it, in a flat list.
    """

    kind: str
    name: str
    detail: str
    container: str
    whole: Range
    at: Position
    children: list[_Node] = field(factory=list)


def outline(answer: object, document: Document) -> Outline:
    """
    Decode `DocumentSymbol[]`, `SymbolInformation[]` or null.

    Args:
        document: The file's text.
    """
    top, unread = _tree(answer)
    return Outline(tuple(_listed(top, document)), unread)


def declared(answer: object, document: Document) -> Iterator[Declared]:
    """Yield each symbol of the same answers, with what encloses it, in no order."""
    todo = [((node.container,) if node.container else (), node) for node in _tree(answer)[0]]
    while todo:
        outer, node = todo.pop()
        yield Declared(outer, node.name, document.offset(node.at), document.offset(node.whole.end))
        todo += (((*outer, node.name), child) for child in node.children)


def _tree(answer: object) -> tuple[list[_Node], int]:
    top, unread = _nodes(answer)
    return (_nested(top) if any(node.container for node in top) else top), unread


def _nodes(answer: object) -> tuple[list[_Node], int]:
    """Decode a tree, as deep as it may be, and count what cannot be read."""
    top: list[_Node] = []
    unread = 0
    todo = [(answer, top)]
    while todo:
        entries, siblings = todo.pop()
        for members in map(wire.object_, wire.sequence(entries)):
            if node := _node(members):
                siblings.append(node)
                todo.append((members.get("children"), node.children))
            else:
                unread += 1
    return top, unread


def _node(members: Mapping[str, object]) -> _Node | None:
    name = wire.text(members.get("name"))
    whole = wire.range_(members.get("range")) or wire.range_(wire.object_(members.get("location")).get("range"))
    if name is None or whole is None:
        return None
    number = wire.number(members.get("kind")) or 0
    return _Node(
        kind=_KINDS[number - 1] if 1 <= number <= len(_KINDS) else _UNKNOWN_KIND,
        name=wire.one_line(name),
        detail=wire.one_line(wire.text(members.get("detail")) or ""),
        container=wire.one_line(wire.text(members.get("containerName")) or ""),
        whole=whole,
        at=(wire.range_(members.get("selectionRange")) or whole).start,
    )


def _nested(flat: Iterable[_Node]) -> list[_Node]:
    """Put each symbol into the innermost one around it that has its container's name."""
    top: list[_Node] = []
    around: list[_Node] = []
    named: defaultdict[str, list[_Node]] = defaultdict(list)
    for node in sorted(flat, key=lambda node: (node.whole.start, _reversed(node.whole.end))):
        while around and around[-1].whole.end < node.whole.end:
            named[around.pop().name].pop()
        if outer := named[node.container]:
            outer[-1].children.append(node)
        else:
            node.detail = node.detail or node.container
            top.append(node)
        around.append(node)
        named[node.name].append(node)
    return top


def _reversed(position: Position) -> tuple[int, int]:
    return -position.line, -position.character


def _listed(top: Sequence[_Node], document: Document) -> Iterator[Symbol]:
    todo = [(0, node) for node in _backwards(top)]
    while todo:
        depth, node = todo.pop()
        line = document.line_column(document.offset(node.at)).line
        yield Symbol(depth=depth, kind=node.kind, name=node.name, detail=node.detail, line=line)
        todo += ((depth + 1, child) for child in _backwards(node.children))


def _backwards(nodes: Iterable[_Node]) -> list[_Node]:
    return sorted(nodes, key=lambda node: (node.at.line, node.at.character))[::-1]
