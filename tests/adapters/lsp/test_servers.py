"""Servers as child processes: started, answered, lost, started again and stopped, whatever they do."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import threading
from functools import partial
from pathlib import Path

import pytest
from attrs import evolve

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.lsp.servers import LocalLanguageServers
from mmtools.adapters.lsp.texts import TextReader
from mmtools.adapters.lsp.timeouts import Timeouts
from mmtools.call import Cancellation
from mmtools.errors import DefinitionError
from mmtools.ports.language_server_problems import (
    Died,
    DiesTooOften,
    Interrupted,
    LanguageServersClosed,
    NoServer,
    NotStarted,
)
from mmtools.ports.language_servers import Feature, LanguageServer
from mmtools.testing.scripted_language_servers import (
    CAPABILITIES,
    closes_output,
    exits,
    fails,
    raw,
    replies,
    signals,
    sleeps,
    spawns,
    writes_errors,
)
from tests.adapters.lsp.workbench import HASTE, HERE, PATIENT, bench, lives, threads
from tests.patience import AGES_S, TRIES_S, at_once, soon, when

pytestmark = pytest.mark.slow

HOVER = {"contents": "words"}


def servers_for(root: Path, *servers: LanguageServer, timeouts: Timeouts = HASTE) -> LocalLanguageServers:
    reader = TextReader(files=LocalFiles(root))
    return LocalLanguageServers(root, servers, read=reader, environment=dict(os.environ), timeouts=timeouts)


def test_nothing_is_started_before_it_is_needed(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        assert at.scripted.received() == []
        at.servers.note_changed()
        assert at.scripted.received() == []
        at.open()
        soon(lambda: at.received("initialize"))


def test_the_handshake_says_who_and_where_we_are(tmp_path: Path) -> None:
    with bench(tmp_path, initialization_options={"deep": [1]}) as at:
        at.open().ask(Feature.SYMBOLS)
        (said,) = at.received("initialize")
        assert said["processId"] == os.getpid()
        assert said["rootUri"] == (at.root).as_uri()
        assert said["rootPath"] == str(at.root)
        assert said["workspaceFolders"] == [{"uri": at.root.as_uri(), "name": "project"}]
        assert said["initializationOptions"] == {"deep": [1]}
        assert "trace" not in said
        capabilities = said["capabilities"]
        assert capabilities["general"]["positionEncodings"] == ["utf-16"]
        assert "resourceOperations" not in capabilities["workspace"]["workspaceEdit"]
        methods = [message.get("method") for message in at.scripted.received()]
        assert methods[:3] == ["initialize", "initialized", "textDocument/didOpen"]


def test_one_process_serves_all_calls_of_all_threads(tmp_path: Path) -> None:
    with bench(tmp_path, {"textDocument/hover": [[replies(HOVER)]]}) as at:
        answers: list[object] = []

        def ask() -> None:
            answers.extend(at.open().ask(Feature.HOVER, HERE).content for _ in range(20))

        workers = [threading.Thread(target=ask) for _ in range(8)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        assert answers == [HOVER] * 160
        assert len(at.received("initialize")) == len(at.received("textDocument/didOpen")) == 1


def test_a_cancelled_start_ends_at_once_and_counts_for_none(tmp_path: Path) -> None:
    with bench(tmp_path, {"initialize": [[sleeps(AGES_S)]]}, timeouts=PATIENT) as at:
        for number in range(4):
            cancellation = Cancellation()
            asked = partial(lambda before: len(at.received("initialize")) > before, number)
            with at_once(), when(asked, cancellation.request), pytest.raises(Interrupted):
                at.open("a.py", cancellation)
        assert threads() == set()


@pytest.mark.parametrize("result", [None, [], 3, "x", {"capabilities": None}, {"capabilities": {"hoverProvider": []}}])
def test_a_strange_greeting_offers_nothing(tmp_path: Path, result: object) -> None:
    with bench(tmp_path, {"initialize": [[replies(result)]]}) as at:
        file = at.open()
        assert not any(file.offers(feature) for feature in Feature)


class TestDeath:
    def test_in_the_middle_of_a_request(self, tmp_path: Path) -> None:
        turns = [[writes_errors("some\nlast words\n\n"), spawns(300), signals(9)], [replies(HOVER)]]
        with bench(tmp_path, {"textDocument/hover": turns}, timeouts=PATIENT) as at:
            file = at.open()
            with at_once(), pytest.raises(Died) as caught:
                file.ask(Feature.HOVER, HERE)
            assert caught.value.reason == "signal: SIGKILL"
            assert caught.value.last_words == "last words"
            (child,) = at.pids()
            assert not lives(child)
            assert threads() == set()

    def test_does_not_keep_the_next_call_from_a_new_server_that_knows_nothing(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"textDocument/definition": [[exits(3)]]}) as at:
            file = at.open()
            with pytest.raises(Died, match="exit status 3"):
                file.ask(Feature.DEFINITION, HERE)
            with pytest.raises(Died):
                file.ask(Feature.HOVER, HERE)
            at.open().ask(Feature.HOVER, HERE)
            assert [item["textDocument"]["version"] for item in at.received("textDocument/didOpen")] == [1, 1]

    def test_between_calls_is_not_noticed(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"textDocument/hover": [[replies(HOVER), exits(0)]]}) as at:
            at.open().ask(Feature.HOVER, HERE)
            soon(lambda: not threads())
            assert at.open().ask(Feature.HOVER, HERE).content == HOVER

    def test_of_the_output_alone_counts_too(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"textDocument/hover": [[closes_output(), sleeps(AGES_S)]]}, timeouts=PATIENT) as at:
            file = at.open()
            with at_once(), pytest.raises(Died, match="it has closed its output"):
                file.ask(Feature.HOVER, HERE)
            assert threads() == set()

    @pytest.mark.parametrize(
        "noise", ["x" * 70_000, "Content-Length: 99999999999\r\n\r\n"], ids=["no header", "absurd length"]
    )
    def test_is_what_endless_nonsense_comes_to(self, tmp_path: Path, noise: str) -> None:
        with bench(tmp_path, {"textDocument/hover": [[raw(noise), sleeps(AGES_S)]]}) as at, pytest.raises(Died):
            at.open().ask(Feature.HOVER, HERE)

    def test_at_the_start_is_told_with_the_last_words(self, tmp_path: Path) -> None:
        steps = [writes_errors("\x1b[31merror\x1b[0m: no component\n"), exits(1)]
        with bench(tmp_path, {"initialize": [steps]}) as at:
            with pytest.raises(NotStarted) as caught:
                at.open()
            assert (caught.value.server, caught.value.reason) == ("scripted", "exit status 1")
            assert caught.value.last_words == "error: no component"
            assert not isinstance(caught.value, DiesTooOften)

    def test_over_and_over_is_not_tried_for_ever(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"initialize": [[writes_errors("why"), exits(7)]]}) as at:
            for _ in range(3):
                with pytest.raises(NotStarted, match="exit status 7"):
                    at.open()
            with at_once(), pytest.raises(DiesTooOften) as caught:
                at.open()
            assert (caught.value.reason, caught.value.last_words) == ("exit status 7", "why")
            assert len(at.received("initialize")) == 3

    def test_is_forgiven_after_a_time(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"initialize": [[exits(7)]]}, timeouts=evolve(HASTE, restarts=1, restarts_s=0.5)) as at:

            def starts_and_dies() -> bool:
                with pytest.raises(NotStarted, match="exit status 7") as caught:
                    at.open()
                return not isinstance(caught.value, DiesTooOften)

            assert starts_and_dies()
            soon(starts_and_dies)


@pytest.mark.parametrize(
    "steps", [[fails(-32603, "not here")], [sleeps(AGES_S)], [replies({"capabilities": CAPABILITIES}), exits(0)]]
)
def test_a_start_that_fails_leaves_nothing_behind(tmp_path: Path, steps: list[dict[str, object]]) -> None:
    for initialize_s in TRIES_S:
        timeouts = Timeouts(initialize_s=initialize_s)
        with bench(tmp_path, {"initialize": [[spawns(300), *steps]]}, timeouts=timeouts) as at:
            with pytest.raises((NotStarted, Died)):
                at.open().ask(Feature.HOVER, HERE)
            soon(lambda: not threads())
            for child in at.pids():
                soon(partial(lambda pid: not lives(pid), child))
            if at.pids():
                return
    raise AssertionError("it never had the time to spawn anything")


def test_why_the_handshake_failed_is_told(tmp_path: Path) -> None:
    with (
        bench(tmp_path, {"initialize": [[fails(1, "not here")]]}) as at,
        pytest.raises(NotStarted, match="initialize failed: not here"),
    ):
        at.open()
    with (
        bench(tmp_path, {"initialize": [[sleeps(9)]]}, timeouts=Timeouts(initialize_s=0.5)) as at,
        pytest.raises(NotStarted, match=r"no answer to initialize within 0\.5s"),
    ):
        at.open()


@pytest.mark.parametrize(
    ("command", "reason"),
    [("/no/such/program", "No such file or directory"), ("/etc/passwd", "Permission denied"), ("a\0b", "null byte")],
)
def test_what_cannot_be_started_is_told_in_the_systems_words(tmp_path: Path, command: str, reason: str) -> None:
    (tmp_path / "a.py").write_text("")
    with servers_for(tmp_path, LanguageServer("bad", [command], [".py"])) as servers:
        with pytest.raises(NotStarted, match=reason) as caught:
            servers.open(LocalFiles(tmp_path).locate("a.py"), Cancellation())
        assert caught.value.server == "bad"


def test_the_first_server_that_takes_a_name_is_asked(tmp_path: Path) -> None:
    for name in ("one.py", "two.pyi", "three.d.ts", "four.txt"):
        (tmp_path / name).write_text("")
    first = LanguageServer("first", ["/no/first"], ["d.ts", ".py"])
    second = LanguageServer("second", ["/no/second"], [".pyi", "ts", "py"])
    with servers_for(tmp_path, first, second) as servers:
        assert servers.servers == (first, second)
        for name, server in [("one.py", "first"), ("two.pyi", "second"), ("three.d.ts", "first")]:
            with pytest.raises(NotStarted) as caught:
                servers.open(LocalFiles(tmp_path).locate(name), Cancellation())
            assert caught.value.server == server
        with pytest.raises(NoServer, match=r"four\.txt"):
            servers.open(LocalFiles(tmp_path).locate("four.txt"), Cancellation())


class TestEnd:
    def test_says_goodbye_in_words_that_every_server_takes(self, tmp_path: Path) -> None:
        with bench(tmp_path) as at:
            at.open()
        assert [message for message in at.scripted.received() if message.get("method") in ("shutdown", "exit")] == [
            {"jsonrpc": "2.0", "id": 2, "method": "shutdown"},
            {"jsonrpc": "2.0", "method": "exit"},
        ]
        assert threads() == set()

    @pytest.mark.parametrize("ignored", [{"exit": [[sleeps(AGES_S)]]}, {"shutdown": [[sleeps(AGES_S)]]}])
    def test_comes_to_servers_that_do_not_heed_it(self, tmp_path: Path, ignored: dict[str, list[list[object]]]) -> None:
        on = {"textDocument/hover": [[spawns(300), replies(HOVER)]], **ignored}
        with at_once(), bench(tmp_path, on, timeouts=Timeouts(shutdown_s=0.3)) as at:  # type: ignore[arg-type]  # steps
            at.open().ask(Feature.HOVER, HERE)
        (child,) = at.pids()
        assert not lives(child)
        assert threads() == set()

    def test_is_for_good(self, tmp_path: Path) -> None:
        with bench(tmp_path) as at:
            file = at.open()
            at.servers.close()
            at.servers.close()
            with pytest.raises(LanguageServersClosed):
                at.open()
            with pytest.raises(Died):
                file.ask(Feature.HOVER, HERE)

    def test_breaks_off_a_start(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"initialize": [[sleeps(AGES_S)]]}, timeouts=PATIENT) as at:
            closing = when(lambda: at.received("initialize"), at.servers.close)
            with at_once(), closing, pytest.raises((Interrupted, LanguageServersClosed)):
                at.open()
            soon(lambda: not threads())

    def test_comes_with_the_last_reference(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"textDocument/hover": [[spawns(300), replies(HOVER)]]}) as at:
            servers = servers_for(at.root, at.scripted.configured())
            servers.open(at.files.locate("a.py"), Cancellation()).ask(Feature.HOVER, HERE)
            (child,) = at.pids()
            del servers
            gc.collect()
            soon(lambda: not lives(child))

    def test_comes_with_the_end_of_the_host(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"textDocument/hover": [[spawns(300), replies(HOVER)]]}) as at:
            host = textwrap.dedent(
                """
                import os, sys
                from mmtools.adapters.local_files import LocalFiles
                from mmtools.adapters.lsp.servers import LocalLanguageServers
                from mmtools.adapters.lsp.texts import TextReader
                from mmtools.call import Cancellation
                from mmtools.core.lsp.positions import Position
                from mmtools.ports.language_servers import Feature, LanguageServer
                root, *command = sys.argv[1:]
                files = LocalFiles(root)
                servers = LocalLanguageServers(
                    root, [LanguageServer("x", command, ".py")], read=TextReader(files=files), environment=os.environ
                )
                servers.open(files.locate("a.py"), Cancellation()).ask(Feature.HOVER, Position(0, 0))
                """
            )
            command = [sys.executable, "-c", host, str(at.root), *at.scripted.command]
            subprocess.run(command, check=True, timeout=60)
            (child,) = at.pids()
            soon(lambda: not lives(child))
            assert at.scripted.received("exit")

    def test_of_a_fork_is_none_of_the_servers(self, tmp_path: Path) -> None:
        with bench(tmp_path, {"textDocument/hover": [[replies(HOVER)]]}) as at:
            at.open().ask(Feature.HOVER, HERE)
            pid = os.fork()
            if pid == 0:
                at.servers.close()
                os._exit(0)
            os.waitpid(pid, 0)
            assert at.open().ask(Feature.HOVER, HERE).content == HOVER
            assert len(at.received("initialize")) == 1


def test_ctrl_c_in_the_terminal_does_not_reach_a_server(tmp_path: Path) -> None:
    with bench(tmp_path, {"textDocument/hover": [[spawns(300), replies(HOVER)]]}) as at:
        at.open().ask(Feature.HOVER, HERE)
        (child,) = at.pids()
        assert os.getsid(child) != os.getsid(0)
        assert os.getpgid(child) != os.getpgid(0)


def test_a_thousand_calls_leave_nothing_behind(tmp_path: Path) -> None:
    with bench(tmp_path, {"textDocument/hover": [[replies(HOVER)]]}) as at:
        at.open().ask(Feature.HOVER, HERE)
        gc.collect()
        before = len(gc.get_objects()), threading.active_count(), len(os.listdir("/proc/self/fd"))
        for _ in range(1000):
            at.open().ask(Feature.HOVER, HERE)
        gc.collect()
        objects, active, descriptors = len(gc.get_objects()), threading.active_count(), len(os.listdir("/proc/self/fd"))
        assert objects - before[0] < 200
        assert (active, descriptors) == before[1:]


@pytest.mark.parametrize("bad", [{"settings": {"a": object()}}, {"initialization_options": {1, 2}}])
def test_settings_that_are_no_json_are_the_hosts_bug(tmp_path: Path, bad: dict[str, object]) -> None:
    server = LanguageServer("odd", "program --flag 'one word'", ".py", **bad)  # type: ignore[arg-type]  # on purpose
    assert server.command == ("program", "--flag", "one word")
    with pytest.raises(DefinitionError, match="odd"):
        servers_for(tmp_path, server)


def test_a_server_without_a_command_is_the_hosts_bug(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="odd"):
        servers_for(tmp_path, LanguageServer("odd", "", ".py"))
