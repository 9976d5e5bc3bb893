"""mm `read_skill`: its contract and its translation; what it does is tested with `load_skill`."""

from __future__ import annotations

import json

import pytest

from mmtools.call import Headline, ToolKind
from mmtools.errors import ToolFailure
from mmtools.policies.refuse_all import RefuseAll
from mmtools.runner import Runner
from mmtools.testing.calls import StubCall
from mmtools.testing.skills import MemorySkills
from mmtools.tools.mm.read_skill import ReadSkill, ReadSkillArgs

DEPLOY = "---\nname: deploy\ndescription: Use when: deploying\n---\n# Deploy\nSteps.\n"


def test_the_description_is_a_sentence_and_the_catalogue_sorted_by_name() -> None:
    skills = MemorySkills({"b": "# Second", "a": DEPLOY, "c": ""}, problems={"bad": "not UTF-8"})
    sentence, *catalogue = ReadSkill(skills=skills).spec.description.split("\n")
    assert sentence.endswith(":")
    assert catalogue == ["  a — Use when: deploying", "  b — Second", "  bad", "  c"]


def test_the_declaration_is_short() -> None:
    spec = ReadSkill(skills=MemorySkills()).spec
    declared = {"name": spec.name, "description": spec.description, "input_schema": spec.arguments_schema}
    assert len(json.dumps(declared)) <= 350
    assert (spec.name, spec.kind, spec.family) == ("read_skill", ToolKind.READ, "skill")


def test_the_description_depends_on_the_instance_not_on_the_moment() -> None:
    skills = MemorySkills({"a": "A"})
    tool = ReadSkill(skills=skills)
    before = tool.spec
    skills.texts["b"] = "B"
    assert tool.spec == before
    assert "  b — B" in ReadSkill(skills=skills).spec.description


def test_the_headline_is_the_name_and_the_text_is_not_echoed() -> None:
    headline = ReadSkill(skills=MemorySkills()).headline(ReadSkillArgs(name="deploy"))
    assert headline == Headline(text="deploy", echoes=False)


@pytest.mark.parametrize("name", ["name", "skill", "skill_name"])
def test_other_spellings_that_models_send(name: str) -> None:
    tool = ReadSkill(skills=MemorySkills({"deploy": DEPLOY}))
    assert Runner([tool], permission=RefuseAll()).execute("read_skill", {name: "deploy"}) == DEPLOY


def test_its_limit_and_its_name_are_those_of_its_answers() -> None:
    tool = ReadSkill(skills=MemorySkills({"a": "A" * 9}, problems={"bad": "not UTF-8"}), max_output=5)
    assert tool.execute(ReadSkillArgs(name="a"), StubCall()).startswith("AAAAA\n[… 4 more characters; ")
    with pytest.raises(ToolFailure, match=r"^\[read_skill: skill "):
        tool.execute(ReadSkillArgs(name="bad"), StubCall())
