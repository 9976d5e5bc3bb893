"""
Hypothesis strategies for what a tool meets: texts, bytes, edits, paths and command lines.

Small alphabets on purpose: what is found twice, overlaps or differs only in a line end is likely, and
shrinks to something that can be read. Needs hypothesis.
"""

from __future__ import annotations

import codecs

from mmtools.testing.conformance.edit_vectors import Edits
from mmtools.testing.hypothesis_needed import strategies as st

__all__ = [
    "Edits",
    "applicable_edits",
    "command_lines",
    "edit_lists",
    "file_bytes",
    "hostile_paths",
    "paths",
    "refused_edits",
    "texts",
]

#: What texts are made of, the simplest first: a text shrinks towards it.
_PIECES = (
    *("a", "b", "\n", " ", "\r\n", "ab", "aa", "x = 1", "}", "\t"),
    *("\r", "\r\r\n", "\n\r"),
    *("\v", "\f", "\x1c", "\x85", "\u2028", "\u2029"),  # ends of lines for `str.splitlines`, not for us
    *("\u00a0", "\u200b", "\ufeff", "\u201c"),
    *("$&", "$1", "\\1", "\\n", "&amp;"),
    *("\u00e9", "e\u0301", "\u00df", "\u8868", "\u03ca", "\U0001f600", "\U0001d518"),
)
#: One character for each piece, so that hypothesis draws a text at once instead of piece by piece.
_STAND_INS = {chr(0xF0000 + number): piece for number, piece in enumerate(_PIECES)}
_TABLE = str.maketrans(_STAND_INS)

_LEGACY_ENCODINGS = ("latin-1", "cp1252", "gbk", "gb18030", "shift_jis", "big5", "euc_kr", "koi8-r")


def texts(*, max_pieces: int = 12) -> st.SearchStrategy[str]:
    """
    Generate texts that are hard on whoever splits, compares or counts: all of them encodable.

    Args:
        max_pieces: A piece is a word, a line end, or an odd character.
    """
    pieces = st.text(st.sampled_from(sorted(_STAND_INS)), max_size=max_pieces).map(lambda text: text.translate(_TABLE))
    return pieces | st.text(st.characters(exclude_categories=["Cs"]), max_size=max_pieces)


