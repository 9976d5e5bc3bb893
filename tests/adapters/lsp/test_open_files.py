"""Questions about one file, whatever the server does."""

from __future__ import annotations

import json
import signal
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from mmtools.adapters.lsp.timeouts import Timeouts
from mmtools.call import Cancellation
from mmtools.ports.files import IsDirectory, Missing
from mmtools.ports.language_server_problems import (
    Interrupted,
    NoAnswer,
    NotSendable,
    ServerError,
    TextChanged,
    Unsupported,
)
from mmtools.ports.language_servers import Answer, Feature
from mmtools.testing.scripted_language_servers import (
    CAPABILITIES,
    awaits,
    fails,
    floods,
    later,
    notifies,
    raw,
    replies,
    requests,
    sleeps,
)
from tests.adapters.lsp.workbench import HERE, PATIENT, bench
from tests.patience import AGES_S, at_once, soon, when

pytestmark = pytest.mark.slow

HOVER = {"contents": "words"}


def test_answers_reach_who_asked_in_whatever_order_they_come(tmp_path: Path) -> None:
    turns = [[later(0.3, replies({"contents": "late"}))], [replies({"contents": "early"})]]
    with bench(tmp_path, {"textDocument/hover": turns}) as at:
        first = at.open()
        came: dict[str, object] = {}
        slow = threading.Thread(target=lambda: came.update(slow=first.ask(Feature.HOVER, HERE).content))
        slow.start()
        soon(lambda: at.received("textDocument/hover"))
        assert at.open().ask(Feature.HOVER, HERE).content == {"contents": "early"}
        slow.join()
        assert came == {"slow": {"contents": "late"}}


@pytest.mark.parametrize("piece_bytes", [1, 2, 3, 7])
def test_messages_may_come_in_pieces_that_split_characters(tmp_path: Path, piece_bytes: int) -> None:
    content = {"contents": "ä€😀" * 40}
    with bench(tmp_path, {"textDocument/hover": [[replies(content)]]}, piece_bytes=piece_bytes) as at:
        assert at.open().ask(Feature.HOVER, HERE).content == content


def test_what_is_no_message_is_passed_over(tmp_path: Path) -> None:
    noise = [
        raw("Debugger attached.\n"),
        raw("Content-Length: 9\r\n\r\n{not json"),
        raw("content-length:4\r\nX-Other: 1\r\n\r\nnull"),
        raw("CONTENT-LENGTH: 2\nContent-Type: application/vscode-jsonrpc; charset=utf8\n\n[]"),
        raw("Content-Length: 2\r\n\r\n\udcff\udcfe"),
        notifies("$/unknown", {"deep": [{}]}),
        notifies("$/progress", "nonsense"),
        notifies("$/progress", {"token": [], "value": 3}),
        notifies("textDocument/publishDiagnostics", {"uri": 4, "diagnostics": [None, 3, {}]}),
        notifies("experimental/serverStatus", [None]),
        raw('Content-Length: 33\r\n\r\n{"id":123456,"result":"to nobody"}'[:-1] + "}"),
    ]
    with bench(tmp_path, {"textDocument/hover": [[*noise, replies(HOVER)]]}) as at:
        assert at.open().ask(Feature.HOVER, HERE).content == HOVER


def test_the_server_gets_answers_to_all_its_requests(tmp_path: Path) -> None:
    """C54: a server that answers nothing before it has its own answers; one of them with the id of our question."""
    steps = [
        requests("a", "client/registerCapability", {"registrations": [{"id": "w", "method": "x"}, {"id": 3}, 4]}),
        requests(2, "workspace/configuration", {"items": [{"section": "x.y"}, {"section": "no"}, {}]}),
        requests(7, "window/workDoneProgress/create", {"token": 1}),
        requests("d", "workspace/unheardOf", None),
        requests("e", "workspace/applyEdit", {"edit": {"changes": {"$uri": []}}}),
        requests("f", "workspace/workspaceFolders"),
        requests("g", "workspace/diagnostic/refresh"),
        requests("h", "window/showMessageRequest", {"type": 1, "message": "?"}),
        requests("i", "client/unregisterCapability", {"unregisterations": [{"id": "w"}, {}, None]}),
        requests("j", "workspace/configuration", None),
        requests("k", "window/showDocument", {"uri": "x"}),
        *(awaits(id_) for id_ in ["a", 2, 7, *"defghijk"]),
        replies(HOVER),
    ]
    with bench(tmp_path, {"textDocument/hover": [steps]}, settings={"x.y": {"z": 1}}) as at:
        assert at.open().ask(Feature.HOVER, HERE).content == HOVER
        given = {str(each["id"]): each for each in at.scripted.received() if "id" in each and "method" not in each}
        assert {id_: answer.get("result", answer.get("error", {}).get("code")) for id_, answer in given.items()} == {
            "a": None,
            "2": [{"z": 1}, None, {"x": {"y": {"z": 1}}}],
            "7": None,
            "d": -32601,
            "e": {"applied": False, "failureReason": "files are only changed by a rename"},
            "f": [{"uri": at.root.as_uri(), "name": "project"}],
            "g": None,
            "h": None,
            "i": None,
            "j": [],
            "k": {"success": False},
        }
        assert (at.root / "a.py").read_text() == "a = 1\n"
        assert at.received("workspace/didChangeConfiguration") == [{"settings": {"x": {"y": {"z": 1}}}}]


