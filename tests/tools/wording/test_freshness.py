"""The freshness gate: against a naive model of what the model last saw, over memory and over a real disk."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule

from mmtools.adapters.local_files import LocalFiles
from mmtools.call import Proposal
from mmtools.core.freshness import Ledger, fingerprint
from mmtools.core.writers import Writers
from mmtools.errors import ToolFailure
from mmtools.ports.files import Changed, Files, Place, Replaced, Snapshot
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.tools.crab.edit import Edit, EditArg, EditArgs
from mmtools.tools.crab.read import Read, ReadArgs
from mmtools.tools.crab.write import Write, WriteArgs
from mmtools.tools.wording.freshness import Gate, noting, objection
from tests.hypothesis_profiles import scaled

PLACE = Place("a.txt", "/repo/a.txt")
HOUR_NS = 3_600_000_000_000


# The words


def test_nothing_stands_against_a_file_that_was_read_as_it_is() -> None:
    ledger = Ledger()
    ledger.saw(PLACE.path, fingerprint(b"one"))
    assert objection(ledger, Snapshot(place=PLACE, data=b"one")) is None


def test_new_files_and_hosts_without_the_gate_need_no_read() -> None:
    assert objection(Ledger(), Snapshot(place=PLACE, data=None)) is None
    assert objection(None, Snapshot(place=PLACE, data=b"one")) is None


def test_a_file_that_was_not_read_or_changed_since_is_named_with_the_next_step() -> None:
    ledger = Ledger()
    assert objection(ledger, Snapshot(place=PLACE, data=b"one")) == (
        "a.txt was not read yet; nothing was written. Read it first, then repeat the change"
    )
    ledger.saw(PLACE.path, fingerprint(b"one"))
    assert objection(ledger, Snapshot(place=PLACE, data=b"two")) == (
        "a.txt changed since it was read; nothing was written. Read it again, then repeat the change"
    )


def test_what_cannot_be_read_is_not_advised_to_be_read() -> None:
    ledger = Ledger()
    ledger.saw("/repo/b.txt", fingerprint(b"text"))
    told = "; nothing was written. It is not text, so it cannot be read: to put a text in its place, remove it by a command first"
    assert objection(ledger, Snapshot(place=PLACE, data=b"\0\1")) == f"a.txt was not read yet{told}"
    changed = Snapshot(place=Place("b.txt", "/repo/b.txt"), data=b"\0\1")
    assert objection(ledger, changed) == f"b.txt changed since it was read{told}"
    assert "Read it first" in (objection(ledger, Snapshot(place=PLACE, data=b"caf\xe9")) or "")


def test_a_file_that_is_gone_drops_out() -> None:
    ledger = Ledger()
    ledger.saw(PLACE.path, fingerprint(b"one"))
    assert objection(ledger, Snapshot(place=PLACE, data=None)) is None
    assert "not read yet" in (objection(ledger, Snapshot(place=PLACE, data=b"one")) or "")


@pytest.mark.parametrize(
    ("session", "named"),
    [
        ("", "a.txt changed since it was read, by the call `edit` of another session; nothing"),
        ("reviewer", "a.txt changed since it was read, by the call `edit` of session reviewer; nothing"),
    ],
)
def test_who_changed_it_is_named(session: str, named: str) -> None:
    writers = Writers()
    ledger, other = Ledger(writers=writers), Ledger(session=session, writers=writers)
    files = MemoryFiles({"a.txt": "one"})
    before = files.snapshot(files.locate("a.txt"))
    ledger.saw(before.place.path, fingerprint(b"one"))
    Gate(ledger=other, tool="edit").replace(files, before, b"two")
    assert (objection(ledger, files.snapshot(before.place)) or "").startswith(named)


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        ("make format", "make format"),
        ("  a\nb", "a …"),
        ("x" * 100, "x" * 78 + " …"),
        ("a\tb\x1b[31m\u202e", "a b [31m "),
    ],
)
def test_a_command_is_named_by_its_first_line(command: str, shown: str) -> None:
    ledger, files = Ledger(), MemoryFiles({"a.txt": "one"})
    before = files.snapshot(files.locate("a.txt"))
    assert before.stamp is not None
    ledger.saw(before.place.path, fingerprint(b"zero"))
    ledger.ran(command, before.stamp.mtime_ns, before.stamp.mtime_ns)
    assert f"changed since it was read, while the command `{shown}` ran; nothing" in (objection(ledger, before) or "")


def test_the_span_of_a_command_is_told_even_when_it_fails() -> None:
    ledger, ticks = Ledger(), iter([5, 7, 1, 2])
    with pytest.raises(ZeroDivisionError), noting(ledger, "false", lambda: next(ticks)):
        raise ZeroDivisionError
    assert [(each.begun_ns, each.ended_ns) for each in ledger.writers._spans] == [(5, 7)]
    with noting(None, "true", lambda: next(ticks)):
        pass


# Changes while a person is asked


def gated(files: Files, ledger: Ledger | None) -> tuple[Read, Write, Edit]:
    return Read(files=files, ledger=ledger), Write(files=files, ledger=ledger), Edit(files=files, ledger=ledger)


def failure(run: Callable[[], str]) -> str | None:
    """The text of a refusal; None when there was none."""
    try:
        run()
    except ToolFailure as refusal:
        return refusal.text
    return None


class Interrupted(StubCall):
    """A call that does something while the question is open."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        super().__init__()
        self._meanwhile = meanwhile

    def approve(self, proposal: Proposal) -> None:
        super().approve(proposal)
        self._meanwhile()


