"""
`LanguageServers` on this machine: child processes, each started when it is first needed, and again when it has died,
but not over and over.
"""

from __future__ import annotations

import itertools
import json
import os
import threading
import time
import weakref
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Self, TypeAlias

from attrs import evolve

from mmtools.adapters.lsp import known_servers
from mmtools.adapters.lsp.changed_files import ChangedFiles
from mmtools.adapters.lsp.documents import Read
from mmtools.adapters.lsp.open_files import LocalOpenFile
from mmtools.adapters.lsp.peer import Peer
from mmtools.adapters.lsp.project_programs import ProjectPrograms
from mmtools.adapters.lsp.session import Session
from mmtools.adapters.lsp.timeouts import Timeouts
from mmtools.adapters.process.restart_budget import RestartBudget
from mmtools.call import Cancellation
from mmtools.errors import DefinitionError
from mmtools.ports.files import Place
from mmtools.ports.language_server_problems import (
    DiesTooOften,
    Interrupted,
    LanguageServerProblem,
    LanguageServersClosed,
    NoServer,
    NotAllowed,
    NotStarted,
)
from mmtools.ports.language_servers import LanguageServer

__all__ = ["LocalLanguageServers"]

#: The whole environment of a server, or what returns it at each start.
Environment: TypeAlias = Mapping[str, str] | Callable[[], Mapping[str, str]]

#: How often a thread that waits for another one's start looks whether it shall stop.
_LOOK_EVERY_S = 0.05


