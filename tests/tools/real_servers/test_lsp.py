"""mm `lsp` with real servers: six actions, each a right answer, and a rename that the language's own checker passes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.lsp.edit_checks import LanguageServerChecks
from mmtools.adapters.lsp.servers import LocalLanguageServers
from mmtools.adapters.lsp.texts import TextReader
from mmtools.call import Cancellation, FilesPreview
from mmtools.errors import PermissionRefused, ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.tools.mm.lsp import Lsp, LspArgs
from mmtools.tools.wording import diagnostics
from tests.servers import PATIENCE, environment, program_of, real_server
from tests.tools.real_servers import projects
from tests.tools.real_servers.projects import PROJECTS, Project

pytestmark = pytest.mark.slow


class Work:
    """An asker of one real server about its project, as a model would be."""

    def __init__(self, name: str, folder: Path) -> None:
        self.project: Project = PROJECTS[name]
        self.root = projects.write(self.project, folder)
        files = LocalFiles(self.root)
        self.servers = LocalLanguageServers(
            self.root,
            [real_server(name)],
            read=TextReader(files=files),
            environment=environment(),
            timeouts=PATIENCE,
        )
        self.tool = Lsp(servers=self.servers, files=files)
        self.call = StubCall()

    def __call__(self, action: Any, path: str | None = None, **arguments: Any) -> str:
        self.call = StubCall(allows=self.call.allows)
        path = self.project.main if path is None else path
        return self.tool.execute(LspArgs(action=action, path=path, **arguments), self.call)

    def rows(self, name: str = "greet") -> list[str]:
        """How the uses of a name are told."""
        lines = {path: data.decode("utf-8-sig").split("\n") for path, data in self.project.files.items()}
        return [
            f"{path}:{line}:{column}  {lines[path][line - 1].strip()}"
            for path, line, column in self.project.places(name)
        ]

    def contents(self) -> dict[str, bytes]:
        return {name: (self.root / name).read_bytes() for name in self.project.files}


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.needs(program_of(name))) for name in sorted(PROJECTS)]
)
def work(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Work]:
    made = Work(request.param, tmp_path_factory.mktemp("real"))
    yield made
    made.servers.close()


@pytest.fixture(autouse=True)
def _untouched(work: Work) -> Iterator[None]:
    """Every test finds the project as it was written."""
    yield
    assert work.contents() == work.project.files


def test_definition_leads_from_a_use_behind_an_emoji_to_the_other_file(work: Work) -> None:
    by_name = work("definition", symbol="greet")
    line, column = next(
        (line, column) for path, line, column in work.project.places() if path == work.project.main and line > 1
    )
    by_place = work("definition", line=line, column=column)
    (row,) = [row for row in work.rows() if row.startswith(f"{work.project.library}:")]
    assert by_name == by_place == row


def test_references_are_all_places_with_the_declaration(work: Work) -> None:
    rows = work.rows()
    for path in (work.project.library, work.project.main):
        assert work("references", path, symbol="greet") == "\n".join([f"{len(rows)} reference(s):", *rows])


def test_hover_is_about_the_symbol(work: Work) -> None:
    assert "greet" in work("hover", symbol="greet")


def test_symbols_are_the_outline_of_the_file(work: Work) -> None:
    row = re.compile(r"function greet\S*(  \[.*\])?  line \d")
    assert any(row.fullmatch(line) for line in work("symbols", work.project.library).split("\n"))


def test_diagnostics_follow_the_file(work: Work) -> None:
    main = work.root / work.project.main
    before = main.read_bytes()
    clean = f"no diagnostics: {work.project.main} is clean"
    assert work("diagnostics").removesuffix(" (as last published)") == clean
    main.write_bytes(before + work.project.broken.encode())
    try:
        text = work("diagnostics")
    finally:
        main.write_bytes(before)
    headline, *rows = text.split("\n")
    assert headline == f"{len(rows)} diagnostic(s) in {work.project.main}:"
    line = 1 + before.count(b"\n")
    assert any(row.startswith(f"error {work.project.main}:{line}:") for row in rows)
    assert work("diagnostics").removesuffix(" (as last published)") == clean


def test_an_edit_is_told_what_it_broke_and_what_it_mended(work: Work) -> None:
    checks = LanguageServerChecks(servers=work.servers, before_s=60.0, total_s=120.0)
    main = work.root / work.project.main
    before = main.read_bytes()

    def told(data: bytes) -> list[str]:
        watch = checks.watch(work.tool.files.files.locate(work.project.main), Cancellation())
        main.write_bytes(data)
        return diagnostics.after_edit(watch.delta(), work.project.main).split("\n")

    line = 1 + before.count(b"\n")
    empty, headline, *rows = told(before + work.project.broken.encode())
    assert (empty, headline) == ("", f"diagnostics after this change: {len(rows)} new")
    assert any(row.startswith(f"+ error {work.project.main}:{line}:") for row in rows)
    # Moved, not changed.
    assert told(b"\r\n" + before + work.project.broken.encode()) == [""]
    empty, headline, *rows = told(before)
    assert (empty, headline) == ("", f"diagnostics after this change: {len(rows)} gone")
    assert all(row.startswith("- ") for row in rows)


def test_a_refused_rename_changes_nothing(work: Work) -> None:
    work.call.allows = False
    with pytest.raises(PermissionRefused, match=r"^\[rename rejected by the user\]$"):
        work("rename", symbol="greet", new_name="salute")
    [proposal] = work.call.proposals
    assert isinstance(proposal.preview, FilesPreview)
    assert sorted(change.shown for change in proposal.preview.changes) == sorted(work.project.files)
    work.call.allows = True


def test_a_rename_reaches_every_file_and_the_checker_passes_and_back_again(work: Work) -> None:
    before = work.contents()
    counts = {path: len(re.findall(rb"\bgreet\b", data)) for path, data in sorted(before.items())}
    rows = "".join(f"\n{path}: {count} edit(s)" for path, count in counts.items())
    total = f"{sum(counts.values())} edit(s) in {len(counts)} file(s)"
    told, *declared = work("rename", symbol="greet", new_name="salute").split("\n[")
    assert told == f"renamed to salute: {total}{rows}"
    assert any(f"declaration renamed: {work.project.library}:" in line for line in declared)
    assert work.contents() == {path: re.sub(rb"\bgreet\b", b"salute", data) for path, data in before.items()}
    projects.passes(work.project, work.root)
    assert work("references", symbol="salute").startswith(f"{sum(counts.values())} reference(s):")
    assert "is clean" in work("diagnostics")
    told, *_ = work("rename", work.project.library, symbol="salute", new_name="greet").split("\n[")
    assert told == f"renamed to greet: {total}{rows}"


def test_what_is_not_there_is_told(work: Work) -> None:
    with pytest.raises(ToolFailure, match=r'^\[lsp: "nowhere" not found in '):
        work("definition", symbol="nowhere")
    with pytest.raises(ToolFailure, match=r"^\[lsp: column 400 is past the end of line 1 \("):
        work("hover", line=1, column=400)
    with pytest.raises(ToolFailure, match=r"^\[lsp: (no definition found|\S+: definition failed)"):
        work("definition", line=2, column=1)


@pytest.mark.parametrize("new_name", ["1 bad", "a-b", "greet"])
def test_a_name_that_cannot_be_is_refused_whatever_the_server_would_take(work: Work, new_name: str) -> None:
    with pytest.raises(ToolFailure, match=r"is no identifier|is the name already"):
        work("rename", symbol="greet", new_name=new_name)
