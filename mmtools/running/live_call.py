"""One call as its tool sees it on a real host: questions go to Permission, output to Display."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeGuard

from attrs import define, evolve, field

from mmtools import pending
from mmtools.call import Cancellation, FilesPreview, GrantScope, Preview, Proposal, ReadPreview, Report, ToolKind
from mmtools.errors import Cancelled, Deferred, PermissionRefused
from mmtools.pending import PendingCall
from mmtools.ports.display import StartedCall
from mmtools.ports.permission import (
    Choice,
    Decision,
    Denying,
    Learning,
    MayDeny,
    Permission,
    PermissionRequest,
    Refusing,
)
from mmtools.tool import Denied

__all__ = ["WITHDRAWN", "Ask", "LiveCall", "UsedRecords", "decided"]

#: Blocks until the host has answered; raises `Cancelled` when the call is cancelled meanwhile.
Ask: TypeAlias = Callable[[PermissionRequest, Cancellation], Decision]

#: What a model reads when its call was cancelled before anybody had answered.
WITHDRAWN = "[cancelled while waiting for permission; nothing was done]"

#: 50 ms: how late a call that waits for its turn to ask may notice that it was cancelled.
_TURN_POLL_S = 0.05

_READS = (ToolKind.READ, ToolKind.SEARCH)


@define(eq=False)
class LiveCall:
    """
    The call that one `Tool.execute` works for.

    Args:
        ask: How this host answers a question.
        permission: What may deny without being asked.
        asking: Held while a question is open, so that a person sees one at a time.
        emit: Shows live output.
    """

    started: StartedCall
    cancellation: Cancellation
    ask: Ask
    permission: Permission
    asking: threading.Lock
    emit: Callable[[str], None]
    reported: Report = field(init=False, factory=Report)
    _allowed: list[PermissionRequest] = field(init=False, factory=list)

    @property
    def denied(self) -> Denied | None:
        return self._denied if self._may_deny else None

    def refuse_denied_tool(self) -> None:
        """
        Let the call begin, unless its tool is denied whatever it would do.

        Raises:
            PermissionRefused: The tool is denied; the text says by what.
        """
        # What runs a command asks for it before anything else, and its question tells more.
        if not self._may_deny or (self.started.headline.kind or self.started.kind) is ToolKind.EXECUTE:
            return
        # Of no subject that a pattern could cover: only a denial of the whole tool does.
        request = self._request(f"call {self.started.tool}", FilesPreview(()), ())
        if reason := self._denial(request):
            raise PermissionRefused(f"[{self.started.tool} rejected: nothing was done]\n{reason}")

    def approve(self, proposal: Proposal) -> None:
        started = self.started
        request = self._request(proposal.title, proposal.preview, proposal.paths, scope=proposal.scope)
        if proposal.kind is not None:
            request = evolve(request, kind=proposal.kind)
        decision = self._decide(request)
        if decision.allowed:
            self._allowed.append(request)
            self._stop_if_cancelled(proposal)
            return
        if decision.choice is Choice.DEFER:
            text = f"[{started.tool}: nothing was done yet: it waits for a decision: {proposal.title}]"
            raise Deferred(text, pending.write(request, self._allowed))
        text = f"{proposal.refusal}\n{decision.feedback}" if decision.feedback else proposal.refusal
        raise Cancelled(text) if decision.choice is Choice.CANCELLED else PermissionRefused(text)

    def report(self, report: Report) -> None:
        self.reported = report

    def _request(
        self, title: str, preview: Preview, paths: tuple[str, ...], *, scope: GrantScope | None = None
    ) -> PermissionRequest:
        started = self.started
        arguments: Mapping[str, Any] = started.arguments or {}
        return PermissionRequest(
            call_id=started.call_id,
            tool=started.tool,
            kind=started.headline.kind or started.kind,
            family=started.family,
            title=title,
            arguments=arguments,
            paths=paths,
            preview=preview,
            scope=GrantScope(f"call:{started.call_id}", "this call") if scope is None else scope,
        )

    def _denied(self, names: Sequence[str]) -> str | None:
        request = self._request(f"read: {names[0]}", ReadPreview(names[0]), tuple(names))
        # It only reads so far, whatever the call may do later.
        return self._denial(request if request.kind in _READS else evolve(request, kind=ToolKind.READ))

    @property
    def _may_deny(self) -> bool:
        if _knows_what_it_may_deny(self.permission):
            return self.permission.may_deny(self.started.tool)
        return _denies(self.permission)

    def _denial(self, request: PermissionRequest) -> str | None:
        if not _denies(self.permission):
            return None
        try:
            denied = self.permission.denial(request)
        except Exception as error:  # noqa: BLE001 - the contract: whatever a permission raises is a refusal
            return f"(the permission failed: {type(error).__name__})"
        return None if denied is None else denied.feedback or "Refused by policy."

    def _decide(self, request: PermissionRequest) -> Decision:
        while not self.asking.acquire(timeout=_TURN_POLL_S):
            if self.cancellation.requested:
                raise Cancelled(WITHDRAWN)
        try:
            answer: object = self.ask(request, self.cancellation)
        except (Cancelled, PermissionRefused):
            raise
        except Exception as error:  # noqa: BLE001 - the contract: whatever a permission raises is a refusal
            return Decision(Choice.REJECT_ONCE, f"(the permission failed: {type(error).__name__})")
        finally:
            self.asking.release()
        if isinstance(answer, Decision):
            return answer
        return Decision(Choice.REJECT_ONCE, f"(the permission gave no decision but {type(answer).__name__})")

    def _stop_if_cancelled(self, proposal: Proposal) -> None:
        if self.cancellation.requested:
            raise Cancelled(f"{proposal.refusal}\n(the call was cancelled)")


def _denies(permission: object) -> TypeGuard[Denying]:
    # At every call, and many times as fast as `isinstance` with a protocol is before Python 3.12.
    return callable(getattr(permission, "denial", None))


def _knows_what_it_may_deny(permission: object) -> TypeGuard[MayDeny]:
    return callable(getattr(permission, "may_deny", None))


@define(eq=False)
class UsedRecords:
    """The records whose yes was carried out: each counts once. Used from several threads."""

    _keys: set[str] = field(init=False, factory=set)
    _lock: threading.Lock = field(init=False, factory=threading.Lock)

    def take(self, written: PendingCall) -> bool:
        """Note that a record is used; whether this is the first time."""
        with self._lock:
            known = written.key in self._keys
            self._keys.add(written.key)
            return not known


def decided(written: PendingCall, decision: Decision, permission: Permission, used: UsedRecords, otherwise: Ask) -> Ask:
    """
    Answer the questions of a call that were decided earlier, the last of them by `decision`, and further ones as usual.

    What the permission denies now, or refuses without asking anybody, stays refused.

    Returns:
        A function that raises PermissionRefused when a question is no longer the one that was decided, or when the yes
        was used before.
    """
    expected = iter([*((facts, Decision(Choice.ALLOW_ONCE)) for facts in written.earlier), (written.facts, decision)])

    def ask(request: PermissionRequest, cancellation: Cancellation) -> Decision:
        facts, said = next(expected, (None, decision))
        if facts is None:
            return otherwise(request, cancellation)
        if said.allowed and (differing := pending.changed(facts, request)):
            raise PermissionRefused(
                f"[{written.tool}: nothing was done: it is no longer what was approved, for {', '.join(differing)} "
                "changed. Look at how things are now, then make the call again]"
            )
        if refused := _refusal(permission, request):
            return refused
        if said.allowed and facts is written.facts and not used.take(written):
            raise PermissionRefused(
                f"[{written.tool}: nothing was done: this decision was used already, and counts once. "
                "Make the call again]"
            )
        if isinstance(permission, Learning):
            permission.learn(request, said)
        return said

    return ask


def _refusal(permission: Permission, request: PermissionRequest) -> Decision | None:
    if isinstance(permission, Refusing):
        return permission.refusal(request)
    return permission.denial(request) if _denies(permission) else None
