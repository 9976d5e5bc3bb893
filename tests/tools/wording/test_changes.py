"""Questions and answers about a change: scopes, cuts, notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import FileChange
from mmtools.core import diffs
from mmtools.ports.files import Place, Replaced, Snapshot
from mmtools.testing.strategies import texts
from mmtools.tools.wording import changes
from mmtools.tools.wording.answer import Answer
from mmtools.tools.wording.changes import PlannedChange


@given(texts(max_pieces=30), texts(max_pieces=30), st.integers(0, 120))
def test_what_fits_is_whole_and_what_does_not_is_cut_after_a_line(old: str, new: str, max_chars: int) -> None:
    diff = diffs.between(old, new)
    rendered = "\n".join(["head", *diffs.rendered(diff)]) if diff.hunks else "head"
    told = changes.with_diff("head", diff, max_chars=max_chars, rest="read it")
    if len(rendered) <= max_chars or not diff.hunks:
        assert told == Answer(rendered)
        return
    kept, _, note = told.text.rpartition("\n")
    assert told.truncated
    assert kept == "head" or len(kept) <= max_chars
    assert rendered.startswith(f"{kept}\n")
    assert note.startswith("[… ")
    assert note.endswith("; read it]")


def test_the_number_of_lines_left_out_is_right() -> None:
    diff = diffs.between("".join(f"{n}\n" for n in range(50)), "x\n")
    told = changes.with_diff("head", diff, max_chars=40, rest="read it")
    shown = told.text.count("\n-")
    assert f"[… {51 - shown} more lines of the diff are not shown; read it]" in told.text


def test_very_long_lines_are_cut_around_their_change() -> None:
    before, after = "a" * 9_000 + "B" + "c" * 9_000, "a" * 9_000 + "D" + "c" * 9_000
    told = changes.with_diff("head", diffs.between(before + "\nsame\n", after + "\nsame\n"), max_chars=30_000, rest="")
    _, removed, added, same = told.text.split("\n")
    assert "aaBcc" in removed
    assert "aaDcc" in added
    assert removed.startswith("-1 [… 8800 characters]a")
    assert removed.endswith("c[7201 characters …]")
    assert same == " 2 same"
    assert told.truncated


def test_a_very_long_new_line_is_shown_from_its_start() -> None:
    told = changes.with_diff("head", diffs.between("", "x" * 5_000), max_chars=30_000, rest="")
    assert told.text == f"head\n+1 {'x' * 2_000}[3000 characters …]\n\\ No newline at end of file"


def planned(path: str, *, title: str = "edit f", outside: bool = False, links: int = 1) -> PlannedChange:
    place = Place(path, path, outside_roots=outside)
    return PlannedChange(
        before=Snapshot(place=place, data=b"a", links=links),
        change=FileChange(path=path, shown="f", before=b"a", after=b"b"),
        diff=diffs.between("a", "b"),
        title=title,
        done="edited",
        summary="f: 1 edit(s)",
        line=1,
    )


def test_a_grant_reaches_all_files_inside_but_only_one_outside() -> None:
    inside = changes.proposal(planned("/r/f"), root="/r", refusal="no")
    other = changes.proposal(planned("/r/g", title="create g"), root="/r", refusal="no")
    elsewhere = changes.proposal(planned("/r/f"), root="/q", refusal="no")
    outside = changes.proposal(planned("/x/f", outside=True), root="/r", refusal="no")
    assert inside.scope == other.scope
    assert inside.scope.words == "every file change under /r"
    assert (inside.title, other.title, inside.refusal, inside.paths) == ("edit f", "create g", "no", ("/r/f",))
    assert elsewhere.scope.words == "every change of /r/f"
    assert outside.scope.key not in (inside.scope.key, changes.reading(Place("f", "/x/f"), "no").scope.key)
    assert outside.title == "edit f outside the working directory: /x/f"
    assert changes.reading(Place("f", "/x/f"), "no").title == "read outside the working directory: /x/f"


def test_what_was_done_and_what_would_be_differ_in_their_first_words_alone() -> None:
    made = changes.made(planned("/r/f", links=2), Replaced(in_place=True), max_chars=30_000)
    foretold = changes.foretold(planned("/r/f"), max_chars=30_000)
    headline, _, rest = made.text.partition("\n")
    assert headline == "edited f: 1 edit(s); written in place, under all 2 names of the file"
    assert foretold.text == f"dry run, nothing written: f: 1 edit(s)\n{rest}"
    assert changes.made(planned("/r/f"), Replaced(), max_chars=15).text.endswith(
        "; read the file to see what it holds]"
    )
    assert changes.foretold(planned("/r/f"), max_chars=15).text.endswith("; send fewer edits to see more of each]")


@pytest.mark.parametrize(
    ("links", "replaced", "note"),
    [
        (1, False, None),
        (3, True, "written in place, under all 3 names of the file"),
        (1, True, "written in place"),
    ],
)
def test_writing_in_place_is_told(links: int, replaced: bool, note: str | None) -> None:
    before = Snapshot(place=Place("f", "/r/f"), data=b"", links=links)
    assert changes.in_place(before, Replaced(in_place=replaced)) == note


def test_notes_are_joined_and_missing_ones_left_out() -> None:
    assert changes.notes(None, "a", None, "b") == "; a; b"
    assert changes.notes(None) == ""
