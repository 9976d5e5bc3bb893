"""mm `lsp`: its contract, how its arguments become a question, and its words. The job: tests/tools/operations."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mmtools.adapters.lsp.texts import TextReader
from mmtools.call import Location, ToolKind
from mmtools.errors import ToolFailure
from mmtools.ports.language_servers import Feature
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import MemoryLanguageServers
from mmtools.tools.mm.lsp import Lsp, LspArgs
from mmtools.tools.wording.lsp import LspTerms
from tests.tools.asked import MAIN, SERVERS


def tool(**more: Any) -> Lsp:
    answers = {Feature.HOVER: {"contents": "found"}, Feature.RENAME: ["?"]}
    files = MemoryFiles({"main.go": MAIN})
    servers = MemoryLanguageServers(SERVERS, read=TextReader(files=files), reactions=answers)
    return Lsp(servers=servers, files=files, **more)


def test_description_names_the_servers_and_their_extensions_and_the_six_actions() -> None:
    spec = tool().spec
    assert spec.description.endswith("Servers available: gopls (.go), clangd (.c, .h), pyright (.py)")
    actions = spec.arguments_schema["properties"]["action"]["enum"]
    assert actions == ["definition", "references", "hover", "symbols", "diagnostics", "rename"]
    assert all(action in spec.description for action in actions)


def test_the_whole_definition_is_small() -> None:
    spec = tool().spec
    whole = {"name": spec.name, "description": spec.description, "parameters": spec.arguments_schema}
    assert len(json.dumps(whole, ensure_ascii=False, separators=(",", ":"))) <= 1_300


@pytest.mark.parametrize(
    ("sent", "text", "line"),
    [
        ({"action": "definition", "symbol": "greet"}, "definition main.go greet", None),
        ({"action": "definition", "symbol": "p.greet()"}, "definition main.go greet", None),
        ({"action": "hover", "line": 9, "column": 14}, "hover main.go:9:14", 9),
        ({"action": "hover", "line": 9, "symbol": "greet"}, "hover main.go:9 greet", 9),
        ({"action": "symbols"}, "symbols main.go", None),
        ({"action": "diagnostics", "symbol": "x"}, "diagnostics main.go", None),
        ({"action": "rename", "symbol": "greet", "new_name": "hello"}, "rename main.go greet → hello", None),
        ({"action": "rename", "symbol": "greet 1 12 hello"}, "rename main.go greet → hello", None),
        ({"action": "rename", "line": 9, "column": 14, "new_name": "hello"}, "rename main.go:9:14 → hello", 9),
        ({"action": "rename", "symbol": "greet"}, "rename main.go greet", None),
        ({"action": "hover", "symbol": "1 + 2"}, "hover main.go 1 + 2", None),
    ],
)
def test_terminal_display_names_action_path_and_symbol_or_position(
    sent: dict[str, Any], text: str, line: int | None
) -> None:
    headline = tool().headline(LspArgs(path="main.go", **sent))
    assert headline.text == text
    assert headline.locations == (Location("/repo/main.go", line),)
    assert headline.echoes


def test_kind_is_read_for_navigation_and_edit_for_rename_and_the_family_is_lsp() -> None:
    lsp = tool()
    assert (lsp.spec.kind, lsp.spec.family) == (ToolKind.READ, "lsp")
    assert lsp.headline(LspArgs(action="rename", path="a.go")).kind is ToolKind.EDIT
    assert lsp.headline(LspArgs(action="hover", path="a.go")).kind is None


@pytest.mark.parametrize(
    ("sent", "position"),
    [
        ({"symbol": "person.greet()"}, (2, 5)),
        ({"symbol": "greet", "line": 8}, (7, 9)),
        ({"line": 3, "column": 8}, (2, 7)),
    ],
)
def test_the_arguments_point_at_a_place(sent: dict[str, Any], position: tuple[int, int]) -> None:
    asking = tool()
    assert asking.execute(LspArgs(action="hover", path="main.go", **sent), StubCall()) == "found"
    assert isinstance(asking.servers, MemoryLanguageServers)
    [asked] = asking.servers.asked
    assert asked.position is not None
    assert (asked.position.line, asked.position.character) == position


REFUSALS: list[tuple[dict[str, Any], str]] = [
    ({"action": "symbols", "path": "gone.go"}, "gone.go does not exist. Create it with write_file"),
    ({"action": "rename", "symbol": "greet", "new_name": "hello"}, "change the uses with edit_file]"),
    (
        {"action": "rename", "symbol": "greet"},
        '[lsp: rename needs new_name — call lsp again with {"action": "rename", "path": "main.go", "symbol": "greet", '
        '"new_name": "<the new identifier>"}; do not use edit_file for a rename]',
    ),
    (
        {"action": "rename", "symbol": "greet", "new_name": "func"},
        '[lsp: "func" is a reserved word in go — choose another new_name]',
    ),
    ({"action": "hover", "line": 3}, '[lsp: hover needs symbol — call lsp again with {"action": "hover"'),
]


@pytest.mark.parametrize(("sent", "part"), REFUSALS)
def test_answers_name_the_tools_and_arguments_of_the_dialect(sent: dict[str, Any], part: str) -> None:
    arguments = LspArgs(**{"path": "main.go", **sent})
    with pytest.raises(ToolFailure) as failure:
        tool().execute(arguments, StubCall())
    assert part in failure.value.text
    words = {"lsp": "Ask", "edit_file": "Edit", "write_file": "Write", "action": "do", "path": "file", "symbol": "name"}
    names = ("tool", "editor", "writer", "action", "path", "symbol")
    other = LspTerms(**dict(zip(names, words.values(), strict=True)), new_name="to")
    with pytest.raises(ToolFailure) as failure:
        tool(terms=other).execute(arguments, StubCall())
    for word, instead in {**words, "new_name": "to"}.items():
        part = part.replace(word, instead)
    assert part in failure.value.text
