"""The files of a session: the freshness gate, against a naive model of what the model last saw, and what is told beside."""

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
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.call import GrantScope
from mmtools.core.freshness import Ledger, fingerprint
from mmtools.core.lsp.diagnostics import Finding, Severity
from mmtools.core.lsp.diagnostics_delta import Delta
from mmtools.core.writers import Writers
from mmtools.errors import PermissionRefused, ToolFailure
from mmtools.ports.files import AccessDenied, Changed, Files, Missing, Place, Replaced, Snapshot
from mmtools.testing.calls import StubCall
from mmtools.testing.edit_checks import ScriptedEditChecks
from mmtools.testing.files import MemoryFiles
from mmtools.tools.operations.run_command import Command, CommandTerms, SessionProcesses, run_command
from mmtools.tools.operations.session_files import SessionFiles, problem_text, session_files
from tests.hypothesis_profiles import scaled
from tests.tools.operations.working import Interrupted, Working

PLACE = Place("a.txt", "/repo/a.txt")
HOUR_NS = 3_600_000_000_000


def known(ledger: Ledger | None) -> SessionFiles:
    return SessionFiles(files=MemoryFiles(), ledger=ledger)


# A port and a session


def test_a_port_alone_is_taken_for_files_of_which_nothing_is_known() -> None:
    files = MemoryFiles()
    assert session_files(files) == SessionFiles(files=files)
    session = SessionFiles(files=files, ledger=Ledger())
    assert session_files(session) is session


def test_a_headline_names_the_file_as_it_was_sent() -> None:
    headline = session_files(MemoryFiles()).headline("a/../f", 3)
    assert (headline.text, [(each.path, each.line) for each in headline.locations]) == ("a/../f", [("/repo/f", 3)])


@pytest.mark.parametrize(("writer", "advice"), [("write", "Create it with write"), (None, "Check the path")])
def test_look_alikes_beside_a_missing_file_are_offered(writer: str | None, advice: str) -> None:
    files = MemoryFiles({"src/A.txt": ""})
    place = files.locate("src/a.txt")
    assert problem_text(Missing(place), files, StubCall(), writer=writer) == (
        f"src/a.txt does not exist. {advice}\ndid you mean src/A.txt"
    )


def test_outside_the_roots_nobody_looks_for_look_alikes() -> None:
    files = MemoryFiles({"/other/README.md": "k\n"}, outside="ask")
    told = problem_text(Missing(files.locate("/other/readme.md")), files, StubCall(), writer="write")
    assert told == "/other/readme.md does not exist. Create it with write"


# The gate


def test_nothing_stands_against_a_file_that_was_read_as_it_is() -> None:
    ledger = Ledger()
    ledger.saw(PLACE.path, fingerprint(b"one"))
    assert known(ledger).objection(Snapshot(place=PLACE, data=b"one")) is None


def test_new_files_and_hosts_without_the_gate_need_no_read() -> None:
    assert known(Ledger()).objection(Snapshot(place=PLACE, data=None)) is None
    assert known(None).objection(Snapshot(place=PLACE, data=b"one")) is None


def test_a_file_that_was_not_read_or_changed_since_is_named_with_the_next_step() -> None:
    ledger = Ledger()
    assert known(ledger).objection(Snapshot(place=PLACE, data=b"one")) == (
        "a.txt was not read yet; nothing was written. Read it first, then repeat the change"
    )
    ledger.saw(PLACE.path, fingerprint(b"one"))
    assert known(ledger).objection(Snapshot(place=PLACE, data=b"two")) == (
        "a.txt changed since it was read; nothing was written. Read it again, then repeat the change"
    )


def test_what_cannot_be_read_is_not_advised_to_be_read() -> None:
    ledger = Ledger()
    ledger.saw("/repo/b.txt", fingerprint(b"text"))
    told = "; nothing was written. It is not text, so it cannot be read: to put a text in its place, remove it by a command first"
    assert known(ledger).objection(Snapshot(place=PLACE, data=b"\0\1")) == f"a.txt was not read yet{told}"
    changed = Snapshot(place=Place("b.txt", "/repo/b.txt"), data=b"\0\1")
    assert known(ledger).objection(changed) == f"b.txt changed since it was read{told}"
    assert "Read it first" in (known(ledger).objection(Snapshot(place=PLACE, data=b"caf\xe9")) or "")


