"""
A caller that does literally what a refusal says succeeds on its next call.

Refusals of single edits have their own caller in `tests/tools/wording/test_edits.py`; this one goes through
a runner, with every other kind of text that asks for another call.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mmtools import AllowAll, Runner, Status, local

Arguments = dict[str, Any]
#: What a literal-minded caller makes of a text: the next call.
NextCall = Callable[[str, Arguments], tuple[str, Arguments]]


def told(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, f"{text!r} does not say {pattern}"
    return found[1]


def create_it(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return told(r"Create it with (\w+)", text), {"path": told(r"^(\S+) does not exist", text), "content": "x\n"}


def last_line(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "read_file", {**sent, "start": int(told(r"\((\d+) lines\)", text))}


def continued(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "read_file", {**sent, "start": int(told(r"continue with start=(\d+)", text))}


def the_command_it_gives(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "bash", {"command": told(r"by command: (.*?)(?:\. Next line|\])", text)}


def in_the_background(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "bash", {"command": told(r"send it as (.*?) and read", text).replace("COMMAND", sent["command"])}


def first_listed_skill(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "read_skill", {"name": told(r"Available skills: (\w+)", text)}


def first_listed_tool(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return told(r"Available tools: (\w+)", text), {"command": "true"}


def with_the_missing_key(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "read_file", {told(r"^(\w+) is missing", text): "a.txt"}


def with_the_missing_new(text: str, sent: Arguments) -> tuple[str, Arguments]:
    index = int(told(r"^edits\[(\d+)\]\.new is missing", text))
    edits = [dict(edit) for edit in sent["edits"]]
    edits[index]["new"] = "1"
    return "edit_file", {**sent, "edits": edits}


def as_an_integer(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "read_file", {**sent, told(r"^(\w+) must be an integer", text): 1}


def at_least_what_it_says(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "read_file", {**sent, told(r"^(\w+) must be", text): int(told(r"at least (\d+)", text))}


def without_an_end(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "read_file", {**sent, "end": int(told(r"send end=(\d+)", text))}


def one_edit_per_place(text: str, sent: Arguments) -> tuple[str, Arguments]:
    assert "one edit per place" in text
    return "edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}


def a_file_in_it(text: str, sent: Arguments) -> tuple[str, Arguments]:
    assert "Send the path of a file in it" in text
    return "read_file", {"path": f"{sent['path']}/greet.md"}


def a_command(text: str, sent: Arguments) -> tuple[str, Arguments]:
    assert "send the shell command to run" in text
    return "bash", {"command": "true"}


def the_twin_it_offers(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "read_file", {"path": told(r"did you mean (\S+)", text)}


def hidden_ones_too(text: str, sent: Arguments) -> tuple[str, Arguments]:
    assert "include_ignored=true" in text
    return "grep", {**sent, "include_ignored": True}


def from_the_offset(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "grep", {**sent, "offset": int(told(r"continue with offset=(\d+)", text))}


def letter_for_letter(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "grep", {**sent, "pattern": json.loads(told(r'\(in JSON: (".*")\)', text))}


def by_name_in_its_directory(text: str, sent: Arguments) -> tuple[str, Arguments]:
    assert "send the directory it is in as path" in text
    return "glob", {"pattern": sent["path"], "path": "."}


def after_a_read(text: str, sent: Arguments) -> tuple[str, Arguments]:
    return "read", {"path": told(r"^(\S+) (?:was not read yet|changed since)", text)}


@pytest.fixture
def runner(tmp_path: Path) -> Runner:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    (tmp_path / "Readme.txt").write_text("hi\n")
    (tmp_path / "many.txt").write_text("".join(f"line {number}\n" for number in range(1, 101)))
    (tmp_path / "long.json").write_text('["' + "x" * 2_000 + '"]')
    (tmp_path / "skills").mkdir()
    (tmp_path / "skills" / "greet.md").write_text("Say hello.\n")
    return local.mm(tmp_path, permission=AllowAll(), max_output=500, bash_timeout_s=0.5, skills_dir=tmp_path / "skills")


@pytest.mark.parametrize(
    ("name", "sent", "does"),
    [
        ("read_file", {"path": "new/b.txt"}, create_it),
        ("edit_file", {"path": "b.txt", "edits": [{"old": "a", "new": "b"}]}, create_it),
        ("read_file", {"path": "README.txt"}, the_twin_it_offers),
        ("read_file", {"path": "a.txt", "start": 9}, last_line),
        ("read_file", {"path": "a.txt", "start": 2, "end": 1}, without_an_end),
        ("read_file", {"path": "many.txt"}, continued),
        ("read_file", {"path": "long.json"}, the_command_it_gives),
        ("read_file", {"path": "skills"}, a_file_in_it),
        ("read_file", {}, with_the_missing_key),
        ("read_file", {"path": "a.txt", "start": "2x"}, as_an_integer),
        ("read_file", {"path": "a.txt", "start": True}, as_an_integer),
        ("read_file", {"path": "a.txt", "start": -1}, at_least_what_it_says),
        ("edit_file", {"path": "a.txt", "edits": [{"old": "two", "new": "2"}, {"old": "one"}]}, with_the_missing_new),
        (
            "edit_file",
            {"path": "a.txt", "edits": [{"old": "one", "new": "1", "replace_all": True}]},
            one_edit_per_place,
        ),
        ("bash", {"command": "sleep 2; echo done"}, in_the_background),
        ("bash", {"command": "  "}, a_command),
        ("read_skill", {"name": "greeting"}, first_listed_skill),
        ("run", {"command": "true"}, first_listed_tool),
    ],
)
def test_the_next_call_succeeds(runner: Runner, name: str, sent: Arguments, does: NextCall) -> None:
    with runner:
        refused = runner.call(name, sent)
        assert refused.status is not Status.OK or refused.truncated
        next_name, arguments = does(refused.text, sent)
        outcome = runner.call(next_name, arguments)
        assert outcome.status is Status.OK, outcome.text
        assert outcome.text != refused.text


@pytest.fixture
def crab(tmp_path: Path) -> Runner:
    (tmp_path / "a.txt").write_text("one\ntwo(3)\n")
    (tmp_path / ".hidden").write_text("secret plan\n")
    (tmp_path / "many.txt").write_text("".join(f"line {number}\n" for number in range(1, 601)))
    return local.crab(tmp_path, permission=AllowAll())


@pytest.mark.parametrize(
    ("name", "sent", "does"),
    [
        ("grep", {"pattern": "secret"}, hidden_ones_too),
        ("grep", {"pattern": "line"}, from_the_offset),
        ("grep", {"pattern": "two(3"}, letter_for_letter),
        ("glob", {"pattern": "*", "path": "a.txt"}, by_name_in_its_directory),
        ("read", {"path": "new/b.txt"}, create_it),
        ("edit", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}, after_a_read),
        ("write", {"path": "a.txt", "content": "1\n"}, after_a_read),
    ],
)
def test_the_next_call_of_crab_succeeds(crab: Runner, name: str, sent: Arguments, does: NextCall) -> None:
    with crab:
        refused = crab.call(name, sent)
        next_name, arguments = does(refused.text, sent)
        outcome = crab.call(next_name, arguments)
        assert outcome.status is Status.OK, outcome.text
        assert outcome.text != refused.text
        if does is after_a_read:
            assert crab.call(name, sent).status is Status.OK
