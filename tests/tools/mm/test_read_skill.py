"""mm `read_skill`, row by row of its table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.skill_folders import SkillFolders
from mmtools.call import Headline, ToolKind
from mmtools.errors import ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.testing.skills import MemorySkills
from mmtools.tools.mm.read_skill import ReadSkill, ReadSkillArgs

DEPLOY = "---\nname: deploy\ndescription: Use when: deploying\n---\n# Deploy\nSteps.\n"


def read(tool: ReadSkill, name: str) -> str:
    return tool.execute(ReadSkillArgs(name=name), StubCall())


def refused(tool: ReadSkill, name: str) -> str:
    with pytest.raises(ToolFailure) as refusal:
        read(tool, name)
    return refusal.value.text


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


def test_the_output_is_the_whole_text_front_matter_included() -> None:
    call = StubCall()
    assert ReadSkill(skills=MemorySkills({"deploy": DEPLOY})).execute(ReadSkillArgs(name="deploy"), call) == DEPLOY
    assert not call.reported.truncated
    assert call.proposals == []


def test_the_output_is_cut_to_max_output_with_a_notice() -> None:
    text = "".join(f"line {number}\n" for number in range(1000))
    call = StubCall()
    tool = ReadSkill(skills=MemorySkills({"long": text}), max_output=500)
    answer = tool.execute(ReadSkillArgs(name="long"), call)
    *kept, notice = answer.split("\n")
    shown = "\n".join(kept) + "\n"
    assert text.startswith(shown)
    assert 300 <= len(shown) <= 500
    assert notice == f"[… {len(text) - len(shown)} more characters; the whole skill is memory:long]"
    assert call.reported.truncated


@given(st.text(min_size=1), st.integers(1, 30))
def test_what_is_cut_is_counted(text: str, max_output: int) -> None:
    answer = read(ReadSkill(skills=MemorySkills({"x": text}), max_output=max_output), "x")
    if len(text) <= max_output:
        assert answer == text
        return
    shown, _, notice = answer.rpartition("[… ")
    missing = int(notice.split(" ")[0])
    assert text.startswith(shown[: len(text) - missing])
    assert 0 < len(text) - missing <= max_output


@pytest.mark.parametrize("wanted", ["x", "DEPLOYS", "deploy/x", "de ploy", "deploy*"])
def test_an_unknown_name_gets_the_list(wanted: str) -> None:
    tool = ReadSkill(skills=MemorySkills({"deploy": DEPLOY, "b": "B", "a": "A"}))
    base = wanted.rpartition("/")[2]
    assert refused(tool, wanted) == f'No skill named "{base}". Available skills: a, b, deploy'


@pytest.mark.parametrize("wanted", ["", ".", "..", "a/.."])
def test_a_name_of_no_file_is_unknown(wanted: str) -> None:
    assert (
        refused(ReadSkill(skills=MemorySkills({"a": "A"})), wanted) == f'No skill named "{wanted}". Available skills: a'
    )


def test_an_unknown_name_of_any_length_is_answered_in_short() -> None:
    assert len(refused(ReadSkill(skills=MemorySkills()), "x" * 10**6)) < 300
    assert refused(ReadSkill(skills=MemorySkills()), "x") == 'No skill named "x". Available skills: none'


@pytest.mark.parametrize("wanted", ["../../k", "..\\k", "/k", "a/../k"])
def test_no_name_leads_out_of_the_directory(tmp_path: Path, wanted: str) -> None:
    (tmp_path / "k").write_text("secret")
    (tmp_path / "k.md").write_text("secret")
    directory = tmp_path / "skills" / "deep"
    directory.mkdir(parents=True)
    (directory / "a.md").write_text("A")
    tool = ReadSkill(skills=SkillFolders(directory))
    assert refused(tool, wanted) == 'No skill named "k". Available skills: a'


@pytest.mark.parametrize("wanted", ["deploy", "deploy.md", "Deploy", "DEPLOY.MD", "skills/deploy", "skills\\deploy.md"])
def test_a_name_is_read_as_it_can_only_be_meant(wanted: str) -> None:
    assert read(ReadSkill(skills=MemorySkills({"deploy": DEPLOY})), wanted) == DEPLOY


def test_a_skill_that_came_later_is_found() -> None:
    skills = MemorySkills({"a": "A"})
    tool = ReadSkill(skills=skills)
    assert refused(tool, "b") == 'No skill named "b". Available skills: a'
    skills.texts["b"] = "B"
    assert read(tool, "b") == "B"
    assert refused(tool, "c") == 'No skill named "c". Available skills: a, b'


def test_a_skill_that_cannot_be_read_tells_why() -> None:
    tool = ReadSkill(skills=MemorySkills({"a": "A"}, problems={"bad": "not UTF-8"}))
    assert refused(tool, "bad") == '[read_skill: skill "bad" cannot be read: not UTF-8 (memory:bad)]'
    assert read(tool, "a") == "A"


def test_bad_front_matter_hides_the_description_and_not_the_text() -> None:
    text = "---\nname: x\ndescription: never closed\n"
    tool = ReadSkill(skills=MemorySkills({"x": text}))
    assert tool.spec.description.endswith("\n  x")
    assert read(tool, "x") == text


def test_an_empty_skill_is_no_empty_answer() -> None:
    assert read(ReadSkill(skills=MemorySkills({"x": ""})), "x") == "[skill x is empty]"


def test_the_headline_is_the_name_and_the_text_is_not_echoed() -> None:
    headline = ReadSkill(skills=MemorySkills()).headline(ReadSkillArgs(name="deploy"))
    assert headline == Headline(text="deploy", echoes=False)