def file_bytes(*, max_pieces: int = 12) -> st.SearchStrategy[bytes]:
    """Generate contents of files: UTF-8 and UTF-16 with and without BOM, legacy encodings, cut characters, NUL, noise."""
    content = texts(max_pieces=max_pieces)
    utf8 = content.map(str.encode)
    legacy = st.builds(
        lambda text, encoding: text.encode(encoding, "ignore"), content, st.sampled_from(_LEGACY_ENCODINGS)
    )
    wide = st.sampled_from(("utf-16", "utf-16-le", "utf-16-be", "utf-32"))
    return st.one_of(
        utf8,
        utf8.map(lambda data: codecs.BOM_UTF8 + data),
        legacy,
        st.builds(str.encode, content, wide),
        content.map(lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be")),
        st.builds(lambda data, end: data[: max(len(data) - end, 0)], utf8 | legacy, st.integers(1, 3)),
        st.builds(lambda head, tail: head + b"\0" + tail, utf8, utf8),
        st.binary(max_size=4 * max_pieces),
    )


# Made once: hypothesis takes longer to check a strategy than to draw from it.
_SNIPPETS = texts(max_pieces=3)
_PLACES = st.integers(0, 40)
_BOUNDS = st.tuples(_PLACES, _PLACES)
_GUESSES = st.tuples(_BOUNDS | _SNIPPETS, _SNIPPETS | _BOUNDS, st.booleans())
_FATES = st.sampled_from(("changed", "changed as it stands", "kept"))
_SPOILERS = st.sampled_from(("empty", "missing", "repeated", "nested", "unchanging", "ambiguous"))


def edit_lists(text: str, *, max_edits: int = 4) -> st.SearchStrategy[Edits]:
    """Generate edits for one text, mostly of places in it; some lists apply, some do not."""

    def part(where: str | tuple[int, int]) -> str:
        if isinstance(where, str):
            return where
        start, end = sorted(place % (len(text) + 1) for place in where)
        return text[start:end]

    def edits(guesses: list[tuple[str | tuple[int, int], str | tuple[int, int], bool]]) -> Edits:
        return [(_seen(part(old)) if seen else part(old), part(new)) for old, new, seen in guesses]

    return st.lists(_GUESSES, max_size=max_edits).map(edits)


def applicable_edits(snippets: st.SearchStrategy[str] = _SNIPPETS) -> st.SearchStrategy[tuple[str, Edits]]:
    """
    Generate a text and edits that must apply to it, all at once, in any order.

    Each old text is in the text once (on the view, or as it stands when it holds a `\\r`), no two
    overlap, and each changes something.

    Args:
        snippets: What the text, the old and the new are made of.
    """
    part = st.tuples(snippets.filter(bool), snippets, _FATES)
    return _applicable_edits(st.lists(part, max_size=8))


@st.composite
def _applicable_edits(draw: st.DrawFn, plans: st.SearchStrategy[list[tuple[str, str, str]]]) -> tuple[str, Edits]:
    plan = draw(plans)
    text = "".join(part for part, _, _ in plan) or "a"
    edits: Edits = []
    end = 0
    for part, new, fate in plan:
        start, end = end, end + len(part)
        old = _seen(part) if fate == "changed" else part
        if "\r" in old:
            # One lone return, and the whole is matched as it stands.
            old = part
        if fate != "kept" and old and _is_whole(text, start, end) and _occurrences(text, old) == 1:
            edits.append((old, f"{new}!" if _seen(new) == _seen(old) else new))
    return text, draw(st.permutations(edits)) or [(text, "")]


_APPLICABLE = applicable_edits()


@st.composite
def refused_edits(draw: st.DrawFn) -> tuple[str, Edits]:
    """Generate a text and edits of which at least one must be refused, and so all."""
    text, edits = draw(_APPLICABLE)
    old, new = edits[0]
    bad = {
        "empty": ("", new),
        "missing": (f"{old}\ue000", new),
        "repeated": (old, f"{new}!"),
        "nested": (old[:1], f"{new}!"),
        "unchanging": (old, old),
    }
    spoiler = draw(_SPOILERS)
    if spoiler == "ambiguous":
        return text + text, edits
    at = draw(_PLACES) % (len(edits) + 1)
    return text, [*edits[:at], bad[spoiler], *edits[at:]]


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a part begins and ends outside every `\\r\\n`."""
    return all(text[at - 1 : at + 1] != "\r\n" for at in (start, end))


def _seen(part: str) -> str:
    return part.replace("\r\n", "\n")


def _occurrences(text: str, old: str) -> int:
    page = text if "\r" in old else _seen(text)
    return sum(page.startswith(old, at) for at in range(len(page)))


_NAMES = (
    *("a", "b.txt", "main.py", "README.md", ".hidden", "Makefile"),
    *("with space", "-dash", "[x]", "{a,b}", "*", "~b", "$HOME", "a'b", 'a"b'),
    *("\u00e9", "e\u0301", "\u6f22.md", "\U0001f600"),
)


def paths(*, max_depth: int = 4) -> st.SearchStrategy[str]:
    """Generate relative paths that stay inside, with names that a shell, a glob or a URL would take apart."""
    return st.builds(
        lambda start, names: start + "/".join(names),
        st.sampled_from(("", "./")),
        st.lists(st.sampled_from(_NAMES), min_size=1, max_size=max_depth),
    )


def hostile_paths() -> st.SearchStrategy[str]:
    """Generate paths that lead out, or that no file can have."""
    return st.one_of(
        paths().map("../".__add__),
        paths().map(lambda path: "a/../../" + path),
        paths().map("/".__add__),
        paths().map(lambda path: "~/" + path),
        paths().map(lambda path: path + "\0"),
        st.sampled_from(("", "\0", "..", "/", "a" * 300, "a/" * 3000, "\udcff")),
    )


def command_lines(*, max_depth: int = 3) -> st.SearchStrategy[str]:
    """
    Generate bash command lines of every shape: lists, pipelines, groups, substitutions, redirections.

    They only echo, count and succeed or fail: they may be run.
    """
    word = st.sampled_from(
        ("a", "'b c'", '"d $x"', "$((1+1))", "\\;", "'&&'", "`echo a`", "-n", "--", "*", "é", "{1..3}")
    )
    simple = st.builds(
        lambda program, words: " ".join([program, *words]),
        st.sampled_from(("echo", "printf '%s\\n'", "true", "false", ":", "x=1 echo", "command echo")),
        st.lists(word, max_size=3),
    )
    return st.recursive(simple, _compound, max_leaves=max_depth)


def _compound(line: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    joined = st.builds("{}{}{}".format, line, st.sampled_from((" && ", " || ", "; ", " | ", "\n", " |& ")), line)
    wrapped = st.sampled_from(("( {} )", "{{ {}; }}", 'echo "$( {} )"', "if {}; then :; fi", "{{ ! {}; }}", "{} | cat"))
    redirected = st.sampled_from(("{} > /dev/null", "{} 2>&1", "{} < /dev/null", "{} # a && b\n:", "{} <<< 'e'"))
    return joined | st.builds(str.format, wrapped | redirected, line)
