"""What a server is told of the files that are open in it."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.lsp.changed_files import stamp, vouches
from mmtools.adapters.lsp.documents import Documents
from mmtools.adapters.lsp.handshake import Offers
from mmtools.adapters.lsp.texts import TextReader
from mmtools.core.lsp.positions import Units
from mmtools.ports.files import Missing, Place
from mmtools.ports.language_server_problems import NotSendable
from tests.patience import soon

OPEN, CHANGE, SAVE, CLOSE = (f"textDocument/did{what}" for what in ("Open", "Change", "Save", "Close"))


class Watched:
    """Documents over a folder, what was told, and which files were read."""

    def __init__(self, root: Path, offers: Offers | None = None) -> None:
        self.root = root
        self.told: list[tuple[str, Any]] = []
        self.read: list[str] = []
        self.heard = 0
        files = LocalFiles(root)
        reader = TextReader(files=files)

        def read(place: Place) -> str | None:
            self.read.append(Path(place.path).name)
            return reader(place)

        self.place = files.locate
        self.documents = Documents(
            lambda method, params: self.told.append((method, params)), read, offers or Offers(), lambda: self.heard
        )

    def write(self, name: str, text: str | bytes, *, age_s: float = 0.0) -> None:
        path = self.root / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        then = time.time() - age_s
        os.utime(path, (then, then))

    def let_settle(self, name: str) -> None:
        """Wait until the file's stamp tells it from any later one."""
        soon(lambda: vouches(stamp(str(self.root / name))))

    def news(self) -> list[tuple[str, Any]]:
        told, self.told = self.told, []
        return told


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path)


def test_a_file_is_opened_once_with_its_language_and_its_text(watched: Watched) -> None:
    watched.write("ä #%.tsx", b"\xef\xbb\xbfa\r\nb\rc")
    shown = watched.documents.show(watched.place("ä #%.tsx"))
    item = {
        "uri": watched.root.as_uri() + "/%C3%A4%20%23%25.tsx",
        "languageId": "typescriptreact",
        "version": 1,
        "text": "a\r\nb\rc",
    }
    assert watched.news() == [(OPEN, {"textDocument": item})]
    assert watched.documents.show(watched.place("ä #%.tsx")).document is shown.document
    assert watched.news() == []
    assert shown.document.wire_lines == 3


def test_a_change_is_sent_whole_with_the_next_version(watched: Watched) -> None:
    watched.write("a.py", "a\n")
    first = watched.documents.show(watched.place("a.py"))
    watched.heard = 5
    watched.write("a.py", "b\n")
    second = watched.documents.show(watched.place("a.py"))
    change = {"textDocument": {"uri": first.uri, "version": 2}, "contentChanges": [{"text": "b\n"}]}
    assert watched.news()[1:] == [(CHANGE, change)]
    assert (first.version, first.heard, second.version, second.heard) == (1, 0, 2, 5)
    assert (first.document.text, second.document.text) == ("a\n", "b\n")
    assert watched.documents.changes == 1


def test_what_did_not_change_is_never_sent_again(watched: Watched) -> None:
    watched.write("a.py", "a\n")
    shown = watched.documents.show(watched.place("a.py"))
    watched.news()
    for age_s in (0.0, 100.0, 50.0):
        watched.write("a.py", "a\n", age_s=age_s)
        assert watched.documents.show(watched.place("a.py")).document is shown.document
        watched.documents.refresh(but="")
    assert watched.news() == []
    assert watched.documents.changes == 0


def test_a_file_that_was_not_touched_is_not_read_again(watched: Watched) -> None:
    watched.write("a.py", "a\n")
    watched.let_settle("a.py")
    watched.documents.show(watched.place("a.py"))
    for _ in range(5):
        watched.documents.show(watched.place("a.py"))
    assert watched.read == ["a.py"]


def test_a_change_within_one_tick_of_the_clock_is_seen(watched: Watched) -> None:
    """The same size and the same time, as on a disk whose clock stands still."""
    for text in ("a = 1\n", "a = 2\n", "a = 3\n"):
        watched.write("a.py", text, age_s=0.0)
        os.utime(watched.root / "a.py", ns=(1_000_000_000, 1_000_000_000))
        assert watched.documents.show(watched.place("a.py")).document.text == text


