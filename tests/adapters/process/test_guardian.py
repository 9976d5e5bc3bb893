"""A host that is killed leaves none of what it started, however that hides."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from uuid import uuid4

import pytest

from mmtools.adapters.process import guardian
from mmtools.adapters.process.tables import ProcTable
from tests.patience import soon

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="only /proc tells who carries a mark"),
]

#: Ways to get out of sight; `{0}` is a time to sleep that nobody else sleeps.
WAYS = (
    "sleep {0}",
    "sleep {0} & sleep {0} & wait",
    "setsid sleep {0} >/dev/null 2>&1 & sleep {0}",
    "setsid sleep {0} >/dev/null 2>&1 < /dev/null &",
    "nohup sleep {0} >/dev/null 2>&1 &",
    "(setsid bash -c '(sleep {0} &) ; sleep {0}' >/dev/null 2>&1 &) ; sleep {0}",
    "trap '' TERM HUP; sleep {0}; sleep {0}",
    "bash -c 'kill -STOP $$; sleep {0}'; sleep {0}",
    "while :; do (sleep {0} &) ; sleep 0.01; done",
    "sleep {0} | cat; true",
)
HOST = """
    import sys, threading
    from mmtools import AllowAll, local
    runner = local.mm(sys.argv[1], permission=AllowAll())
    for way in sys.argv[2:]:
        call = lambda way=way: runner.call("bash", {"command": way, "timeout": 600})
        threading.Thread(target=call, daemon=True).start()
    print("begun", flush=True)
    sys.stdin.read()
"""


def sleepers(seconds: str) -> list[int]:
    """All who have the number in their arguments."""
    table = ProcTable()
    return [each.pid for each in table.all() if each.running and seconds in table.command(each.pid)]


def host(root: Path, seconds: str) -> subprocess.Popen[str]:
    ways = [way.format(seconds) for way in WAYS]
    started = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(HOST), str(root), *ways],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert started.stdout
    assert started.stdout.readline() == "begun\n"
    return started


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
@pytest.mark.parametrize("seed", range(2))
def test_nothing_of_a_killed_host_lives_on(tmp_path: Path, number: signal.Signals, seed: int) -> None:
    seconds = f"9{uuid4().int % 10**9:09}"
    rng = random.Random(f"{seed} {number}")
    with host(tmp_path, seconds) as killed:
        wanted = 1 + rng.randrange(12)
        # The host's own arguments hold the number, too.
        soon(lambda: len(sleepers(seconds)) > wanted)
        killed.send_signal(number)
        killed.wait()
    soon(lambda: not sleepers(seconds))


def test_what_clears_its_environment_does_not_live_on_either(tmp_path: Path) -> None:
    seconds = f"9{uuid4().int % 10**9:09}"
    script = f"""
        import os, sys
        from mmtools import AllowAll, local
        from mmtools.adapters.process.server_process import ServerProcess
        runner = local.mm(sys.argv[1], permission=AllowAll())
        runner.execute("bash", {{"command": "env -i setsid sleep {seconds} & env -i sleep {seconds} &"}})
        server = ServerProcess(["env", "-i", "sleep", "{seconds}"], directory="/", environment=dict(os.environ))
        print("begun", flush=True)
        sys.stdin.read()
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as killed:
        assert killed.stdout
        assert killed.stdout.readline() == "begun\n"
        # The host's own arguments hold the number, too.
        soon(lambda: len(sleepers(seconds)) == 4)
        killed.kill()
    soon(lambda: not sleepers(seconds))


def guards() -> list[int]:
    """The guarding processes of this process."""
    table = ProcTable()
    return [each.pid for each in table.all() if each.running and f"guard.py {os.getpid()} " in table.command(each.pid)]


def test_one_guards_all_of_a_process_until_nothing_is_left_to_guard() -> None:
    before = guards()
    guardian.guard("one")
    guardian.guard("two")
    soon(lambda: len(guards()) == max(len(before), 1))
    (pid,) = guards()
    found = ProcTable().find(pid)
    assert found
    soon(lambda: found.parent != os.getpid())
    guardian.release("one")
    assert guards() == [pid]
    guardian.release("two")
    soon(lambda: guards() == before)


def test_a_mark_may_be_released_by_the_collector_while_another_is_added(monkeypatch: pytest.MonkeyPatch) -> None:
    guardian.guard("one")

    class Forgotten:
        def __del__(self) -> None:
            guardian.release("one")

    say = guardian._Guardian._say

    def said(self: guardian._Guardian, lines: str) -> None:
        if lines == "+two\n":
            Forgotten()
        say(self, lines)

    monkeypatch.setattr(guardian._Guardian, "_say", said)
    guardian.guard("two")
    guardian.release("two")
    soon(lambda: not guards())


def test_one_that_somebody_killed_is_replaced() -> None:
    guardian.guard("one")
    soon(lambda: len(guards()) == 1)
    (pid,) = guards()
    os.kill(pid, signal.SIGKILL)
    soon(lambda: not guards())
    guardian.guard("two")
    soon(lambda: len(guards()) == 1)
    guardian.release("one")
    guardian.release("two")
    soon(lambda: not guards())


def test_what_was_released_lives_on(tmp_path: Path) -> None:
    seconds = f"9{uuid4().int % 10**9:09}"
    script = f"""
        import os, signal, subprocess
        from mmtools.adapters.process import guardian
        guardian.guard("{seconds}-kept")
        guardian.guard("{seconds}-guarded")
        for mark in ("{seconds}-kept", "{seconds}-guarded"):
            subprocess.Popen(["sleep", "{seconds}"], env={{"MMTOOLS_CALL": mark + "-1."}}, start_new_session=True)
        guardian.release("{seconds}-kept")
        os.kill(os.getpid(), signal.SIGKILL)
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], cwd=tmp_path, check=False)
    try:
        soon(lambda: len(sleepers(seconds)) == 1)
        (pid,) = sleepers(seconds)
        assert b"kept" in ProcTable().environment(pid)
    finally:
        for left in sleepers(seconds):
            os.kill(left, signal.SIGKILL)
