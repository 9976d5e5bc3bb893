"""Complaints as ripgrep writes them, with names that try to look like them."""

from __future__ import annotations

import pytest

from mmtools.adapters.search.complaints import Complaints, read_complaints
from mmtools.ports.search import Unreadable


@pytest.mark.parametrize(
    ("written", "complaints"),
    [
        (b"", Complaints()),
        (
            b"rg: ./locked: Permission denied (os error 13)\nrg: ./a\nb: c: Input/output error (os error 5)\n",
            Complaints(
                unreadable=(Unreadable("locked", "Permission denied"), Unreadable("a\nb: c", "Input/output error"))
            ),
        ),
        (
            b"rg: ./x: IO error for operation on ./x: Permission denied (os error 13)\n",
            Complaints(unreadable=(Unreadable("x", "Permission denied"),)),
        ),
        (
            b"rg: ./big: configured allocation limit (9) exceeded\nrg: ./\xff: Denied (os error 13)\n",
            Complaints(
                unreadable=(
                    Unreadable("\udcff", "Denied"),
                    Unreadable("big", "configured allocation limit (9) exceeded"),
                )
            ),
        ),
        (
            b"rg: ./locked: Permission denied (os error 13)\n"
            b"rg: regex parse error:\n    (?:foo()\n    ^\nerror: unclosed group\n",
            Complaints(unreadable=(Unreadable("locked", "Permission denied"),), pattern="unclosed group"),
        ),
        (
            b'rg: the literal "\\n" is not allowed in a regex\n\nConsider enabling multiline mode\n',
            Complaints(pattern='the literal "\\n" is not allowed in a regex'),
        ),
        (
            b"rg: /a/.ignore: line 1: error parsing glob '[z-a]': invalid range; 'z' > 'a'\n"
            b"/a/.ignore: line 2: error parsing glob '{a': unclosed alternate group; missing '}'\n"
            b"/a/.ignore: line 4: stream did not contain valid UTF-8\n"
            b"rg: ./x: Permission denied (os error 13)\n"
            b"rg: /a\nrg: .\nq/.gitignore: line 9: error parsing glob 'a: b\\': dangling '\\'\n"
            b"rg: /a/.git: stream did not contain valid UTF-8\n"
            b"rg: /a/.rgignore: Permission denied (os error 13)\n",
            Complaints(unreadable=(Unreadable("x", "Permission denied"),)),
        ),
        (
            b"rg: /a/.ignore: line 1: error parsing glob '{': unclosed alternate group\n"
            b"rg: regex parse error:\n    (?:foo()\n    ^\nerror: unclosed group\n",
            Complaints(pattern="unclosed group"),
        ),
        (b"rg: unrecognized flag --crlf\n", Complaints(other="rg: unrecognized flag --crlf")),
    ],
)
def test_complaints(written: bytes, complaints: Complaints) -> None:
    assert read_complaints(written) == complaints
