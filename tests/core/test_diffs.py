"""Rendered diffs lose nothing: GNU patch and git make the new view out of the old one and the diff."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmtools.core import diffs
from mmtools.core.diffs import Diff, Run, Sign
from mmtools.core.edits import Applied, Replacement, Span, resolve
from mmtools.core.text import view
from tests.hypothesis_profiles import scaled

PIECES = [
    "a",
    "b",
    "a",
    "\n",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\r\r\n",
    "\f",
    "é",
    "😀",
    "\u2028",
    " ",
    "...",
    "\\ No",
    "-",
    "+",
    "\0",
]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "d\r\n"]), max_size=60).map("".join)
EITHER = TEXTS | LINES
NO_NEWLINE = "\\ No newline at end of file"


@st.composite
def spans_of(draw: st.DrawFn, text: str) -> tuple[Span, ...]:
    """Disjoint spans in order; two may touch."""
    bounds = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8).filter(lambda some: len(some) % 2 == 0)))
    pieces = [draw(TEXTS) for _ in bounds[::2]]
    return tuple(Span(*pair) for pair in zip(bounds[::2], bounds[1::2], pieces, range(len(pieces)), strict=True))


def spliced(text: str, spans: Sequence[Span]) -> str:
    for span in reversed(spans):
        text = text[: span.start] + span.new + text[span.end :]
    return text


def parse(rendered: str) -> list[list[tuple[str, int, str]]]:
    """Read the documented form back: hunks of (sign, number, text with its newline)."""
    hunks: list[list[tuple[str, int, str]]] = []
    for line in rendered.split("\n") if rendered else []:
        if line == "...":
            hunks.append([])
        elif line == NO_NEWLINE:
            sign, number, text = hunks[-1][-1]
            hunks[-1][-1] = (sign, number, text.removesuffix("\n"))
        else:
            parts = re.fullmatch(r"([-+ ])( *\d+) (.*)", line, re.DOTALL)
            assert parts, line
            hunks[-1:] = hunks[-1:] or [[]]
            hunks[-1].append((parts[1], int(parts[2]), parts[3] + "\n"))
    return hunks


def unified(rendered: str) -> bytes:
    """Turn the documented form into a unified diff of a file `f`."""
    out, shift = ["--- f\n+++ f\n"], 0
    for hunk in parse(rendered):
        removed, added = (sum(sign in signs for sign, _, _ in hunk) for signs in ("- ", "+ "))
        sign, number, _ = hunk[0]
        old = number if sign == "-" else number - shift
        new = old + shift
        out.append(f"@@ -{old if removed else old - 1},{removed} +{new if added else new - 1},{added} @@\n")
        for sign, _, text in hunk:
            out.append(sign + (text if text.endswith("\n") else f"{text}\n{NO_NEWLINE}\n"))
        shift += added - removed
    return "".join(out).encode()


def applied(old: str, rendered: str) -> str:
    """Make the new view from the old one and the rendered diff, checking every number on the way."""
    lines = [line for line in re.split(r"(?<=\n)", view(old)) if line]
    out: list[str] = []
    at = 0
    for hunk in parse(rendered):
        sign, number, _ = hunk[0]
        start = number - 1 if sign == "-" else at + number - 1 - len(out)
        out += lines[at:start]
        at = start
        for sign, number, text in hunk:
            if sign == "+":
                assert number == len(out) + 1
                out.append(text)
                continue
            assert lines[at] == text
            at += 1
            if sign == " ":
                assert number == len(out) + 1
                out.append(text)
            else:
                assert number == at
    return "".join([*out, *lines[at:]])


def check(diff: Diff, old: str, new: str) -> None:
    rendered = diffs.render(diff)
    assert applied(old, rendered) == view(new)
    signs = [sign for hunk in parse(rendered) for sign, _, _ in hunk]
    assert (diff.added, diff.deleted) == (signs.count("+"), signs.count("-"))
    assert (diff.first_line is None) == (view(old) == view(new)) == (rendered == "")
    changed = [number for hunk in parse(rendered) for sign, number, _ in hunk if sign != " "]
    assert diff.first_line == (changed[0] if changed else None)


@given(EITHER, EITHER, st.integers(0, 4))
def test_the_new_view_can_be_made_from_the_old_one_and_the_diff(old: str, new: str, context: int) -> None:
    check(diffs.between(old, new, context), old, new)


@given(st.data(), EITHER, st.integers(0, 4))
def test_the_diff_of_spans_is_a_diff_of_the_spliced_text(data: st.DataObject, old: str, context: int) -> None:
    spans = data.draw(spans_of(old))
    check(diffs.from_spans(old, spans, context), old, spliced(old, spans))


@given(EITHER)
def test_no_change_is_no_diff(text: str) -> None:
    nothing = Diff(hunks=(), added=0, deleted=0, first_line=None)
    assert diffs.between(text, text) == diffs.from_spans(text, ()) == nothing
    assert diffs.render(nothing) == ""


@settings(scaled(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=TEXTS, new=TEXTS)
@pytest.mark.parametrize("tool", [pytest.param(name, marks=pytest.mark.needs(name)) for name in ("patch", "git")])
def test_patch_and_git_make_exactly_the_new_view(tmp_path: Path, tool: str, old: str, new: str) -> None:
    old, new = old.replace("\0", "0"), new.replace("\0", "0")
    rendered = diffs.render(diffs.between(old, new))
    if not rendered or (tool == "git" and not (old and new)):
        return  # git takes a diff from or to nothing as one that makes or removes the file
    file = tmp_path / "f"
    file.write_bytes(view(old).encode())
    command = {
        "patch": ["patch", "--binary", "--fuzz=0", "--posix", "-s", "f"],
        "git": ["git", "-c", "core.autocrlf=false", "apply", "-p0", "--whitespace=nowarn", "-"],
    }[tool]
    done = subprocess.run(command, cwd=tmp_path, input=unified(rendered), capture_output=True, check=False)
    assert done.returncode == 0, done
    assert file.read_bytes() == view(new).encode()


@pytest.mark.parametrize(
    ("old", "new", "rendered"),
    [
        pytest.param("", "a\nb\n", "+1 a\n+2 b", id="from nothing"),
        pytest.param("a\nb\n", "", "-1 a\n-2 b", id="to nothing"),
        pytest.param("a", "a\n", f"-1 a\n{NO_NEWLINE}\n+1 a", id="a final newline comes"),
        pytest.param("a\nb", "a\nc", f" 1 a\n-2 b\n{NO_NEWLINE}\n+2 c\n{NO_NEWLINE}", id="none before and after"),
        pytest.param(
            "a\rb\fc\u2028\nd\n", "a\rB\fc\u2028\nd\n", "-1 a\rb\fc\u2028\n+1 a\rB\fc\u2028\n 2 d", id="one line"
        ),
        pytest.param("a\r\nb\r\n", "a\nc\r\n", " 1 a\n-2 b\n+2 c", id="a changed line ending is not shown"),
        pytest.param(
            "".join(f"{n}\n" for n in range(1, 31)),
            "".join(f"{n}\n" for n in range(1, 31) if n != 5).replace("20\n", "x\ny\n"),
            "  2 2\n  3 3\n  4 4\n- 5 5\n  5 6\n  6 7\n  7 8\n...\n"
            " 16 17\n 17 18\n 18 19\n-20 20\n+19 x\n+20 y\n 21 21\n 22 22\n 23 23",
            id="two hunks, old numbers for removed lines, new ones for the rest",
        ),
    ],
)
def test_the_form_is_as_documented(old: str, new: str, rendered: str) -> None:
    assert diffs.render(diffs.between(old, new)) == rendered


@pytest.mark.parametrize(("distance", "hunks"), [(6, 1), (7, 1), (8, 2)])
def test_changes_share_a_hunk_when_no_line_is_left_out_between_them(distance: int, hunks: int) -> None:
    old = [f"{n}\n" for n in range(30)]
    new = list(old)
    new[10], new[10 + distance] = "x\n", "y\n"
    assert len(diffs.between("".join(old), "".join(new)).hunks) == hunks


def test_lines_that_an_edit_repeats_inside_are_not_shown_as_changed() -> None:
    text = "".join(f"line {n}\n" for n in range(20))
    old = "".join(f"line {n}\n" for n in range(5, 12))
    new = old.replace("line 6\n", "").replace("line 10", "ten")
    result = resolve(text, [Replacement(old, new)])
    assert isinstance(result, Applied)
    diff = diffs.from_spans(text, result.spans)
    assert (diff.added, diff.deleted, diff.first_line) == (1, 2, 7)
    assert diff == diffs.between(text, result.text)


def test_two_insertions_at_one_place_after_the_last_line_make_one_line() -> None:
    diff = diffs.from_spans("a\n", [Span(2, 2, "x", 0), Span(2, 2, "y", 1)])
    assert diffs.render(diff) == f" 1 a\n+2 xy\n{NO_NEWLINE}"


def test_a_hunk_says_where_it_stands_in_both_texts() -> None:
    old = "".join(f"{n}\n" for n in range(40))
    new = old.replace("5\n", "", 1).replace("30\n", "x\ny\n")
    first, second = diffs.between(old, new, context=1).hunks
    assert (first.old_line, first.new_line) == (5, 5)
    assert (second.old_line, second.new_line) == (30, 29)
    assert second.runs == (
        Run(Sign.KEPT, ("29\n",)),
        Run(Sign.REMOVED, ("30\n",)),
        Run(Sign.ADDED, ("x\n", "y\n")),
        Run(Sign.KEPT, ("31\n",)),
    )
