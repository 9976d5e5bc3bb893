"""
One small project of three files for each real server, with all that makes positions and paths hard.

`greet` is defined in one file and used in two others: behind an emoji on its line, in a file with CRLF, in a file
with a BOM, under a path with a blank, `#` and `%`.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from attrs import field, frozen

from tests.servers import environment

__all__ = ["FOLDER", "PROJECTS", "Project", "passes", "write"]

#: In the path of every project.
FOLDER = "a project #1, 100%"


@frozen(kw_only=True)
class Project:
    """
    A program.

    Args:
        files: By name, as on disk.
        library, main: The names of the file that defines `greet`, and of the one with the emoji.
        kind: Of `greet`, in the words of an outline.
        broken: A line for `main` that no checker lets pass.
        checkers: Commands that must succeed in the project's folder; `python` stands for this one.
        extras: Further files that hold no code.
    """

    files: Mapping[str, bytes]
    library: str
    main: str
    broken: str
    checkers: Sequence[Sequence[str]]
    kind: str = "function"
    extras: Mapping[str, str] = field(factory=dict)

    def places(self, name: str = "greet") -> list[tuple[str, int, int]]:
        """Where a name stands, by file, line and column, in order."""
        return [
            (path, number, found.start() + 1)
            for path, data in sorted(self.files.items())
            for number, line in enumerate(data.decode("utf-8-sig").split("\n"), 1)
            for found in re.finditer(rf"\b{name}\b", line)
        ]


def write(project: Project, folder: Path) -> Path:
    """Write a project; returns its root."""
    root = folder / FOLDER
    root.mkdir()
    for name, data in project.files.items():
        (root / name).write_bytes(data)
    for name, text in project.extras.items():
        (root / name).write_text(text, encoding="utf-8")
    units = [name for name in project.files if name.endswith(".cpp")]
    if units:
        commands = [{"directory": str(root), "arguments": ["c++", "-c", name], "file": name} for name in units]
        (root / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
    return root


def passes(project: Project, root: Path) -> None:
    """Have the language's own checkers look at the project."""
    for checker in project.checkers:
        command = [sys.executable if word == "python" else word for word in checker]
        ended = subprocess.run(command, cwd=root, env=environment(), capture_output=True, text=True, check=False)
        assert ended.returncode == 0, f"{checker}: {ended.stdout}{ended.stderr}"


def crlf(text: str) -> bytes:
    return text.replace("\n", "\r\n").encode()


def bom(text: str) -> bytes:
    return text.encode("utf-8-sig")


_PYTHON = {
    "lib.py": b'def greet(name: str) -> str:\n    """Say it."""\n    return "hi " + name\n',
    "main.py": crlf('from lib import greet\n\ns = "😀"; print(greet(s))\n'),
    "more.py": bom('import lib\n\nprint("😀😀", lib.greet("x"), lib.greet("y"))'),
}
_RUN_PYTHON = [["python", "-m", "py_compile", *_PYTHON], ["python", "main.py"], ["python", "more.py"]]

PROJECTS = {
    "basedpyright": Project(
        files=_PYTHON,
        library="lib.py",
        main="main.py",
        broken="undefined_name\r\n",
        checkers=[*_RUN_PYTHON, ["basedpyright", "--level", "error", "."]],
    ),
    "ty": Project(
        files=_PYTHON,
        library="lib.py",
        main="main.py",
        broken="undefined_name\r\n",
        checkers=[*_RUN_PYTHON, ["ty", "check", "."]],
    ),
    "clangd": Project(
        files={
            "lib.h": b"int greet(const char *s);\n",
            "lib.cpp": b'#include "lib.h"\n\nint greet(const char *s) { return s != nullptr; }\n',
            "main.cpp": crlf('#include "lib.h"\n\nint main() { const char *s = "😀"; return greet(s); }\n'),
            "more.cpp": bom('#include "lib.h"\n\nint more() { return greet("😀") + greet("x"); }'),
        },
        library="lib.cpp",
        main="main.cpp",
        broken="int broken = nothing;\r\n",
        checkers=[["clangd", f"--check={name}"] for name in ("lib.cpp", "main.cpp", "more.cpp")],
    ),
    "gopls": Project(
        files={
            "lib.go": b'package main\n\nfunc greet(s string) string { return "hi " + s }\n',
            "main.go": crlf('package main\n\nfunc main() { s := "😀"; println(greet(s), more()) }\n'),
            "more.go": bom('package main\n\nfunc more() string { return greet("😀") + greet("x") }'),
        },
        library="lib.go",
        main="main.go",
        broken="var broken int = nothing\r\n",
        checkers=[["go", "vet", "./..."], ["go", "run", "."]],
        extras={"go.mod": "module example.com/project\n\ngo 1.19\n"},
    ),
    "typescript-language-server": Project(
        files={
            "lib.ts": b'export function greet(name: string): string {\n  return "hi " + name;\n}\n',
            "main.ts": crlf('import { greet } from "./lib";\n\nconst s = "😀"; console.log(greet(s));\n'),
            "more.ts": bom('import { greet } from "./lib";\n\nconsole.log("😀😀", greet("x"), greet("y"));'),
        },
        library="lib.ts",
        main="main.ts",
        broken="const broken: number = nothing;\r\n",
        checkers=[["tsc", "--noEmit", "--project", "."]],
        extras={
            "tsconfig.json": '{"compilerOptions": {"strict": true, "module": "commonjs", "lib": ["es2020", "dom"]},'
            ' "include": ["*.ts"]}\n'
        },
    ),
}
