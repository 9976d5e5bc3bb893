"""What an editor shows: nothing acts, nothing hides, and every preview has its words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from acp import schema
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import (
    CommandPreview,
    FileChange,
    FilesPreview,
    GrantScope,
    Headline,
    Location,
    Media,
    Outcome,
    Preview,
    ReadPreview,
    RemotePreview,
    Status,
    ToolKind,
    UrlPreview,
)
from mmtools.core import screen_text
from mmtools.hosting.acp import contents, editor_text
from mmtools.hosting.acp.live_text import LiveText
from mmtools.ports.display import StartedCall
from mmtools.ports.permission import Choice, PermissionRequest

ANY_TEXT = st.text(st.characters(codec=None, categories=None))


def asks(preview: Preview, **fields: Any) -> PermissionRequest:
    given: dict[str, Any] = {"title": "t", "scope": GrantScope("k", "every file"), "kind": ToolKind.OTHER} | fields
    return PermissionRequest(call_id="c", tool="t", family="", arguments={}, paths=(), preview=preview, **given)


def call(headline: str, kind: ToolKind, own: ToolKind | None = None) -> StartedCall:
    shown = Headline(text=headline, kind=own)
    return StartedCall(call_id="c", tool="the_tool", kind=kind, family="", headline=shown)


def text_of(content: Any) -> str:
    assert content.type == "content"
    text: str = content.content.text
    return text


@given(st.text("`~a\n ", max_size=30) | ANY_TEXT)
def test_nothing_in_a_code_block_can_end_it(text: str) -> None:
    first, *inside, last = editor_text.fenced(text).split("\n")
    assert "\n".join(inside) == text.removesuffix("\n")
    assert set(first) == {"`"}
    assert first == last
    assert not any(line.strip().startswith(first) for line in inside)


@given(ANY_TEXT)
def test_a_title_is_one_short_line_of_harmless_text(text: str) -> None:
    for kind in (ToolKind.EXECUTE, ToolKind.OTHER):
        title = contents.title(call(text, kind))
        assert title
        assert len(title) <= 250 + 10 * len("⟨U+XXXX⟩")
        assert "\n" not in title
        assert title.encode("utf-8")
        assert "\x1b" not in title


@pytest.mark.parametrize(
    ("shown", "title"),
    [
        (call("make test", ToolKind.EXECUTE), "make test"),
        (call("make\nmake test", ToolKind.EXECUTE), "make …"),
        (call("https://example.org", ToolKind.FETCH), "https://example.org"),
        (call("a.py", ToolKind.READ), "the_tool a.py"),
        (call("rename a → b", ToolKind.READ, ToolKind.EDIT), "the_tool rename a → b"),
        (call("", ToolKind.EXECUTE), "the_tool"),
        (call("x" * 300, ToolKind.EXECUTE), "x" * 200 + " …"),
    ],
)
def test_titles(shown: StartedCall, title: str) -> None:
    assert contents.title(shown) == title


@given(ANY_TEXT)
def test_what_a_person_decides_on_hides_nothing(text: str) -> None:
    for preview in (CommandPreview(text, text), ReadPreview(text), RemotePreview(text, text, {})):
        (shown,) = contents.preview(asks(preview))
        assert all(char.isprintable() or char in "\t\n" for char in text_of(shown))
        # A name stands on one line, a command on its own.
        written = screen_text.spelled if isinstance(preview, CommandPreview) else screen_text.one_line
        assert written(text) in text_of(shown)


@given(st.dictionaries(ANY_TEXT, ANY_TEXT | st.floats() | st.lists(ANY_TEXT, max_size=2), max_size=3))
def test_arguments_travel_as_json_that_anybody_reads(arguments: dict[str, Any]) -> None:
    carried = editor_text.carried(arguments)
    assert json.dumps(carried, ensure_ascii=False, allow_nan=False).encode("utf-8")


@pytest.mark.parametrize(
    ("preview", "parts"),
    [
        (CommandPreview("rm -rf \u202eb", "/repo"), ["rm -rf ⟨U+202E⟩b", "in /repo"]),
        (CommandPreview("rm \u3164x", "/re\npo"), ["rm ⟨U+3164⟩x", "in /re⟨U+000A⟩po"]),
        (ReadPreview("/etc/passwd"), ["/etc/passwd"]),
        (UrlPreview("https://example.org/?q=a"), ["https://example.org/?q=a"]),
        (RemotePreview("srv", "act", {"b": 1, "a": [2]}), ["srv: act", '{"a":[2],"b":1}']),
    ],
)
def test_questions_show_what_would_happen_in_full(preview: Preview, parts: list[str]) -> None:
    (shown,) = contents.preview(asks(preview))
    assert all(part in text_of(shown) for part in parts), text_of(shown)


def changes(**fields: Any) -> tuple[FileChange, ...]:
    given: dict[str, Any] = {"path": "/r/a", "shown": "a", "before": b"old\n", "after": b"new\n"} | fields
    return (FileChange(**given),)


@pytest.mark.parametrize(
    ("fields", "old", "new"),
    [
        ({}, "old\n", "new\n"),
        ({"before": None}, None, "new\n"),
        ({"before": b""}, "", "new\n"),
        ({"after": b""}, "old\n", ""),
        ({"before": b"caf\xe9", "before_encoding": "latin-1"}, "café", "new\n"),
        ({"before": b"\xef\xbb\xbfa\r\n"}, "\ufeffa\r\n", "new\n"),
    ],
)
def test_diffs_hold_both_texts_exactly(fields: dict[str, Any], old: str | None, new: str) -> None:
    (diff,) = contents.preview(asks(FilesPreview(changes(**fields))))
    assert isinstance(diff, schema.FileEditToolCallContent)
    assert (diff.path, diff.old_text, diff.new_text) == ("/r/a", old, new)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"before_encoding": None}, "is not text: 4 bytes"),
        ({"after_encoding": None}, "is not text: 4 bytes"),
        ({"after": b"x" * 4_000_001}, "is too long to show here: 4,000,001 characters"),
    ],
)
def test_what_is_no_diff_says_so(fields: dict[str, Any], words: str) -> None:
    (shown,) = contents.preview(asks(FilesPreview(changes(**fields))))
    assert words in text_of(shown)
    assert "/r/a" in text_of(shown)


def test_diffs_of_one_message_are_bounded_together() -> None:
    many = tuple(each for _ in range(9) for each in changes(after=b"x" * 1_000_000))
    shown = contents.preview(asks(FilesPreview(many)))
    assert [each.type for each in shown] == ["content"] + ["diff"] * 3 + ["content"] * 6
    assert text_of(shown[0]).count("change /r/a  +1 −1") == 9


def ended(status: Status, **fields: Any) -> Outcome:
    return Outcome(call_id="c", tool="t", status=status, **{"text": "said", **fields})


@pytest.mark.parametrize("status", Status)
def test_every_end_has_a_status_and_is_shown(status: Status) -> None:
    wanted = {Status.OK: "completed", Status.PENDING: "pending"}.get(status, "failed")
    assert contents.status(status) == wanted
    (shown,) = contents.answer(ended(status))
    fenced = status in (Status.OK, Status.FAILED, Status.TIMED_OUT)
    assert text_of(shown) == ("```\nsaid\n```" if fenced else "said")


def test_a_failure_that_changed_files_shows_both() -> None:
    said, diff = contents.answer(ended(Status.FAILED, changes=changes()))
    assert (text_of(said), diff.type) == ("```\nsaid\n```", "diff")
    (only,) = contents.answer(ended(Status.OK, changes=changes()))
    assert only.type == "diff"


def test_a_picture_too_large_is_named() -> None:
    (shown,) = contents.answer(ended(Status.OK, media=(Media("image/png", bytes(10_000_001)),)))
    assert "image/png, 10,000,001 bytes" in text_of(shown)


def test_places_are_absolute_and_named_once() -> None:
    places = [Location("/a", 3), Location("/a", 3), Location("b"), Location("/a")]
    assert [(each.path, each.line) for each in contents.locations(places)] == [("/a", 3), ("/a", None)]


@given(ANY_TEXT)
def test_options_are_the_protocols_four_in_our_ids(words: str) -> None:
    offered = contents.options(asks(ReadPreview("/x"), scope=GrantScope("k", words)))
    assert [Choice(option.option_id).value for option in offered] == [option.kind for option in offered]
    assert len(offered) == 4
    assert all(option.name.isprintable() for option in offered)


@given(st.lists(st.text("ab\n", max_size=3_000), max_size=12))
def test_live_output_is_its_end_and_counts_the_rest(pieces: list[str]) -> None:
    live = LiveText()
    for piece in pieces:
        live.feed(piece)
    whole = "".join(pieces)
    shown = live.shown().split("```\n", 1)[1].removesuffix("\n```")
    assert whole.removesuffix("\n").endswith(shown)
    dropped = int(live.shown()[3:].split()[0].replace(",", "")) if live.shown().startswith("[…") else 0
    assert dropped + len(shown) in (len(whole), len(whole) - 1)
    assert len(shown) <= 4_000
