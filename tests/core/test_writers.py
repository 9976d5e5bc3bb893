"""Who changed a file, as far as it was one of us."""

from __future__ import annotations

import pytest

from mmtools.core.freshness import ChangedSince, Fresh, Ledger, NeverRead, fingerprint
from mmtools.core.stamps import Stamp
from mmtools.core.writers import ByCall, ByCommand, Writers

SECOND = 1_000_000_000
HOUR = 3_600 * SECOND


def settled(**changes: int) -> Stamp:
    stamp = Stamp(device=1, inode=2, size=3, mtime_ns=4, ctime_ns=5 * SECOND, taken_ns=HOUR, vouches=True)
    return stamp._replace(**changes)  # type: ignore[arg-type] # `vouches` is left alone


def test_a_write_of_another_session_is_named_as_long_as_its_bytes_are_there() -> None:
    writers = Writers()
    mine, other = Ledger(writers=writers), Ledger(session="reviewer", writers=writers)
    mine.saw("/f", fingerprint(b"one"))
    other.wrote("/f", fingerprint(b"two"), "edit")
    assert mine.verdict("/f", b"two") == ChangedSince(ByCall("edit", "reviewer"))
    assert mine.verdict("/f", b"three") == ChangedSince()
    assert other.verdict("/f", b"two") == Fresh()
    mine.saw("/f", fingerprint(b"two"))
    assert mine.verdict("/f", b"two") == Fresh()


def test_who_wrote_before_the_read_is_not_blamed_when_somebody_puts_it_back() -> None:
    writers = Writers()
    mine, other = Ledger(writers=writers), Ledger(session="reviewer", writers=writers)
    mine.wrote("/f", fingerprint(b"one"), "write")
    mine.saw("/f", fingerprint(b"two"))
    assert mine.verdict("/f", b"one") == ChangedSince()
    other.wrote("/f", fingerprint(b"three"), "write")
    mine.saw("/f", fingerprint(b"two"))
    assert mine.verdict("/f", b"three") == ChangedSince()


def test_sessions_share_nothing_but_what_they_are_given() -> None:
    mine, other = Ledger(), Ledger()
    mine.saw("/f", fingerprint(b"one"))
    assert other.verdict("/f", b"one") == NeverRead()
    other.wrote("/f", fingerprint(b"two"), "write")
    assert mine.verdict("/f", b"two") == ChangedSince()


@pytest.mark.parametrize(
    ("mtime_s", "ctime_s", "named"),
    [
        (105.0, 105.0, True),
        (100.0, 100.0, True),
        (99.99, 99.99, True),
        (110.0, 110.0, True),
        (99.9, 99.9, False),
        (110.1, 110.1, False),
        # The command put the time of the content back.
        (10.0, 105.0, True),
        # An editor did, afterwards.
        (10.0, 120.0, False),
        # An editor saved before, and the command changed the mode.
        (95.0, 105.0, False),
        # An editor saved afterwards.
        (120.0, 120.0, False),
    ],
)
def test_a_command_is_named_when_the_file_changed_while_it_ran(mtime_s: float, ctime_s: float, named: bool) -> None:
    ledger = Ledger()
    ledger.saw("/f", fingerprint(b"one"), settled(taken_ns=90 * SECOND))
    ledger.ran("make format", 100 * SECOND, 110 * SECOND)
    now = settled(mtime_ns=round(mtime_s * SECOND), ctime_ns=round(ctime_s * SECOND), taken_ns=HOUR)
    assert ledger.verdict("/f", b"two", now) == ChangedSince(ByCommand("make format") if named else None)
    assert ledger.verdict("/f", b"two") == ChangedSince()


def test_a_command_that_ended_before_the_read_is_not_blamed() -> None:
    ledger = Ledger()
    ledger.ran("make format", 100 * SECOND, 110 * SECOND)
    ledger.saw("/f", fingerprint(b"one"), settled(taken_ns=111 * SECOND))
    put_back = settled(mtime_ns=105 * SECOND, ctime_ns=120 * SECOND)
    assert ledger.verdict("/f", b"two", put_back) == ChangedSince()


def test_the_last_of_the_commands_is_named_and_old_ones_are_forgotten() -> None:
    ledger = Ledger()
    ledger.saw("/f", fingerprint(b"one"), settled(taken_ns=1))
    for number in range(100):
        ledger.ran(f"command {number}", number * SECOND, HOUR)
    assert ledger.verdict("/f", b"two", settled(mtime_ns=99 * SECOND)) == ChangedSince(ByCommand("command 99"))
    assert ledger.verdict("/f", b"two", settled(mtime_ns=5 * SECOND, ctime_ns=5 * SECOND)) == ChangedSince()
