"""What the documents say is so: their code runs, their tables are the schemas, their links lead somewhere."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from mmtools import RefuseAll
from tests.dialects import DIALECTS, everything, lay_out

HOUSE = Path(__file__).parents[1]
PAGES = [HOUSE / "README.md", HOUSE / "CHANGELOG.md", *sorted((HOUSE / "docs").rglob("*.md"))]
#: Run in the environments of their frameworks.
ELSEWHERE = {
    "host-in-langgraph.md": "langgraph",
    "host-in-openai-agents.md": "agents",
    "host-in-pydantic-ai.md": "pydantic_ai",
}
#: Run by the tests of what it is about, which compare what it prints.
COMPARED = "test-your-own-edit-function.md"
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)")
ROW = re.compile(r"^\| `([\w\[\].]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", re.MULTILINE)


def named(path: Path) -> str:
    return str(path.relative_to(HOUSE))


def runnable() -> list[Path]:
    """The pages with code whose framework, if they are about one, is here."""
    here = [page for page in PAGES if page.name not in ELSEWHERE or find_spec(ELSEWHERE[page.name])]
    return [page for page in here if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page in runnable() if page.name != COMPARED], ids=named)
def test_the_code_of_a_page_runs_from_top_to_bottom(page: Path, tmp_path: Path) -> None:
    code = "\n".join(BLOCK.findall(page.read_text(encoding="utf-8")))
    script = tmp_path / "page.py"
    script.write_text(code, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, script], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stderr


#: What pyright calls strict; basedpyright has rules of its own in that mode, which not many have on.
STRICT = {
    "typeCheckingMode": "strict",
    "pythonVersion": "3.11",
    "extraPaths": [str(HOUSE)],
    "reportDuplicateImport": False,
}


@pytest.mark.slow
def test_the_code_of_the_how_to_pages_is_typed_strictly(tmp_path: Path) -> None:
    """All pages in one run, for a type checker reads the libraries once for all of them."""
    pages = [page for page in runnable() if page.parent.name == "how-to"]
    for page in pages:
        code = "\n".join(BLOCK.findall(page.read_text(encoding="utf-8")))
        (tmp_path / f"{page.stem.replace('-', '_')}.py").write_text(code, encoding="utf-8")
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(STRICT), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "basedpyright",
        "--outputjson",
        "--pythonpath",
        sys.executable,
        "-p",
        str(tmp_path),
    ]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    told = json.loads(ended.stdout)
    errors = [
        f"{Path(one['file']).name}:{one['range']['start']['line'] + 1}: {one['message']}"
        for one in told["generalDiagnostics"]
        if one["severity"] == "error"
    ]
    assert errors == []
    assert told["summary"]["filesAnalyzed"] >= len(pages)


def test_every_link_leads_somewhere() -> None:
    offenders = [
        f"{named(page)} links to {target}"
        for page in PAGES
        for target in LINK.findall(page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert offenders == []


def test_no_page_sends_anybody_to_the_index_for_this_name() -> None:
    wrong = re.compile(r"pip install [^\n`]*\bmmtools\b")
    assert [named(page) for page in PAGES if wrong.search(page.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_field_tables_are_the_schemas(dialect: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    reference = (HOUSE / "docs" / "reference" / f"{dialect}.md").read_text(encoding="utf-8")
    sections = dict(re.findall(r"^## `(\w+)`$(.*?)(?=^## |\Z)", reference, re.MULTILINE | re.DOTALL))
    with everything(dialect, tmp_path, RefuseAll()) as runner:
        for spec in runner.specs:
            told = {name: (kind, default, text) for name, kind, default, text in ROW.findall(sections[spec.name])}
            assert told == dict(_fields(spec.arguments_schema)), spec.name


def _fields(schema: dict[str, object], prefix: str = "") -> list[tuple[str, tuple[str, str, str]]]:
    properties, required = schema["properties"], schema.get("required", [])
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    rows = []
    for name, field in properties.items():
        default = "—" if name in required else f"`{json.dumps(field['default'])}`"
        rows.append((f"{prefix}{name}", (field["type"], default, field["description"])))
        if field["type"] == "array":
            rows += _fields(field["items"], f"{prefix}{name}[].")
    return rows
