"""The form of a file in words: only what is out of the ordinary, which is UTF-8 with LF and a line break at the end."""

from __future__ import annotations

from collections.abc import Iterator

from mmtools.core.forms import Form, LineEnds

__all__ = ["kept", "unusual"]


def unusual(form: Form) -> str:
    """Name what a reader cannot see of a file; empty for an ordinary one."""
    return ", ".join(_features(form))


def kept(before: Form, after: Form) -> str | None:
    """Say which of it a change kept; None when there is nothing to say."""
    after_too = set(_features(after))
    same = [feature for feature in _features(before) if feature in after_too]
    return f"[kept: {', '.join(same)}]" if same else None


def _features(form: Form) -> Iterator[str]:
    if form.line_ends in (LineEnds.CRLF, LineEnds.MIXED):
        yield f"{form.line_ends} line endings"
    if form.bom:
        yield "byte order mark"
    if form.encoding not in (None, "utf-8"):
        yield f"encoding {form.encoding}"
    if form.open_end:
        yield "no line break at the end"
