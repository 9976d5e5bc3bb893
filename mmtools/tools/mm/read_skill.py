"""mm `read_skill`: a text of know-how, by its name. Source: mm reference, "read_skill"."""

from __future__ import annotations

from typing import Annotated

from attrs import field, frozen
from typing_extensions import Doc

from mmtools.call import Headline, ToolKind
from mmtools.ports.skills import SkillSource
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.load_skill import catalogue, load_skill

__all__ = ["ReadSkill", "ReadSkillArgs"]

_SENTENCE = "Read a skill: instructions for one kind of task. Read the one that fits before starting. Skills:"


@frozen(kw_only=True)
class ReadSkillArgs:
    """The name of a skill."""

    name: Annotated[str, Doc("Skill name, exactly as listed in the tool description.")]


@frozen(kw_only=True)
class ReadSkill:
    """
    The tool that shows a skill's whole text: `load_skill`.

    The catalogue in the description is that of the moment when the tool was made; a skill that came
    later is found all the same.

    Args:
        max_output: Characters of the text; a note about what is missing comes on top.

    Needs:
        skills: To find them, at every call.

    Source:
        mm reference, "read_skill"; decisions D8, D14.
    """

    skills: SkillSource
    max_output: int = 30_000
    _description: str = field(init=False, repr=False)

    @_description.default
    def _describe(self) -> str:
        return f"{_SENTENCE}{catalogue(self.skills)}"

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
        return load_skill(self.skills, arguments.name, call, tool=self.spec.name, max_output=self.max_output)
