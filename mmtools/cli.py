"""
The tools from a shell: list them, call one, replay a recorded session, look at what was recorded, serve them.

    mmtools tools   [--format text|json|anthropic|openai|openai-responses|gemini|mcp]
    mmtools call    TOOL JSON
    mmtools replay  FILE.jsonl
    mmtools metrics FILE [--session NAME] [--html PAGE]
    mmtools serve   [--http PORT [--token TOKEN]]
    mmtools --version
"""

from __future__ import annotations

import argparse
import inspect
import json
import secrets
import sys
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from typing_extensions import override

from mmtools import __version__, local, providers, recording
from mmtools.adapters.console import ConsolePermission
from mmtools.adapters.terminal_display import TerminalDisplay
from mmtools.call import Status
from mmtools.core import screen_text
from mmtools.errors import DefinitionError, LoopStopped
from mmtools.policies.allow_all import AllowAll
from mmtools.policies.read_only import ReadOnly
from mmtools.policies.remember import Remember
from mmtools.ports.display import Display
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Permission
from mmtools.ports.remote_tools import McpServer
from mmtools.runner import Runner
from mmtools.tool import ToolSpec

if TYPE_CHECKING:
    from mmtools.adapters.sqlite_observer import SqliteObserver

__all__ = ["main"]

#: Exit codes: public-api.md, section 6.
_OK, _FAILED, _USAGE, _LOOP = 0, 1, 2, 3

_TOOLSETS: dict[str, Callable[..., Runner]] = {"crab": local.crab, "mm": local.mm}

_PERMISSIONS: dict[str, Callable[[], Permission]] = {
    "all": AllowAll,
    "reads": ReadOnly,
    "ask": lambda: Remember(ConsolePermission()),
}

_FORMATS: dict[str, Callable[[Sequence[ToolSpec]], Any]] = {
    "anthropic": providers.anthropic,
    "gemini": providers.gemini,
    "mcp": providers.mcp,
    "openai": providers.openai_chat,
    "openai-responses": providers.openai_responses,
    "json": lambda specs: [
        {
            "name": spec.name,
            "description": spec.description,
            "kind": spec.kind.value,
            "family": spec.family,
            "arguments_schema": spec.arguments_schema,
        }
        for spec in specs
    ],
}


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run one command.

    Args:
        argv: Without the program's name; `sys.argv` when None.

    Returns:
        0 done, 1 the call failed or was rejected, 2 wrong usage, 3 stopped by the loop detector.
    """
    options = _parser().parse_args(argv)
    try:
        code: int = options.run(options)
    except NotADirectoryError as error:
        return _complain(f"--root must be a directory: {error.filename}")
    except DefinitionError as error:
        return _complain(str(error))
    except BrokenPipeError:
        # Whoever read our output has left; Python would complain again at exit.
        sys.stdout = None
        return _FAILED
    return code


def _tools(options: argparse.Namespace) -> int:
    with _running(options) as runner:
        if options.format == "text":
            for spec in runner.specs:
                _say(f"{spec.name}  ({spec.kind.value})\n    {spec.description}")
        else:
            # To a terminal in ASCII: what JSON may leave unescaped can still turn a line round.
            ascii_only = sys.stdout.isatty()
            print(json.dumps(_FORMATS[options.format](runner.specs), indent=2, ensure_ascii=ascii_only))
    return _OK


def _call(options: argparse.Namespace) -> int:
    with _running(options) as runner:
        known = [spec.name for spec in runner.specs]
        if options.tool not in known:
            return _complain(f"no tool {options.tool!r} here: {', '.join(known)}")
        try:
            outcome = runner.call(options.tool, options.arguments)
        except LoopStopped as stop:
            _say(stop.text)
            return _LOOP
        _say(outcome.text)
        return _OK if outcome.status is Status.OK else _FAILED


def _replay(options: argparse.Namespace) -> int:
    try:
        lines = Path(options.file).read_text(encoding="utf-8").split("\n")
        calls = recording.parse(lines)
    except (OSError, UnicodeDecodeError, recording.RecordingRefused) as error:
        return _complain(f"{options.file}: {error}")
    code = _OK
    with _running(options, TerminalDisplay()) as runner:
        with runner.turn():
            try:
                for call in calls:
                    runner.call(call.name, call.arguments, call_id=call.call_id)
            except LoopStopped as stop:
                _say(stop.text)
                code = _LOOP
        _say(runner.recap())
    return code


def _serve(options: argparse.Namespace) -> int:
    try:
        from mmtools.hosting.mcp_server import ToolServer, serve_http, serve_stdio
    except ModuleNotFoundError as missing:
        return _complain(str(missing))
    with _observed(options) as observer:
        building = threading.Lock()  # two clients may come at once, and warnings are caught for the whole process

        def opened(asking: Permission, display: Display) -> Runner:
            permission = asking if options.allow == "ask" else _PERMISSIONS[options.allow]()
            with building:
                return _built(options, permission, display, observer)

        server = ToolServer(opened, version=__version__)
        if options.http is None:
            serve_stdio(server)
        else:
            token = options.token or secrets.token_urlsafe(32)
            serve_http(server, port=options.http, token=token, announce=lambda url: _announce(url, token))
    return _OK


def _announce(url: str, token: str) -> None:
    print(f"mmtools: {url}\nmmtools: clients send Authorization: Bearer {token}", file=sys.stderr, flush=True)


@contextmanager
def _running(options: argparse.Namespace, display: Display | None = None) -> Iterator[Runner]:
    with _observed(options) as observer, _built(options, _PERMISSIONS[options.allow](), display, observer) as runner:
        yield runner


def _built(
    options: argparse.Namespace, permission: Permission, display: Display | None, observer: Observer | None
) -> Runner:
    build = _TOOLSETS[options.toolset]
    wanted = {
        "allow_addresses": options.allow_address,
        "lsp_servers": options.lsp,
        "mcp_servers": _servers(options),
        "read_before_edit": None if options.read_before_edit is None else options.read_before_edit == "yes",
        "skills_dir": options.skills_dir,
    }
    given = {name: value for name, value in wanted.items() if value not in (None, [])}
    for name in given:
        if name not in inspect.signature(build).parameters:
            raise DefinitionError(f"the {options.toolset} tools have no use for {name.replace('_', ' ')}")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        runner = build(options.root, permission=permission, display=display, observer=observer, **given)
    for warning in caught:
        _say(str(warning.message), sys.stderr)
    return runner


@contextmanager
def _observed(options: argparse.Namespace) -> Iterator[Observer | None]:
    if options.record is None:
        yield None
    else:
        with _observer(options.record) as observer:
            yield observer


def _observer(file: str) -> SqliteObserver:
    import sqlite3

    from mmtools.adapters.sqlite_observer import SqliteObserver

    try:
        return SqliteObserver(file)
    except sqlite3.Error as error:
        raise DefinitionError(f"--record {file}: {error}") from None


def _servers(options: argparse.Namespace) -> list[McpServer]:
    commands = [McpServer(name, command) for name, command in map(_named, options.mcp)]
    return commands + [McpServer(name, url=url) for name, url in map(_named, options.mcp_url)]


def _named(word: str) -> tuple[str, str]:
    name, given, value = word.partition("=")
    if not given or not name or not value:
        raise DefinitionError(f"an MCP server is given as NAME=COMMAND or NAME=URL, not {word!r}")
    return name, value


def _metrics(options: argparse.Namespace) -> int:
    from mmtools.adapters.metrics import page, records, report

    try:
        recorded = records.read(options.file, options.session)
        if options.html is not None:
            Path(options.html).write_text(page.render(recorded), encoding="utf-8")
    except records.StoreRefused as refused:
        return _complain(str(refused))
    except OSError as error:
        return _complain(f"{error.filename}: {error.strerror}")
    _say(report.render(recorded))
    return _OK


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints repeat to a terminal nothing that could steer it."""

    @override
    def error(self, message: str) -> NoReturn:
        super().error(_fit_for(sys.stderr, message))


