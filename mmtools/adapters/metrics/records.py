"""The observations of a file, whichever of the two observers wrote it."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, BinaryIO

import attrs
from attrs import field, frozen

from mmtools.call import Observation
from mmtools.core import metrics
from mmtools.core.metrics import Repeat
from mmtools.core.screen_text import shown_name
from mmtools.errors import MmtoolsError

__all__ = ["Recorded", "RecordedSession", "StoreRefused", "read"]

_SQLITE = b"SQLite format 3\0"

_FIELDS = tuple(column.name for column in attrs.fields(Observation))
_TEXTS = ("tool", "args_digest", "result_digest", "outcome")
_NUMBERS = ("call_seq", "bytes_in", "bytes_out")

#: 4 MB: no line of an observer comes near, unless its tool's name does.
_LONGEST_LINE = 4_000_000

#: What an SQLite column holds.
_LARGEST = 2**63 - 1

#: 30 years: no call took longer.
_LONGEST_MS = 10**12

#: Named at most: of lines left out, and of sessions that there are.
_NAMED = 5
_NAME_WIDTH = 64


class StoreRefused(MmtoolsError):
    """The refusal of a file that gives no observations: why, and what would."""


@frozen(kw_only=True)
class RecordedSession:
    """
    The calls of one session.

    Args:
        name: None in a file that does not tell sessions apart.
        observations: In the order in which they were recorded.
        began: When the first was recorded, in UTC; None in a file without times.
        ended: The same of the last.
    """

    name: str | None
    observations: tuple[Observation, ...] = field(repr=False)
    began: str | None = None
    ended: str | None = None


@frozen(kw_only=True)
class Recorded:
    """
    What was read.

    Args:
        source: The file, as it was named.
        sessions: In the order of their first calls; never empty.
        notes: What was left out and why, a sentence each.
    """

    source: str
    sessions: tuple[RecordedSession, ...]
    notes: tuple[str, ...] = ()

    @property
    def observations(self) -> tuple[Observation, ...]:
        """Those of all sessions, one session after the other."""
        return tuple(each for session in self.sessions for each in session.observations)

    @property
    def repeats(self) -> list[Repeat]:
        """The calls that were made three times or more in one session, the longest run first."""
        found = [one for session in self.sessions for one in metrics.repeats(session.observations)]
        return sorted(found, key=lambda one: (-one.in_a_row, -one.times))


def read(path: str | os.PathLike[str], session: str | None = None) -> Recorded:
    """
    Read a file of `SqliteObserver` or `JsonLinesObserver`, told apart by its content; it is left as it is.

    Args:
        path: May be a pipe, for JSON lines.
        session: Of this session alone; the beginning of its name will do where only one begins so.

    Raises:
        StoreRefused: There is no such file, it is no store of observations, nothing is in it, or no such session.
    """
    source = os.fsdecode(path)
    if "\0" in source:
        raise StoreRefused(f"{source!r} is no path of a file: it holds a NUL")
    try:
        with open(source, "rb") as file:
            head = file.read(len(_SQLITE))
            recorded = _read_database(source) if head == _SQLITE else _read_lines(source, head, file)
    except OSError as error:
        raise StoreRefused(f"{source} cannot be read: {error.strerror or error}") from None
    return recorded if session is None else _only(recorded, session)


def _only(recorded: Recorded, wanted: str) -> Recorded:
    names = [one.name for one in recorded.sessions if one.name is not None]
    if not names:
        raise StoreRefused(f"{recorded.source} does not tell sessions apart; leave the session out to see all calls")
    fitting = [name for name in names if name == wanted] or [name for name in names if name.startswith(wanted)]
    if len(fitting) == 1:
        return attrs.evolve(recorded, sessions=tuple(one for one in recorded.sessions if one.name == fitting[0]))
    listed = ", ".join(shown_name(name, _NAME_WIDTH) for name in (fitting or names)[-_NAMED:][::-1])
    if fitting:
        raise StoreRefused(f"{len(fitting)} sessions of {recorded.source} begin with {wanted!r}, the last: {listed}")
    raise StoreRefused(f"{recorded.source} has no session {wanted!r}; it has {len(names)}, the last: {listed}")


def _read_database(source: str) -> Recorded:
    try:
        before = _state(source)
        rows = _rows(source, writing=before.writing)
        if not before.writing and _state(source) != before:
            rows = _rows(source, writing=True)
    except sqlite3.Error as error:
        raise StoreRefused(f"{source} is an SQLite database that cannot be read: {error}") from None
    parts: dict[str, list[Observation]] = {}
    times: dict[str, list[str]] = {}
    strange = 0
    for row in rows:
        observation = _observation(row)
        if observation is None or not isinstance(row["session"], str):
            strange += 1
            continue
        parts.setdefault(row["session"], []).append(observation)
        if isinstance(recorded_at := row.get("recorded_at"), str):
            times.setdefault(row["session"], []).append(recorded_at)
    if not parts:
        raise StoreRefused(f"{source} holds no calls yet: nothing was recorded")
    sessions = [
        RecordedSession(
            name=name,
            observations=tuple(observations),
            began=min(times[name]) if name in times else None,
            ended=max(times[name]) if name in times else None,
        )
        for name, observations in parts.items()
    ]
    notes = [f"{strange:,} row(s) of tool_call hold something else than an observation; left out"] if strange else []
    return Recorded(source=source, sessions=tuple(sessions), notes=tuple(notes))


@frozen
class _State:
    """What tells whether a database changed, and whether somebody has it open for writing."""

    size: int
    modified: int
    writing: bool


def _state(source: str) -> _State:
    status = os.stat(source)
    return _State(status.st_size, status.st_mtime_ns, os.path.exists(f"{source}-wal"))


def _rows(source: str, *, writing: bool) -> list[dict[str, Any]]:
    """
    Fetch the rows of `tool_call`.

    Args:
        writing: Whether a log of newer rows may lie beside the file. Without one the file alone is opened, because
            a reader of a database in WAL mode would leave files behind, and could not read where it may not write.
    """
    mode = "mode=ro" if writing else "immutable=1"
    with closing(sqlite3.connect(f"{Path(source).absolute().as_uri()}?{mode}", uri=True, timeout=10)) as database:
        database.text_factory = lambda text: text.decode("utf-8", "replace")
        columns = [column[1] for column in database.execute("PRAGMA table_info(tool_call)")]
        if not columns:
            raise StoreRefused(f"{source} is an SQLite database without a table tool_call: not a store of observations")
        missing = [name for name in ("session", *_FIELDS) if name not in columns]
        if missing:
            raise StoreRefused(
                f"the table tool_call of {source} has no {', '.join(missing)}: not a store of observations"
            )
        wanted = ["session", *_FIELDS, *(["recorded_at"] if "recorded_at" in columns else [])]
        rows = database.execute(f"SELECT {', '.join(wanted)} FROM tool_call ORDER BY rowid")
        return [dict(zip(wanted, row, strict=True)) for row in rows]


def _read_lines(source: str, head: bytes, file: BinaryIO) -> Recorded:
    observations: list[Observation] = []
    bad: list[int] = []
    ended = True
    number = 0
    for number, line in enumerate(_lines(head, file), 1):
        ended = line.endswith(b"\n")
        if not line.strip():
            continue
        observation = _observation(_parsed(line))
        if observation is None:
            bad.append(number)
        else:
            observations.append(observation)
    if number == 0:
        raise StoreRefused(f"{source} is empty: nothing was recorded")
    if not observations:
        raise StoreRefused(
            f"{source} is neither a database of SqliteObserver nor JSON lines of JsonLinesObserver: "
            f"no line of it is an observation"
        )
    notes = []
    if bad and bad[-1] == number and not ended:
        bad.pop()
        notes.append(f"line {number}, the last, is cut short: a call was being recorded, or a crash came between")
    if bad:
        named = ", ".join(map(str, bad[:_NAMED])) + (", …" if len(bad) > _NAMED else "")
        notes.append(f"{len(bad):,} line(s) are no observations and were left out: {named}")
    return Recorded(
        source=source,
        sessions=(RecordedSession(name=None, observations=tuple(observations)),),
        notes=tuple(notes),
    )


def _lines(head: bytes, file: BinaryIO) -> Iterator[bytes]:
    """Cut a file that was begun into lines; of one that is far too long comes the beginning alone."""
    first, newline, rest = head.partition(b"\n")
    while newline:
        yield first + newline
        first, newline, rest = rest.partition(b"\n")
    while line := first + file.readline(_LONGEST_LINE):
        first = b""
        while len(line) >= _LONGEST_LINE and (more := file.readline(_LONGEST_LINE)):
            line = line[:_LONGEST_LINE]
            if more.endswith(b"\n"):
                break
        yield line


def _parsed(line: bytes) -> object:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _observation(entry: object) -> Observation | None:
    """Understand one record; what newer versions add to it is passed over."""
    if not isinstance(entry, Mapping):
        return None
    texts = all(isinstance(entry.get(name), str) for name in _TEXTS)
    whole = all(isinstance(entry.get(name), int) for name in _NUMBERS)
    numbers = all(_is_number(entry.get(name), _LARGEST) for name in _NUMBERS)
    if not (texts and whole and numbers and _is_number(entry.get("duration_ms"), _LONGEST_MS)):
        return None
    return Observation(**{name: entry[name] for name in _FIELDS})


def _is_number(value: object, most: int) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most
