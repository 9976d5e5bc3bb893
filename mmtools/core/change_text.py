"""A file change in words: which file, how much of it, and what a diff does not show."""

from __future__ import annotations

import codecs
import posixpath
from collections.abc import Iterator

from mmtools.call import FileChange
from mmtools.core import diffs
from mmtools.core.diffs import Diff
from mmtools.core.forms import line_ends

__all__ = ["difference", "facts", "name"]

_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def difference(change: FileChange) -> Diff | None:
    """Compare the texts; None where one side is not text."""
    old = "" if change.created else change.old_text
    new = change.new_text
    return None if old is None or new is None else diffs.between(old, new)


def name(change: FileChange) -> str:
    """Name the file as the model did, and add where that leads when a link stands between."""
    asked = posixpath.normpath(change.shown)
    plainly = change.path == asked or change.path.endswith(f"/{asked}")
    return change.shown if plainly else f"{change.shown} → {change.path}"


def facts(change: FileChange, diff: Diff | None) -> Iterator[str]:
    """Say what becomes of the file, one short fact after the other."""
    if change.created:
        yield "new"
    if diff is None:
        sizes = [f"{len(data):,}" for data in (change.before, change.after) if data is not None]
        yield f"not text: {' → '.join(sizes)} bytes"
        return
    if diff.added or diff.deleted:
        yield " ".join(f"{sign}{count}" for sign, count in (("+", diff.added), ("−", diff.deleted)) if count)
    elif change.created:
        yield "empty"
    if change.before is not None:
        yield from _unseen_facts(change, change.before)


def _unseen_facts(change: FileChange, before: bytes) -> Iterator[str]:
    if change.before_encoding != change.after_encoding:
        yield f"{change.before_encoding} → {change.after_encoding}"
    boms = before.startswith(_BOMS), change.after.startswith(_BOMS)
    if boms[0] != boms[1]:
        yield "a BOM comes" if boms[1] else "the BOM goes"
    old, new = change.old_text or "", change.new_text or ""
    ends = line_ends(old), line_ends(new)
    if all(ends) and ends[0] != ends[1]:
        yield f"line ends {ends[0]} → {ends[1]}"
    elif old.count("\r\n") != new.count("\r\n") and old.replace("\r\n", "\n") == new.replace("\r\n", "\n"):
        yield "some line ends change"
