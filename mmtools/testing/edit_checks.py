"""`EditChecks` that say what a test wants."""

from __future__ import annotations

from attrs import define, field, frozen

from mmtools.call import Cancellation
from mmtools.core.lsp.diagnostics_delta import Delta
from mmtools.ports.files import Place

__all__ = ["ScriptedEditChecks"]


@define(eq=False)
class ScriptedEditChecks:
    """
    Checks that tell the same of every edit, and keep who asked.

    Args:
        delta: What every edit makes different; None for "not known".
        watched: The places of edits that were about to be made, in order.
        missing: Why that is not known; empty where nobody is to say.
        compared: The places of those that were made.
    """

    delta: Delta | None = None
    missing: str = ""
    watched: list[Place] = field(init=False, factory=list)
    compared: list[Place] = field(init=False, factory=list)

    def watch(self, place: Place, cancellation: Cancellation) -> _Watch:
        self.watched.append(place)
        return _Watch(self, place)


@frozen
class _Watch:
    _checks: ScriptedEditChecks
    _place: Place

    def delta(self) -> Delta | None:
        self._checks.compared.append(self._place)
        return self._checks.delta

    def missing(self) -> str:
        return self._checks.missing
