"""
What a rule's pattern is held against: the command, or the files, of one request.

Each subject answers twice. `surely` is for a rule that allows: no, when in doubt. `maybe` is for one that
denies or asks: yes, when in doubt.
"""

from __future__ import annotations

import posixpath
import re
from fnmatch import fnmatchcase, translate
from functools import cached_property, lru_cache
from shlex import join
from typing import TypeAlias, assert_never

from attrs import frozen

from mmtools.call import CommandPreview, FilesPreview, ReadPreview
from mmtools.policies import command_lines
from mmtools.ports.permission import PermissionRequest

__all__ = ["Command", "Files", "Subject", "of"]

#: Options with which any `git` subcommand may run a program or write a file; git takes their beginnings too.
_GIT_ACTIVE = ("--config-env", "--exec", "--exec-path", "--ext-diff", "--open-files-in-pager", "--output")
_GIT_ACTIVE_SHORT = ("-c", "-O")


@frozen
class Command:
    """
    Be a command line.
    """

    line: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """
        The words of the line when it is one plain command, else none.
        """
        return command_lines.plain(self.line) or ()

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """
        The line as it stands and with its quotes made uniform, when it is one plain command.
        """
        return (self.line.strip(), join(self.words)) if self.words else ()

    @cached_property
    def git_acts(self) -> bool:
        """
        Whether it is a `git` whose options make it do more than its subcommand says.
        """
        return bool(self.words) and self.words[0].rpartition("/")[2] == "git" and any(map(_is_active, self.words))

    @cached_property
    def starts(self) -> frozenset[str]:
        """
        Every command that the line may start.
        """
        return frozenset(command_lines.starts(self.line))

    def surely(self, pattern: str) -> bool:
        """
        Whether the line is one plain command that the pattern covers.
        """
        if self.git_acts and set(pattern) & set("*?["):
            # What a wildcard stands for must not change what the command is.
            return False
        return any(fnmatchcase(text, pattern) for text in self.texts)

    def maybe(self, pattern: str) -> bool:
        """
        Whether a command that the line may start is the pattern's, with or without further arguments.
        """
        return any(map(_with_arguments(pattern).match, self.starts))


@frozen
class Files:
    """
    Be the files that a call would change or read.

    Args:
        paths: Absolute, real.
        shown: The same as the model named them, made absolute by their letters.
        root: Where relative patterns begin; None when nobody said.
    """

    paths: frozenset[str]
    shown: frozenset[str]
    root: str | None

    def surely(self, pattern: str) -> bool:
        """
        Whether the pattern covers every file; a relative one needs a root.
        """
        return bool(self.paths) and all(self._covers(pattern, path) for path in self.paths)

    def maybe(self, pattern: str) -> bool:
        """
        Whether the pattern covers any file, by any of its names; without a root at any depth.
        """
        if self.root is None and not pattern.startswith(("/", "*")):
            pattern = f"*/{pattern.removeprefix('./')}"
        return any(self._covers(pattern, path) for path in self.paths | self.shown)

    def _covers(self, pattern: str, path: str) -> bool:
        if not pattern.startswith(("/", "*")):
            root = f"{(self.root or '').rstrip('/')}/"
            if self.root is None or not path.startswith(root):
                return False
            path = path[len(root) :]
        pattern = pattern.removeprefix("./").rstrip("/")
        return fnmatchcase(path, pattern) or fnmatchcase(path, f"{pattern}/*")


Subject: TypeAlias = Command | Files


def of(request: PermissionRequest, root: str | None) -> Subject:
    """
    Return what a request is about.
    """
    match request.preview:
        case CommandPreview(command=command):
            return Command(command)
        case FilesPreview(changes=changes):
            paths = frozenset([*request.paths, *(change.path for change in changes)])
            shown = [posixpath.normpath(posixpath.join(root or "/", change.shown)) for change in changes]
            return Files(paths, frozenset(shown), root)
        case ReadPreview(path=path):
            return Files(frozenset([*request.paths, path]), frozenset(), root)
        case _:
            assert_never(request.preview)


@lru_cache
def _with_arguments(pattern: str) -> re.Pattern[str]:
    brief = pattern.removesuffix(" *")
    return re.compile("|".join(map(translate, (pattern, brief, f"{brief} *"))))


def _is_active(word: str) -> bool:
    option = word.partition("=")[0]
    return word.startswith(_GIT_ACTIVE_SHORT) or (
        len(option) > 2 and any(name.startswith(option) for name in _GIT_ACTIVE)
    )
