"""A server kept at hand: how often it is started."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from mmtools.adapters.mcp.timeouts import Timeouts
from mmtools.adapters.mcp_client import McpClient
from mmtools.call import Cancellation
from mmtools.ports.remote_tool_problems import ConnectionLost, DiesTooOften, Interrupted, NotConnected
from tests.adapters.mcp.serving import ENVIRONMENT, call, connected, scripted, text
from tests.patience import PATIENCE_S, when

pytestmark = pytest.mark.slow


def starts(born: Path) -> int:
    return len(born.read_text().split())


def test_a_server_that_ends_over_and_over_is_not_started_again(tmp_path: Path) -> None:
    born = tmp_path / "born"
    with connected(scripted(born=str(born))) as client:
        for count in (1, 2, 3):
            with pytest.raises(ConnectionLost):
                call(client, "die")
            assert starts(born) == count
        for _ in range(3):
            with pytest.raises(DiesTooOften) as refused:
                call(client, "echo")
            assert (refused.value.reason, refused.value.last_words) == ("exit status 3", "fatal: out of memory")
        assert starts(born) == 3


def test_after_a_while_it_is(tmp_path: Path) -> None:
    timeouts = Timeouts(starts=1, starts_within_s=0.0)
    with McpClient([scripted()], directory="/", environment=ENVIRONMENT, timeouts=timeouts) as client:
        for _ in range(4):
            with pytest.raises(ConnectionLost):
                call(client, "die")
            assert text(call(client, "echo")) == "{}"


def test_those_that_wait_for_a_start_wait_for_the_same(tmp_path: Path) -> None:
    born = tmp_path / "born"
    with connected(scripted(born=str(born))) as client:
        with pytest.raises(ConnectionLost):
            call(client, "die")
        answers: list[str] = []
        threads = [threading.Thread(target=lambda: answers.append(text(call(client, "echo")))) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers == ["{}"] * 6
        assert starts(born) == 2


def test_a_server_that_cannot_be_started_again_says_why(tmp_path: Path) -> None:
    script = tmp_path / "options"
    script.write_text("{}")
    server = scripted(later_options=str(script), start_timeout_s=PATIENCE_S)
    with connected(server) as client:
        with pytest.raises(ConnectionLost):
            call(client, "die")
        script.write_text('{"start": "exit"}')
        with pytest.raises(NotConnected) as failed:
            call(client, "echo")
        assert (failed.value.reason, failed.value.last_words) == ("exit status 7", "cannot read the key file")
        script.write_text("{}")
        assert text(call(client, "echo")) == "{}"


def test_a_call_that_is_cancelled_while_its_server_starts_leaves_the_start_to_others(tmp_path: Path) -> None:
    script, born, go = tmp_path / "options", tmp_path / "born", tmp_path / "go"
    script.write_text("{}")
    with connected(scripted(later_options=str(script), born=str(born))) as client:
        with pytest.raises(ConnectionLost):
            call(client, "die")
        script.write_text(json.dumps({"start": "slow", "go": str(go)}))
        cancellation = Cancellation()
        with when(lambda: starts(born) == 2, cancellation.request), pytest.raises(Interrupted):
            call(client, "echo", cancellation=cancellation)
        go.touch()
        assert text(call(client, "echo")) == "{}"
