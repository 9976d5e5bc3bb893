"""Skills in real directories."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from mmtools.adapters.skill_folders import MAX_SKILL_BYTES, SkillFolders
from mmtools.ports.skills import SkillFile


def put(path: Path, data: bytes | str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)


def found(directory: Path) -> dict[str, SkillFile]:
    return {skill.name: skill for skill in SkillFolders(directory).all()}


def test_flat_files_and_folders_are_skills_sorted_by_name(tmp_path: Path) -> None:
    put(tmp_path / "b.md", "B")
    put(tmp_path / "a" / "SKILL.md", "A")
    put(tmp_path / "C.md", "C")
    put(tmp_path / "a" / "other.md", "no skill")
    put(tmp_path / "no skill.txt", "x")
    put(tmp_path / "empty folder" / "README.md", "x")
    assert SkillFolders(tmp_path).all() == (
        SkillFile(name="C", path=str(tmp_path / "C.md"), text="C"),
        SkillFile(name="a", path=str(tmp_path / "a" / "SKILL.md"), text="A"),
        SkillFile(name="b", path=str(tmp_path / "b.md"), text="B"),
    )


def test_the_flat_file_stands_above_the_folder(tmp_path: Path) -> None:
    put(tmp_path / "a.md", "flat")
    put(tmp_path / "a" / "SKILL.md", "folder")
    assert found(tmp_path)["a"].text == "flat"


@pytest.mark.parametrize("other", ["pipe", "folder", "dangling link"])
def test_what_is_no_file_does_not_stand_above_the_folder(tmp_path: Path, other: str) -> None:
    put(tmp_path / "a" / "SKILL.md", "folder")
    match other:
        case "pipe":
            os.mkfifo(tmp_path / "a.md")
        case "folder":
            (tmp_path / "a.md").mkdir()
        case _:
            (tmp_path / "a.md").symlink_to("nowhere")
    assert {name: skill.text for name, skill in found(tmp_path).items()} == {"a": "folder"}


def test_what_is_put_there_later_is_found(tmp_path: Path) -> None:
    skills = SkillFolders(tmp_path / "later")
    assert skills.all() == ()
    put(tmp_path / "later" / "a.md", "1")
    assert [skill.text for skill in skills.all()] == ["1"]
    put(tmp_path / "later" / "a.md", "2")
    assert [skill.text for skill in skills.all()] == ["2"]


def test_the_directory_is_that_of_the_moment_it_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "skills" / "a.md", "A")
    monkeypatch.chdir(tmp_path)
    skills = SkillFolders("skills")
    monkeypatch.chdir("/")
    assert [skill.path for skill in skills.all()] == [str(tmp_path / "skills" / "a.md")]


def test_a_bad_file_tells_its_reason_and_hides_no_other(tmp_path: Path) -> None:
    put(tmp_path / "good.md", "fine")
    put(tmp_path / "legacy.md", b"caf\xe9")
    put(tmp_path / "binary.md", b"a\0b")
    put(tmp_path / "folder" / "SKILL.md", b"\xff\xfe")
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "loop.md").symlink_to("loop.md")
    (tmp_path / "dangling.md").symlink_to("nowhere")
    (tmp_path / "directory" / "SKILL.md").mkdir(parents=True)
    with open(tmp_path / "huge.md", "wb") as file:
        file.truncate(10 << 40)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(tmp_path / "socket.md"))
    skills = found(tmp_path)
    assert skills.pop("good").text == "fine"
    assert {name: skill.problem for name, skill in skills.items() if skill.text is None} == {
        "legacy": "not UTF-8: byte 0xe9 at offset 3",
        "binary": "not text: a NUL at offset 1",
        "folder": "not UTF-8: byte 0xff at offset 0",
        "pipe": "not a regular file",
        "loop": "Too many levels of symbolic links",
        "dangling": "No such file or directory",
        "directory": "not a regular file",
        "huge": f"larger than {MAX_SKILL_BYTES} bytes",
        "socket": "not a regular file",
    }
    assert all(skill.text is None for skill in skills.values())


def test_a_file_of_the_largest_size_is_read_whole(tmp_path: Path) -> None:
    put(tmp_path / "a.md", b"x" * MAX_SKILL_BYTES)
    assert found(tmp_path)["a"].text == "x" * MAX_SKILL_BYTES


def test_a_byte_order_mark_is_taken_off_and_line_ends_stay(tmp_path: Path) -> None:
    put(tmp_path / "a.md", b"\xef\xbb\xbf---\r\ndescription: x\r\n---\r\n")
    assert found(tmp_path)["a"].text == "---\r\ndescription: x\r\n---\r\n"


def test_symlinks_to_the_directory_to_folders_and_to_files_are_followed(tmp_path: Path) -> None:
    put(tmp_path / "store" / "x.md", "X")
    put(tmp_path / "store" / "y" / "SKILL.md", "Y")
    put(tmp_path / "real" / "z.md", "Z")
    (tmp_path / "real" / "x.md").symlink_to("../store/x.md")
    (tmp_path / "real" / "y").symlink_to("../store/y")
    (tmp_path / "real" / "self").symlink_to(".")
    (tmp_path / "real" / "loop").symlink_to("loop")
    (tmp_path / "skills").symlink_to("real")
    assert {name: skill.text for name, skill in found(tmp_path / "skills").items()} == {"x": "X", "y": "Y", "z": "Z"}


def test_hidden_names_and_names_no_model_can_send_are_passed_over(tmp_path: Path) -> None:
    put(tmp_path / ".hidden.md", "x")
    put(tmp_path / ".git" / "SKILL.md", "x")
    put(tmp_path / ".md", "x")
    with open(os.fsencode(tmp_path) + b"/caf\xe9.md", "wb"):
        pass
    put(tmp_path / "[id] é.md", "x")
    assert list(found(tmp_path)) == ["[id] é"]


@pytest.mark.parametrize("name", ["missing", "file", "file/below"])
def test_without_a_directory_there_are_no_skills(tmp_path: Path, name: str) -> None:
    put(tmp_path / "file", "x")
    assert SkillFolders(tmp_path / name).all() == ()
