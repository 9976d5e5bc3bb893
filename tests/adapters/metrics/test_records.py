"""What the observers wrote is read back, and what is no store is told apart."""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import threading
from contextlib import closing
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.json_lines_observer import JsonLinesObserver
from mmtools.adapters.metrics import records
from mmtools.adapters.metrics.records import StoreRefused
from mmtools.adapters.sqlite_observer import SqliteObserver
from mmtools.call import Observation
from tests.adapters.metrics.observed import any_observation, observation, write_lines
from tests.hypothesis_profiles import scaled


@scaled(50)
@given(st.lists(any_observation, min_size=1, max_size=5), st.sampled_from([SqliteObserver, JsonLinesObserver]))
def test_what_an_observer_wrote_is_read_back(
    sent: list[Observation], kind: type[SqliteObserver] | type[JsonLinesObserver]
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "calls")
        with kind(path) as observer:
            for one in sent:
                observer.record(one)
            assert records.read(path).observations == expected(sent, kind), "while it is being written"
        found = records.read(str(path))
        assert os.listdir(directory) == ["calls"]
    assert found.observations == expected(sent, kind)
    assert found.notes == ()
    assert found.source == str(path)


def expected(sent: list[Observation], kind: type) -> tuple[Observation, ...]:
    if kind is JsonLinesObserver:
        return tuple(sent)
    return tuple(attrs.evolve(one, tool=one.tool.encode("utf-8", "backslashreplace").decode()) for one in sent)


def test_sessions_are_kept_apart_in_the_order_of_their_first_calls(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteObserver(path, "zoe") as first, SqliteObserver(path, "adam") as second:
        for observer, call_seq in ((first, 1), (second, 1), (first, 2)):
            observer.record(observation(call_seq))
    found = records.read(path)
    assert [(one.name, [each.call_seq for each in one.observations]) for one in found.sessions] == [
        ("zoe", [1, 2]),
        ("adam", [1]),
    ]
    zoe = found.sessions[0]
    assert zoe.began is not None
    assert zoe.ended is not None
    assert zoe.began <= zoe.ended
    assert zoe.began.startswith("20")
    assert records.read(path, "adam").observations == (observation(1),)


def test_the_beginning_of_a_sessions_name_will_do(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    for name in ("abc", "abd", "ab", "x" * 32):
        with SqliteObserver(path, name) as observer:
            observer.record(observation())
    for wanted, name in (("abc", "abc"), ("ab", "ab"), ("x", "x" * 32)):
        assert [one.name for one in records.read(path, wanted).sessions] == [name]
    with pytest.raises(StoreRefused, match=r"3 sessions of .* begin with 'a', the last: ab, abd, abc"):
        records.read(path, "a")
    with pytest.raises(StoreRefused, match=r"has no session 'q'; it has 4, the last: x+, ab, abd, abc"):
        records.read(path, "q")


def test_no_sessions_name_reaches_a_terminal_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteObserver(path, "\x1b[2J" + "x" * 500) as observer:
        observer.record(observation())
    with pytest.raises(StoreRefused) as refused:
        records.read(path, "q")
    assert str(refused.value).isprintable()
    assert len(str(refused.value)) < len(str(path)) + 150


def test_json_lines_do_not_tell_sessions_apart(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "calls", attrs.asdict(observation()))
    with pytest.raises(StoreRefused, match="does not tell sessions apart; leave the session out"):
        records.read(path, "any")


def test_a_database_begun_without_times_is_read_and_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with SqliteObserver(path, "old") as observer:
        observer.record(observation(1))
    with closing(sqlite3.connect(path)) as database:
        database.execute("ALTER TABLE tool_call DROP COLUMN recorded_at")
        database.commit()
    with SqliteObserver(path, "old") as observer:
        observer.record(observation(2))
    (session,) = records.read(path).sessions
    assert session.observations == (observation(1), observation(2))
    assert (session.began, session.ended) == (None, None)


def test_what_newer_versions_add_is_passed_over(tmp_path: Path) -> None:
    entry = {"session": "s", **attrs.asdict(observation()), "tokens": 7}
    assert records.read(write_lines(tmp_path / "calls", entry)).observations == (observation(),)
    path = tmp_path / "calls.db"
    with SqliteObserver(path) as observer, closing(sqlite3.connect(path)) as database:
        database.execute("ALTER TABLE tool_call ADD COLUMN tokens INTEGER")
        database.commit()
        observer.record(observation())
    assert records.read(path).observations == (observation(),)


def test_rows_that_are_no_observations_are_left_out_and_said(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteObserver(path, "s") as observer:
        for call_seq in range(1, 5):
            observer.record(observation(call_seq))
    with closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE tool_call SET tool = x'ff00' WHERE call_seq = 1")
        database.execute("UPDATE tool_call SET duration_ms = 'long' WHERE call_seq = 2")
        database.execute("UPDATE tool_call SET tool = CAST(x'61ff' AS TEXT) WHERE call_seq = 3")
        database.commit()
    found = records.read(path)
    assert [each.tool for each in found.observations] == ["a\ufffd", "bash"]
    assert found.notes == ("2 row(s) of tool_call hold something else than an observation; left out",)


@pytest.mark.parametrize(
    "changes",
    [
        {"tool": 3},
        {"tool": None},
        {"outcome": ["ok"]},
        {"call_seq": "1"},
        {"call_seq": True},
        {"bytes_in": -1},
        {"bytes_out": 1.5},
        {"bytes_out": 2**63},
        {"duration_ms": float("nan")},
        {"duration_ms": float("inf")},
        {"duration_ms": -0.1},
        {"duration_ms": 1e13},
        {"duration_ms": "1"},
        {"duration_ms": False},
    ],
)
def test_a_line_with_a_wrong_field_is_no_observation(tmp_path: Path, changes: dict[str, object]) -> None:
    good = attrs.asdict(observation())
    found = records.read(write_lines(tmp_path / "calls", good, {**good, **changes}, good))
    assert len(found.observations) == 2
    assert found.notes == ("1 line(s) are no observations and were left out: 2",)


@pytest.mark.parametrize(
    "line", ["{", "[]", "1", "null", "[" * 100_000, '"', "\\", "{" * 5000, '{"tool": "bash"}', "\0"]
)
def test_a_line_that_is_something_else_is_left_out_and_said(tmp_path: Path, line: str) -> None:
    good = json.dumps(attrs.asdict(observation()))
    path = tmp_path / "calls"
    path.write_text(f"{good}\n\n{line}\n{good}\n{line}\n{good}")
    found = records.read(path)
    assert len(found.observations) == 3
    assert found.notes == ("2 line(s) are no observations and were left out: 3, 5",)


@given(st.integers(0, 199))
def test_a_last_line_cut_anywhere_is_said(cut: int) -> None:
    line = json.dumps(attrs.asdict(observation())).encode()
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory, "calls")
        path.write_bytes(line + b"\n" + line[:cut])
        found = records.read(path)
    whole = cut >= len(line)
    assert len(found.observations) == (2 if whole else 1)
    assert [note.partition(":")[0] for note in found.notes] == (
        [] if whole or cut == 0 else ["line 2, the last, is cut short"]
    )


@pytest.mark.parametrize("length", [3_999_000, 4_000_000, 9_000_000])
def test_an_endless_line_costs_one_line(tmp_path: Path, length: int) -> None:
    good = json.dumps(attrs.asdict(observation())).encode()
    path = tmp_path / "calls"
    path.write_bytes(good + b"\n" + b"x" * length + b"\n" + good + b"\n")
    found = records.read(path)
    assert len(found.observations) == 2
    assert found.notes == ("1 line(s) are no observations and were left out: 2",)


def test_line_ends_of_another_system_and_a_mark_of_encoding_do_no_harm(tmp_path: Path) -> None:
    good = json.dumps(attrs.asdict(observation())).encode()
    path = tmp_path / "calls"
    path.write_bytes(b"\xef\xbb\xbf" + good + b"\r\n" + good + b"\r\n\r\n")
    assert records.read(path).observations == (observation(), observation())


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "is empty: nothing was recorded"),
        (b"\n", "no line of it is an observation"),
        (b"hello\n", "neither a database of SqliteObserver nor JSON lines of JsonLinesObserver"),
        (b'{"tool": "bash", "arguments": {}}\n', "no line of it is an observation"),
        (b"SQLite format 3\0" + b"\xff" * 5000, "an SQLite database that cannot be read"),
        (b"SQLite format 3\0", "an SQLite database that cannot be read"),
        (b"SQLite format 3", "no line of it is an observation"),
        (bytes(range(256)) * 50, "no line of it is an observation"),
    ],
)
def test_what_is_no_store_is_refused_with_the_reason(tmp_path: Path, content: bytes, problem: str) -> None:
    path = tmp_path / "calls"
    path.write_bytes(content)
    with pytest.raises(StoreRefused, match=problem) as refused:
        records.read(path)
    assert str(path) in str(refused.value)


