"""Lines of bash as data, and how they are read."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["everyday", "pairs", "single"]

_HERE = Path(__file__).parent

#: A line goes on in the next one until its here-document ends.
_DOCUMENT = re.compile(r"<<-?\s*'?(?P<end>[A-Z]+)'?")


def everyday() -> list[str]:
    """Return lines as agents write them every day."""
    found: list[str] = []
    rest = iter((_HERE / "everyday.txt").read_text().splitlines())
    for line in rest:
        lines = [line]
        if document := _DOCUMENT.search(line):
            while lines[-1].lstrip("\t") != document["end"]:
                lines.append(next(rest))
        found.append("\n".join(lines))
    return found


def single(name: str) -> list[str]:
    """Return the lines of a file, without comments."""
    return [line for line in (_HERE / name).read_text().splitlines() if line and not line.startswith("#")]


def pairs(name: str) -> list[tuple[str, str]]:
    """Return the pairs of pattern and line in a file: separated by a tab, without comments."""
    lines = single(name)
    return [(pattern, line) for pattern, _, line in (line.partition("\t") for line in lines)]
