"""
Finds words of a dialect in texts that all dialects share: names of tools and arguments, as the contracts have them.

Many of them are English words too. So a word counts where it stands as a name: quoted, alone, in `name=`, as the
speaker of a text (`[read: …`), as a tool that is used (`with write`), or as a noun or an adjective that has lost its
article or its noun (`command is empty`, `copy old from there`).
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

__all__ = ["GAP", "Slip", "slips"]

#: Stands for what is filled in.
GAP = "◊"

#: Names that are no English words: they are names wherever they stand.
_NO_WORDS = {"bash", "grep", "lsp"}
#: Words of every text about files, and never names by themselves.
_PLAIN = {"line", "column"}
#: What may stand before a noun.
_BEFORE = (
    {"a", "an", "the", "its", "their", "this", "that", "each", "every", "any", "no", "one", "another", "whose"}
    | {"first", "last", "next", "old", "new", "same", "whole", "only", "other", "working"}
)  # fmt: skip
_VERB = r"(?:is|are|was|were|has|have|holds?|begins?|ends?|stands?|needs?|takes?)"


def _contracts() -> list[dict[str, Any]]:
    files = sorted((Path(__file__).parent / "contracts").glob("*/*.json"))
    return [json.loads(path.read_text(encoding="utf-8")) for path in files]


def _keys(schema: object) -> Iterator[str]:
    """The names of arguments, nested ones too."""
    if isinstance(schema, dict):
        yield from schema.get("properties", {})
        for inner in schema.values():
            yield from _keys(inner)


TOOLS = {contract["name"] for contract in _contracts()}
ARGUMENTS = {name for contract in _contracts() for name in _keys(contract["arguments_schema"])}


class Slip(NamedTuple):
    """A name in a text of a module."""

    line: int
    word: str
    text: str


def slips(source: str) -> list[Slip]:
    """Return what a module says in the words of one dialect, docstrings left out."""
    return [Slip(line, word, text) for line, text in _texts(ast.parse(source)) for word in sorted(_names(text))]


def _names(text: str) -> set[str]:
    """Return the names of tools and arguments that a text speaks of."""
    every = TOOLS | ARGUMENTS
    proper = {name for name in every if "_" in name} | _NO_WORDS
    found = {word for word in re.findall(r"\w+", text) if word in proper}
    found |= {word for word in re.findall(r"(\w+)=", text) if word in ARGUMENTS}
    found |= {word for _, word in re.findall(r"([`'\"“])(\w+)[`'\"”]", text) if word in every}
    found |= {word for group in re.findall(r"\{([\w, ]+)\}", text) for word in group.split(", ") if word in every}
    found |= {word for word in re.findall(r"\[(\w+)(?:: | was )", text) if word in TOOLS}
    found |= {word for word in re.findall(r"\b(?:with|use|using|call|by) (\w+)\b", text) if word in TOOLS}
    found |= {text} & every - _PLAIN
    return found | set(_bare_nouns(text)) | set(_bare_adjectives(text))


def _texts(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Return each literal text, with its line; what is filled in is a gap."""
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Assign(targets=[ast.Name(id="__all__")]):
            return
        case ast.Constant(value=str(text)):
            yield node.lineno, text
        case ast.JoinedStr(values=values):
            yield node.lineno, "".join(str(each.value) if isinstance(each, ast.Constant) else GAP for each in values)
            for each in values:
                if isinstance(each, ast.FormattedValue):
                    yield from _texts(each.value)
        case _:
            for child in ast.iter_child_nodes(node):
                yield from _texts(child)


def _bare_nouns(text: str) -> Iterator[str]:
    """A noun before a verb, or after a word that leads to one, without an article: then it is an argument's name."""
    for before, word in re.findall(rf"(?:(\w+|{GAP}) )?\b(\w+) {_VERB}\b", text):
        if word in ARGUMENTS - _PLAIN and before not in _BEFORE | {GAP}:
            yield word
    for word in re.findall(r"\b(?:send|copy|of|in|as|from|for|correct) (\w+)\b(?!-)", text):
        if word in {"command", "content", "edits", "glob", "offset", "path", "pattern", "symbol", "timeout", "url"}:
            yield word


def _bare_adjectives(text: str) -> Iterator[str]:
    """`old` and `new` without a noun behind them."""
    after = rf"(?= *(?:$|[^\w\s]|(?:{_VERB}|and|or|from|as|to|until|like|without|again|with|of|there)\b))"
    yield from re.findall(rf"\b(old|new)\b{after}", text)
