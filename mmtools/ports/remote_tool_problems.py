"""
Why a remote tool gives no answer. No text for a model: tools word it.

    RemoteToolProblem
    ├── NotConnected             its server cannot be started or reached
    │   └── DiesTooOften         it is not started again for now
    ├── ConnectionLost           the server ended, or the connection did, before it answered
    ├── NoAnswer                 it did not answer in time
    ├── CallRefused              the server answered with an error of the protocol
    ├── Interrupted              the call was cancelled
    └── RemoteToolsClosed        the port was closed before
"""

from __future__ import annotations

from mmtools.errors import MmtoolsError

__all__ = [
    "CallRefused",
    "ConnectionLost",
    "DiesTooOften",
    "Interrupted",
    "NoAnswer",
    "NotConnected",
    "RemoteToolProblem",
    "RemoteToolsClosed",
]


class RemoteToolProblem(MmtoolsError):
    """
    The reason why there is no answer.

    Args:
        server: Its name.
        reason: The system's or the server's own words, where there are some: "exit status 1".
        last_words: The last line that the server wrote to stderr; perhaps empty.
    """

    def __init__(self, server: str, reason: str = "", *, last_words: str = "") -> None:
        super().__init__(f"{type(self).__name__}: {server} {reason} {last_words}".rstrip())
        self.server = server
        self.reason = reason
        self.last_words = last_words


class NotConnected(RemoteToolProblem):
    """A server that cannot be started or reached, or did not get ready."""


class DiesTooOften(NotConnected):
    """A server that ended too often within a minute to be started once more now."""


class ConnectionLost(RemoteToolProblem):
    """The end of a server, or of its connection, while a call was under way; the call may have had an effect."""


class NoAnswer(RemoteToolProblem):
    """
    A server that runs and did not answer in time; it was told to stop the work.

    Args:
        after_s: How long it was waited for.
    """

    def __init__(self, server: str, after_s: float) -> None:
        super().__init__(server, f"no answer within {after_s:g} s")
        self.after_s = after_s


class CallRefused(RemoteToolProblem):
    """A call that a server answered with an error of the protocol instead of a result."""


class Interrupted(RemoteToolProblem):
    """A call that was cancelled; the server was told."""


class RemoteToolsClosed(RemoteToolProblem):
    """A port that is closed."""
