"""
Three renames by real servers where one word means several things: each changes what is meant, and nothing else.

The second of two methods of one name, by its qualified name; a parameter that has the name of a method; the alias of an
import. The language's own checks pass after them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.lsp.servers import LocalLanguageServers
from mmtools.adapters.lsp.texts import TextReader
from mmtools.errors import ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.tools.mm.lsp import Lsp, LspArgs
from tests.servers import PATIENCE, environment, program_of, real_server
from tests.tools.real_servers.projects import Project, passes

pytestmark = pytest.mark.slow

#: What the marks of a program stand for: before its rename, and after.
NAMES = {"§method": ("run", "walk"), "§parameter": ("run", "pace"), "§alias": ("hi", "salute")}

_PYTHON = {
    "main.py": """from lib import greet as §alias


class A:
    def run(self) -> int:
        return 1


class B:
    def §method(self) -> int:
        return 2


def use(§parameter: int) -> int:
    return §parameter + A().run() + B().§method()


print(use(§parameter=1), §alias("run"))  # run, hi
""",
    "lib.py": 'def greet(name: str) -> str:\n    return "hi " + name\n',
}
_GO = {
    "main.go": """package main

import §alias "strings"

type A struct{}

func (a A) run() int { return 1 }

type B struct{}

func (b *B) §method() int { return 2 }

func use(§parameter int) int { a := A{}; b := B{}; return §parameter + a.run() + b.§method() }

func main() { println(use(1), §alias.ToUpper("run hi")) } // run, hi
""",
    "go.mod": "module example.com/m\n\ngo 1.19\n",
}
_CPP = {
    "main.cpp": """#include "lib.h"

namespace §alias = long_name;

struct A { int run() { return 1; } };
struct B { int §method() { return 2; } };

int use(int §parameter) { return §parameter + A().run() + B().§method(); }

int main() { return use(1) + §alias::greet("run hi"); } // run, hi
""",
    "lib.h": "namespace long_name { int greet(const char *s); }\n",
}
_TS = {
    "main.ts": """import { greet as §alias } from "./lib";

class A { run() { return 1; } }
class B { §method() { return 2; } }

function use(§parameter: number) { return §parameter + new A().run() + new B().§method(); }

export const all = [use(1), §alias("run")]; // run, hi
""",
    "lib.ts": 'export function greet(name: string) { return "hi " + name; }\n',
    "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "commonjs"}}\n',
}
PROGRAMS = {
    "basedpyright": _PYTHON,
    "ty": _PYTHON,
    "gopls": _GO,
    "clangd": _CPP,
    "typescript-language-server": _TS,
}
#: What must pass in a program's folder.
CHECKERS: Mapping[str, Sequence[Sequence[str]]] = {
    "basedpyright": [["python", "main.py"], ["basedpyright", "--level", "error", "."]],
    "ty": [["python", "main.py"], ["ty", "check", "."]],
    "gopls": [["go", "build", "-o", "/dev/null", "."]],
    "clangd": [["clangd", "--check=main.cpp"]],
    "typescript-language-server": [["tsc", "--noEmit", "--project", "."]],
}


class Program:
    """A program on disk, whose names have been renamed up to now as the marks say."""

    def __init__(self, root: Path, files: Mapping[str, str]) -> None:
        self.root = root
        self.files = files
        self.main = next(iter(files))
        self.now = {mark: before for mark, (before, _) in NAMES.items()}
        for path, text in self.expected().items():
            (root / path).write_text(text, encoding="utf-8")
        if self.main.endswith(".cpp"):
            commands = [{"directory": str(root), "arguments": ["c++", "-c", self.main], "file": self.main}]
            (root / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")

    def expected(self) -> dict[str, str]:
        return {path: self._spelled(text) for path, text in self.files.items()}

    def on_disk(self) -> dict[str, str]:
        return {path: (self.root / path).read_text(encoding="utf-8") for path in self.files}

    def place(self, mark: str) -> tuple[int, int]:
        """Line and column of the first place of a mark."""
        before = self._spelled(self.files[self.main].partition(mark)[0])
        return before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1

    def _spelled(self, text: str) -> str:
        for mark, name in self.now.items():
            text = text.replace(mark, name)
        return text


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.needs(program_of(n))) for n in PROGRAMS])
def test_each_of_three_renames_changes_what_is_meant_and_nothing_else(name: str, tmp_path: Path) -> None:
    program = Program(tmp_path, PROGRAMS[name])
    files = LocalFiles(tmp_path)
    reader = TextReader(files=files)
    with LocalLanguageServers(
        tmp_path, [real_server(name)], read=reader, environment=environment(), timeouts=PATIENCE
    ) as servers:
        tool = Lsp(servers=servers, files=files)

        def rename(mark: str, symbol: str = "", *, line: int = 0, column: int = 0) -> None:
            new_name = NAMES[mark][1]
            arguments = LspArgs(
                action="rename", path=program.main, symbol=symbol, line=line, column=column, new_name=new_name
            )
            told = tool.execute(arguments, StubCall())
            assert "[declaration renamed: " in told
            program.now[mark] = new_name
            assert program.on_disk() == program.expected()

        rename("§method", "B.run")
        line, column = program.place("§parameter")
        if name == "basedpyright":
            rename("§parameter", "use.run")
        else:
            # These do not say that a parameter is declared in its function.
            with pytest.raises(ToolFailure, match=f"{program.main}:{line}:{column}"):
                rename("§parameter", "use.run")
            assert program.on_disk() == program.expected()
            rename("§parameter", line=line, column=column)
        rename("§alias", "hi")
    passes(Project(files={}, library="", main="", broken="", checkers=CHECKERS[name]), tmp_path)
