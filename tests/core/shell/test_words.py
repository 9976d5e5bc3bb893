"""What a word stands for, as far as it can be known without running it."""

from __future__ import annotations

import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.shell.reader import read
from mmtools.core.shell.words import Word


def first(line: str) -> Word:
    return read(line).commands[-1].words[0]


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("rm", "rm"),
        ("r''m", "rm"),
        ("\\rm", "rm"),
        ("r\\\nm", "rm"),
        ('"rm"', "rm"),
        ("$'\\x72m'", "rm"),
        ("$'\\162m\\0x'", "rm"),
        ('$"rm"', "rm"),
        ("'a\\b'", "a\\b"),
        ('"a\\b\\"\\$"', 'a\\b"$'),
        ("a$", "a$"),
        ("{}", "{}"),
        ("stash@{0}", "stash@{0}"),
    ],
)
def test_quotes_are_taken_away(raw: str, value: str) -> None:
    assert first(f"{raw} x") == Word(raw, value)


@pytest.mark.parametrize(
    ("raw", "splits"),
    [
        ("$X", True),
        ('"$X"', False),
        ('"$@"', True),
        ("r$@m", True),
        ("r{m,}", True),
        ("{a..c}", True),
        ("r?", True),
        ("r[m]", True),
        ("*", True),
        ("~/rm", False),
        ("`a`", True),
        ('"$(a)"', False),
        ("${IFS}", True),
        ('{"}",rm}', True),
    ],
)
def test_what_only_the_shell_knows_is_unknown(raw: str, *, splits: bool) -> None:
    word = first(f"{raw} x")
    assert (word.value, word.splits) == (None, splits)


@pytest.mark.parametrize(
    ("raw", "program"),
    [
        ("/bin/rm", "rm"),
        ("~/bin/rm", "rm"),
        ('"$HOME/bin/rm"', "rm"),
        ("$HOME/bin/rm", None),
        ('"$X"', None),
        ('"$X/"', None),
        ("./$X", None),
    ],
)
def test_the_program_of_a_word_is_known_by_its_end(raw: str, program: str | None) -> None:
    assert first(f"{raw} x").program == program


@given(st.text(st.sampled_from("ab\\'\"x01u$ \n?\t") | st.characters(codec="ascii", min_codepoint=32), max_size=12))
def test_bash_takes_a_known_word_for_the_same_text(text: str) -> None:
    """The shell is the judge, where it accepts the word."""
    for quoted in (f"'{text}'", f'"{text}"', f"$'{text}'"):
        reading = read(f"printf %s {quoted}")
        words = reading.commands[0].words if reading.commands else ()
        # What ends the quotes might do anything.
        if reading.trouble or len(reading.commands) != 1 or len(words) != 3 or words[2].raw != quoted:
            continue
        if words[2].value is not None and quoted[1:].count(quoted[-1]) == 1:
            ran = subprocess.run(["bash", "-c", f"printf %s {quoted}"], capture_output=True, timeout=30, check=True)
            assert os.fsdecode(ran.stdout) == words[2].value
