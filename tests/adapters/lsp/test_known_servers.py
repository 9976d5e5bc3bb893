"""The usual servers by name, and what is on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmtools.adapters.lsp import known_servers
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