class LocalLanguageServers:
    """
    The language servers for one directory.

    Args:
        root: The project; made absolute, symlinks resolved, now.
        servers: Those that are installed, in order of preference; one may be there twice, by two programs.
        read: Reads the text of a file: a `TextReader`.
        environment: The servers' whole environment, or what returns it at each start; one variable is added.
        brought: Those programs of `servers`, absolute, that the project brought along: they are started when allowed.

    Raises:
        DefinitionError: A server has no command, or its settings or options are no JSON.
    """

    def __init__(
        self,
        root: str | os.PathLike[str],
        servers: Sequence[LanguageServer],
        *,
        read: Read,
        environment: Environment,
        timeouts: Timeouts = Timeouts(),  # noqa: B008 - frozen
        brought: Collection[str] = (),
    ) -> None:
        self._servers = tuple(map(_checked, servers))
        directory = os.path.realpath(root)
        self._supervisors = [
            _Supervisor(
                known_servers.advised(server, directory),
                directory,
                read=read,
                environment=environment,
                timeouts=timeouts,
            )
            for server in self._servers
        ]
        self._programs = ProjectPrograms(brought)
        self._finalizer = weakref.finalize(self, _close, self._supervisors, os.getpid(), timeouts)

    @property
    def servers(self) -> tuple[LanguageServer, ...]:
        return tuple({server.name: server for server in self._servers}.values())

    def permit(self, place: Place, ask: Callable[[LanguageServer], bool], cancellation: Cancellation) -> None:
        for one in self._for(place):
            if self._programs.permit(one.server, ask, cancellation):
                return

    def refused(self, place: Place) -> tuple[LanguageServer, ...]:
        stopped = itertools.takewhile(lambda one: not self._programs.may_start(one.server), self._for(place))
        return tuple(one.server for one in stopped if self._programs.is_refused(one.server))

    def open(self, place: Place, cancellation: Cancellation) -> LocalOpenFile:
        supervisors = self._for(place)
        if not supervisors:
            raise NoServer("", place.requested)
        startable = next((one for one in supervisors if self._programs.may_start(one.server)), None)
        if startable is None:
            raise NotAllowed(supervisors[0].server.name, supervisors[0].server.command[0])
        return LocalOpenFile(startable.session(cancellation), place, cancellation)

    def _for(self, place: Place) -> list[_Supervisor]:
        return [supervisor for supervisor in self._supervisors if supervisor.server.takes(place.path)]

    def note_changed(self, paths: Iterable[str] | None = None) -> None:
        noted = None if paths is None else tuple(paths)
        for supervisor in self._supervisors:
            supervisor.note_changed(noted)

    def close(self) -> None:
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Supervisor:
    """
    The keeper of one server, who gives its running session. Used by any thread.

    Args:
        root: Absolute, every symlink resolved.
    """

    def __init__(
        self, server: LanguageServer, root: str, *, read: Read, environment: Environment, timeouts: Timeouts
    ) -> None:
        self.server = server
        self._root = root
        self._read = read
        self._environment = environment
        tells = known_servers.tells_of_loading(server, root)
        self._timeouts = evolve(timeouts, grace_s=timeouts.settle_s) if tells else timeouts
        self._closing = Cancellation()
        # Reentrant, for a signal handler may close what the very thread that it interrupts starts.
        self._starting = threading.RLock()
        self._session: Session | None = None
        self._budget = RestartBudget(timeouts.restarts, timeouts.restarts_s)
        self._last_problem = LanguageServerProblem(server.name)

    def session(self, cancellation: Cancellation) -> Session:
        """
        Return the session, started if need be.

        Raises:
            NotStarted, DiesTooOften, Interrupted, LanguageServersClosed: As the port says.
        """
        session = self._running()
        if session is not None and not self._closing.requested:
            return session
        with self._turn(cancellation):
            session = self._running()
            if self._closing.requested:
                raise LanguageServersClosed(self.server.name)
            if session is None:
                session = self._session = self._start(cancellation)
            return session

    def note_changed(self, paths: Iterable[str] | None) -> None:
        """Remember to tell the server, if it runs."""
        if session := self._running():
            session.note_changed(paths)

    def close(self) -> Peer | None:
        """
        Start no more; a start that goes on is broken off.

        Returns:
            Who is still running, to be seen off.
        """
        self._closing.request()
        with self._starting:
            session = self._running()
            return session.peer if session else None

    def _running(self) -> Session | None:
        session = self._session
        return session if session and session.peer.is_running else None

    @contextmanager
    def _turn(self, cancellation: Cancellation) -> Iterator[None]:
        while not self._starting.acquire(timeout=_LOOK_EVERY_S):
            if cancellation.requested:
                raise Interrupted(self.server.name)
        try:
            yield
        finally:
            self._starting.release()

    def _start(self, cancellation: Cancellation) -> Session:
        self._count_start()
        stop = Cancellation()
        unsubscribe = [each.subscribe(stop.request) for each in (cancellation, self._closing)]
        try:
            return self._started(stop)
        except Interrupted:
            self._budget.refund()
            raise
        except NotStarted as problem:
            self._last_problem = problem
            raise
        finally:
            for each in unsubscribe:
                each()

    def _count_start(self) -> None:
        if self._session:
            self._last_problem = self._session.peer.died()
        if not self._budget.spend():
            last = self._last_problem
            raise DiesTooOften(self.server.name, last.reason, last_words=last.last_words)

    def _started(self, stop: Cancellation) -> Session:
        environment = self._environment() if callable(self._environment) else self._environment
        try:
            peer = Peer(self.server, self._root, environment=environment, timeouts=self._timeouts)
        except (OSError, ValueError, RuntimeError) as problem:
            reason = problem.strerror if isinstance(problem, OSError) else None
            raise NotStarted(self.server.name, reason or str(problem)) from problem
        try:
            number = peer.begin_initialize()
            changed_files = ChangedFiles(self._root)
            offers = peer.end_initialize(number, stop)
            if self._closing.requested:
                raise LanguageServersClosed(self.server.name)
        except BaseException:
            peer.kill()
            raise
        return Session(peer, offers, changed_files, self._read)


def _checked(server: LanguageServer) -> LanguageServer:
    if not server.command:
        raise DefinitionError(f"language server {server.name!r} has no command")
    try:
        json.dumps([dict(server.settings), server.initialization_options])
    except (TypeError, ValueError, RecursionError) as problem:
        raise DefinitionError(f"settings or options of {server.name!r} are no JSON: {problem}") from problem
    return server


def _close(supervisors: Sequence[_Supervisor], owner: int, timeouts: Timeouts) -> None:
    """Stop all servers side by side. A fork of this process owns none."""
    if os.getpid() != owner:
        return
    peers = [peer for supervisor in supervisors if (peer := supervisor.close())]
    shutdowns = [(peer, peer.begin_shutdown()) for peer in peers]
    until = time.monotonic() + timeouts.shutdown_s
    for peer, number in shutdowns:
        peer.end_shutdown(number, until)