@pytest.mark.parametrize("tool", ["write", "edit"])
def test_a_change_during_the_question_is_refused_and_said(tool: str) -> None:
    files, ledger = MemoryFiles({"a.txt": "one\n"}), Ledger()
    read, write, edit = gated(files, ledger)
    read.execute(ReadArgs(path="a.txt"), StubCall())

    def go(meanwhile: Callable[[], object]) -> str:
        call = Interrupted(meanwhile)
        arguments = EditArgs(path="a.txt", edits=(EditArg(old="one", new="two"),))
        if tool == "write":
            return failure(lambda: write.execute(WriteArgs(path="a.txt", content="two\n"), call)) or ""
        return failure(lambda: edit.execute(arguments, call)) or ""

    assert go(lambda: files.put("a.txt", "mine\n")) == (
        "a.txt changed while permission was asked for; nothing was written. Read it again, then repeat the change"
    )
    assert files.contents == {"a.txt": b"mine\n"}
    files.put("a.txt", "one\n")
    assert go(lambda: files.remove("a.txt")) == (
        "a.txt was deleted while permission was asked for; nothing was written. "
        "Make sure that it is to be created again, then write it whole"
    )
    assert files.contents == {}


def test_a_file_that_appears_during_the_question_is_kept() -> None:
    files = MemoryFiles()
    _, write, _ = gated(files, Ledger())
    with pytest.raises(ToolFailure, match=r"^new was created while permission was asked for; nothing was written\. "):
        write.execute(WriteArgs(path="new", content="two"), Interrupted(lambda: files.put("new", "mine")))
    assert files.contents == {"new": b"mine"}


def test_another_session_that_writes_during_the_question_is_named() -> None:
    files, writers = MemoryFiles({"a.txt": "one\n"}), Writers()
    read, write, _ = gated(files, Ledger(writers=writers))
    other_read, other_write, _ = gated(files, Ledger(session="reviewer", writers=writers))
    read.execute(ReadArgs(path="a.txt"), StubCall())
    other_read.execute(ReadArgs(path="a.txt"), StubCall())

    def meanwhile() -> None:
        other_write.execute(WriteArgs(path="a.txt", content="theirs\n"), StubCall())

    with pytest.raises(ToolFailure, match="while permission was asked for, by the call `write` of session reviewer;"):
        write.execute(WriteArgs(path="a.txt", content="two\n"), Interrupted(meanwhile))
    assert files.contents == {"a.txt": b"theirs\n"}


class Moved(MemoryFiles):
    """Files of which every path leads elsewhere from the question on."""

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        raise Changed(before.place, "its path leads elsewhere now")


@pytest.mark.parametrize("ledger", [None, Ledger()])
def test_other_reasons_keep_their_own_words(ledger: Ledger | None) -> None:
    read, write, _ = gated(Moved({"a.txt": "one"}), ledger)
    read.execute(ReadArgs(path="a.txt"), StubCall())
    with pytest.raises(ToolFailure, match=r"changed in the meantime \(its path leads elsewhere now\)"):
        write.execute(WriteArgs(path="a.txt", content="two"), StubCall())


# The model


