"""Options as programs read them: alone, in a cluster, with their value glued on or in the next word."""

from __future__ import annotations

import pytest

from mmtools.policies.options import Harmless

KNOWN = Harmless(options="-ab -n: -C? --long --value: --perhaps?")


@pytest.mark.parametrize(
    ("word", "harmless", "takes_next"),
    [
        ("-a", True, False),
        ("-ab", True, False),
        ("-ax", False, False),
        ("-n", True, True),
        ("-n5", True, False),
        ("-an5", True, False),
        ("-x", False, False),
        ("--long", True, False),
        ("--lon", False, False),
        ("--long=x", False, False),
        ("--value", True, True),
        ("--value=x", True, False),
        ("--perhaps", True, False),
        ("--perhaps=x", True, False),
        ("--other", False, False),
    ],
)
def test_an_option_is_judged_with_its_value(word: str, harmless: bool, takes_next: bool) -> None:
    verdict = KNOWN.option(word)
    assert (verdict.harmless, verdict.takes_next) == (harmless, takes_next)
