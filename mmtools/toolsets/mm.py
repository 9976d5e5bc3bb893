"""
The mm toolset: which tools are declared, and with which limits.

Source: mm reference, "Declared when".
"""

from __future__ import annotations

from attrs import frozen

from mmtools.core.freshness import Ledger
from mmtools.ports.files import Files
from mmtools.ports.processes import Processes
from mmtools.ports.skills import SkillSource
from mmtools.tool import AnyTool
from mmtools.tools.mm.bash import Bash
from mmtools.tools.mm.edit_file import EditFile
from mmtools.tools.mm.read_file import ReadFile
from mmtools.tools.mm.read_skill import ReadSkill
from mmtools.tools.mm.write_file import WriteFile
from mmtools.tools.operations.run_command import SessionProcesses
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.toolsets.languages import Languages
from mmtools.toolsets.toolset import Toolset

__all__ = ["Limits", "build"]


@frozen(kw_only=True)
class Limits:
    """
    The bounds of what the tools do.

    Args:
        max_output: Characters of one answer (30,000: decision D8).
        bash_timeout_s: Of one command (30 s: mm reference).
    """

    max_output: int = 30_000
    bash_timeout_s: float = 30.0


def build(  # noqa: PLR0913 - one per port that can be left out, and what the tools share
    *,
    processes: Processes | None = None,
    files: Files | None = None,
    skills: SkillSource | None = None,
    languages: Languages | None = None,
    limits: Limits = Limits(),
    encodings: tuple[str, ...] = (),
    ledger: Ledger | None = None,
) -> Toolset:
    """
    Assemble the tools; a port given as None leaves out what needs it.

    Args:
        files: For the three file tools.
        skills: Declared only when it holds at least one skill now.
        languages: Declared only when it has at least one server.
        encodings: Codecs tried, in order, for files that are not UTF-8.
        ledger: Given, edits and overwrites need a read before them.
    """
    tools: list[AnyTool] = []
    if processes is not None:
        commands = SessionProcesses(processes=processes, ledger=ledger, max_output=limits.max_output)
        tools.append(Bash(processes=commands, timeout_s=limits.bash_timeout_s))
    if skills is not None and skills.all():
        tools.append(ReadSkill(skills=skills, max_output=limits.max_output))
    if files is not None:
        session = SessionFiles(
            files=files,
            ledger=ledger,
            checks=None if languages is None else languages.checks,
            encodings=encodings,
            max_output=limits.max_output,
        )
        tools += [ReadFile(files=session), WriteFile(files=session), EditFile(files=session)]
    if languages is not None:
        session = SessionFiles(files=languages.files, ledger=ledger, encodings=encodings, max_output=limits.max_output)
        tools += languages.tools(session, editor="edit_file", writer="write_file")
    return Toolset(tools)
