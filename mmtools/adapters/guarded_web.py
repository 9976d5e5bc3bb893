"""A fetcher that cannot be led to an address that is not public: `Fetcher` over urllib3."""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from ipaddress import IPv4Address, IPv6Address

from attrs import frozen

from mmtools.adapters.web.connections import Connect, connected, secured
from mmtools.adapters.web.names import Resolve, addresses_of, system_addresses
from mmtools.adapters.web.watch import Watch
from mmtools.call import Cancellation
from mmtools.core.web import addresses, media_types
from mmtools.core.web.addresses import Address, Network, parse_network
from mmtools.core.web.hosts import HostName, is_local_name
from mmtools.core.web.urls import Url
from mmtools.errors import DefinitionError
from mmtools.ports.web import AddressRefused, Fetched, Redirected

__all__ = ["GuardedWeb", "WebLimits"]

_THIS_MACHINE: tuple[Address, ...] = (IPv4Address("127.0.0.1"), IPv6Address("::1"))


@frozen(kw_only=True)
class WebLimits:
    """
    The bounds of one request beside its time.

    Args:
        max_bytes: Of a body after decompression; what is more is not read (10 MiB).
        connect_s: For looking up a name, and again for connecting (15 s).
        user_agent: What servers are told.
    """

    max_bytes: int = 10 << 20
    connect_s: float = 15.0
    user_agent: str = "mmtools (a coding agent's web_fetch)"


class GuardedWeb:
    """
    A web of public servers only, with connections to the very address that was checked.

    No proxy, cookie, credential or setting of the environment takes part.

    Args:
        allow_addresses: Networks that may be fetched from although they are not public: "127.0.0.0/8" for tests.
        resolve: A name → its addresses; by default the system's.
        connect: Connects a socket to an address; for tests.
        tls: What is trusted; by default what the system trusts.

    Raises:
        DefinitionError: One of `allow_addresses` is no network.
        ModuleNotFoundError: urllib3 is missing; the text names the packages to install.
    """

    def __init__(
        self,
        *,
        allow_addresses: Sequence[str] = (),
        resolve: Resolve = system_addresses,
        connect: Connect = socket.socket.connect,
        tls: ssl.SSLContext | None = None,
        limits: WebLimits | None = None,
    ) -> None:
        if find_spec("urllib3") is None:
            raise ModuleNotFoundError(
                "fetching from the web needs three packages: pip install urllib3 trafilatura lxml_html_clean",
                name="urllib3",
            )
        self._allowed = _networks(allow_addresses)
        self._resolve = resolve
        self._connect = connect
        self._given_tls = tls
        self._limits = limits or WebLimits()

    def check(self, url: Url) -> None:
        host = url.host
        if isinstance(host, HostName):
            if is_local_name(host) and not self._this_machine():
                raise AddressRefused(url.host_text)
        elif judged := addresses.judge(host, self._allowed):
            raise AddressRefused(url.host_text, judged)

    def fetch(self, url: Url, *, limit_s: float, cancellation: Cancellation) -> Fetched | Redirected:
        from mmtools.adapters.web.answers import answer_to

        begun = time.monotonic()
        self.check(url)
        with Watch(limit_s=limit_s, cancellation=cancellation) as watch:
            connection = self._open(url, watch)
            with connection:
                limits = self._limits
                answer = answer_to(url, connection, watch, user_agent=limits.user_agent, max_bytes=limits.max_bytes)
        took_s = time.monotonic() - begun
        if answer.location is not None:
            return Redirected(url=url, status=answer.status, location=answer.location, took_s=took_s)
        return Fetched(
            url=url,
            status=answer.status,
            media_type=media_types.parse(answer.content_type),
            body=answer.body,
            end=answer.end,
            declared_bytes=answer.declared_bytes,
            took_s=took_s,
        )

    def _open(self, url: Url, watch: Watch) -> socket.socket:
        """Connect to a server; its addresses are looked up, checked and used in one go."""
        watch.check("anything")
        limit_s = self._limits.connect_s
        found = self._addresses(url, watch)
        for address in found:
            if judged := addresses.judge(address, self._allowed):
                raise AddressRefused(url.host_text, judged)
        connection = connected(found, url.port, watch, connect=self._connect, limit_s=limit_s)
        if url.scheme == "http":
            return connection
        return secured(connection, url.host_text, watch, self._tls)

    def _addresses(self, url: Url, watch: Watch) -> tuple[Address, ...]:
        if not isinstance(url.host, HostName):
            return (url.host,)
        if is_local_name(url.host):
            return self._this_machine()
        return addresses_of(url.host.text, self._resolve, watch, limit_s=self._limits.connect_s)

    def _this_machine(self) -> tuple[Address, ...]:
        return tuple(address for address in _THIS_MACHINE if not addresses.judge(address, self._allowed))

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context() if self._given_tls is None else self._given_tls


def _networks(texts: Sequence[str]) -> tuple[Network, ...]:
    if isinstance(texts, str):
        raise DefinitionError(f"allow_addresses is a list of networks, not one string: [{texts!r}]")
    networks = []
    for text in texts:
        network = parse_network(text)
        if network is None:
            raise DefinitionError(f"allow_addresses: {text!r} is no network such as '127.0.0.0/8'")
        networks.append(network)
    return tuple(networks)
