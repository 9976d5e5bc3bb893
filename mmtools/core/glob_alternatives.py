"""The patterns without braces that a glob stands for, as tokens."""

from __future__ import annotations

import re
from typing import TypeAlias

__all__ = ["MAX_CHARS", "STAR", "GlobError", "Tokens", "read_alternatives"]

#: One pattern: `*`, `/`, or a regular expression for one character, each.
Tokens: TypeAlias = tuple[str, ...]

#: What braces may stand for: so many patterns, of so many characters in all, in so many levels.
_MAX_PATTERNS, MAX_CHARS, _MAX_DEPTH = 256, 20_000, 32

STAR, _ANY = "*", "[^/]"
_RANGE = re.compile(r"[^{},/]+\.\.[^{},/]+")


class GlobError(Exception):
    """The reason why a glob cannot be read."""


def read_alternatives(pattern: str) -> tuple[list[Tokens], bool]:
    """
    Read a pattern.

    Returns:
        The patterns that it stands for, and whether there is a slash in it.

    Raises:
        GlobError: It cannot be read.
    """
    reader = _Reader(pattern)
    return reader.read(), reader.slashed


class _Reader:
    """A reader that turns a pattern into those without braces that it stands for."""

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self.slashed = False

    def read(self) -> list[Tokens]:
        found = self._sequence(0)
        if self._at < len(self._pattern):
            raise GlobError("a `}` has no `{` before it; write `[}]` for the character itself")
        return found

    def _sequence(self, depth: int) -> list[Tokens]:
        """Read up to the end, or inside braces up to a comma or the closing brace."""
        found: list[Tokens] = [()]
        run: list[str] = []
        while self._at < len(self._pattern):
            char = self._pattern[self._at]
            if char == "}" or (depth and char == ","):
                break
            if char == "{":
                found = self._product(found, [tuple(run)])
                run = []
                found = self._product(found, self._braces(depth + 1))
            else:
                run.append(self._token(char))
        return self._product(found, [tuple(run)])

    def _product(self, heads: list[Tokens], tails: list[Tokens]) -> list[Tokens]:
        if len(heads) * len(tails) > _MAX_PATTERNS:
            raise GlobError(f"its braces stand for more than {_MAX_PATTERNS} patterns")
        chars = len(tails) * sum(map(len, heads)) + len(heads) * sum(map(len, tails))
        if chars > MAX_CHARS:
            raise GlobError(f"its braces stand for more than {MAX_CHARS} characters")
        return [head + tail for head in heads for tail in tails]

    def _braces(self, depth: int) -> list[Tokens]:
        if depth > _MAX_DEPTH:
            raise GlobError(f"its braces are nested more than {_MAX_DEPTH} deep")
        opened = self._at
        found: list[Tokens] = []
        alternatives = 0
        while self._at == opened or self._pattern[self._at] == ",":
            self._at += 1
            alternatives += 1
            found += self._sequence(depth)
            if self._at == len(self._pattern):
                raise GlobError("a `{` is not closed; write `[{]` for the character itself")
            if len(found) > _MAX_PATTERNS:
                raise GlobError(f"its braces stand for more than {_MAX_PATTERNS} patterns")
        self._at += 1
        if alternatives > 1:
            return found
        inner = self._pattern[opened + 1 : self._at - 1]
        if _RANGE.fullmatch(inner):
            raise GlobError(f"`{{{inner}}}` is not counted out; write each, with commas between them")
        return self._product(self._product([(r"\{",)], found), [(r"\}",)])

    def _token(self, char: str) -> str:
        self._at += 1
        match char:
            case "*":
                return STAR
            case "?":
                return _ANY
            case "[":
                return self._characters()
            case "\\":
                if self._at == len(self._pattern):
                    raise GlobError(r"nothing follows the last `\`; write `\\` for the character itself")
                char = self._pattern[self._at]
                self._at += 1
        if char == "/":
            self.slashed = True
            return char
        return re.escape(char)

    def _characters(self) -> str:
        """Read what stands between brackets."""
        start = self._at
        negated = self._pattern[start : start + 1] in ("!", "^")
        self._at += negated
        if self._pattern.startswith("[:", self._at):
            raise GlobError("classes like `[:alpha:]` are not known; write the characters, as in `[a-z]`")
        ranges: list[str] = []
        while self._pattern[self._at : self._at + 1] != "]" or not ranges:
            low = self._character()
            high = low
            if self._pattern[self._at : self._at + 1] == "-" and self._pattern[self._at + 1 : self._at + 2] != "]":
                self._at += 1
                high = self._character()
            if high < low:
                raise GlobError(f"the range `{low}-{high}` runs backwards")
            ranges.append(f"{re.escape(low)}-{re.escape(high)}")
        self._at += 1
        # A slash is never meant, though a range may hold it.
        return f"[^/{''.join(ranges)}]" if negated else f"(?!/)[{''.join(ranges)}]"

    def _character(self) -> str:
        escaped = self._pattern.startswith("\\", self._at)
        char = self._pattern[self._at + escaped : self._at + escaped + 1]
        if not char:
            raise GlobError("a `[` is not closed; write `[[]` for the character itself")
        self._at += 1 + escaped
        return char
