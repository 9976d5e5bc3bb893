"""Path arithmetic, against the standard library's."""

from __future__ import annotations

import os
import posixpath
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core import paths
from mmtools.core.paths import Flaw
from tests.hypothesis_profiles import scaled

NAMES = st.sampled_from(["a", "b", "a b", "é", "..", ".", "", "~", "...", "a.b", "*"])
RELATIVE = st.lists(NAMES, min_size=1, max_size=6).map("/".join)
ABSOLUTE = RELATIVE.map("/".__add__)


@given(ABSOLUTE)
def test_normalising_is_what_the_standard_library_does(path: str) -> None:
    assert paths.normalise(path) == "/" + posixpath.normpath(path).lstrip("/")


@given(ABSOLUTE)
def test_normalising_twice_changes_nothing(path: str) -> None:
    assert paths.normalise(paths.normalise(path)) == paths.normalise(path)


@given(RELATIVE | ABSOLUTE, ABSOLUTE.map(paths.normalise))
def test_joining_is_what_the_standard_library_does(path: str, base: str) -> None:
    if not path.startswith("~/"):
        joined = paths.join(path, base=base, home="/home/me")
        assert paths.normalise(joined) == paths.normalise(posixpath.join(base, path))


@given(RELATIVE)
def test_only_a_leading_tilde_and_slash_mean_home(path: str) -> None:
    at_home = paths.join(f"~/{path}", base="/repo", home="/home/me")
    assert paths.normalise(at_home) == paths.normalise(f"/home/me/{path}")
    for literal in ("~", f"~root/{path}", f"./~/{path}", f"a~/{path}"):
        assert paths.join(literal, base="/repo", home="/home/me") == f"/repo/{literal}"


@given(ABSOLUTE.map(paths.normalise), ABSOLUTE.map(paths.normalise))
def test_a_root_contains_what_has_its_names_first(root: str, path: str) -> None:
    assert paths.contains(root, path) == (posixpath.commonpath([root, path]) == root)


@pytest.mark.parametrize("evil", ["/ws-evil", "/ws-evil/x", "/wss", "/w", "/", "/ws.", "/WS", "/ws ", "/x/ws"])
def test_a_name_that_starts_alike_is_not_inside(evil: str) -> None:
    assert not paths.contains("/ws", evil)


@given(ABSOLUTE.map(paths.normalise), RELATIVE)
def test_the_display_form_leads_back(root: str, path: str) -> None:
    whole = paths.normalise(f"{root}/{path}")
    shown = paths.relative(whole, ["/elsewhere", root])
    assert (
        paths.normalise(paths.join(f"./{shown}" if not shown.startswith("/") else shown, base=root, home="")) == whole
    )
    assert not paths.contains(root, whole) or not shown.startswith("/")


def test_the_root_itself_is_shown_as_a_dot() -> None:
    assert paths.relative("/repo", ["/repo"]) == "."
    assert paths.relative("/", ["/"]) == "."
    assert paths.relative("/repo-evil", ["/repo"]) == "/repo-evil"


@given(st.text())
def test_a_flaw_is_what_the_system_would_not_take(path: str) -> None:
    assert paths.flaw(path) == (Flaw.EMPTY if not path else Flaw.NUL if "\0" in path else None)


@given(st.text(), st.text(st.characters(categories=["Cs"]), min_size=1), st.text())
def test_what_has_no_utf8_form_is_a_flaw(before: str, surrogates: str, after: str) -> None:
    escaped = all("\udc80" <= surrogate <= "\udcff" for surrogate in surrogates)
    path = before.replace("\0", "") + surrogates + after.replace("\0", "")
    assert paths.flaw(path) is (Flaw.NOT_UTF8 if escaped else Flaw.UNENCODABLE)


BYTES = st.lists(
    st.sampled_from([b"\xe9", b"\xff", b"a", b" ", b"'", b'"', b"$(touch ran)", b";", b"*", b"[", b"~", b"\\", b"-", b"\xc3\xa9", b"\n"]),
    min_size=1, max_size=6,
).map(b"".join)  # fmt: skip


@pytest.mark.needs("bash")
@scaled(60)
@given(BYTES)
def test_a_shell_takes_the_pattern_of_a_name_that_is_not_utf8_for_that_name(
    tmp_path_factory: pytest.TempPathFactory, name: bytes
) -> None:
    path = name.decode("utf-8", "surrogateescape")
    pattern = paths.undecodable(path)
    is_utf8 = path.encode("utf-8", "replace") == name
    assert (pattern is None) is (is_utf8 or b"\n" in name)
    if pattern is None or name.startswith(b"-"):
        return
    folder = tmp_path_factory.mktemp("names")
    (folder / path).touch()
    told = subprocess.run(["bash", "-c", f"printf '%s\\0' {pattern}"], cwd=folder, capture_output=True, check=True)
    assert told.stdout == name + b"\0"
    assert os.listdir(folder) == [path]


@pytest.mark.parametrize("path", ["a/", "a//", "/", ".", "..", "a/.", "a/..", "./"])
def test_the_end_tells_that_a_directory_is_meant(path: str) -> None:
    assert paths.names_directory(path)


@pytest.mark.parametrize("path", ["a", "a/b", "...", ".a", "a.", "a/...", "a/.b", "..a"])
def test_dots_in_a_name_do_not_mean_a_directory(path: str) -> None:
    assert not paths.names_directory(path)


def test_lengths_are_counted_in_bytes() -> None:
    assert not paths.too_long("/" + "x" * 255)
    assert paths.too_long("/" + "x" * 256)
    assert not paths.too_long("/" + "é" * 127)
    assert paths.too_long("/" + "é" * 128 + "/a")
    assert not paths.too_long("/x" * 2047 + "y")
    assert paths.too_long("/x" * 2048)
