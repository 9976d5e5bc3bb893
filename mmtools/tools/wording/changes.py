"""A change of a file: the question whether it may be made, and what was done, with its diff."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest

from attrs import evolve, frozen

from mmtools.call import FileChange, FilesPreview, GrantScope, Proposal, ReadPreview
from mmtools.core import alignment, diffs, forms, paths
from mmtools.core.diffs import Diff, Run, Sign
from mmtools.core.forms import LineEnds
from mmtools.core.text import Binary, Decoded, LegacyText, Text, view
from mmtools.ports.files import Place, Replaced, Snapshot
from mmtools.tools.wording.answer import Answer

__all__ = [
    "PlannedChange",
    "codec",
    "foretold",
    "in_place",
    "line_ends",
    "made",
    "notes",
    "proposal",
    "readable",
    "reading",
    "with_diff",
]

#: Longest line of a diff that is shown whole; of a longer one, so many characters around the change.
_LONGEST_LINE = 2_000
#: How many of those stand before the change.
_LEAD = 200


@frozen(kw_only=True)
class PlannedChange:
    """
    A change of one file that was not made yet.

    Args:
        title: Of the question; one line, without the real path of a file outside the roots.
        done: The verb of the headline, once it is made: "wrote".
        summary: What the headline says behind the verb; begins with the path.
        line: 1-based, of the first change; None where there is none to show.
        kept: A line in brackets for below the diff: what a reader cannot see of the file, and stays.
    """

    before: Snapshot
    change: FileChange
    diff: Diff
    title: str
    done: str
    summary: str
    line: int | None
    kept: str | None = None


def reading(place: Place, refusal: str) -> Proposal:
    """Ask to read a file outside the roots, before anything about it is told."""
    return Proposal(
        title=f"read outside the working directory: {place.path}",
        preview=ReadPreview(place.path),
        scope=GrantScope(f"read:{place.path}", f"reading {place.path}"),
        refusal=refusal,
        paths=(place.path,),
    )


def proposal(planned: PlannedChange, *, root: str, refusal: str) -> Proposal:
    """
    Ask to change a file.

    Args:
        root: Absolute; what an "always" covers for a file inside. For one elsewhere, it covers only that file.
        refusal: The text after a no.
    """
    place, title = planned.before.place, planned.title
    if planned.before.links > 1:
        title = f"{title}, which has {planned.before.links} names (hard links) that all change"
    if place.outside_roots:
        title = f"{title} outside the working directory: {place.path}"
    if place.outside_roots or not paths.contains(root, place.path):
        scope = GrantScope(f"edit:{place.path}", f"every change of {place.path}")
    else:
        scope = GrantScope(f"edit:{root}/", f"every file change under {root}")
    preview = FilesPreview((planned.change,))
    return Proposal(title=title, preview=preview, scope=scope, refusal=refusal, paths=(place.path,))


def made(planned: PlannedChange, replaced: Replaced, *, max_chars: int) -> Answer:
    """
    Say what was done.

    Args:
        max_chars: Of headline and diff; a note about what is missing comes on top.
    """
    headline = f"{planned.done} {planned.summary}{notes(in_place(planned.before, replaced))}"
    return _told(planned, headline, max_chars=max_chars, rest="read the file to see what it holds")


def foretold(planned: PlannedChange, *, max_chars: int) -> Answer:
    """
    Say what would be done.

    Args:
        max_chars: As for `made`.
    """
    headline = f"dry run, nothing written: {planned.summary}"
    return _told(planned, headline, max_chars=max_chars, rest="send fewer edits to see more of each")


def _told(planned: PlannedChange, headline: str, *, max_chars: int, rest: str) -> Answer:
    told = with_diff(headline, planned.diff, max_chars=max_chars, rest=rest)
    return evolve(told, text=f"{told.text}\n{planned.kept}") if planned.kept else told


def codec(decoded: Decoded) -> str | None:
    """Return the name under which a `FileChange` decodes such bytes."""
    match decoded:
        case Text():
            return decoded.codec
        case LegacyText():
            return "utf-8"
        case Binary():
            return None


def with_diff(headline: str, diff: Diff, *, max_chars: int, rest: str) -> Answer:
    """
    Put a diff under a headline, as many whole lines of it as fit.

    Args:
        max_chars: Of both together; a note about what is missing comes on top.
        rest: How to see the rest, as a clause.
    """
    told, size, shown = [headline], len(headline), 0
    total = diffs.shortened_lines(diff)
    short = _shortened(diff)
    for line in diffs.rendered(short, _left_out):
        size += 1 + len(line)
        if size > max_chars:
            told.append(f"[… {total - shown} more lines of the diff are not shown; {rest}]")
            return Answer("\n".join(told), truncated=True)
        told.append(line)
        shown += line[0] in " -+"
    return Answer("\n".join(told), truncated=short is not diff)


def _left_out(count: int) -> str:
    return f"[… {count} more added lines, as sent]"


def line_ends(old: str, new: str) -> str | None:
    """
    Say that the line endings are not what they were; None when they are, or when one side has none.

    Args:
        old, new: Raw.
    """
    before, after = forms.line_ends(old), forms.line_ends(new)
    if not before or not after or before == after != LineEnds.MIXED:
        return None
    if before != after:
        return f"line endings changed from {before} to {after}"
    return "only line endings changed" if old != new and view(old) == view(new) else None


def in_place(before: Snapshot, replaced: Replaced) -> str | None:
    """Say that a file was not replaced by another, so that its other names change too."""
    if not replaced.in_place:
        return None
    return "written in place" + (f", under all {before.links} names of the file" if before.links > 1 else "")


def notes(*some: str | None) -> str:
    """Return what is to be said at the end of a headline."""
    return "".join(f"; {note}" for note in some if note)


def readable(diff: Diff) -> Diff:
    """Return the diff of a legacy text as it can be read: U+FFFD for what is not UTF-8."""

    def shown(run: Run) -> Run:
        return Run(run.sign, tuple(LegacyText(line, 0).shown() for line in run.lines))

    return evolve(diff, hunks=tuple(evolve(hunk, runs=tuple(map(shown, hunk.runs))) for hunk in diff.hunks))


def _shortened(diff: Diff) -> Diff:
    """Cut very long lines down to what is around their change."""
    if all(len(max(run.lines, key=len)) <= _LONGEST_LINE for hunk in diff.hunks for run in hunk.runs):
        return diff
    return evolve(diff, hunks=tuple(evolve(hunk, runs=tuple(_short_runs(hunk.runs))) for hunk in diff.hunks))


def _short_runs(runs: Sequence[Run]) -> Iterator[Run]:
    for index, run in enumerate(runs):
        beside: Iterable[str] = ()
        if run.sign is Sign.REMOVED and index + 1 < len(runs) and runs[index + 1].sign is Sign.ADDED:
            beside = runs[index + 1].lines
        elif run.sign is Sign.ADDED and index and runs[index - 1].sign is Sign.REMOVED:
            beside = runs[index - 1].lines
        pairs = islice(zip_longest(run.lines, beside, fillvalue=""), len(run.lines))
        yield Run(run.sign, tuple(_short(line, other) for line, other in pairs))


def _short(line: str, other: str) -> str:
    if len(line) <= _LONGEST_LINE:
        return line
    text = line.removesuffix("\n")
    start = max(0, alignment.shared_prefix(text, other) - _LEAD)
    end = min(start + _LONGEST_LINE, len(text))
    before = f"[… {start} characters]" if start else ""
    after = f"[{len(text) - end} characters …]" if end < len(text) else ""
    return f"{before}{text[start:end]}{after}{line[len(text) :]}"
