"""Which paths somebody may have meant who wrote one that is not there: the same name spelled otherwise, elsewhere, or nearly so."""

from __future__ import annotations

import posixpath
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

__all__ = ["elsewhere", "twins"]

#: What NFKC leaves apart although people and models write one for the other.
_LOOK_ALIKES = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′`´", "'"),
        **dict.fromkeys("“”„‟″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\u2060\ufeff\u00ad\ufe0e\ufe0f", ""),
    }
)
#: So much of two names must be alike: `keyz.py` and `keys.py`, not `a.py` and `b.py`.
_ALIKE = 0.8
#: Names that are compared letter by letter, of those that are nearest to the root.
_MOST_COMPARED = 2_000


def twins(missing: str, names: Iterable[str]) -> list[str]:
    """Return the names of a directory that only look like a missing one, in their order."""
    wanted = _folded(missing)
    return [name for name in names if name != missing and _folded(name) == wanted]


def elsewhere(wanted: str, known: Sequence[str]) -> list[str]:
    """
    Return the paths with the name of a missing one, those in the likest place first; without any, those with nearly its name.

    Args:
        wanted: Relative to the root, as the others are.
        known: Nearest to the root first.
    """
    parts = _parts(wanted)
    if not parts:
        return []
    names = [_folded(posixpath.basename(path)) for path in known]
    same = [path for path, name in zip(known, names, strict=True) if name == parts[-1]]
    if not same:
        close = get_close_matches(parts[-1], sorted(set(names[:_MOST_COMPARED])), cutoff=_ALIKE)
        same = [path for like in close for path, name in zip(known, names, strict=True) if name == like]
    return sorted(same, key=lambda path: -_common(_parts(path), parts))


def _parts(path: str) -> list[str]:
    return [_folded(part) for part in posixpath.normpath(path).split("/") if part not in (".", "..", "")]


def _common(path: Sequence[str], wanted: Sequence[str]) -> int:
    """Count the parts of two paths that are equal, at their ends or of their directories wherever they stand."""
    at_end = 0
    for one, other in zip(reversed(path), reversed(wanted), strict=False):
        if one != other:
            break
        at_end += 1
    return 2 * at_end + len(set(path[:-1]) & set(wanted[:-1]))


def _folded(name: str) -> str:
    compatible = unicodedata.normalize("NFKC", name.translate(_LOOK_ALIKES))
    return " ".join(unicodedata.normalize("NFKC", compatible.casefold()).split())
