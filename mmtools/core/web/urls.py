"""One spelling for every URL that may be fetched, and where a reference in a page or a redirect leads."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cached_property

from attrs import frozen

from mmtools.core.web import hosts
from mmtools.core.web.hosts import BadHost, Host

__all__ = ["BadUrl", "Fault", "Url", "parse", "resolve"]

_DEFAULT_PORTS = {"http": 80, "https": 443}

#: Beyond it, servers answer 414 at best.
_MAX_CHARS = 8_000

#: Ports of services that read a text protocol and might take a request for their own: what browsers refuse, the
#: part of it that is in use. Source: WHATWG Fetch, "port blocking".
_OTHER_SERVICES = frozenset(
    {
        *(1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 79, 110, 111, 113, 119, 123, 135, 137),
        *(139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 532, 540, 548, 554, 587, 601, 636, 993, 995, 1719),
        *(1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080),
    }
)

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_WEB = re.compile(r"https?:", re.IGNORECASE)

#: What a path or a query may hold as it is; the rest goes as the percent-encoded bytes of its UTF-8.
_RAW_IN_PATH = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@/%\[\]]+")
_RAW_IN_QUERY = re.compile(r"[^A-Za-z0-9\-._~!$&'()*+,;=:@/%\[\]?|^`{}]+")
_UNSEEN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")


class Fault(StrEnum):
    """What is wrong with a URL."""

    EMPTY = "empty"
    CONTROL_CHARACTER = "control character"
    HALF_CHARACTER = "half a character"
    TOO_LONG = "too long"
    NO_SCHEME = "no scheme"
    OTHER_SCHEME = "other scheme"
    NO_SLASHES = "no slashes"
    BACKSLASH = "backslash"
    CREDENTIALS = "credentials"
    HOST = "host"
    PORT = "port"
    OTHER_SERVICE = "other service"


@frozen
class BadUrl:
    """
    The reason why a text is no URL that may be fetched.

    Args:
        detail: The part that is meant: a scheme, a port, the reason about a host.
    """

    fault: Fault
    detail: str = ""


@frozen(slots=False)
class Url:
    """
    A URL in its one spelling; it holds ASCII without spaces and control characters, and no fragment.

    Args:
        scheme: "http" or "https".
        target: Path and query, as the request line has it.
    """

    scheme: str
    host: Host
    port: int
    target: str

    @cached_property
    def host_text(self) -> str:
        """The host without brackets, as a resolver or a certificate has it."""
        return hosts.in_url(self.host).strip("[]")

    @cached_property
    def authority(self) -> str:
        """Host and port as a URL has them; the scheme's own port is left out."""
        host = hosts.in_url(self.host)
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @cached_property
    def text(self) -> str:
        """The whole URL."""
        return f"{self.scheme}://{self.authority}{self.target}"

    def covers(self, other: Url) -> bool:
        """Whether who agreed to this one agreed to the other: the same server, or the same one over TLS."""
        same_host = self.host == other.host
        upgraded = (self.scheme, self.port, other.scheme, other.port) == ("http", 80, "https", 443)
        return same_host and ((self.scheme, self.port) == (other.scheme, other.port) or upgraded)


def parse(text: str) -> Url | BadUrl:
    """
    Read an absolute http or https URL.

    Args:
        text: As typed; spaces around it do not count, a fragment is dropped.
    """
    text = text.strip(" \t\r\n")
    if fault := _unfit(text):
        return fault
    scheme = _SCHEME.match(text)
    if scheme is None or (not _WEB.match(text) and text[scheme.end() :][:1].isdigit()):
        return BadUrl(Fault.NO_SCHEME, text.lstrip("/\\")[:200])
    name, rest = scheme[1].lower(), text[scheme.end() :]
    if name not in _DEFAULT_PORTS:
        return BadUrl(Fault.OTHER_SCHEME, name[:40])
    if rest[:2] != "//":
        return BadUrl(Fault.BACKSLASH if "\\" in rest[:2] else Fault.NO_SLASHES, rest.lstrip("/\\")[:200])
    return _with_authority(name, rest[2:])


