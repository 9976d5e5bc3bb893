"""
Numbered diffs of two texts, on their views: a changed line ending alone is no difference.

The rendered form, one item per line of text:

    *   a line: its sign (space kept, `-` removed, `+` added), its number, a space, its text. Numbers are
        right-aligned to one width over the whole diff. Removed lines carry their number in the old text,
        added and kept lines theirs in the new one.
    *   `...` between hunks.
    *   Where that is asked for: of a run of more than 12 added lines its first and last three, and a line between.
    *   `\\ No newline at end of file` after a line that ends its text without one.

Unless lines are left out, the new view can be made from the old one and the rendered diff.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum

from attrs import field, frozen

from mmtools.core import changed_lines
from mmtools.core.changed_lines import Block, ChangedLines, lines
from mmtools.core.edits import Span
from mmtools.core.text import view

__all__ = [
    "CONTEXT",
    "NO_DIFF",
    "Diff",
    "Hunk",
    "Run",
    "Sign",
    "between",
    "from_spans",
    "render",
    "rendered",
    "shortened_lines",
]

#: Kept lines shown around a change (mm reference is silent; the customary number).
CONTEXT = 3
#: The longest run of added lines that is always shown whole, and what is shown of both ends of a longer one.
_LONGEST_RUN, _ENDS = 12, 3


class Sign(StrEnum):
    """What became of a line."""

    KEPT = " "
    REMOVED = "-"
    ADDED = "+"


@frozen
class Run:
    """
    Adjacent lines of one kind.

    Args:
        lines: At least one, each with its `\\n`; only the last line of a text may lack it.
    """

    sign: Sign
    lines: tuple[str, ...] = field(repr=False)


@frozen(kw_only=True)
class Hunk:
    """
    A stretch of lines around changes that lie close together.

    Args:
        old_line: The number its first line has, or would have, in the old text; 1-based.
        new_line: The same in the new text.
    """

    old_line: int
    new_line: int
    runs: tuple[Run, ...]


@frozen(kw_only=True)
class Diff:
    """
    What differs between two texts.

    Args:
        added: Lines of the new text that the old one does not have.
        deleted: Lines of the old text that the new one does not have.
        first_line: 1-based, of the first changed line, in both texts; None when the views are equal.
    """

    hunks: tuple[Hunk, ...]
    added: int
    deleted: int
    first_line: int | None


#: The diff of a text with itself.
NO_DIFF = Diff(hunks=(), added=0, deleted=0, first_line=None)


def from_spans(text: str, spans: Iterable[Span], context: int = CONTEXT) -> Diff:
    """
    Show what edits do, without looking at what they leave alone.

    Args:
        text: Raw, what the spans were resolved against.
        spans: In order of place, disjoint.
        context: Kept lines around a change.
    """
    return _diff(text, changed_lines.widened(text, spans), context)


def between(old: str, new: str, context: int = CONTEXT) -> Diff:
    """
    Show how one text became another.

    Args:
        old, new: Raw: line ends as found.
        context: Kept lines around a change.
    """
    return _diff(old, changed_lines.between(old, new), context)


def render(diff: Diff) -> str:
    """Return the diff in the form that the module describes, without a newline at its end; `""` for none."""
    return "\n".join(rendered(diff))


def rendered(diff: Diff, left_out: Callable[[int], str] | None = None) -> Iterator[str]:
    """
    Yield the rendered diff line by line, for those who need only its start.

    Args:
        left_out: Returns the line that stands for so many added lines. None shows them all.
    """
    width = len(str(_last_number(diff)))
    for index, hunk in enumerate(diff.hunks):
        if index:
            yield "..."
        old, new = hunk.old_line, hunk.new_line
        for run in hunk.runs:
            first, count = old if run.sign is Sign.REMOVED else new, len(run.lines)
            if left_out is None or not _is_long(run):
                yield from _numbered(run.sign, run.lines, first, width)
            else:
                yield from _numbered(run.sign, run.lines[:_ENDS], first, width)
                yield left_out(count - 2 * _ENDS)
                yield from _numbered(run.sign, run.lines[-_ENDS:], first + count - _ENDS, width)
            if not run.lines[-1].endswith("\n"):
                yield "\\ No newline at end of file"
            old += 0 if run.sign is Sign.ADDED else count
            new += 0 if run.sign is Sign.REMOVED else count


def _numbered(sign: Sign, lines: Iterable[str], first: int, width: int) -> Iterator[str]:
    for number, line in enumerate(lines, first):
        yield f"{sign.value}{number:>{width}} " + line.removesuffix("\n")


def shortened_lines(diff: Diff) -> int:
    """Count the lines of text that `rendered` yields where long runs are shortened."""
    return sum(2 * _ENDS if _is_long(run) else len(run.lines) for hunk in diff.hunks for run in hunk.runs)


def _is_long(run: Run) -> bool:
    return run.sign is Sign.ADDED and len(run.lines) > _LONGEST_RUN


def _last_number(diff: Diff) -> int:
    """Return the largest number that is shown, or a little more."""
    if not diff.hunks:
        return 0
    last = diff.hunks[-1]
    return max(
        line + sum(len(run.lines) for run in last.runs if run.sign is not other) - 1
        for line, other in ((last.old_line, Sign.ADDED), (last.new_line, Sign.REMOVED))
    )


def _diff(text: str, blocks: Iterable[Block], context: int) -> Diff:
    changes = list(changed_lines.changed(text, blocks))
    return Diff(
        hunks=tuple(_hunks(text, changes, context)),
        added=sum(len(change.added) for change in changes),
        deleted=sum(len(change.removed) for change in changes),
        first_line=changes[0].line + 1 if changes else None,
    )


def _hunks(text: str, changes: Sequence[ChangedLines], context: int) -> Iterator[Hunk]:
    shift = 0
    for group in _groups(changes, context):
        first = group[0]
        before = _lines_before(text, first.start, context)
        runs = [Run(Sign.KEPT, before)]
        at = first.start
        for change in group:
            runs += (
                Run(Sign.KEPT, tuple(lines(view(text[at : change.start])))),
                Run(Sign.REMOVED, tuple(change.removed)),
                Run(Sign.ADDED, tuple(change.added)),
            )
            at = change.end
        runs.append(Run(Sign.KEPT, _lines_after(text, at, context)))
        old_line = first.line - len(before) + 1
        yield Hunk(old_line=old_line, new_line=old_line + shift, runs=tuple(run for run in runs if run.lines))
        shift += sum(len(change.added) - len(change.removed) for change in group)


def _groups(changes: Sequence[ChangedLines], context: int) -> Iterator[Sequence[ChangedLines]]:
    """Put changes together whose context would touch."""
    start = 0
    for index in range(1, len(changes) + 1):
        if index < len(changes):
            last = changes[index - 1]
            if changes[index].line - last.line - len(last.removed) <= 2 * context:
                continue
        yield changes[start:index]
        start = index


def _lines_before(text: str, end: int, count: int) -> tuple[str, ...]:
    start = end
    for _ in range(count):
        if not start:
            break
        start = text.rfind("\n", 0, start - 1) + 1
    return tuple(lines(view(text[start:end])))


def _lines_after(text: str, start: int, count: int) -> tuple[str, ...]:
    end = start
    for _ in range(count):
        end = text.find("\n", end) + 1 or len(text)
    return tuple(lines(view(text[start:end])))
