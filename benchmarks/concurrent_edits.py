"""Many threads in several processes add lines to one file, each reading it first: no line may be lost."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path

from mmtools.adapters.local_files import LocalFiles
from mmtools.ports.files import Changed

__all__ = ["concurrent_rounds"]

MB = 1_000_000
NAME = "log.txt"
LINE = "{process}.{thread}.{turn}\n"


def concurrent_rounds(*, rounds: int, threads: int, processes: int, size: int = 0) -> Counter[str]:
    """
    Count the lines that were written, and those that are not there.

    Args:
        rounds: Lines that each thread of each process adds.
        size: Of the file at the start, in bytes.

    Returns:
        `written`: lines reported as written. `lost`: of these, not in the file. `torn`: lines that
        nobody wrote. `refused`: attempts that met a change and were made again.
    """
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, NAME)
        start = b"#" * (size - 1) + b"\n" if size else b""
        log.write_bytes(start)
        command = [sys.executable, __file__, "--write", folder, f"--rounds={rounds}", f"--threads={threads}"]
        writers = [
            subprocess.Popen([*command, f"--name={number}"], stdout=subprocess.PIPE) for number in range(processes)
        ]
        refused = sum(int(writer.communicate()[0]) for writer in writers)
        found = Counter(log.read_text()[len(start) :].splitlines(keepends=True))
        left = {path.name for path in Path(folder).iterdir()} - {NAME}
    wanted = Counter(
        LINE.format(process=process, thread=thread, turn=turn)
        for process in range(processes)
        for thread in range(threads)
        for turn in range(rounds)
    )
    return Counter(
        written=wanted.total(),
        lost=(wanted - found).total(),
        torn=(found - wanted).total(),
        refused=refused,
        left=len(left),
    )


def _write(folder: str, process: str, rounds: int, threads: int) -> int:
    files = LocalFiles(folder, lock_timeout_s=600)
    refusals: list[None] = []

    def add(line: bytes) -> None:
        while True:
            before = files.snapshot(files.locate(NAME))
            try:
                files.replace(before, (before.data or b"") + line)
            except Changed:
                refusals.append(None)
                continue
            return

    def add_lines(thread: int) -> None:
        for turn in range(rounds):
            add(LINE.format(process=process, thread=thread, turn=turn).encode())

    workers = [threading.Thread(target=add_lines, args=(number,)) for number in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return len(refusals)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="lines that each thread adds")
    parser.add_argument("--size-mb", type=float, default=0.0, help="size of the file at the start")
    parser.add_argument("--threads", type=int, default=16)
    parser.add_argument("--processes", type=int, default=4)
    parser.add_argument("--write", help=argparse.SUPPRESS)
    parser.add_argument("--name", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.write:
        print(_write(options.write, options.name, options.rounds, options.threads))
        return
    begun = time.perf_counter()
    counts = concurrent_rounds(
        rounds=options.rounds,
        threads=options.threads,
        processes=options.processes,
        size=int(options.size_mb * MB),
    )
    spent = time.perf_counter() - begun
    print(f"{spent:.1f} s:", ", ".join(f"{name} {count}" for name, count in counts.items()))


if __name__ == "__main__":
    main()
