"""
A recording of a session of some 600 real calls, to look at with `mmtools metrics FILE --html PAGE`.

    python -m benchmarks.record_session FILE

The calls are made on a copy of the shop example: reads, writes, edits that fit and that do not, commands that pass,
fail and take too long, refusals, unknown tools, wrong arguments, and the same call again and again.
"""

from __future__ import annotations

import random
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from mmtools import AllowAll, LoopStopped, Rule, Rules, Runner, local
from mmtools.adapters.sqlite_observer import SqliteObserver

SHOP = Path(__file__).parents[1] / "examples" / "shop"
CALLS = 600


def main(store: str) -> None:
    """Make the calls; the same ones each time."""
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory, "shop")
        shutil.copytree(SHOP, root)
        permission = Rules([Rule.deny("bash(rm)")], AllowAll())
        with (
            SqliteObserver(store) as observer,
            local.mm(root, permission=permission, observer=observer, bash_timeout_s=0.5) as runner,
        ):
            for number in range(CALLS):
                kind = chance.choices(list(KINDS), [weight for _, weight in KINDS.values()])[0]
                with suppress(LoopStopped):
                    KINDS[kind][0](runner, chance, number)


def read(runner: Runner, chance: random.Random, number: int) -> None:
    name = chance.choice(["prices.py", "receipt.py", "test_shop.py", "README.md"])
    runner.call("read_file", {"path": name, "start": chance.randint(1, 12)})


def write(runner: Runner, chance: random.Random, number: int) -> None:
    content = f"status: {number}\n" + "text\n" * chance.randint(1, 400)
    runner.call("write_file", {"path": f"notes/{chance.randint(1, 9)}.md", "content": content})


def edit(runner: Runner, chance: random.Random, number: int) -> None:
    old = chance.choices(["status: ", "nowhere", "text"], [8, 1, 1])[0]
    edits = [{"old": old, "new": f"status: {number}, once "}]
    runner.call("edit_file", {"path": f"notes/{chance.randint(1, 9)}.md", "edits": edits})


def command(runner: Runner, chance: random.Random, number: int) -> None:
    commands = ["ls -l", "cat prices.py", "grep -n def receipt.py", f"echo {number}", "seq 20000", "exit 3"]
    runner.call("bash", {"command": chance.choice(commands)})


def tests(runner: Runner, chance: random.Random, number: int) -> None:
    runner.call("bash", {"command": f"python3 -m unittest -q test_shop # {number}"})


def forbidden(runner: Runner, chance: random.Random, number: int) -> None:
    runner.call("bash", {"command": f"rm -rf build{number}"})


def too_long(runner: Runner, chance: random.Random, number: int) -> None:
    runner.call("bash", {"command": f"sleep 60 # {number}"})


def made_up(runner: Runner, chance: random.Random, number: int) -> None:
    tool, arguments = chance.choice([("search_files", {"query": number}), ("read_file", {"file": number})])
    runner.call(tool, arguments)


def again(runner: Runner, chance: random.Random, number: int) -> None:
    for _ in range(chance.choice([3, 4, 6])):
        runner.call("read_file", {"path": "missing.py"})


KINDS: dict[str, tuple[Callable[[Runner, random.Random, int], Any], int]] = {
    "read": (read, 40),
    "write": (write, 12),
    "edit": (edit, 14),
    "command": (command, 20),
    "tests": (tests, 3),
    "forbidden": (forbidden, 3),
    "too long": (too_long, 2),
    "made up": (made_up, 4),
    "again": (again, 2),
}

if __name__ == "__main__":
    main(sys.argv[1])
