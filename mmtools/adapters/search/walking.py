"""
The files below the working directory, in order, without those that are hidden or that an ignore file excludes.

Which rule counts is as in ripgrep: a kind of ignore file has its say before the next kind, in the order of `KINDS`;
within a kind the directory nearest to the file, then the last line of its file. A file that is taken back by `!` is
not hidden any more. The rules of the directories above the searched one count, but none can exclude that one itself.

Where the searched directory lies in a git repository, `.gitignore` and the repository's own rules count up to the top
of the nearest one; elsewhere, for files in a repository too, all those on the way count.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import NamedTuple

from mmtools.adapters.search.ignore_rules import IgnoreRules, parse_rules
from mmtools.adapters.search.opening import open_regular
from mmtools.adapters.search.repositories import exclude_file, in_repository, is_top

__all__ = ["Walk"]

#: The kinds of ignore files, the strongest first.
_RGIGNORE, _IGNORE, _GITIGNORE, _EXCLUDE = range(4)
KINDS = ((b".rgignore", _RGIGNORE), (b".ignore", _IGNORE), (b".gitignore", _GITIGNORE))
_KIND_OF = dict(KINDS)
_GIT = b".git"
_NAME = attrgetter("name")
#: More than this is not read of an ignore file.
_MOST_RULE_BYTES = 1 << 24


class _Place(NamedTuple):
    """
    What makes a walked path relative to a directory.

    Args:
        prefix: What stands before it.
        cut: Bytes to drop from it instead.
    """

    prefix: bytes
    cut: int


class _Source(NamedTuple):
    """The rules of one file, and where its directory is."""

    rules: IgnoreRules
    place: _Place


class _Scope(NamedTuple):
    """The rules that count in a directory, of each kind, the nearest first."""

    sources: tuple[tuple[_Source, ...], ...] = ((), (), (), ())
    any: bool = False

    def with_rules(self, kind: int, source: _Source) -> _Scope:
        if not source.rules:
            return self
        sources = list(self.sources)
        sources[kind] = (source, *sources[kind])
        return _Scope(tuple(sources), any=True)

    def at_top(self) -> _Scope:
        """Drop the rules that a repository does not take from outside."""
        kept = (*self.sources[:_GITIGNORE], (), ())
        return _Scope(kept, any=any(kept))

    def excludes(self, path: bytes, name: bytes, *, is_directory: bool) -> bool | None:
        for kind in self.sources:
            for source in kind:
                prefix, cut = source.place
                relative = prefix + path[cut:]
                said = source.rules.excludes(relative, name, is_directory=is_directory)
                if said is not None:
                    return said
        return None


class Walk(NamedTuple):
    """
    A walk through the working directory; symlinks are passed by, and so is a directory `.git`.

    Args:
        hidden: Also names that begin with a dot.
        ignored: Also what ignore files exclude.
        complain: Is told which path could not be read.
        within: Whether files may be wanted in a directory; it is not entered otherwise.
    """

    hidden: bool
    ignored: bool
    complain: Callable[[bytes, OSError], None]
    within: Callable[[bytes], bool] | None = None

    def files(self) -> Iterator[bytes]:
        """
        Yield the paths of regular files.

        Raises:
            PathspecMissing: An ignore file needs it.
        """
        in_git = not self.ignored and in_repository(".")
        scope = _Scope() if self.ignored else _scope_above(in_git=in_git)
        stack = [self._entries(b"", scope, in_git=in_git)]
        while stack:
            for path, below in stack[-1]:
                if below is None:
                    yield path
                else:
                    stack.append(self._entries(path + b"/", below, in_git=in_git))
                    break
            else:
                stack.pop()

    def _entries(self, prefix: bytes, scope: _Scope, *, in_git: bool) -> Iterator[tuple[bytes, _Scope | None]]:
        """Yield what counts in a directory: files, and directories with the scope that they are in."""
        try:
            with os.scandir(prefix or b".") as listing:
                entries = sorted(listing, key=_NAME)
        except OSError as problem:
            self.complain(prefix[:-1], problem)
            return
        if not self.ignored:
            dotted = [entry.name for entry in entries if entry.name[:1] == b"."]
            scope = _scope_with(scope, prefix, dotted, in_git=in_git)
        excludes = scope.excludes if scope.any else None
        for entry in entries:
            name = entry.name
            is_directory = entry.is_dir(follow_symlinks=False)
            if not is_directory and not entry.is_file(follow_symlinks=False):
                continue
            path = prefix + name
            said = excludes(path, name, is_directory=is_directory) if excludes else None
            if said or (said is None and name[:1] == b"." and not self.hidden) or (name == _GIT and is_directory):
                continue
            if not is_directory:
                yield path, None
            elif self.within is None or self.within(path):
                yield path, scope


def _scope_with(scope: _Scope, prefix: bytes, dotted: list[bytes], *, in_git: bool) -> _Scope:
    """Add the rules that stand in a walked directory."""
    if _GIT in dotted:
        scope = _scope_at_git(scope, prefix or b".", _Place(b"", len(prefix)), in_git=in_git)
    for name in dotted:
        kind = _KIND_OF.get(name)
        if kind is not None:
            scope = scope.with_rules(kind, _Source(_rules(prefix + name), _Place(b"", len(prefix))))
    return scope


def _scope_above(*, in_git: bool) -> _Scope:
    """Collect the rules of the directories above the working directory."""
    names = os.getcwdb().split(b"/")[1:]
    scope = _Scope()
    for depth in range(len(names) if names != [b""] else 0):
        above = b"/" + b"".join(name + b"/" for name in names[:depth])
        place = _Place(b"".join(name + b"/" for name in names[depth:]), 0)
        scope = _scope_at_git(scope, above, place, in_git=in_git)
        for name, kind in KINDS:
            scope = scope.with_rules(kind, _Source(_rules(above + name), place))
    return scope


def _scope_at_git(scope: _Scope, directory: bytes, place: _Place, *, in_git: bool) -> _Scope:
    """Leave out what does not count from here on, and add what the repository has in its `.git`."""
    exclude: bytes | None = os.path.join(directory, b".git/info/exclude")
    if in_git and is_top(directory):
        scope = scope.at_top()
        exclude = exclude_file(directory)
    return scope.with_rules(_EXCLUDE, _Source(_rules(exclude), place)) if exclude else scope


def _rules(path: bytes) -> IgnoreRules:
    """Read an ignore file; one that cannot be read has no rules."""
    try:
        descriptor = open_regular(path, follow=True)
    except (OSError, ValueError):
        return IgnoreRules()
    with open(descriptor, "rb", buffering=0) as file:
        return parse_rules(file.read(_MOST_RULE_BYTES) or b"")
