"""crab `grep`: its contract and its translation; what it does is tested with `search_text`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.python_search import PythonSearch
from mmtools.adapters.ripgrep_search import RipgrepSearch
from mmtools.call import Location, Status, ToolKind
from mmtools.errors import ToolFailure
from mmtools.policies.refuse_all import RefuseAll
from mmtools.ports.search import Search
from mmtools.runner import Runner
from mmtools.testing.calls import StubCall
from mmtools.tool import ToolSpec
from mmtools.tools.crab.grep import Grep, GrepArgs
from mmtools.tools.operations.file_search import FileSearch


@pytest.fixture
def grep(tmp_path: Path) -> Grep:
    for path, text in (("a.py", "HIT\n"), ("b.txt", "hit\n"), (".c", "secret\n")):
        (tmp_path / path).write_text(text)
    return Grep(search=FileSearch(files=LocalFiles(tmp_path), engine=PythonSearch()))


def test_the_declaration_is_short() -> None:
    def spec_with(engine: Search) -> ToolSpec:
        return Grep(search=FileSearch(files=LocalFiles("/"), engine=engine)).spec

    spec = spec_with(RipgrepSearch("rg"))
    declared = {"name": spec.name, "description": spec.description, "input_schema": spec.arguments_schema}
    assert len(json.dumps(declared, separators=(",", ":"))) <= 770
    assert (spec.name, spec.kind, spec.family) == ("grep", ToolKind.SEARCH, "search")
    assert spec.arguments_schema["required"] == ["pattern"]
    assert "Rust" in spec.description
    assert "Python" in spec_with(PythonSearch()).description


def test_the_headline_names_pattern_and_place(grep: Grep) -> None:
    assert grep.headline(GrepArgs(pattern="TODO")).text == "TODO"
    headline = grep.headline(GrepArgs(pattern="TODO", path="src"))
    assert (headline.text, headline.locations) == ("TODO in src", (Location(grep.search.files.absolute("src")),))


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        ({"query": "hit"}, "b.txt:1:hit"),
        ({"regex": "hit", "-i": True}, "a.py:1:HIT\nb.txt:1:hit"),
        ({"pattern": "hit", "case_insensitive": "true", "include": "*.py"}, "a.py:1:HIT"),
        ({"pattern": "hit", "ignoreCase": True, "directory": ".", "offset": "1"}, "b.txt:1:hit"),
        ({"pattern": "hit", "path": None, "glob": None, "offset": None, "head_limit": 5}, "b.txt:1:hit"),
        ({"pattern": "secret", "no_ignore": True}, ".c:1:secret"),
        ({"pattern": "secret", "includeIgnored": True, "dir": ".c"}, ".c:1:secret"),
        ('{"pattern": "hit", "file_path": "b.txt"}', "b.txt:1:hit"),
    ],
)
def test_other_spellings_that_models_send(grep: Grep, arguments: object, answer: str) -> None:
    assert Runner([grep], permission=RefuseAll()).execute("grep", arguments) == answer


@pytest.mark.parametrize(
    "arguments", [{}, {"pattern": "x", "offset": -1}, {"pattern": "x", "-v": True}, {"pattern": 3}]
)
def test_arguments_that_do_not_fit_are_refused(grep: Grep, arguments: object) -> None:
    assert Runner([grep], permission=RefuseAll()).call("grep", arguments).status is Status.FAILED


def test_its_answers_speak_of_its_own_arguments(grep: Grep) -> None:
    one = Grep(search=grep.search, max_matches=1)
    answer = one.execute(GrepArgs(pattern="hit", ignore_case=True), StubCall())
    assert answer.endswith("there are more; continue with offset=1, or narrow path, glob or pattern]")
    assert one.execute(GrepArgs(pattern="secret"), StubCall()).endswith("e.g. .c: send include_ignored=true]")
    with pytest.raises(ToolFailure, match=r"^\[grep: character 1 of glob is a NUL"):
        one.execute(GrepArgs(pattern="a", glob="\0"), StubCall())
