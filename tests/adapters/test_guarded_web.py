"""The guarded fetcher over real servers: what it reaches, and above all what it never does."""

from __future__ import annotations

import gzip
import os
import socket
import threading
import time
import tracemalloc
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path

import pytest

from mmtools.adapters.guarded_web import GuardedWeb, WebLimits
from mmtools.call import Cancellation
from mmtools.core.web.urls import Url, parse
from mmtools.errors import DefinitionError
from mmtools.ports.web import (
    AddressRefused,
    BadAnswer,
    BodyEnd,
    FetchCancelled,
    Fetched,
    NameUnknown,
    NotConnected,
    NotTrusted,
    Redirected,
    TooSlow,
)
from tests.adapters.web.servers import Server, certificates, closing_at_once, page, reply, silent_port
from tests.patience import PATIENCE_S

LOOPBACK = ["127.0.0.0/8"]


def url(text: str) -> Url:
    parsed = parse(text)
    assert isinstance(parsed, Url), parsed
    return parsed


def fetch(web: GuardedWeb, text: str, *, limit_s: float = PATIENCE_S) -> Fetched | Redirected:
    return web.fetch(url(text), limit_s=limit_s, cancellation=Cancellation())


def fetched(web: GuardedWeb, text: str, *, limit_s: float = PATIENCE_S) -> Fetched:
    answer = fetch(web, text, limit_s=limit_s)
    assert isinstance(answer, Fetched)
    return answer


class Resolver:
    """A resolver that answers lookups in turn, the last one for ever, and counts them."""

    def __init__(self, *answers: Sequence[str] | OSError) -> None:
        self.answers = list(answers)
        self.names: list[str] = []

    def __call__(self, name: str) -> Sequence[str]:
        self.names.append(name)
        answer = self.answers[min(len(self.names), len(self.answers)) - 1]
        if isinstance(answer, OSError):
            raise answer
        return answer