def test_a_forged_time_hides_no_change(watched: Watched) -> None:
    watched.write("a.py", "a = 1\n")
    status = (watched.root / "a.py").stat()
    watched.let_settle("a.py")
    watched.documents.show(watched.place("a.py"))
    (watched.root / "a.py").write_text("a = 2\n")
    os.utime(watched.root / "a.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert watched.documents.show(watched.place("a.py")).document.text == "a = 2\n"


def test_a_file_put_in_the_place_of_another_is_seen(watched: Watched) -> None:
    watched.write("a.py", "a = 1\n")
    watched.write("b.py", "a = 2\n")
    watched.documents.show(watched.place("a.py"))
    (watched.root / "b.py").rename(watched.root / "a.py")
    assert watched.documents.show(watched.place("a.py")).document.text == "a = 2\n"


def test_all_open_files_are_brought_up_to_date(watched: Watched) -> None:
    for name in ("a.py", "b.py", "c.py", "d.py"):
        watched.write(name, "1\n")
        watched.documents.show(watched.place(name))
    watched.news()
    watched.write("a.py", "2\n")
    watched.write("b.py", b"\0")
    (watched.root / "c.py").unlink()
    watched.write("d.py", "2\n")
    watched.documents.refresh(but=watched.place("d.py").path)
    told = [(method, params["textDocument"]["uri"].rpartition("/")[2]) for method, params in watched.news()]
    assert told == [(CHANGE, "a.py"), (CLOSE, "b.py"), (CLOSE, "c.py")]
    assert watched.documents.changes == 3
    assert [bool(watched.documents.find(watched.place(name).path)) for name in ("a.py", "b.py", "c.py", "d.py")] == [
        True, False, False, True,
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), [(None, Missing), (b"\0", NotSendable)])
def test_what_cannot_be_shown_any_more_is_closed_and_opened_anew(
    watched: Watched, text: bytes | None, problem: type[Exception]
) -> None:
    watched.write("a.py", "a\n")
    watched.documents.show(watched.place("a.py"))
    if text is None:
        (watched.root / "a.py").unlink()
    else:
        watched.write("a.py", text)
    with pytest.raises(problem):
        watched.documents.show(watched.place("a.py"))
    with pytest.raises(problem):
        watched.documents.show(watched.place("a.py"))
    watched.write("a.py", "b\n")
    again = watched.documents.show(watched.place("a.py"))
    assert (again.version, again.was_changed) == (2, False), "later than all that may still be said of what was closed"
    assert [method for method, _ in watched.news()] == [OPEN, CLOSE, OPEN]


@pytest.mark.parametrize(
    ("offers", "saved"),
    [
        (Offers(), None),
        (Offers(wants_saves=True), {}),
        (Offers(wants_saves=True, saves_hold_text=True), {"text": "b\n"}),
    ],
)
def test_a_change_is_saved_where_the_server_wants_to_know(
    tmp_path: Path, offers: Offers, saved: Mapping[str, str] | None
) -> None:
    watched = Watched(tmp_path, offers)
    watched.write("a.py", "a\n")
    watched.documents.show(watched.place("a.py"))
    watched.write("a.py", "b\n")
    shown = watched.documents.show(watched.place("a.py"))
    saves = [params for method, params in watched.news() if method == SAVE]
    assert saves == ([] if saved is None else [{"textDocument": {"uri": shown.uri}, **saved}])


def test_only_so_many_are_open_and_the_longest_unused_goes_first(watched: Watched) -> None:
    names = [f"{number:03}.py" for number in range(70)]
    for name in names:
        watched.write(name, "")
        watched.documents.show(watched.place(name))
        watched.documents.show(watched.place("000.py"))
    closed = [params["textDocument"]["uri"][-6:] for method, params in watched.news() if method == CLOSE]
    assert closed == ["001.py", "002.py", "003.py", "004.py", "005.py", "006.py"]


def test_positions_are_in_the_units_of_the_server(tmp_path: Path) -> None:
    watched = Watched(tmp_path, Offers(units=Units.UTF8))
    watched.write("a.py", "😀x")
    assert watched.documents.show(watched.place("a.py")).document.position(1).character == 4
