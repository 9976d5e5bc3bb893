"""
What every `LanguageServers` must hold, checked against one that you bring, with files that you keep.

    @pytest.mark.parametrize("law", language_servers.LAWS, ids=lambda law: law.__name__)
    def test_my_servers_keep_the_laws(law, tmp_path):
        law(lambda: Setting(servers=…, locate=…, write=…, remove=…))

Each law takes a function that sets up a port with one server for files `*.one`, which offers hover and is healthy,
over files that are not there yet; it raises `AssertionError` with the counterexample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from attrs import frozen

from mmtools.call import Cancellation
from mmtools.core.lsp.positions import Position
from mmtools.ports.files import Missing, Place
from mmtools.ports.language_server_problems import (
    Interrupted,
    LanguageServersClosed,
    NoServer,
    TextChanged,
    Unsupported,
)
from mmtools.ports.language_servers import Feature, LanguageServers, OpenFile
from mmtools.testing.conformance.acts import fails

__all__ = [
    "LAWS",
    "Make",
    "Setting",
    "asks_about_what_was_opened_or_refuses",
    "asks_nobody_about_files_that_no_server_takes",
    "counts_versions_up",
    "ends_what_is_cancelled",
    "finds_no_text_where_there_is_no_file",
    "refuses_after_its_end",
    "shows_each_file_as_it_is_now",
    "takes_notes_at_any_time",
]


@frozen(kw_only=True)
class Setting:
    """
    A port under test, and the files that it sees.

    Args:
        locate: Name → place.
        write: Writes a text under a name.
        remove: Removes the file of a name.
    """

    servers: LanguageServers
    locate: Callable[[str], Place]
    write: Callable[[str, str], object]
    remove: Callable[[str], object]

    def open(self, name: str, cancellation: Cancellation | None = None) -> OpenFile:
        """Open a file by its name."""
        return self.servers.open(self.locate(name), cancellation or Cancellation())


#: Makes a setting.
Make: TypeAlias = Callable[[], Setting]

_HERE = Position(0, 0)
_TEXT = "naïve 😀 = 1\r\nb\rc\n"


def shows_each_file_as_it_is_now(make: Make) -> None:
    """Require the file's text, line ends and all, at every opening."""
    with _setting(make) as at:
        for text in ("", _TEXT, _TEXT * 2, "x"):
            at.write("a.one", text)
            shown = at.open("a.one").document.text
            assert shown == text, f"{text!r} was shown as {shown!r}"


def asks_about_what_was_opened_or_refuses(make: Make) -> None:
    """Require an answer as long as the file is the same, and a refusal once it is another, or gone."""
    with _setting(make) as at:
        at.write("a.one", "first")
        file = at.open("a.one")
        file.ask(Feature.HOVER, _HERE)
        at.write("a.one", "second, and longer")
        fails(TextChanged, lambda: at.open("a.one") and file.ask(Feature.HOVER, _HERE))
        again = at.open("a.one")
        again.ask(Feature.HOVER, _HERE)
        at.remove("a.one")
        fails(Missing, at.open, "a.one")
        fails(Missing, again.ask, Feature.HOVER, _HERE)


def counts_versions_up(make: Make) -> None:
    """Require that what was sent of a file is known, under a version that grows with its changes and only with them."""
    with _setting(make) as at:
        at.write("a.one", "first")
        at.write("b.one", "other")
        file = at.open("a.one")
        path = at.locate("a.one").path
        assert file.sent(at.locate("b.one").path) is None, "a file that was never opened counts as sent"
        first = file.sent(path)
        at.open("a.one")
        same = file.sent(path)
        at.write("a.one", "second")
        at.open("a.one")
        second = file.sent(path)
        known = [(sent.version, sent.document.text) for sent in (first, same, second) if sent]
        assert [text for _, text in known] == ["first", "first", "second"], f"sent were {known}"
        versions = [version for version, _ in known]
        assert versions[0] == versions[1] < versions[2], f"sent were {known}"


def asks_nobody_about_files_that_no_server_takes(make: Make) -> None:
    """Require a refusal by the name alone, and one of what the server does not offer."""
    with _setting(make) as at:
        at.write("a.two", "x")
        fails(NoServer, at.open, "a.two")
        at.write("a.one", "x")
        file = at.open("a.one")
        known = at.servers.servers
        assert file.server in known, f"{file.server} opened the file, and is none of {known}"
        assert file.offers(Feature.HOVER), "the server does not offer hover"
        for feature in Feature:
            if not file.offers(feature):
                fails(Unsupported, file.ask, feature, _HERE)


def finds_no_text_where_there_is_no_file(make: Make) -> None:
    """Require the files' own problem."""
    with _setting(make) as at:
        fails(Missing, at.open, "none.one")


def ends_what_is_cancelled(make: Make) -> None:
    """Require that a cancelled call asks nothing more."""
    with _setting(make) as at:
        at.write("a.one", "x")
        cancellation = Cancellation()
        file = at.open("a.one", cancellation)
        cancellation.request()
        fails(Interrupted, file.ask, Feature.HOVER, _HERE)
        fails(Interrupted, file.diagnostics, 0.1)


def takes_notes_at_any_time(make: Make) -> None:
    """Require that notes never fail: before the first server, of files that are nowhere, and after the end."""
    with _setting(make) as at:
        at.servers.note_changed()
        at.servers.note_changed(["/no/such/file.one"])
        at.write("a.one", "x")
        at.open("a.one").ask(Feature.HOVER, _HERE)
        at.servers.note_changed(iter([at.locate("a.one").path, "/no/such/file.one"]))
        at.servers.note_changed()
        at.open("a.one").ask(Feature.HOVER, _HERE)
        at.servers.close()
        at.servers.note_changed()


def refuses_after_its_end(make: Make) -> None:
    """Require that a closed port opens nothing, and may be closed again."""
    with _setting(make) as at:
        at.write("a.one", "x")
        at.open("a.one")
        at.servers.close()
        fails(LanguageServersClosed, at.open, "a.one")
        at.servers.close()


#: All of them.
LAWS: tuple[Callable[[Make], None], ...] = (
    asks_about_what_was_opened_or_refuses,
    asks_nobody_about_files_that_no_server_takes,
    counts_versions_up,
    ends_what_is_cancelled,
    finds_no_text_where_there_is_no_file,
    refuses_after_its_end,
    shows_each_file_as_it_is_now,
    takes_notes_at_any_time,
)


@contextmanager
def _setting(make: Make) -> Iterator[Setting]:
    setting = make()
    try:
        yield setting
    finally:
        setting.servers.close()
