"""Stamps, and the ledger that trusts them, on a file system that behaves as badly as real ones."""

from __future__ import annotations

import pytest
from hypothesis import event, example, given
from hypothesis import strategies as st

from mmtools.core.freshness import ChangedSince, Fresh, Ledger, NeverRead, fingerprint
from mmtools.core.stamps import Stamp

SECOND = 1_000_000_000
HOUR = 3_600 * SECOND


class Disk:
    """
    One file on a disk with a coarse clock, whose pages are cleaned up to 35 s after they were written to.

    Args:
        tick_ns: Two changes within one tick bear the same times.
    """

    def __init__(self, tick_ns: int) -> None:
        self.tick_ns = tick_ns
        self.now_ns = 1_000 * SECOND
        self.data = b"0"
        self.mtime_ns = self.ctime_ns = self._coarse()
        self.dirty_since_ns: int | None = None

    def wait(self, ns: int) -> None:
        self.now_ns += ns
        if self.dirty_since_ns is not None and self.now_ns - self.dirty_since_ns > 35 * SECOND:
            self.dirty_since_ns = None

    def write(self, data: bytes) -> None:
        self.data = data
        self.mtime_ns = self.ctime_ns = self._coarse()

    def write_through_a_map(self, data: bytes) -> None:
        self.data = data
        if self.dirty_since_ns is None:
            self.dirty_since_ns = self.now_ns
            self.mtime_ns = self.ctime_ns = self._coarse()

    def touch(self) -> None:
        self.mtime_ns = self.ctime_ns = self._coarse()

    def put_time_back(self, mtime_ns: int) -> None:
        self.mtime_ns, self.ctime_ns = mtime_ns, self._coarse()

    def stamp(self) -> Stamp:
        return Stamp(
            device=1,
            inode=2,
            size=len(self.data),
            mtime_ns=self.mtime_ns,
            ctime_ns=self.ctime_ns,
            taken_ns=self.now_ns,
            vouches=True,
        )

    def _coarse(self) -> int:
        return self.now_ns // self.tick_ns * self.tick_ns


#: Of one size, so that the size never tells.
contents = st.sampled_from([b"0", b"1", b"2"])
waits = st.sampled_from([0, 1_000_000, SECOND, 3 * SECOND, 20 * SECOND, 61 * SECOND, HOUR])
happenings = st.lists(
    st.one_of(
        st.tuples(st.just("wait"), waits),
        st.tuples(st.sampled_from(["write", "map"]), contents),
        st.tuples(st.sampled_from(["touch", "back", "read", "check"]), st.just(0)),
    ),
    max_size=25,
)


@example([("map", b"0"), ("wait", 20 * SECOND), ("read", 0), ("map", b"1")], 1)
@example([("write", b"0"), ("read", 0), ("write", b"1")], 4_000_000)
@example([("write", b"0"), ("wait", SECOND), ("read", 0), ("write", b"1")], 2 * SECOND)
@example([("wait", HOUR), ("read", 0), ("write", b"1"), ("back", 0)], 1)
@given(happenings, st.sampled_from([1, 4_000_000, 2 * SECOND]))
def test_a_stamp_never_hides_a_change_however_the_disk_makes_it(
    happened: list[tuple[str, int | bytes]], tick_ns: int
) -> None:
    disk, ledger = Disk(tick_ns), Ledger()
    read_at_ns = disk.mtime_ns
    known: bytes | None = None
    for what, value in [*happened, ("check", 0)]:
        match what, value:
            case "wait", int(ns):
                disk.wait(ns)
            case "write", bytes(data):
                disk.write(data)
            case "map", bytes(data):
                disk.write_through_a_map(data)
            case "touch", _:
                disk.touch()
            case "back", _:
                disk.put_time_back(read_at_ns)
            case "read", _:
                known, read_at_ns = disk.data, disk.mtime_ns
                ledger.saw("/f", fingerprint(disk.data), disk.stamp())
            case _:
                verdict = ledger.verdict("/f", disk.data, disk.stamp())
                event(type(verdict).__name__)
                if known is None:
                    assert verdict == NeverRead()
                else:
                    assert verdict == (Fresh() if known == disk.data else ChangedSince())


SETTLED = Stamp(device=1, inode=2, size=3, mtime_ns=4, ctime_ns=5 * SECOND, taken_ns=HOUR, vouches=True)


def settled(**changes: int) -> Stamp:
    return SETTLED._replace(**changes)  # type: ignore[arg-type] # `vouches` is left alone


def test_a_settled_stamp_saves_the_hash() -> None:
    ledger = Ledger()
    ledger.saw("/f", fingerprint(b"one"), settled())
    assert ledger.verdict("/f", b"never looked at", settled(taken_ns=2 * HOUR)) == Fresh()


@pytest.mark.parametrize(
    ("then", "now"),
    [
        (settled(taken_ns=6 * SECOND), settled()),
        (settled(taken_ns=5 * SECOND + 2 * SECOND), settled()),
        (settled(taken_ns=4 * SECOND), settled()),
        (SETTLED._replace(vouches=False), settled()),
        (settled(), SETTLED._replace(vouches=False)),
        (settled(), settled(ctime_ns=6 * SECOND)),
        (settled(), settled(ctime_ns=4 * SECOND)),
        (settled(), settled(mtime_ns=5)),
        (settled(), settled(size=4)),
        (settled(), settled(inode=3)),
        (settled(), settled(device=2)),
        (None, settled()),
        (settled(), None),
    ],
)
def test_any_doubt_costs_a_hash_and_never_a_refusal(then: Stamp | None, now: Stamp | None) -> None:
    ledger = Ledger()
    ledger.saw("/f", fingerprint(b"one"), then)
    assert ledger.verdict("/f", b"two", now) == ChangedSince()
    assert ledger.verdict("/f", b"one", now) == Fresh()


def test_a_hash_is_paid_once() -> None:
    ledger = Ledger()
    ledger.saw("/f", fingerprint(b"one"), settled())
    touched = settled(ctime_ns=7 * SECOND, taken_ns=2 * HOUR)
    assert ledger.verdict("/f", b"one", touched) == Fresh()
    assert ledger.verdict("/f", b"never looked at", touched) == Fresh()
