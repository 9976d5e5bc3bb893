"""
What a rule's pattern is held against: the command, the files or the address of one request.

Each subject answers twice. `surely` is for a rule that allows: no, when in doubt. `maybe` is for one that
denies or asks: yes, when in doubt.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase, translate
from functools import cached_property, lru_cache
from itertools import takewhile
from shlex import join
from typing import TypeAlias, assert_never

from attrs import frozen

from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FilesPreview,
    ReadPreview,
    RemotePreview,
    ToolKind,
    UrlPreview,
)
from mmtools.core.shell.reader import MOST_CHARS
from mmtools.policies import command_lines, harmless
from mmtools.policies.addresses import Address
from mmtools.policies.command_lines import Starts
from mmtools.policies.harmless import Uncovered
from mmtools.policies.inside import Doubt
from mmtools.ports.permission import PermissionRequest

__all__ = ["Both", "Command", "Files", "Remote", "Subject", "of"]

_WILDCARD = re.compile(r"[*?\[]")


@frozen
class Command:
    """A command line."""

    line: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The words of the line when it is one plain command that is not too long, else none."""
        return (command_lines.plain(self.line) or ()) if len(self.line) <= MOST_CHARS else ()

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The line as it stands and with its quotes made uniform, when it is one plain command."""
        return (self.line.strip(" \t"), join(self.words)) if self.words else ()

    @cached_property
    def starts(self) -> Starts:
        """Every command that the line may start."""
        return command_lines.starts(self.line)

    @property
    def doubt(self) -> Doubt | None:
        """The reason why the line may start more than can be read in it."""
        return self.starts.doubt

    def surely(self, pattern: str) -> bool:
        """Whether the line is one plain command that the pattern covers."""
        if pattern in self.texts:
            return True
        return self.matches(pattern) and self.uncovered(pattern) is None

    def matches(self, pattern: str) -> bool:
        """Whether the line is one plain command whose letters the pattern covers."""
        return any(fnmatchcase(text, pattern) for text in self.texts)

    def uncovered(self, pattern: str) -> Uncovered | None:
        """Return the word that no wildcard of the pattern stands for, in a line that it matches."""
        wildcard = _WILDCARD.search(pattern)
        return harmless.uncovered(self.words, self._spelled(pattern[: wildcard.start()])) if wildcard else None

    def _spelled(self, beginning: str) -> int:
        """Count the words that the beginning of a pattern spells out."""
        words = command_lines.plain(beginning) or ()
        complete = beginning.endswith((" ", "\t")) or not words or self.words[len(words) - 1 : len(words)] == words[-1:]
        return len(words) if complete else len(words) - 1

    def maybe(self, pattern: str) -> bool:
        """Whether a command that the line may start is the pattern's, with or without further arguments."""
        return self.doubt is not None or self.met(pattern) is not None

    def met(self, pattern: str) -> str | None:
        """Return the first command in the line that the pattern covers, with or without further arguments."""
        whole = _with_arguments(pattern)
        found = (
            started.text
            for started in self.starts.commands
            if (whole.match(started.text) if started.is_whole else _may_begin(pattern, started.text))
        )
        return min(found, default=None)


@frozen
class Files:
    """
    The files that a call would change or read.

    Args:
        paths: Absolute, real.
        shown: The same as the model named them, made absolute by their letters.
        root: Where relative patterns begin; None when nobody said.
    """

    paths: frozenset[str]
    shown: frozenset[str]
    root: str | None

    def surely(self, pattern: str) -> bool:
        """Whether the pattern covers every file; a relative one needs a root."""
        return bool(self.paths) and all(self._covers(pattern, path) for path in self.paths)

    def maybe(self, pattern: str) -> bool:
        """
        Whether the pattern covers any file, by any of its names.

        Without a slash it means that name at any depth, as in `.gitignore`; without a root every relative one does.
        """
        name = pattern.rstrip("/")
        if "/" not in name and any(self._has_part(name, path) for path in self.paths | self.shown):
            return True
        if self.root is None and not pattern.startswith(("/", "*")):
            pattern = f"*/{pattern.removeprefix('./')}"
        return any(self._covers(pattern, path) for path in self.paths | self.shown)

    def _has_part(self, name: str, path: str) -> bool:
        """Whether a file, or a directory that it lies in, has the name; below the root, where it lies there."""
        return any(fnmatchcase(part, name) for part in path.removeprefix(f"{self.root or ''}/").split("/") if part)

    def _covers(self, pattern: str, path: str) -> bool:
        if not pattern.startswith(("/", "*")):
            root = f"{(self.root or '').rstrip('/')}/"
            if self.root is None or not path.startswith(root):
                return False
            path = path[len(root) :]
        pattern = pattern.removeprefix("./").rstrip("/")
        return fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*")


