"""Connections to addresses that were checked, and to nothing else."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Sequence
from ipaddress import IPv6Address
from typing import TypeAlias

from mmtools.adapters.web.watch import Watch
from mmtools.core.web.addresses import Address
from mmtools.ports.web import NotConnected, NotTrusted, TooSlow

__all__ = ["Connect", "connected", "secured"]

#: Connect a socket, which has its timeout, to an address and a port.
Connect: TypeAlias = Callable[[socket.socket, tuple[str, int]], None]


def connected(
    addresses: Sequence[Address], port: int, watch: Watch, *, connect: Connect, limit_s: float
) -> socket.socket:
    """
    Connect to the first address that answers; each gets its share of the time.

    Args:
        addresses: Checked, best first; at least one.

    Raises:
        NotConnected: None answers.
        TooSlow, FetchCancelled: The fetch is over.
    """
    left_s = min(limit_s, watch.left_s)
    failure: OSError = OSError("there is no address")
    for place, address in enumerate(addresses):
        family = socket.AF_INET6 if isinstance(address, IPv6Address) else socket.AF_INET
        share_s = left_s / (len(addresses) - place)
        begun_s = watch.left_s
        try:
            connection = socket.socket(family, socket.SOCK_STREAM)
        except OSError as error:
            failure = error
            continue
        try:
            watch.attend(connection)
            connection.settimeout(max(0.001, share_s))
            connect(connection, (str(address), port))
            watch.check("a connection")
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            connection.close()
            watch.check("a connection")
            failure = error
        except BaseException:
            connection.close()
            raise
        else:
            return connection
        left_s = max(0.001, left_s - (begun_s - watch.left_s))
    if isinstance(failure, TimeoutError) and failure.errno is None:
        raise TooSlow("a connection") from failure
    raise NotConnected(failure.strerror or str(failure)) from failure


def secured(connection: socket.socket, host: str, watch: Watch, context: ssl.SSLContext) -> socket.socket:
    """
    Put TLS over a connection, with a certificate for the host's name; takes the connection over.

    Raises:
        NotTrusted: The certificate is not for this host, not valid, or from nobody who is trusted.
        NotConnected: There is no TLS.
        TooSlow, FetchCancelled: The fetch is over.
    """
    connection.settimeout(watch.left_s + 1)
    try:
        return context.wrap_socket(connection, server_hostname=host)
    except OSError as error:
        connection.close()
        watch.check("the server's certificate")
        if isinstance(error, ssl.SSLCertVerificationError):
            raise NotTrusted(error.verify_message) from error
        if isinstance(error, TimeoutError):
            raise TooSlow("the server's certificate") from error
        reason = error.reason if isinstance(error, ssl.SSLError) else error.strerror
        words = (reason or "the connection broke off").replace("_", " ").lower()
        raise NotConnected(f"no TLS: {words}") from error
