"""Language servers that answer as they are told."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from mmtools.call import Cancellation
from mmtools.core.lsp.diagnostics import Diagnostics
from mmtools.core.lsp.positions import Document, Position, Units
from mmtools.ports.files import Place
from mmtools.ports.language_server_problems import Died, NoAnswer, NotStarted
from mmtools.ports.language_servers import Answer, Feature, Findings, LanguageServer, NothingHeard, Sent
from mmtools.testing.conformance import language_servers as conformance
from mmtools.testing.conformance.language_servers import Setting
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import Asked, MemoryLanguageServers, MemoryOpenFile

ONE = LanguageServer("one", ["one"], [".one"])
HERE = Position(0, 0)


def reader(files: MemoryFiles) -> Callable[[Place], str | None]:
    def read(place: Place) -> str | None:
        data = files.snapshot(place).data
        return None if data is None else data.decode()

    return read


def setting() -> Setting:
    files = MemoryFiles()
    servers = MemoryLanguageServers([ONE], read=reader(files), reactions={Feature.HOVER: {"contents": "x"}})
    return Setting(servers=servers, locate=files.locate, write=files.put, remove=files.remove)


@pytest.mark.parametrize("law", conformance.LAWS, ids=lambda law: law.__name__)
def test_servers_in_memory_keep_the_laws(law: Callable[[conformance.Make], None]) -> None:
    law(setting)


@pytest.mark.parametrize(
    ("reaction", "answer"),
    [
        ({"contents": "x"}, Answer({"contents": "x"})),
        (None, Answer(None)),
        (Answer([], settled=False), Answer([], settled=False)),
        (lambda asked: asked.position.character, Answer(0)),
    ],
)
def test_a_reaction_is_an_answer_its_content_or_what_makes_one(reaction: object, answer: Answer) -> None:
    files = MemoryFiles({"a.one": "x"})
    servers = MemoryLanguageServers([ONE], read=reader(files), reactions={Feature.HOVER: reaction}, units=Units.UTF8)
    file = servers.open(files.locate("a.one"), Cancellation())
    assert file.ask(Feature.HOVER, HERE) == answer
    assert servers.asked == [Asked(path="/repo/a.one", feature=Feature.HOVER, position=HERE)]
    assert file.document.units is Units.UTF8


def test_problems_are_raised_where_they_belong() -> None:
    files = MemoryFiles({"a.one": "x"})
    servers = MemoryLanguageServers([ONE], read=reader(files), reactions={Feature.HOVER: Died("one")})
    place = files.locate("a.one")
    file = servers.open(place, Cancellation())
    with pytest.raises(Died):
        file.ask(Feature.HOVER, HERE)
    servers.diagnoses[place.path] = NoAnswer("one", 3)
    with pytest.raises(NoAnswer):
        file.diagnostics()
    servers.problem = NotStarted("one")
    with pytest.raises(NotStarted):
        servers.open(place, Cancellation())


def test_a_file_is_clean_unless_told_otherwise() -> None:
    files = MemoryFiles({"a.one": "x"})
    servers = MemoryLanguageServers([ONE], read=reader(files))
    place = files.locate("a.one")
    assert servers.open(place, Cancellation()).diagnostics() == Findings(diagnostics=Diagnostics())
    servers.diagnoses[place.path] = NothingHeard(within_s=3)
    assert servers.open(place, Cancellation()).diagnostics() == NothingHeard(within_s=3)


def test_notes_are_kept() -> None:
    servers = MemoryLanguageServers([ONE], read=lambda _: None)
    servers.note_changed(iter(["/a", "/b"]))
    servers.note_changed()
    assert servers.noted == [("/a", "/b"), None]


class Stale(MemoryLanguageServers):
    """A port that never looks at a file again."""

    def show(self, place: Place) -> Document:
        sent = self.sent(place.path)
        return sent.document if sent else super().show(place)


class Restless(MemoryLanguageServers):
    """A port that counts a new version at every look."""

    def sent(self, path: str) -> Sent | None:
        sent = super().sent(path)
        return sent and Sent(sent.document, len(self.asked) + next(self.looks))

    looks = count()


class Endless(MemoryLanguageServers):
    """A port that does not end."""

    def close(self) -> None:
        pass


class Deaf(MemoryLanguageServers):
    """A port that does not heed a cancellation."""

    def open(self, place: Place, cancellation: Cancellation) -> MemoryOpenFile:
        return super().open(place, Cancellation())


@pytest.mark.parametrize(
    ("kind", "broken"),
    [
        (Stale, {"shows_each_file_as_it_is_now", "asks_about_what_was_opened_or_refuses", "counts_versions_up"}),
        (Restless, {"counts_versions_up"}),
        (Endless, {"refuses_after_its_end"}),
        (Deaf, {"ends_what_is_cancelled"}),
    ],
)
def test_who_breaks_a_law_is_caught_by_it(kind: type[MemoryLanguageServers], broken: set[str]) -> None:
    def made() -> Setting:
        files = MemoryFiles()
        servers = kind([ONE], read=reader(files), reactions={Feature.HOVER: {"contents": "x"}})
        return Setting(servers=servers, locate=files.locate, write=files.put, remove=files.remove)

    caught = set()
    for law in conformance.LAWS:
        try:
            law(made)
        except AssertionError:
            caught.add(law.__name__)
    assert caught == broken
