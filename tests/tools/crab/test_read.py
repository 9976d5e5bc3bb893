"""crab `read`, row by row of its page."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools import AllowAll, Runner, Toolset
from mmtools.adapters.local_files import LocalFiles
from mmtools.call import Location, ReadPreview, Status, ToolKind
from mmtools.core.freshness import Fresh, Ledger, NeverRead
from mmtools.core.text import view
from mmtools.errors import Cancelled, PermissionRefused, ToolFailure
from mmtools.ports.files import Files
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.strategies import texts
from mmtools.tools.crab.read import Read, ReadArgs


class Reading:
    """A reader with one tool, as a model would be."""

    def __init__(self, files: Files, *, max_output: int = 30_000, encodings: tuple[str, ...] = ()) -> None:
        self.tool = Read(files=files, max_output=max_output, encodings=encodings)
        self.call = StubCall()

    def __call__(self, path: str, offset: int = 0, limit: int = 0) -> str:
        self.call = StubCall()
        return self.tool.execute(ReadArgs(path=path, offset=offset, limit=limit), self.call)

    def refused(self, path: str, offset: int = 0, limit: int = 0) -> str:
        with pytest.raises(ToolFailure) as refusal:
            self(path, offset, limit)
        return refusal.value.text


def reading(data: bytes | str, *, max_output: int = 30_000, encodings: tuple[str, ...] = ()) -> Reading:
    """Read in a place with one file, `f`."""
    return Reading(MemoryFiles({"f": data}), max_output=max_output, encodings=encodings)


def test_the_declaration_is_that_of_the_page() -> None:
    spec = Read.spec
    assert (spec.name, spec.kind, spec.family) == ("read", ToolKind.READ, "file")
    schema = spec.arguments_schema
    assert (list(schema["properties"]), schema["required"]) == (["path", "offset", "limit"], ["path"])


@given(texts(max_pieces=30).map(lambda text: text.replace("\0", "")), st.integers(0, 40), st.integers(0, 40))
def test_a_range_is_what_splitting_the_whole_would_give(content: str, offset: int, limit: int) -> None:
    lines = view(content.removeprefix("\ufeff")).split("\n")
    if not lines[-1]:
        lines.pop()
    first = offset or 1
    wanted = lines[first - 1 : first - 1 + limit] if limit else lines[first - 1 :]
    read = reading(content)
    if not wanted and (lines or first > 1):
        count = "1 line" if len(lines) == 1 else f"{len(lines)} lines"
        assert read.refused("f", offset, limit) == f"[read: line {offset} is past the end of f ({count})]"
        return
    answer = read("f", offset, limit)
    if not lines:
        assert answer == "[f is empty]"
    elif wanted == [""]:
        assert answer in (f"[line {first} of f is empty]", "\n")
    else:
        assert answer.removesuffix("\n") == "\n".join(wanted).removesuffix("\n")


def test_lines_are_plain_text_without_numbers() -> None:
    assert reading("a\nb\nc\n")("f") == "a\nb\nc\n"
    assert reading("a\nb\nc\n")("f", 2, 1) == "b"
    assert reading("a\r\nb\r\n")("f", 2) == "b\n"


@given(st.lists(st.text("ab", max_size=9), min_size=1, max_size=40), st.integers(20, 60), st.integers(0, 50))
def test_following_the_advice_gives_every_line_once(content: list[str], max_output: int, limit: int) -> None:
    read = reading("".join(f"{line}.\n" for line in content), max_output=max_output)
    offset, wanted, shown = 1, limit, list[str]()
    while True:
        *lines, last = read("f", offset, wanted).removesuffix("\n").split("\n")
        advice = re.fullmatch(r"\[… .* shown; continue with offset=(\d+)(?:, limit=(\d+))?\]", last)
        if not advice:
            shown += [*lines, last]
            break
        assert read.call.reported.truncated
        shown += lines
        offset, wanted = int(advice[1]), int(advice[2] or 0)
        assert bool(wanted) == bool(limit)
    assert shown == [f"{line}." for line in content][: limit or None]


def test_the_limit_that_was_asked_for_stays_in_the_advice() -> None:
    read = reading("12345\n" * 100, max_output=30)
    assert read("f", 11, 20).endswith("\n[… lines 11-15 shown; continue with offset=16, limit=15]")
    assert read("f", 11).endswith("\n[… lines 11-15 of 100 shown; continue with offset=16]")


def test_a_line_longer_than_an_answer_tells_how_to_go_on() -> None:
    text = reading("x" * 100 + "\nnext\n", max_output=50)("f")
    assert text.startswith("x" * 50 + "\n[… line 1 is 100 bytes long, its first 50 are shown. ")
    assert "tail -c +51 -- f | head -c 50. Next line: offset=2]" in text


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        ({"path": "f"}, "1\n2\n3\n4\n"),
        ({"file_path": "f"}, "1\n2\n3\n4\n"),
        ({"filePath": "f", "line_offset": 3}, "3\n4\n"),
        ({"path": "f", "start": 2, "n_lines": 2}, "2\n3"),
        ({"path": "f", "start_line": "2", "lines": 2.0}, "2\n3"),
        ({"path": "f", "offset": None, "limit": None, "explanation": "why"}, "1\n2\n3\n4\n"),
        ('{"path": "f", "offset": 4}', "4\n"),
    ],
)
def test_sloppy_arguments_are_understood(sent: object, answer: str) -> None:
    runner = Runner(Toolset([Read(files=MemoryFiles({"f": "1\n2\n3\n4\n"}))]), permission=AllowAll())
    assert runner.execute("read", sent) == answer


@pytest.mark.parametrize(
    ("sent", "named"),
    [
        ({}, "path"),
        (None, "path"),
        ({"path": "f", "offset": -1}, "offset"),
        ({"path": "f", "limit": -1}, "limit"),
        ({"path": "f", "limit": "2x"}, "limit"),
        ({"path": "f", "offset": True}, "offset"),
    ],
)
def test_senseless_arguments_are_refused_by_name(sent: object, named: str) -> None:
    runner = Runner(Toolset([Read(files=MemoryFiles({"f": "1\n"}))]), permission=AllowAll())
    outcome = runner.call("read", sent)
    assert outcome.status is Status.FAILED
    assert named in outcome.text


# The gate


def test_a_read_opens_the_gate_for_the_whole_file_and_a_failed_one_does_not() -> None:
    ledger = Ledger()
    data = b"a\nb\n" * 200_000
    files = MemoryFiles({"f": data, "empty": b"", "binary": b"\0"})
    tool = Read(files=files, ledger=ledger)
    for arguments in (ReadArgs(path="binary"), ReadArgs(path="f", offset=10**6)):
        with pytest.raises(ToolFailure):
            tool.execute(arguments, StubCall())
    assert ledger.verdict("/repo/f", data) == NeverRead()
    assert ledger.verdict("/repo/binary", b"\0") == NeverRead()
    tool.execute(ReadArgs(path="f", offset=3, limit=1), StubCall())
    assert ledger.verdict("/repo/f", data) == Fresh()
    tool.execute(ReadArgs(path="empty"), StubCall())
    assert ledger.verdict("/repo/empty", b"") == Fresh()


def test_a_read_that_is_cancelled_or_finds_nothing_closes_it() -> None:
    ledger, files = Ledger(), MemoryFiles({"f": "a\n"})
    tool = Read(files=files, ledger=ledger)
    call = StubCall()
    call.cancellation.request()
    with pytest.raises(Cancelled, match=r"^\[read was cancelled\]$"):
        tool.execute(ReadArgs(path="f"), call)
    assert ledger.verdict("/repo/f", b"a\n") == NeverRead()
    tool.execute(ReadArgs(path="f"), StubCall())
    files.remove("f")
    with pytest.raises(ToolFailure):
        tool.execute(ReadArgs(path="f"), StubCall())
    files.put("f", "a\n")
    assert ledger.verdict("/repo/f", b"a\n") == NeverRead()


# What cannot be read


def test_a_missing_file_names_this_dialects_tool() -> None:
    read = Reading(MemoryFiles({"README.md": ""}))
    assert read.refused("a.txt") == "a.txt does not exist. Create it with write"
    assert read.refused("readme.md") == "readme.md does not exist. Create it with write\ndid you mean README.md"


def test_what_is_no_text_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "dir").mkdir()
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "picture").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    read = Reading(LocalFiles(tmp_path))
    assert "is a directory" in read.refused("dir")
    assert "not a regular file (named pipe)" in read.refused("pipe")
    assert "picture is not text: image/png, 10 bytes" in read.refused("picture")


def test_undecodable_bytes_are_counted_and_a_hosts_encoding_is_used() -> None:
    assert reading(b"caf\xe9\n")("f") == (
        "caf\ufffd\n[1 byte here is not valid UTF-8, shown as \ufffd; edits of ASCII text keep such bytes]"
    )
    assert reading(b"caf\xe9\n", encodings=("cp1252",))("f") == "café\n"


def test_ways_out_are_refused_and_detours_are_not(tmp_path: Path) -> None:
    (tmp_path / "proj" / "a").mkdir(parents=True)
    (tmp_path / "proj" / "a" / "x.txt").write_text("inside\n")
    (tmp_path / "proj-secret").mkdir()
    (tmp_path / "proj-secret" / "k.txt").write_text("secret\n")
    read = Reading(LocalFiles(tmp_path / "proj"))
    for path in ("../proj-secret/k.txt", str(tmp_path / "proj-secret" / "k.txt"), "a/../../proj-secret/k.txt"):
        text = read.refused(path)
        assert str(tmp_path.resolve() / "proj-secret" / "k.txt") in text
        assert "secret\n" not in text
    assert read("a/../a/x.txt") == "inside\n"


def test_only_a_file_outside_is_asked_for() -> None:
    read = Reading(MemoryFiles({"/other/k.txt": "k\n", "a.txt": "a\n"}, outside="ask"))
    assert read("a.txt") == "a\n"
    assert read.call.proposals == []
    assert read("../other/k.txt") == "k\n"
    [proposal] = read.call.proposals
    assert proposal.preview == ReadPreview("/other/k.txt")
    with pytest.raises(PermissionRefused, match=r"^\[read rejected by the user\]$"):
        read.tool.execute(ReadArgs(path="/other/k.txt"), StubCall(allows=False))


@pytest.mark.parametrize("name", ["[a].txt", "{a,b}", "*.txt", "a b", "$HOME", "-n"])
def test_a_path_is_never_a_pattern(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("it\n")
    (tmp_path / "a.txt").write_text("other\n")
    assert Reading(LocalFiles(tmp_path))(name) == "it\n"


def test_headline_and_report_point_at_the_file_and_the_line(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("a\nb\n")
    (tmp_path / "link.txt").symlink_to("real.txt")
    read = Reading(LocalFiles(tmp_path))
    headline = read.tool.headline(ReadArgs(path="link.txt", offset=2))
    assert (headline.text, headline.locations) == ("link.txt", (Location(f"{tmp_path.resolve()}/link.txt", 2),))
    read("link.txt", 2)
    assert read.call.reported.locations == (Location(f"{tmp_path.resolve()}/real.txt", 2),)
