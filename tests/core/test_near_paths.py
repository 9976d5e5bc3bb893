"""Which paths somebody may have meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.near_paths import elsewhere, twins


@pytest.mark.parametrize(
    ("sent", "on_disk"),
    [
        ("at 2.06 PM.png", "at 2.06\u202fPM.png"),
        ("in put.txt", "in\u00a0put.txt"),
        ("in\u00a0put.txt", "in put.txt"),
        ("caf\u00e9.md", "cafe\u0301.md"),
        ("cafe\u0301.md", "caf\u00e9.md"),
        ("readme.md", "README.md"),
        ("Strasse.txt", "straße.txt"),
        ("it's.txt", "it’s.txt"),
        ('"a".txt', "“a”.txt"),
        ("a-b.txt", "a–b.txt"),
        ("a-b.txt", "a\u2011b.txt"),
        ("ab.txt", "a\u200bb.txt"),
        ("ａ.txt", "a.txt"),
    ],
)
def test_a_name_that_only_looks_like_the_missing_one_is_its_twin(sent: str, on_disk: str) -> None:
    assert twins(sent, ["other.txt", on_disk, "x"]) == [on_disk]


def test_names_that_differ_in_letters_are_no_twins() -> None:
    assert twins("a.txt", ["b.txt", "a.tx", "aa.txt", "a.txt"]) == []


@pytest.mark.parametrize(
    ("wanted", "known", "found"),
    [
        ("keys.py", ["setup.py", "src/cachetools/keys.py"], ["src/cachetools/keys.py"]),
        ("cachetools/keys.py", ["keys.py", "src/cachetools/keys.py"], ["src/cachetools/keys.py", "keys.py"]),
        ("repo/src/a.py", ["a.py", "src/a.py"], ["src/a.py", "a.py"]),
        ("src/Keys.py", ["docs/keys.py", "src/lib/keys.py"], ["src/lib/keys.py", "docs/keys.py"]),
        ("src/keyz.py", ["README.md", "src/keys.py"], ["src/keys.py"]),
        ("a.py", ["b.py", "c/d.py"], []),
        ("..", ["a"], []),
        ("", ["a"], []),
    ],
)
def test_the_same_name_elsewhere_comes_before_a_close_one(wanted: str, known: list[str], found: list[str]) -> None:
    assert elsewhere(wanted, known) == found


paths = st.lists(st.sampled_from(["a", "b", "src", "a.py", "Keys.py", "keys.py"]), min_size=1, max_size=4).map("/".join)


@given(paths, st.lists(paths, max_size=8, unique=True))
def test_only_what_is_known_is_found_and_a_file_moved_in_whole_directories_is_first(
    wanted: str, known: list[str]
) -> None:
    found = elsewhere(wanted, known)
    assert set(found) <= set(known)
    assert len(found) == len(set(found))
    moved = f"moved/{wanted}"
    others = [path for path in known if not f"/{path}".casefold().endswith(f"/{wanted}".casefold())]
    assert elsewhere(wanted, [*others, moved])[0] == moved
