"""One request over one open connection, and its answer within limits."""

from __future__ import annotations

import contextlib
import http.client
import socket
from collections.abc import Iterable, Mapping

import urllib3
from attrs import evolve, field, frozen
from urllib3.connection import HTTPConnection
from urllib3.exceptions import DecodeError, HTTPError

from mmtools.adapters.web.watch import Watch
from mmtools.core.web.urls import Url
from mmtools.ports.web import BadAnswer, BodyEnd, TooSlow

__all__ = ["Answer", "answer_to"]

_PIECE = 1 << 16
_REDIRECTS = frozenset({301, 302, 303, 307, 308})

#: Asked for what can be read at once, with what else there is behind it.
_ACCEPT = "text/markdown, text/html;q=0.9, text/plain;q=0.9, application/json;q=0.9, */*;q=0.5"


@frozen(kw_only=True)
class Answer:
    """
    An answer, as far as it is wanted.

    Args:
        location: Of a redirect, whose body is not read; else None.
    """

    status: int
    location: str | None
    content_type: str | None
    declared_bytes: int | None
    body: bytes = field(default=b"", repr=False)
    end: BodyEnd = BodyEnd.WHOLE


def answer_to(url: Url, connection: socket.socket, watch: Watch, *, user_agent: str, max_bytes: int) -> Answer:
    """
    Ask for a page over an open connection; it can be used for nothing else afterwards.

    Args:
        max_bytes: Of the body, after decompression.

    Raises:
        BadAnswer: It is no HTTP, or is packed in a way that cannot be undone.
        TooSlow, FetchCancelled: The fetch is over.
    """
    asking = HTTPConnection(url.host_text, url.port, timeout=watch.left_s + 1)
    asking.sock = connection
    asking.auto_open = 0
    headers = {
        "Host": url.authority,
        "User-Agent": user_agent,
        "Accept": _ACCEPT,
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }
    with contextlib.closing(asking), contextlib.closing(_asked(asking, url.target, headers, watch)) as response:
        watch.check("an answer")
        answer = Answer(
            status=response.status,
            location=_location(response) if response.status in _REDIRECTS else None,
            content_type=response.headers.get("content-type"),
            declared_bytes=_size(response.headers.get("content-length")),
        )
        if answer.location is not None:
            return answer
        body, end = _body(response, watch, max_bytes)
        return evolve(answer, body=body, end=end)


def _asked(asking: HTTPConnection, target: str, headers: Mapping[str, str], watch: Watch) -> urllib3.BaseHTTPResponse:
    try:
        asking.request("GET", target, headers=headers, preload_content=False, decode_content=True)
        response = asking.getresponse()
    except TimeoutError as error:
        raise TooSlow("an answer") from error
    except (http.client.HTTPException, HTTPError, OSError, ValueError) as error:
        watch.check("an answer")
        raise BadAnswer(_what_is_wrong(error)) from error
    return response


def _body(response: urllib3.BaseHTTPResponse, watch: Watch, max_bytes: int) -> tuple[bytes, BodyEnd]:
    """Read a body, decompressed piece by piece, so that little can never become much."""
    _refuse_packing(response.headers.get("content-encoding", ""))
    if response.headers.get("transfer-encoding", "chunked").strip().lower() not in ("chunked", "identity"):
        raise BadAnswer("the body is sent in a way that was not asked for")
    pieces: list[bytes] = []
    size = 0
    end = BodyEnd.WHOLE
    while size <= max_bytes:
        try:
            piece = response.read1(min(_PIECE, max_bytes + 1 - size), decode_content=True)
        except TimeoutError as error:
            raise TooSlow("the rest of the page") from error
        except DecodeError as error:
            watch.check("the rest of the page")
            if not pieces:
                raise BadAnswer("the body is not compressed as its header says") from error
            end = BodyEnd.BROKEN_OFF
            break
        except (http.client.HTTPException, HTTPError, OSError, ValueError):
            watch.check("the rest of the page")
            end = BodyEnd.BROKEN_OFF
            break
        watch.check("the rest of the page")
        if not piece:
            break
        pieces.append(piece)
        size += len(piece)
    body = b"".join(pieces)
    return (body, end) if size <= max_bytes else (body[:max_bytes], BodyEnd.CAPPED)


def _refuse_packing(header: str) -> None:
    """Take one compression that was asked for; a chain of them is made to hurt."""
    codings = [each for each in (part.strip().lower() for part in header.split(",")) if each not in ("", "identity")]
    if len(codings) > 1:
        raise BadAnswer("the body is compressed several times over")
    if codings and codings[0] not in ("gzip", "x-gzip", "deflate"):
        raise BadAnswer("the body is compressed in a way that was not asked for")


def _location(response: urllib3.BaseHTTPResponse) -> str | None:
    """Read where a redirect leads; servers send UTF-8 where the standard has ASCII."""
    sent: Iterable[str] = response.headers.getlist("location")
    first = next(iter(sent), "").strip()
    try:
        first = first.encode("latin-1").decode("utf-8")
    except UnicodeError:
        return first or None
    return first or None


def _size(header: str | None) -> int | None:
    text = (header or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 20 else None


def _what_is_wrong(error: Exception) -> str:
    match error:
        case http.client.RemoteDisconnected() | ConnectionError():
            return "the connection broke off before an answer"
        case http.client.LineTooLong():
            return "a line of the header is too long"
        case http.client.BadStatusLine() | http.client.UnknownProtocol():
            return "it is no HTTP"
        case http.client.HTTPException() if "headers" in str(error):
            return "the header has too many lines"
        case _:
            return "it is no HTTP that can be understood"
