"""Servers as processes: whatever they print, however they end, nothing of them is left and nobody waits for them."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from mmtools.adapters.mcp.timeouts import Timeouts
from mmtools.adapters.mcp_client import McpClient
from mmtools.call import Cancellation
from mmtools.policies.allow_all import AllowAll
from mmtools.ports.remote_tool_problems import ConnectionLost, Interrupted, NoAnswer, RemoteToolsClosed
from mmtools.ports.remote_tools import McpServer
from mmtools.runner import Runner
from mmtools.toolsets import remote
from tests.adapters.mcp.serving import ENVIRONMENT, alive, call, connected, heard, scripted, send, text
from tests.patience import PATIENCE_S, soon, when

pytestmark = pytest.mark.slow


def pids(born: Path) -> list[int]:
    return [int(line) for line in born.read_text().split()]


def test_noise_on_stdout_costs_nothing_but_itself() -> None:
    with connected(scripted()) as client:
        assert text(call(client, "noisy")) == "done"
        assert text(call(client, "echo", a=1)) == '{"a": 1}'


def test_a_flood_on_stderr_is_drained() -> None:
    with connected(scripted()) as client:
        assert text(call(client, "flood")) == "done"
        with pytest.raises(ConnectionLost) as lost:
            call(client, "die")
    assert lost.value.last_words == "fatal: out of memory"


def test_a_server_that_ends_during_a_call_is_named_with_its_end_and_costs_no_other() -> None:
    with connected(scripted("one"), scripted("two")) as client:
        waiting = threading.Event()
        slow: list[str] = []

        def hold() -> None:
            waiting.set()
            slow.append(text(call(client, "hold", server="two", of=2, number=1)))

        thread = threading.Thread(target=hold)
        thread.start()
        waiting.wait()
        with pytest.raises(ConnectionLost) as lost:
            call(client, "die", server="one")
        assert (lost.value.server, lost.value.reason) == ("one", "exit status 3")
        assert lost.value.last_words == "fatal: out of memory"
        assert json.loads(text(call(client, "hold", server="two", of=2, number=2)))["number"] == 2
        thread.join()
        assert json.loads(slow[0])["number"] == 1
        assert text(call(client, "echo", server="one")) == "{}"


def test_a_server_killed_by_a_signal_is_noticed_though_a_grandchild_holds_its_pipes(tmp_path: Path) -> None:
    born, log = tmp_path / "born", tmp_path / "log"
    with connected(scripted(born=str(born), log=str(log))) as client:
        call(client, "spawn")
        [pid] = pids(born)
        with when(lambda: "silent" in heard(log), lambda: os.kill(pid, 9)), pytest.raises(ConnectionLost) as lost:
            call(client, "silent")
        assert lost.value.reason == "signal: SIGKILL"


def test_a_server_that_ends_is_noticed_though_another_goes_on_writing_for_it() -> None:
    with connected(scripted()) as client:
        with pytest.raises(ConnectionLost) as lost:
            call(client, "leak")
        assert lost.value.reason == "exit status 4"
        assert text(call(client, "echo")) == "{}"


def test_a_server_that_ended_between_two_calls_is_started_again(tmp_path: Path) -> None:
    born = tmp_path / "born"
    with connected(scripted(born=str(born))) as client:
        os.kill(pids(born)[0], 9)
        soon(lambda: not alive(pids(born)[0]))
        # Its end may still be under way to us: then this very call is told.
        with suppress(ConnectionLost):
            call(client, "echo")
        assert text(call(client, "echo")) == "{}"
        assert len(pids(born)) == 2


def test_a_server_that_closes_its_output_is_ended() -> None:
    with connected(scripted()) as client:
        with pytest.raises(ConnectionLost) as lost:
            call(client, "mute")
        assert lost.value.reason == "it has closed its output"
        assert text(call(client, "echo")) == "{}"


def test_answers_out_of_order_reach_their_calls() -> None:
    with connected(scripted()) as client:
        answers: dict[int, str] = {}

        def ask(number: int) -> None:
            answers[number] = text(call(client, "hold", of=8, number=number))

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert {number: json.loads(answer)["number"] for number, answer in answers.items()} == {n: n for n in range(8)}


def test_a_call_without_an_answer_ends_and_the_server_is_told(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with connected(scripted(timeout_s=1.0, log=str(log))) as client:
        with pytest.raises(NoAnswer) as late:
            call(client, "silent")
        assert (late.value.server, late.value.after_s) == ("scripted", 1.0)
        soon(lambda: "notifications/cancelled" in heard(log))
    notified = [name for name in heard(log) if name.startswith("notifications/")]
    assert notified == ["notifications/initialized", "notifications/cancelled"]


def test_a_cancelled_call_ends_and_the_server_is_told(tmp_path: Path) -> None:
    log = tmp_path / "log"
    with connected(scripted(log=str(log))) as client:
        cancellation = Cancellation()
        with when(lambda: "silent" in heard(log), cancellation.request), pytest.raises(Interrupted):
            call(client, "silent", cancellation=cancellation)
        told = json.loads(text(call(client, "heard")))
        with pytest.raises(Interrupted):
            call(client, "echo", cancellation=cancellation)
    assert told[-1]["method"] == "notifications/cancelled"


def test_arguments_beyond_what_a_pipe_holds_arrive_whole() -> None:
    given = {
        "text": "é\u2028\U0001f600" * 300_000,
        "none": None,
        "float": 1.0,
        "big": 10**30,
        "deep": [[{"a": [None]}]],
    }
    with connected(scripted()) as client:
        assert json.loads(text(send(client, "echo", given))) == given


def test_a_server_that_reads_nothing_does_not_hold_a_call_beyond_its_time(tmp_path: Path) -> None:
    born = tmp_path / "born"
    with connected(scripted(timeout_s=0.5, born=str(born))) as client:
        os.kill(pids(born)[0], 19)
        with pytest.raises(NoAnswer):
            call(client, "echo", text="x" * 3_000_000)


def test_a_server_that_does_not_leave_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    born = tmp_path / "born"
    servers = [scripted(name, stubborn=True, born=str(born)) for name in ("one", "two")]
    with McpClient(
        servers, directory="/", environment=ENVIRONMENT, timeouts=Timeouts(leave_s=0.1, term_s=0.1)
    ) as client:
        grandchild = int(text(call(client, "spawn", server="one")))
        assert alive(grandchild)
    assert not any(map(alive, (grandchild, *pids(born))))
    client.close()


def test_what_a_server_leaves_behind_at_its_exit_is_killed() -> None:
    with connected(scripted()) as client:
        grandchild = int(text(call(client, "spawn")))
    assert not alive(grandchild)


def test_a_call_that_waits_while_all_is_closed_is_told(tmp_path: Path) -> None:
    log = tmp_path / "log"
    client = McpClient([scripted(log=str(log))], directory="/", environment=ENVIRONMENT)
    tool = next(tool for tool in client.tools if tool.name == "silent")
    with when(lambda: "silent" in heard(log), client.close), pytest.raises(RemoteToolsClosed):
        client.call(tool, {}, cancellation=Cancellation())
    with pytest.raises(RemoteToolsClosed):
        client.call(tool, {}, cancellation=Cancellation())


def test_no_descriptor_thread_or_zombie_is_left(tmp_path: Path) -> None:
    with connected(scripted()):
        pass
    threads, descriptors = threading.active_count(), len(os.listdir("/proc/self/fd"))
    born = tmp_path / "born"
    with connected(
        scripted(born=str(born)), scripted("silent", start="exit"), McpServer("none", ["/no/such"])
    ) as client:
        with pytest.raises(ConnectionLost):
            call(client, "die")
        call(client, "echo")
    assert (threading.active_count(), len(os.listdir("/proc/self/fd"))) == (threads, descriptors)
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids(born))


@pytest.mark.parametrize("ending", ["raise SystemExit(1)", "import os; os.kill(os.getpid(), 9)"])
def test_nothing_outlives_a_host_that_does_not_close(tmp_path: Path, ending: str) -> None:
    born = tmp_path / "born"
    code = (
        "from mmtools.adapters.mcp_client import McpClient\n"
        "from tests.adapters.mcp.serving import *\n"
        f"client = McpClient([scripted(born={str(born)!r})], directory='/', environment=ENVIRONMENT)\n"
        "call(client, 'echo')\n"
        f"{ending}\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=2 * PATIENCE_S
    )
    assert ended.stderr == ""
    for pid in pids(born):
        soon(partial(lambda child: not alive(child), pid))


def test_a_host_that_is_interrupted_while_it_connects_leaves_nothing(tmp_path: Path) -> None:
    born = tmp_path / "born"
    code = (
        "from mmtools.adapters.mcp_client import McpClient\n"
        "from tests.adapters.mcp.serving import *\n"
        f"servers = [scripted('a', born={str(born)!r}), scripted('b', start='silent', born={str(born)!r})]\n"
        "McpClient(servers, directory='/', environment=ENVIRONMENT)\n"
    )
    host = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True)
    soon(lambda: born.exists() and len(pids(born)) == 2)
    host.send_signal(2)
    _, errors = host.communicate(timeout=PATIENCE_S)
    assert errors.splitlines()[-1] == "KeyboardInterrupt"
    assert not any(map(alive, pids(born)))


def test_a_task_that_is_cancelled_ends_its_call(tmp_path: Path) -> None:
    log = tmp_path / "log"

    async def cancel(runner: Runner) -> None:
        task = asyncio.create_task(runner.acall("scripted__silent"))
        await asyncio.to_thread(soon, lambda: "silent" in heard(log))
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with connected(scripted(log=str(log))) as client:
        runner = Runner(remote.build(client).tools, permission=AllowAll())
        asyncio.run(cancel(runner))
        assert "notifications/cancelled" in runner.execute("scripted__heard")


def test_a_fork_of_the_host_owns_nothing() -> None:
    with connected(scripted()) as client:
        pid = os.fork()
        if pid == 0:
            try:
                call(client, "echo")
            except RemoteToolsClosed:
                client.close()
                os._exit(0)
            os._exit(1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
        assert text(call(client, "echo")) == "{}"


def test_a_child_sees_the_environment_it_is_given_and_its_own(tmp_path: Path) -> None:
    show = "import os, sys; sys.exit(' '.join([os.environ['A'], os.environ['B'], str('C' in os.environ), os.getcwd()]))"
    command = [sys.executable, "-I", "-S", "-c", show]
    servers = [
        McpServer("root", command, env={"B": "own"}),
        McpServer("cwd", command, env={"B": "own", "A": "own"}, cwd=str(tmp_path)),
    ]
    with connected(*servers, environment={**ENVIRONMENT, "A": "given", "B": "given"}) as client:
        assert [each.reason for each in client.left_out] == [
            "exit status 1: given own False /",
            f"exit status 1: own own False {tmp_path}",
        ]
