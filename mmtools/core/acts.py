"""
What a request would do, in short: a verb, the target and the size, for the places that no string of a request can write to.

The verb and the size are words of ours. The target is somebody else's: `Act.line` writes it on one line between them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import assert_never

from attrs import frozen

from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FileChange,
    FilesPreview,
    Preview,
    ReadPreview,
    RemotePreview,
    UrlPreview,
)
from mmtools.core import change_text, screen_text, units

__all__ = ["Act", "acts", "authority", "indented", "verb_of"]

#: The part of an address that says who answers; a backslash ends it for some programs.
_AUTHORITY = re.compile(r"[^/\\?#]*//([^/\\?#]*)")


@frozen
class Act:
    """
    One thing that would happen.

    Args:
        target: As it is, not yet fit for a screen.
        size: How much; "" where there is nothing to count.
    """

    verb: str
    target: str
    size: str = ""

    def line(self, columns: int) -> str:
        """
        Write it on one line.

        Args:
            columns: For the target, whose middle is left out when it is longer; 8 or more.
        """
        return f"{self.verb} {screen_text.shown_name(self.target, columns)}  {self.size}".rstrip()


def acts(preview: Preview) -> Sequence[Act]:
    """Return all that would happen, in the order of the request."""
    match preview:
        case CommandPreview(command):
            lines = command.split("\n")
            return [Act("run", lines[0], units.count(len(lines), "line"))]
        case FilesPreview(changes):
            return [_change(change) for change in changes]
        case ReadPreview(path):
            return [Act("read", path)]
        case UrlPreview(url):
            host = Act("host", screen_text.in_ascii(authority(url)[1]) or "none")
            return [host, Act("fetch", screen_text.in_ascii(url), units.count(len(url), "character"))]
        case RemotePreview(server, tool, arguments):
            size = units.count(len(indented(arguments)), "character")
            return [Act("server", server), Act("call", tool, size)]
        case DeletionPreview(paths):
            return [Act("delete", path, f"{number} of {len(paths)}") for number, path in enumerate(paths, start=1)]
        case CardPreview(title, rows):
            return [Act("do", title, units.count(len(rows), "row"))]
        case other:
            assert_never(other)


def verb_of(change: FileChange) -> str:
    """Say what becomes of a file, in one word."""
    return "create" if change.created else "change"


def authority(url: str) -> tuple[str, str]:
    """Return the user and the host of an address: who would be asked, apart from what only looks like it."""
    match = _AUTHORITY.match(url)
    user, _, host = (match[1] if match else "").rpartition("@")
    return user, host


def indented(arguments: Mapping[str, object]) -> str:
    """Write arguments as JSON, as they would be sent."""
    return json.dumps(arguments, indent=2, ensure_ascii=False, default=repr)


def _change(change: FileChange) -> Act:
    facts = change_text.facts(change, change_text.difference(change))
    return Act(verb_of(change), change.path, "  ".join(facts))
