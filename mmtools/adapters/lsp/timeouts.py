"""How long we wait for a language server."""

from __future__ import annotations

from attrs import frozen

__all__ = ["Timeouts"]


@frozen(kw_only=True)
class Timeouts:
    """
    The bound of every wait, in seconds. Source, unless said otherwise: measured on thirteen servers, with room for slow
    machines.

    Args:
        initialize_s: From the start of the process to the end of the handshake.
        request_s: For one answer.
        wake_s: For the first answer after the handshake, before silence counts; nodes take 8 on a loaded machine.
        ready_s: For the end of loading and indexing; TypeScript takes up to 12.
        repeat_s: Between two answers that must be equal.
        settle_s: How long they may differ.
        grace_s: In which a fresh server may begin to say that it is loading.
        retry_s: Before a question is asked again that came at a bad moment.
        quiet_s: After findings; servers publish in stages.
        clean_s: The same after an empty list of a server that is known to publish no earlier than it has looked.
        stage_s: The same of any other, of which an empty list often is the first stage; TypeScript's errors came two
            seconds later.
        abandoned_s: Without news of a progress, after which it counts as ended (ours).
        shutdown_s: For the answer to `shutdown`, and for the exit after it.
        restarts, restarts_s: So many starts in so long a time (ours).
    """

    initialize_s: float = 45.0
    request_s: float = 30.0
    wake_s: float = 10.0
    ready_s: float = 30.0
    repeat_s: float = 0.4
    settle_s: float = 5.0
    grace_s: float = 0.3
    retry_s: float = 0.2
    quiet_s: float = 0.25
    clean_s: float = 1.0
    stage_s: float = 3.0
    abandoned_s: float = 60.0
    shutdown_s: float = 2.0
    restarts: int = 3
    restarts_s: float = 60.0