def _complain(problem: str) -> int:
    _say(f"mmtools: {problem}", sys.stderr)
    return _USAGE


def _say(text: str, stream: TextIO | None = None) -> None:
    """Print to a stream as it is; to a terminal with what could steer it written out."""
    target = sys.stdout if stream is None else stream
    shown = _fit_for(target, text)
    print(shown, end="" if shown.endswith("\n") else "\n", file=target)


def _fit_for(stream: TextIO, text: str) -> str:
    return screen_text.spelled(screen_text.plain(text)) if stream.isatty() else text


def _parser() -> argparse.ArgumentParser:
    common = _Parser(add_help=False)
    common.add_argument("--toolset", choices=sorted(_TOOLSETS), default="mm", help="the dialect (default: mm)")
    common.add_argument("--root", default=".", metavar="DIR", help="where paths begin (default: here)")
    common.add_argument("--allow", choices=sorted(_PERMISSIONS), default="ask", help="who decides (default: ask)")
    common.add_argument(
        "--read-before-edit", choices=["yes", "no"], help="whether an edit needs a read before it (crab: yes, mm: no)"
    )
    common.add_argument("--record", metavar="FILE", help="keep one row per call in this SQLite database")
    common.add_argument("--skills-dir", metavar="DIR", help="mm: where skills lie")
    common.add_argument("--lsp", metavar="NAME", action="append", default=[], help="a language server, by its name")
    servers: dict[str, Any] = {"action": "append", "default": []}
    common.add_argument("--mcp", metavar="NAME=COMMAND", **servers, help="an MCP server, started here")
    common.add_argument("--mcp-url", metavar="NAME=URL", **servers, help="an MCP server, at an address")
    common.add_argument("--allow-address", metavar="NETWORK", **servers, help="crab: may be fetched though not public")

    parser = _Parser(prog="mmtools", description="Tools for coding agents, from a shell.")
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    tools = commands.add_parser("tools", parents=[common], help="list the tools")
    tools.add_argument("--format", choices=["text", *sorted(_FORMATS)], default="text")
    tools.set_defaults(run=_tools)

    call = commands.add_parser("call", parents=[common], help="call one tool and print its text")
    call.add_argument("tool", metavar="TOOL")
    call.add_argument("arguments", metavar="JSON", nargs="?", default="")
    call.set_defaults(run=_call)

    replay = commands.add_parser("replay", parents=[common], help="run a recorded list of calls")
    replay.add_argument("file", metavar="FILE.jsonl")
    replay.set_defaults(run=_replay)

    serve = commands.add_parser("serve", parents=[common], help="offer the tools as an MCP server")
    serve.add_argument("--http", metavar="PORT", type=int, help="to this machine over HTTP, not over stdin and stdout")
    serve.add_argument("--token", metavar="TOKEN", help="with --http: what clients must send (default: made at start)")
    serve.set_defaults(run=_serve)

    metrics = commands.add_parser("metrics", help="say what was recorded, by tool")
    metrics.add_argument("file", metavar="FILE", help="of SqliteObserver or JsonLinesObserver")
    metrics.add_argument("--session", metavar="NAME", help="only this one")
    metrics.add_argument("--html", metavar="PAGE", help="write a page with plots there, too")
    metrics.set_defaults(run=_metrics)
    return parser
