"""
Sharp cases for edit functions, the smallest that tell right from wrong; plain data, for any language.

    python -m mmtools.testing.conformance.edit_vectors > edit-vectors.json
"""

from __future__ import annotations

import json
from typing import Literal, TypeAlias

from attrs import asdict, frozen

__all__ = ["VECTORS", "Edits", "Newlines", "Vector", "as_json"]

#: Pairs of old and new text.
Edits: TypeAlias = list[tuple[str, str]]

#: "exact": a `\\r` is a character like any other. "view": `\\r\\n` is matched by `\\n` and kept, as our own tools do.
Newlines: TypeAlias = Literal["exact", "view"]


@frozen
class Vector:
    """
    One case.

    Args:
        rule: What a function that fails here has not understood.
        result: The new text; None for a refusal.
        newlines: Where the case holds under one of the two only.
    """

    rule: str
    text: str
    edits: Edits
    result: str | None
    newlines: Newlines | None = None


_REPLACED = "the one place of `old` is replaced by `new`, and nothing else changes"
_EMPTY = "an empty `old` is refused"
_MISSING = "an `old` that does not occur is refused"
_TWICE = "an `old` that occurs more than once is refused"
_SELF_OVERLAP = "overlapping occurrences count as several"
_CASCADE = "no edit sees the result of another: all are resolved against the original text"
_OVERLAP = "edits that overlap, nest or mean the same place are refused"
_TOUCH = "edits that only touch are legal"
_ORDER = "the order of the edits does not matter"
_ALL = "one bad edit, and none is applied"
_LITERAL_NEW = "`new` is literal: no `$`, no backslash, no placeholder means anything"
_LITERAL_OLD = "`old` is literal: no pattern"
_SPACE = "white space is text: neither trimmed, nor collapsed, nor made equal"
_END = "the final line break is neither added, removed nor doubled"
_ALIKE = "characters that only look or sound alike are different"
_FALSE_BREAK = "only `\\n` and `\\r\\n` are line breaks"
_KEPT_BREAK = "line breaks that no edit touches keep their ending"
_EXACT = "a `\\n` does not match a `\\r\\n`"
_VIEW = "a `\\n` in `old` matches a `\\r\\n`"
_NEW_BREAK = "a new line break takes the ending of the nearest, the next one first"
_COMMON = "what `old` and `new` have in common at their ends keeps its line endings"

