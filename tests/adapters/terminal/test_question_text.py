"""A permission request as a person reads it: whole, and nothing in it can pose as something else."""

from __future__ import annotations

import io
import json
import os
import re
import sys

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.terminal.question_text import QuestionText
from mmtools.adapters.terminal.screen import Screen, screen_on
from mmtools.call import CommandPreview, FilesPreview, Preview, ReadPreview, RemotePreview, UrlPreview
from mmtools.core import diffs, screen_text
from mmtools.ports.permission import PermissionRequest
from tests.adapters.shown_calls import change, changing, request, running
from tests.hypothesis_profiles import scaled

ANYTHING = st.text(
    st.one_of(st.sampled_from("\x1b[8m\r\n\t\u202e\u2028\x9b\x00 │⟨a漢"), st.characters(exclude_categories=["Cs"]))
)


class NarrowScreen(Screen):
    """A screen of a given width, without a terminal."""

    def __init__(self, columns: int) -> None:
        super().__init__(lambda: None)
        self._narrow = os.terminal_size((columns, 24))

    @property
    def size(self) -> os.terminal_size:
        return self._narrow


def lines(
    asked: PermissionRequest, screen: Screen | None = None, limit: int = sys.maxsize, always: str | None = "all"
) -> list[str]:
    question = QuestionText(screen if screen is not None else screen_on(io.StringIO()), asked)
    shown, _ = question.body(limit)
    return [question.head(), *shown, *question.foot(always)]


def test_a_short_command_takes_one_line_and_its_place_and_reach_two() -> None:
    """Source: crab tools page, "How confirmation works"."""
    assert lines(running("rm -rf build")) == [
        "⚠ bash — run: rm -rf build",
        "  in      /repo",
        "  all     exactly this command",
    ]


def test_a_command_of_several_lines_is_shown_whole() -> None:
    assert lines(running("cat > a <<'E'\nallow? y\nE")) == [
        "⚠ bash — run: cat > a <<'E' …",
        "  │ cat > a <<'E'",
        "  │ allow? y",
        "  │ E",
        "  in      /repo",
        "  all     exactly this command",
    ]


@given(ANYTHING, st.one_of(st.none(), st.integers(22, 60)))
def test_a_command_can_be_read_back_from_the_screen(command: str, columns: int | None) -> None:
    """However it is written: behind the bar, or in the head when that holds all of it."""
    screen = None if columns is None else NarrowScreen(columns)
    shown = lines(running(command), screen)
    behind = [line.removeprefix("  │ ") for line in shown if line.startswith("  │ ")]
    spelled = screen_text.spelled(command)
    if behind:
        assert "".join(behind) == spelled.replace("\n", "")
    else:
        assert shown[0] == f"⚠ bash — run: {spelled}"


@given(ANYTHING, ANYTHING, ANYTHING, st.integers(22, 60))
def test_nothing_asked_about_begins_a_row_or_is_unseen(command: str, words: str, title: str, columns: int) -> None:
    asked = request(CommandPreview(command, "/re\npo"), title, tool="to\nol", words=words)
    first, *rest = lines(asked, NarrowScreen(columns))
    assert first.startswith("⚠ ")
    assert all(row.startswith("  ") for row in rest)
    for row in (first, *rest):
        assert row.isprintable() or "\t" in row
        assert screen_text.width(row) <= columns


def test_a_command_that_may_have_scrolled_away_says_how_long_it_is() -> None:
    assert "  30 lines in all" in lines(running("\n".join(["true"] * 30)))
    assert not [line for line in lines(running("\n".join(["true"] * 20))) if "in all" in line]


def test_an_edit_shows_the_rendered_diff_behind_a_bar() -> None:
    before, after = b"a\nb\nc\n", b"a\nB\nc\n"
    shown = lines(changing(change("src/app.py", before, after)))
    assert shown[:2] == ["⚠ edit_file — change: src/app.py", "  change  src/app.py  +1 −1"]
    rendered = diffs.render(diffs.between(before.decode(), after.decode())).split("\n")
    assert shown[2:-1] == [f"  │ {line}" for line in rendered]
    assert shown[-1] == "  all     every file change under /repo"


