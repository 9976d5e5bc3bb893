"""The ledger of what was read, against a plain dictionary of bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.freshness import ChangedSince, Fresh, Ledger, NeverRead, fingerprint
from mmtools.core.stamps import Stamp
from mmtools.core.writers import ByCall, ByCommand
from mmtools.testing.files import MemoryFiles

paths = st.sampled_from(["/a", "/b", "/a/b"])
steps = st.lists(st.tuples(st.sampled_from(["saw", "gone", "reset"]), paths, st.binary(max_size=3)), max_size=20)


@given(steps, paths, st.binary(max_size=3))
def test_the_verdict_is_about_the_last_bytes_seen(taken: list[tuple[str, str, bytes]], path: str, found: bytes) -> None:
    ledger, model = Ledger(), dict[str, bytes]()
    for step, where, data in taken:
        if step == "saw":
            ledger.saw(where, fingerprint(data))
            model[where] = data
        elif step == "gone":
            ledger.gone(where)
            model.pop(where, None)
        else:
            ledger.reset()
            model.clear()
    verdict = ledger.verdict(path, found)
    if path not in model:
        assert verdict == NeverRead()
    else:
        assert verdict == (Fresh() if model[path] == found else ChangedSince())


def test_a_stamp_proves_only_what_was_seen() -> None:
    files, ledger = MemoryFiles({"f": "one"}), Ledger()
    before = files.snapshot(files.locate("f"))
    assert not ledger.proven("/repo/f", before.stamp)
    ledger.saw("/repo/f", fingerprint(b"one"), before.stamp)
    assert ledger.proven("/repo/f", before.stamp)
    assert not ledger.proven("/repo/f", None)
    files.touch("f")
    assert not ledger.proven("/repo/f", files.snapshot(before.place).stamp)
    ledger.wrote("/repo/f", fingerprint(b"two"), "edit")
    assert not ledger.proven("/repo/f", before.stamp)


def stamped(changed_s: int, taken_s: int) -> Stamp:
    second = 1_000_000_000
    return Stamp(1, 2, 3, changed_s * second, changed_s * second, taken_s * second, vouches=True)


def test_bytes_that_are_proved_or_found_to_be_the_same_are_fresh_and_prove_more_later() -> None:
    ledger = Ledger()
    ledger.saw("/f", fingerprint(b"1"), stamped(0, 100))
    assert ledger.verdict("/f", b"not looked at", stamped(0, 200)) == Fresh()
    assert ledger.verdict("/f", b"1", stamped(250, 400)) == Fresh()
    assert ledger.proven("/f", stamped(250, 500))
    assert ledger.verdict("/f", b"2", stamped(600, 700)) == ChangedSince()
    ledger.gone("/never seen")


def test_who_changed_a_file_since_is_told() -> None:
    ledger = Ledger("first")
    other = Ledger("second", writers=ledger.writers)
    ledger.wrote("/f", fingerprint(b"0"), "write")
    ledger.saw("/f", fingerprint(b"1"), stamped(0, 100))
    assert ledger.verdict("/f", b"0") == ChangedSince()
    other.wrote("/f", fingerprint(b"2"), "edit")
    assert other.verdict("/f", b"2") == Fresh()
    assert ledger.verdict("/f", b"2") == ChangedSince(ByCall("edit", "second"))
    assert ledger.verdict("/f", b"3", stamped(150, 200)) == ChangedSince()
    ledger.ran("make", 140_000_000_000, 160_000_000_000)
    assert ledger.verdict("/f", b"3", stamped(150, 200)) == ChangedSince(ByCommand("make"))
    assert ledger.verdict("/f", b"3", stamped(170, 200)) == ChangedSince()
    assert ledger.verdict("/f", b"3", stamped(130, 200)) == ChangedSince()
    assert ledger.verdict("/f", b"3") == ChangedSince()


def test_a_time_that_was_put_back_is_no_alibi() -> None:
    ledger = Ledger()
    ledger.saw("/f", fingerprint(b"1"), stamped(0, 100))
    ledger.ran("cp -p", 140_000_000_000, 160_000_000_000)
    put_back = stamped(150, 200)._replace(mtime_ns=50_000_000_000)
    assert ledger.verdict("/f", b"2", put_back) == ChangedSince(ByCommand("cp -p"))
