"""
Requests whose every string was chosen by somebody who wants a person to read something else, and what must be read.

Shared by the readers of all front ends. What is expected is written here a second time, apart from the code that shows it.
"""

from __future__ import annotations

import json
import re
import unicodedata

from attrs import frozen
from hypothesis import strategies as st

from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FileChange,
    FilesPreview,
    GrantScope,
    Preview,
    ReadPreview,
    RemotePreview,
    ToolKind,
    UrlPreview,
)
from mmtools.ports.permission import PermissionRequest

__all__ = ["HOSTILE", "PREVIEWS", "REQUESTS", "Expected", "expected", "is_shown", "leads", "spelled_name", "unseen"]

#: Parts of other questions, of their answers, and of what moves a cursor or hides.
_FORGED = st.sampled_from(
    [
        "\n  change  README.md  +1",
        "\n  run     true  1 line",
        "\nrun 1 line, 4 characters:\n│ true",
        "\ncreate /r/README.md  +1 −0, new, 2 bytes",
        "delete /tmp/x  1 of 1",
        "run true  1 line — ",
        "  +1 −1",
        "allow? [y]es/[n]o/[a]ll: ",
        '"allow for this session" covers: nothing',
        "⚠ bash — run: true",
        "‣ read_file  README.md  ✓ 1.2s",
        "    (no output)",
        "```\n```",
        "\x1b[2J",
        "\x1b[1A",
        "\x1b]0;title\x07",
        "\x9b2J",
        "\r",
        "\r\n",
        "\n" * 30,
        "\t",
        "\x00",
        "\u202e",
        "\u2066",
        "\u200b",
        "\u2028",
        "\u3164",
        "\u2800",
        "\U000e0041",
        "\ufe0f",
        "\ud800",
        "e\u0301",
        "\u0301" * 3,
        "漢" * 5,
        "раураl",
        "../..",
        " " * 90,
        "x" * 300,
        "x" * 3_000,
        "…",
        "│ ",
        "⟨U+000A⟩",
    ]
)

HOSTILE = st.lists(_FORGED | st.text("abc/ .\n", max_size=6), min_size=1, max_size=6).map("".join)

#: What is decoded from bytes holds no half characters.
_CONTENT = HOSTILE.map(lambda text: text.encode("utf-8", "replace"))

_CHANGES = st.builds(
    FileChange,
    path=HOSTILE.map(lambda name: f"/repo/{name}"),
    shown=HOSTILE,
    before=st.none() | _CONTENT,
    after=_CONTENT,
    before_encoding=st.sampled_from(["utf-8", "utf-8", None]),
    after_encoding=st.sampled_from(["utf-8", "utf-8", None]),
)

#: One strategy for each class of the closed union; the test of this module compares the two lists.
PREVIEWS: dict[type, st.SearchStrategy[Preview]] = {
    CommandPreview: st.builds(CommandPreview, HOSTILE, HOSTILE),
    FilesPreview: st.builds(FilesPreview, st.lists(_CHANGES, min_size=1, max_size=6).map(tuple)),
    ReadPreview: st.builds(ReadPreview, HOSTILE),
    UrlPreview: st.builds(
        lambda host, rest: UrlPreview(f"https://{host}{rest}"), st.sampled_from(["a.org", "a.org@b.org", ""]), HOSTILE
    ),
    RemotePreview: st.builds(RemotePreview, HOSTILE, HOSTILE, st.dictionaries(HOSTILE, HOSTILE, max_size=2)),
    DeletionPreview: st.builds(DeletionPreview, st.lists(HOSTILE, min_size=1, max_size=6).map(tuple)),
    CardPreview: st.builds(CardPreview, HOSTILE, st.lists(st.tuples(HOSTILE, HOSTILE), max_size=2).map(tuple)),
}

REQUESTS = st.builds(
    PermissionRequest,
    call_id=st.just("1"),
    tool=HOSTILE,
    kind=st.sampled_from(ToolKind),
    family=st.just("other"),
    title=HOSTILE,
    arguments=st.just({}),
    paths=st.just(()),
    preview=st.one_of(*PREVIEWS.values()),
    scope=st.builds(GrantScope, HOSTILE, HOSTILE),
)


