"""Files that a server names are read only inside the roots, and shown from there."""

from __future__ import annotations

from typing import Literal

import pytest

from mmtools.adapters.lsp.texts import TextReader
from mmtools.call import Cancellation
from mmtools.core.lsp.answers import Target
from mmtools.core.lsp.positions import Position, Range
from mmtools.ports.files import AccessDenied
from mmtools.ports.language_servers import LanguageServer
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import MemoryLanguageServers
from mmtools.tools.wording.named_files import NamedFiles, shown

CONTENTS: dict[str, bytes | str] = {
    "a.go": "package a\n",
    "dir/my page#1%.go": "\ufeffpackage b\r\n",
    "old.go": b"// \xe9\n",
    "bin.go": b"\0",
    "secret.go": "package c\n",
    "/lib/x.go": "package x\n",
}


def look(uri: str, outside: Literal["refuse", "ask"] = "refuse") -> tuple[str, str | None]:
    files = MemoryFiles(CONTENTS, outside=outside)
    files.fail("secret.go", AccessDenied, when="read")
    servers = MemoryLanguageServers([LanguageServer("gopls", "gopls", ".go")], read=TextReader(files=files))
    opened = servers.open(files.locate("a.go"), Cancellation())
    files.put("a.go", "changed since\n")
    target = Target(uri, Range(Position(0, 0), Position(0, 1)))
    named = NamedFiles(files=files, opened=opened).look([target, target])
    assert list(named) == [uri]
    document = named[uri].document
    return named[uri].shown, None if document is None else document.text


@pytest.mark.parametrize("outside", ["refuse", "ask"])
@pytest.mark.parametrize(
    ("uri", "path", "text"),
    [
        ("file:///repo/a.go", "a.go", "package a\n"),
        ("file:///repo/dir/my%20page%231%25.go", "dir/my page#1%.go", "package b\r\n"),
        ("file:///repo/dir/../old.go", "old.go", "// \ufffd\n"),
        ("file:///repo/bin.go", "bin.go", None),
        ("file:///repo/secret.go", "secret.go", None),
        ("file:///repo/gone.go", "gone.go", None),
        ("file:///repo/dir", "dir", None),
        ("file:///lib/x.go", "/lib/x.go", None),
        ("untitled:1", "untitled:1", None),
    ],
)
def test_a_file_is_shown_from_the_root_and_read_only_inside(
    uri: str, path: str, text: str | None, outside: Literal["refuse", "ask"]
) -> None:
    """What the server was sent is what its places are of, whatever the file holds by now."""
    assert look(uri, outside) == (path, text)


def test_a_path_is_shown_as_a_model_sees_it() -> None:
    files = MemoryFiles()
    assert shown("/repo/a/b.go", files) == "a/b.go"
    assert shown("/repository/b.go", files) == "/repository/b.go"
