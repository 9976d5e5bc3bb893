"""What a model sees of a file that a server names: its source line, where it may be read."""

from __future__ import annotations

import pytest

from mmtools.ports.language_servers import Feature
from mmtools.testing.files import MemoryFiles
from tests.tools.asked import MAIN, Asked, location


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("file:///repo/other.go", "other.go:1:1  func hello() {}"),
        ("file:///repo/latin.go", "latin.go:1:1  // caf\ufffd"),
        ("file:///repo/binary.go", "binary.go:1:1"),
        ("file:///repo/gone.go", "gone.go:1:1"),
        ("file:///elsewhere/x.go", "/elsewhere/x.go:1:1"),
        ("untitled:1", "untitled:1:1:1"),
    ],
)
def test_a_file_has_its_source_line_where_it_may_be_read(uri: str, told: str) -> None:
    contents: dict[str, bytes | str] = {
        "main.go": MAIN,
        "other.go": "func hello() {}\n",
        "latin.go": b"// caf\xe9\n",
        "binary.go": b"\0",
        "/elsewhere/x.go": "secret\n",
    }
    asked = Asked(MemoryFiles(contents, outside="ask"), {Feature.DEFINITION: [location(uri, 0, 0, 1)]})
    assert asked("definition", symbol="greet").rstrip() == told
