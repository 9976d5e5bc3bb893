"""Real language servers, each on a project of two files: every feature, changes, a rename, a violent death."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.lsp.open_files import LocalOpenFile
from mmtools.adapters.lsp.servers import LocalLanguageServers
from mmtools.adapters.lsp.texts import TextReader
from mmtools.adapters.process.tables import ProcTable
from mmtools.call import Cancellation
from mmtools.core.lsp import answers, outlines, uris, workspace_edits
from mmtools.core.lsp.positions import Document, Position
from mmtools.core.lsp.workspace_edits import TextEdit
from mmtools.ports.language_server_problems import Died
from mmtools.ports.language_servers import Feature, Findings
from tests.adapters.lsp import real_projects
from tests.adapters.lsp.real_projects import PROJECTS, Project
from tests.adapters.lsp.workbench import lives, threads
from tests.patience import at_once, soon, when
from tests.servers import PATIENCE, environment, program_of, real_server

pytestmark = pytest.mark.slow


class Work:
    """A real server at work on its project."""

    def __init__(self, name: str, folder: Path) -> None:
        self.project: Project = PROJECTS[name]
        self.root = real_projects.write(self.project, folder)
        self.files = LocalFiles(self.root)
        self.servers = LocalLanguageServers(
            self.root,
            [real_server(name)],
            read=TextReader(files=self.files),
            environment=environment(),
            timeouts=PATIENCE,
        )

    @property
    def main(self) -> Path:
        return self.root / self.project.main

    @property
    def library(self) -> Path:
        return self.root / self.project.library

    def open(self, path: Path) -> LocalOpenFile:
        return self.servers.open(self.files.locate(str(path)), Cancellation())

    def ask(self, feature: Feature, word: str = "greet", new_name: str | None = None) -> object:
        """Ask about the call in `main`."""
        file = self.open(self.main)
        answer = file.ask(feature, place_of(word, file.document), new_name=new_name)
        assert answer.settled
        return answer.content

    def findings(self, path: Path) -> Findings:
        found = self.open(path).diagnostics(60.0)
        assert isinstance(found, Findings), found
        return found


def place_of(word: str, document: Document) -> Position:
    """The last place of a word: in `main`, behind the emoji."""
    return document.position(document.text.rindex(word))


def places(content: object) -> list[tuple[str, str]]:
    """The files that locations are in, and the text they mean."""
    found = answers.locations(content)
    assert found.unread == 0
    return sorted((Path(path).name, text) for path, text in map(_named, found.found))


def _named(target: answers.Target) -> tuple[str, str]:
    path = uris.to_path(target.uri)
    assert path
    document = Document(Path(path).read_bytes().decode())
    return path, document.text[document.offset(target.range.start) : document.offset(target.range.end)]


def edited(text: str, edits: Sequence[TextEdit]) -> str:
    """Make edits the simplest way: from the last to the first."""
    document = Document(text)
    for edit in sorted(edits, key=lambda edit: edit.range, reverse=True):
        text = text[: document.offset(edit.range.start)] + edit.new_text + text[document.offset(edit.range.end) :]
    return text


@pytest.fixture(
    scope="module", params=[pytest.param(name, marks=pytest.mark.needs(program_of(name))) for name in sorted(PROJECTS)]
)
def work(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Work]:
    made = Work(request.param, tmp_path_factory.mktemp("real"))
    yield made
    made.servers.close()
    assert threads() == set()


@pytest.fixture(autouse=True)
def _as_written(work: Work) -> Iterator[None]:
    """Every test finds the project as it was written, whatever ran before."""
    before = {path: path.read_bytes() for path in work.root.iterdir() if path.is_file()}
    yield
    if changed := [path for path, data in before.items() if path.read_bytes() != data]:
        for path in changed:
            path.write_bytes(before[path])
        work.servers.note_changed()


def test_the_very_first_answer_is_right(work: Work) -> None:
    assert places(work.ask(Feature.DEFINITION)) == [(work.project.library, "greet")]


def test_a_change_in_a_file_that_is_not_open_is_known_after_a_note(work: Work) -> None:
    before = work.library.read_bytes()
    work.library.write_bytes(b"\n\n" + before)
    work.servers.note_changed([str(work.library)])
    assert places(work.ask(Feature.DEFINITION)) == [(work.project.library, "greet")]
    work.library.write_bytes(before)
    work.servers.note_changed()
    assert places(work.ask(Feature.DEFINITION)) == [(work.project.library, "greet")]


def test_references_are_all_there(work: Work) -> None:
    found = places(work.ask(Feature.REFERENCES))
    assert {text for _, text in found} == {"greet"}
    files = [name for name, _ in found]
    assert files.count(work.project.main) == work.project.main_text.count("greet")
    assert files.count(work.project.library) == 1


def test_hover_speaks_of_the_function(work: Work) -> None:
    assert "greet" in answers.hover(work.ask(Feature.HOVER))


def test_symbols_are_listed(work: Work) -> None:
    file = work.open(work.library)
    outline = outlines.outline(file.ask(Feature.SYMBOLS).content, file.document)
    assert "greet" in [symbol.name.partition("(")[0] for symbol in outline.symbols]


def test_errors_come_and_go_with_the_text(work: Work) -> None:
    before = work.main.read_bytes()
    assert work.findings(work.main).diagnostics.found == ()
    work.main.write_bytes(before + work.project.broken.encode())
    found = work.findings(work.main)
    lines = {each.range.start.line for each in found.diagnostics.found}
    assert lines == {before.count(b"\n")}
    assert not found.as_last_published
    work.main.write_bytes(before)
    assert work.findings(work.main).diagnostics.found == ()


def test_a_rename_reaches_both_files_and_the_server_knows_it_afterwards(work: Work) -> None:
    answer = work.ask(Feature.RENAME, new_name="salute")
    edits = workspace_edits.parse(answer)
    assert isinstance(edits, tuple)
    for file in edits:
        path = Path(file.path)
        path.write_bytes(edited(path.read_bytes().decode(), file.edits).encode())
    assert work.main.read_bytes().decode() == work.project.main_text.replace("\n", "\r\n").replace("greet", "salute")
    assert work.library.read_text() == work.project.library_text.replace("greet", "salute")
    work.servers.note_changed([file.path for file in edits])
    found = places(work.ask(Feature.REFERENCES, "salute"))
    assert {text for _, text in found} == {"salute"}
    assert {name for name, _ in found} >= {work.project.main, work.project.library}
    assert work.findings(work.main).diagnostics.found == ()


def test_a_change_behind_the_servers_back_is_found_when_a_command_ran(work: Work) -> None:
    assert places(work.ask(Feature.DEFINITION)) == [(work.project.library, "greet")]
    for name in (work.project.main, work.project.library, *(name for name, _ in work.project.more)):
        path = work.root / name
        path.write_bytes(path.read_bytes().replace(b"greet", b"salute"))
    work.servers.note_changed()
    assert places(work.ask(Feature.DEFINITION, "salute")) == [(work.project.library, "salute")]


def test_a_killed_server_is_told_at_once_and_started_again(work: Work) -> None:
    work.ask(Feature.HOVER)
    (thread,) = threads()
    pid = int(thread.removeprefix("mmtools-lsp-"))
    tree = [each.pid for each in ProcTable().all() if each.session == pid]
    # One file for all questions: in the middle of one or between two, this server's death is theirs.
    file, answered = work.open(work.main), list[object]()

    def ask_on() -> None:
        while True:
            answered.append(file.ask(Feature.HOVER, place_of("greet", file.document)))

    killing = when(lambda: len(answered) > 2, lambda: os.kill(pid, signal.SIGKILL))
    with at_once(), killing, pytest.raises(Died, match="SIGKILL"):
        ask_on()
    assert not any(lives(each) for each in tree)
    assert ProcTable().find(pid) is None
    assert "greet" in answers.hover(work.ask(Feature.HOVER))
    soon(lambda: len(threads()) == 1)
