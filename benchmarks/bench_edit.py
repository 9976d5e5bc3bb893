"""
Claims: edits through the runner, diff and stale check included, against the raw work on the same bytes.

The raw work is `open`, `find` for each edit, `mkstemp` and `replace`: no check, no diff, no answer.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import compare, replace_atomically
from mmtools import AllowAll, local

Edits = list[tuple[str, str]]


def source(lines: int) -> str:
    """Lines of about 40 characters, each different."""
    return "".join(f"    value_{n:06d} = compute(input_{n:06d})\n" for n in range(lines))


def raw_edit(path: Path, edits: Edits) -> None:
    with path.open("rb") as stream:
        text = stream.read().decode()
    for old, new in edits:
        at = text.find(old)
        text = text[:at] + new + text[at + len(old) :]
    replace_atomically(path, text.encode())


def bench(name: str, *, lines: int, edits: Edits, target: str, rounds: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "source.py")
        text = source(lines)

        def restore() -> None:
            path.write_text(text)

        with local.mm(scratch, permission=AllowAll()) as runner:
            arguments = {"path": "source.py", "edits": [{"old": old, "new": new} for old, new in edits]}

            def ours() -> None:
                runner.loop_detector.reset()
                assert runner.execute("edit_file", arguments).startswith("edited ")

            raw: Callable[[], None] = lambda: raw_edit(path, edits)  # noqa: E731 - reads better beside `ours`
            compare(name, ours, raw, target=target, rounds=rounds, before=restore)


def spread(lines: int, count: int) -> Edits:
    """`count` edits of one line each, evenly spread."""
    places = [(2 * k + 1) * lines // (2 * count) for k in range(count)]
    return [(f"value_{n:06d} = compute(input", f"value_{n:06d} = recompute(input") for n in places]


if __name__ == "__main__":
    small, middle, big = 100, 10_000, 200_000
    bench("edit: 1 replacement in 100 lines", lines=small, edits=spread(small, 1), target="<= 3x", rounds=300)
    bench("edit: 10 replacements in 10,000 lines", lines=middle, edits=spread(middle, 10), target="<= 1.8x", rounds=60)
    bench("edit: 1 replacement in 200,000 lines", lines=big, edits=spread(big, 1), target="<= 1.4x", rounds=15)
