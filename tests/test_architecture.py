"""The arrows between the rooms, read from the imports themselves."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "mmtools"

#: What each room may import of the others; a room may always import itself.
ALLOWED: dict[str, set[str]] = {
    "errors": {"call"},
    "call": set(),
    "core": {"errors", "call"},
    "ports": {"errors", "call", "core"},
    "schema": {"errors"},
    "arguments": {"errors", "tool", "schema"},
    "tool": {"errors", "call", "schema"},
    "tools": {"errors", "call", "core", "ports", "tool"},
    "pending": {"errors", "call", "core", "ports"},
    "running": {"errors", "call", "core", "ports", "tool", "arguments", "pending"},
    "bound_tool": {"tool"},
    "runner": {
        "errors",
        "call",
        "core",
        "ports",
        "tool",
        "pending",
        "running",
        "bound_tool",
    },
    "recording": {"errors", "call"},
    "toolsets": {"errors", "call", "core", "ports", "tool", "tools"},
    "adapters": {"errors", "call", "core", "ports", "tool"},
    "policies": {"errors", "call", "core", "ports", "tool"},
    "testing": {"errors", "call", "core", "ports", "tool"},
    "providers": {"errors", "call", "tool", "schema"},
    "hosting": {"errors", "call", "core", "ports", "tool", "running", "pending", "providers", "runner"},
}

#: Composition roots and the shop window may import everything.
ROOTS = {"__init__", "__main__", "local", "cli"}

#: What a pure core must not know.
IMPURE = {
    "asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil", "signal", "socket",
    "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib",
}  # fmt: skip


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def room(module: str) -> str:
    """`mmtools.core.text` → `core`."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def dotted(path: Path) -> str:
    return ".".join(["mmtools", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")


def imports(path: Path) -> Iterator[str]:
    """Every module that a file imports, also those imported inside functions and for types only."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            for alias in node.names:
                inner = PACKAGE.parent.joinpath(*node.module.split("."), alias.name)
                is_module = inner.with_suffix(".py").exists() or inner.is_dir()
                yield f"{node.module}.{alias.name}" if is_module else node.module


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_a_module_imports_only_what_its_room_may(path: Path) -> None:
    here = room(dotted(path))
    if here in ROOTS:
        return
    for name in imports(path):
        if name.split(".")[0] == "mmtools":
            assert room(name) in ALLOWED[here] | {here}, f"{dotted(path)} imports {name}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "core").rglob("*.py")), ids=dotted)
def test_the_core_does_no_input_or_output(path: Path) -> None:
    for name in imports(path):
        assert name.split(".")[0] not in IMPURE, f"{dotted(path)} imports {name}"


@pytest.mark.parametrize("path", sorted((PACKAGE / "tools").rglob("*.py")), ids=dotted)
def test_dialects_do_not_import_one_another(path: Path) -> None:
    here = dotted(path).split(".")[2:3]
    for name in imports(path):
        parts = name.split(".")
        if parts[:2] == ["mmtools", "tools"] and len(parts) > 2:
            assert parts[2:3] in (here, ["wording"]), f"{dotted(path)} imports {name}"


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_a_module_is_readable_at_one_sitting(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_a_module_says_what_it_is_and_what_it_offers(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), f"{dotted(path)} has no docstring"
    names = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]
    ]
    defines = any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body)
    if defines:
        assert names, f"{dotted(path)} has no __all__"


@pytest.mark.parametrize("path", modules(), ids=dotted)
def test_public_things_have_docstrings(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            # An arguments class describes each field; the tool class says the rest.
            described = node.name.endswith(("Args", "Arg")) or ast.get_docstring(node)
            assert described, f"{dotted(path)}.{node.name} has no docstring"


def test_no_two_modules_import_each_other() -> None:
    """Directly or not, also inside functions and for types only."""
    known = {dotted(path) for path in modules()}
    arrows = {dotted(path): {name for name in imports(path) if name in known} for path in modules()}

    def reaches(start: str) -> set[str]:
        seen: set[str] = set()
        todo = list(arrows[start])
        while todo:
            module = todo.pop()
            if module not in seen:
                seen.add(module)
                todo += arrows[module]
        return seen

    assert [module for module in arrows if module in reaches(module)] == []


def test_a_host_without_language_servers_does_not_load_what_they_say() -> None:
    code = "import sys\nfrom mmtools import local\nassert 'mmtools.core.lsp' not in sys.modules\n"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize("statement", ["import mmtools", "from mmtools import *", "from mmtools import local"])
def test_importing_does_nothing_and_loads_only_the_base(statement: str, tmp_path: Path) -> None:
    """In a bare process: no file, no output, no thread, and no module of an extra, nor cattrs before its first use."""
    code = (
        f"import sys, threading\n{statement}\n"
        "heavy = {'cattrs', 'asyncio', 'rich', 'hypothesis', 'sqlite3', 'argparse', 'mmtools.testing', 'mmtools.cli'}\n"
        "assert threading.active_count() == 1\n"
        "assert not heavy & set(sys.modules), heavy & set(sys.modules)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []
