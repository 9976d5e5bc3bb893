"""What a call may touch, as far as it is known before the call runs, and which calls could disturb one another."""

from __future__ import annotations

from enum import Enum, auto
from typing import Self

from attrs import evolve, frozen

from mmtools.call import Headline, Reach, ToolKind
from mmtools.core.paths import contains

__all__ = ["Access", "Effect", "access", "changes_nothing", "disturb"]


class Effect(Enum):
    """
    What a call may do to others.

    Attributes:
        NONE: It neither changes nor reads files: a page from the web, a thought.
        READS: It reads files.
        CHANGES: It changes files.
        RUNS: It may do anything: a command, another program's tool.
        STANDS_ALONE: As its tool demands.
    """

    NONE = auto()
    READS = auto()
    CHANGES = auto()
    RUNS = auto()
    STANDS_ALONE = auto()


_EFFECTS = {
    ToolKind.READ: Effect.READS,
    ToolKind.SEARCH: Effect.READS,
    ToolKind.FETCH: Effect.NONE,
    ToolKind.THINK: Effect.NONE,
    ToolKind.EDIT: Effect.CHANGES,
    ToolKind.DELETE: Effect.CHANGES,
    ToolKind.MOVE: Effect.CHANGES,
}


@frozen(kw_only=True)
class Access:
    """
    What a call may touch.

    Args:
        paths: Absolute, of the files, or whole directories, that it may read or change; None for any file at all.
    """

    effect: Effect
    paths: tuple[str, ...] | None = None

    def at(self, paths: tuple[str, ...]) -> Self:
        """Return the same for other paths."""
        return evolve(self, paths=paths)


def changes_nothing(kind: ToolKind) -> bool:
    """Whether a call of this kind changes nothing that another call could see."""
    return _EFFECTS.get(kind, Effect.RUNS) in (Effect.NONE, Effect.READS)


def access(kind: ToolKind, headline: Headline, *, exclusive: bool = False) -> Access | None:
    """
    Return what a call may touch; None when it is nothing.

    Args:
        exclusive: Whether its tool demands to stand alone.
    """
    if exclusive:
        return Access(effect=Effect.STANDS_ALONE)
    if headline.reach is Reach.NOWHERE:
        return None
    effect = _EFFECTS.get(kind, Effect.RUNS)
    if effect in (Effect.NONE, Effect.RUNS) or headline.reach is Reach.ANYWHERE or not headline.locations:
        return Access(effect=effect)
    return Access(effect=effect, paths=tuple(each.path for each in headline.locations))


def disturb(one: Access, other: Access, *, together: bool) -> bool:
    """
    Whether two calls could disturb one another, so that one has to wait.

    Args:
        together: Whether they are of one response, so that the later one has to see all that the earlier one did.
            Else the host has started them at once on purpose: commands then run side by side, and searches go on.
    """
    effects = {one.effect, other.effect}
    if Effect.STANDS_ALONE in effects:
        return True
    if effects <= {Effect.NONE, Effect.READS}:
        return False
    if together:
        return True
    if Effect.RUNS in effects:
        return Effect.CHANGES in effects
    if Effect.NONE in effects:
        return False
    if effects == {Effect.CHANGES}:
        return _may_meet(one, other) or _may_meet(other, one)
    changing, reading = (one, other) if one.effect is Effect.CHANGES else (other, one)
    return reading.paths is not None and _may_meet(changing, reading)


def _may_meet(around: Access, inside: Access) -> bool:
    """Whether one may touch a file, or a directory above a file, that the other touches."""
    if around.paths is None or inside.paths is None:
        return True
    return any(contains(a, b) for a in around.paths for b in inside.paths)
