"""The sentences about files that cannot be used."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.ports import files as port
from mmtools.ports.files import FileProblem, IsDirectory, Missing, Place
from mmtools.tools.wording import files as wording

PLACE = Place("src/a.txt", "/repo/src/a.txt")
PROBLEMS = FileProblem.__subclasses__()


@pytest.mark.parametrize(
    ("writer", "advice"),
    [("write_file", "Create it with write_file"), ("write", "Create it with write"), (None, "Check the path")],
)
def test_a_dialects_own_tool_is_named_for_a_missing_file(writer: str | None, advice: str) -> None:
    assert wording.problem(Missing(PLACE), writer=writer) == f"src/a.txt does not exist. {advice}"


@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_problem_has_a_sentence_of_its_own(kind: type[FileProblem]) -> None:
    text = wording.problem(kind(PLACE, "the reason"))
    assert "src/a.txt" in text
    assert "\n" not in text
    assert text != wording.problem(FileProblem(PLACE, "the reason"))
    others = [wording.problem(other(PLACE, "the reason")) for other in PROBLEMS if other is not kind]
    assert text not in others


@pytest.mark.parametrize("kind", PROBLEMS)
def test_every_sentence_reads_well_without_a_reason(kind: type[FileProblem]) -> None:
    text = wording.problem(kind(PLACE))
    assert "()" not in text
    assert "  " not in text


@pytest.mark.parametrize(
    "kind",
    [port.BadPath, port.NotRegularFile, port.ParentNotDirectory, port.AccessDenied, port.TooLarge, port.WriteFailed],
)
def test_the_systems_reason_is_told(kind: type[FileProblem]) -> None:
    assert "Disk on fire" in wording.problem(kind(PLACE, "Disk on fire"))


def test_a_way_out_of_the_roots_shows_where_it_leads() -> None:
    text = wording.problem(port.OutsideRoots(Place("link/k.txt", "/elsewhere/k.txt")))
    assert "link/k.txt leads to /elsewhere/k.txt, which is outside" in text
    text = wording.problem(port.OutsideRoots(Place("/elsewhere/k.txt", "/elsewhere/k.txt")))
    assert text.count("/elsewhere/k.txt") == 1


def test_an_impossible_path_is_quoted_and_shortened() -> None:
    assert wording.problem(port.BadPath(Place("", ""), "the path is empty")).startswith('"" cannot be a path')
    assert '"a\\u0000b"' in wording.problem(port.BadPath(Place("a\0b", "a\0b")))
    assert len(wording.problem(port.BadPath(Place("x" * 10**6, "")))) < 400


@given(
    st.sampled_from(PROBLEMS), st.text(st.characters()), st.text(st.characters()), st.lists(st.text(st.characters()))
)
def test_every_sentence_can_be_sent(kind: type[FileProblem], shown: str, reason: str, beside: list[str]) -> None:
    text = wording.problem(kind(Place(shown, f"/repo/{shown}"), reason), offers=beside)
    assert text.strip()
    text.encode("utf-8")


def test_what_cannot_be_seen_in_an_offer_is_spelled_as_json() -> None:
    problem = Missing(Place("d2/at 2.06 PM.png", "/repo/d2/at 2.06 PM.png"))
    text = wording.problem(problem, offers=["d2/at 2.06\u202fPM.png"])
    spelled = text.split("(in JSON: ")[1].removesuffix(")")
    assert spelled == '"d2/at 2.06\\u202fPM.png"'
    assert json.loads(spelled) == "d2/at 2.06\u202fPM.png"


@given(st.text(st.sampled_from('aé漢\u0301\u00a0"\\'), min_size=1, max_size=8))
def test_a_spelled_offer_is_the_name_on_disk(name: str) -> None:
    on_disk = unicodedata.normalize("NFD", name)
    sent = unicodedata.normalize("NFC", name)
    text = wording.problem(Missing(Place(sent, f"/repo/{sent}")), offers=[on_disk])
    if "(in JSON: " in text:
        assert json.loads(text.split("(in JSON: ")[1].removesuffix(")")) == on_disk


def test_what_may_be_meant_is_offered_below() -> None:
    problem = Missing(Place("a.txt", "/repo/a.txt"))
    assert wording.problem(problem, offers=["A.txt", "d/a.txt"], writer="write_file") == (
        "a.txt does not exist. Create it with write_file\ndid you mean A.txt or d/a.txt"
    )


def test_a_directory_shows_its_first_names() -> None:
    problem = IsDirectory(Place("d", "/repo/d"))
    sentence = "d is a directory, not a file. Send the path of a file in it"
    assert wording.problem(problem) == sentence
    assert wording.problem(problem, entries=["a", "b c"]) == f"{sentence}\n[in it: a, b c]"
    many = [f"{number:02}" for number in range(12)]
    assert wording.problem(problem, entries=many) == f"{sentence}\n[in it: {', '.join(many[:10])}, 2 more]"


def test_binary_data_is_told_with_kind_and_size() -> None:
    text = wording.not_text("x.bin", size=12, mime_type="image/png")
    assert text.startswith("x.bin is not text: image/png, 12 bytes. ")
    assert wording.not_text("x.bin", size=12).startswith("x.bin is not text: binary data, 12 bytes. ")
