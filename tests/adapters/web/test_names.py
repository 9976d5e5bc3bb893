"""Names looked up: by the system, by a test's resolver, and by one that never answers."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from ipaddress import ip_address

import pytest

from mmtools.adapters.web.names import Resolve, addresses_of, system_addresses
from mmtools.adapters.web.watch import Watch
from mmtools.call import Cancellation
from mmtools.core.web.addresses import Address
from mmtools.ports.web import FetchCancelled, NameUnknown, TooSlow


def looked_up(
    resolve: Resolve, *, limit_s: float = 15.0, cancellation: Cancellation | None = None
) -> tuple[Address, ...]:
    with Watch(limit_s=60, cancellation=cancellation or Cancellation()) as watch:
        return addresses_of("name.test", resolve, watch, limit_s=limit_s)


def test_the_system_knows_itself() -> None:
    assert "127.0.0.1" in system_addresses("localhost")
    with pytest.raises(OSError, match=r"not known|No address|failure"):
        system_addresses("no-such-name.invalid")


def test_answers_are_addresses_in_their_order() -> None:
    assert looked_up(lambda name: ["1.1.1.1", "::1"]) == (ip_address("1.1.1.1"), ip_address("::1"))


@pytest.mark.parametrize("answer", [[], ["nonsense"], ["1.1.1.1", ""]])
def test_what_is_no_answer_is_said(answer: Sequence[str]) -> None:
    with pytest.raises(NameUnknown):
        looked_up(lambda name: answer)


def test_the_systems_words_are_kept() -> None:
    def fail(name: str) -> Sequence[str]:
        raise OSError(-2, "Name or service not known")

    with pytest.raises(NameUnknown, match="Name or service not known"):
        looked_up(fail)


def test_nobody_waits_for_a_resolver_that_hangs() -> None:
    release = threading.Event()

    def hang(name: str) -> Sequence[str]:
        release.wait(30)
        return ["1.1.1.1"]

    with pytest.raises(TooSlow):
        looked_up(hang, limit_s=0.05)
    cancellation = Cancellation()
    threading.Timer(0.05, cancellation.request).start()
    with pytest.raises(FetchCancelled):
        looked_up(hang, cancellation=cancellation)
    release.set()
