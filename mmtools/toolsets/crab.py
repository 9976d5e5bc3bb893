"""
The crab toolset: which tools are declared, and with which limits.

Source: crab tools page, "The seven".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from mmtools.core.freshness import Ledger
from mmtools.ports.files import Files
from mmtools.ports.processes import Processes
from mmtools.ports.search import Search
from mmtools.tool import AnyTool
from mmtools.tools.crab.bash import Bash
from mmtools.tools.crab.edit import Edit
from mmtools.tools.crab.glob import Glob
from mmtools.tools.crab.grep import Grep
from mmtools.tools.crab.read import Read
from mmtools.tools.crab.write import Write
from mmtools.tools.operations.file_search import FileSearch
from mmtools.tools.operations.run_command import SessionProcesses
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.toolsets.languages import Languages
from mmtools.toolsets.toolset import Toolset

if TYPE_CHECKING:
    from mmtools.ports.web import Fetcher, Pages

__all__ = ["Limits", "Web", "build"]


@frozen(kw_only=True)
class Limits:
    """
    The bounds of what the tools do.

    Args:
        max_output: Characters of one answer (30,000: decision D8).
        bash_timeout_s: Of one command for which the model asks nothing else (30 s: mm reference; the crab page gives none).
    """

    max_output: int = 30_000
    bash_timeout_s: float = 30.0


@frozen
class Web:
    """What `web_fetch` needs: servers to ask, and somebody to read their pages."""

    fetcher: Fetcher
    pages: Pages


def build(  # noqa: PLR0913 - one per port that can be left out, and what the tools share
    *,
    files: Files,
    processes: Processes | None = None,
    search: Search | None = None,
    web: Web | None = None,
    languages: Languages | None = None,
    limits: Limits = Limits(),
    encodings: tuple[str, ...] = (),
    ledger: Ledger | None = None,
) -> Toolset:
    """
    Assemble the tools, in the page's order; a port given as None leaves out what needs it.

    Args:
        languages: Declared only when it has at least one server.
        encodings: Codecs tried, in order, for files that are not UTF-8.
        ledger: Given, edits and overwrites need a read before them: the freshness gate.
    """
    max_output = limits.max_output
    session = SessionFiles(
        files=files,
        ledger=ledger,
        checks=None if languages is None else languages.checks,
        encodings=encodings,
        max_output=max_output,
    )
    tools: list[AnyTool] = [Read(files=session), Write(files=session), Edit(files=session)]
    if processes is not None:
        commands = SessionProcesses(processes=processes, ledger=ledger, max_output=max_output)
        tools.append(Bash(processes=commands, timeout_s=limits.bash_timeout_s))
    if search is not None:
        searching = FileSearch(files=files, engine=search, max_output=max_output)
        tools += [Glob(search=searching), Grep(search=searching)]
    if web is not None:
        # Here, for what the web says is a lot to import, and many hosts have none.
        from mmtools.tools.crab.web_fetch import WebFetch
        from mmtools.tools.operations.fetch_page import PageReader

        tools.append(WebFetch(reader=PageReader(fetcher=web.fetcher, pages=web.pages, max_output=max_output)))
    if languages is not None:
        tools += languages.tools(session, editor="edit", writer="write")
    return Toolset(tools)
