"""The finder of a dialect's words sees those that stood in shared texts once, and lets English pass."""

from __future__ import annotations

import pytest

from tests.wire_words import GAP, Slip, slips


@pytest.mark.parametrize(
    ("planted", "name"),
    [
        ('f"{shown} does not exist. Create it with write_file"', "write_file"),
        ('f"{shown} does not exist. Create it with write"', "write"),
        ('"send `edit` again"', "edit"),
        ('f"[read: line {first} is past the end]"', "read"),
        ('"[edit was cancelled]"', "edit"),
        ('"[bash: not run]"', "bash"),
        ('ledger.wrote(path, digest, "edit")', "edit"),
        ('f"continue with start={line}"', "start"),
        ('"edits is empty"', "edits"),
        ('"send at least one {old, new}"', "old"),
        ('f"send at least one {{old, {what}}}"', "old"),
        ('half_character("content", text, index)', "content"),
        ('"old holds line numbers"', "old"),
        ('f"the file has {found}, old has {sent}"', "old"),
        ('"include its surrounding lines in old until the text is unique"', "old"),
        ('"leave this edit out, or correct new"', "new"),
        ('f"Send exactly this as old{ending}, and spell new like it:"', "new"),
        ('f"character {place} of command is a NUL"', "command"),
        ('"send path in full"', "path"),
        ("f\"{'command' if one else many} is empty\"", "command"),
    ],
)
def test_a_word_of_one_dialect_would_be_seen(planted: str, name: str) -> None:
    assert name in {slip.word for slip in slips(f"told = {planted}")}


@pytest.mark.parametrize(
    "sentence",
    [
        "old text not found, but the new text is there already",
        "Read it first, then repeat the change",
        "the content is identical",
        "its old content is kept",
        "Send the path of a file in it",
        "wrote f: 3 lines in place of 4 bytes; edits of ASCII text keep such bytes",
        "[edit rejected by the user]",
        "every file change under the working directory",
        "[… lines 1-2 of 9 shown; continue with the next line]",
        "there is no shell here; use other tools",
    ],
)
def test_english_is_no_word_of_a_dialect(sentence: str) -> None:
    assert slips(f"told = {sentence!r}") == []


def test_what_nobody_reads_is_left_out() -> None:
    assert slips('"""The tool `read_file`."""\ndef f() -> str:\n    """Call `edit_file` with old=x."""\n') == []
    assert slips('__all__ = ["edit", "path"]') == []


def test_the_place_is_told() -> None:
    assert slips('a = 1\nb = f"use {a} or {{x}}, or read_file"') == [
        Slip(2, "read_file", f"use {GAP} or {{x}}, or read_file")
    ]
