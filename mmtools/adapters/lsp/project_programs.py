"""The programs that a project brings along: found in its folders, and started only when somebody has allowed it."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager

from mmtools.call import Cancellation
from mmtools.ports.language_server_problems import Interrupted
from mmtools.ports.language_servers import LanguageServer

__all__ = ["ProjectPrograms", "find", "path_without"]

#: Where the tools of a project are: of npm, and of a virtual environment.
_FOLDERS = ("node_modules/.bin", ".venv/bin")
#: How often a call that waits for another one's question looks whether it shall stop.
_LOOK_EVERY_S = 0.05


def find(root: str, program: str) -> str | None:
    """
    Look for a program in a project's folders.

    Args:
        program: Its name; one with a slash is nobody's but the host's.

    Returns:
        Absolute; None when there is none.
    """
    if not program or "/" in program:
        return None
    return shutil.which(program, path=os.pathsep.join(os.path.join(root, folder) for folder in _FOLDERS))


def path_without(root: str, path: str | None) -> str:
    """Return a PATH without the project's folders, however they are spelled in it; None is this process's own."""
    own = {os.path.realpath(os.path.join(root, folder)) for folder in _FOLDERS}
    entries = (os.environ.get("PATH", os.defpath) if path is None else path).split(os.pathsep)
    # A relative one begins where the server is started: in the project.
    return os.pathsep.join(each for each in entries if os.path.realpath(os.path.join(root, each)) not in own)


class ProjectPrograms:
    """
    What was decided about the project's own programs: each once, for as long as the servers live. Used by any thread.

    Args:
        programs: Absolute paths.
    """

    def __init__(self, programs: Collection[str]) -> None:
        self._programs = frozenset(programs)
        self._decided: dict[str, bool] = {}
        # Reentrant, for who is asked may ask a server in turn.
        self._asking = threading.RLock()

    def may_start(self, server: LanguageServer) -> bool:
        """Whether a server is not the project's own, or was allowed."""
        return not self._is_own(server) or self._decided.get(server.command[0], False)

    def is_refused(self, server: LanguageServer) -> bool:
        """Whether somebody said no."""
        return self._decided.get(server.command[0]) is False

    def permit(self, server: LanguageServer, ask: Callable[[LanguageServer], bool], cancellation: Cancellation) -> bool:
        """
        Say whether a server may be started, and ask where nobody has decided yet.

        Raises:
            Interrupted: While another call's question was open.
        """
        if not self._is_own(server):
            return True
        with self._turn(server, cancellation):
            program = server.command[0]
            if program not in self._decided:
                self._decided[program] = ask(server)
            return self._decided[program]

    def _is_own(self, server: LanguageServer) -> bool:
        return server.command[0] in self._programs

    @contextmanager
    def _turn(self, server: LanguageServer, cancellation: Cancellation) -> Iterator[None]:
        while not self._asking.acquire(timeout=_LOOK_EVERY_S):
            if cancellation.requested:
                raise Interrupted(server.name)
        try:
            yield
        finally:
            self._asking.release()