class Gated(RuleBasedStateMachine):
    """
    Reads, changes, disturbances; `seen` is what the model last saw, `there` what is on disk, `theirs` what another
    session wrote since the model last looked.
    """

    names = st.sampled_from(["a", "b"])
    texts = st.sampled_from(["one\n", "two\n", "three\n", "one\ntwo\n"])

    def __init__(self) -> None:
        super().__init__()
        self.there: dict[str, bytes] = {}
        self.seen: dict[str, bytes] = {}
        self.theirs: dict[str, bytes] = {}
        files, writers = self.files(), Writers()
        self.read_tool, self.write_tool, self.edit_tool = gated(files, Ledger(writers=writers))
        self.other_read, self.other_write, _ = gated(files, Ledger(session="other", writers=writers))

    def files(self) -> Files:
        raise NotImplementedError

    def put(self, name: str, data: bytes) -> None:
        raise NotImplementedError

    def remove(self, name: str) -> None:
        raise NotImplementedError

    def touch(self, name: str) -> None:
        raise NotImplementedError

    def on_disk(self) -> dict[str, bytes]:
        raise NotImplementedError

    def _refusal(self, name: str) -> str | None:
        if name not in self.there:
            self.seen.pop(name, None)
            return None
        if name not in self.seen:
            return f"{name} was not read yet; nothing was written"
        if self.seen[name] != self.there[name]:
            return f"{name} changed since it was read{self._author(name)}; nothing was written"
        return None

    def _author(self, name: str) -> str:
        named = self.theirs.get(name) == self.there[name]
        return ", by the call `write` of session other" if named else ""

    def _sees(self, name: str, data: bytes) -> None:
        self.seen[name] = data
        self.theirs.pop(name, None)

    def _others_write(self, name: str, data: bytes) -> None:
        if name in self.there:
            self.other_read.execute(ReadArgs(path=name), StubCall())
        self.other_write.execute(WriteArgs(path=name, content=data.decode()), StubCall())
        if self.there.get(name) != data:
            self.there[name] = self.theirs[name] = data

    def _held_to(self, expected: str | None, refusal: str | None) -> bool:
        """Whether the tool did it, as was expected."""
        assert (refusal is None) == (expected is None), refusal
        assert refusal is None or refusal.startswith(expected or "")
        return refusal is None

    @rule(name=names, limit=st.sampled_from([0, 1]))
    def read(self, name: str, limit: int) -> None:
        missing = None if name in self.there else f"{name} does not exist. Create it with write"
        refusal = failure(lambda: self.read_tool.execute(ReadArgs(path=name, limit=limit), StubCall()))
        if self._held_to(missing, refusal):
            self._sees(name, self.there[name])
        else:
            self.seen.pop(name, None)

    @rule(name=names)
    def read_past_the_end(self, name: str) -> None:
        with pytest.raises(ToolFailure):
            self.read_tool.execute(ReadArgs(path=name, offset=99), StubCall())
        if name not in self.there:
            self.seen.pop(name, None)

    @rule(name=names, text=texts)
    def write(self, name: str, text: str) -> None:
        data, call = text.encode(), StubCall()
        same = self.there.get(name) == data
        expected = None if same else self._refusal(name)
        if self._held_to(expected, failure(lambda: self.write_tool.execute(WriteArgs(path=name, content=text), call))):
            self.there[name] = data
            self._sees(name, data)
        assert bool(call.proposals) == (not same and expected is None)

    @rule(name=names, text=texts, disturbance=st.sampled_from(["put", "touch", "remove", "other", None]))
    def edit(self, name: str, text: str, disturbance: str | None) -> None:
        before = self.there.get(name, b"").decode()
        arguments = EditArgs(path=name, edits=(EditArg(old=before, new=before + text),))
        expected = self._refusal(name)
        if name not in self.there:
            expected = f"{name} does not exist. Create it with write"

        def meanwhile() -> None:
            nonlocal expected
            if disturbance == "touch":
                self.touch(name)
            elif disturbance == "put" and before != "mine\n":
                self.put(name, b"mine\n")
                self.there[name] = b"mine\n"
                expected = f"{name} changed while permission was asked for{self._author(name)}; nothing was written"
            elif disturbance == "other" and before != "theirs\n":
                self._others_write(name, b"theirs\n")
                expected = f"{name} changed while permission was asked for{self._author(name)}; nothing was written"
                assert "session other" in expected
            elif disturbance == "remove":
                self.remove(name)
                del self.there[name]
                self.seen.pop(name)
                expected = f"{name} was deleted while permission was asked for; nothing was written"

        refusal = failure(lambda: self.edit_tool.execute(arguments, Interrupted(meanwhile)))
        if self._held_to(expected, refusal):
            self.there[name] = (before + text).encode()
            self._sees(name, self.there[name])

    @rule(name=names, text=texts)
    def another_session_writes(self, name: str, text: str) -> None:
        self._others_write(name, text.encode())

    @rule(name=names, text=texts)
    def editor_saves(self, name: str, text: str) -> None:
        self.put(name, text.encode())
        self.there[name] = text.encode()

    @rule(name=names)
    def somebody_touches(self, name: str) -> None:
        if name in self.there:
            self.touch(name)

    @rule(name=names)
    def somebody_deletes(self, name: str) -> None:
        if name in self.there:
            self.remove(name)
            del self.there[name]

    @rule()
    def somebody_renames(self) -> None:
        if "a" in self.there:
            data = self.there.pop("a")
            self.remove("a")
            self.put("b", data)
            self.there["b"] = data

    def teardown(self) -> None:
        assert self.on_disk() == self.there


