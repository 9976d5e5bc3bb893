"""A qualified rename of one of two methods of the same name with real servers: right, or nothing is changed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.lsp.servers import LocalLanguageServers
from mmtools.adapters.lsp.texts import TextReader
from mmtools.errors import ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.tools.mm.lsp import Lsp, LspArgs
from tests.servers import PATIENCE, environment, program_of, real_server

pytestmark = pytest.mark.slow

_PYTHON = {"m.py": "class A:\n    def run(self): pass\nclass B:\n    def run(self): pass\nA().run()\nB().run()\n"}
_GO = """package main

type A struct{}

func (a A) run() {}

type B struct{}

func (b *B) run() {}

func main() { a := A{}; a.run(); b := B{}; b.run() }
"""
_CPP = "struct A { void run() {} };\nstruct B { void run() {} };\nint main() { A a; a.run(); B b; b.run(); }\n"
_TS = "class A { run() {} }\nclass B { run() {} }\nnew A().run();\nnew B().run();\nexport {};\n"

PROGRAMS = {
    "basedpyright": _PYTHON,
    "ty": _PYTHON,
    "gopls": {"main.go": _GO, "go.mod": "module example.com/m\n\ngo 1.19\n"},
    "clangd": {"main.cpp": _CPP},
    "typescript-language-server": {"main.ts": _TS, "tsconfig.json": "{}"},
}


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.needs(program_of(n))) for n in PROGRAMS])
def test_the_second_of_two_methods_is_renamed_and_nothing_else(name: str, tmp_path: Path) -> None:
    for file, text in PROGRAMS[name].items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    path, before = next(iter(PROGRAMS[name].items()))
    if path.endswith(".cpp"):
        commands = [{"directory": str(tmp_path), "arguments": ["c++", "-c", path], "file": path}]
        (tmp_path / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
    files = LocalFiles(tmp_path)
    reader = TextReader(files=files)
    with LocalLanguageServers(
        tmp_path, [real_server(name)], read=reader, environment=environment(), timeouts=PATIENCE
    ) as servers:

        def rename(symbol: str) -> str:
            arguments = LspArgs(action="rename", path=path, symbol=symbol, new_name="walk")
            return Lsp(servers=servers, files=files).execute(arguments, StubCall())

        with pytest.raises(ToolFailure, match="is declared at 2 places"):
            rename("run")
        with pytest.raises(ToolFailure, match='"C" names nothing'):
            rename("C.run")
        assert (tmp_path / path).read_text(encoding="utf-8") == before
        told = rename("B.run")
    # The declaration is the second one, and the call the last.
    parts = before.split("run")
    assert (tmp_path / path).read_text(
        encoding="utf-8"
    ) == f"{parts[0]}run{parts[1]}walk{parts[2]}run{parts[3]}walk{parts[4]}"
    line = 1 + (parts[0] + parts[1]).count("\n")
    assert f"\n[declaration renamed: {path}:{line}:" in told


@pytest.mark.needs("clangd")
def test_without_a_compilation_database_nothing_is_renamed(tmp_path: Path) -> None:
    """C131."""
    program = {
        "lib.hpp": "int helper(int n);\n",
        "lib.cpp": '#include "lib.hpp"\nint helper(int n) { return n; }\n',
        "main.cpp": '#include "lib.hpp"\nint main() { return helper(0); }\n',
    }
    for file, text in program.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    files = LocalFiles(tmp_path)
    reader = TextReader(files=files)
    with LocalLanguageServers(
        tmp_path, [real_server("clangd")], read=reader, environment=environment(), timeouts=PATIENCE
    ) as servers:
        tool = Lsp(servers=servers, files=files)
        told = tool.execute(LspArgs(action="references", path="main.cpp", symbol="helper"), StubCall())
        assert told.endswith("search the files for the rest]")
        with pytest.raises(ToolFailure, match=r"nothing was renamed: clangd found no compile_commands\.json"):
            tool.execute(LspArgs(action="rename", path="lib.cpp", symbol="helper", new_name="assist"), StubCall())
    assert {file: (tmp_path / file).read_text(encoding="utf-8") for file in program} == program
