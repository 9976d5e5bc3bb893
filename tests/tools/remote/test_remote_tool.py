"""A tool of an MCP server, as the model and the runner see it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import GrantScope, Headline, Media, RemotePreview, Status, ToolKind
from mmtools.errors import ArgumentsRefused, Cancelled, PermissionRefused, ToolFailure
from mmtools.policies.allow_all import AllowAll
from mmtools.policies.read_only import ReadOnly
from mmtools.ports.permission import Choice
from mmtools.ports.remote_tool_problems import ConnectionLost, Interrupted, NoAnswer
from mmtools.ports.remote_tools import MediaBlock, RemoteAnswer, RemoteTool, TextBlock
from mmtools.runner import Runner
from mmtools.testing.calls import StubCall
from mmtools.testing.permissions import Scripted
from mmtools.testing.remote_tools import Reaction, ScriptedRemoteTools
from mmtools.tools.remote.remote_tool import NamespacedTool

SEARCH = RemoteTool(server="files", name="find.all", description="Find.", schema={"type": "object"})
PNG = b"\x89PNG\r\n\x1a\n"


def tool(*reactions: Reaction, remote_tool: RemoteTool = SEARCH, max_output: int = 30_000) -> NamespacedTool:
    remote = ScriptedRemoteTools([remote_tool], reactions)
    return NamespacedTool(remote=remote, tool=remote_tool, name="files__find_all", max_output=max_output)


def answer(text: str, *, failed: bool = False) -> RemoteAnswer:
    return RemoteAnswer(blocks=(TextBlock(text),), failed=failed)


def calls(of: NamespacedTool) -> list[tuple[str, str, Mapping[str, Any]]]:
    assert isinstance(of.remote, ScriptedRemoteTools)
    return of.remote.calls


def test_the_declaration_is_the_servers_under_our_name() -> None:
    spec = tool().spec
    assert (spec.name, spec.kind, spec.family) == ("files__find_all", ToolKind.OTHER, "mcp")
    assert (spec.description, spec.arguments_schema) == ("Find.", {"type": "object"})


def test_a_schema_is_declared_as_it_is_and_not_shared() -> None:
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {"q": {"$ref": "#/$defs/Q"}, "t": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
        "$defs": {"Q": {"type": "object", "properties": {"kids": {"items": {"$ref": "#/$defs/Q"}}}}},
        "additionalProperties": False,
    }
    spec = tool(remote_tool=RemoteTool(server="s", name="t", schema=schema)).spec
    assert json.dumps(spec.arguments_schema) == json.dumps(schema)
    spec.arguments_schema["properties"].clear()
    assert json.dumps(spec.arguments_schema) == json.dumps(schema)


def test_a_tool_without_a_description_says_whose_it_is() -> None:
    assert tool(remote_tool=RemoteTool(server="s", name="t")).spec.description == "t, a tool of the MCP server s."


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=5), values, max_size=4))
def test_arguments_reach_the_server_as_the_model_sent_them(arguments: dict[str, Any]) -> None:
    called = tool()
    runner = Runner([called], permission=AllowAll())
    sent = json.dumps(arguments)
    assert runner.call("files__find_all", sent).status is Status.OK
    [(server, name, received)] = calls(called)
    assert (server, name) == ("files", "find.all")
    assert json.dumps(received) == sent


@pytest.mark.parametrize("arguments", [None, "", "{}", {}])
def test_no_arguments_are_an_empty_object(arguments: object) -> None:
    called = tool()
    Runner([called], permission=AllowAll()).call("files__find_all", arguments)
    assert calls(called) == [("files", "find.all", {})]


@pytest.mark.parametrize(
    "arguments", ["[1]", "7", '"a"', "{", '{"a": NaN}', '{"a": 1, "a": 2}', [1], '{"a": "\\ud800"}']
)
def test_what_is_no_json_object_is_refused_and_not_asked_about(arguments: object) -> None:
    called, permission = tool(), Scripted()
    outcome = Runner([called], permission=permission).call("files__find_all", arguments)
    assert outcome.status is Status.FAILED
    assert "arguments" in outcome.text
    assert calls(called) == []


@pytest.mark.parametrize("value", [float("nan"), {1}, "\ud800"])
def test_a_direct_call_with_no_json_is_refused(value: object) -> None:
    called = tool()
    with pytest.raises(ArgumentsRefused, match="files__find_all: the arguments"):
        called.execute({"a": value}, StubCall())
    assert calls(called) == []


def test_every_call_asks_with_everything_about_it() -> None:
    call = StubCall()
    tool().execute({"q": None}, call)
    [proposal] = call.proposals
    assert proposal.title == "call find.all of the MCP server files"
    assert proposal.preview == RemotePreview("files", "find.all", {"q": None})
    assert proposal.scope == GrantScope("mcp:files__find_all", "every call of files__find_all in this session")
    assert proposal.refusal == "[files__find_all rejected by the user]"


def test_a_refused_call_is_not_made() -> None:
    called = tool()
    with pytest.raises(PermissionRefused) as refused:
        called.execute({}, StubCall(allows=False))
    assert refused.value.text == "[files__find_all rejected by the user]"
    assert calls(called) == []


def test_feedback_follows_the_refusal() -> None:
    from mmtools.ports.permission import Decision

    runner = Runner([tool()], permission=Scripted([Decision(Choice.REJECT_ONCE, "use grep")]))
    outcome = runner.call("files__find_all", {})
    assert (outcome.status, outcome.text) == (Status.REJECTED, "[files__find_all rejected by the user]\nuse grep")


def test_a_tool_that_is_believed_to_read_never_asks() -> None:
    reading = tool(remote_tool=RemoteTool(server="s", name="t", reads=True))
    call = StubCall()
    reading.execute({}, call)
    assert (reading.spec.kind, call.proposals) == (ToolKind.READ, [])


def test_without_that_a_read_only_session_refuses() -> None:
    assert Runner([tool()], permission=ReadOnly()).call("files__find_all", {}).status is Status.REJECTED


def test_media_go_beside_the_text() -> None:
    call = StubCall()
    text = tool(RemoteAnswer(blocks=(TextBlock("a"), MediaBlock("image/png", PNG)))).execute({}, call)
    assert text == "a\n[image: image/png, 8 bytes]"
    assert call.reported.media == (Media("image/png", PNG),)


def test_an_answer_that_is_a_failure_has_its_text_and_status() -> None:
    call = StubCall()
    text = tool(answer("no such file", failed=True)).execute({}, call)
    assert text == "no such file\n[error: the server reports that the call failed]"
    assert call.reported.status is Status.FAILED


def test_a_long_answer_is_cut_and_says_so() -> None:
    call = StubCall()
    text = tool(answer("x" * 500), max_output=100).execute({}, call)
    assert text == "x" * 100 + "\n[… 400 more characters are left out; ask for less at a time]"
    assert call.reported.truncated


def test_a_timeout_is_a_result() -> None:
    call = StubCall()
    text = tool(NoAnswer("files", 30.0)).execute({}, call)
    assert text.startswith("[error: 30s timeout exceeded; the MCP server files was told to stop")
    assert call.reported.status is Status.TIMED_OUT


def test_a_server_that_ends_is_a_failure_with_the_next_action() -> None:
    with pytest.raises(ToolFailure) as failure:
        tool(ConnectionLost("files", "exit status 3", last_words="fatal: no")).execute({}, StubCall())
    assert failure.value.text == (
        "[files__find_all: the MCP server files ended, or the connection to it, during the call "
        "(exit status 3: fatal: no); it may have done part of the work. The next call starts anew]"
    )


def test_a_cancelled_call_is_cancelled() -> None:
    with pytest.raises(Cancelled, match="the call was cancelled"):
        tool(Interrupted("files")).execute({}, StubCall())


def test_the_headline_shows_the_arguments() -> None:
    assert tool().headline({"q": "é", "n": None}) == Headline(text='{"q": "é", "n": null}')
    assert tool().headline({}) == Headline(text="(no arguments)")
    assert tool().headline({"a": {1}}).text == '{"a": "{1}"}'