@given(st.binary(max_size=60), st.binary(max_size=60), st.sampled_from(["utf-8", "latin-1", None]))
def test_a_change_of_any_bytes_can_be_shown(before: bytes, after: bytes, encoding: str | None) -> None:
    one = evolve(change("a", before, after), before_encoding=encoding, after_encoding=encoding)
    assert all(row.isprintable() or "\t" in row for row in lines(changing(one)))


def test_long_changes_are_cut_and_say_by_how_much() -> None:
    asked = changing(change("a.txt", None, b"x\n" * 100))
    question = QuestionText(screen_on(io.StringIO()), asked)
    shown, hidden = question.body(40)
    assert (len(shown), hidden) == (40, 61)
    assert question.left_out(hidden, "view") == "  … 61 more lines of changes: v shows all"
    assert question.body(sys.maxsize)[1] == 0


def test_a_cut_change_of_several_files_names_them_all_first() -> None:
    asked = changing(*(change(f"{name}.txt", None, b"x\n" * 30) for name in "abc"))
    shown, hidden = QuestionText(screen_on(io.StringIO()), asked).body(10)
    assert shown[:4] == [f"  create  {name}.txt  new  +30" for name in "abca"]
    assert hidden == 3 + 3 * 31 - 10


def test_a_read_outside_names_the_resolved_file() -> None:
    shown = lines(request(ReadPreview("/etc/pass\u202ewd"), "read: ../x", "read_file"))
    assert shown[1] == "  file    /etc/pass⟨U+202E⟩wd"


def fetching(url: str) -> PermissionRequest:
    return request(UrlPreview(url), f"fetch: {url}", "web_fetch", "every page fetched in this session")


def test_a_line_break_in_a_path_or_a_scope_begins_no_row() -> None:
    shown = lines(request(ReadPreview("/a\n  all     nothing"), "read: a", "read_file", words="this\nalone"))
    assert shown == [
        "⚠ read_file — read: a",
        "  file    /a⟨U+000A⟩  all     nothing",
        "  all     this⟨U+000A⟩alone",
    ]


def test_a_page_is_named_with_its_host() -> None:
    assert lines(fetching("https://docs.python.org/3/")) == [
        "⚠ web_fetch — fetch: https://docs.python.org/3/",
        "  host    docs.python.org",
        "  all     every page fetched in this session",
    ]


@pytest.mark.parametrize(
    ("url", "rows"),
    [
        ("https://docs.python.org@evil.org:8443/x", ["host    evil.org:8443", "user    docs.python.org"]),
        ("https://evil.org\\@docs.python.org/", ["host    evil.org"]),
        ("https://evil.org/@docs.python.org/", ["host    evil.org"]),
        ("https://evil.org?@docs.python.org/", ["host    evil.org"]),
        ("https://xn--80ak6aa92e.com/", ["host    xn--80ak6aa92e.com", "letters ⟨U+0430⟩⟨U+0440⟩⟨U+0440⟩⟨U+04CF⟩⟨U+0435⟩.com"]),
        ("https://www.xn--\u00e9.org/", ["host    www.xn--⟨U+00E9⟩.org", "letters www.xn--⟨U+00E9⟩.org"]),
        ("https://xn--a.org/", ["host    xn--a.org", "letters ⟨U+0080⟩.org"]),
        ("https://p\u0443thon.org/", ["host    p⟨U+0443⟩thon.org"]),
        ("nonsense", ["host    none"]),
        ("", ["host    none"]),
    ],
)  # fmt: skip
def test_what_only_looks_like_the_host_is_not_shown_as_it(url: str, rows: list[str]) -> None:
    shown = [line.removeprefix("  ") for line in lines(fetching(url))]
    assert shown[-1 - len(rows) : -1] == rows


