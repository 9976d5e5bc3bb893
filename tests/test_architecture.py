"""The arrows between the rooms, read from the imports themselves."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import wire_words

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
    "bound_tool": {"tool", "runner"},
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


#: What each shared room of `tools` may import of the others; a dialect may import both.
SHARED: dict[str, set[str]] = {"wording": set(), "operations": {"wording"}}

#: Modules of `tools/wording` of which a part is still to go to `tools/operations` or to the dialects.
NOT_MOVED = {
    "asking.py",
    "lsp.py",
    "lsp_problems.py",
    "named_files.py",
    "renames.py",
    "renaming.py",
}
WORDING = [path for path in sorted((PACKAGE / "tools" / "wording").glob("*.py")) if path.name not in NOT_MOVED]
OPERATIONS = sorted((PACKAGE / "tools" / "operations").glob("*.py"))

#: Texts that are words and no names: "1 new", counted.
NO_NAMES = {("diagnostics.py", "new")}
#: Other spellings of arguments, and no sentences.
SPELLINGS = "spellings.py"

#: What acts and is no port: a text is made of values.
ACTING = {"Call", "Cancellation", "Ledger", "Writers"}


@pytest.mark.parametrize("path", sorted((PACKAGE / "tools").rglob("*.py")), ids=dotted)
def test_dialects_share_operations_and_wording_and_nothing_else(path: Path) -> None:
    here = ".".join(dotted(path).split(".")[2:3])
    if path.name in NOT_MOVED and here == "wording":
        return
    for name in imports(path):
        parts = name.split(".")
        if parts[:2] == ["mmtools", "tools"] and len(parts) > 2:
            assert parts[2] in {here, *SHARED.get(here, SHARED)}, f"{dotted(path)} imports {name}"


def annotated_with(source: str) -> set[str]:
    """Every name that stands in an annotation: of a parameter, a field, a result."""
    annotations: list[ast.expr | None] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg | ast.AnnAssign):
            annotations.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            annotations.append(node.returns)
    return {
        name.id if isinstance(name, ast.Name) else name.attr
        for annotation in annotations
        if annotation is not None
        for name in ast.walk(annotation)
        if isinstance(name, ast.Name | ast.Attribute)
    }


def protocols() -> set[str]:
    """Every port: what an adapter is, or hands out."""
    return {
        node.name
        for path in (PACKAGE / "ports").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and "Protocol" in map(ast.unparse, node.bases)
    }


@pytest.mark.parametrize("path", WORDING, ids=dotted)
def test_wording_turns_values_into_text_and_calls_no_port(path: Path) -> None:
    """What a function is not given, it cannot call: imports of adapters are refused above."""
    assert annotated_with(path.read_text(encoding="utf-8")) & (protocols() | ACTING) == set()


def test_a_port_in_wording_would_be_seen() -> None:
    assert {"Files", "Reader", "EditWatch", "Processes", "Search", "Permission"} <= protocols()
    for planted in ("def f(a: str, files: Files) -> str: ...", "class A:\n    files: Files", "def f() -> Files: ..."):
        assert "Files" in annotated_with(planted)
    assert "Files" in annotated_with("def f(look: Callable[[ports.Files | None], str]) -> str: ...")


@pytest.mark.parametrize("path", [*OPERATIONS, *WORDING], ids=dotted)
def test_no_word_of_one_dialect_stands_in_what_all_share(path: Path) -> None:
    if path.name == SPELLINGS:
        return
    slips = wire_words.slips(path.read_text(encoding="utf-8"))
    assert [slip for slip in slips if (path.name, slip.text) not in NO_NAMES] == []


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
    known = {dotted(path) for path in modules()}
    arrows = {dotted(path): {name for name in _imports_at_run_time(path) if name in known} for path in modules()}

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


def _imports_at_run_time(path: Path) -> Iterator[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    guarded = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in guarded or not isinstance(node, ast.Import | ast.ImportFrom):
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = PACKAGE.parent.joinpath(*node.module.split("."), alias.name)
                is_module = inner.with_suffix(".py").exists() or inner.is_dir()
                yield f"{node.module}.{alias.name}" if is_module else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


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
