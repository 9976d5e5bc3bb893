"""Every page of how-to installs what its code imports, by itself or through the packages of mmtools that it uses."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

HOUSE = Path(__file__).parents[1]
PAGES = sorted((HOUSE / "docs" / "how-to").glob("*.md"))
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
INSTALL = re.compile(r"pip install ([^`\n]+)")

#: What brings a module whose name is not its package's, also of frameworks that are not installed here; the longest
#: prefix counts.
PACKAGES = {
    "acp": "agent-client-protocol",
    "agents": "openai-agents",
    "attr": "attrs",
    "httpx2": "httpx2",
    "langgraph.checkpoint.sqlite": "langgraph-checkpoint-sqlite",
    "lxml": "lxml",
    "mcp_types": "mcp-types",
    "opentelemetry": "opentelemetry-api",
    "pydantic_ai": "pydantic-ai-slim",
}

#: What frameworks bring that are not installed here: their metadata is of their environments.
BROUGHT = {"pydantic-ai-slim": {"pydantic"}, "langchain-core": {"pydantic"}}

#: Loaded by mmtools only where it is there: the pages tell what is missing without.
OPTIONAL = {"rich", "pathspec"}


def base() -> set[str]:
    project = tomllib.loads((HOUSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {canonicalize_name(Requirement(line).name) for line in project["dependencies"]}


def named(page: str) -> Iterator[Requirement]:
    """Read the install lines of a page."""
    for line in INSTALL.findall(page):
        for word in line.split():
            yield Requirement(word.strip("'\""))


@cache
def brought(package: str, extra: str = "") -> frozenset[str]:
    """Return what installing a package installs, itself included, as far as it is known here."""
    found, waiting = set[tuple[str, str]](), [(package, extra)]
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in found:
            continue
        found.add((name, wanted))
        waiting += [(each, "") for each in BROUGHT.get(name, ())]
        try:
            lines = metadata.requires(name) or []
        except metadata.PackageNotFoundError:
            continue
        for one in map(Requirement, lines):
            if one.marker is None or one.marker.evaluate({"extra": wanted}):
                waiting += [(canonicalize_name(one.name), more) for more in ("", *one.extras)]
    return frozenset(name for name, _ in found)


def imported(tree: ast.Module) -> Iterator[str]:
    """Return the modules that code cannot run without: not those for types, nor those that may be missing."""
    for node in statements(tree.body):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (name for alias in node.names if ours(name := f"{node.module}.{alias.name}"))


def statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield node
        raises = isinstance(node, ast.Try) and any(isinstance(each, ast.Raise) for each in ast.walk(node))
        if raises or isinstance(node, ast.With | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from statements(getattr(node, "body", ()))


@cache
def ours(module: str) -> Path | None:
    """Return the file of a module of mmtools."""
    place = HOUSE.joinpath(*module.split("."))
    found = [path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()]
    return found[0] if found and module.partition(".")[0] == "mmtools" else None


@cache
def imported_by(path: Path) -> tuple[str, ...]:
    return tuple(imported(ast.parse(path.read_text(encoding="utf-8"))))


def needed(modules: Iterable[str]) -> dict[str, str]:
    """Return the modules of others that these load, also through mmtools, and who loads them."""
    wanted: dict[str, str] = {}
    waiting, known = [(module, "the page") for module in modules], set[str]()
    while waiting:
        module, whence = waiting.pop()
        if module in known:
            continue
        known.add(module)
        path = ours(module)
        if path is not None:
            waiting += [(each, module) for each in imported_by(path)]
        elif module.partition(".")[0] not in {*sys.stdlib_module_names, "mmtools", *OPTIONAL}:
            wanted.setdefault(module, whence)
    return wanted


def package_of(module: str) -> str:
    parts = module.split(".")
    prefixes = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    known = next((PACKAGES[prefix] for prefix in prefixes if prefix in PACKAGES), parts[0])
    return canonicalize_name(known)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_installs_what_it_imports(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    code = "\n".join(BLOCK.findall(text))
    installed = set().union(*map(brought, base()))
    for one in named(text):
        installed |= set().union(*(brought(canonicalize_name(one.name), extra) for extra in ("", *one.extras)))
    missing = [
        f"{module}, for {whence}: of {package_of(module)}"
        for module, whence in needed(imported(ast.parse(code))).items()
        if package_of(module) not in installed
    ]
    assert missing == []


def test_a_package_that_is_not_named_would_be_found() -> None:
    wanted = needed(["mmtools.hosting.mcp_server", "langgraph.checkpoint.sqlite"])
    assert {"mcp", "langgraph-checkpoint-sqlite"} <= set(map(package_of, wanted))