class GatedInMemory(Gated):
    """Every stamp is trusted here."""

    def files(self) -> Files:
        self.memory = MemoryFiles()
        return self.memory

    def put(self, name: str, data: bytes) -> None:
        self.memory.put(name, data)

    def remove(self, name: str) -> None:
        self.memory.remove(name)

    def touch(self, name: str) -> None:
        self.memory.touch(name)

    def on_disk(self) -> dict[str, bytes]:
        return self.memory.contents


class GatedOnDisk(Gated):
    """A clock that runs an hour ahead makes every stamp look settled; so each change waits for the disk's next tick."""

    def files(self) -> Files:
        self.folder = tempfile.TemporaryDirectory()
        self.probes = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name)
        return LocalFiles(self.root, clock=lambda: time.time_ns() + HOUR_NS)

    def put(self, name: str, data: bytes) -> None:
        next_tick(Path(self.probes.name))
        path = self.root / name
        status = path.stat() if path.exists() else None
        path.write_bytes(data)
        if status is not None:
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))

    def remove(self, name: str) -> None:
        (self.root / name).unlink()

    def touch(self, name: str) -> None:
        (self.root / name).touch()

    def on_disk(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.root.iterdir()}

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()
        self.probes.cleanup()


def next_tick(folder: Path) -> None:
    """Wait until the clock of a disk has moved on."""
    probe = folder / "probe"
    probe.write_bytes(b"")
    first = probe.stat().st_ctime_ns
    while probe.stat().st_ctime_ns == first:
        probe.touch()


TestGatedInMemory = GatedInMemory.TestCase
TestGatedInMemory.settings = settings(scaled(100), stateful_step_count=30)
TestGatedOnDisk = GatedOnDisk.TestCase
TestGatedOnDisk.settings = settings(scaled(25), stateful_step_count=25)


# The page's promise, on a real disk


@pytest.mark.parametrize("ahead_ns", [0, HOUR_NS])
def test_a_thousand_touches_refuse_nothing(tmp_path: Path, ahead_ns: int) -> None:
    path = tmp_path / "f"
    path.write_text("0\n")
    ledger, files = Ledger(), LocalFiles(tmp_path, clock=lambda: time.time_ns() + ahead_ns)
    read, _, edit = gated(files, ledger)
    gate, place = Gate(ledger=ledger, tool="edit"), files.locate("f")
    read.execute(ReadArgs(path="f"), StubCall())
    for _ in range(1_000):
        path.touch()
        gate.check(files.snapshot(place))
    edit.execute(EditArgs(path="f", edits=(EditArg(old="0", new="1"),)), StubCall())
    assert path.read_text() == "1\n"


@pytest.mark.parametrize("ahead_ns", [0, HOUR_NS])
def test_an_editors_change_with_the_time_put_back_is_refused(tmp_path: Path, ahead_ns: int) -> None:
    path = tmp_path / "f"
    path.write_text("one\n")
    read, write, edit = gated(LocalFiles(tmp_path, clock=lambda: time.time_ns() + ahead_ns), Ledger())
    read.execute(ReadArgs(path="f"), StubCall())
    status = path.stat()
    (tmp_path / "probes").mkdir()
    next_tick(tmp_path / "probes")
    path.write_text("own\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    changed = r"^f changed since it was read; nothing was written"
    with pytest.raises(ToolFailure, match=changed):
        write.execute(WriteArgs(path="f", content="two\n"), StubCall())
    with pytest.raises(ToolFailure, match=changed):
        edit.execute(EditArgs(path="f", edits=(EditArg(old="o", new="x"),)), StubCall())
    assert path.read_text() == "own\n"


def test_a_settled_file_is_not_hashed_again(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("one\n")
    ledger = Ledger()
    files = LocalFiles(tmp_path, clock=lambda: time.time_ns() + HOUR_NS)
    read, _, _ = gated(files, ledger)
    read.execute(ReadArgs(path="f"), StubCall())
    before = files.snapshot(files.locate("f"))
    assert before.stamp is not None
    lie = Snapshot(place=before.place, data=b"other", stamp=before.stamp)
    assert (objection(ledger, lie) is None) == before.stamp.vouches
