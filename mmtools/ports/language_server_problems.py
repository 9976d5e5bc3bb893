"""
Why a language server gives no answer. No text for a model: tools word it.

    LanguageServerProblem
    ├── NoServer                 nobody for files of this name
    ├── NotAllowed               only the project's own program could be started, and nobody allowed that
    ├── NotStarted               it could not be started, or did not get ready
    │   └── DiesTooOften         it is not started again for now
    ├── Died                     it ended before it answered
    ├── NoAnswer                 it runs, and did not answer in time
    ├── ServerError              it answered with an error
    ├── Unsupported              it does not offer this
    ├── NotSendable              the file cannot be shown to a server
    ├── TextChanged              the file is not what it was when it was opened
    ├── Interrupted              the call was cancelled
    └── LanguageServersClosed    the port was closed before
"""

from __future__ import annotations

from mmtools.errors import MmtoolsError
from mmtools.ports.language_servers import Feature

__all__ = [
    "Died",
    "DiesTooOften",
    "Interrupted",
    "LanguageServerProblem",
    "LanguageServersClosed",
    "NoAnswer",
    "NoServer",
    "NotAllowed",
    "NotSendable",
    "NotStarted",
    "ServerError",
    "TextChanged",
    "Unsupported",
]


class LanguageServerProblem(MmtoolsError):
    """
    The reason why there is no answer.

    Args:
        server: Its name; empty when none is concerned.
        reason: The system's or the server's own words, where there are some.
        last_words: The last line that the server wrote to stderr; perhaps empty.
    """

    def __init__(self, server: str, reason: str = "", *, last_words: str = "") -> None:
        super().__init__(f"{type(self).__name__}: {server} {reason} {last_words}".rstrip())
        self.server = server
        self.reason = reason
        self.last_words = last_words


class NoServer(LanguageServerProblem):
    """The lack of a server for files of this name."""


class NotAllowed(LanguageServerProblem):
    """A server that the project brought along, and that nobody has allowed to be started; `reason` is its program."""


class NotStarted(LanguageServerProblem):
    """A server that could not be started, ended before it was ready, or never answered `initialize`."""


class DiesTooOften(NotStarted):
    """A server that is not started again for now: it ended too often in a short time, last for this `reason`."""


class Died(LanguageServerProblem):
    """A server that ended before it answered; the next call starts it again. `reason` tells how it ended."""


class NoAnswer(LanguageServerProblem):
    """
    A server that is running and did not answer in time.

    Args:
        within_s: How long it was waited for.
        busy: It was still loading or indexing.
    """

    def __init__(self, server: str, within_s: float, *, busy: bool = False) -> None:
        super().__init__(server, f"no answer within {within_s:g}s")
        self.within_s = within_s
        self.busy = busy


class Unsupported(LanguageServerProblem):
    """A question that the server does not offer to answer."""

    def __init__(self, server: str, feature: Feature) -> None:
        super().__init__(server, feature)
        self.feature = feature


class ServerError(LanguageServerProblem):
    """
    A server that answered with an error; `reason` is its message.

    Args:
        code: As received; 0 where there was none.
        busy: It was still loading or indexing, and may answer later.
    """

    def __init__(self, server: str, reason: str, code: int = 0, *, busy: bool = False) -> None:
        super().__init__(server, reason)
        self.code = code
        self.busy = busy


class NotSendable(LanguageServerProblem):
    """A file that cannot be shown to a server; `reason` names why: not text, too large."""


class TextChanged(LanguageServerProblem):
    """A file that is no longer what it was when it was opened here: places in it mean something else now."""


class Interrupted(LanguageServerProblem):
    """A call that was cancelled."""


class LanguageServersClosed(LanguageServerProblem):
    """A port that was closed before."""
