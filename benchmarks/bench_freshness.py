"""
Claims: the gate costs a look at the file's stamp where nothing can have changed, and else one reading and one hash.

What is timed is the check: from the file's stamp or bytes to the verdict. An edit has its snapshot anyway, for the bytes
that it replaces; there, the check by stamp adds what the first row shows and no reading at all.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
import time
from pathlib import Path

from benchmarks.measure import compare, row
from mmtools import AllowAll, Runner, Toolset
from mmtools.adapters.disk.change_times import ChangeTimes
from mmtools.adapters.local_files import LocalFiles
from mmtools.core.freshness import Fresh, Ledger
from mmtools.tools.crab.read import Read
from mmtools.tools.operations.session_files import SessionFiles

SIZE = 10_000_000
HOUR_NS = 3_600_000_000_000


def session(root: Path, clock_ahead_ns: int) -> tuple[LocalFiles, Ledger]:
    """A session that has read the file."""
    files, ledger = LocalFiles(root, clock=lambda: time.time_ns() + clock_ahead_ns), Ledger()
    runner = Runner(Toolset([Read(files=SessionFiles(files=files, ledger=ledger))]), permission=AllowAll())
    assert runner.call("read", {"path": "f", "limit": 1}).text.startswith("x")
    return files, ledger


def reads_and_hashes(path: Path) -> bytes:
    with path.open("rb", buffering=0) as stream:
        return hashlib.sha256(stream.read()).digest()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as scratch:
        path = Path(scratch, "f")
        path.write_bytes((b"x" * 49 + b"\n") * (SIZE // 50))

        # A clock that runs ahead stands for the minute after which a stamp is trusted.
        files, ledger = session(Path(scratch), HOUR_NS)
        place = files.locate("f")
        times = ChangeTimes()
        seen = os.stat(place.path)

        def stat_and_compare() -> bool:
            now = os.stat(place.path)
            return (
                now.st_ctime_ns == seen.st_ctime_ns
                and now.st_mtime_ns == seen.st_mtime_ns
                and now.st_size == seen.st_size
                and now.st_ino == seen.st_ino
                and now.st_dev == seen.st_dev
            )

        def by_stamp() -> object:
            return ledger.verdict(place.path, b"never hashed", times.stamp(os.stat(place.path), 0))

        if by_stamp() == Fresh():
            compare("gate: 10 MB unchanged, by its stamp", by_stamp, stat_and_compare, target="<= 1.5x", rounds=5_000)
            known, snapshot = SessionFiles(files=files, ledger=ledger), files.snapshot(place)
            compare(
                "    what it adds to an edit's snapshot",
                lambda: known.objection(snapshot),
                stat_and_compare,
                target="<= 1.5x",
                rounds=5_000,
            )
        else:
            row("gate: 10 MB unchanged, by its stamp", "not trusted on this file system", "", "", "")

        files, ledger = session(Path(scratch), 0)
        unproven = SessionFiles(files=files, ledger=ledger)

        def by_content() -> object:
            return unproven.objection(files.snapshot(place))

        assert by_content() is None
        compare(
            "gate: 10 MB unchanged, by its content",
            by_content,
            lambda: reads_and_hashes(path),
            target="<= 1.5x",
            rounds=60,
        )
