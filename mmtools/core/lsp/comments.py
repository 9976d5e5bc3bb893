"""
Whether a place in a program is in a comment, told from the lines around it.

A heuristic, and used as one: it only decides what is tried first. It knows strings that end on their line.
"""

from __future__ import annotations

import re
from functools import cached_property

from attrs import frozen

__all__ = ["ALL_FAMILIES", "Comments"]

#: Characters of a line before a place that are looked at; a longer line was not written by hand.
_MOST_OF_LINE = 1000
#: Signs that may begin a block before a line that are looked at; the others are taken for parts of strings.
_MOST_OPENINGS = 50


@frozen(kw_only=True)
class Comments:
    """
    How a family of languages writes comments.

    Args:
        line: A pattern for what begins a comment to the end of the line; empty for none.
        blocks: Pairs of what begins and what ends a comment.
        quotes: What strings stand in.
    """

    line: str = ""
    blocks: tuple[tuple[str, str], ...] = ()
    quotes: str = "\"'`"

    def cover(self, text: str, offset: int) -> bool:
        """Whether an offset is in a comment, or right behind the sign that begins one."""
        start = _line_start(text, offset)
        for opening, closing in self.blocks:
            if self._is_inside(text, start, opening, closing):
                end = text.find(closing, start, offset)
                if end < 0:
                    return True
                start = end + len(closing)
        return self._open_comment(text, start, offset) is not None

    def _is_inside(self, text: str, start: int, opening: str, closing: str) -> bool:
        """Whether a line starts inside a block."""
        closed = text.rfind(closing, 0, start)
        at = 0 if closed < 0 else closed + len(closing)
        for _ in range(_MOST_OPENINGS):
            at = text.find(opening, at, start)
            if at < 0:
                break
            # It may stand in a string or behind a comment's sign, and then it opens nothing.
            if self._open_comment(text, _line_start(text, at), at + 1) == at:
                return True
            at += 1
        return False

    def _open_comment(self, text: str, start: int, offset: int) -> int | None:
        """
        Return where the comment begins that an offset is in, if it begins on the same line.

        Args:
            start: On this line, outside of strings and comments.
        """
        line_end = text.find("\n", start)
        while found := self._signs.search(text, start, len(text) if line_end < 0 else line_end):
            if found.start() >= offset:
                break
            start = found.end()
            if found.lastgroup == "comment":
                closing = self._closings.get(found[0])
                end = -1 if closing is None else text.find(closing, start, offset)
                if closing is None or end < 0:
                    return found.start()
                start = end + len(closing)
        return None

    @cached_property
    def _closings(self) -> dict[str, str]:
        return dict(self.blocks)

    @cached_property
    def _signs(self) -> re.Pattern[str]:
        """Strings, to be passed over, and what begins a comment."""
        strings = [r"'(?:\\.|[^'\\\n])'", *(rf"{quote}(?:\\.|[^{quote}\\\n])*{quote}" for quote in self.quotes)]
        openings = [re.escape(opening) for opening, _ in self.blocks]
        comments = [*openings, *filter(None, [self.line])] or ["(?!)"]
        return re.compile(f"{'|'.join(strings)}|(?P<comment>{'|'.join(comments)})")


def _line_start(text: str, offset: int) -> int:
    first = max(offset - _MOST_OF_LINE, 0)
    return max(text.rfind("\n", first, offset) + 1, first)


_STARS = ("/*", "*/")
_C = Comments(line="//", blocks=(_STARS,), quotes='"`')
_MARKUP = ("<!--", "-->")

#: By name. `*` at the start of a line needs no rule: it is inside a block.
ALL_FAMILIES = {
    "c": _C,
    "script": Comments(line="//", blocks=(_STARS,)),
    "css": Comments(blocks=(_STARS,)),
    "php": Comments(line=r"//|#(?!\[)", blocks=(_STARS,)),
    "hash": Comments(line="#"),
    "shell": Comments(line=r"(?<![^\s;])#"),
    "powershell": Comments(line="#", blocks=(("<#", "#>"),)),
    "julia": Comments(line="#", blocks=(("#=", "=#"),), quotes='"`'),
    "hash and stars": Comments(line="#|//", blocks=(_STARS,)),
    "sql": Comments(line="--", blocks=(_STARS,)),
    "lua": Comments(line="--", blocks=(("--[[", "]]"),)),
    "haskell": Comments(line="--", blocks=(("{-", "-}"),), quotes='"'),
    "ada": Comments(line="--", quotes='"'),
    "lisp": Comments(line=";", quotes='"'),
    "ini": Comments(line=r"(?<![^\s])[;#]"),
    "percent": Comments(line=r"(?<!\\)%", quotes='"'),
    "ocaml": Comments(blocks=(("(*", "*)"),), quotes='"'),
    "fsharp": Comments(line="//", blocks=(("(*", "*)"),), quotes='"'),
    "pascal": Comments(line="//", blocks=(("{", "}"), ("(*", "*)")), quotes="'"),
    "basic": Comments(line="'", quotes='"'),
    "fortran": Comments(line="!", quotes="\"'"),
    "markup": Comments(blocks=(_MARKUP,), quotes='"'),
    "component": Comments(line=r"(?<!:)//", blocks=(_STARS, _MARKUP)),
    "none": Comments(),
}