def test_a_file_that_is_gone_drops_out() -> None:
    ledger = Ledger()
    ledger.saw(PLACE.path, fingerprint(b"one"))
    assert known(ledger).objection(Snapshot(place=PLACE, data=None)) is None
    assert "not read yet" in (known(ledger).objection(Snapshot(place=PLACE, data=b"one")) or "")


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
    SessionFiles(files=files, ledger=other).replace(before, b"two", tool="edit")
    assert (known(ledger).objection(files.snapshot(before.place)) or "").startswith(named)


def opened(data: bytes | str) -> tuple[MemoryFiles, Working]:
    """A place with one file, `f`, that was read in a session with the gate."""
    files = MemoryFiles({"f": data})
    working = Working(files, ledger=Ledger())
    working.read("f")
    return files, working


def test_own_edits_keep_the_gate_open_and_an_editors_close_it() -> None:
    files, working = opened("1\n")
    for number in range(1, 20):
        working.edit("f", (str(number), str(number + 1)))
    files.put("f", "mine\n")
    assert working.refused(lambda: working.edit("f", ("mine", "x"))) == (
        "f changed since it was read; nothing was written. Read it again, then repeat the change"
    )
    assert not working.call.proposals
    working.read("f")
    working.edit("f", ("mine", "x"))
    assert files.contents == {"f": b"x\n"}


@pytest.mark.parametrize("same_size", [True, False])
def test_an_editor_is_never_overwritten_even_with_the_time_put_back(tmp_path: Path, same_size: bool) -> None:
    path = tmp_path / "f"
    path.write_text("one two\n")
    working = Working(LocalFiles(tmp_path), ledger=Ledger())
    working.read("f")
    status = path.stat()
    saved = "one own\n" if same_size else "one of my own\n"
    path.write_text(saved)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert "changed since it was read" in working.refused(lambda: working.edit("f", ("one", "1")))
    assert path.read_text() == saved
    working.read("f")

    def save_again() -> None:
        before = path.stat()
        path.write_text("one two\n")
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))

    with pytest.raises(ToolFailure, match="changed while permission was asked for"):
        working.edit("f", ("one", "1"), call=Interrupted(save_again))
    assert path.read_text() == "one two\n"


def test_a_touch_of_a_file_that_was_read_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("one\n")
    working = Working(LocalFiles(tmp_path), ledger=Ledger())
    working.read("f")
    working.edit("f", ("one", "two"), call=Interrupted(path.touch))
    assert path.read_text() == "two\n"


def test_a_missing_file_drops_out() -> None:
    files, working = opened("a\n")
    files.remove("f")
    assert working.refused(lambda: working.edit("f", ("a", "b"))) == "f does not exist. Create it with write_file"
    files.put("f", "a\n")
    assert "was not read yet" in working.refused(lambda: working.edit("f", ("a", "b")))