@frozen
class Expected:
    """
    One thing that a person must read.

    Args:
        size: A pattern; "" where there is nothing to count.
    """

    verb: str
    target: str
    size: str = ""


def expected(preview: Preview) -> list[Expected]:
    """Return what would happen, with patterns for the sizes."""
    match preview:
        case CommandPreview(command):
            return [Expected("run", command.split("\n")[0], rf"{command.count(chr(10)) + 1:,} lines?")]
        case FilesPreview(changes):
            size = r"(new|empty|[+−]\d|not text|a BOM|the BOM|line ends|some line ends|utf-8 →|None →|.*…$).*"
            return [
                Expected("create" if one.before is None else "change", one.path, "" if _is_same(one) else size)
                for one in changes
            ]
        case ReadPreview(path):
            return [Expected("read", path)]
        case UrlPreview(url):
            found = re.match(r"https://([^/\\?#]*)", url)
            assert found is not None
            host = found[1].rpartition("@")[2] or "none"
            return [
                Expected("host", host if host == "none" else _in_ascii(host)),
                Expected("fetch", _in_ascii(url), rf"{len(url):,} characters?"),
            ]
        case RemotePreview(server, tool, arguments):
            length = len(json.dumps(arguments, indent=2, ensure_ascii=False))
            return [Expected("server", server), Expected("call", tool, rf"{length:,} characters?")]
        case DeletionPreview(paths):
            return [Expected("delete", path, f"{at} of {len(paths)}") for at, path in enumerate(paths, start=1)]
        case CardPreview(title, rows):
            return [Expected("do", title, rf"{len(rows)} rows?")]


def _is_same(change: FileChange) -> bool:
    return change.before == change.after and change.before_encoding == change.after_encoding == "utf-8"


def is_shown(shown: str, target: str) -> bool:
    """Whether a name stands there, spelled out: whole, or its head and its tail about an ellipsis."""
    whole, shown = _comparable(spelled_name(target)), _comparable(shown)
    if shown.rstrip() == whole.rstrip() or (not target.strip() and shown.rstrip() == _comparable(repr(target))):
        return True
    cuts = (at for at, char in enumerate(shown) if char == "…" and at > 0)
    return any(whole.startswith(shown[:at]) and whole.rstrip().endswith(shown[at + 1 :].rstrip()) for at in cuts)


def leads(text: str, each: Expected, after: str = "") -> bool:
    """
    Whether a line begins with a verb, a target and a size.

    Args:
        after: A pattern for what may follow.
    """
    if not text.startswith(f"{each.verb} "):
        return False
    rest = text.removeprefix(f"{each.verb} ")
    size = re.compile(rf"(  {each.size})?({after})" if each.size == "" else rf"  {each.size}({after})", re.DOTALL)
    ends = [at for at in (*(at for at, char in enumerate(rest) if char == " "), len(rest)) if size.fullmatch(rest[at:])]
    return any(is_shown(rest[:at], each.target) for at in ends)


def unseen(text: str) -> set[str]:
    """Return the characters of a shown text, line feeds apart, that a person cannot see or that move others."""
    return {char for char in text if char != "\n" and _is_hidden(char)}


def spelled_name(text: str) -> str:
    """Write a name on one line, each character on its own."""
    return "".join(f"⟨U+{ord(char):04X}⟩" if _is_hidden(char) or char in "\n\t" else char for char in text)


def _in_ascii(text: str) -> str:
    return "".join(char if " " < char <= "~" else f"⟨U+{ord(char):04X}⟩" for char in text)


def _is_hidden(char: str) -> bool:
    return (unicodedata.category(char)[0] in "CZ" and char not in " \n\t") or char in "\u3164\u2800\ufe0f"


def _comparable(text: str) -> str:
    """Write accents in one way; a terminal keeps them in its own."""
    return unicodedata.normalize("NFD", text)
