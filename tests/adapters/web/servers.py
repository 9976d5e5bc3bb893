"""Servers on the loopback that do what a test says, byte for byte, and count who comes."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["Serve", "Server", "certificates", "closing_at_once", "page", "reply", "silent_port"]

Serve = Callable[[socket.socket, str], None]


class Server:
    """
    A server on a port of the loopback; each connection is read up to the empty line and handed to `serve`.

    Args:
        serve: Path → what to do with the connection; a missing path is answered with 404.
    """

    def __init__(
        self,
        serve: Mapping[str, Serve | bytes] | None = None,
        *,
        address: str = "127.0.0.1",
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.serve = dict(serve or {})
        self.heads: list[str] = []
        self.connections = 0
        self._tls = tls
        self._open: list[socket.socket] = []
        self._listening = socket.create_server(
            (address, 0), family=socket.AF_INET6 if ":" in address else socket.AF_INET
        )
        self.port: int = self._listening.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept, daemon=True)]

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._listening.close()
        for connection in self._open:
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connection, socket.SHUT_RDWR)
        for thread in self._threads[1:]:
            thread.join()

    def url(self, path: str = "/", *, host: str = "127.0.0.1") -> str:
        return f"http{'s' if self._tls else ''}://{host}:{self.port}{path}"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            self.connections += 1
            self._open.append(connection)
            thread = threading.Thread(target=self._answer, args=[connection], daemon=True)
            self._threads.append(thread)
            thread.start()

    def _answer(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError):
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection, server_side=True)
                self._open.append(connection)
            with connection:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = connection.recv(65_536)
                    if not piece:
                        return
                    head += piece
                text = head.decode("latin-1")
                self.heads.append(text)
                serve = self.serve.get(text.split(" ")[1], reply(b"nothing here", status="404 Not Found"))
                if isinstance(serve, bytes):
                    connection.sendall(serve)
                else:
                    serve(connection, text)
        connection.close()


def reply(
    body: bytes = b"", *, status: str = "200 OK", kind: str | None = "text/plain", more: Mapping[str, str] | None = None
) -> bytes:
    """Write an answer; a Content-Length is sent unless `more` says otherwise."""
    headers = {"Content-Length": str(len(body)), **({} if kind is None else {"Content-Type": kind}), **(more or {})}
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items() if value)
    return f"HTTP/1.1 {status}\r\n{lines}\r\n".encode() + body


def page(html: str) -> bytes:
    """Write an answer that is a page."""
    return reply(html.encode(), kind="text/html; charset=utf-8")


def closing_at_once(connection: socket.socket, head: str) -> None:
    """Hang up without a word."""


@contextlib.contextmanager
def silent_port() -> Iterator[int]:
    """Give a port of the loopback where connecting takes for ever: its queue is full and nobody takes from it."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listening, contextlib.ExitStack() as waiting:
        port: int = listening.getsockname()[1]
        for _ in range(4):
            connection = waiting.enter_context(socket.socket())
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", port))
        yield port


def certificates(folder: Path, names: list[str]) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """
    Make a certificate for these names that signs itself.

    Returns:
        What a server shows, and what a client trusts.
    """
    import datetime
    from ipaddress import ip_address

    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a test")])
    now = datetime.datetime.now(datetime.UTC)
    alternatives = [x509.IPAddress(ip_address(name)) if name[0].isdigit() else x509.DNSName(name) for name in names]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    shown, private = folder / "certificate.pem", folder / "key.pem"
    shown.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    serving = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    serving.load_cert_chain(shown, private)
    return serving, ssl.create_default_context(cafile=str(shown))
