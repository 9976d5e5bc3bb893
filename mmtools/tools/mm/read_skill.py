"""mm `read_skill`: a text of know-how, by its name. Source: mm reference, "read_skill"."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen
from typing_extensions import Doc

from mmtools.call import Headline, Location, Report, ToolKind
from mmtools.core import skills as naming
from mmtools.core.truncation import keep_head
from mmtools.errors import ToolFailure
from mmtools.ports.skills import SkillFile, SkillSource
from mmtools.tool import Call, ToolSpec

__all__ = ["ReadSkill", "ReadSkillArgs"]

_SENTENCE = "Read a skill: instructions for one kind of task. Read the one that fits before starting. Skills:"
#: Characters of an unknown name that are repeated: it may be of any length.
_MAX_REPEATED = 200


@frozen(kw_only=True)
class ReadSkillArgs:
    """The name of a skill."""

    name: Annotated[str, Doc("Skill name, exactly as listed in the tool description.")]


@frozen(kw_only=True)
class ReadSkill:
    """
    The tool that shows a skill's whole text, front matter included.

    The catalogue in the description is that of the moment when the tool was made; a skill that came
    later is found all the same.

    Args:
        max_output: Characters of the text; a note about what is missing comes on top.

    Needs:
        skills: To find them, at every call.

    Asks:
        Never.

    Fails:
        `No skill named "x". Available skills: a, b, c`. A skill that cannot be read, with the reason.

    Source:
        mm reference, "read_skill"; decisions D8, D14.
    """

    skills: SkillSource
    max_output: int = 30_000
    _description: str = field(init=False, repr=False)

    @_description.default
    def _describe(self) -> str:
        return "\n".join([_SENTENCE, *(naming.row(skill.name, skill.text) for skill in self.skills.all())])

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(
            name="read_skill",
            kind=ToolKind.READ,
            family="skill",
            description=self._description,
            arguments=ReadSkillArgs,
            aliases={"skill": "name", "skill_name": "name"},
        )

    def headline(self, arguments: ReadSkillArgs) -> Headline:
        return Headline(text=arguments.name, echoes=False)

    def execute(self, arguments: ReadSkillArgs, call: Call) -> str:
        skill = self._found(arguments.name)
        if skill.text is None:
            raise ToolFailure(f'[read_skill: skill "{skill.name}" cannot be read: {skill.problem} ({skill.path})]')
        kept = keep_head(skill.text, self.max_output)
        call.report(Report(locations=(Location(skill.path),), truncated=kept.dropped_chars > 0))
        if kept.dropped_chars:
            gap = "" if kept.text.endswith("\n") else "\n"
            return f"{kept.text}{gap}[… {kept.dropped_chars} more characters; the whole skill is {skill.path}]"
        return kept.text or f"[skill {skill.name} is empty]"

    def _found(self, wanted: str) -> SkillFile:
        by_name = {skill.name: skill for skill in self.skills.all()}
        name = naming.find(by_name, wanted)
        if name is None:
            asked = (naming.base_name(wanted) or wanted)[:_MAX_REPEATED]
            raise ToolFailure(f'No skill named "{asked}". Available skills: {", ".join(by_name) or "none"}')
        return by_name[name]
