"""What to send in place of a path that is not there, or is a directory: looked for in the project, within bounds."""

from __future__ import annotations

import posixpath
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from mmtools.core import near_paths, paths
from mmtools.ports.files import FileProblem, Files, Place
from mmtools.tool import Call

__all__ = ["entries", "offers"]

#: Offers are for choosing among, not for looking through.
_MOST_OFFERS = 3
#: 400 directories and 5,000 names, in some 100 ms; of a larger project the part that is nearest to its root.
_MOST_LISTED, _MOST_NAMES = 400, 5_000
#: Directories whose files a model does not mean.
_PASSED_OVER = frozenset(["__pycache__", "node_modules"])


def offers(place: Place, files: Files, call: Call) -> Sequence[str]:
    """
    Find what a missing path may have been meant for; nothing outside the roots, and nothing that is denied.

    Returns:
        Paths that can be sent, at most three: names beside it that only look like it, else paths elsewhere in the project.
    """
    if place.outside_roots:
        return ()
    sent, name = posixpath.dirname(place.requested), posixpath.basename(place.path)
    beside = (posixpath.join(sent, twin) for twin in near_paths.twins(name, files.names_beside(place)))
    found = list(islice(_allowed(beside, files, call), _MOST_OFFERS))
    if found:
        return found
    root = files.absolute(".")
    wanted = paths.relative(place.path, [root])
    known = _known(root, files, directories=not posixpath.splitext(name)[1])
    return list(islice(_allowed(near_paths.elsewhere(wanted, known), files, call), _MOST_OFFERS))


def entries(place: Place, files: Files, call: Call) -> Sequence[str]:
    """Return the names in a directory that nothing denies, sorted, at most 1,000."""
    names = {posixpath.join(place.path, name): name for name in _names_in(place.path, files)}
    return [names[path] for path in _allowed(names, files, call)]


def _allowed(some: Iterable[str], files: Files, call: Call) -> Iterator[str]:
    for path in some:
        try:
            place = files.locate(path)
        except FileProblem:  # a link that leads nowhere, or out
            continue
        if call.denied is None or not call.denied((place.path, files.absolute(path))):
            yield path


def _known(root: str, files: Files, *, directories: bool) -> list[str]:
    """List the files of the project, those near the root first."""
    known: list[str] = []
    listed: set[str] = set()
    todo = deque([""])
    for _ in range(_MOST_LISTED):
        if not todo or len(known) >= _MOST_NAMES:
            break
        folder = todo.popleft()
        names = _names_in(posixpath.join(root, folder), files)
        if names:
            listed.add(folder)
        for name in names:
            if name.startswith(".") or name in _PASSED_OVER:
                continue
            known.append(posixpath.join(folder, name))
            if not posixpath.splitext(name)[1]:
                # Only a listing tells a directory from a file.
                todo.append(known[-1])
    return known if directories else [path for path in known if path not in listed]


def _names_in(directory: str, files: Files) -> Sequence[str]:
    # Whatever could be in it has these names beside it.
    inside = posixpath.join(directory, "x")
    return files.names_beside(Place(inside, inside))
