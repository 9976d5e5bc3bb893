"""A call that stands alone, to run one tool without a runner."""

from __future__ import annotations

from mmtools.call import Cancellation, Proposal, Report
from mmtools.errors import PermissionRefused
from mmtools.tool import Denied

__all__ = ["StubCall"]


class StubCall:
    """
    The call of one `execute`, which records what the tool asks, shows and reports.

    Args:
        allows: Whether `approve` lets the tool go on.
        denied: What may not be read; by default nothing is denied.
    """

    def __init__(self, *, allows: bool = True, denied: Denied | None = None) -> None:
        self.allows = allows
        self.denied = denied
        self.cancellation = Cancellation()
        self.proposals: list[Proposal] = []
        self.emitted: list[str] = []
        self.reported = Report()

    def approve(self, proposal: Proposal) -> None:
        self.proposals.append(proposal)
        if not self.allows:
            raise PermissionRefused(proposal.refusal)

    def emit(self, text: str) -> None:
        self.emitted.append(text)

    def report(self, report: Report) -> None:
        self.reported = report
