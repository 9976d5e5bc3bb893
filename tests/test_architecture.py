"""The arrows between the rooms, read from the imports themselves."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests import wire_words

PACKAGE = Path(__file__).parents[1] / "mmtools"

#: What each room may import of the others; a room may always import itself.
ALLOWED: dict[str, set[str]] = {
    "errors": {"call"},
    "call": {"previews"},
    "previews": set(),
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
    "options": {"errors", "core", "ports", "tool"},
    "toolsets": {"errors", "call", "core", "ports", "tool", "tools"},
    "adapters": {"errors", "call", "core", "ports", "tool"},
    "policies": {"errors", "call", "core", "ports", "tool"},
    "testing": {"errors", "call", "core", "ports", "tool"},
    "providers": {"errors", "call", "tool", "schema"},
    "hosting": {"errors", "call", "core", "ports", "tool", "running", "pending", "providers", "runner"},
}

#: Composition roots and the shop window may import everything.
ROOTS = {"__init__", "__main__", "cli", "local", "workspace"}

#: What a pure core must not know.
IMPURE = {
    "asyncio", "datetime", "io", "logging", "os", "pathlib", "random", "secrets", "shutil", "signal", "socket",
    "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib",
}  # fmt: skip


def modules(folder: str = ".") -> list[Path]:
    return sorted((PACKAGE / folder).rglob("*.py"))


@cache
def source(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(source(path))


def room(module: str) -> str:
    """`mmtools.core.text` → `core`."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def dotted(path: Path) -> str:
    return ".".join(["mmtools", *path.relative_to(PACKAGE).with_suffix("").parts]).removesuffix(".__init__")


@cache
def imports(path: Path) -> frozenset[str]:
    """Every module that a file imports, also those imported inside functions and for types only."""
    found = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            assert node.module is not None
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if is_module(inner) else node.module)
    return frozenset(found)


@cache
def is_module(name: str) -> bool:
    path = PACKAGE.parent.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or path.is_dir()


def test_a_module_imports_only_what_its_room_may() -> None:
    offenders = [
        f"{dotted(path)} imports {name}"
        for path in modules()
        if room(dotted(path)) not in ROOTS
        for name in imports(path)
        if name.split(".")[0] == "mmtools" and room(name) not in ALLOWED[room(dotted(path))] | {room(dotted(path))}
    ]
    assert offenders == []


def test_the_core_does_no_input_or_output() -> None:
    offenders = [
        f"{dotted(path)} imports {name}"
        for path in modules("core")
        for name in imports(path)
        if name.split(".")[0] in IMPURE
    ]
    assert offenders == []


#: What each shared room of `tools` may import of the others; a dialect may import both.
SHARED: dict[str, set[str]] = {"wording": set(), "operations": {"wording"}}

#: Texts that are words and no names: "1 new", counted.
NO_NAMES = {("diagnostics.py", "new")}
#: Other spellings of arguments, and no sentences.
SPELLINGS = "spellings.py"

#: What acts and is no port: a text is made of values.
ACTING = {"Call", "Cancellation", "Ledger", "Writers"}


def wording() -> list[Path]:
    return modules("tools/wording")


def test_dialects_share_operations_and_wording_and_nothing_else() -> None:
    offenders = []
    for path in modules("tools"):
        here = ".".join(dotted(path).split(".")[2:3])
        for name in imports(path):
            parts = name.split(".")
            inside = parts[:2] == ["mmtools", "tools"] and len(parts) > 2
            if inside and parts[2] not in {here, *SHARED.get(here, SHARED)}:
                offenders.append(f"{dotted(path)} imports {name}")
    assert offenders == []


def annotated_with(tree: ast.Module) -> set[str]:
    """Every name that stands in an annotation: of a parameter, a field, a result."""
    annotations: list[ast.expr | None] = []
    for node in ast.walk(tree):
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
        for path in modules("ports")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef) and "Protocol" in map(ast.unparse, node.bases)
    }


def test_wording_turns_values_into_text_and_calls_no_port() -> None:
    """What a function is not given, it cannot call: imports of adapters are refused above."""
    acting = protocols() | ACTING
    offenders = {dotted(path): given for path in wording() if (given := annotated_with(parsed(path)) & acting)}
    assert offenders == {}


def test_a_port_in_wording_would_be_seen() -> None:
    assert {"Files", "Reader", "EditWatch", "Processes", "Search", "Permission"} <= protocols()
    for planted in ("def f(a: str, files: Files) -> str: ...", "class A:\n    files: Files", "def f() -> Files: ..."):
        assert "Files" in annotated_with(ast.parse(planted))
    assert "Files" in annotated_with(ast.parse("def f(look: Callable[[ports.Files | None], str]) -> str: ..."))


def test_no_word_of_one_dialect_stands_in_what_all_share() -> None:
    offenders = {
        dotted(path): slips
        for path in [*modules("tools/operations"), *wording()]
        if path.name != SPELLINGS
        and (slips := [slip for slip in wire_words.slips(source(path)) if (path.name, slip.text) not in NO_NAMES])
    }
    assert offenders == {}


def test_a_module_is_readable_at_one_sitting() -> None:
    lines = {dotted(path): len(source(path).splitlines()) for path in modules()}
    assert {module: count for module, count in lines.items() if count > 400} == {}


def test_a_module_says_what_it_is_and_what_it_offers() -> None:
    offenders = []
    for path in modules():
        tree = parsed(path)
        if not ast.get_docstring(tree):
            offenders.append(f"{dotted(path)} has no docstring")
        names = [
            ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == ["__all__"]
        ]
        defines = any(isinstance(node, ast.FunctionDef | ast.ClassDef) for node in tree.body)
        if defines and not any(names):
            offenders.append(f"{dotted(path)} has no __all__")
    assert offenders == []


def test_public_things_have_docstrings() -> None:
    offenders = [
        f"{dotted(path)}.{node.name} has no docstring"
        for path in modules()
        for node in parsed(path).body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        # An arguments class describes each field; the tool class says the rest.
        and not (node.name.endswith(("Args", "Arg")) or ast.get_docstring(node))
    ]
    assert offenders == []


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