@frozen
class Remote:
    """A call of which nobody here knows what a pattern could mean: another program's, or a card without files."""

    def surely(self, pattern: str) -> bool:
        """Whether a pattern covers it: none does, only a rule for the whole tool."""
        return False

    def maybe(self, pattern: str) -> bool:
        """Whether a pattern may mean it: any may."""
        return True


@frozen
class Both:
    """
    What a call is shown as, and the files that it is about: a tool of the host's own names them beside its preview.

    Args:
        shown: What the preview is about.
        runs: Whether the call runs what is shown; then only that can be allowed, since it may do more than to these files.
    """

    shown: Command | Address | Remote
    files: Files
    runs: bool

    def surely(self, pattern: str) -> bool:
        """Whether the pattern covers what is shown, or where nothing is run every file."""
        return self.shown.surely(pattern) or (not self.runs and self.files.surely(pattern))

    def maybe(self, pattern: str) -> bool:
        """Whether the pattern may mean either."""
        return self.shown.maybe(pattern) or self.files.maybe(pattern)


Subject: TypeAlias = Command | Files | Address | Remote | Both


def of(request: PermissionRequest, root: str | None) -> Subject:
    """Return what a request is about."""
    shown = _shown(request, root)
    if isinstance(shown, Files) or not request.paths:
        return shown
    files = Files(frozenset(request.paths), frozenset(), root)
    if isinstance(request.preview, CardPreview):
        return files
    return Both(shown, files, not isinstance(shown, Command) or request.kind is ToolKind.EXECUTE)


def _shown(request: PermissionRequest, root: str | None) -> Command | Files | Address | Remote:
    match request.preview:
        case CommandPreview(command=command):
            return Command(command)
        case FilesPreview(changes=changes):
            paths = frozenset([*request.paths, *(change.path for change in changes)])
            shown = [posixpath.normpath(posixpath.join(root or "/", change.shown)) for change in changes]
            return Files(paths, frozenset(shown), root)
        case ReadPreview(path=path):
            return Files(frozenset([*request.paths, path]), frozenset(), root)
        case UrlPreview(url=url):
            return Address(url)
        case DeletionPreview(paths=deleted):
            return Files(frozenset([*request.paths, *deleted]), frozenset(), root)
        case RemotePreview() | CardPreview():
            return Remote()
        case _:
            assert_never(request.preview)


@lru_cache
def _with_arguments(pattern: str) -> re.Pattern[str]:
    brief = pattern.removesuffix(" *")
    return re.compile("|".join(map(translate, (pattern, brief, f"{brief} *"))))


_PATTERN_PART = re.compile(r"(?P<any>\*)|(?P<one>\?)|(?P<among>\[!?]?[^]]*\])|(?P<letter>.)", re.DOTALL)


def _may_begin(pattern: str, text: str) -> bool:
    """Whether a pattern, with or without further arguments, covers something that begins with the text."""
    parts = [(part.lastgroup, part.group()) for part in _PATTERN_PART.finditer(pattern)]
    places = {0}
    for char in text:
        places = {after for place in _passing(parts, places) for after in _steps(parts, place, char)}
        if len(parts) in places:
            # The pattern is at its end: what follows may be further arguments.
            return True
    return bool(places)


def _passing(parts: Sequence[tuple[str | None, str]], places: set[int]) -> set[int]:
    passed = set(places)
    for begin in places:
        stars = takewhile(lambda place: parts[place][0] == "any", range(begin, len(parts)))
        passed |= {place + 1 for place in stars}
    return passed


def _steps(parts: Sequence[tuple[str | None, str]], place: int, char: str) -> Iterator[int]:
    if place == len(parts):
        return
    kind, part = parts[place]
    if kind == "any":
        yield place
    elif kind == "one" or (kind == "among" and fnmatchcase(char, part)) or part == char:
        yield place + 1
