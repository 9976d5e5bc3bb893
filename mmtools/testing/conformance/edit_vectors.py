"""
Sharp cases for edit functions, the smallest that tell right from wrong; plain data, for any language.

    python -m mmtools.testing.conformance.edit_vectors > edit-vectors.json
"""

from __future__ import annotations

import json
from typing import Literal, TypeAlias

from attrs import asdict, frozen

from mmtools.testing.conformance.edit_characters import ROWS, SEQUENCES, TAKEN_FOR

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
_ITSELF = "every character is itself, and so are those that spell another one elsewhere"
_SPACE = "white space is text: neither trimmed, nor collapsed, nor made equal"
_END = "the final line break is neither added, removed nor doubled"
_ALIKE = "characters that only look or sound alike are different"
_FALSE_BREAK = "only `\\n` and `\\r\\n` are line breaks"
_KEPT_BREAK = "line breaks that no edit touches keep their ending"
_EXACT = "a `\\n` does not match a `\\r\\n`"
_VIEW = "a `\\n` in `old` matches a `\\r\\n`"
_NEW_BREAK = "a new line break takes the ending of the nearest, the next one first"
_COMMON = "what `old` and `new` have in common at their ends keeps its line endings"

#: Longer than what anybody looks at, keeps or compares at once to save work.
_LONG = "0123456789" * 10
#: Lines, and six edits of them that touch, grow, shrink, move and delete; a bad one spoils them wherever it stands.
_LINES = "one\ntwo\n\nthree four five\n  six\nseven\n"
_EACH: Edits = [
    ("one\ntwo", "two\none"),
    ("three ", ""),
    ("four", "4 4"),
    (" five\n", "\n"),
    ("  six", "\tsix"),
    ("seven\n", ""),
]
_PAGE = _LINES * 2 + f"{_LONG}\n" * 3
_BAD = (
    *((_EMPTY, ""), (_MISSING, "eight"), (_TWICE, "o"), (_TWICE, "\n")),
    *((_OVERLAP, old) for old in ("three four", "ne\nt", "three ", "two\n", "one\ntwo\n\nthree")),
)

