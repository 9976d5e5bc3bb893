"""Paths and URIs, against pathlib and urllib."""

from __future__ import annotations

import os
from pathlib import PurePosixPath
from urllib.parse import quote, unquote_to_bytes

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp import uris
from mmtools.testing.strategies import hostile_paths, paths

NAMES = st.text(st.sampled_from("ab%25#?()[] é漢\U0001f600:;@&=+$,!*'\"~|\\<>^`{}\udcff"), min_size=1, max_size=8)
PATHS = paths().map(lambda path: os.path.normpath(f"/{path}")) | st.lists(NAMES, min_size=1, max_size=4).map(
    lambda names: "/" + "/".join(names)
)


@given(PATHS)
def test_a_path_is_spelt_as_pathlib_spells_it(path: str) -> None:
    assert uris.from_path(path) == PurePosixPath(path).as_uri()


@given(PATHS)
def test_a_path_comes_back_from_its_uri(path: str) -> None:
    assert uris.to_path(uris.from_path(path)) == path


@given(PATHS, st.sampled_from(["", "/", "/()", "/()!*'@:&=+$,;", "/ é漢\U0001f600"]), st.booleans())
def test_a_path_comes_back_from_however_it_is_spelt(path: str, safe: str, small: bool) -> None:
    if "\udcff" in path:
        return
    spelt = "".join(letter if letter in f"{safe}/" else quote(letter, safe="/") for letter in path)
    spelt = spelt if not small else "".join(part.lower() if part.startswith("%") else part for part in parted(spelt))
    assert uris.to_path(f"file://{spelt}") == path
    assert uris.to_path(f"file://localhost{spelt}") == path
    assert uris.to_path(f"FILE:{spelt}") == path


def parted(spelt: str) -> list[str]:
    """Each percent sign with its two digits, everything else alone."""
    found: list[str] = []
    at = 0
    while at < len(spelt):
        size = 3 if spelt[at] == "%" else 1
        found.append(spelt[at : at + size])
        at += size
    return found


@given(st.text(st.sampled_from("a/%25fFé #?\U0001f600"), max_size=12))
def test_decoding_is_done_once_as_urllib_does_it(spelt: str) -> None:
    assert uris.to_path(f"file:///{spelt}") == os.fsdecode(b"/" + unquote_to_bytes(spelt))


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/w/app/(auth)/my page#1.py", "file:///w/app/%28auth%29/my%20page%231.py"),
        ("/w/app/100%25.py", "file:///w/app/100%2525.py"),
        ("/w/what?.py", "file:///w/what%3F.py"),
        ("/w/né.py", "file:///w/n%C3%A9.py"),
        ("/c:/w/a.py", "file:///c%3A/w/a.py"),
    ],
)
def test_what_must_be_encoded_is(path: str, uri: str) -> None:
    """C53."""
    assert uris.from_path(path) == uri
    assert uris.to_path(uri) == path


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/app/(auth)/my%20page%231.py", "/w/app/(auth)/my page#1.py"),
        ("file:///w/app/(auth)/my page#1.py", "/w/app/(auth)/my page#1.py"),
        ("file:///w/a.py?x#y", "/w/a.py?x#y"),
        ("file:///w/100%.py", "/w/100%.py"),
        ("file:///w/%zz%2", "/w/%zz%2"),
        ("file:///w/%ff", "/w/\udcff"),
        ("file:/w/a.py", "/w/a.py"),
        ("file://other/w/a.py", None),
        ("file://w", None),
        ("file:w", None),
        ("untitled:Untitled-1", None),
        ("jdt://contents/rt.jar/java.lang/String.class", None),
        ("/w/a.py", None),
        ("file:///w/\0", None),
        ("file:///w/%00", None),
        ("file:///w/\ud800", None),
        ("", None),
    ],
)
def test_a_uri_is_the_file_it_names_or_none(uri: str, path: str | None) -> None:
    assert uris.to_path(uri) == path


@given(hostile_paths() | st.text(st.characters()))
def test_no_path_and_no_uri_is_too_odd(text: str) -> None:
    spelt = uris.from_path(text)
    assert spelt.isascii()
    assert spelt.startswith("file:")
    for uri in (text, f"file:///{text}", f"file://{text}", spelt):
        path = uris.to_path(uri)
        if path is not None:
            uris.key(path)


def test_a_path_that_no_file_can_have_gives_a_uri_that_leads_nowhere() -> None:
    uri = uris.from_path("/w/\ud800")
    assert uri == "file:///w/%ED%A0%80"
    assert uris.to_path(uri) != "/w/\ud800"


def test_two_spellings_of_one_file_have_one_key() -> None:
    """C53."""
    assert uris.key("/w/./x/../a.py") == uris.key("/w//a.py") == "/w/a.py"
    assert uris.key("/w/A.py") != uris.key("/w/a.py")
