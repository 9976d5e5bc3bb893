"""Claim: a failing edit of an 8 MB file, hint included, costs at most 20x one `str.count` over the text."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.measure import compare
from mmtools import AllowAll, local

LINES = 200_000

#: What is wrong with the text that the model sends, beside how to make it from the right one.
MISTAKES: dict[str, Callable[[str], str]] = {
    "indentation": lambda text: text.replace("    ", "  "),
    "a changed letter": lambda text: text.replace("compute(input_140002)", "computes(input_140002)"),
    "tabs and a changed word": lambda text: text.replace("    ", "\t").replace("140003 =", "140003 :="),
    "nothing alike": lambda text: "no such text\nanywhere in the file\n",
}

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch, "source.py")
        text = "".join(f"    value_{n:06d} = compute(input_{n:06d})\n" for n in range(LINES))
        path.write_text(text)
        right = "".join(f"    value_{n:06d} = compute(input_{n:06d})\n" for n in range(140_000, 140_006))
        with local.mm(scratch, permission=AllowAll()) as runner:
            for mistake, make in MISTAKES.items():
                arguments: object = {"path": "source.py", "edits": [{"old": make(right), "new": "x"}]}

                def ours(arguments: object = arguments) -> None:
                    runner.loop_detector.reset()
                    runner.execute("edit_file", arguments)

                compare(
                    f"failing edit in 8 MB: {mistake}",
                    ours,
                    lambda: text.count("no such text"),
                    target="<= 20x",
                    rounds=9,
                )
