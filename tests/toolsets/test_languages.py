"""The tool that language servers give to any dialect, in that dialect's words."""

from __future__ import annotations

import pytest

from mmtools.errors import ToolFailure
from mmtools.ports.language_servers import LanguageServer
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import MemoryLanguageServers
from mmtools.tools.mm.lsp import LspArgs
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.toolsets.languages import Languages


def languages(*servers: LanguageServer) -> Languages:
    return Languages(MemoryLanguageServers(servers, read=lambda _: None), MemoryFiles({}))


def test_without_a_server_there_is_no_tool() -> None:
    assert languages().tools(SessionFiles(files=MemoryFiles({})), editor="edit", writer="write") == ()


@pytest.mark.parametrize("writer", ["write", "Write"])
def test_the_tool_speaks_of_the_dialects_other_tools(writer: str) -> None:
    session = SessionFiles(files=MemoryFiles({}))
    (tool,) = languages(LanguageServer("x", ("x",), (".py",))).tools(session, editor="edit", writer=writer)
    assert tool.spec.name == "lsp"
    with pytest.raises(ToolFailure, match=rf"^a\.py does not exist\. Create it with {writer}$"):
        tool.execute(LspArgs(action="symbols", path="a.py"), StubCall())
