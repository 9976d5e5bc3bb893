"""Tools that live in other programs, reached over the Model Context Protocol: which there are, and what they answer."""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from attrs import field, frozen

from mmtools.call import Cancellation
from mmtools.errors import DefinitionError

__all__ = [
    "Block",
    "LeftOut",
    "Link",
    "McpServer",
    "MediaBlock",
    "RemoteAnswer",
    "RemoteTool",
    "RemoteTools",
    "TextBlock",
    "UnreadableBlock",
]


def _words(command: str | Sequence[str]) -> tuple[str, ...]:
    return tuple(shlex.split(command) if isinstance(command, str) else command)


def _listed(roots: str | Sequence[str]) -> tuple[str, ...]:
    return (roots,) if isinstance(roots, str) else tuple(roots)


@frozen
class McpServer:
    """
    How an MCP server is reached: started as a child process, or at an address.

    Args:
        name: For the model and the user; the tools are offered as `<name>__<tool>`.
        command: Program and arguments of a child that speaks over stdin and stdout; a string is split as a shell would.
        url: Of a server that speaks streamable HTTP. Exactly one of `command` and `url` is given.
        env: Added to the child's environment, which holds no secrets of the host otherwise.
        cwd: Where the child runs; None is the host's root.
        headers: Sent with every request to the address.
        timeout_s: How long one call may take.
        start_timeout_s: How long it may take until the server has listed its tools.
        trusted_reads: Whether a tool that calls itself read-only is believed: it then counts as a read and never asks.
        roots: Absolute directories that the server is told when it asks; without any it is not told that it may ask.

    Raises:
        DefinitionError: Something of this does not go together.
    """

    name: str
    command: tuple[str, ...] = field(default=(), converter=_words)
    url: str | None = None
    env: Mapping[str, str] = field(factory=dict, repr=False, kw_only=True)
    cwd: str | None = field(default=None, kw_only=True)
    headers: Mapping[str, str] = field(factory=dict, repr=False, kw_only=True)
    timeout_s: float = field(default=30.0, kw_only=True)
    start_timeout_s: float = field(default=30.0, kw_only=True)
    trusted_reads: bool = field(default=False, kw_only=True)
    roots: tuple[str, ...] = field(default=(), converter=_listed, kw_only=True)

    def __attrs_post_init__(self) -> None:
        for complaint in self._complaints():
            raise DefinitionError(f"MCP server {self.name!r}: {complaint}")

    def _complaints(self) -> list[str]:
        found = []
        if not isinstance(self.name, str) or not self.name.strip():
            found.append("it needs a name")
        if bool(self.command) == (self.url is not None):
            found.append("give exactly one of command and url")
        if self.url is not None:
            if not _is_web_address(self.url):
                found.append(f"{self.url!r} is no http or https address")
            if self.env or self.cwd is not None:
                found.append("env and cwd are for a command, not for a url")
        elif self.headers:
            found.append("headers are for a url, not for a command")
        texts = (*self.command, *self.env, *self.env.values(), *self.headers, *self.headers.values(), *self.roots)
        if not all(isinstance(each, str) and "\0" not in each for each in texts):
            found.append("command, env, headers and roots hold strings without NUL")
        if not all(isinstance(each, str) and each.startswith("/") for each in self.roots):
            found.append("roots are absolute directories")
        for name in ("timeout_s", "start_timeout_s"):
            seconds = getattr(self, name)
            if not isinstance(seconds, int | float) or not (0 < seconds < math.inf):
                found.append(f"{name} must be a positive number of seconds, not {seconds!r}")
        return found


def _is_web_address(url: object) -> bool:
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        return parts is not None and parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


@frozen(kw_only=True)
class RemoteTool:
    """
    One tool that a server offers.

    Args:
        server: The host's name for the server.
        name: The tool's name there, as it is called.
        description: Perhaps empty.
        schema: Of its arguments, as the server gave it; a JSON Schema whose type is object.
        reads: Whether it only reads, said by the server and believed by the host.
    """

    server: str
    name: str
    description: str = ""
    schema: Mapping[str, Any] = field(factory=lambda: {"type": "object"}, repr=False)
    reads: bool = False


@frozen
class LeftOut:
    """
    Why a server, or one of its tools, is not offered.

    Args:
        reason: For a person, one line.
        tool: None when it is the whole server.
    """

    server: str
    reason: str
    tool: str | None = None

    def __str__(self) -> str:
        what = "" if self.tool is None else f", tool {self.tool!r}"
        return f"mcp server {self.server!r}{what} left out: {self.reason}"


@frozen
class TextBlock:
    """
    A text, or the text of a resource.

    Args:
        uri: Of the resource; empty for plain text.
    """

    text: str
    uri: str = ""


@frozen
class MediaBlock:
    """
    A picture, a sound, or the bytes of a resource.

    Args:
        mime_type: As the server says; perhaps empty.
        uri: Of the resource; empty for media that the answer holds itself.
    """

    mime_type: str
    data: bytes = field(repr=False)
    uri: str = ""


@frozen
class Link:
    """A pointer to a resource that the answer does not hold."""

    uri: str
    name: str = ""
    description: str = ""
    mime_type: str = ""


@frozen
class UnreadableBlock:
    """
    A sign in place of a part of an answer that cannot be shown.

    Args:
        what: For example "image".
        why: For example "its data is not base64".
    """

    what: str
    why: str


#: A closed union: match it to the end.
Block: TypeAlias = TextBlock | MediaBlock | Link | UnreadableBlock


@frozen(kw_only=True)
class RemoteAnswer:
    """
    What a tool answered.

    Args:
        structured: The answer once more as JSON, when the server gave it; else None.
        failed: The server says that the call failed.
    """

    blocks: tuple[Block, ...] = ()
    structured: Any = None
    failed: bool = False


class RemoteTools(Protocol):
    """The tools of some servers. Used by any thread."""

    @property
    def tools(self) -> tuple[RemoteTool, ...]:
        """What the connected servers offered when they were connected; the same at every look."""
        ...

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What is not among `tools`, and why."""
        ...

    def call(self, tool: RemoteTool, arguments: Mapping[str, Any], *, cancellation: Cancellation) -> RemoteAnswer:
        """
        Call one tool; waits for its answer, and starts its server again when that has ended.

        Args:
            tool: One of `tools`.
            arguments: JSON; they reach the server exactly as they are.

        Raises:
            RemoteToolProblem: One of its kinds, all of which are named beside it. Nothing else.
        """
        ...

    def close(self) -> None:
        """End every connection and every server that was started; calls that run are told. A second close does nothing."""
        ...
