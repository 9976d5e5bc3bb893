"""The usual servers by name, and what is on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import evolve

from mmtools.adapters.lsp import known_servers
from mmtools.adapters.lsp.handshake import nested
from mmtools.errors import DefinitionError
from mmtools.ports.language_servers import LanguageServer
from tests.adapters.lsp.real_projects import PROJECTS


def test_a_name_stands_for_a_server_and_a_server_for_itself() -> None:
    own = LanguageServer("mine", ["mine"], [".x"])
    gopls, same = known_servers.resolve(["gopls", own])
    assert (gopls.command, gopls.extensions) == (("gopls",), (".go",))
    assert same is own
    assert set(PROJECTS) <= set(known_servers.names())


def test_a_name_that_nobody_knows_is_refused_with_those_that_are_known() -> None:
    with pytest.raises(DefinitionError, match=r"'goplz'.*gopls, clangd"):
        known_servers.resolve(["goplz"])


def test_two_servers_of_one_name_are_refused() -> None:
    with pytest.raises(DefinitionError, match="two language servers are named 'gopls'"):
        known_servers.resolve(["gopls", LanguageServer("gopls", ["other"], [".go"])])


def test_servers_are_parted_by_whether_their_program_is_there(tmp_path: Path) -> None:
    program = tmp_path / "here"
    program.write_text("#!/bin/sh\n")
    plain = tmp_path / "plain"
    plain.write_text("")
    program.chmod(0o755)
    plain.chmod(0o644)
    names = {"here": "here", "absolute": str(program), "missing": "missing", "plain": "plain"}
    servers = {name: LanguageServer(name, [command, "--stdio"], [".x"]) for name, command in names.items()}
    empty = LanguageServer("empty", [], [".x"])
    installed = known_servers.installed([*servers.values(), empty], path=str(tmp_path))
    assert installed.found == (servers["here"], servers["absolute"])
    assert installed.skipped == (servers["missing"], servers["plain"], empty)


@pytest.mark.parametrize("command", ["typescript-language-server --stdio", ["node", "/x/typescript-language-server"]])
def test_a_known_program_is_given_what_it_needs_unless_the_host_gives_something(command: str | list[str]) -> None:
    advised = known_servers.advised(LanguageServer("mine", command, ".ts"))
    options = advised.initialization_options
    assert isinstance(options, dict)
    assert options["preferences"] == {"providePrefixAndSuffixTextForRename": False}
    own = LanguageServer("mine", command, ".ts", initialization_options={})
    assert known_servers.advised(own) == own
    assert known_servers.keeps_quiet(own)


def test_an_unknown_program_is_left_alone() -> None:
    own = LanguageServer("typescript-language-server", ["mine"], ".ts", {"a": 1})
    assert known_servers.advised(own) is own
    assert not known_servers.keeps_quiet(own)
    tsc = known_servers.advised(LanguageServer("mine", ["tsc", "--lsp"], ".ts", {"a": 1}))
    assert tsc.settings == {"a": 1}


@pytest.mark.parametrize(
    ("files", "lacking"),
    [
        ([], "compile_commands.json"),
        (["src/compile_commands.json"], ""),
        (["compile_commands.json"], ""),
        (["build/compile_commands.json"], ""),
        (["compile_flags.txt"], ""),
    ],
)
def test_a_server_that_is_told_no_project_lacks_the_file_that_tells_it(
    files: list[str], lacking: str, tmp_path: Path
) -> None:
    """C131."""
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    path = str(tmp_path / "src" / "a.cpp")
    assert known_servers.lacks(LanguageServer("clangd", "/x/clangd --log=error", ".cpp"), path) == lacking
    told = LanguageServer("clangd", "clangd --compile-commands-dir=out", ".cpp")
    assert not known_servers.lacks(told, path)
    assert not known_servers.lacks(LanguageServer("mine", "mine", ".cpp"), path)


def test_clangd_tells_of_loading_where_a_database_names_the_files(tmp_path: Path) -> None:
    (clangd,) = known_servers.resolve(["clangd"])
    assert not known_servers.tells_of_loading(clangd, str(tmp_path))
    (tmp_path / "build").mkdir()
    (tmp_path / "build" / "compile_commands.json").write_text("[]")
    assert known_servers.tells_of_loading(clangd, str(tmp_path))
    (ty,) = known_servers.resolve(["ty"])
    assert not known_servers.tells_of_loading(ty, str(tmp_path))


def test_style_sheets_are_checked() -> None:
    (css,) = known_servers.resolve(["vscode-css-language-server"])
    assert css.extensions == (".css", ".scss", ".less")
    assert css.settings == {"css.validate": True, "scss.validate": True, "less.validate": True}


@pytest.mark.parametrize(
    ("word", "taken", "left"),
    [
        ("Dockerfile", ["Dockerfile", "x/Dockerfile", "x.Dockerfile"], ["Makefile", "MyDockerfile"]),
        ("CMakeLists.txt", ["CMakeLists.txt", "a/CMakeLists.txt"], ["Lists.txt", "a.txt", "oldCMakeLists.txt"]),
        ("py", ["a.py"], ["py", "apy"]),
        (".py", ["a.py"], ["py"]),
        ("go.mod", ["go.mod"], ["cargo.mod"]),
        ("R", ["a.R"], ["R"]),
    ],
)
def test_a_server_takes_files_by_the_end_of_their_name_or_by_all_of_it(
    word: str, taken: list[str], left: list[str]
) -> None:
    """C135."""
    server = LanguageServer("one", "one", (word,))
    assert [name for name in (*taken, *left) if server.takes(f"/repo/{name}")] == taken


def test_what_a_server_leaves_to_another_program_is_missed(tmp_path: Path) -> None:
    """C133."""
    (bash, pylsp) = known_servers.resolve(["bash-language-server", "pylsp"])
    assert known_servers.needs(bash, str(tmp_path)) == "shellcheck"
    assert known_servers.needs(pylsp, str(tmp_path)) == "pyflakes"
    assert not known_servers.needs(LanguageServer("mine", "mine", ".sh"), str(tmp_path))
    for name in ("shellcheck", "bin/pylsp"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch(0o755)
    (tmp_path / "lib/python3.11/site-packages/pyflakes").mkdir(parents=True)
    assert not known_servers.needs(bash, str(tmp_path))
    assert not known_servers.needs(pylsp, str(tmp_path / "bin"))


def test_a_server_for_python_is_told_the_environment_of_the_project_unless_the_host_tells_it(tmp_path: Path) -> None:
    """C139."""
    python = tmp_path / ".venv/bin/python"
    pyright, pylsp, jedi = known_servers.resolve(["pyright", "pylsp", "jedi-language-server"])
    assert known_servers.advised(pyright, str(tmp_path)) == pyright
    python.parent.mkdir(parents=True)
    python.touch()
    told = [known_servers.advised(server, str(tmp_path)) for server in (pyright, pylsp, jedi)]
    assert nested(told[0].settings) == {"python": {"pythonPath": str(python)}}
    assert nested(told[1].settings) == {"pylsp": {"plugins": {"jedi": {"environment": str(tmp_path / ".venv")}}}}
    assert told[2].initialization_options == {"workspace": {"environmentPath": str(python)}}
    for own in ({"python.pythonPath": "/own"}, {"python": {"pythonPath": "/own"}}):
        server = known_servers.advised(evolve(pyright, settings=own), str(tmp_path))
        assert nested(server.settings) == {"python": {"pythonPath": "/own"}}
