"""Skills in memory behave as skills in a directory."""

from __future__ import annotations

from pathlib import Path

from mmtools.adapters.skill_folders import SkillFolders
from mmtools.testing.skills import MemorySkills


def test_the_same_skills_are_listed_in_the_same_order(tmp_path: Path) -> None:
    texts = {"b": "B", "a": "# A\r\n", "B": "", "é": "é", "a b": "x"}
    for name, text in texts.items():
        (tmp_path / f"{name}.md").write_bytes(text.encode())
    (tmp_path / "c.md").write_bytes(b"\xff")
    [problem] = [skill.problem for skill in SkillFolders(tmp_path).all() if skill.text is None]
    in_memory = [
        (skill.name, skill.text, skill.problem) for skill in MemorySkills(texts, problems={"c": problem}).all()
    ]
    assert in_memory == [(skill.name, skill.text, skill.problem) for skill in SkillFolders(tmp_path).all()]


def test_a_problem_stands_above_a_text_and_both_can_change() -> None:
    skills = MemorySkills({"a": "A"}, problems={"a": "broken"})
    assert [(skill.text, skill.problem) for skill in skills.all()] == [(None, "broken")]
    del skills.problems["a"]
    assert [(skill.text, skill.problem) for skill in skills.all()] == [("A", "")]