#: Smallest first within a rule; rules from the plain to the subtle.
VECTORS: tuple[Vector, ...] = (
    Vector(_REPLACED, "a", [("a", "b")], "b"),
    Vector(_REPLACED, "a", [("a", "")], ""),
    Vector(_REPLACED, "abc", [("b", "")], "ac"),
    Vector(_REPLACED, "abc", [("b", "bb")], "abbc"),
    Vector(_REPLACED, "aa", [("aa", "a")], "a"),
    Vector(_REPLACED, "a", [("a", "aa")], "aa"),
    Vector(_REPLACED, "ab", [("ab", "a")], "a"),
    Vector(_REPLACED, "ab", [("ab", "b")], "b"),
    Vector(_REPLACED, "ab", [("ab", "ba")], "ba"),
    Vector(_REPLACED, "aba", [("aba", "ababa")], "ababa"),
    Vector(_REPLACED, "ab", [("a", "b")], "bb"),
    Vector(_REPLACED, "a", [("a", _LONG)], _LONG),
    Vector(_REPLACED, f"a{_LONG}b{_LONG}c", [(f"{_LONG}b", "d")], f"ad{_LONG}c"),
    Vector(_EMPTY, "", [("", "a")], None),
    Vector(_EMPTY, "a", [("", "b")], None),
    Vector(_EMPTY, "\n", [("", "b")], None),
    Vector(_EMPTY, "a\n", [("", "b")], None),
    Vector(_EMPTY, "a", [("a", "b"), ("", "c")], None),
    Vector(_EMPTY, "", [("", "a"), ("", "b")], None),
    Vector(_MISSING, "", [("a", "b")], None),
    Vector(_MISSING, "a", [("b", "c")], None),
    Vector(_TWICE, "aa", [("a", "b")], None),
    Vector(_TWICE, "a\na", [("a", "b")], None),
    *(Vector(_TWICE, text, [("a", "b")], None) for text in ("aaa", "a" * 12, "a\na\na", f"a{_LONG}a", f"{_LONG}aa")),
    Vector(_TWICE, "ab\nab", [("ab", "a")], None),
    Vector(_TWICE, "a\na\n", [("a\n", "b")], None),
    Vector(_SELF_OVERLAP, "aaa", [("aa", "b")], None),
    Vector(_SELF_OVERLAP, "ababa", [("aba", "c")], None),
    Vector(_SELF_OVERLAP, "\n\n\n", [("\n\n", "a")], None),
    Vector(_SELF_OVERLAP, "baaa", [("b", "c"), ("aa", "d")], None),
    Vector(_CASCADE, "a", [("a", "b"), ("b", "c")], None),
    Vector(_CASCADE, "ab", [("a", "b"), ("b", "a")], "ba"),
    Vector(_CASCADE, "ab", [("a", "bb"), ("b", "c")], "bbc"),
    Vector(_CASCADE, "ba", [("b", "a"), ("a", "c")], "ac"),
    Vector(_CASCADE, "ba", [("a", "b"), ("b", "c")], "cb"),
    Vector(_CASCADE, "abc", [("a", "b"), ("b", "c"), ("c", "a")], "bca"),
    Vector(_CASCADE, "aba", [("ab", "c"), ("a", "d")], None),
    Vector(_CASCADE, "acb", [("c", ""), ("ab", "d")], None),
    Vector(_OVERLAP, "a", [("a", "b"), ("a", "c")], None),
    Vector(_OVERLAP, "a", [("a", "b"), ("a", "b")], None),
    Vector(_OVERLAP, "abc", [("ab", "d"), ("bc", "e")], None),
    Vector(_OVERLAP, "abc", [("bc", "d"), ("ab", "e")], None),
    Vector(_OVERLAP, "abc", [("abc", "d"), ("b", "e")], None),
    Vector(_OVERLAP, "abc", [("b", "d"), ("abc", "e")], None),
    Vector(_OVERLAP, "abc", [("ab", "db"), ("bc", "be")], None),
    Vector(_OVERLAP, "abc", [("ab", "d"), ("a", "e")], None),
    Vector(_OVERLAP, "abcd", [("ab", "e"), ("d", "f"), ("bc", "g")], None),
    Vector(_OVERLAP, "abcd", [("abcd", "e"), ("a", "f"), ("d", "g")], None),
    Vector(_OVERLAP, "abcd", [("abc", "e"), ("bcd", "f")], None),
    Vector(_OVERLAP, "abc", [("abc", "d"), ("c", "e")], None),
    Vector(_OVERLAP, "abcd", [("a", "e"), ("bc", "f"), ("cd", "g")], None),
    Vector(_OVERLAP, "abcd", [("abcd", "e"), ("b", "f"), ("d", "g")], None),
    Vector(_OVERLAP, "ab", [("a", "c"), ("b", "d"), ("a", "e")], None),
    Vector(_OVERLAP, "abcde", [("e", "f"), ("a", "g"), ("cd", "h"), ("bc", "i")], None),
    Vector(_TOUCH, "ab", [("a", "c"), ("b", "d")], "cd"),
    Vector(_TOUCH, "ab", [("a", "ac"), ("b", "db")], "acdb"),
    Vector(_TOUCH, "abc", [("a", ""), ("b", ""), ("c", "")], ""),
    Vector(_ORDER, "ab", [("b", "d"), ("a", "cc")], "ccd"),
    Vector(_ORDER, "abc", [("b", ""), ("c", "d"), ("a", "ee")], "eed"),
    Vector(_ORDER, "abc", [("c", "cc"), ("b", "bb"), ("a", "aa")], "aabbcc"),
    Vector(_ORDER, "0123", [("0", ""), ("1", ""), ("2", ""), ("3", "")], ""),
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
    Vector(_SPACE, "a b", [("a  b", "c")], None),
    Vector(_SPACE, "\ta", [(" a", "b")], None),
    Vector(_SPACE, " a\n b", [("a\nb", "c")], None),
    Vector(_SPACE, "a \nb", [("a\nb", "c")], None),
    Vector(_SPACE, "a\nb", [("a \nb", "c")], None),
    Vector(_SPACE, "a \nb", [("b", "c")], "a \nc"),
    Vector(_SPACE, "a\nb", [("\n", " ")], "a b"),
    Vector(_SPACE, "a\n\nb", [("\n\n", "\n")], "a\nb"),
    Vector(_SPACE, "\na\n\n", [("a", "")], "\n\n\n"),
    Vector(_SPACE, "a b c", [("b", "")], "a  c"),
    Vector(_SPACE, "a", [("a", " \n\n\n ")], " \n\n\n "),
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
    Vector(_KEPT_BREAK, "a\r\nb\n", [("a\r\n", "")], "b\n"),
    Vector(_KEPT_BREAK, "0123456789\r\na\r\n", [("a", "b")], "0123456789\r\nb\r\n"),
    Vector(_KEPT_BREAK, "a\r\nb\r\nc\n", [("a", "d"), ("c", "e")], "d\r\nb\r\ne\n"),
    *(Vector(_KEPT_BREAK, f"a{end}b", [("a", "c"), ("b", "d")], f"c{end}d") for end in ("\r\n", "\r", "\r\r\n")),
    Vector(_KEPT_BREAK, "a\r\nb", [("a\r", "c")], "c\nb"),
    Vector(_EXACT, "a\r\nb", [("a\nb", "c")], None, "exact"),
    Vector(_EXACT, "a\r\n", [("a", "b\nc")], "b\nc\r\n", "exact"),
    Vector(_EXACT, "a\r\nb", [("\nb", "c")], "a\rc", "exact"),
    Vector(_EXACT, "a\r\nb", [("\n", " ")], "a\r b", "exact"),
    Vector(_EXACT, "a\r\na\n", [("a\n", "b")], "a\r\nb", "exact"),
    Vector(_VIEW, "a\r\nb", [("a\nb", "c")], "c", "view"),
    Vector(_VIEW, "a\r\nb", [("\n", "")], "ab", "view"),
    Vector(_VIEW, "a\nb\r\n", [("a\nb", "c")], "c\r\n", "view"),
    Vector(_VIEW, "a\r\na\n", [("a\n", "b")], None, "view"),
    Vector(_VIEW, "a\r\n", [("a\r\n", "b\n")], "b\n", "view"),
    Vector(_NEW_BREAK, "a\r\n", [("a", "b\nc")], "b\r\nc\r\n", "view"),
    Vector(_NEW_BREAK, "a\r\nb", [("b", "c\nd")], "a\r\nc\r\nd", "view"),
    Vector(_NEW_BREAK, "a\r\nb\n", [("b", "c\nd")], "a\r\nc\nd\n", "view"),
    Vector(_NEW_BREAK, "a\r\n", [("a", "b\r\nc")], "b\r\nc\r\n", "view"),
    Vector(_NEW_BREAK, "a\n", [("a", "b\r\nc")], "b\r\nc\n"),
    Vector(_NEW_BREAK, "a\r\nb\n", [("a", "c\nd")], "c\r\nd\r\nb\n", "view"),
    Vector(_NEW_BREAK, "a\nb\r\n", [("a", "c\nd")], "c\nd\nb\r\n", "view"),
    Vector(_NEW_BREAK, "a\r\nbc", [("c", "d\ne")], "a\r\nbd\r\ne", "view"),
    Vector(_NEW_BREAK, "a\r\nb\nc", [("c", "d\ne")], "a\r\nb\nd\ne", "view"),
    Vector(_NEW_BREAK, "a\nb\r\nc", [("c", "d\ne")], "a\nb\r\nd\r\ne", "view"),
    Vector(_NEW_BREAK, "a\r\nb\nc", [("a\nb", "d\ne")], "d\r\ne\nc", "view"),
    Vector(_NEW_BREAK, "a\r\nb\nc", [("a", "d\ne"), ("c", "f\ng")], "d\r\ne\r\nb\nf\ng", "view"),
    Vector(_COMMON, "a\r\n", [("a\n", "a\nb\n")], "a\r\nb\r\n", "view"),
    Vector(_COMMON, "a\r\nb\n", [("a\nb\n", "a\nc\n")], "a\r\nc\n", "view"),
    Vector(_COMMON, "a\nb\r\nc", [("a\nb\nc", "d\nb\nc")], "d\nb\r\nc", "view"),
    Vector(_COMMON, "a\nb\r\nc", [("a\nb\nc", "a\nb\nd")], "a\nb\r\nd", "view"),
    Vector(_COMMON, "a\r\nb\n", [("a\nb\n", "a\n\nb\n")], "a\r\n\r\nb\n", "view"),
    Vector(_COMMON, "\r\na\n", [("\na\n", "\na\n\na\n")], "\r\na\n\r\na\r\n", "view"),
    Vector(_COMMON, "\r\n\n", [("\n\n", "\n")], "\r\n", "view"),
    Vector(_OVERLAP, "a\nb", [("a\n", "c\n"), ("\nb", "\nd")], None),
    *(Vector(_ORDER, _LINES, edits, "two\none\n\n4 4\n\tsix\n") for edits in (_EACH, _EACH[::-1], sorted(_EACH))),
    *(
        Vector(rule, _LINES, [*_EACH[:at], (old, "8"), *_EACH[at:count]], None)
        for rule, old in _BAD
        for count, at in ((2, 0), (2, 1), (2, 2), (5, 1), (6, 0), (6, 6))
    ),
    Vector(_REPLACED, f"{_PAGE}last", [("last", "end")], f"{_PAGE}end"),
    Vector(_TWICE, _PAGE, [(_LONG, "a\nb")], None),
    Vector(_TWICE, "aa", [("a", _LONG)], None),
    Vector(_TWICE, "aa", [("a", "aa")], None),
    Vector(_TWICE, "\u00e9aa", [("a", "b")], None),
    Vector(_TWICE, "ababab", [("ab", "b")], None),
    Vector(_REPLACED, f"a\n{_LONG}\n{_LONG}\nb", [("a", "cc"), ("b", "")], f"cc\n{_LONG}\n{_LONG}\n"),
    Vector(_REPLACED, "\U0001f600a\u00e9b", [("a", "c"), ("b", "d")], "\U0001f600c\u00e9d"),
    Vector(_REPLACED, "\ufeffa", [("\ufeffa", "b")], "b"),
    Vector(_REPLACED, "a\nb\n", [("a\nb\n", "c\nd")], "c\nd"),
    *(Vector(_ITSELF, f"{part}old{part}", [("old", part)], part * 3) for part in (*SEQUENCES, *ROWS)),
    *(Vector(_ITSELF, f"a{part}b", [(part, "new")], "anewb") for part in (*SEQUENCES, *ROWS)),
    *(
        Vector(_ALIKE, text, [(old, "c")], None)
        for first, *others in TAKEN_FOR
        for other in others
        for text, old in ((other, first), (first, other))
        if old not in text
    ),
)


def as_json() -> str:
    """Write the cases as a JSON array of objects with the fields of `Vector`, a case a line, in ASCII."""
    return "[\n" + ",\n".join(json.dumps(asdict(vector)) for vector in VECTORS) + "\n]"


if __name__ == "__main__":
    print(as_json())
