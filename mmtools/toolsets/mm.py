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
from mmtools.toolsets.toolset import Toolset

__all__ = ["Limits", "build"]


@frozen(kw_only=True)
class Limits:
    """
    Bound what the tools do.

    Args:
        max_output: Characters of one answer (30,000: decision D8).
        bash_timeout_s: Of one command (30 s: mm reference).
    """

    max_output: int = 30_000
    bash_timeout_s: float = 30.0


def build(
    *,
    processes: Processes | None,
    files: Files | None,
    skills: SkillSource | None,
    limits: Limits = Limits(),
    encodings: tuple[str, ...] = (),
    ledger: Ledger | None = None,
) -> Toolset:
    """
    Assemble the tools; a port given as None leaves out what needs it.

    Args:
        skills: Declared only when it holds at least one skill now.
        encodings: Codecs tried, in order, for files that are not UTF-8.
        ledger: Given, edits and overwrites need a read before them.
    """
    tools: list[AnyTool] = []
    if processes is not None:
        tools.append(Bash(processes=processes, timeout_s=limits.bash_timeout_s, max_output=limits.max_output))
    if skills is not None and skills.all():
        tools.append(ReadSkill(skills=skills, max_output=limits.max_output))
    if files is not None:
        tools += [
            ReadFile(files=files, max_output=limits.max_output, encodings=encodings, ledger=ledger),
            WriteFile(files=files, max_output=limits.max_output, encodings=encodings, ledger=ledger),
            EditFile(files=files, max_output=limits.max_output, encodings=encodings, ledger=ledger),
        ]
    return Toolset(tools)