def test_what_is_no_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(StoreRefused, match="missing cannot be read: No such file or directory"):
        records.read(tmp_path / "missing")
    with pytest.raises(StoreRefused, match="cannot be read: Is a directory"):
        records.read(tmp_path)
    with pytest.raises(StoreRefused, match="no path of a file: it holds a NUL"):
        records.read("a\0b")


@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("CREATE TABLE notes (text)", "without a table tool_call: not a store of observations"),
        ("CREATE TABLE tool_call (tool, outcome)", "has no session, call_seq, .*: not a store of observations"),
        ("CREATE VIEW tool_call AS SELECT 1 AS tool", "has no session, call_seq"),
    ],
)
def test_another_database_is_refused_with_the_reason(tmp_path: Path, sql: str, problem: str) -> None:
    path = tmp_path / "other.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute(sql)
        database.commit()
    with pytest.raises(StoreRefused, match=problem):
        records.read(path)


def test_a_store_without_calls_says_so(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    SqliteObserver(path).close()
    with pytest.raises(StoreRefused, match="holds no calls yet: nothing was recorded"):
        records.read(path)


def test_reading_leaves_the_files_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "a?b#c%20é.db"
    with SqliteObserver(path) as observer:
        observer.record(observation())
    before = path.read_bytes()
    assert records.read(path).observations == (observation(),)
    assert path.read_bytes() == before
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_rows_still_in_the_log_of_a_crashed_process_are_read(tmp_path: Path) -> None:
    path = tmp_path / "calls.db"
    with SqliteObserver(path) as observer:
        observer.record(observation(1))
        observer.record(observation(2))
        for name in ("calls.db", "calls.db-wal"):
            shutil.copy(tmp_path / name, tmp_path / f"crashed-{name}")
    os.rename(tmp_path / "crashed-calls.db-wal", tmp_path / "crashed.db-wal")
    os.rename(tmp_path / "crashed-calls.db", tmp_path / "crashed.db")
    assert records.read(tmp_path / "crashed.db").observations == (observation(1), observation(2))


def test_lines_may_come_through_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    line = json.dumps(attrs.asdict(observation())) + "\n"
    writer = threading.Thread(target=lambda: path.write_text(line * 3))
    writer.start()
    assert records.read(path).observations == (observation(),) * 3
    writer.join()
