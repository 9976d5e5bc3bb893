"""Claim: write_file over 1 MB with one line changed costs at most 3.5x read, compare and atomic write."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks.measure import compare, replace_atomically
from mmtools import AllowAll, local

LINES = 25_000


def raw_write(path: Path, content: str) -> None:
    data = content.encode()
    if path.read_bytes() == data:
        return
    replace_atomically(path, data)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "source.py")
        old = "".join(f"    value_{n:06d} = compute(input_{n:06d})\n" for n in range(LINES))
        new = old.replace("value_012500 =", "value_012500 +=")
        with local.mm(scratch, permission=AllowAll()) as runner:

            def ours() -> None:
                runner.loop_detector.reset()
                text = runner.execute("write_file", {"path": "source.py", "content": new})
                assert text.startswith("wrote source.py: +1 -1 lines"), text

            compare(
                "write: 1 MB, one line changed, with its diff",
                ours,
                lambda: raw_write(path, new),
                target="<= 3.5x",
                rounds=60,
                before=lambda: path.write_text(old),
            )
