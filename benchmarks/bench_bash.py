"""Claims: a command costs what the shell costs; a child left behind or a flood of output changes nothing."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.measure import compare, row, timed
from mmtools import AllowAll, Runner, local

FLOOD = "head -c 200000000 /dev/zero | tr '\\0' x"
KB_PER_MB = 1_000


def run(runner: Runner, command: str) -> str:
    runner.loop_detector.reset()
    return runner.execute("bash", {"command": command})


def drop_output(command: str) -> None:
    with subprocess.Popen(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdout is not None
        while process.stdout.read(1 << 16):
            pass


def flood_memory(scratch: str) -> float:
    """How much the peak memory of a fresh process grows by one flood, in MB."""
    code = (
        "import resource, sys\n"
        "from mmtools import AllowAll, local\n"
        "runner = local.mm(sys.argv[1], permission=AllowAll())\n"
        "runner.execute('bash', {'command': 'true'})\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "runner.execute('bash', {'command': sys.argv[2]})\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)\n"
    )
    told = subprocess.run([sys.executable, "-c", code, scratch, FLOOD], capture_output=True, text=True, check=True)
    return int(told.stdout) / KB_PER_MB


async def many(scratch: str, count: int) -> float:
    async with local.mm(scratch, permission=AllowAll()) as runner:
        begun = time.perf_counter()
        calls = (runner.aexecute("bash", {"command": f"sleep 1; : {n}"}) for n in range(count))
        await asyncio.gather(*calls)
        return time.perf_counter() - begun


def children() -> int:
    return len(Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text().split())


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (4_096, 4_096))
    with tempfile.TemporaryDirectory() as scratch:
        with local.mm(scratch, permission=AllowAll()) as runner:
            compare(
                "bash: true",
                lambda: run(runner, "true"),
                lambda: subprocess.run(["bash", "-c", "true"], check=True),
                target="<= 1.25x",
                rounds=200,
            )
            left = timed(lambda: run(runner, "sleep 60 & echo hi"))
            row("bash: sleep 60 & echo hi", f"{left:.3f} s", "", "", "<= 0.3 s")
            compare(
                "bash: 200 MB of output",
                lambda: run(runner, FLOOD),
                lambda: drop_output(FLOOD),
                target="<= 1.3x",
                rounds=7,
            )
        row("    memory growth", f"{flood_memory(scratch):.1f} MB", "", "", "< 16 MB")
        spent = asyncio.run(many(scratch, 200))
        row("200 concurrent calls of sleep 1", f"{spent:.2f} s", "1 s", "", "<= 2.5 s")
        row("    threads and children left", f"{threading.active_count() - 1} and {children()}", "", "", "0 and 0")