def resolve(base: Url, reference: str) -> Url | BadUrl:
    """Say where a reference leads that was found at `base`: absolute, `//host/…`, `/path`, `?query` or relative."""
    reference = reference.strip(" \t\r\n")
    if not reference:
        return BadUrl(Fault.EMPTY)
    if fault := _unfit(reference):
        return fault
    if _SCHEME.match(reference):
        return parse(reference)
    if reference.startswith("//"):
        return _with_authority(base.scheme, reference[2:])
    if reference.startswith("\\") or reference.startswith("/\\"):
        return BadUrl(Fault.BACKSLASH)
    path, query = _split(reference.partition("#")[0])
    base_path, base_query = _split(base.target)
    if not path:
        target = base_path + (query or base_query)
    elif path.startswith("/"):
        target = path + query
    else:
        target = base_path[: base_path.rfind("/") + 1] + path + query
    return Url(base.scheme, base.host, base.port, _target(target))


def _unfit(text: str) -> BadUrl | None:
    """Refuse what no URL may hold, wherever it stands."""
    if not text:
        return BadUrl(Fault.EMPTY)
    if len(text) > _MAX_CHARS:
        return BadUrl(Fault.TOO_LONG, f"{len(text)}")
    if unseen := _UNSEEN.search(text):
        return BadUrl(Fault.CONTROL_CHARACTER, f"{unseen.start() + 1}")
    if any("\ud800" <= char <= "\udfff" for char in text):
        return BadUrl(Fault.HALF_CHARACTER)
    return None


def _with_authority(scheme: str, rest: str) -> Url | BadUrl:
    end = next((place for place, char in enumerate(rest) if char in "/?#\\"), len(rest))
    authority, tail = rest[:end], rest[end:]
    if tail.startswith("\\"):
        return BadUrl(Fault.BACKSLASH)
    if "@" in authority:
        return BadUrl(Fault.CREDENTIALS)
    host_text, port = _port_apart(authority)
    host = hosts.parse(host_text)
    if isinstance(host, BadHost):
        return BadUrl(Fault.HOST, host.reason)
    number = _port(port, _DEFAULT_PORTS[scheme])
    if number is None:
        return BadUrl(Fault.PORT, port[:40])
    if number in _OTHER_SERVICES:
        return BadUrl(Fault.OTHER_SERVICE, str(number))
    return Url(scheme, host, number, _target(tail.partition("#")[0]))


def _port_apart(authority: str) -> tuple[str, str]:
    """Part a host from its port; the colons inside brackets belong to the host."""
    start = authority.rfind("]") + 1
    colon = authority.find(":", start)
    return (authority, "") if colon < 0 else (authority[:colon], authority[colon + 1 :])


def _port(text: str, default: int) -> int | None:
    if not text:
        return default
    if not (text.isascii() and text.isdigit()) or len(text.lstrip("0")) > 5:
        return None
    return int(text) if 0 < int(text) <= 0xFFFF else None


def _split(target: str) -> tuple[str, str]:
    """Part the path from the query, which keeps its question mark."""
    path, mark, query = target.partition("?")
    return path, mark + query


def _target(text: str) -> str:
    path, query = _split(text)
    path = _without_dots(path.replace("\\", "/"))
    return _RAW_IN_PATH.sub(_percent, path) + _RAW_IN_QUERY.sub(_percent, query)


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode())


def _without_dots(path: str) -> str:
    """Follow `.` and `..`, written plainly or in percent signs; the result begins with a slash."""
    kept: list[str] = []
    segments = path.removeprefix("/").split("/")
    for place, segment in enumerate(segments):
        plain = segment.lower().replace("%2e", ".")
        last = place == len(segments) - 1
        if plain == "..":
            del kept[-1:]
        elif plain != ".":
            kept.append(segment)
            continue
        if last:
            kept.append("")
    return "/" + "/".join(kept)
