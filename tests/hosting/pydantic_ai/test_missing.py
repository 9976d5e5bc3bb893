"""Without the framework."""

from __future__ import annotations

import importlib
import sys

import pytest


def test_a_missing_framework_is_one_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    monkeypatch.delitem(sys.modules, "mmtools.hosting.pydantic_ai", raising=False)
    with pytest.raises(ModuleNotFoundError) as failure:
        importlib.import_module("mmtools.hosting.pydantic_ai")
    assert str(failure.value) == "RunnerToolset needs the package pydantic-ai: pip install pydantic-ai-slim"
    assert failure.value.name == "pydantic_ai"
