"""Claims: reading costs what is read, not what the file holds."""

from __future__ import annotations

import tempfile
import tracemalloc
from itertools import islice
from pathlib import Path

from benchmarks.measure import compare, row
from mmtools import AllowAll, local

MB = 1_000_000


def numbered_lines(megabytes: int) -> bytes:
    count = megabytes * MB // 50
    return b"".join(b"%08d " % n + b"x" * 40 + b"\n" for n in range(1, count + 1))


def skip_lines(path: Path, first: int, last: int) -> bytes:
    """Find the same newlines with one pass of `bytes.find`, piece by piece."""
    kept = bytearray()
    line = 1
    with path.open("rb", buffering=0) as stream:
        while line <= last and (piece := stream.read(1 << 18)):
            start = 0
            while line <= last and (end := piece.find(b"\n", start)) >= 0:
                if line >= first:
                    kept += piece[start : end + 1]
                start, line = end + 1, line + 1
            if first <= line <= last:
                kept += piece[start:]
    return bytes(kept)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "log.txt")
        with local.mm(scratch, permission=AllowAll()) as runner:

            def read(**window: int) -> str:
                runner.loop_detector.reset()
                return runner.execute("read_file", {"path": "log.txt", **window})

            path.write_bytes(numbered_lines(5))

            def first_bytes() -> bytes:
                with path.open("rb") as stream:
                    return stream.read(2_000 * 50)

            def first_lines() -> str:
                with path.open(encoding="utf-8", newline="") as stream:
                    return "".join(islice(stream, 2_000))

            shown = read(start=1, end=2_000).rpartition("\n")[0]
            assert first_lines().startswith(shown)
            name = "read: the first 2,000 lines of 5 MB"
            compare(name, lambda: read(start=1, end=2_000), first_bytes, target="<= 3x", rounds=300)
            compare("    against the same line by line", lambda: read(start=1, end=2_000), first_lines, target="-")

            path.write_bytes(numbered_lines(50))
            assert read(start=100_000, end=100_100).encode() == skip_lines(path, 100_000, 100_100)[:-1]
            compare(
                "read: lines 100,000 to 100,100 of 50 MB",
                lambda: read(start=100_000, end=100_100),
                lambda: skip_lines(path, 100_000, 100_100),
                target="<= 2x",
                rounds=30,
            )
            tracemalloc.start()
            read(start=100_000, end=100_100)
            peak = tracemalloc.get_traced_memory()[1]
            row("    memory at its highest", f"{peak / MB:.1f} MB", "", "", "< 16 MB")
