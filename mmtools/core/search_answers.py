"""What was found, line by line: paths that can be sent back as they stand, long lines cut, as many lines as fit."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence

from attrs import frozen

from mmtools.core import units

__all__ = ["Fitted", "fit", "joined", "listed", "match_line", "quoted"]

#: What reads like the end of a path, like a string in JSON, or like one of our notes.
_AMBIGUOUS = re.compile(r"\A[\s\"]|\s\Z|\A\[.*\]\Z", re.DOTALL)


@frozen
class Fitted:
    """
    The lines that fit.

    Args:
        cut: Characters left out of the first line, when not even that one fits.
    """

    lines: tuple[str, ...]
    cut: int = 0


def joined(base: str, path: str) -> str:
    """
    Put a path behind the directory it is relative to, as a tool takes it.

    Args:
        base: "." for the working directory, else relative to it, or absolute.
        path: Empty for `base` itself.
    """
    whole = base
    if path:
        whole = path if base == "." else f"{base.rstrip('/')}/{path}"
    # A directory may be named ~, and is not the home.
    return f"./{whole}" if whole.startswith("~/") else whole


def quoted(path: str, *, reserved: str = "") -> str:
    """
    Return a path as it stands, or as a JSON string where it could be misread.

    Args:
        reserved: Characters that mean something where it is to stand.
    """
    if path.isprintable() and not _AMBIGUOUS.search(path) and not any(char in path for char in reserved):
        return path
    return "".join(['"', *map(_in_json, path), '"'])


def listed(paths: Iterable[str], *, most: int) -> str:
    """Name the first few paths in a sentence, and count the others."""
    everything = list(paths)
    named = [quoted(path, reserved=",()[]: ") for path in everything[:most]]
    unnamed = len(everything) - len(named)
    return ", ".join(named) + (f" and {unnamed:,} more" if unnamed else "")


def match_line(path: str, line: int, text: str, *, before: int = 0, after: int = 0) -> str:
    """
    Return a line that was found, with its place.

    Args:
        before, after: Bytes of it that `text` leaves out on either side.
    """
    start = f"[… {units.count(before, 'byte')}]" if before else ""
    end = f"[{units.count(after, 'byte')} …]" if after else ""
    return f"{quoted(path, reserved=':')}:{line}:{start}{text}{end}"


def fit(lines: Sequence[str], max_chars: int) -> Fitted:
    """Take as many whole lines from the beginning as fit; at least one, which is cut when it has to be."""
    size = -1
    for count, line in enumerate(lines):
        size += 1 + len(line)
        if size > max_chars:
            if count:
                return Fitted(tuple(lines[:count]))
            return Fitted((line[:max_chars],), len(line) - max_chars)
    return Fitted(tuple(lines))


def _in_json(char: str) -> str:
    return json.dumps(char, ensure_ascii=not char.isprintable())[1:-1]
