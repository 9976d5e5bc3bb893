"""The ledger of what was read, against a plain dictionary of bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.freshness import ChangedSince, Fresh, Ledger, NeverRead, fingerprint
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
