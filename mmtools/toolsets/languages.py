"""What language servers give to the tools of a dialect: the tool that asks them, and what edits made worse or better."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from mmtools.ports.files import Files
from mmtools.tool import AnyTool
from mmtools.tools.operations.session_files import SessionFiles

if TYPE_CHECKING:
    from mmtools.ports.edit_checks import EditChecks
    from mmtools.ports.language_servers import LanguageServers
    from mmtools.ports.search import Search

__all__ = ["Languages"]


@frozen
class Languages:
    """
    What `lsp` needs: servers to ask, and the files that its renames change.

    Args:
        checks: Given, edits and overwrites tell what they made worse or better.
        search: Given, a rename tells where the old name still stands.
        sources: Reads the lines that a server points at outside the roots, where `files` refuses to.
    """

    servers: LanguageServers
    files: Files
    checks: EditChecks | None = None
    search: Search | None = None
    sources: Files | None = None

    def tools(self, session: SessionFiles, *, editor: str, writer: str) -> tuple[AnyTool, ...]:
        """
        Return the tool that asks the servers; none where there is no server.

        Args:
            session: How the other tools use files.
            editor: The dialect's tool that changes a part of a file.
            writer: The one that writes a whole file.
        """
        if not self.servers.servers:
            return ()
        # Here, for what servers say is a fifth of all there is to import.
        from mmtools.tools.mm.lsp import TERMS, Lsp

        terms = evolve(TERMS, editor=editor, writer=writer)
        files = evolve(session, files=self.files, checks=None)
        return (Lsp(servers=self.servers, files=files, terms=terms, search=self.search, sources=self.sources),)
