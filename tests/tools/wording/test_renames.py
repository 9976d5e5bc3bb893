"""Why a rename is not made is told with the next step."""

from __future__ import annotations

import typing

import pytest

from mmtools.call import FileChange
from mmtools.core.edits import NotText, Overlapping, Unencodable
from mmtools.core.lsp.languages import language
from mmtools.core.lsp.names import NameFlaw
from mmtools.core.lsp.positions import LineColumn
from mmtools.core.lsp.renames import Astray, Flaw, Outdated
from mmtools.core.lsp.symbols import Pointed
from mmtools.core.lsp.text_edits import StartsOutside
from mmtools.core.text import Binary
from mmtools.ports.files import Place, Replaced, Snapshot, WriteFailed
from mmtools.tools.wording import renames
from mmtools.tools.wording.lsp import Question
from mmtools.tools.wording.renames import Renamed
from tests.tools.asked import TERMS

FLAWS: list[Flaw] = [
    Binary(7),
    NotText((0,)),
    Outdated(),
    Astray(LineColumn(3, 5), "other", "new"),
    Astray(LineColumn(3, 5), "", "new"),
    StartsOutside(0, 9, 2),
    Overlapping(1, 0),
    Unencodable(0, 0),
]


def renamed(path: str, edits: int = 1, links: int = 1) -> Renamed:
    place = Place(path, f"/repo/{path}")
    change = FileChange(path=place.path, shown=path, before=b"old", after=b"new")
    return Renamed(before=Snapshot(place=place, data=b"old", links=links), change=change, edits=edits, line=1)


@pytest.mark.parametrize("flaw", FLAWS, ids=repr)
def test_every_flaw_names_the_file_in_a_sentence_of_its_own(flaw: Flaw) -> None:
    text = renames.flawed(flaw, "a.go", "gopls", TERMS)
    assert "a.go" in text
    assert [renames.flawed(other, "a.go", "gopls", TERMS) for other in FLAWS].count(text) == 1
    assert {type(each) for each in FLAWS} == set(typing.get_args(Flaw))


@pytest.mark.parametrize("flaw", NameFlaw)
def test_every_flaw_of_a_name_repeats_it_in_part(flaw: NameFlaw) -> None:
    text = renames.unfit_name(flaw, "x" * 1_000, language("a.go"), TERMS)
    assert '"xxx' in text
    assert len(text) < 300


@pytest.mark.parametrize(
    ("pointed", "where"),
    [
        (Pointed(symbol="greet", line=3, column=4), '"symbol": "greet"'),
        (Pointed(line=3, column=4), '"line": 3, "column": 4'),
        (Pointed(line=3), '"symbol": "<the identifier>"'),
    ],
)
def test_the_call_to_repeat_points_as_it_was_sent(pointed: Pointed, where: str) -> None:
    text = renames.name_needed(Question(action="rename", path='a "b".go', pointed=pointed), TERMS)
    assert text == (
        'rename needs new_name — call lsp again with {"action": "rename", "path": "a \\"b\\".go", '
        f'{where}, "new_name": "<the new identifier>"}}; do not use edit_file for a rename'
    )


def test_files_that_were_written_in_place_say_so() -> None:
    told = renames.renamed(
        "hello", [renamed("a.go", 2), renamed("b.go", links=3)], [Replaced(), Replaced(in_place=True)], max_chars=1_000
    )
    assert told.text == (
        "renamed to hello: 3 edit(s) in 2 file(s)\n"
        "a.go: 2 edit(s)\n"
        "b.go: 1 edit(s); written in place, under all 3 names of the file"
    )


def test_what_was_put_back_is_counted_and_what_was_not_is_named() -> None:
    failed = WriteFailed(Place("c.go", "/repo/c.go"), "no space")
    whole = renames.not_written(failed, 2, [], TERMS)
    assert whole.startswith("[lsp: nothing was renamed: c.go could not be written (no space)")
    assert "2 file(s) written before it are as they were" in whole
    assert "written before it" not in renames.not_written(failed, 0, [], TERMS)
    stuck = [WriteFailed(Place(f"{number}.go", f"/repo/{number}.go")) for number in range(30)]
    text = renames.not_written(failed, 1, stuck, TERMS)
    assert "30 file(s) hold the new name" in text
    assert text.count("\n- ") == 21
    assert text.endswith("\n- and 10 more")


def test_of_many_files_to_be_read_first_some_are_named() -> None:
    assert renames.not_fresh(["a.go was not read yet"]) == "a.go was not read yet"
    text = renames.not_fresh([f"{number}.go was not read yet" for number in range(30)])
    assert len(text.splitlines()) == 21
    assert text.endswith("and 10 more files were not read as they are now")
