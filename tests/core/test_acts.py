"""What a request would do, in short."""

from __future__ import annotations

import pytest
from hypothesis import given

from mmtools.call import Preview, UrlPreview
from mmtools.core import acts
from mmtools.ports.permission import PermissionRequest
from tests.hostile_requests import PREVIEWS, REQUESTS, expected, leads
from tests.hypothesis_profiles import scaled


def test_each_kind_of_preview_has_a_strategy() -> None:
    assert set(PREVIEWS) == set(Preview.__args__)


@given(REQUESTS)
@scaled(30)
def test_the_line_of_an_act_says_what_is_expected(request_: PermissionRequest) -> None:
    found, wanted = acts.acts(request_.preview), expected(request_.preview)
    assert len(found) == len(wanted)
    for act, each in zip(found, wanted, strict=True):
        assert leads(act.line(60), each), (act, each)


@pytest.mark.parametrize(
    ("url", "user", "host"),
    [
        ("https://a.org/x@b.org", "", "a.org"),
        ("https://a.org@b.org/x", "a.org", "b.org"),
        ("https://b.org\\@a.org", "", "b.org"),
        ("mailto:me@a.org", "", ""),
    ],
)
def test_who_would_be_asked(url: str, user: str, host: str) -> None:
    assert acts.authority(url) == (user, host)
    assert acts.acts(UrlPreview(url))[0].target == (host or "none")