def test_a_link_and_its_file_are_one_to_the_gate(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("a\n")
    (tmp_path / "link").symlink_to("real")
    working = Working(LocalFiles(tmp_path), ledger=Ledger())
    working.read("link")
    working.edit("real", ("a", "b"))
    working.edit("./link", ("b", "c"))
    assert (tmp_path / "real").read_text() == "c\n"
    assert (tmp_path / "link").is_symlink()


def test_another_session_of_ours_is_named() -> None:
    files, writers = MemoryFiles({"f": "a\n"}), Writers()
    main = Working(files, ledger=Ledger(writers=writers))
    helper = Working(files, ledger=Ledger(session="reviewer", writers=writers))
    main.read("f")
    assert "was not read yet" in helper.refused(lambda: helper.edit("f", ("a", "b")))
    helper.read("f")
    helper.edit("f", ("a", "b"))
    assert main.refused(lambda: main.edit("f", ("b", "c"))) == (
        "f changed since it was read, by the call `edit_file` of session reviewer; nothing was written. "
        "Read it again, then repeat the change"
    )
    files.put("f", "mine\n")
    assert "since it was read; nothing" in main.refused(lambda: main.edit("f", ("mine", "c")))


def test_a_no_leaves_the_file_and_the_gate_open() -> None:
    files, working = opened("a\n")
    working.allows = False
    with pytest.raises(PermissionRefused, match=r"^\[edit rejected by the user\]$"):
        working.edit("f", ("a", "b"))
    assert files.contents == {"f": b"a\n"}
    working.allows = True
    working.edit("f", ("a", "b"))


def test_a_command_of_ours_is_named(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("a\n")
    ledger = Ledger()
    working = Working(LocalFiles(tmp_path), ledger=ledger)
    working.read("f")
    with Subprocesses(tmp_path, environment=dict(os.environ)) as processes:
        command = Command(text="sed -i s/a/b/ f\nexit 3", timeout_s=60.0, scope=GrantScope("", ""))
        session = SessionProcesses(processes=processes, ledger=ledger)
        run_command(session, command, StubCall(), CommandTerms(tool="bash", command="command"))
    assert working.refused(lambda: working.edit("f", ("b", "c"))) == (
        "f changed since it was read, while the command `sed -i s/a/b/ f …` ran; nothing was written. "
        "Read it again, then repeat the change"
    )


# What a change made worse or better


def test_an_answer_ends_with_what_the_checks_found() -> None:
    worse = Delta(appeared=(Finding(1, 1, Severity.ERROR, "bad", ""),), gone=())
    told = "\ndiagnostics after this change: 1 new\n+ error f:1:1 bad"
    checks = ScriptedEditChecks(worse)
    working = Working(MemoryFiles({"f": "a\n"}), checks=checks)
    assert working.edit("f", ("a", "b")).endswith(told)
    assert working.write("f", "c\n").endswith(told)
    assert checks.watched == checks.compared
    assert len(checks.watched) == 2


def test_it_does_not_where_nothing_is_known() -> None:
    checks = ScriptedEditChecks(None)
    working = Working(MemoryFiles({"f": "a\n"}), checks=checks)
    assert working.write("f", "b\n") == Working(MemoryFiles({"f": "a\n"})).write("f", "b\n")
    assert len(checks.compared) == 1
    assert working.write("f", "b\n") == "f unchanged: the content is identical"
    assert len(checks.watched) == 1


# Changes while a person is asked


def failure(run: Callable[[], str]) -> str | None:
    """The text of a refusal; None when there was none."""
    try:
        run()
    except ToolFailure as refusal:
        return refusal.text
    return None


@pytest.mark.parametrize("tool", ["write", "edit"])
def test_a_change_during_the_question_is_refused_and_said(tool: str) -> None:
    files, ledger = MemoryFiles({"a.txt": "one\n"}), Ledger()
    working = Working(files, ledger=ledger)
    working.read("a.txt")

    def go(meanwhile: Callable[[], object]) -> str:
        call = Interrupted(meanwhile)
        if tool == "write":
            return failure(lambda: working.write("a.txt", "two\n", call=call)) or ""
        return failure(lambda: working.edit("a.txt", ("one", "two"), call=call)) or ""

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
    working = Working(files, ledger=Ledger())
    with pytest.raises(ToolFailure, match=r"^new was created while permission was asked for; nothing was written\. "):
        working.write("new", "two", call=Interrupted(lambda: files.put("new", "mine")))
    assert files.contents == {"new": b"mine"}


def test_another_session_that_writes_during_the_question_is_named() -> None:
    files, writers = MemoryFiles({"a.txt": "one\n"}), Writers()
    mine = Working(files, ledger=Ledger(writers=writers))
    other = Working(files, ledger=Ledger(session="reviewer", writers=writers))
    mine.read("a.txt")
    other.read("a.txt")
    named = "while permission was asked for, by the call `write_file` of session reviewer;"
    with pytest.raises(ToolFailure, match=named):
        mine.write("a.txt", "two\n", call=Interrupted(lambda: other.write("a.txt", "theirs\n")))
    assert files.contents == {"a.txt": b"theirs\n"}


class Moved(MemoryFiles):
    """Files of which every path leads elsewhere from the question on."""

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        raise Changed(before.place, "its path leads elsewhere now")


@pytest.mark.parametrize("ledger", [None, Ledger()])
def test_other_reasons_keep_their_own_words(ledger: Ledger | None) -> None:
    working = Working(Moved({"a.txt": "one"}), ledger=ledger)
    working.read("a.txt")
    with pytest.raises(ToolFailure, match=r"changed in the meantime \(its path leads elsewhere now\)"):
        working.write("a.txt", "two")


class Locked(Moved):
    """The same, and from then on nobody may read them."""

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        self.fail(before.place.requested, AccessDenied, when="read")
        return super().replace(before, data)


def test_what_cannot_be_looked_at_again_keeps_its_own_words() -> None:
    working = Working(Locked({"a.txt": "one"}), ledger=Ledger())
    working.read("a.txt")
    with pytest.raises(ToolFailure, match=r"changed in the meantime \(its path leads elsewhere now\)"):
        working.write("a.txt", "two")


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
        self.mine = Working(files, ledger=Ledger(writers=writers))
        self.other = Working(files, ledger=Ledger(session="other", writers=writers))

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
        return ", by the call `write_file` of session other" if named else ""

    def _sees(self, name: str, data: bytes) -> None:
        self.seen[name] = data
        self.theirs.pop(name, None)

    def _others_write(self, name: str, data: bytes) -> None:
        if name in self.there:
            self.other.read(name)
        self.other.write(name, data.decode())
        if self.there.get(name) != data:
            self.there[name] = self.theirs[name] = data

    def _held_to(self, expected: str | None, refusal: str | None) -> bool:
        """Whether the tool did it, as was expected."""
        assert (refusal is None) == (expected is None), refusal
        assert refusal is None or refusal.startswith(expected or "")
        return refusal is None

    @rule(name=names, last=st.sampled_from([0, 1]))
    def read(self, name: str, last: int) -> None:
        missing = None if name in self.there else f"{name} does not exist. Create it with write_file"
        refusal = failure(lambda: self.mine.read(name, last=last))
        if self._held_to(missing, refusal):
            self._sees(name, self.there[name])
        else:
            self.seen.pop(name, None)

    @rule(name=names)
    def read_past_the_end(self, name: str) -> None:
        with pytest.raises(ToolFailure):
            self.mine.read(name, 99)
        if name not in self.there:
            self.seen.pop(name, None)

    @rule(name=names, text=texts)
    def write(self, name: str, text: str) -> None:
        data, call = text.encode(), StubCall()
        same = self.there.get(name) == data
        expected = None if same else self._refusal(name)
        if self._held_to(expected, failure(lambda: self.mine.write(name, text, call=call))):
            self.there[name] = data
            self._sees(name, data)
        assert bool(call.proposals) == (not same and expected is None)

    @rule(name=names, text=texts, disturbance=st.sampled_from(["put", "touch", "remove", "other", None]))
    def edit(self, name: str, text: str, disturbance: str | None) -> None:
        before = self.there.get(name, b"").decode()
        expected = self._refusal(name)
        if name not in self.there:
            expected = f"{name} does not exist. Create it with write_file"

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

        refusal = failure(lambda: self.mine.edit(name, (before, before + text), call=Interrupted(meanwhile)))
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
    working, place = Working(files, ledger=ledger), files.locate("f")
    working.read("f")
    for _ in range(1_000):
        path.touch()
        working.session.require_read(files.snapshot(place))
    working.edit("f", ("0", "1"))
    assert path.read_text() == "1\n"


@pytest.mark.parametrize("ahead_ns", [0, HOUR_NS])
def test_an_editors_change_with_the_time_put_back_is_refused(tmp_path: Path, ahead_ns: int) -> None:
    path = tmp_path / "f"
    path.write_text("one\n")
    working = Working(LocalFiles(tmp_path, clock=lambda: time.time_ns() + ahead_ns), ledger=Ledger())
    working.read("f")
    status = path.stat()
    (tmp_path / "probes").mkdir()
    next_tick(tmp_path / "probes")
    path.write_text("own\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    changed = r"^f changed since it was read; nothing was written"
    with pytest.raises(ToolFailure, match=changed):
        working.write("f", "two\n")
    with pytest.raises(ToolFailure, match=changed):
        working.edit("f", ("o", "x"))
    assert path.read_text() == "own\n"


def test_a_settled_file_is_not_hashed_again(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("one\n")
    ledger = Ledger()
    files = LocalFiles(tmp_path, clock=lambda: time.time_ns() + HOUR_NS)
    working = Working(files, ledger=ledger)
    working.read("f")
    before = files.snapshot(files.locate("f"))
    assert before.stamp is not None
    lie = Snapshot(place=before.place, data=b"other", stamp=before.stamp)
    assert (working.session.objection(lie) is None) == before.stamp.vouches
