"""The strategies reach what they promise, and nothing else."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from mmtools.core.text import Binary, LegacyText, Text, decode
from mmtools.testing.conformance.edits import MustRefuse, expected_result
from mmtools.testing.strategies import (
    Edits,
    applicable_edits,
    command_lines,
    edit_lists,
    file_bytes,
    hostile_paths,
    paths,
    refused_edits,
    texts,
)
from tests.hypothesis_profiles import scaled

pytestmark = pytest.mark.slow

T = TypeVar("T")
PATIENT = settings(
    max_examples=3_000,
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def reached(strategy: st.SearchStrategy[T], wanted: Callable[[T], bool]) -> None:
    find(strategy, wanted, settings=PATIENT)


@given(texts())
def test_texts_can_be_encoded(text: str) -> None:
    text.encode("utf-8")


@pytest.mark.parametrize(
    "piece", ["\r\n", "a\r", "\r\r\n", "\v", "\f", "\x85", "\u2028", "\ufeff", "\u00a0", "\U0001f600", "$&", "e\u0301"]
)
def test_texts_hold_odd_line_ends_and_characters(piece: str) -> None:
    reached(texts(), lambda text: piece in text)


def test_texts_mix_line_ends() -> None:
    reached(
        texts(), lambda text: "\r\n" in text and "\n" in text.replace("\r\n", "") and "\r" in text.replace("\r\n", "")
    )


@pytest.mark.parametrize(
    "wanted",
    [
        lambda data: decode(data) == Text("", "utf-8", b"\xef\xbb\xbf"),
        lambda data: isinstance(decode(data), LegacyText),
        lambda data: isinstance(decode(data), Binary),
        lambda data: data.startswith(b"\xff\xfe") and isinstance(decode(data), Text),
        lambda data: data.startswith(b"\xfe\xff") and isinstance(decode(data), Text),
        lambda data: b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff")),
        lambda data: isinstance(decode(data, ["cp932"]), Text) and isinstance(decode(data), LegacyText),
    ],
)
def test_bytes_of_every_kind_occur(wanted: Callable[[bytes], bool]) -> None:
    reached(file_bytes(), wanted)


@given(applicable_edits())
def test_applicable_edits_apply_and_change_something(case: tuple[str, Edits]) -> None:
    text, edits = case
    assert edits
    assert isinstance(expected_result(text, edits, newlines="view"), str)
    for edit in edits:
        assert expected_result(text, [edit], newlines="view") != text


def test_applicable_edits_come_in_numbers_and_out_of_order() -> None:
    reached(
        applicable_edits(), lambda case: len(case[1]) >= 3 and case[0].find(case[1][0][0]) > case[0].find(case[1][1][0])
    )


@given(refused_edits())
def test_refused_edits_hold_a_bad_one(case: tuple[str, Edits]) -> None:
    text, edits = case
    expected = expected_result(text, edits, newlines="view")
    assert isinstance(expected, MustRefuse) or any(old == new for old, new in edits)


@given(texts(), st.data())
def test_edit_lists_stay_within_their_length(text: str, drawn: st.DataObject) -> None:
    assert len(drawn.draw(edit_lists(text, max_edits=2))) <= 2


@pytest.mark.parametrize("kind", [str, MustRefuse])
def test_edit_lists_apply_or_do_not(kind: type) -> None:
    text = "ab\r\naa\n"
    reached(edit_lists(text), lambda edits: len(edits) > 1 and isinstance(expected_result(text, edits), kind))


@given(paths())
def test_paths_stay_inside(path: str) -> None:
    pure = PurePosixPath(path)
    assert not pure.is_absolute()
    assert ".." not in pure.parts
    assert "\0" not in path
    assert not path.startswith("~/")


@given(hostile_paths())
def test_hostile_paths_lead_out_or_nowhere(path: str) -> None:
    leads_out = os.path.isabs(path) or os.path.normpath(path).split("/")[0] == ".." or path.startswith("~/")
    impossible = (
        not path or "\0" in path or max(map(len, path.split("/"))) > 255 or len(path) > 4096 or "\udcff" in path
    )
    assert leads_out or impossible


@scaled(40)
@given(line=command_lines())
def test_command_lines_are_whole_and_harmless(line: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    directory: Path = tmp_path_factory.mktemp("empty")
    done = subprocess.run(
        ["bash", "-c", line], cwd=directory, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, check=False
    )
    assert b"syntax error" not in done.stderr
    assert list(directory.iterdir()) == []


@pytest.mark.parametrize("piece", [" | ", " && ", "$(", "{ ", "> /dev/null", "\n", "# "])
def test_command_lines_take_every_shape(piece: str) -> None:
    reached(command_lines(), lambda line: piece in line)
