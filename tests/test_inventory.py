"""Every tool has its module, toolset line, test, contract and section in the docs; and there are no orphans."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mmtools import RefuseAll
from tests.dialects import DIALECTS, everything, lay_out

HOUSE = Path(__file__).parents[1]


def stems(folder: Path, pattern: str) -> set[str]:
    return {path.stem for path in folder.glob(pattern) if not path.stem.startswith("_")}


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_tool_is_in_its_six_places(dialect: str, tmp_path: Path) -> None:
    lay_out(tmp_path)
    with everything(dialect, tmp_path, RefuseAll()) as runner:
        names = {spec.name for spec in runner.specs}
    modules = {snake(name) for name in names}
    reference = (HOUSE / "docs" / "reference" / f"{dialect}.md").read_text(encoding="utf-8")
    assert stems(HOUSE / "mmtools" / "tools" / dialect, "*.py") == modules
    assert {stem.removeprefix("test_") for stem in stems(HOUSE / "tests" / "tools" / dialect, "*.py")} == modules
    assert stems(HOUSE / "tests" / "contracts" / dialect, "*.json") == names
    assert set(re.findall(r"^## `(\w+)`$", reference, re.MULTILINE)) == names


#: Where every module that does something has a test file of its name.
ROOMS = (
    "adapters",
    "adapters/disk",
    "adapters/metrics",
    "adapters/process",
    "adapters/search",
    "adapters/terminal",
    "adapters/web",
    "arguments",
    "core",
    "core/lsp",
    "core/web",
    "policies",
    "schema",
    "toolsets",
    "tools/operations",
    "tools/wording",
)


def test_every_module_has_its_test_file() -> None:
    """
    Modules of values alone have none, nor have the parts of the language servers' port: its conformance suite,
    the scripted server and the real ones test them together.
    """
    missing = [
        f"{room}/{module}"
        for room in ROOMS
        for module in {path.stem for path in (HOUSE / "mmtools" / room).glob("*.py") if _does_something(path)}
        if not (HOUSE / "tests" / room / f"test_{module}.py").exists()
    ]
    assert sorted(missing) == []


def _does_something(path: Path) -> bool:
    return any(isinstance(node, ast.FunctionDef) for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
