"""
The composition root for this machine: its disk, its shell, its terminal.

A dialect's tools, and what they stand on, are loaded when it is asked for: a host pays only for its own.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from mmtools.core.environment import EnvironmentPolicy
from mmtools.core.freshness import Ledger
from mmtools.core.loop import LoopDetector
from mmtools.options import Options
from mmtools.ports.display import Display
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Permission
from mmtools.runner import Runner
from mmtools.tool import AnyTool

if TYPE_CHECKING:
    from mmtools.ports.language_servers import LanguageServer
    from mmtools.ports.remote_tools import McpServer

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
    extra_roots: Sequence[str | os.PathLike[str]] = (),
    outside: Literal["refuse", "ask"] = "refuse",
    encodings: Sequence[str] = (),
    read_before_edit: bool | Ledger = False,
    lsp_servers: Sequence[LanguageServer | str] = (),
    diagnostics_after_edit: bool = False,
    mcp_servers: Sequence[McpServer] = (),
    skills_dir: str | os.PathLike[str] | None = None,
    bash_tool: bool = True,
    edit_tools: bool = True,
    tools: Sequence[AnyTool] = (),
    without: Sequence[str] = (),
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
        bash_timeout_s: Of one command for which the model asks nothing else.
        environment: What commands and servers see: a policy over this process's variables, or exactly this mapping;
            by default all that does not look like a secret.
        extra_roots: Further directories whose files may be read and changed.
        outside: What happens to a path beyond the roots; "ask" shows it to the permission.
        encodings: Codecs tried, in order, for files that are not UTF-8.
        read_before_edit: Whether edits and overwrites need a read of the file before them; a ledger of the host's own
            is one that tells what other sessions wrote.
        lsp_servers: Language servers, or names of well-known ones ("gopls", "pyright", …); `lsp` is declared when
            at least one is installed, and each that is not gives a warning.
        diagnostics_after_edit: Whether an edit's result tells what it made worse or better, as a server sees it;
            takes up to 3 seconds.
        mcp_servers: Started or connected to now, side by side; their tools join as `<server>__<tool>`.
        skills_dir: Where skills lie; `read_skill` is declared when there is at least one.
        bash_tool: Whether `bash` is declared.
        edit_tools: Whether the three file tools are declared.
        tools: Further tools of the host's own, after the dialect's.
        without: Wire names that are not declared.

    Raises:
        DefinitionError: A value is of another kind, a name is not known or is taken, two servers have one name, or the
            package mcp is missing.
        NotADirectoryError: `root` or an extra root is not a directory.
    """
    options = Options(
        root=root,
        permission=permission,
        display=display,
        observer=observer,
        loop_detector=loop_detector,
        max_output=max_output,
        bash_timeout_s=bash_timeout_s,
        environment=environment,
        extra_roots=extra_roots,
        outside=outside,
        encodings=encodings,
        read_before_edit=read_before_edit,
        lsp_servers=lsp_servers,
        diagnostics_after_edit=diagnostics_after_edit,
        mcp_servers=mcp_servers,
        skills_dir=skills_dir,
        bash_tool=bash_tool,
        edit_tools=edit_tools,
        tools=tools,
        without=without,
    )
    from mmtools.toolsets import mm as mm_toolset
    from mmtools.workspace import Workspace

    workspace = Workspace.open(options)
    return workspace.runner(
        mm_toolset.build(
            processes=workspace.processes if bash_tool else None,
            files=workspace.files if edit_tools else None,
            skills=workspace.skills,
            languages=workspace.languages,
            limits=mm_toolset.Limits(max_output=max_output, bash_timeout_s=bash_timeout_s),
            encodings=tuple(encodings),
            ledger=workspace.ledger,
        )
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
    extra_roots: Sequence[str | os.PathLike[str]] = (),
    outside: Literal["refuse", "ask"] = "refuse",
    encodings: Sequence[str] = (),
    read_before_edit: bool | Ledger = True,
    lsp_servers: Sequence[LanguageServer | str] = (),
    diagnostics_after_edit: bool = False,
    mcp_servers: Sequence[McpServer] = (),
    allow_addresses: Sequence[str] = (),
    tools: Sequence[AnyTool] = (),
    without: Sequence[str] = (),
) -> Runner:
    """
    Bind the crab tools to a directory of this machine.

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
        environment: What commands and servers see: a policy over this process's variables, or exactly this mapping;
            by default all that does not look like a secret.
        extra_roots: Further directories whose files may be read and changed.
        outside: What happens to a path beyond the roots; "ask" shows it to the permission.
        encodings: Codecs tried, in order, for files that are not UTF-8.
        read_before_edit: Whether edits and overwrites need a read of the file before them; a ledger of the host's own
            is one that tells what other sessions wrote.
        lsp_servers: Language servers, or names of well-known ones ("gopls", "pyright", …); `lsp` is declared when
            at least one is installed, and each that is not gives a warning.
        diagnostics_after_edit: Whether an edit's result tells what it made worse or better, as a server sees it;
            takes up to 3 seconds.
        mcp_servers: Started or connected to now, side by side; their tools join as `<server>__<tool>`.
        allow_addresses: Networks that may be fetched from although they are not public, as "127.0.0.0/8" for tests.
        tools: Further tools of the host's own, after the dialect's.
        without: Wire names that are not declared.

    Raises:
        DefinitionError: A value is of another kind, a name is not known or is taken, two servers have one name, or the
            package mcp is missing.
        NotADirectoryError: `root` or an extra root is not a directory.
    """
    options = Options(
        root=root,
        permission=permission,
        display=display,
        observer=observer,
        loop_detector=loop_detector,
        max_output=max_output,
        bash_timeout_s=bash_timeout_s,
        environment=environment,
        extra_roots=extra_roots,
        outside=outside,
        encodings=encodings,
        read_before_edit=read_before_edit,
        lsp_servers=lsp_servers,
        diagnostics_after_edit=diagnostics_after_edit,
        mcp_servers=mcp_servers,
        allow_addresses=allow_addresses,
        tools=tools,
        without=without,
    )
    from mmtools.toolsets import crab as crab_toolset
    from mmtools.workspace import Workspace

    workspace = Workspace.open(options)
    return workspace.runner(
        crab_toolset.build(
            files=workspace.files,
            processes=workspace.processes,
            search=workspace.search(),
            web=workspace.web(),
            languages=workspace.languages,
            limits=crab_toolset.Limits(max_output=max_output, bash_timeout_s=bash_timeout_s),
            encodings=tuple(encodings),
            ledger=workspace.ledger,
        )
    )