def test_the_server_may_ask_during_the_handshake(tmp_path: Path) -> None:
    steps = [
        requests(1, "workspace/configuration", {"items": [{}]}),
        awaits(1),
        replies({"capabilities": CAPABILITIES}),
    ]
    with bench(tmp_path, {"initialize": [steps], "textDocument/hover": [[replies(HOVER)]]}) as at:
        assert at.open().ask(Feature.HOVER, HERE).content == HOVER


def test_a_flood_of_errors_blocks_nobody(tmp_path: Path) -> None:
    with bench(tmp_path, {"textDocument/hover": [[floods(4), replies(HOVER)]]}) as at:
        assert at.open().ask(Feature.HOVER, HERE).content == HOVER


def test_a_server_that_stops_reading_blocks_nobody(tmp_path: Path) -> None:
    timeouts = Timeouts(request_s=0.3, shutdown_s=0.1)
    with bench(tmp_path, {"textDocument/hover": [[sleeps(AGES_S)]]}, timeouts=timeouts) as at:
        at.write("a.py", "x" * 3_000_000)
        for _ in range(3):
            with pytest.raises(NoAnswer) as caught:
                at.open().ask(Feature.HOVER, HERE)
            assert caught.value.within_s == 0.3
            at.write("a.py", "y" * 3_000_000 + str(time.time()))


def test_an_answer_that_comes_too_late_is_dropped_and_called_off(tmp_path: Path) -> None:
    late = json.dumps({"jsonrpc": "2.0", "id": 2, "result": {"contents": "late"}})
    on = {
        "textDocument/hover": [[], [replies({"contents": "in time"})]],
        # Who answers a request has read what came before it.
        "$/cancelRequest": [
            [raw(f"Content-Length: {len(late)}\r\n\r\n{late}"), requests("after", "unknown/method")],
            [],
        ],
    }
    with bench(tmp_path, on, timeouts=Timeouts(request_s=0.5)) as at:
        file = at.open()
        with pytest.raises(NoAnswer):
            file.ask(Feature.HOVER, HERE)
        soon(lambda: any(message.get("id") == "after" for message in at.scripted.received()))
        (asked,) = at.scripted.received("textDocument/hover")
        assert at.received("$/cancelRequest") == [{"id": asked["id"]}] == [{"id": 2}]
        contents: list[object] = []

        def answered() -> bool:
            with suppress(NoAnswer):
                contents.append(file.ask(Feature.HOVER, HERE).content)
            return bool(contents)

        soon(answered)
        assert contents == [{"contents": "in time"}]


def test_a_cancelled_call_ends_at_once(tmp_path: Path) -> None:
    with bench(tmp_path, {"textDocument/hover": [[]]}, timeouts=PATIENT) as at:
        cancellation = Cancellation()
        file = at.open("a.py", cancellation)
        asked = when(lambda: at.received("textDocument/hover"), cancellation.request)
        with at_once(), asked, pytest.raises(Interrupted):
            file.ask(Feature.HOVER, HERE)
        with pytest.raises(Interrupted):
            file.diagnostics()
        soon(lambda: at.received("$/cancelRequest"))


@pytest.mark.parametrize(("sent", "told"), [("first\n  second", "first second"), ("", "an error without words")])
def test_an_error_is_told_in_one_line(tmp_path: Path, sent: str, told: str) -> None:
    with bench(tmp_path, {"textDocument/hover": [[fails(-32603, sent)]]}) as at:
        with pytest.raises(ServerError) as caught:
            at.open().ask(Feature.HOVER, HERE)
        assert (caught.value.server, caught.value.reason, caught.value.code) == ("scripted", told, -32603)


