"""Observations as rows of an SQLite table."""

from __future__ import annotations

import os
import sqlite3
import threading
import uuid
from typing import Self

import attrs

from mmtools.call import Observation

__all__ = ["SqliteObserver"]

#: Source of the columns after `session`, and of `tool_errors`: crab tools page, "What each call records".
_SCHEMA = """
CREATE TABLE IF NOT EXISTS tool_call (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL,
    tool TEXT NOT NULL,
    call_seq INTEGER NOT NULL,
    args_digest TEXT NOT NULL,
    result_digest TEXT NOT NULL,
    bytes_in INTEGER NOT NULL,
    bytes_out INTEGER NOT NULL,
    duration_ms REAL NOT NULL,
    outcome TEXT NOT NULL,
    recorded_at TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
);
CREATE VIEW IF NOT EXISTS session_metrics AS
    SELECT session, count(*) AS tool_calls, sum(outcome IN ('failed', 'timed_out')) AS tool_errors
    FROM tool_call GROUP BY session;
"""

_COLUMNS = ("session", *(column.name for column in attrs.fields(Observation)))

_INSERT = f"INSERT INTO tool_call ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"

#: Seconds for which another process may hold the file.
_PATIENCE_S = 10.0


class SqliteObserver:
    """
    An observer that inserts one row per observation into `tool_call`; it outlives this process when `record` returns.

    Threads may share an observer, and processes a file. The view `session_metrics` counts calls and
    errors by session. Each row has its time, `recorded_at` in UTC; a file begun by a version without that
    column goes on without it. In the file's journal mode, WAL, a power cut may lose the last rows, nothing else.

    Args:
        path: Of the database, created when missing; other tables in it are left alone.
        session: Tells the rows of this session from others; made up when None.

    Raises:
        sqlite3.Error: There is no such database, or its `tool_call` is another.
    """

    def __init__(self, path: str | os.PathLike[str], session: str | None = None) -> None:
        self.session = session or uuid.uuid4().hex
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, timeout=_PATIENCE_S, isolation_level=None, check_same_thread=False)
        try:
            self._database.execute("PRAGMA journal_mode = WAL")
            self._database.execute("PRAGMA synchronous = NORMAL")
            self._database.executescript(_SCHEMA)
            self._database.execute(f"SELECT {', '.join(_COLUMNS)} FROM tool_call LIMIT 0")
        except BaseException:
            self._database.close()
            raise

    def record(self, observation: Observation) -> None:
        """
        Insert it.

        Raises:
            sqlite3.Error: It could not be stored, or the observer is closed.
        """
        # A tool's name may be whatever a model made up.
        tool = observation.tool.encode("utf-8", "backslashreplace").decode()
        row = (self.session, *attrs.astuple(attrs.evolve(observation, tool=tool), recurse=False))
        with self._lock:
            self._database.execute(_INSERT, row)

    def reset(self) -> None:
        """Start a new session, with a made-up name."""
        self.session = uuid.uuid4().hex

    def close(self) -> None:
        """Close the database; a second close does nothing."""
        with self._lock:
            self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
