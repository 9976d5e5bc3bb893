"""
The composition root for this machine: its disk, its shell, its terminal.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.skill_folders import SkillFolders
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.core.environment import EnvironmentPolicy
from mmtools.core.freshness import Ledger
from mmtools.core.loop import LoopDetector
from mmtools.ports.display import Display
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Permission
from mmtools.runner import Runner
from mmtools.toolsets import mm as mm_toolset

__all__ = ["mm"]


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
    read_before_edit: bool = False,
    bash_tool: bool = True,
    edit_tools: bool = True,
    skills_dir: str | os.PathLike[str] | None = None,
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
        read_before_edit: Whether edits and overwrites need a read of the file before them.
        bash_tool: Whether `bash` is declared.
        edit_tools: Whether the three file tools are declared.
        skills_dir: Where skills lie; `read_skill` is declared when there is at least one.

    Raises:
        NotADirectoryError: `root` or an extra root is not a directory.
    """
    directory = _directory(root)
    processes = Subprocesses(directory, environment=_environment(environment)) if bash_tool else None
    files = LocalFiles(directory, extra_roots=tuple(map(_directory, extra_roots)), outside=outside) if edit_tools else None
    ledger = Ledger() if read_before_edit else None
    toolset = mm_toolset.build(
        processes=processes,
        files=files,
        skills=None if skills_dir is None else SkillFolders(Path(skills_dir)),
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
        closes=() if processes is None else (processes.close,),
        resets=() if ledger is None else (ledger.reset,),
    )


def _directory(path: str | os.PathLike[str]) -> str:
    if not os.path.isdir(path):
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), os.fspath(path))
    return os.path.realpath(path)


def _environment(environment: EnvironmentPolicy | Mapping[str, str] | None) -> Mapping[str, str]:
    if isinstance(environment, Mapping):
        return environment
    return (environment or EnvironmentPolicy()).child(os.environ)
