"""The status of a child: right, or known to be unknown, whatever the host does with SIGCHLD."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mmtools.adapters.process import children
from tests.patience import PATIENCE_S, soon

_IGNORES = "import signal; signal.signal(signal.SIGCHLD, signal.SIG_IGN)"
#: Every child is reaped behind the library's back, before it looks.
_TAKES = """
import subprocess
popen = subprocess.Popen.__init__
def start_and_take(self, *arguments, **options):
    popen(self, *arguments, **options)
    import os
    os.waitid(os.P_PID, self.pid, os.WEXITED)
subprocess.Popen.__init__ = start_and_take
"""
_RUN = """
import json, sys
from mmtools import AllowAll, local
answers = []
for dialect in (local.mm, local.crab):
    with dialect(sys.argv[1], permission=AllowAll()) as runner:
        for command in json.loads(sys.argv[2]):
            outcome = runner.call("bash", {"command": command})
            answers.append([outcome.status, outcome.text])
with local.crab(sys.argv[1], permission=AllowAll()) as runner:
    for name, arguments in (("grep", {"pattern": "HIT"}), ("grep", {"pattern": "("}), ("glob", {"pattern": "*"})):
        outcome = runner.call(name, arguments)
        answers.append([outcome.status, outcome.text])
print(json.dumps(answers))
"""


def answers(folder: Path, host: str, commands: list[str]) -> list[tuple[str, str]]:
    (folder / "a.txt").write_text("HIT\n")
    arguments = [sys.executable, "-c", f"{host}\n{_RUN}", str(folder), json.dumps(commands)]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=2 * PATIENCE_S)
    return [(status, text) for status, text in json.loads(done.stdout)]


COMMANDS = {
    "true": "(no output)",
    "exit 1": "[exit code: exit status 1]",
    "exit 137": "[exit code: exit status 137]",
    "kill -9 $$": "[exit code: signal: killed]",
    "kill -TERM $$": "[exit code: signal: terminated]",
    "exec false": "[exit code: exit status 1]",
    "trap 'exit 4' EXIT; exit 3": "[exit code: exit status 4]",
    # A program that waits for children of its own is served too.
    f"{sys.executable} -c 'import subprocess; print(subprocess.call([\"false\"]))'": "1\n",
    "env | grep ^LC_CTYPE || grep SigIgn /proc/self/status | cut -c12-": None,
}


def test_a_host_that_ignores_sigchld_is_told_every_status(tmp_path: Path) -> None:
    plain = answers(tmp_path, "", list(COMMANDS))
    ignoring = answers(tmp_path, _IGNORES, list(COMMANDS))
    assert ignoring == plain
    for (status, text), right in zip(ignoring, [*COMMANDS.values(), *COMMANDS.values()], strict=False):
        assert right is None or text == right
        assert (status == "ok") == (right is None or not right.startswith("["))


def test_a_status_that_somebody_else_took_is_never_ok(tmp_path: Path) -> None:
    told = answers(tmp_path, _TAKES, ["true", "exit 1", "kill -9 $$"])
    for status, text in told[:6]:
        assert status == "failed"
        assert text.startswith("[exit code: unknown;")
    assert all(status == "failed" for status, _ in told[6:])


@pytest.mark.parametrize("code", [0, 1, 255])
def test_a_child_that_was_reaped_elsewhere_has_no_code(code: int) -> None:
    child = started(f"exit {code}")
    os.waitid(os.P_PID, child.pid, os.WEXITED)
    assert child.poll()
    assert child.code is None


def test_a_child_is_waited_for_no_longer_than_told() -> None:
    child = started("read line", subprocess.PIPE)
    assert not child.wait(0.01)
    assert not child.ended
    assert child.code is None
    assert child.process.stdin
    child.process.stdin.close()
    soon(child.poll)
    assert child.code == 1


def started(script: str, stdin: int = subprocess.DEVNULL) -> children.Child:
    return children.start(
        ["bash", "-c", script],
        stdin=stdin,
        output=subprocess.DEVNULL,
        directory="/",
        environment=dict(os.environ),
    )
