"""
A permission request as a person reads it in a terminal: all that would happen, and nothing that could pose as more.

    ⚠ edit_file — change: src/app.py
      change  src/app.py  +1 −1
      │  10 def main():
      │ -11     print("hi")
      │ +11     print("hello")
      all     every file change under /repo

What the model wrote stands behind a bar or a label, and is wrapped here and not by the terminal: it never begins a line.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from attrs import frozen

from mmtools.adapters.terminal.screen import Screen, Style
from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FileChange,
    FilesPreview,
    ReadPreview,
    RemotePreview,
    UrlPreview,
)
from mmtools.core import acts, change_text, diffs, screen_text, units
from mmtools.core.acts import Act
from mmtools.core.diffs import Diff, Sign
from mmtools.ports.permission import PermissionRequest

__all__ = ["QuestionText"]

_MARGIN = "  "
_BAR = "│ "

#: 8 columns: "session", the longest label, and a space.
_LABEL = 8

#: 20 lines: the beginning of longer ones may be above the upper edge of the terminal.
_SCROLLS_AFTER = 20

#: 4 acts and 200 columns: what is said again above the prompt, and the least that is left of a name in its row.
_RECALLED, _RECALLED_COLUMNS, _LEAST_COLUMNS = 4, 200, 8

#: 18 columns beside the margin: the narrowest terminal whose rows are ours and not wrapped by it has 20.
_LEAST_ROOM = 18

_DIFF_STYLES = {Sign.ADDED.value: (Style.GREEN,), Sign.REMOVED.value: (Style.RED,)}


@frozen
class QuestionText:
    """The text of one request for one screen."""

    screen: Screen
    request: PermissionRequest

    def head(self) -> str:
        """Return the line that names the tool and what it is about to do."""
        title = screen_text.clipped(self._title, self._room)
        return f"{self.screen.styled('⚠', Style.YELLOW)} {self._marked(title, Style.BOLD)}"

    def body(self, limit: int) -> tuple[list[str], int]:
        """Return what would happen, and how many lines of file changes beyond `limit` are left out."""
        match self.request.preview:
            case CommandPreview(command):
                return self._command("run", screen_text.spelled(command)), 0
            case FilesPreview(changes):
                lines = self._files(changes, limit)
                return lines[:limit], max(0, len(lines) - limit)
            case ReadPreview(path):
                return list(self._labelled("file", path)), 0
            case UrlPreview(url):
                return self._command("fetch", screen_text.in_ascii(url)), 0
            case RemotePreview(arguments=arguments):
                return self._quoted_lines(screen_text.spelled(acts.indented(arguments))), 0
            case DeletionPreview(paths):
                return [line for path in paths for line in self._labelled("delete", path)], 0
            case CardPreview(title, rows):
                return self._card(title, rows), 0
            case other:
                assert_never(other)

    def left_out(self, count: int, word: str) -> str:
        """Say how many lines of changes are not shown, and which word shows them."""
        return self._note(f"… {units.count(count, 'more line')} of changes: {word[0]} shows all")

    def foot(self, always: str | None) -> list[str]:
        """
        Return what else a person should know before answering.

        Args:
            always: The word that stands for "always" in the prompt; None where it is not offered.
        """
        lines: list[str] = []
        match self.request.preview:
            case CommandPreview(directory=directory):
                lines += self._labelled("in", directory)
            case UrlPreview(url):
                lines += self._authority(url)
            case RemotePreview(server, tool):
                lines += [*self._labelled("server", server), *self._labelled("tool", tool)]
            case FilesPreview() | ReadPreview() | DeletionPreview() | CardPreview():
                pass
            case other:
                assert_never(other)
        if always is not None:
            lines += self._labelled(always, self._reach)
        return lines

    def recall(self, rows: int) -> list[str]:
        """
        Return once more what would happen, where to and how much, for above the prompt of a question that scrolls.

        Args:
            rows: How many there are above the prompt. No string of the request begins one, or takes more than one.
        """
        all_acts = acts.acts(self.request.preview)
        written = [self._recalled(act) for act in all_acts]
        shown = written[:_RECALLED]
        while len(shown) > 1 and sum(map(len, shown)) + (len(shown) < len(written)) > rows:
            shown = shown[:-1]
        recalled = [row for act in shown for row in act]
        if len(shown) < len(written):
            recalled.insert(0, self._note(f"the first {len(shown)} of {len(written)}:"))
        return recalled

    def _recalled(self, act: Act) -> list[str]:
        """Write the size and, in a row with it where there is room, a label with the head and the tail of the target."""
        room = self._room - _LABEL
        size = f"  {act.size}" if act.size else ""
        beside = room - screen_text.width(size)
        if beside >= _LEAST_COLUMNS:
            return [self._row(act.verb, screen_text.shown_name(act.target, min(beside, _RECALLED_COLUMNS)), size)]
        return [self._note(act.size), self._row(act.verb, screen_text.shown_name(act.target, room))]

    def _row(self, label: str, text: str, size: str = "") -> str:
        return f"{_MARGIN}{self.screen.styled(label.ljust(_LABEL), Style.DIM)}{self._marked(text)}{size}".rstrip()

    @property
    def _reach(self) -> str:
        """What "always" would cover; a command that stands above is not said again when it takes more than a row."""
        preview, scope = self.request.preview, self.request.scope
        if isinstance(preview, CommandPreview) and scope.key == f"run:{preview.command}":
            words = screen_text.one_line(scope.words)
            if screen_text.width(words) > self._room - _LABEL:
                return "exactly this command"
        return scope.words

    @property
    def _title(self) -> str:
        tool = screen_text.first_line(screen_text.spelled(self.request.tool))
        return f"{tool} — {screen_text.first_line(screen_text.spelled(self.request.title))}"

    @property
    def _room(self) -> int:
        """Columns beside the margin."""
        return self.screen.columns_beside(len(_MARGIN), least=_LEAST_ROOM)

    def _command(self, verb: str, command: str) -> list[str]:
        """Write a command or an address, unless the head holds the whole of it and no other words."""
        in_head = screen_text.spelled(self.request.title) == f"{verb}: {command}"
        if in_head and "\n" not in command and screen_text.width(self._title) <= self._room:
            return []
        return self._quoted_lines(command)

    def _quoted_lines(self, text: str) -> list[str]:
        lines = [row for line in text.split("\n") for row in self._quoted(line)]
        if len(lines) > _SCROLLS_AFTER:
            lines.append(self._note(f"{len(lines):,} lines in all"))
        return lines

    def _card(self, title: str, rows: tuple[tuple[str, str], ...]) -> list[str]:
        lines = self._quoted_lines(screen_text.spelled(title))
        for name, value in rows:
            lines += self._quoted_lines(screen_text.spelled(f"{name}: {value}"))
        return lines

    def _authority(self, url: str) -> Iterator[str]:
        """Write who would be asked, apart from what only looks like it."""
        user, host = acts.authority(url)
        yield from self._labelled("host", screen_text.in_ascii(host) or "none")
        letters = _beyond_ascii(host)
        if letters:
            yield from self._labelled("letters", screen_text.in_ascii(letters))
        if user:
            yield from self._labelled("user", screen_text.in_ascii(user))

    def _files(self, changes: Sequence[FileChange], limit: int) -> list[str]:
        """Write every file's diff; when some will be left out, first which files they all are."""
        names, lines = [], []
        for change in changes:
            diff = change_text.difference(change)
            name = list(self._file(change, diff))
            names += name
            lines += name
            for line in () if diff is None else diffs.rendered(diff):
                lines += self._quoted(screen_text.spelled(line), *_DIFF_STYLES.get(line[:1], ()))
        return names + lines if len(changes) > 1 and len(lines) > limit else lines

    def _file(self, change: FileChange, diff: Diff | None) -> Iterator[str]:
        """Write which file it is, and how much of it changes."""
        room = self._room - _LABEL
        facts = screen_text.clipped("  ".join(change_text.facts(change, diff)), room)
        *rows, last = screen_text.wrapped(screen_text.one_line(change_text.name(change)), room)
        if screen_text.width(f"{last}  {facts}") > room:
            rows, last = [*rows, last], ""
        label = acts.verb_of(change)
        yield from self._labelled_rows(label, rows)
        yield self._row("" if rows else label, f"{last}  " if last else "", self.screen.styled(facts, Style.DIM))

    def _quoted(self, line: str, *styles: Style) -> Iterator[str]:
        """Put a bar before what the model wrote, in as many rows as it takes."""
        bar = self.screen.styled(_BAR, Style.DIM)
        for piece in screen_text.wrapped(line, self._room - len(_BAR)):
            yield f"{_MARGIN}{bar}{self._marked(piece, *styles)}"

    def _labelled(self, label: str, text: str) -> Iterator[str]:
        yield from self._labelled_rows(label, screen_text.wrapped(screen_text.one_line(text), self._room - _LABEL))

    def _labelled_rows(self, label: str, rows: Iterable[str]) -> Iterator[str]:
        for row in rows:
            yield self._row(label, row)
            label = ""

    def _note(self, text: str) -> str:
        return f"{_MARGIN}{self.screen.styled(screen_text.clipped(text, self._room), Style.DIM)}"

    def _marked(self, text: str, *styles: Style) -> str:
        """Dress a row, with what is spelled out standing out."""
        parts, begin = [], 0
        for match in screen_text.SPELLED.finditer(text):
            parts += [self.screen.styled(text[begin : match.start()], *styles), self.screen.styled(match[0], Style.RED)]
            begin = match.end()
        return "".join([*parts, self.screen.styled(text[begin:], *styles)])


def _beyond_ascii(host: str) -> str:
    """Decode the labels of a host that stand for other letters ("xn--…"); empty when there are none, or they stand for nothing."""
    labels = host.partition(":")[0].split(".")
    if not any(label.lower().startswith("xn--") for label in labels):
        return ""
    return ".".join(map(_label, labels))


def _label(label: str) -> str:
    if not label.lower().startswith("xn--"):
        return label
    try:
        return label[4:].encode("ascii").decode("punycode")
    except UnicodeError:
        return label
