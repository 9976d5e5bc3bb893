"""
Kill -9 in the middle of a replacement, again and again: the file must hold the old bytes or the new.

Each round starts a process that replaces one file, and kills it at a random moment. Then this process
replaces the file itself, which must sweep what the killed one left beside it.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Never

from mmtools.adapters.local_files import LocalFiles

__all__ = ["kill_rounds"]

MB = 1_000_000
NAME = "victim.bin"


def kill_rounds(*, rounds: int, size: int, hard_link: bool = False) -> Counter[str]:
    """
    Count how the rounds ended; forks, so call it where no other thread runs.

    Args:
        size: Of the file, in bytes.
        hard_link: Give the file a second name, so that it is written in place.

    Returns:
        `old`, `new`: which bytes were there after the kill. `torn`: neither. `kept`: torn, and the old
        bytes lay beside it. `left`: something of ours was there after the next replacement.
    """
    ends: Counter[str] = Counter(old=0, new=0, torn=0, kept=0, left=0)
    with tempfile.TemporaryDirectory() as folder:
        victim = Path(folder, NAME)
        contents = {"old": b"o" * size, "new": b"n" * (size + size // 2)}
        names = {NAME}
        victim.write_bytes(contents["old"])
        if hard_link:
            names.add("second")
            Path(folder, "second").hardlink_to(victim)
        files = LocalFiles(folder)
        longest_s = _run_writer(folder, len(contents["new"]))
        for _ in range(rounds):
            victim.write_bytes(contents["old"])
            _run_writer(folder, len(contents["new"]), killed_after_s=random.uniform(0, longest_s * 1.2))
            found = victim.read_bytes()
            end = next((name for name, content in contents.items() if content == found), "torn")
            ends[end] += 1
            copies = [copy for copy in Path(folder).glob(".*.mmtools-old") if copy.read_bytes() == contents["old"]]
            ends["kept"] += end == "torn" and len(copies) == 1
            for copy in Path(folder).glob(".*.mmtools-old"):
                copy.unlink()
            files.replace(files.snapshot(files.locate(NAME)), b"after")
            ends["left"] += {path.name for path in Path(folder).iterdir()} != names
    return ends


def _run_writer(folder: str, size: int, killed_after_s: float | None = None) -> float:
    """Let another process replace the file; returns how long it took, or lived."""
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(told)
        _write(folder, size, tell)
    os.close(tell)
    os.read(told, 1)
    begun = time.perf_counter()
    if killed_after_s is None:
        os.read(told, 1)
    else:
        time.sleep(killed_after_s)
        os.kill(pid, signal.SIGKILL)
    spent_s = time.perf_counter() - begun
    os.waitpid(pid, 0)
    os.close(told)
    return spent_s


def _write(folder: str, size: int, tell: int) -> Never:
    files = LocalFiles(folder)
    before = files.snapshot(files.locate(NAME))
    data = b"n" * size
    os.write(tell, b"1")
    files.replace(before, data)
    os.write(tell, b"2")
    os._exit(0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--size-mb", type=float, default=50)
    parser.add_argument("--hard-link", action="store_true", help="give the file two names: it is written in place")
    options = parser.parse_args()
    ends = kill_rounds(rounds=options.rounds, size=int(options.size_mb * MB), hard_link=options.hard_link)
    print(f"{options.rounds} kills:", ", ".join(f"{name} {count}" for name, count in ends.items()))


if __name__ == "__main__":
    main()
