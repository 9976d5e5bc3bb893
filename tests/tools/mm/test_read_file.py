"""mm `read_file`: its contract, its translation and its words; what it does is tested on `read_text`."""

from __future__ import annotations

import json

import pytest

from mmtools.call import Location, ToolKind
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.tools.mm.read_file import ReadFile, ReadFileArgs
from mmtools.tools.operations.session_files import SessionFiles


def read(arguments: ReadFileArgs, *, max_output: int = 30_000) -> str:
    files = MemoryFiles({"f": "a\nb\nc\nd\n"})
    return ReadFile(files=SessionFiles(files=files, max_output=max_output)).execute(arguments, StubCall())


def test_the_declaration_is_short() -> None:
    spec = ReadFile.spec
    declared = {"name": spec.name, "description": spec.description, "input_schema": spec.arguments_schema}
    assert len(json.dumps(declared)) <= 700
    assert (spec.name, spec.kind, spec.family) == ("read_file", ToolKind.READ, "file")
    properties = spec.arguments_schema["properties"]
    assert (properties["start"]["minimum"], properties["end"]["minimum"]) == (0, 0)
    assert spec.arguments_schema["required"] == ["path"]


@pytest.mark.parametrize(
    ("start", "end", "numbered", "answer"),
    [
        (0, 0, False, "a\nb\nc\nd\n"),
        (3, 0, False, "c\nd\n[lines 3-4 of 4]"),
        (0, 2, False, "a\nb\n[lines 1-2 of 4]"),
        (2, 3, True, "2\tb\n3\tc\n[lines 2-3 of 4]"),
    ],
)
def test_start_and_end_are_the_first_and_the_last_line(start: int, end: int, numbered: bool, answer: str) -> None:
    assert read(ReadFileArgs(path="f", start=start, end=end, numbered=numbered)) == answer


@pytest.mark.parametrize(("start", "end"), [(2, 1), (10, 9)])
def test_an_end_before_the_start_is_refused_whatever_the_file(start: int, end: int) -> None:
    with pytest.raises(ArgumentsRefused, match=rf"end \({end}\) is before start \({start}\); send end=0"):
        read(ReadFileArgs(path="nowhere", start=start, end=end))


@pytest.mark.parametrize("field", ["start", "end"])
def test_there_is_no_line_below_zero(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        ReadFileArgs(path="f", **{field: -1})  # type: ignore[arg-type] # one of two fields


def test_going_on_is_told_in_the_arguments_of_this_dialect() -> None:
    assert read(ReadFileArgs(path="f"), max_output=4).endswith("continue with start=3]")
    assert read(ReadFileArgs(path="f", end=3), max_output=4).endswith("continue with start=3, end=3]")


def test_refusals_name_the_tools_of_this_dialect() -> None:
    with pytest.raises(ToolFailure, match=r"^\[read_file: line 9 is past the end of f \(4 lines\)\]$"):
        read(ReadFileArgs(path="f", start=9))
    with pytest.raises(ToolFailure, match=r"^gone does not exist\. Create it with write_file$"):
        read(ReadFileArgs(path="gone"))


def test_headline_and_report_point_at_the_file_and_the_line() -> None:
    tool, call = ReadFile(files=MemoryFiles({"f": "a\nb\n"})), StubCall()
    headline = tool.headline(ReadFileArgs(path="./f", start=2))
    assert (headline.text, headline.locations) == ("./f", (Location("/repo/f", 2),))
    tool.execute(ReadFileArgs(path="./f", start=2), call)
    assert call.reported.locations == (Location("/repo/f", 2),)
    tool.execute(ReadFileArgs(path="./f"), call)
    assert call.reported.locations == tool.headline(ReadFileArgs(path="./f")).locations == (Location("/repo/f"),)