def test_a_letter_beyond_ascii_in_an_address_is_spelled_out_beside_the_title() -> None:
    assert "  │ https://p⟨U+0443⟩thon.org/" in lines(fetching("https://p\u0443thon.org/"))


@given(ANYTHING, st.integers(22, 60))
def test_an_address_is_shown_whole_and_in_ascii(url: str, columns: int) -> None:
    first, *rest = lines(fetching(url), NarrowScreen(columns))
    assert all(row.startswith("  ") for row in rest)
    behind = "".join(row.removeprefix("  │ ") for row in rest if row.startswith("  │ "))
    assert re.sub(r"⟨U\+([0-9A-F]+)⟩", lambda spelled: chr(int(spelled[1], 16)), behind or first[21:]) == url


def test_a_call_of_another_program_is_shown_with_all_it_sends() -> None:
    sent = {"path": "a\u202e.py", "edits": [{"old": "x"}], "dry": None}
    assert lines(request(RemotePreview("files", "edit_file", sent), "call: files__edit_file", "files__edit_file")) == [
        "⚠ files__edit_file — call: files__edit_file",
        "  │ {",
        '  │   "path": "a⟨U+202E⟩.py",',
        '  │   "edits": [',
        "  │     {",
        '  │       "old": "x"',
        "  │     }",
        "  │   ],",
        '  │   "dry": null',
        "  │ }",
        "  server  files",
        "  tool    edit_file",
        "  all     all of this",
    ]


WORDS = st.text(st.sampled_from('\x1b\r\n\t\u202e\u2028 │⟨"\\\\a漢'), max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=3),
    max_leaves=6,
)


@scaled(50)
@given(st.dictionaries(WORDS, JSON, max_size=3), WORDS)
def test_arguments_can_be_read_back_from_the_screen(sent: dict[str, object], name: str) -> None:
    shown = lines(request(RemotePreview(name, name, sent), "call", "x__y"))
    assert all(row.startswith("  ") for row in shown[1:])
    behind = "\n".join(row.removeprefix("  │ ") for row in shown if row.startswith("  │ "))
    spelled = re.sub(r"⟨U\+([0-9A-F]+)⟩", lambda match: chr(int(match[1], 16)), behind)
    assert json.loads(spelled, strict=False) == sent


def test_long_arguments_and_addresses_say_how_long_they_are() -> None:
    sent = {str(number): number for number in range(30)}
    assert "  32 lines in all" in lines(request(RemotePreview("s", "t", sent), "call: s__t", "s__t"))
    assert "  51 lines in all" in lines(fetching(f"https://a.org/{'x' * 1_000}"), NarrowScreen(24))


def test_what_always_would_store_is_shown_only_where_always_is_offered() -> None:
    assert lines(running("true"), always="session")[-1] == "  session exactly this command"
    assert lines(running("true"), always=None)[-1] == "  in      /repo"


def test_colours_dress_the_text_and_change_none_of_it() -> None:
    asked = changing(change("a.txt", b"a\x1b[8m\nb\n", b"a\x1b[8m\nc\n"))
    screen: Screen = screen_on(io.StringIO(), colour=True)
    coloured = lines(asked, screen)
    assert [re.sub(r"\x1b\[[\d;]*m", "", line) for line in coloured] == lines(asked)
    assert "\x1b[31m⟨U+001B⟩\x1b[0m" in "".join(coloured)


@pytest.mark.parametrize(
    "preview",
    [
        CommandPreview("true", "/"),
        FilesPreview((change("a", b"", b"x"),)),
        ReadPreview("/x"),
        UrlPreview("https://a.org/"),
        RemotePreview("s", "t", {}),
    ],
)
def test_every_kind_of_preview_has_words(preview: Preview) -> None:
    assert lines(request(preview, "do it"))[-1].startswith("  all ")
