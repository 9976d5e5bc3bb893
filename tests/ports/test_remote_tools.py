"""What a host may say about an MCP server, and what does not go together."""

from __future__ import annotations

from typing import Any

import pytest

from mmtools.errors import DefinitionError
from mmtools.ports.remote_tools import LeftOut, McpServer


def test_a_command_is_words_or_one_line_as_for_a_shell() -> None:
    assert McpServer("a", ["x", "a b"]).command == ("x", "a b")
    assert McpServer("a", command="x 'a b'").command == ("x", "a b")
    assert McpServer("a", url="https://example.org/mcp").command == ()


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"name": "", "command": ["x"]}, "it needs a name"),
        ({"name": " ", "command": ["x"]}, "it needs a name"),
        ({}, "give exactly one of command and url"),
        ({"command": []}, "give exactly one of command and url"),
        ({"command": ["x"], "url": "http://x"}, "give exactly one of command and url"),
        ({"url": "x"}, "'x' is no http or https address"),
        ({"url": "ftp://x/"}, "is no http or https address"),
        ({"url": "http://"}, "is no http or https address"),
        ({"url": "http://x:99999/"}, "is no http or https address"),
        ({"url": 7}, "is no http or https address"),
        ({"url": "http://x", "env": {"A": "b"}}, "env and cwd are for a command"),
        ({"url": "http://x", "cwd": "/"}, "env and cwd are for a command"),
        ({"command": ["x"], "headers": {"A": "b"}}, "headers are for a url"),
        ({"command": ["x", 7]}, "hold strings without NUL"),
        ({"command": ["x\0"]}, "hold strings without NUL"),
        ({"command": ["x"], "env": {"A": 1}}, "hold strings without NUL"),
        ({"command": ["x"], "roots": ["here"]}, "roots are absolute directories"),
        ({"command": ["x"], "timeout_s": 0}, "timeout_s must be a positive number of seconds, not 0"),
        ({"command": ["x"], "timeout_s": float("inf")}, "timeout_s must be"),
        ({"command": ["x"], "start_timeout_s": "5"}, "start_timeout_s must be"),
    ],
)
def test_what_does_not_go_together_is_a_bug_of_the_host(given: dict[str, Any], complaint: str) -> None:
    with pytest.raises(DefinitionError) as error:
        McpServer(**{"name": "a", **given})
    assert complaint in str(error.value)


def test_secrets_of_a_server_are_not_in_its_repr() -> None:
    assert "hush" not in repr(McpServer("a", ["x"], env={"KEY": "hush"}))
    assert "hush" not in repr(McpServer("a", url="http://x", headers={"Authorization": "hush"}))


def test_what_is_left_out_is_one_line() -> None:
    assert str(LeftOut("a", "exit status 1")) == "mcp server 'a' left out: exit status 1"
    assert str(LeftOut("a", "broken", "t")) == "mcp server 'a', tool 't' left out: broken"
