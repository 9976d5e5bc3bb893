"""What a model sees of a file that a server names: its source line, where it may be read."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.lsp.texts import TextReader
from mmtools.core.lsp import uris
from mmtools.ports.language_servers import Feature
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import MemoryLanguageServers
from mmtools.tools.mm.lsp import Lsp, LspArgs
from tests.tools.asked import MAIN, SERVERS, Asked, location


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("file:///repo/other.go", "other.go:1:1  func hello() {}"),
        ("file:///repo/latin.go", "latin.go:1:1  // caf\ufffd"),
        ("file:///repo/binary.go", "binary.go:1:1"),
        ("file:///repo/gone.go", "gone.go:1:1"),
        ("file:///elsewhere/x.go", "/elsewhere/x.go:1:1  package x"),
        ("file:///elsewhere/gone.go", "/elsewhere/gone.go:1:1"),
        ("file:///elsewhere/passwd", "/elsewhere/passwd:1:1"),
        ("untitled:1", "untitled:1:1:1"),
    ],
)
@pytest.mark.parametrize("outside", ["refuse", "ask"])
def test_a_file_has_its_source_line_where_it_may_be_read(
    uri: str, told: str, outside: Literal["refuse", "ask"]
) -> None:
    contents: dict[str, bytes | str] = {
        "main.go": MAIN,
        "other.go": "func hello() {}\n",
        "latin.go": b"// caf\xe9\n",
        "binary.go": b"\0",
        "/elsewhere/x.go": "package x\n",
        "/elsewhere/passwd": "root\n",
    }
    sources = MemoryFiles(contents, outside="ask")
    files = MemoryFiles(contents, outside=outside)
    asked = Asked(files, {Feature.DEFINITION: [location(uri, 0, 0, 1)]}, sources=sources)
    assert asked("definition", symbol="greet").rstrip() == told
    assert asked.call.proposals == []


@pytest.mark.parametrize("outside", ["refuse", "ask"])
def test_a_file_outside_that_is_denied_is_not_told_at_all(outside: Literal["refuse", "ask"]) -> None:
    files = MemoryFiles({"main.go": MAIN, "/elsewhere/x.go": "hunter2\n"}, outside=outside)
    places = [location("file:///elsewhere/x.go", 0, 0, 1), location("file:///repo/main.go", 2, 5, 10)]
    asked = Asked(files, {Feature.DEFINITION: places}, sources=files)
    call = StubCall(denied=lambda names: "no" if "/elsewhere/x.go" in names else None)
    assert asked("definition", symbol="greet", call=call) == (
        "main.go:3:6  func greet() string {\n[1 file left out: denied to lsp]"
    )


def test_on_a_disk_a_line_outside_is_shown_however_it_is_reached(tmp_path: Path) -> None:
    root, library = tmp_path / "project", tmp_path / "library"
    for folder in (root, library):
        folder.mkdir()
    (root / "main.go").write_text(MAIN)
    (library / "x.go").write_text("package x\n")
    (root / "link.go").symlink_to(library / "x.go")
    for named, shown in ((library / "x.go", f"{library}/x.go"), (root / "link.go", f"{library}/x.go")):
        files = LocalFiles(root)
        servers = MemoryLanguageServers(
            SERVERS,
            read=TextReader(files=files),
            reactions={Feature.DEFINITION: [location(uris.from_path(str(named)), 0, 8, 9)]},
        )
        lsp = Lsp(servers=servers, files=files, sources=LocalFiles(root, outside="ask"))
        told = lsp.execute(LspArgs(action="definition", path="main.go", symbol="greet"), StubCall())
        assert told == f"{shown}:1:9  package x"
