"""One row per call: the same numbers come back, whoever wrote them and however they ended."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.sqlite_observer import SqliteObserver
from mmtools.call import Observation, Status
from mmtools.ports.permission import Resettable

COLUMNS = [
    "id", "session", "tool", "call_seq", "args_digest", "result_digest", "bytes_in", "bytes_out", "duration_ms",
    "outcome", "recorded_at",
]  # fmt: skip

SMALL = st.integers(0, 2**63 - 1)

observations = st.builds(
    Observation,
    tool=st.text(),
    call_seq=SMALL,
    args_digest=st.text("0123456789abcdef", min_size=16, max_size=16),
    result_digest=st.text("0123456789abcdef", min_size=16, max_size=16),
    bytes_in=SMALL,
    bytes_out=SMALL,
    duration_ms=st.floats(0, allow_nan=False, allow_infinity=False),
    outcome=st.sampled_from([status.value for status in Status]),
)


def observation(call_seq: int, *, tool: str = "bash", outcome: str = "ok") -> Observation:
    return Observation(
        tool=tool,
        call_seq=call_seq,
        args_digest="44136fa355b3678a",
        result_digest="e3b0c44298fc1c14",
        bytes_in=2,
        bytes_out=0,
        duration_ms=1.25,
        outcome=outcome,
    )


def query(path: Path, sql: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as database:
        return database.execute(sql).fetchall()


@given(st.lists(observations, max_size=4))
def test_the_fields_come_back_in_the_order_recorded(sent: list[Observation]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "calls.db")
        with SqliteObserver(path, "here") as observer:
            for one in sent:
                observer.record(one)
        rows = query(path, f"SELECT {', '.join(COLUMNS[:-1])} FROM tool_call ORDER BY id")
    assert rows == [(number, "here", *attrs.astuple(one)) for number, one in enumerate(sent, 1)]


def test_the_columns_are_the_fields_a_session_and_a_time(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    SqliteObserver(path).close()
    assert [row[1] for row in query(path, "PRAGMA table_info(tool_call)")] == COLUMNS


def test_each_row_has_its_time(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    begun = datetime.now(UTC)
    with SqliteObserver(path) as observer:
        for call_seq in range(1, 4):
            observer.record(observation(call_seq))
    ended = datetime.now(UTC)
    times = [
        datetime.fromisoformat(str(row[0])) for row in query(path, "SELECT recorded_at FROM tool_call ORDER BY id")
    ]
    assert times == sorted(times)
    assert begun - timedelta(milliseconds=1) <= times[0]
    assert times[-1] <= ended


def test_a_file_begun_without_times_goes_on_without_them(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    SqliteObserver(path).close()
    with closing(sqlite3.connect(path)) as database:
        database.execute("ALTER TABLE tool_call DROP COLUMN recorded_at")
        database.commit()
    with SqliteObserver(path) as observer:
        observer.record(observation(1))
    assert query(path, "SELECT * FROM tool_call") == [(1, observer.session, *attrs.astuple(observation(1)))]


def test_a_row_is_out_when_record_returns(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteObserver(path) as observer:
        observer.record(observation(1))
        assert query(path, "SELECT call_seq FROM tool_call") == [(1,)]


def test_sessions_share_a_file_and_stay_apart(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteObserver(path) as first, SqliteObserver(str(path), "second") as second:
        assert isinstance(first, Resettable)
        names = [first.session]
        first.record(observation(1))
        first.record(observation(2, outcome="failed"))
        second.record(observation(1, outcome="rejected"))
        first.reset()
        names.append(first.session)
        first.record(observation(1, outcome="timed_out"))
    metrics = query(
        path, "SELECT session, tool_calls, tool_errors FROM session_metrics ORDER BY tool_calls DESC, session"
    )
    assert metrics == [(names[0], 2, 1), *sorted([("second", 1, 0), (names[1], 1, 1)])]
    assert len({*names, "second"}) == 3


def test_a_name_that_no_text_can_hold_is_kept_escaped(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteObserver(path) as observer:
        observer.record(observation(1, tool="a\udc00'; DROP TABLE tool_call; --\0é"))
    assert query(path, "SELECT tool FROM tool_call") == [("a\\udc00'; DROP TABLE tool_call; --\0é",)]


def test_threads_may_share_an_observer(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteObserver(path) as observer:

        def record(start: int) -> None:
            for step in range(25):
                observer.record(observation(start + step))

        threads = [threading.Thread(target=record, args=(start,)) for start in range(0, 200, 25)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert query(path, "SELECT call_seq FROM tool_call ORDER BY call_seq") == [(number,) for number in range(200)]


CHILD = """
import itertools, sys
from mmtools.adapters.sqlite_observer import SqliteObserver
from mmtools.call import Observation
with SqliteObserver(sys.argv[1]) as observer:
    for number in itertools.count(1) if sys.argv[2] == "0" else range(1, int(sys.argv[2]) + 1):
        observer.record(Observation(tool="t", call_seq=number, args_digest="a", result_digest="b", bytes_in=1,
                                    bytes_out=2, duration_ms=3.5, outcome="ok"))
        print(number, flush=True)
"""


def child(path: Path, records: int) -> subprocess.Popen[str]:
    """Record in another process: so many calls, or without end for 0; each is acknowledged on stdout."""
    command = [sys.executable, "-c", CHILD, str(path), str(records)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_what_was_recorded_outlives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with child(path, 0) as process:
        assert process.stdout is not None
        for _ in range(100):
            acknowledged = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
    assert query(path, "PRAGMA integrity_check") == [("ok",)]
    recorded = [row[0] for row in query(path, "SELECT call_seq FROM tool_call ORDER BY id")]
    assert recorded == list(range(1, len(recorded) + 1))
    assert len(recorded) >= acknowledged
    with SqliteObserver(path) as observer:
        observer.record(observation(1))


@pytest.mark.slow
def test_processes_may_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    for process in [child(path, 40) for _ in range(4)]:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert query(path, "SELECT count(*), count(DISTINCT session) FROM tool_call") == [(160, 4)]


def test_other_tables_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "host.db"
    query(path, "CREATE TABLE notes (text)")
    with SqliteObserver(path) as observer:
        observer.record(observation(1))
    assert query(path, "SELECT count(*) FROM notes") == [(0,)]


def test_nothing_is_refused_silently(tmp_path: Path) -> None:
    with pytest.raises(sqlite3.Error):
        SqliteObserver(tmp_path / "missing" / "calls.db")
    no_database = tmp_path / "text"
    no_database.write_text("not a database at all\n" * 100)
    with pytest.raises(sqlite3.Error):
        SqliteObserver(no_database)
    other = tmp_path / "other.db"
    query(other, "CREATE TABLE tool_call (something TEXT)")
    with pytest.raises(sqlite3.Error):
        SqliteObserver(other)
    observer = SqliteObserver(tmp_path / "calls.db")
    observer.close()
    observer.close()
    with pytest.raises(sqlite3.Error):
        observer.record(observation(1))
