"""
An address on the web, as far as rules can read it: its scheme, its host and the rest, or "cannot tell".

Programs disagree about odd addresses; what is plain here, all of them read alike.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cached_property

from attrs import frozen

__all__ = ["Address"]

_PLAIN = re.compile(
    r"""
      (?P<scheme> https? ) ://
      (?P<host> [a-z0-9_-]+ (?: \. [a-z0-9_-]+ )* | \[ [0-9a-f:.]+ \] ) \.?
      (?: : 0* (?P<port> [1-9][0-9]{0,4} )? )?
      (?P<rest> (?: [/?] [!"$-~]* )? ) (?: \# [!-~]* )?
    """,
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)

#: What makes a path lead elsewhere than its letters say.
_DOTS = re.compile(r"\\|/(?:\.|%2e){1,2}(?![^/?])|%5c|%2f", re.IGNORECASE)

_PERCENT = re.compile(r"%([2-7][0-9a-f])", re.IGNORECASE)

_DEFAULT_PORTS = {"http": "80", "https": "443"}

#: Split a pattern with a scheme; a wildcard at the very end of a host without a path stands for the path too.
_PATTERN = re.compile(r"(?P<scheme>[^:/]*)://(?P<authority>[^/?]*?)(?P<rest>\*?|[/?].*)", re.DOTALL)


@frozen
class Address:
    """An address that would be fetched."""

    url: str

    @cached_property
    def parts(self) -> tuple[str, str, str] | None:
        """Scheme, host (with the port, when it is not the scheme's) and the rest from the path on; None when in doubt."""
        match = _PLAIN.fullmatch(self.url)
        if match is None:
            return None
        scheme, host, port = match["scheme"].lower(), match["host"].lower(), match["port"]
        rest = match["rest"] if match["rest"].startswith("/") else f"/{match['rest']}"
        if _DOTS.search(rest.partition("?")[0]):
            return None
        return scheme, host if port in (None, _DEFAULT_PORTS[scheme]) else f"{host}:{port}", rest

    def surely(self, pattern: str) -> bool:
        """
        Whether the address is plain, and the pattern covers its host; or all of it, when it names a scheme.

        A wildcard may stand for the beginning of a host, or for all of it, and not for its end: nobody
        knows whose that is.
        """
        if self.parts is None:
            return False
        scheme, host, rest = self.parts
        wanted = _split(pattern)
        return (
            fnmatchcase(scheme, wanted[0])
            and (host == wanted[1].lower() or (_ends_plainly(wanted[1]) and fnmatchcase(host, wanted[1].lower())))
            and fnmatchcase(rest, wanted[2])
        )

    def maybe(self, pattern: str) -> bool:
        """Whether the pattern may mean the address: a host means those below it and every port, a path those below."""
        if self.parts is None:
            return True
        scheme, host, rest = self.parts
        wanted = _split(pattern)
        name = wanted[1].lower()
        hosts = (host, host.rpartition(":")[0] or host)
        rests = (rest, _PERCENT.sub(lambda escape: chr(int(escape[1], 16)), rest))
        paths = (wanted[2], f"{wanted[2].rstrip('/')}/*", f"{wanted[2]}[?]*")
        return (
            fnmatchcase(scheme, wanted[0].lower())
            and (host == name or any(fnmatchcase(one, pattern) for one in hosts for pattern in (name, f"*.{name}")))
            and any(fnmatchcase(one, pattern) for one in rests for pattern in paths)
        )


def _split(pattern: str) -> tuple[str, str, str]:
    if "/" not in pattern:
        return "*", pattern, "*"
    match = _PATTERN.fullmatch(pattern if "://" in pattern else f"*://{pattern}")
    if match is None:
        return pattern, "", ""
    if not match["authority"] and match["rest"] == "*":
        return match["scheme"], "*", "*"
    return match["scheme"], match["authority"], match["rest"] or "/"


def _ends_plainly(host: str) -> bool:
    """Whether a host's pattern says where the host ends."""
    name = host.partition(":")[0]
    last = name.rpartition(".")[2]
    return name == "*" or (not set(last) & set("*?[") and last != "")