class Wires:
    """Wires that lead connections to a server on the loopback instead, and record where they were to go."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.wanted: list[tuple[str, int]] = []

    def __call__(self, connection: socket.socket, address: tuple[str, int]) -> None:
        self.wanted.append(address)
        connection.connect(("127.0.0.1", self.port))


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        yield server


@pytest.fixture
def trusting() -> GuardedWeb:
    return GuardedWeb(allow_addresses=LOOPBACK)


def test_a_page_is_fetched_by_one_plain_request(server: Server, trusting: GuardedWeb) -> None:
    server.serve["/a?b=c"] = page("<p>hello")
    answer = fetched(trusting, server.url("/a?b=c"))
    assert (answer.status, answer.body, answer.end) == (200, b"<p>hello", BodyEnd.WHOLE)
    assert (answer.media_type.essence, answer.media_type.charset) == ("text/html", "utf-8")
    assert answer.declared_bytes == 8
    (head,) = server.heads
    assert head.startswith("GET /a?b=c HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{server.port}\r\n" in head
    lowered = head.lower()
    assert all(name not in lowered for name in ("cookie", "authorization", "referer", "proxy"))
    assert lowered.count("host:") == lowered.count("accept-encoding:") == lowered.count("user-agent:") == 1


def test_the_user_agent_is_the_hosts(server: Server) -> None:
    web = GuardedWeb(allow_addresses=LOOPBACK, limits=WebLimits(user_agent="shop/1"))
    fetch(web, server.url())
    assert "User-Agent: shop/1\r\n" in server.heads[0]


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0x7F.0x0.0x0.0x1", "0177.0.0.1",
        "017700000001", "00000177.1", "127.0.0.1.", "１２７.0.0.1", "127。0。0。1", "①②⑦.⓪.⓪.①", "[::1]",
        "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
        "[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[2001:0:7f00:1::]", "[::]", "0.0.0.0", "0", "localhost",
        "LOCALHOST", "localhost.", "a.localhost", "ｌｏｃａｌｈｏｓｔ", "ⓛocalhost", "localhost.localdomain",
        "169.254.169.254", "10.0.0.1", "172.31.255.255", "192.168.0.1", "100.64.0.1", "224.0.0.1", "255.255.255.255",
        "240.0.0.1", "192.0.2.1", "198.18.0.1", "[fe80::1]", "[fd00::1]", "[ff02::1]", "[fec0::1]", "[2001:db8::1]",
    ],
)  # fmt: skip
def test_no_spelling_of_an_internal_address_reaches_it(server: Server, host: str) -> None:
    """Connections made: none, not even one that fails."""
    wires = Wires(server.port)
    web = GuardedWeb(resolve=Resolver(["127.0.0.1"]), connect=wires)
    with pytest.raises(AddressRefused):
        web.check(url(f"http://{host}:{server.port}/"))
    with pytest.raises(AddressRefused):
        fetch(web, f"http://{host}:{server.port}/")
    assert (server.connections, wires.wanted) == (0, [])


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["93.184.215.14", "127.0.0.1"], ["2606:2800::1", "::1"], ["::ffff:10.0.0.1"], ["fe80::1%eth0"]],
)
def test_every_address_of_a_name_must_be_public(server: Server, addresses: list[str]) -> None:
    wires = Wires(server.port)
    web = GuardedWeb(resolve=Resolver(addresses), connect=wires)
    web.check(url("http://inside.test/"))
    with pytest.raises(AddressRefused) as refused:
        fetch(web, "http://inside.test/")
    assert refused.value.host == "inside.test"
    assert refused.value.judged is not None
    assert refused.value.judged.address == ip_address(addresses[-1])
    assert (server.connections, wires.wanted) == (0, [])


@pytest.mark.parametrize("name", ["2130706433.test", "metadata.google.internal", "x.127.0.0.1.nip.test"])
def test_a_name_is_looked_up_once_and_its_checked_address_connected_to(server: Server, name: str) -> None:
    """A name that is public when it is checked and loopback afterwards: there is no afterwards."""
    server.serve["/"] = reply(b"public")
    resolver = Resolver(["93.184.215.14"], ["127.0.0.1"])
    wires = Wires(server.port)
    web = GuardedWeb(resolve=resolver, connect=wires)
    assert fetched(web, f"http://{name}/").body == b"public"
    assert (resolver.names, wires.wanted) == ([name], [("93.184.215.14", 80)])
    assert f"Host: {name}\r\n" in server.heads[0]
    with pytest.raises(AddressRefused):
        fetch(web, f"http://{name}/")
    assert len(wires.wanted) == 1


def test_nothing_but_the_connector_opens_a_connection(server: Server) -> None:
    """A connection that breaks before the request is not made anew by the library underneath."""

    made: list[tuple[str, int]] = []

    def broken(connection: socket.socket, address: tuple[str, int]) -> None:
        made.append(address)
        connection.connect(("127.0.0.1", server.port))
        connection.shutdown(socket.SHUT_RDWR)

    web = GuardedWeb(resolve=Resolver(["93.184.215.14"]), connect=broken)
    with pytest.raises((BadAnswer, NotConnected)):
        fetch(web, "http://example.test/")
    assert (made, server.heads) == ([("93.184.215.14", 80)], [])


def test_the_next_address_is_tried_when_one_does_not_answer(server: Server) -> None:
    server.serve["/"] = reply(b"second")

    class Flaky(Wires):
        def __call__(self, connection: socket.socket, address: tuple[str, int]) -> None:
            if address[0] == "93.184.215.14":
                self.wanted.append(address)
                raise ConnectionRefusedError(111, "Connection refused")
            super().__call__(connection, address)

    wires = Flaky(server.port)
    web = GuardedWeb(resolve=Resolver(["93.184.215.14", "1.1.1.1"]), connect=wires)
    assert fetched(web, "http://example.test/").body == b"second"
    assert [address for address, _ in wires.wanted] == ["93.184.215.14", "1.1.1.1"]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_an_answer(server: Server, trusting: GuardedWeb, status: int) -> None:
    server.serve["/"] = reply(status=f"{status} Moved", more={"Location": "http://169.254.169.254/latest/é"})
    answer = fetch(trusting, server.url())
    assert isinstance(answer, Redirected)
    assert (answer.status, answer.location) == (status, "http://169.254.169.254/latest/é")


@pytest.mark.parametrize("status", [300, 304, 302])
def test_a_redirect_without_a_place_is_a_page(server: Server, trusting: GuardedWeb, status: int) -> None:
    server.serve["/"] = reply(b"" if status == 304 else b"choose", status=f"{status} Hm")
    assert fetched(trusting, server.url()).body == (b"" if status == 304 else b"choose")


def test_the_environment_has_no_say(
    server: Server, trusting: GuardedWeb, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with Server() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.port}")
        netrc = tmp_path / ".netrc"
        netrc.write_text("machine 127.0.0.1 login me password secret\n")
        monkeypatch.setenv("NETRC", str(netrc))
        monkeypatch.setenv("HOME", str(tmp_path))
        server.serve["/"] = reply(b"direct", more={"Set-Cookie": "a=b"})
        assert fetched(trusting, server.url()).body == b"direct"
        assert fetched(trusting, server.url()).body == b"direct"
        assert proxy.connections == 0
    assert all("authorization" not in head.lower() and "cookie" not in head.lower() for head in server.heads)


def test_localhost_is_never_looked_up(server: Server) -> None:
    resolver = Resolver(["93.184.215.14"])
    server.serve["/"] = reply(b"here")
    web = GuardedWeb(allow_addresses=LOOPBACK, resolve=resolver)
    assert fetched(web, server.url(host="localhost")).body == b"here"
    assert fetched(web, server.url(host="app.localhost")).body == b"here"
    assert resolver.names == []


def test_what_is_allowed_is_allowed_and_nothing_else(server: Server) -> None:
    web = GuardedWeb(allow_addresses=["127.0.0.1/32", "::1"])
    web.check(url("http://127.0.0.1/"))
    web.check(url("http://[::ffff:127.0.0.1]/"))
    web.check(url("http://[::1]/"))
    for host in ("127.0.0.2", "10.0.0.1", "[::2]", "[::ffff:127.0.0.2]"):
        with pytest.raises(AddressRefused):
            web.check(url(f"http://{host}/"))


@pytest.mark.parametrize("networks", [["everything"], ["127.0.0.1/8"], [""], "127.0.0.0/8"])
def test_a_network_that_is_none_is_a_bug_of_the_host(networks: Sequence[str]) -> None:
    with pytest.raises(DefinitionError, match="allow_addresses"):
        GuardedWeb(allow_addresses=networks)


def test_tls_is_checked_against_the_name_and_not_the_address(tmp_path: Path) -> None:
    serving, trust = certificates(tmp_path, ["good.test"])
    with Server({"/": reply(b"safe")}, tls=serving) as server:
        names: list[str | None] = []
        serving.sni_callback = lambda _socket, name, _context: names.append(name)
        web = GuardedWeb(resolve=Resolver(["93.184.215.14"]), connect=Wires(server.port), tls=trust)
        assert fetched(web, "https://good.test/").body == b"safe"
        assert "Host: good.test\r\n" in server.heads[0]
        with pytest.raises(NotTrusted, match=r"bad\.test"):
            fetch(web, "https://bad.test/")
        with pytest.raises(NotTrusted):
            fetch(web, "https://93.184.215.14/")
        assert names == ["good.test", "bad.test", None]
        assert len(server.heads) == 1
        unknowing = GuardedWeb(resolve=Resolver(["93.184.215.14"]), connect=Wires(server.port))
        with pytest.raises(NotTrusted, match="self-signed"):
            fetch(unknowing, "https://good.test/")


def test_tls_to_an_address_needs_a_certificate_for_it(tmp_path: Path) -> None:
    serving, trust = certificates(tmp_path, ["127.0.0.1"])
    with Server({"/": reply(b"safe")}, tls=serving) as server:
        assert fetched(GuardedWeb(allow_addresses=LOOPBACK, tls=trust), server.url()).body == b"safe"


def test_no_tls_is_said(trusting: GuardedWeb) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def greet() -> None:
            # Who does not like what it hears hangs up.
            with suppress(OSError), listening.accept()[0] as connection:
                connection.sendall(b"220 this is another protocol\r\n")
                connection.recv(10_000)

        thread = threading.Thread(target=greet)
        thread.start()
        with pytest.raises(NotConnected, match="no TLS: wrong version number"):
            fetch(trusting, f"https://127.0.0.1:{listening.getsockname()[1]}/")
        thread.join()


def packed(data: bytes, coding: str) -> bytes:
    match coding:
        case "gzip" | "x-gzip":
            return gzip.compress(data)
        case "deflate":
            return zlib.compress(data)
        case "raw deflate":
            packer = zlib.compressobj(wbits=-15)
            return packer.compress(data) + packer.flush()
        case _:
            return data


@pytest.mark.parametrize("coding", ["gzip", "x-gzip", "deflate", "raw deflate", "identity", "GZIP"])
def test_what_was_asked_for_is_unpacked(server: Server, trusting: GuardedWeb, coding: str) -> None:
    data = os.urandom(100_000) + b"a" * 100_000
    body = packed(data, coding.lower())
    server.serve["/"] = reply(body, more={"Content-Encoding": coding.removeprefix("raw ")})
    answer = fetched(trusting, server.url())
    assert (answer.body, answer.end, answer.declared_bytes) == (data, BodyEnd.WHOLE, len(body))


@pytest.mark.parametrize("coding", ["gzip, gzip", "br", "zstd", "compress", "gzip, br", "nonsense"])
def test_what_was_not_asked_for_is_refused(server: Server, trusting: GuardedWeb, coding: str) -> None:
    server.serve["/"] = reply(b"whatever", more={"Content-Encoding": coding})
    with pytest.raises(BadAnswer, match="compressed"):
        fetch(trusting, server.url())


def test_a_body_that_is_not_packed_as_it_says_is_refused(server: Server, trusting: GuardedWeb) -> None:
    server.serve["/"] = reply(b"plain text", more={"Content-Encoding": "gzip"})
    with pytest.raises(BadAnswer, match="not compressed"):
        fetch(trusting, server.url())


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_a_bomb_stays_small(server: Server, coding: str) -> None:
    """1 GiB of zeros in 1 MB: no more than the limit is unpacked, with as much again in the air."""
    packer = zlib.compressobj(9, wbits=-15)
    sixteen_mb = packer.compress(bytes(1 << 24)) + packer.flush(zlib.Z_FULL_FLUSH)
    bomb = (gzip.compress(b"")[:10] if coding == "gzip" else b"\x78\x9c") + sixteen_mb * 64
    server.serve["/"] = reply(bomb, more={"Content-Encoding": coding})
    web = GuardedWeb(allow_addresses=LOOPBACK, limits=WebLimits(max_bytes=1 << 20))
    fetch(web, server.url("/missing"))
    tracemalloc.start()
    answer = fetched(web, server.url())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (len(answer.body), answer.end) == (1 << 20, BodyEnd.CAPPED)
    assert peak < 6 << 20


@pytest.mark.parametrize("size", [0, 1, 999, 1_000])
def test_a_body_within_the_limit_is_whole(server: Server, size: int) -> None:
    server.serve["/"] = reply(b"x" * size)
    web = GuardedWeb(allow_addresses=LOOPBACK, limits=WebLimits(max_bytes=1_000))
    answer = fetched(web, server.url())
    assert (len(answer.body), answer.end) == (size, BodyEnd.WHOLE)


@pytest.mark.parametrize("declared", ["", "5000"])
def test_of_a_larger_body_the_beginning_is_used(server: Server, declared: str) -> None:
    server.serve["/"] = reply(b"x" * 5_000, more={"Content-Length": declared})
    web = GuardedWeb(allow_addresses=LOOPBACK, limits=WebLimits(max_bytes=1_000))
    answer = fetched(web, server.url())
    assert (len(answer.body), answer.end) == (1_000, BodyEnd.CAPPED)
    assert answer.declared_bytes == (5_000 if declared else None)


CHUNKED = {"Transfer-Encoding": "chunked", "Content-Length": ""}


def test_chunks_are_put_together(server: Server, trusting: GuardedWeb) -> None:
    server.serve["/"] = reply(b"3\r\nabc\r\n4;x=y\r\ndefg\r\n0\r\n\r\n", more=CHUNKED)
    assert fetched(trusting, server.url()).body == b"abcdefg"


@pytest.mark.parametrize(
    "answer",
    [
        reply(b"abc", more={"Content-Length": "10"}),
        reply(b"3\r\nabc\r\n", more=CHUNKED),
        reply(b"3\r\nabc\r\nnonsense\r\n", more=CHUNKED),
    ],
)
def test_a_body_that_breaks_off_says_so(server: Server, trusting: GuardedWeb, answer: bytes) -> None:
    server.serve["/"] = answer
    got = fetched(trusting, server.url())
    assert (got.body, got.end) == (b"abc", BodyEnd.BROKEN_OFF)


@pytest.mark.parametrize(
    "answer",
    [
        closing_at_once,
        b"",
        b"hello, I speak no HTTP\r\n\r\n",
        b"HTTP/1.1 abc\r\n\r\n",
        b"HTTP/1.1 99999 What\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"a" * 100_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 1_000 + b"\r\n",
        b"HTTP/2 PRI * SM\r\n\r\n",
        b"\0" * 1_000,
    ],
)
def test_what_is_no_http_is_said(
    server: Server, trusting: GuardedWeb, answer: bytes | Callable[[socket.socket, str], None]
) -> None:
    server.serve["/"] = answer
    with pytest.raises(BadAnswer) as bad:
        fetch(trusting, server.url())
    assert bad.value.reason


def dripping(first: bytes, drop: bytes) -> Callable[[socket.socket, str], None]:
    """Send `drop` again and again, so that no single wait is long."""

    def drip(connection: socket.socket, head: str) -> None:
        connection.sendall(first)
        while drop:
            connection.sendall(drop)
            time.sleep(0.02)
        connection.recv(1)

    return drip


SLOW = {
    "a byte at a time": dripping(reply(more={"Content-Length": "1000000"}), b"x"),
    "without a length": dripping(reply(more={"Content-Length": ""}), b"x"),
    "in chunks": dripping(reply(more=CHUNKED), b"1\r\nx\r\n"),
    "a packed body": dripping(
        reply(gzip.compress(b"x")[:10], more={"Content-Encoding": "gzip", "Content-Length": ""}), b"\0\0\0\xff\xff"
    ),
    "a header that goes on": dripping(b"HTTP/1.1 200 OK\r\nX: ", b"y"),
    "one header after the other": dripping(b"HTTP/1.1 200 OK\r\n", b"X: y\r\n"),
    "continue, continue": dripping(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "silence": dripping(b"", b""),
}


@pytest.mark.parametrize("way", SLOW)
def test_time_is_up_whatever_the_server_does(server: Server, trusting: GuardedWeb, way: str) -> None:
    server.serve["/"] = SLOW[way]
    begun = time.monotonic()
    with pytest.raises(TooSlow) as slow:
        fetch(trusting, server.url(), limit_s=0.3)
    assert slow.value.reason
    assert time.monotonic() - begun < PATIENCE_S


@pytest.mark.parametrize("way", SLOW)
def test_a_cancellation_ends_it_at_once(server: Server, trusting: GuardedWeb, way: str) -> None:
    server.serve["/"] = SLOW[way]
    cancellation = Cancellation()
    threading.Timer(0.2, cancellation.request).start()
    with pytest.raises(FetchCancelled):
        trusting.fetch(url(server.url()), limit_s=60, cancellation=cancellation)


def test_a_cancellation_ends_a_lookup(server: Server) -> None:
    release = threading.Event()

    def slow(name: str) -> list[str]:
        release.wait(PATIENCE_S)
        return ["93.184.215.14"]

    wires = Wires(server.port)
    cancellation = Cancellation()
    threading.Timer(0.1, cancellation.request).start()
    web = GuardedWeb(resolve=slow, connect=wires)
    with pytest.raises(FetchCancelled):
        web.fetch(url("http://slow.test/"), limit_s=60, cancellation=cancellation)
    with pytest.raises(TooSlow, match="address"):
        web.fetch(url("http://slow.test/"), limit_s=0.1, cancellation=Cancellation())
    release.set()
    assert wires.wanted == []


def test_a_connection_that_is_never_made_ends_too() -> None:
    web = GuardedWeb(allow_addresses=LOOPBACK, limits=WebLimits(connect_s=0.3))
    with silent_port() as port:
        with pytest.raises(TooSlow, match="connection"):
            fetch(web, f"http://127.0.0.1:{port}/")
        patient = GuardedWeb(allow_addresses=LOOPBACK)
        with pytest.raises(TooSlow, match="connection"):
            fetch(patient, f"http://127.0.0.1:{port}/", limit_s=0.3)
        cancellation = Cancellation()
        threading.Timer(0.2, cancellation.request).start()
        with pytest.raises(FetchCancelled):
            patient.fetch(url(f"http://127.0.0.1:{port}/"), limit_s=60, cancellation=cancellation)


def test_a_call_that_was_cancelled_before_asks_nobody(server: Server, trusting: GuardedWeb) -> None:
    cancellation = Cancellation()
    cancellation.request()
    with pytest.raises(FetchCancelled):
        trusting.fetch(url(server.url()), limit_s=60, cancellation=cancellation)
    assert server.connections == 0


def test_tls_that_is_never_agreed_on_ends(server: Server) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = listening.getsockname()[1]
        web = GuardedWeb(allow_addresses=LOOPBACK)
        with pytest.raises(TooSlow, match="certificate"):
            fetch(web, f"https://127.0.0.1:{port}/", limit_s=1.5)
        cancellation = Cancellation()
        threading.Timer(0.2, cancellation.request).start()
        with pytest.raises(FetchCancelled):
            web.fetch(url(f"https://127.0.0.1:{port}/"), limit_s=60, cancellation=cancellation)


@pytest.mark.parametrize("answer", [OSError(-2, "Name or service not known"), [], ["not an address"]])
def test_a_name_without_an_address_is_said(answer: Sequence[str] | OSError) -> None:
    with pytest.raises(NameUnknown) as unknown:
        fetch(GuardedWeb(resolve=Resolver(answer)), "http://nowhere.test/")
    assert unknown.value.reason


def test_a_refused_connection_is_said() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        port = unused.getsockname()[1]
        with pytest.raises(NotConnected, match="refused"):
            fetch(GuardedWeb(allow_addresses=LOOPBACK), f"http://127.0.0.1:{port}/")


def test_nothing_is_left_open(server: Server, trusting: GuardedWeb) -> None:
    server.serve["/"] = reply(b"x" * 100_000)
    server.serve["/slow"] = SLOW["silence"]
    fetch(trusting, server.url())
    before = (threading.active_count(), len(os.listdir("/proc/self/fd")))
    for _ in range(5):
        fetch(trusting, server.url())
        with pytest.raises(TooSlow):
            fetch(trusting, server.url("/slow"), limit_s=0.02)
    # The server's own end of each slow connection, and the thread that drips into it, outlive the fetch a little.
    deadline = time.monotonic() + PATIENCE_S
    while (threading.active_count(), len(os.listdir("/proc/self/fd"))) > before and time.monotonic() < deadline:
        time.sleep(0.02)
    assert threading.active_count() <= before[0] + 5
    assert len(os.listdir("/proc/self/fd")) <= before[1] + 5
