"""One small project of two files per real server: the same function, defined in one and called in the other."""

from __future__ import annotations

import json
from pathlib import Path

from attrs import frozen

__all__ = ["PROJECTS", "Project", "write"]

#: In the path of every project.
FOLDER = "a project #1, 100%"


@frozen(kw_only=True)
class Project:
    """
    The files; `greet` is defined in `library` and called in `main`, behind an emoji on the same line.

    Args:
        main, library: Names, and texts; `main` is written with CRLF.
        broken: A line for `main` that no checker lets pass.
        more: Further files that the server needs.
    """

    main: str
    main_text: str
    library: str
    library_text: str
    broken: str
    more: tuple[tuple[str, str], ...] = ()


_PYTHON = Project(
    main="main.py",
    main_text='from lib import greet\n\ns = "😀"; print(greet(s))\n',
    library="lib.py",
    library_text='def greet(name: str) -> str:\n    """Say it."""\n    return "hi " + name\n',
    broken="undefined_name\n",
)

PROJECTS = {
    "basedpyright": _PYTHON,
    "ty": _PYTHON,
    "clangd": Project(
        main="main.cpp",
        main_text='#include "lib.h"\n\nint main() { const char *s = "😀"; return greet(s); }\n',
        library="lib.cpp",
        library_text='#include "lib.h"\n\nint greet(const char *s) { return s != nullptr; }\n',
        broken="int broken = nothing;\n",
        more=(("lib.h", "int greet(const char *s);\n"),),
    ),
    "gopls": Project(
        main="main.go",
        main_text='package main\n\nfunc main() { s := "😀"; println(greet(s)) }\n',
        library="lib.go",
        library_text='package main\n\nfunc greet(s string) string { return "hi " + s }\n',
        broken="var broken int = nothing\n",
        more=(("go.mod", "module example.com/project\n\ngo 1.19\n"),),
    ),
    "typescript-language-server": Project(
        main="main.ts",
        main_text='import { greet } from "./lib";\n\nconst s = "😀"; console.log(greet(s));\n',
        library="lib.ts",
        library_text='export function greet(name: string): string {\n  return "hi " + name;\n}\n',
        broken="const broken: number = nothing;\n",
        more=(("tsconfig.json", '{"compilerOptions": {"strict": true, "module": "commonjs"}, "include": ["*.ts"]}\n'),),
    ),
}


def write(project: Project, folder: Path) -> Path:
    """Write a project; returns its root."""
    root = folder / FOLDER
    root.mkdir()
    (root / project.main).write_text(project.main_text.replace("\n", "\r\n"), encoding="utf-8", newline="")
    (root / project.library).write_text(project.library_text, encoding="utf-8")
    for name, text in project.more:
        (root / name).write_text(text, encoding="utf-8")
    units = [name for name in (project.main, project.library) if name.endswith(".cpp")]
    if units:
        commands = [{"directory": str(root), "arguments": ["c++", "-c", name], "file": name} for name in units]
        (root / "compile_commands.json").write_text(json.dumps(commands), encoding="utf-8")
    return root
