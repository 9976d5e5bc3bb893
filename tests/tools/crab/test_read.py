"""crab `read`: its contract, its translation and its words; what it does is tested on `read_text`."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools import AllowAll, Runner, Toolset
from mmtools.call import Location, Status, ToolKind
from mmtools.core.text import view
from mmtools.errors import Cancelled, ToolFailure
from mmtools.ports.files import Files
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.strategies import texts
from mmtools.tools.crab.read import Read, ReadArgs
from mmtools.tools.operations.session_files import SessionFiles


class Reading:
    """A reader with one tool, as a model would be."""

    def __init__(self, files: Files, *, max_output: int = 30_000) -> None:
        self.tool = Read(files=SessionFiles(files=files, max_output=max_output))
        self.call = StubCall()

    def __call__(self, path: str, offset: int = 0, limit: int = 0) -> str:
        self.call = StubCall()
        return self.tool.execute(ReadArgs(path=path, offset=offset, limit=limit), self.call)

    def refused(self, path: str, offset: int = 0, limit: int = 0) -> str:
        with pytest.raises(ToolFailure) as refusal:
            self(path, offset, limit)
        return refusal.value.text


def reading(data: bytes | str, *, max_output: int = 30_000) -> Reading:
    """Read in a place with one file, `f`."""
    return Reading(MemoryFiles({"f": data}), max_output=max_output)


def test_the_declaration_is_that_of_the_page() -> None:
    spec = Read.spec
    assert (spec.name, spec.kind, spec.family) == ("read", ToolKind.READ, "file")
    schema = spec.arguments_schema
    assert (list(schema["properties"]), schema["required"]) == (["path", "offset", "limit"], ["path"])


@given(texts(max_pieces=30).map(lambda text: text.replace("\0", "")), st.integers(0, 40), st.integers(0, 40))
def test_a_range_is_what_splitting_the_whole_would_give(content: str, offset: int, limit: int) -> None:
    viewed = view(content.removeprefix("\ufeff"))
    lines = viewed.removesuffix("\n").split("\n") if viewed else []
    first, last = offset or 1, (offset or 1) + limit - 1 if limit else len(lines)
    read = reading(content)
    if first > max(len(lines), 1):
        count = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
        assert read.refused("f", offset, limit) == f"[read: line {offset} is past the end of f ({count})]"
        return
    answer = read("f", offset, limit)
    if not lines:
        assert answer == "[f is empty]"
    elif shown := "\n".join(lines[first - 1 : last]):
        assert answer.startswith(shown)
        assert re.fullmatch(r"\n?|\n\[.*\]", answer[len(shown) :])
    else:
        assert answer == "\n" or re.fullmatch(rf"\[line {first} of f is empty\](\n\[.*\])?", answer)


def test_lines_are_plain_text_without_numbers() -> None:
    assert reading("a\nb\nc\n")("f") == "a\nb\nc\n"
    assert reading("a\nb\nc\n")("f", 2, 1) == "b\n[line 2 of 3]"
    assert reading("a\r\nb\r\n")("f", 2) == "b\n[line 2 of 2; CRLF line endings]"


@given(st.lists(st.text("ab", max_size=9), min_size=1, max_size=40), st.integers(20, 60), st.integers(0, 50))
def test_following_the_advice_gives_every_line_once(content: list[str], max_output: int, limit: int) -> None:
    read = reading("".join(f"{line}.\n" for line in content), max_output=max_output)
    offset, wanted, shown = 1, limit, list[str]()
    while True:
        *lines, last = read("f", offset, wanted).removesuffix("\n").split("\n")
        advice = re.fullmatch(r"\[… .* shown; continue with offset=(\d+)(?:, limit=(\d+))?\]", last)
        if not advice:
            shown += lines if re.fullmatch(r"\[lines? [\d-]+ of \d+\]", last) else [*lines, last]
            break
        assert read.call.reported.truncated
        shown += lines
        offset, wanted = int(advice[1]), int(advice[2] or 0)
        assert bool(wanted) == bool(limit)
    assert shown == [f"{line}." for line in content][: limit or None]


def test_the_limit_that_was_asked_for_stays_in_the_advice() -> None:
    read = reading("12345\n" * 100, max_output=30)
    assert read("f", 11, 20).endswith("\n[… lines 11-15 of 100 shown; continue with offset=16, limit=15]")
    assert read("f", 11).endswith("\n[… lines 11-15 of 100 shown; continue with offset=16]")


def test_a_line_longer_than_an_answer_tells_how_to_go_on() -> None:
    text = reading("x" * 100 + "\nnext\n", max_output=50)("f")
    assert text.startswith("x" * 50 + "\n[… line 1 is 100 bytes long, its first 50 are shown. ")
    assert "tail -c +51 -- f | head -c 50. Next line: offset=2]" in text


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ({"path": "f"}, "1\n2\n3\n4\n"),
        ({"file_path": "f"}, "1\n2\n3\n4\n"),
        ({"filePath": "f", "line_offset": 3}, "3\n4\n[lines 3-4 of 4]"),
        ({"path": "f", "start": 2, "n_lines": 2}, "2\n3\n[lines 2-3 of 4]"),
        ({"path": "f", "start_line": "2", "lines": 2.0}, "2\n3\n[lines 2-3 of 4]"),
        ({"path": "f", "offset": None, "limit": None, "explanation": "why"}, "1\n2\n3\n4\n"),
        ('{"path": "f", "offset": 4}', "4\n[line 4 of 4]"),
    ],
)
def test_sloppy_arguments_are_understood(sent: object, answer: str) -> None:
    runner = Runner(Toolset([Read(files=MemoryFiles({"f": "1\n2\n3\n4\n"}))]), permission=AllowAll())
    assert runner.execute("read", sent) == answer


@pytest.mark.parametrize(
    ("sent", "named"),
    [
        ({}, "path"),
        (None, "path"),
        ({"path": "f", "offset": -1}, "offset"),
        ({"path": "f", "limit": -1}, "limit"),
        ({"path": "f", "limit": "2x"}, "limit"),
        ({"path": "f", "offset": True}, "offset"),
    ],
)
def test_senseless_arguments_are_refused_by_name(sent: object, named: str) -> None:
    runner = Runner(Toolset([Read(files=MemoryFiles({"f": "1\n"}))]), permission=AllowAll())
    outcome = runner.call("read", sent)
    assert outcome.status is Status.FAILED
    assert named in outcome.text


# The words of this dialect


def test_a_missing_file_names_this_dialects_tool() -> None:
    read = Reading(MemoryFiles({"README.md": ""}))
    assert read.refused("a.txt") == "a.txt does not exist. Create it with write"
    assert read.refused("readme.md") == "readme.md does not exist. Create it with write\ndid you mean README.md"


def test_a_cancelled_read_names_this_dialects_tool() -> None:
    call = StubCall()
    call.cancellation.request()
    with pytest.raises(Cancelled, match=r"^\[read was cancelled\]$"):
        Read(files=MemoryFiles({"f": "a\n"})).execute(ReadArgs(path="f"), call)


def test_headline_and_report_point_at_the_file_and_the_line() -> None:
    read = reading("a\nb\n")
    headline = read.tool.headline(ReadArgs(path="./f", offset=2))
    assert (headline.text, headline.locations) == ("./f", (Location("/repo/f", 2),))
    read("./f", 2)
    assert read.call.reported.locations == (Location("/repo/f", 2),)
    read("./f")
    assert read.call.reported.locations == (Location("/repo/f"),)
