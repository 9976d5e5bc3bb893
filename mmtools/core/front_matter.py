"""
Front matter as real skill files hold it, which is not YAML: flat `key: value` lines between two `---`.

A value goes to the end of its line, whatever colons are in it. Quotes, block scalars, lists, comments and
continued lines are read as YAML reads them; what is not understood is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from attrs import define, field, frozen

__all__ = ["Document", "Value", "read"]

#: What a key holds.
Value: TypeAlias = str | tuple[str, ...]

_FENCE = "---"
_ENDS = (_FENCE, "...")
#: A comment follows a space and is followed by one: "Fix #12" is none.
_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#(?=[ \t]|$)")
_BLOCK = re.compile(r"([|>])(?:([+-])?([1-9])?|([1-9])([+-]))(?:[ \t]+#.*)?")
_DOUBLE_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*)"[ \t]*(?:#.*)?')
_SINGLE_QUOTED = re.compile(r"'((?:[^']|'')*)'[ \t]*(?:#.*)?")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}


@frozen(kw_only=True)
class Document:
    """
    A text in two parts.

    Args:
        fields: The front matter, unknown keys included; empty when there is none.
        body: The rest.
        unclosed: Whether front matter begins and never ends; everything is body then.
    """

    fields: Mapping[str, Value]
    body: str = field(repr=False)
    unclosed: bool = False


def read(text: str) -> Document:
    """Part a text into its front matter and its body."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    if lines[0].rstrip() != _FENCE:
        return Document(fields={}, body="\n".join(lines))
    end = next((number for number, line in enumerate(lines) if number and line.rstrip() in _ENDS), None)
    if end is None:
        first = next((line for line in lines[1:] if line.strip()), "")
        return Document(fields={}, body="\n".join(lines), unclosed=_entry(first) is not None)
    return Document(fields=_fields(lines[1:end]), body="\n".join(lines[end + 1 :]))


@define
class _Entry:
    key: str
    first: str
    following: list[str] = field(factory=list)


def _fields(lines: Sequence[str]) -> dict[str, Value]:
    entries: list[_Entry] = []
    for line in lines:
        entry = _entry(line)
        if entry is not None:
            entries.append(entry)
        elif entries and _continues(line):
            entries[-1].following.append(line)
        elif not line.startswith("#"):
            entries.append(_Entry("", ""))  # not understood, and neither is what is indented below it
    return {entry.key: _value(entry.first, entry.following) for entry in entries if entry.key}


def _entry(line: str) -> _Entry | None:
    key, colon, rest = line.partition(":")
    if not colon or key[:1] in ("", " ", "\t", "#", "-") or (rest and rest[0] not in " \t"):
        return None
    return _Entry(_scalar(key.strip()), rest.strip())


def _continues(line: str) -> bool:
    return not line.strip() or line[0] in " \t" or line.startswith("- ")


def _value(first: str, following: Sequence[str]) -> Value:
    block = _BLOCK.fullmatch(first)
    if block is not None:
        style, chomping, indent, other_indent, other_chomping = block.groups(default="")
        return _block(following, style, chomping or other_chomping, int(indent or other_indent or 0))
    lines = [stripped for line in following if (stripped := line.strip()) and not stripped.startswith("# ")]
    if not _uncommented(first) and lines and lines[0].startswith("- "):
        return _listed(lines)
    if first.startswith("[") and (joined := " ".join([first, *lines])).endswith("]"):
        return tuple(_scalar(item) for item in _parted(joined[1:-1]))
    return _scalar(" ".join([first, *lines]).strip())


def _listed(lines: Sequence[str]) -> tuple[str, ...]:
    items: list[list[str]] = []
    for line in lines:
        if line.startswith("- "):
            items.append([line[2:].strip()])
        else:
            items[-1].append(line)
    return tuple(_scalar(" ".join(item)) for item in items)


def _parted(inner: str) -> list[str]:
    """Part `a, "b, c"` at the commas outside quotes."""
    parts, start, quote, begun = [], 0, "", False
    for index, char in enumerate(inner):
        if quote:
            quote = "" if char == quote else quote
        elif char == ",":
            parts.append(inner[start:index].strip())
            start, begun = index + 1, False
        elif not begun and char in "\"'":
            quote = char
        begun = begun or char not in ", \t"
    return [part for part in [*parts, inner[start:].strip()] if part]


def _scalar(text: str) -> str:
    if double := _DOUBLE_QUOTED.fullmatch(text):
        return _unescaped(double[1])
    if single := _SINGLE_QUOTED.fullmatch(text):
        return single[1].replace("''", "'")
    return _uncommented(text)


def _uncommented(text: str) -> str:
    comment = _COMMENT.search(text)
    return text[: comment.start()].rstrip() if comment else text


def _unescaped(text: str) -> str:
    def character(escape: re.Match[str]) -> str:
        byte, unit, letter = escape.groups()
        return _LETTERS.get(letter, letter) if letter else chr(int(byte or unit, 16))

    # JSON spells an emoji as two halves; a half alone could not be sent.
    halves = _ESCAPE.sub(character, text).encode("utf-16-le", "surrogatepass")
    return halves.decode("utf-16-le", "replace")


def _block(lines: Sequence[str], style: str, chomping: str, indent: int) -> str:
    first = next((line for line in lines if line.strip()), "")
    depth = indent or len(first) - len(first.lstrip(" \t"))
    content = [line[depth:] for line in lines]
    while content and not content[-1].strip():
        content.pop()
    text = _folded(content) if style == ">" else "\n".join(content)
    if chomping == "-" or not text:
        return text
    return text + "\n" * (1 + len(lines) - len(content) if chomping == "+" else 1)


def _folded(lines: Sequence[str]) -> str:
    """Join lines into paragraphs: a line feed between plain lines is a space, an empty line a line feed."""
    pieces: list[str] = []
    breaks, plain_before = 0, True
    for line in lines:
        if not line.strip():
            breaks += 1
            continue
        plain = line[0] not in " \t"
        if pieces and plain and plain_before:
            pieces.append("\n" * breaks or " ")
        else:
            pieces.append("\n" * (breaks + bool(pieces)))
        pieces.append(line)
        breaks, plain_before = 0, plain
    return "".join(pieces)