@pytest.mark.parametrize("code", [-32801, -32802])
def test_a_question_at_a_bad_moment_is_asked_again(tmp_path: Path, code: int) -> None:
    bad = [fails(code, "content modified")]
    with bench(tmp_path, {"textDocument/hover": [bad, bad, bad, [replies(HOVER)]]}) as at:
        assert at.open().ask(Feature.HOVER, HERE) == Answer(HOVER)
    with bench(tmp_path, {"textDocument/hover": [bad]}) as at, pytest.raises(ServerError, match="content modified"):
        at.open().ask(Feature.HOVER, HERE)


def test_what_a_server_does_not_offer_is_not_asked(tmp_path: Path) -> None:
    capabilities = {"hoverProvider": False, "definitionProvider": {}, "renameProvider": True}
    with bench(tmp_path, capabilities=capabilities) as at:
        file = at.open()
        offered = [feature for feature in Feature if file.offers(feature)]
        assert offered == [Feature.DEFINITION, Feature.RENAME]
        for feature in set(Feature) - set(offered):
            with pytest.raises(Unsupported) as caught:
                file.ask(feature, HERE)
            assert caught.value.feature is feature


def test_what_a_server_registers_later_is_offered(tmp_path: Path) -> None:
    steps = [requests(1, "client/registerCapability", {"registrations": [{"id": "h", "method": "textDocument/hover"}]})]
    with bench(tmp_path, {"initialized": [steps], "textDocument/hover": [[replies(HOVER)]]}, capabilities={}) as at:
        file = at.open()
        soon(lambda: file.offers(Feature.HOVER))
        assert file.ask(Feature.HOVER, HERE).content == HOVER


def test_method_not_found_means_not_offered(tmp_path: Path) -> None:
    with bench(tmp_path, {"textDocument/hover": [[fails(-32601, "no")]]}) as at, pytest.raises(Unsupported):
        at.open().ask(Feature.HOVER, HERE)


@pytest.mark.parametrize(
    ("encoding", "character"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2), (["utf-8"], 3), (None, 3)]
)
def test_positions_are_in_the_units_that_the_server_insists_on(
    tmp_path: Path, encoding: object, character: int
) -> None:
    with bench(tmp_path, capabilities={**CAPABILITIES, "positionEncoding": encoding}) as at:
        at.write("a.py", "😀a b\n")
        assert at.open().document.position(2).character == character


def test_files_that_cannot_be_shown_are_refused_by_their_kind(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        at.write("binary.py", b"\0\1\2")
        at.write("latin.py", "é".encode("latin-1"))
        at.write("large.py", b"x" * (4 * 1024 * 1024 + 1))
        (at.root / "folder.py").mkdir()
        for name in ("binary.py", "latin.py", "large.py"):
            with pytest.raises(NotSendable):
                at.open(name)
        with pytest.raises(IsDirectory):
            at.open("folder.py")
        with pytest.raises(Missing):
            at.open("none.py")
        assert at.received("textDocument/didOpen") == []


def test_a_question_about_a_text_that_is_gone_is_refused(tmp_path: Path) -> None:
    with bench(tmp_path) as at:
        file = at.open()
        time.sleep(0.01)
        path = at.write("a.py", "b = 2\n")
        with pytest.raises(TextChanged):
            file.ask(Feature.HOVER, HERE)
        with pytest.raises(TextChanged):
            file.diagnostics()
        again = at.open()
        assert again.document.text == "b = 2\n"
        path.unlink()
        time.sleep(0.01)
        with pytest.raises(Missing):
            again.ask(Feature.HOVER, HERE)


def test_a_signal_handler_may_cancel_the_call_that_it_interrupts(tmp_path: Path) -> None:
    with bench(tmp_path, {"textDocument/hover": [[]]}, timeouts=PATIENT) as at:
        cancellation = Cancellation()
        file = at.open("a.py", cancellation)
        before = signal.signal(signal.SIGUSR1, lambda *_: cancellation.request())
        interrupt = partial(signal.pthread_kill, threading.main_thread().ident or 0, signal.SIGUSR1)
        try:
            with when(lambda: at.received("textDocument/hover"), interrupt), pytest.raises(Interrupted):
                file.ask(Feature.HOVER, HERE)
        finally:
            signal.signal(signal.SIGUSR1, before)
