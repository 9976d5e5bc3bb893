"""Files of a real disk, while others do to them whatever a disk allows."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, precondition, rule

from mmtools.adapters.local_files import LocalFiles
from mmtools.ports.files import (
    FileProblem,
    OutsideRoots,
    Place,
    Replaced,
    Snapshot,
)
from tests.adapters.circumstances import (
    attempt,
    facts,
    leave_behind,
    names,
)
from tests.hypothesis_profiles import scaled


class WorldOfFiles(RuleBasedStateMachine):
    """Files that are replaced while others do to them whatever a disk allows; the disk itself is the oracle."""

    snapshots = Bundle("snapshots")
    paths = st.sampled_from(("a", "b", "d/c", "link"))
    contents = st.sampled_from((b"", b"1", b"2", b"12")) | st.binary(max_size=6)

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        outer = Path(self.folder.name).resolve()
        self.root = outer / "root"
        self.outside = outer / "outside"
        (self.root / "d").mkdir(parents=True)
        self.outside.mkdir()
        (self.outside / "c").write_bytes(b"1")
        (self.root / "link").symlink_to("a")
        self.files = LocalFiles(self.root)

    def teardown(self) -> None:
        self.folder.cleanup()

    @rule(target=snapshots, path=paths)
    def look(self, path: str) -> Snapshot:
        real = self.root / path
        place = attempt(self.files.locate, path)
        if isinstance(place, FileProblem):
            outside = not os.path.realpath(real).startswith(f"{self.root}/")
            assert outside if isinstance(place, OutsideRoots) else not real.exists()
            return Snapshot(place=Place(path, place.place.path), data=b"1")
        assert isinstance(place, Place)
        snapshot = self.files.snapshot(place)
        assert snapshot.data == (real.read_bytes() if real.exists() else None)
        assert snapshot.links == (real.stat().st_nlink if real.exists() else 1)
        return snapshot

    @rule(before=snapshots, data=contents)
    def replace(self, before: Snapshot, data: bytes) -> None:
        path = Path(before.place.path)
        regular = path.is_file() and not path.is_symlink() and os.path.realpath(path) == str(path)
        was = facts(path) if regular else None
        links = path.stat().st_nlink if was else 1
        due = was is not None and was.data == before.data and self.is_inside(path)
        if before.data is None:
            due = not os.path.lexists(path) and self.is_inside(path.parent)
        replaced = attempt(self.files.replace, before, data)
        if not isinstance(replaced, Replaced):
            assert not due
            assert was is None or facts(path) == was
            return
        assert due
        assert path.read_bytes() == data
        assert path.stat().st_nlink == links
        assert replaced.in_place == (links > 1)
        if was:
            assert facts(path).mode == was.mode
            assert (facts(path).inode == was.inode) == replaced.in_place
        assert not list(path.parent.glob(".*.mmtools-*"))

    @rule(path=paths, data=contents)
    def write_in_place(self, path: str, data: bytes) -> None:
        if self.is_file(path):
            (self.root / path).write_bytes(data)

    @rule(path=paths, data=contents)
    def put_another_there(self, path: str, data: bytes) -> None:
        if self.is_inside((self.root / path).parent):
            (self.root / "new").write_bytes(data)
            (self.root / "new").replace(self.root / path)

    @rule(path=paths, mode=st.sampled_from((0o600, 0o644, 0o755, 0o4711)))
    def chmod(self, path: str, mode: int) -> None:
        if self.is_file(path):
            (self.root / path).chmod(mode)

    @rule(path=paths)
    def touch(self, path: str) -> None:
        if self.is_file(path):
            os.utime(self.root / path)

    @rule(path=paths, number=st.integers(0, 2))
    def hard_link(self, path: str, number: int) -> None:
        name = self.root / f"name{number}"
        name.unlink(missing_ok=True)
        if self.is_file(path):
            name.hardlink_to(os.path.realpath(self.root / path))

    @rule(path=paths, leading_to=st.sampled_from(("a", "b", "d/c", "../outside/c", "none", "link")))
    def put_a_link_there(self, path: str, leading_to: str) -> None:
        if self.is_inside((self.root / path).parent):
            (self.root / path).unlink(missing_ok=True)
            (self.root / path).symlink_to(os.path.join("../" * path.count("/"), leading_to))

    @rule(path=paths)
    def remove(self, path: str) -> None:
        if self.is_inside((self.root / path).parent):
            (self.root / path).unlink(missing_ok=True)

    @precondition(lambda self: not (self.root / "d").is_symlink())
    @rule()
    def lead_the_directory_out(self) -> None:
        (self.root / "d").rename(self.root / "kept")
        (self.root / "d").symlink_to(self.outside)

    @precondition(lambda self: (self.root / "d").is_symlink())
    @rule()
    def bring_the_directory_back(self) -> None:
        (self.root / "d").unlink()
        (self.root / "kept").rename(self.root / "d")

    @rule(digits=st.sampled_from(("0" * 16, "1" * 16)))
    def be_killed(self, digits: str) -> None:
        leave_behind(self.root, digits)

    def is_inside(self, path: Path) -> bool:
        """Whether a path is in the root by its letters, and holds no link."""
        return os.path.realpath(path) == str(path) and path.is_relative_to(self.root)

    def is_file(self, path: str) -> bool:
        real = Path(os.path.realpath(self.root / path))
        return real.is_file() and real.is_relative_to(self.root)

    @invariant()
    def nothing_outside_was_touched(self) -> None:
        assert (self.outside / "c").read_bytes() == b"1"
        assert names(self.outside) == ["c"]


TestWorldOfFiles = WorldOfFiles.TestCase
# Each course is long and makes a tree of its own: a third of the usual number takes as long as other properties.
TestWorldOfFiles.settings = scaled(33)
