"""
Why a text was not found, and what the file has instead; a hint, never a match.

The effort is that of some twenty passes over the text, whatever it holds.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import accumulate, islice

from mmtools.core import candidates, confusables, differences, occurrences, similarity
from mmtools.core.candidates import Candidate, Piece
from mmtools.core.copy_errors import CopyError, undone
from mmtools.core.differences import Difference
from mmtools.core.hints import AlreadyThere, Closest, Hint, LooksAlike, Misquoted, NothingAlike, Spot, Unwritable
from mmtools.core.similarity import Part
from mmtools.core.text import raw_offset, unencodable, view

__all__ = ["HALF", "MOST_OTHERS", "find"]

#: From here on a place counts as alike.
HALF = 0.5
#: From here on no other place is sought.
ENOUGH = 0.75
#: Other occurrences whose lines are told.
MOST_OTHERS = 10
#: Habits whose undoing leaves so little that only a single place says something.
VAGUE = frozenset({CopyError.OUTER_NEWLINES, CopyError.FENCED})
#: A text this long is compared with its best candidate only.
LONG = 50_000
#: In a text this short every line is a candidate.
SMALL = 4_000
#: In a text this long, where each costs a millisecond or more, only a few pieces are looked for at each turn.
LARGE = 1 << 20
FEW = 3
#: How far beyond the votes a text may begin or end, and how much of a long line is looked at.
MARGIN = 500
LINE = 2_000


def find(text: str, old: str, new: str = "") -> Hint:
    """
    Explain why `old` is not in a text.

    Args:
        text: Raw: line ends as found, without a BOM.
        old: Not empty, and not found.
        new: What should have replaced it.
    """
    index = unencodable(old)
    if index is not None:
        return Unwritable(index)
    if not old.strip():
        return NothingAlike()
    page, wanted = _Page(text), view(old)
    if misquoted := page.misquoted(old, frozenset(CopyError) - VAGUE):
        return misquoted
    best = page.best(wanted)
    already = page.already(wanted, view(new), best)
    if best and best.looks_same:
        return already or LooksAlike(*page.compared(best, wanted))
    if other := page.misquoted(old, VAGUE) or already or page.misread(old, CopyError.NUMBERED):
        return other
    best = page.best_by_trifles(wanted, best)
    if best and best.looks_same:
        return LooksAlike(*page.compared(best, wanted))
    if best and best.alike >= HALF:
        return Closest(*page.compared(best, wanted), best.alike)
    return page.misread(old, CopyError.ESCAPED) or NothingAlike()


class _Page:
    """The text that is searched."""

    def __init__(self, raw: str) -> None:
        self.raw = raw
        self.text = view(raw)

    def best(self, wanted: str) -> Part | None:
        """Return the part that is most alike, of those that whole lines point at, or whole words."""
        best = self._best_at(wanted, candidates.lines(wanted), None)
        if best and best.alike >= ENOUGH:
            return best
        return self._best_at(wanted, candidates.words(wanted), best)

    def best_by_trifles(self, wanted: str, before: Part | None) -> Part | None:
        """Return the part known before, or if it is not much alike, one that parts of words point at, or nothing."""
        best = before
        if not best or best.alike < ENOUGH:
            best = self._best_at(wanted, candidates.parts(wanted), best)
        if not best or best.alike < HALF:
            best = self._best_of(wanted, self._starts(), best)
        return best

    def misread(self, old: str, habit: CopyError) -> Misquoted | None:
        """Undo a habit of copying although the text is still not found exactly then."""
        for _, meant in undone(old, {habit}):
            wanted = view(meant)
            best = self.best(wanted)
            return Misquoted(habit, *self.compared(best, wanted)) if best and best.alike >= HALF else None
        return None

    def misquoted(self, old: str, habits: Collection[CopyError]) -> Misquoted | None:
        """Undo one habit of copying after the other until the text is found; a vague one must find it once."""
        for copy_error, meant in undone(old, habits):
            at = self.text.find(meant)
            if at >= 0 and (copy_error not in VAGUE or self.text.find(meant, at + 1) < 0):
                return Misquoted(copy_error, self._spot(at, at + len(meant)))
        return None

    def already(self, wanted: str, new: str, best: Part | None) -> AlreadyThere | None:
        """
        Return where the new text is, unless it says nothing: it is part of the old one, or there several times.

        Another place that is more like the old text than the new one says more.
        """
        at = self.text.find(new) if new.strip() and new not in wanted else -1
        if at < 0 or self.text.find(new, at + 1) >= 0:
            return None
        elsewhere = best is not None and (best.end <= at or at + len(new) <= best.start)
        if best and elsewhere and best.alike >= HALF and best.alike > similarity.likeness(new, wanted):
            return None
        return AlreadyThere(self._spot(at, at + len(new)))

    def compared(self, part: Part, old: str) -> tuple[Spot, tuple[Difference, ...]]:
        """Return a part as a spot, and how it differs from the old text."""
        spot = self._spot(part.start, part.end)
        column = part.start - self.text.rfind("\n", 0, part.start)
        return spot, differences.between(self.text[part.start : part.end], old, spot.line, column)

    def _spot(self, start: int, end: int) -> Spot:
        """Widen a part to whole lines, number them, and see whether their text occurs elsewhere."""
        part = (start, end)
        start, end = self._whole_lines(start, end)
        text = self.text[start:end]
        line = self.text.count("\n", 0, start) + 1
        raw = self.raw[raw_offset(self.raw, start) : raw_offset(self.raw, end)] if "\r" in text else text
        last_line = line + text.removesuffix("\n").count("\n")
        others = (other for at, other in occurrences.places(self.text, text) if at != start)
        return Spot(
            line=line,
            last_line=last_line,
            text=raw,
            widened=part != (start, end),
            others=tuple(islice(others, MOST_OTHERS)),
        )

    def _whole_lines(self, start: int, end: int) -> tuple[int, int]:
        start = self.text.rfind("\n", 0, start) + 1
        if start < end and self.text[end - 1] == "\n":
            return start, end
        line_end = self.text.find("\n", end)
        return start, len(self.text) if line_end < 0 else line_end

    def _best_at(self, wanted: str, pieces: Sequence[Piece], before: Part | None) -> Part | None:
        pieces = pieces if len(self.text) < LARGE else pieces[:FEW]
        places = candidates.candidates(self.text, pieces, tolerance=16 + len(wanted) // 8)
        return self._best_of(wanted, places if len(wanted) <= LONG else places[:1], before)

    def _best_of(self, wanted: str, places: Sequence[Candidate], before: Part | None) -> Part | None:
        """Return the part that is most alike, of those at some places and one known before."""
        best = before
        for place in places:
            start, end = self._around(place, len(wanted))
            region = self.text[start:end]
            near = max(place.first - start, 0)
            if same := confusables.find(region, wanted):
                return Part(start + same[0], start + same[1], 1.0, looks_same=True)
            found = similarity.closest(region, wanted, near)
            if best is None or found.alike > best.alike:
                best = Part(start + found.start, start + found.end, found.alike)
        return best

    def _starts(self) -> list[Candidate]:
        """Return the lines of a small text; none of a larger one."""
        if len(self.text) > SMALL:
            return []
        starts = accumulate((len(line) + 1 for line in self.text.split("\n")), initial=0)
        return [Candidate(start, start) for start in starts if start < len(self.text)]

    def _around(self, place: Candidate, length: int) -> tuple[int, int]:
        """Widen a candidate to whole lines, but not to the whole of a very long one."""
        margin = MARGIN + length // 8
        start = max(place.first - margin, 0)
        end = min(max(place.last, 0) + length + margin, len(self.text))
        before = self.text.rfind("\n", max(start - LINE, 0), start)
        after = self.text.find("\n", end, end + LINE)
        return before + 1 if before >= 0 else max(start - LINE, 0), after if after >= 0 else end + LINE
