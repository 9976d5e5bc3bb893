"""What the package offers: complete, sorted, and nothing by accident."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from importlib import metadata
from pathlib import Path

import pytest

import mmtools

#: Imported, and held to their `__all__`, in the environments of their frameworks.
ELSEWHERE = re.compile(r"mmtools\.hosting\.(langchain|langgraph|openai_agents|pydantic_ai)")

MODULES = sorted(
    info.name for info in pkgutil.walk_packages(mmtools.__path__, "mmtools.") if not ELSEWHERE.match(info.name)
)


def test_the_shop_window_opens_on_what_the_type_checker_sees() -> None:
    window = Path(mmtools.__file__).read_text(encoding="utf-8")
    seen = {
        alias.name: f"{node.module}.{alias.name}"
        for guarded in ast.parse(window).body
        if isinstance(guarded, ast.If)
        for node in guarded.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert mmtools.__all__ == sorted(mmtools.__all__)
    assert set(mmtools.__all__) == {*seen, "__version__"}
    assert set(dir(mmtools)) >= set(mmtools.__all__)
    for name, home in seen.items():
        module, _, attribute = home.rpartition(".")
        expected = (
            importlib.import_module(home) if name == "local" else getattr(importlib.import_module(module), attribute)
        )
        assert getattr(mmtools, name) is expected
    with pytest.raises(AttributeError, match="'nope'"):
        getattr(mmtools, "no" + "pe")


def test_every_name_in_all_is_there_and_none_is_private() -> None:
    offenders = [
        f"{name}.{offered}"
        for name in MODULES
        if name != "mmtools.__main__"
        for offered in getattr(importlib.import_module(name), "__all__", [])
        if offered.startswith("_") or not hasattr(importlib.import_module(name), offered)
    ]
    assert offenders == []


def test_there_is_one_version_number() -> None:
    assert metadata.version("mmtools") == mmtools.__version__
    assert re.fullmatch(r"\d+\.\d+\.\d+", mmtools.__version__)


def test_the_base_needs_three_distributions() -> None:
    base = [line for line in metadata.requires("mmtools") or [] if "extra ==" not in line]
    assert sorted(re.split(r"[<>=]", line)[0] for line in base) == ["attrs", "cattrs", "typing-extensions"]
