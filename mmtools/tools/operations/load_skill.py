"""A skill: found by its name, and shown whole."""

from __future__ import annotations

from mmtools.call import Location, Report
from mmtools.core import skills as naming
from mmtools.core.truncation import keep_head
from mmtools.errors import PermissionRefused, ToolFailure
from mmtools.ports.skills import SkillFile, SkillSource
from mmtools.tool import Call
from mmtools.tools.wording import phrases

__all__ = ["catalogue", "load_skill"]

#: Characters of an unknown name that are repeated: it may be of any length.
_MAX_REPEATED = 200


def catalogue(skills: SkillSource) -> str:
    """Return the rows of a tool's description, one for each skill that there is now; each begins with a line break."""
    return "".join(f"\n{naming.row(skill.name, skill.text)}" for skill in skills.all())


def load_skill(skills: SkillSource, name: str, call: Call, *, tool: str, max_output: int) -> str:
    """
    Show a skill's whole text, front matter included.

    Args:
        tool: The wire name.
        max_output: Characters of the text; a note about what is missing comes on top.

    Fails:
        `No skill named "x". Available skills: a, b, c`. A skill that is denied by its path. A skill that cannot be read,
        with the reason.
    """
    skill = _found(skills, name)
    if call.denied and (reason := call.denied([skill.path])):
        raise PermissionRefused(f"[{tool} rejected by the user]\n{reason}")
    if skill.text is None:
        raise ToolFailure(f'[{tool}: skill "{skill.name}" cannot be read: {skill.problem} ({skill.path})]')
    kept = keep_head(skill.text, max_output)
    call.report(Report(locations=(Location(skill.path),), truncated=kept.dropped_chars > 0))
    if kept.dropped_chars:
        return phrases.stacked(kept.text, f"[… {kept.dropped_chars} more characters; the whole skill is {skill.path}]")
    return kept.text or f"[skill {skill.name} is empty]"


def _found(skills: SkillSource, wanted: str) -> SkillFile:
    by_name = {skill.name: skill for skill in skills.all()}
    name = naming.find(by_name, wanted)
    if name is None:
        asked = (naming.base_name(wanted) or wanted)[:_MAX_REPEATED]
        raise ToolFailure(f'No skill named "{asked}". Available skills: {", ".join(by_name) or "none"}')
    return by_name[name]
