"""crab `web_fetch`: its contract and its translation; what it does is tested with `fetch_page`."""

from __future__ import annotations

import json

import pytest

from mmtools.call import GrantScope, Headline, ToolKind
from mmtools.errors import ArgumentsRefused
from mmtools.policies.allow_all import AllowAll
from mmtools.runner import Runner
from mmtools.testing.calls import StubCall
from mmtools.testing.web import ScriptedPages, ScriptedWeb
from mmtools.tools.crab.web_fetch import WebFetch, WebFetchArgs
from mmtools.tools.operations.fetch_page import PageReader

URL = "http://pub.test/a"


@pytest.fixture
def tool() -> WebFetch:
    return WebFetch(reader=PageReader(fetcher=ScriptedWeb({URL: "<p>hi"}), pages=ScriptedPages()))


def test_the_declaration_is_short(tool: WebFetch) -> None:
    spec = WebFetch.spec
    assert (spec.name, spec.kind, spec.family) == ("web_fetch", ToolKind.FETCH, "web")
    declared = {"name": spec.name, "description": spec.description, "input_schema": spec.arguments_schema}
    assert len(json.dumps(declared, separators=(",", ":"))) <= 500
    assert tool.headline(WebFetchArgs(url="what ever")) == Headline(text="what ever")


@pytest.mark.parametrize("name", ["url", "uri", "link", "href"])
def test_other_spellings_that_models_send(tool: WebFetch, name: str) -> None:
    assert "\nhi\n" in Runner([tool], permission=AllowAll()).execute("web_fetch", {name: URL})


def test_an_always_covers_every_page(tool: WebFetch) -> None:
    call = StubCall()
    tool.execute(WebFetchArgs(url=URL), call)
    (proposal,) = call.proposals
    assert proposal.scope == GrantScope("class:fetch", "every page fetched in this session")


def test_a_refusal_names_its_own_argument(tool: WebFetch) -> None:
    with pytest.raises(ArgumentsRefused, match=r"^\[web_fetch: url: it is empty; "):
        tool.execute(WebFetchArgs(url=""), StubCall())
