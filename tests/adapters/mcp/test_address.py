"""Servers at an address: the SDK's own over streamable HTTP, and addresses where there is none."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typing_extensions import override

from mmtools.adapters.mcp.timeouts import Timeouts
from mmtools.adapters.mcp_client import McpClient
from mmtools.call import Cancellation
from mmtools.ports.remote_tool_problems import CallRefused, ConnectionLost, Interrupted, NoAnswer, NotConnected
from mmtools.ports.remote_tools import McpServer, MediaBlock
from tests.adapters.mcp.serving import ENVIRONMENT, call, connected, free_port, listening, text

pytestmark = pytest.mark.slow

#: What each path answers: a status, and headers with a body.
PAGES: dict[str, tuple[int, dict[str, str], bytes]] = {
    "/unauthorised": (401, {}, b""),
    "/missing": (404, {}, b""),
    "/broken": (500, {}, b"oops"),
    "/page": (200, {"content-type": "text/html"}, b"<h1>Hello</h1>"),
    "/words": (200, {"content-type": "application/json"}, b"hello"),
    "/cut": (200, {"content-type": "application/json", "content-length": "999"}, b"{"),
    "/moved": (302, {"location": "http://elsewhere.invalid/"}, b""),
    "/accepted": (202, {}, b""),
}


JSON, SSE, HTML = ({"content-type": kind} for kind in ("application/json", "text/event-stream", "text/html"))

#: A part of a body that goes on and on.
ENDLESS = b'"' + b"x" * 65_535

#: What each tool at `/mcp` answers when it is called, and the words of the cause.
ANSWERS: dict[str, tuple[int, dict[str, str], bytes]] = {
    "malformed": (200, JSON, b'{"jsonrpc": "2.0", "id": 3, "resu'),
    "no_json": (200, JSON, b"<h1>hello</h1>"),
    "half_utf8": (200, JSON, b'{"jsonrpc": "2.0", "id": 3, "result": "\xff'),
    "nothing": (200, JSON, b""),
    "a_list": (200, JSON, b"[1, 2]"),
    "page": (200, HTML, b"<h1>hello</h1>"),
    "no_type": (200, {}, b"{}"),
    "cut_sse": (200, SSE, b'event: message\ndata: {"jsonrpc": "2.0", "id": 3, "resu'),
    "bad_sse": (200, SSE, b"event: message\ndata: {nonsense\n\n"),
    "empty_sse": (200, SSE, b""),
    "error_page": (500, HTML, b"<h1>oops</h1>" * 1_000),
    "gone": (410, HTML, b"<h1>gone</h1>"),
    "moved": (307, {"location": "http://elsewhere.invalid/"}, b""),
    "moved_nowhere": (302, {}, b""),
    "moved_round": (302, {"location": "/mcp"}, b""),
    "endless": (200, JSON, ENDLESS),
    "endless_sse": (200, SSE, ENDLESS),
}


class Pages(BaseHTTPRequestHandler):
    """A server that answers with a page; and at `/mcp` as one that answers in JSON and knows its sessions."""

    server: Site

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path == "/silent":
            self.server.silence.wait()
        elif self.path == "/mcp":
            self.answer(message)
        else:
            self.say(*PAGES[self.path])

    def answer(self, message: dict[str, Any]) -> None:
        session = self.headers.get("mcp-session-id")
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message.get("id")}
        status, headers = 200, {"content-type": "application/json"}
        if message["method"] == "initialize":
            session = headers["mcp-session-id"] = str(len(self.server.sessions) + 1)
            self.server.sessions.append(session)
            reply["result"] = {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "site", "version": "1"},
            }
        elif session not in self.server.sessions:
            status, reply["error"] = 404, {"code": -32600, "message": "Session not found"}
        elif message["method"] == "tools/list":
            reply["result"] = {"tools": [{"name": name} for name in ("session", "refuse", *ANSWERS)]}
        elif message["method"] != "tools/call":
            status = 202
        elif message["params"]["name"] in ANSWERS:
            self.say_badly(*ANSWERS[message["params"]["name"]])
            return
        elif message["params"]["name"] == "session":
            reply["result"] = {"content": [{"type": "text", "text": session}]}
        else:
            reply["error"] = {"code": -32000, "message": "SSE is not for sale"}
        self.say(status, headers, json.dumps(reply).encode())

    def say_badly(self, status: int, headers: dict[str, str], body: bytes) -> None:
        """Answer without a length and hang up after it; "endless" never ends by itself."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        while body == ENDLESS:
            self.wfile.write(body)
        self.close_connection = True

    def do_GET(self) -> None:
        self.say(405, {}, b"")

    def do_DELETE(self) -> None:
        self.say(204, {}, b"")

    def say(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Site(ThreadingHTTPServer):
    request_queue_size = 64
    daemon_threads = True

    def __init__(self, port: int = 0) -> None:
        self.sessions: list[str] = []
        self.silence = threading.Event()
        super().__init__(("127.0.0.1", port), Pages)

    @override
    def handle_error(self, request: Any, client_address: Any) -> None:
        # Who has read enough hangs up.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


@contextmanager
def site(port: int = 0) -> Iterator[Site]:
    with Site(port) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.silence.set()
            server.shutdown()
            thread.join()


def sdk_server(port: int) -> list[str]:
    return [sys.executable, str(Path(__file__).with_name("sdk_server.py")), str(port)]


def test_an_address_without_a_server_is_left_out_with_a_reason(capfd: pytest.CaptureFixture[str]) -> None:
    with site() as server:
        pages = f"http://127.0.0.1:{server.server_port}"
        servers = [McpServer(path[1:], url=f"{pages}{path}") for path in PAGES]
        silent = McpServer("silent", url=f"{pages}/silent", start_timeout_s=0.5)
        nobody = McpServer("nobody", url=f"http://127.0.0.1:{free_port()}/mcp")
        with connected(*servers, silent, nobody) as client:
            assert client.tools == ()
            assert {each.server: each.reason for each in client.left_out} == {
                "unauthorised": "HTTP status 401 Unauthorized",
                "missing": "HTTP status 404 Not Found",
                "broken": "HTTP status 500 Internal Server Error",
                "page": "Unexpected content type: text/html",
                "words": "its answer is not as the protocol says",
                "cut": "peer closed connection without sending complete message body (received 1 bytes, expected 999)",
                "moved": "Redirect to http://elsewhere.invalid/ not followed; "
                "use that URL as the endpoint if it is the intended server",
                "accepted": "server answered a request with 202 Accepted",
                "silent": "not ready within 0.5 s",
                "nobody": "All connection attempts failed",
            }
    assert capfd.readouterr() == ("", "")


def test_a_call_goes_out_again_in_a_new_session_when_the_server_does_not_know_the_old_one() -> None:
    with site() as server, connected(McpServer("site", url=f"http://127.0.0.1:{server.server_port}/mcp")) as client:
        assert text(call(client, "session")) == "1"
        server.sessions[0] = "forgotten"
        assert text(call(client, "session")) == "2"
        assert text(call(client, "session")) == "2"
        with pytest.raises(CallRefused, match="SSE is not for sale"):
            call(client, "refuse")


NOT_READ = "its answer is not as the protocol says"
CAUSES = {
    "page": "Unexpected content type: text/html",
    "no_type": "Unexpected content type:",
    "cut_sse": "SSE stream ended without a response",
    "empty_sse": "SSE stream ended without a response",
    "error_page": "HTTP status 500 Internal Server Error",
    "gone": "HTTP status 410 Gone",
    "moved": "Redirect to http://elsewhere.invalid/ not followed",
    "moved_nowhere": "Unexpected content type:",
    "moved_round": "Redirect to http://127.0.0.1:",
    "endless": "its answer is longer than 67,108,864 bytes",
    "endless_sse": "SSE stream ",
}


def test_an_answer_that_cannot_be_read_is_an_answer_at_once_and_costs_no_other_call() -> None:
    with site() as server, connected(McpServer("site", url=f"http://127.0.0.1:{server.server_port}/mcp")) as client:
        for name in ANSWERS:
            # Never the time limit, which is as long as a test may take.
            with pytest.raises((CallRefused, ConnectionLost)) as told:
                call(client, name)
            assert told.value.server == "site"
            assert CAUSES.get(name, NOT_READ) in str(told.value), name
            assert text(call(client, "session"))


def test_a_server_that_is_gone_is_missed_and_found_again_however_often_that_is_tried() -> None:
    port = free_port()
    with ExitStack() as stack:
        with site(port):
            client = stack.enter_context(connected(McpServer("site", url=f"http://127.0.0.1:{port}/mcp")))
            assert text(call(client, "session")) == "1"
        for _ in range(5):
            with pytest.raises(NotConnected, match="All connection attempts failed"):
                call(client, "session")
        with site(port):
            assert text(call(client, "session")) == "1"


def test_a_server_of_the_sdk_from_its_start_to_its_end() -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}/mcp"
    servers = [
        McpServer("sdk", url=address, headers={"X-Token": "abc"}),
        McpServer("hasty", url=address, timeout_s=0.3),
    ]
    timeouts = Timeouts(leave_s=0.5)
    with (
        listening([sys.executable, str(Path(__file__).with_name("sdk_server.py")), str(port)], port),
        McpClient(servers, directory="/", environment=ENVIRONMENT, timeouts=timeouts) as client,
    ):
        assert [tool.name for tool in client.tools] == ["add", "sleep", "fail", "picture", "header", "crash"] * 2
        added = call(client, "add", a=1, b=2)
        assert (text(added), added.structured) == ("3", {"result": 3})
        assert text(call(client, "header")) == "abc"
        [picture] = call(client, "picture").blocks
        assert isinstance(picture, MediaBlock)
        assert picture.data.startswith(b"\x89PNG")
        failed = call(client, "fail")
        assert failed.failed
        assert text(failed) == "Error executing tool fail"
        with pytest.raises(NoAnswer):
            call(client, "sleep", server="hasty", seconds=30)
        cancellation = Cancellation()
        threading.Timer(0.1, cancellation.request).start()
        with pytest.raises(Interrupted):
            call(client, "sleep", seconds=30, cancellation=cancellation)
        with pytest.raises(ConnectionLost) as lost:
            call(client, "crash")
        assert lost.value.reason == "SSE stream ended without a response"
