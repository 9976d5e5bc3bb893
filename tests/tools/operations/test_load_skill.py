"""A skill shown by its name: what a name may be, what is shown of the text, what is said where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.skill_folders import SkillFolders
from mmtools.errors import ToolFailure
from mmtools.ports.skills import SkillSource
from mmtools.testing.calls import StubCall
from mmtools.testing.skills import MemorySkills
from mmtools.tools.operations.load_skill import catalogue, load_skill

DEPLOY = "---\nname: deploy\ndescription: Use when: deploying\n---\n# Deploy\nSteps.\n"


def read(skills: SkillSource, name: str, call: StubCall | None = None, *, max_output: int = 30_000) -> str:
    return load_skill(skills, name, call or StubCall(), tool="know", max_output=max_output)


def refused(skills: SkillSource, name: str) -> str:
    with pytest.raises(ToolFailure) as refusal:
        read(skills, name)
    return refusal.value.text


def test_the_catalogue_is_sorted_by_name() -> None:
    skills = MemorySkills({"b": "# Second", "a": DEPLOY, "c": ""}, problems={"bad": "not UTF-8"})
    assert catalogue(skills).split("\n") == ["", "  a — Use when: deploying", "  b — Second", "  bad", "  c"]
    assert catalogue(MemorySkills()) == ""


def test_the_output_is_the_whole_text_front_matter_included() -> None:
    call = StubCall()
    assert read(MemorySkills({"deploy": DEPLOY}), "deploy", call) == DEPLOY
    assert not call.reported.truncated
    assert call.proposals == []


def test_the_output_is_cut_to_max_output_with_a_notice() -> None:
    text = "".join(f"line {number}\n" for number in range(1000))
    call = StubCall()
    answer = read(MemorySkills({"long": text}), "long", call, max_output=500)
    *kept, notice = answer.split("\n")
    shown = "\n".join(kept) + "\n"
    assert text.startswith(shown)
    assert 300 <= len(shown) <= 500
    assert notice == f"[… {len(text) - len(shown)} more characters; the whole skill is memory:long]"
    assert call.reported.truncated


@given(st.text(min_size=1), st.integers(1, 30))
def test_what_is_cut_is_counted(text: str, max_output: int) -> None:
    answer = read(MemorySkills({"x": text}), "x", max_output=max_output)
    if len(text) <= max_output:
        assert answer == text
        return
    shown, _, notice = answer.rpartition("[… ")
    missing = int(notice.split(" ")[0])
    assert text.startswith(shown[: len(text) - missing])
    assert 0 < len(text) - missing <= max_output


@pytest.mark.parametrize("wanted", ["x", "DEPLOYS", "deploy/x", "de ploy", "deploy*"])
def test_an_unknown_name_gets_the_list(wanted: str) -> None:
    skills = MemorySkills({"deploy": DEPLOY, "b": "B", "a": "A"})
    base = wanted.rpartition("/")[2]
    assert refused(skills, wanted) == f'No skill named "{base}". Available skills: a, b, deploy'


@pytest.mark.parametrize("wanted", ["", ".", "..", "a/.."])
def test_a_name_of_no_file_is_unknown(wanted: str) -> None:
    assert refused(MemorySkills({"a": "A"}), wanted) == f'No skill named "{wanted}". Available skills: a'


def test_an_unknown_name_of_any_length_is_answered_in_short() -> None:
    assert len(refused(MemorySkills(), "x" * 10**6)) < 300
    assert refused(MemorySkills(), "x") == 'No skill named "x". Available skills: none'


@pytest.mark.parametrize("wanted", ["../../k", "..\\k", "/k", "a/../k"])
def test_no_name_leads_out_of_the_directory(tmp_path: Path, wanted: str) -> None:
    (tmp_path / "k").write_text("secret")
    (tmp_path / "k.md").write_text("secret")
    directory = tmp_path / "skills" / "deep"
    directory.mkdir(parents=True)
    (directory / "a.md").write_text("A")
    assert refused(SkillFolders(directory), wanted) == 'No skill named "k". Available skills: a'


@pytest.mark.parametrize("wanted", ["deploy", "deploy.md", "Deploy", "DEPLOY.MD", "skills/deploy", "skills\\deploy.md"])
def test_a_name_is_read_as_it_can_only_be_meant(wanted: str) -> None:
    assert read(MemorySkills({"deploy": DEPLOY}), wanted) == DEPLOY


def test_a_skill_that_came_later_is_found() -> None:
    skills = MemorySkills({"a": "A"})
    assert refused(skills, "b") == 'No skill named "b". Available skills: a'
    skills.texts["b"] = "B"
    assert read(skills, "b") == "B"
    assert refused(skills, "c") == 'No skill named "c". Available skills: a, b'


def test_a_skill_that_cannot_be_read_tells_why() -> None:
    skills = MemorySkills({"a": "A"}, problems={"bad": "not UTF-8"})
    assert refused(skills, "bad") == '[know: skill "bad" cannot be read: not UTF-8 (memory:bad)]'
    assert read(skills, "a") == "A"


def test_bad_front_matter_hides_the_description_and_not_the_text() -> None:
    text = "---\nname: x\ndescription: never closed\n"
    skills = MemorySkills({"x": text})
    assert catalogue(skills) == "\n  x"
    assert read(skills, "x") == text


def test_an_empty_skill_is_no_empty_answer() -> None:
    assert read(MemorySkills({"x": ""}), "x") == "[skill x is empty]"
