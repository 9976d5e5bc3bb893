"""
Why a file must be read first.
"""

from __future__ import annotations

from mmtools.core.freshness import Ledger, fingerprint
from mmtools.ports.files import Place, Snapshot
from mmtools.tools.wording.freshness import objection

PLACE = Place("a.txt", "/repo/a.txt")


def test_nothing_stands_against_a_file_that_was_read_as_it_is() -> None:
    ledger = Ledger()
    ledger.saw(PLACE.path, fingerprint(b"one"))
    assert objection(ledger, Snapshot(place=PLACE, data=b"one")) is None


def test_new_files_and_hosts_without_the_gate_need_no_read() -> None:
    assert objection(Ledger(), Snapshot(place=PLACE, data=None)) is None
    assert objection(None, Snapshot(place=PLACE, data=b"one")) is None


def test_a_file_that_was_not_read_or_changed_since_is_named_with_the_next_step() -> None:
    ledger = Ledger()
    assert objection(ledger, Snapshot(place=PLACE, data=b"one")) == (
        "a.txt was not read yet; nothing was written. Read it first, then repeat the change"
    )
    ledger.saw(PLACE.path, fingerprint(b"one"))
    assert objection(ledger, Snapshot(place=PLACE, data=b"two")) == (
        "a.txt changed since it was read; nothing was written. Read it again, then repeat the change"
    )
