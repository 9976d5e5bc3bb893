"""A file's lines as a model reads them: whole lines within the limit, with the arguments that read on."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from typing import assert_never

from attrs import frozen

from mmtools.core import lines, reading, shown_lines
from mmtools.core.lines import Ending, Excerpt, Window
from mmtools.core.reading import Found, Seen
from mmtools.core.shown_lines import FirstTooLong, Head, Whole
from mmtools.core.text import view
from mmtools.ports.files import Place
from mmtools.tools.wording import forms, phrases
from mmtools.tools.wording.answer import Answer

__all__ = ["ReadTerms", "Showing", "Wanted", "empty", "past_end", "too_wide"]


@frozen(kw_only=True)
class ReadTerms:
    """
    A dialect's words for reading lines of a file.

    Args:
        tool: The wire name.
        writer: That of the tool that would create a missing file.
        onward: Returns the arguments of a call that goes on at a line, given the last line that is wanted, or None for
            all: `start=9, end=20`.
    """

    tool: str
    writer: str
    onward: Callable[[int, int | None], str]


@frozen(kw_only=True)
class Wanted:
    """
    Which lines a call wants.

    Args:
        first: 1-based; None where no line was named, so that it is the first.
        last: Not below `first`; None for the end.
        numbered: Whether each line has its number before it.
    """

    first: int | None = None
    last: int | None = None
    numbered: bool = False

    @property
    def window(self) -> Window:
        """The lines as a window."""
        return Window(self.first or 1, self.last)


@frozen(kw_only=True)
class Showing:
    """
    The form of an answer with a file's lines.

    Args:
        max_output: Characters of lines in one answer; notes about what is missing come on top.
        encodings: Codecs' names, tried in order, for what is not UTF-8.
    """

    wanted: Wanted
    terms: ReadTerms
    max_output: int
    encodings: Sequence[str] = ()

    def answer(self, found: Found, place: Place, seen: Seen) -> Answer:
        """Show as many whole lines as fit, or the beginning of one that is longer than an answer."""
        excerpt = found.excerpt
        decoded = reading.shown(excerpt.data, self.encodings)
        text = view(decoded.text)
        if self.wanted.numbered:
            text = shown_lines.numbered(text, excerpt.first)
        if excerpt.ending is Ending.WINDOW:
            text = text.removesuffix("\n")
        unusual = forms.unusual(seen.form(found, decoded))
        more = excerpt.ending is Ending.BUDGET or excerpt.missing > 0
        match shown_lines.fit(text, max_chars=self.max_output, more=more):
            case Whole(text=whole):
                notes = (*self._whereabouts(excerpt, seen.lines(found), unusual), *_undecodable(decoded.undecodable))
                if notes and excerpt.ending is Ending.STREAM:
                    whole = whole.removesuffix("\n")
                return Answer(_joined(whole or f"[line {excerpt.first} of {place.requested} is empty]", *notes))
            case Head(text=part, lines=count):
                if decoded.undecodable:
                    decoded = reading.shown(lines.head(excerpt.data, count), self.encodings)
                notes = (
                    self._continued(excerpt, count, seen.lines(found), unusual),
                    *_undecodable(decoded.undecodable),
                )
                return Answer(_joined(part, *notes), truncated=True)
            case FirstTooLong():
                return self._beginning(found, place)
            case never:
                assert_never(never)

    def _beginning(self, found: Found, place: Place) -> Answer:
        """Show the beginning of a line that is longer than an answer, and the command that shows its rest."""
        excerpt = found.excerpt
        line, _, after = excerpt.data.partition(b"\n")
        prefix = f"{excerpt.first}\t" if self.wanted.numbered else ""
        data = lines.beginning(line, max(self.max_output - len(prefix), 1))
        decoded = reading.shown(data, self.encodings)
        note = f"line {excerpt.first} is {len(line) + excerpt.missing} bytes long, its first {len(data)} are shown. "
        note += f"Its rest, by command: {_command(found, len(data), place)} | head -c {self.max_output}"
        if after or excerpt.ending is not Ending.STREAM:
            note += f". Next line: {self.terms.onward(excerpt.first + 1, None)}"
        text = _joined(prefix + decoded.text, f"[… {note}]", *_undecodable(decoded.undecodable))
        return Answer(text, truncated=True)

    def _whereabouts(self, excerpt: Excerpt, total: int | None, unusual: str) -> tuple[str, ...]:
        """Say which lines these are, unless they are all, and what a reader cannot see of the file."""
        said = [unusual] if unusual else []
        if excerpt.first > 1 or excerpt.ending is Ending.WINDOW:
            count = excerpt.data.count(b"\n") + (not excerpt.data.endswith(b"\n"))
            shown = phrases.line_range(excerpt.first, excerpt.first + count - 1)
            said.insert(0, f"{shown} of {total}" if total else f"{shown}; more lines follow")
        return (f"[{'; '.join(said)}]",) if said else ()

    def _continued(self, excerpt: Excerpt, count: int, total: int | None, unusual: str) -> str:
        last = excerpt.first + count - 1
        shown = phrases.line_range(excerpt.first, last)
        of_all = f" of {total}" if total else ""
        form = f" ({unusual})" if unusual else ""
        onward = self.terms.onward(last + 1, self.wanted.last)
        return f"[… {shown}{of_all} shown{form}; continue with {onward}]"


def empty(shown: str) -> str:
    """
    Say that a file has no lines.

    Args:
        shown: The path as the model wrote it.
    """
    return f"[{shown} is empty]"


def past_end(shown: str, first: int, total: int, terms: ReadTerms) -> str:
    """
    Say that a file has no such line.

    Args:
        total: How many it has.
    """
    count = phrases.counted(total, "line")
    return f"[{terms.tool}: line {first} is past the end of {shown} ({count})]"


def too_wide(size: int) -> str:
    """
    Say why a file that is UTF-16 cannot be converted.

    Args:
        size: In bytes.
    """
    return f"UTF-16, {size} bytes; at most {reading.MAX_CONVERTED} can be converted"


def _command(found: Found, skipped: int, place: Place) -> str:
    """Return a shell command that prints the file from within the excerpt on."""
    path = shlex.quote(place.path if place.requested.startswith("~") else place.requested)
    first = found.begins + found.excerpt.offset + skipped + 1
    if found.converted:
        return f"iconv -f UTF-16 -t UTF-8 -- {path} | tail -c +{first}"
    return f"tail -c +{first} -- {path}"


def _undecodable(count: int) -> tuple[str, ...]:
    what = f"{phrases.counted(count, 'byte')} here {phrases.are(count)}"
    return (f"[{what} not valid UTF-8, shown as \ufffd; edits of ASCII text keep such bytes]",) if count else ()


def _joined(text: str, *notes: str) -> str:
    return "\n".join([text, *notes])
