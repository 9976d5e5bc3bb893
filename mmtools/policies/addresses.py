"""
An address on the web, as rules read it: in the one spelling of `core.web.urls`, or "cannot tell".

Programs disagree about odd addresses; what is plain here, all of them read alike.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cached_property

from attrs import frozen

from mmtools.core.web import hosts, urls
from mmtools.core.web.hosts import BadHost
from mmtools.core.web.urls import Url

__all__ = ["Address"]

#: What programs spell in ways of their own.
_UNUSUAL = re.compile(r"[^!-~]")
#: What makes a path lead elsewhere than its letters say.
_DOTS = re.compile(r"\\|/(?:\.|%2e){1,2}(?![^/])|%5c|%2f", re.IGNORECASE)
_PERCENT = re.compile(r"%([2-7][0-9a-f])", re.IGNORECASE)

#: Split a pattern with a scheme; a wildcard at the very end of a host without a path stands for the path too.
_PATTERN = re.compile(r"(?P<scheme>[^:/]*)://(?P<authority>[^/?]*?)(?P<rest>\*?|[/?].*)", re.DOTALL)


@frozen
class Address:
    """An address that would be fetched."""

    url: str

    @cached_property
    def parts(self) -> tuple[str, str, str] | None:
        """Scheme, host (with the port, when it is not the scheme's) and the rest from the path on; None when in doubt."""
        url = urls.parse(self.url)
        if not isinstance(url, Url) or _UNUSUAL.search(self.url) or _DOTS.search(re.split("[?#]", self.url)[0]):
            return None
        # A host in another spelling than ours may be another one for others.
        plain = f"{url.scheme}://{hosts.in_url(url.host)}"
        return (url.scheme, url.authority, url.target) if self.url.lower().startswith(plain) else None

    def surely(self, pattern: str) -> bool:
        """
        Whether the address is plain, and the pattern covers its host; or all of it, when it names a scheme.

        A wildcard may stand for the beginning of a host, or for all of it, and not for its end: nobody
        knows whose that is.
        """
        if self.parts is None:
            return False
        scheme, host, rest = self.parts
        wanted_scheme, name, wanted = _split(pattern)
        return (
            fnmatchcase(scheme, wanted_scheme)
            and (host == name or (_ends_plainly(name) and fnmatchcase(host, name)))
            and fnmatchcase(rest, wanted)
        )

    def maybe(self, pattern: str) -> bool:
        """Whether the pattern may mean the address: a host means those below it and every port, a path those below."""
        if self.parts is None:
            return True
        scheme, host, rest = self.parts
        wanted_scheme, name, wanted = _split(pattern)
        names = (host, host.rpartition(":")[0] or host)
        rests = (rest, _PERCENT.sub(lambda escape: chr(int(escape[1], 16)), rest))
        paths = (wanted, f"{wanted.rstrip('/')}/*", f"{wanted}[?]*")
        return (
            fnmatchcase(scheme, wanted_scheme.lower())
            and (host == name or any(fnmatchcase(one, pattern) for one in names for pattern in (name, f"*.{name}")))
            and any(fnmatchcase(one, pattern) for one in rests for pattern in paths)
        )


def _split(pattern: str) -> tuple[str, str, str]:
    """Part a pattern into those of the scheme, the host and the rest."""
    if "/" not in pattern:
        return "*", _spelled(pattern), "*"
    match = _PATTERN.fullmatch(pattern if "://" in pattern else f"*://{pattern}")
    if match is None:
        return pattern, "", ""
    if not match["authority"] and match["rest"] == "*":
        return match["scheme"], "*", "*"
    return match["scheme"], _spelled(match["authority"]), match["rest"] or "/"


def _spelled(host: str) -> str:
    """Spell a pattern's host as addresses do; one with a wildcard stays as it is, but for its case."""
    found = hosts.parse(host)
    return host.lower() if isinstance(found, BadHost) else hosts.in_url(found)


def _ends_plainly(host: str) -> bool:
    """Whether a host's pattern says where the host ends."""
    name = host.partition(":")[0]
    last = name.rpartition(".")[2]
    return name == "*" or (not set(last) & set("*?[") and last != "")
