"""The frozen wire contracts: a change of one is a visible diff and a line in the changelog."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from mmtools import RefuseAll, ToolSpec
from tests.dialects import DIALECTS, everything, lay_out

CONTRACTS = Path(__file__).parent / "contracts"

#: Characters. The leanest peers spend 3,600 to 5,500 on six tools; so do the seven of crab, and the five of mm less.
BUDGETS = {"crab": (7, 4_200), "mm": (5, 3_600)}


@pytest.fixture
def specs(tmp_path: Path, dialect: str) -> Iterator[tuple[ToolSpec, ...]]:
    lay_out(tmp_path)
    with everything(dialect, tmp_path, RefuseAll()) as runner:
        yield runner.specs


def contract(spec: ToolSpec) -> dict[str, Any]:
    return {
        "name": spec.name,
        "description": spec.description,
        "kind": spec.kind.value,
        "arguments_schema": spec.arguments_schema,
    }


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_contracts_are_what_is_frozen(
    dialect: str, specs: tuple[ToolSpec, ...], request: pytest.FixtureRequest
) -> None:
    for spec in specs:
        path = CONTRACTS / dialect / f"{spec.name}.json"
        frozen = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"sample": None}
        if request.config.getoption("--accept-contracts"):
            path.parent.mkdir(parents=True, exist_ok=True)
            text = json.dumps({**contract(spec), "sample": frozen["sample"]}, indent=2, ensure_ascii=False)
            path.write_text(text + "\n", encoding="utf-8")
        else:
            assert contract(spec) == {key: value for key, value in frozen.items() if key != "sample"}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_schema_is_valid_closed_and_described(dialect: str, specs: tuple[ToolSpec, ...]) -> None:
    for spec in specs:
        schema = spec.arguments_schema
        Draft202012Validator.check_schema(schema)
        for record in _records(schema):
            assert record["additionalProperties"] is False
            for name, field in record["properties"].items():
                assert field.get("description"), f"{spec.name}: {name}"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_the_definitions_are_small(dialect: str, specs: tuple[ToolSpec, ...]) -> None:
    compact = [
        json.dumps(
            {"name": spec.name, "description": spec.description, "parameters": spec.arguments_schema},
            ensure_ascii=False,
            separators=(",", ":"),
        )
        for spec in specs
        if spec.name != "lsp"
    ]
    count, budget = BUDGETS[dialect]
    assert len(compact) == count
    assert sum(map(len, compact)) <= budget


def _records(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if schema.get("type") == "object":
        yield schema
    for inner in [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]:
        yield from _records(inner)
