"""Skills as texts: their line in the catalogue, and which one a name means."""

from __future__ import annotations

from collections.abc import Iterable

from mmtools.core import front_matter

__all__ = ["MAX_DESCRIPTION", "base_name", "description", "find", "row"]

#: Characters of a description in the catalogue, which is paid at every request.
MAX_DESCRIPTION = 240

_RULE_MARKS = frozenset("-*_= \t")
#: C0 and C1 controls, which a catalogue line must not hold.
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")


def description(text: str) -> str:
    """
    Say in one line what a skill is for: its `description`, else the first line of its body.

    Returns:
        At most `MAX_DESCRIPTION` characters; empty when the text tells nothing.
    """
    document = front_matter.read(text)
    if document.unclosed:
        return ""
    told = document.fields.get("description", "")
    line = _one_line(told if isinstance(told, str) else ", ".join(told)) or _first_line(document.body)
    return line if len(line) <= MAX_DESCRIPTION else line[: MAX_DESCRIPTION - 1].rstrip() + "…"


def row(name: str, text: str | None) -> str:
    """
    Return a skill's line in the catalogue.

    Args:
        text: The whole skill; None when it cannot be read.

    Source:
        mm `read_skill`, "Description".
    """
    told = "" if text is None else description(text)
    return f"  {_one_line(name)} — {told}" if told else f"  {_one_line(name)}"


def base_name(name: str) -> str:
    """
    Return the last part of a name that may be a path, with either kind of slash.

    Returns:
        Empty for what names no file: nothing, `.` and `..`.
    """
    last = name.replace("\\", "/").rstrip("/").rpartition("/")[2]
    return "" if last in (".", "..") else last


def find(names: Iterable[str], wanted: str) -> str | None:
    """
    Find the name that is meant: exactly, without `.md`, and then the same in any case.

    Args:
        wanted: As a model sends it; of a path only the base name counts.
    """
    known = tuple(names)
    base = base_name(wanted)
    for exact in (base, base.removesuffix(".md")):
        if exact in known:
            return exact
    alike = [name for name in known if _loosely(name) == _loosely(base)]
    return alike[0] if base and len(alike) == 1 else None


def _first_line(body: str) -> str:
    for line in body.split("\n"):
        text = line.strip()
        if not _RULE_MARKS.issuperset(text) and (told := _one_line(_without_heading_marks(text))):
            return told
    return ""


def _without_heading_marks(text: str) -> str:
    title = text.lstrip("#")
    if title == text or title[:1] not in ("", " ", "\t"):
        return text
    closed = title.rstrip("#")
    return closed if closed[-1:] in ("", " ", "\t") else title


def _one_line(text: str) -> str:
    return " ".join(text.translate(_CONTROLS).split())


def _loosely(name: str) -> str:
    return _one_line(name).casefold().removesuffix(".md")
