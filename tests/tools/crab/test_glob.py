"""crab `glob`: its contract and its translation; what it does is tested with `list_files`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.python_search import PythonSearch
from mmtools.call import Location, ToolKind
from mmtools.policies.refuse_all import RefuseAll
from mmtools.runner import Runner
from mmtools.testing.calls import StubCall
from mmtools.tools.crab.glob import Glob, GlobArgs
from mmtools.tools.operations.file_search import FileSearch


@pytest.fixture
def glob(tmp_path: Path) -> Glob:
    for path in ("src/a.py", "b.js", ".hid/c.py"):
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(b"")
    return Glob(search=FileSearch(files=LocalFiles(tmp_path), engine=PythonSearch()))


def test_the_declaration_is_short() -> None:
    spec = Glob.spec
    declared = {"name": spec.name, "description": spec.description, "input_schema": spec.arguments_schema}
    assert len(json.dumps(declared, separators=(",", ":"))) <= 450
    assert (spec.name, spec.kind, spec.family) == ("glob", ToolKind.SEARCH, "search")
    assert spec.arguments_schema["required"] == ["pattern"]


def test_the_headline_names_pattern_and_place(glob: Glob) -> None:
    assert glob.headline(GlobArgs(pattern="*.py")).text == "*.py"
    headline = glob.headline(GlobArgs(pattern="*.py", path="src"))
    src = Location(glob.search.files.absolute("src"))
    assert (headline.text, headline.locations) == ("*.py in src", (src,))


@pytest.mark.parametrize(
    "arguments",
    [
        {"pattern": "*.py"},
        {"glob": "*.py", "path": None},
        {"query": "*.py", "directory": "."},
        {"pattern": "*.py", "dir": "", "no_ignore": "false", "limit": 5},
        '{"pattern": "*.py"}',
    ],
)
def test_other_spellings_that_models_send(glob: Glob, arguments: object) -> None:
    assert Runner([glob], permission=RefuseAll()).execute("glob", arguments) == "src/a.py"


def test_each_argument_has_its_meaning(glob: Glob) -> None:
    hidden = GlobArgs(pattern="*.py", path=".", include_ignored=True)
    assert glob.execute(hidden, StubCall()) == ".hid/c.py\nsrc/a.py"
    assert "b.js" in glob.execute(GlobArgs(pattern="*"), StubCall())


def test_its_answers_speak_of_its_own_arguments(glob: Glob) -> None:
    one = Glob(search=glob.search, max_files=1)
    assert one.execute(GlobArgs(pattern="*"), StubCall()).endswith("there are more; narrow path or pattern]")
    assert one.execute(GlobArgs(pattern="c.py"), StubCall()).endswith("e.g. .hid/c.py: send include_ignored=true]")
