"""The calls of one model response: who may run beside whom."""

from __future__ import annotations

from collections.abc import Sequence

from mmtools.call import ToolKind
from mmtools.running.access import changes_nothing
from mmtools.running.preparation import PreparedCall, refuse_company
from mmtools.tool import ToolSpec

__all__ = ["arrange", "groups", "must_stand_alone"]


def arrange(response: Sequence[PreparedCall]) -> list[list[PreparedCall]]:
    """Return the calls in groups, one after the other; the calls of one group may go side by side."""
    calls = [refuse_company(one) if must_stand_alone(one.spec, len(response)) else one for one in response]
    return [[calls[position] for position in group] for group in groups([one.kind for one in calls])]


def groups(kinds: Sequence[ToolKind]) -> list[range]:
    """
    Cut a response into runs of calls; the calls of one run may go side by side.

    Args:
        kinds: Each call's kind, in call order.

    Returns:
        Ranges of positions in order, together all of them. Neighbours that change nothing share a
        range; every other call has its own, so that it sees what was before it and not what follows.
    """
    runs: list[range] = []
    for position, kind in enumerate(kinds):
        joins = runs and changes_nothing(kind) and changes_nothing(kinds[position - 1])
        if joins:
            runs[-1] = range(runs[-1].start, position + 1)
        else:
            runs.append(range(position, position + 1))
    return runs


def must_stand_alone(spec: ToolSpec | None, calls: int) -> bool:
    """
    Whether a tool marked exclusive was sent among other calls.

    Args:
        spec: None for a tool that does not exist.
        calls: How many calls the response holds.
    """
    return spec is not None and spec.exclusive and calls > 1