#: Smallest first within a rule; rules from the plain to the subtle.
VECTORS: tuple[Vector, ...] = (
    Vector(_REPLACED, "a", [("a", "b")], "b"),
    Vector(_REPLACED, "a", [("a", "")], ""),
    Vector(_REPLACED, "abc", [("b", "")], "ac"),
    Vector(_REPLACED, "abc", [("b", "bb")], "abbc"),
    Vector(_EMPTY, "", [("", "a")], None),
    Vector(_EMPTY, "a", [("", "b")], None),
    Vector(_EMPTY, "a", [("a", "b"), ("", "c")], None),
    Vector(_MISSING, "", [("a", "b")], None),
    Vector(_MISSING, "a", [("b", "c")], None),
    Vector(_TWICE, "aa", [("a", "b")], None),
    Vector(_TWICE, "a\na", [("a", "b")], None),
    Vector(_SELF_OVERLAP, "aaa", [("aa", "b")], None),
    Vector(_SELF_OVERLAP, "ababa", [("aba", "c")], None),
    Vector(_CASCADE, "a", [("a", "b"), ("b", "c")], None),
    Vector(_CASCADE, "ab", [("a", "b"), ("b", "a")], "ba"),
    Vector(_CASCADE, "ab", [("a", "bb"), ("b", "c")], "bbc"),
    Vector(_CASCADE, "aba", [("ab", "c"), ("a", "d")], None),
    Vector(_CASCADE, "acb", [("c", ""), ("ab", "d")], None),
    Vector(_OVERLAP, "a", [("a", "b"), ("a", "c")], None),
    Vector(_OVERLAP, "a", [("a", "b"), ("a", "b")], None),
    Vector(_OVERLAP, "abc", [("ab", "d"), ("bc", "e")], None),
    Vector(_OVERLAP, "abc", [("bc", "d"), ("ab", "e")], None),
    Vector(_OVERLAP, "abc", [("abc", "d"), ("b", "e")], None),
    Vector(_OVERLAP, "abc", [("b", "d"), ("abc", "e")], None),
    Vector(_OVERLAP, "abc", [("ab", "db"), ("bc", "be")], None),
    Vector(_TOUCH, "ab", [("a", "c"), ("b", "d")], "cd"),
    Vector(_TOUCH, "ab", [("a", "ac"), ("b", "db")], "acdb"),
    Vector(_ORDER, "ab", [("b", "d"), ("a", "cc")], "ccd"),
    Vector(_ORDER, "abc", [("b", ""), ("c", "d"), ("a", "ee")], "eed"),
    Vector(_ALL, "a", [("a", "b"), ("c", "d")], None),
    Vector(_ALL, "a", [("c", "d"), ("a", "b")], None),
    Vector(_ALL, "abb", [("a", "c"), ("b", "d")], None),
    *(
        Vector(_LITERAL_NEW, "a", [("a", new)], new)
        for new in ("$$", "$&", "$`", "$'", "$1", "\\", "\\1", "\\g<0>", "\\n", "%s", "{}", "&amp;")
    ),
    *(Vector(_LITERAL_OLD, "a", [(old, "b")], None) for old in (".", "a*", "^", "$", "[a]", "\\w")),
    Vector(_LITERAL_OLD, "(", [("(", ")")], ")"),
    Vector(_LITERAL_OLD, "\\", [("\\", "/")], "/"),
    *(Vector(_SPACE, "a", [(old, "b")], None) for old in (" a", "a ", "\na", "a\n")),
    *(Vector(_SPACE, "a", [("a", new)], new) for new in (" b", "b ", "\nb", "b\n", " ", "\n")),
    Vector(_SPACE, " a", [("a", "b")], " b"),
    Vector(_SPACE, "a b", [(" ", "")], "ab"),
    Vector(_SPACE, "a  b", [("a b", "c")], None),
    Vector(_SPACE, "\ta", [(" a", "b")], None),
    Vector(_SPACE, " a\n b", [("a\nb", "c")], None),
    Vector(_SPACE, "a \nb", [("a\nb", "c")], None),
    Vector(_SPACE, "a \nb", [("b", "c")], "a \nc"),
    Vector(_END, "a\n", [("a", "b")], "b\n"),
    Vector(_END, "a\n", [("a\n", "")], ""),
    Vector(_END, "a\n", [("a\n", "b")], "b"),
    Vector(_END, "a\n", [("a", "b\n")], "b\n\n"),
    Vector(_ALIKE, "A", [("a", "b")], None),
    Vector(_ALIKE, "\u00a0", [(" ", "b")], None),
    Vector(_ALIKE, "e\u0301", [("\u00e9", "b")], None),
    Vector(_ALIKE, "\u00df", [("ss", "b")], None),
    Vector(_ALIKE, "\u201ca\u201d", [('"a"', "b")], None),
    Vector(_ALIKE, '\u201ca\u201d"a"', [('"a"', "b")], "\u201ca\u201db"),
    Vector(_ALIKE, "\U0001f600a", [("a", "b")], "\U0001f600b"),
    *(Vector(_FALSE_BREAK, f"a{end}b", [("a\nb", "c")], None) for end in ("\r", "\v", "\f", "\x85", "\u2028")),
    *(Vector(_FALSE_BREAK, f"{end}a", [("a", "b")], f"{end}b") for end in ("\r", "\v", "\f", "\x85", "\u2028")),
    Vector(_KEPT_BREAK, "a\r\n", [("a", "b")], "b\r\n"),
    Vector(_KEPT_BREAK, "a\r\nb\n", [("a", "c")], "c\r\nb\n"),
    Vector(_KEPT_BREAK, "a\nb\r\n", [("a", "c")], "c\nb\r\n"),
    Vector(_KEPT_BREAK, "a\r\nb", [("a\r\nb", "c")], "c"),
    Vector(_EXACT, "a\r\nb", [("a\nb", "c")], None, "exact"),
    Vector(_EXACT, "a\r\n", [("a", "b\nc")], "b\nc\r\n", "exact"),
    Vector(_EXACT, "a\r\na\n", [("a\n", "b")], "a\r\nb", "exact"),
    Vector(_VIEW, "a\r\nb", [("a\nb", "c")], "c", "view"),
    Vector(_VIEW, "a\r\nb", [("\n", "")], "ab", "view"),
    Vector(_VIEW, "a\nb\r\n", [("a\nb", "c")], "c\r\n", "view"),
    Vector(_VIEW, "a\r\na\n", [("a\n", "b")], None, "view"),
    Vector(_NEW_BREAK, "a\r\n", [("a", "b\nc")], "b\r\nc\r\n", "view"),
    Vector(_NEW_BREAK, "a\r\nb", [("b", "c\nd")], "a\r\nc\r\nd", "view"),
    Vector(_NEW_BREAK, "a\r\nb\n", [("b", "c\nd")], "a\r\nc\nd\n", "view"),
    Vector(_NEW_BREAK, "a\r\n", [("a", "b\r\nc")], "b\r\nc\r\n", "view"),
    Vector(_NEW_BREAK, "a\n", [("a", "b\r\nc")], "b\r\nc\n", "view"),
    Vector(_COMMON, "a\r\n", [("a\n", "a\nb\n")], "a\r\nb\r\n", "view"),
    Vector(_COMMON, "a\r\nb\n", [("a\nb\n", "a\nc\n")], "a\r\nc\n", "view"),
    Vector(_COMMON, "a\nb\r\nc", [("a\nb\nc", "d\nb\nc")], "d\nb\r\nc", "view"),
)


def as_json() -> str:
    """Write the cases as a JSON array of objects with the fields of `Vector`, a case a line, in ASCII."""
    return "[\n" + ",\n".join(json.dumps(asdict(vector)) for vector in VECTORS) + "\n]"


if __name__ == "__main__":
    print(as_json())
