"""What a person reads before answering, and what an answer means."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp_types import ElicitResult

from mmtools import Choice, PermissionRequest, ToolKind
from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FileChange,
    FilesPreview,
    GrantScope,
    Preview,
    ReadPreview,
    RemotePreview,
    UrlPreview,
)
from mmtools.hosting.mcp import questions

LF = "\n"

anything = st.text(st.characters(codec=None), max_size=40)


def asked(preview: Preview, *, title: str = "do it", scope: str = "exactly this") -> PermissionRequest:
    return PermissionRequest(
        call_id="c1",
        tool="tool",
        kind=ToolKind.OTHER,
        family="other",
        title=title,
        arguments={},
        paths=(),
        preview=preview,
        scope=GrantScope("key", scope),
    )


def change(before: bytes | None, after: bytes, **others: Any) -> FilesPreview:
    return FilesPreview((FileChange(path="/r/a.txt", shown="a.txt", before=before, after=after, **others),))


def unspelled(text: str) -> str:
    """Undo the writing out of characters, as a second opinion on it."""
    pieces = text.split("⟨U+")
    return pieces[0] + "".join(chr(int(piece.partition("⟩")[0], 16)) + piece.partition("⟩")[2] for piece in pieces[1:])


@given(anything.filter(lambda text: "⟨" not in text))
def test_a_command_is_shown_whole_and_behind_a_bar(command: str) -> None:
    lines = questions.text(asked(CommandPreview(command, "/r"))).split("\n")
    assert re.fullmatch(rf"run {command.count(LF) + 1:,} lines?, {len(command):,} characters?:", lines[1])
    shown = lines[2:-2]
    assert all(line.startswith("│ ") for line in shown)
    assert unspelled("\n".join(line[2:] for line in shown)) == command
    assert lines[-2:] == ["in /r", '"allow for this session" covers: exactly this']


@given(anything, anything, anything)
def test_nothing_unseen_is_sent(title: str, command: str, words: str) -> None:
    text = questions.text(asked(CommandPreview(command, "/r"), title=title, scope=words))
    assert all(char.isprintable() or char in "\n\t" for char in text)
    text.encode()
    assert text.split("\n")[0].startswith("tool — ")


@given(st.lists(anything, min_size=1), st.lists(anything))
def test_every_changed_line_is_shown(new: list[str], old: list[str]) -> None:
    before, after = ("".join(f"{line}\n" for line in lines) for lines in (old, new))
    preview = change(before.encode("utf-8", "replace"), after.encode("utf-8", "replace"))
    text = questions.text(asked(preview))
    assert re.match(r"(change|create) /r/a.txt  ", text.split("\n")[1])


PAYPAL = "⟨U+0440⟩⟨U+0430⟩⟨U+0443⟩⟨U+0440⟩⟨U+0430⟩l.com"

PREVIEWS = [
    (change(None, b"one\n"), "create /r/a.txt  +1 −0, new, 4 bytes\n│ +1 one"),
    (change(b"one\n", b""), "change /r/a.txt  +0 −1, 4 → 0 bytes\n│ -1 one"),
    (change(None, b""), "create /r/a.txt  new, 0 bytes"),
    (
        change(b"a\r\n", b"a\n"),
        "change /r/a.txt  3 → 2 bytes: only line endings, the BOM or the encoding change",
    ),
    (change(b"\0", b"a\n", before_encoding=None), "change /r/a.txt  1 → 2 bytes, not text"),
    (change(b"a\n", b"\0", after_encoding=None), "change /r/a.txt  2 → 1 bytes, not text"),
    (ReadPreview("/etc/passwd"), "read /etc/passwd"),
    (DeletionPreview(("/a\nfile /b", "/c")), "delete /a⟨U+000A⟩file /b  1 of 2\ndelete /c  2 of 2"),
    (CardPreview("stop", (("task", "a\nb"),)), "do what stands below, 1 row:\n│ stop\n│ task: a\n│ b"),
    (ReadPreview("/a\nfile /b"), "read /a⟨U+000A⟩file /b"),
    (CommandPreview("rm \u3164x", "/r\nfile /b"), "run 1 line, 5 characters:\n│ rm ⟨U+3164⟩x\nin /r⟨U+000A⟩file /b"),
    (
        UrlPreview("https://раураl.com/x"),
        f"host {PAYPAL}\nfetch https://{PAYPAL}/x  20 characters\n│ https://{PAYPAL}/x",
    ),
    (
        RemotePreview("db", "drop", {"table": "t"}),
        'server db\ncall drop  18 characters\n│ {\n│   "table": "t"\n│ }',
    ),
]


@pytest.mark.parametrize(("preview", "shown"), PREVIEWS)
def test_each_kind_of_preview(preview: Preview, shown: str) -> None:
    text = questions.text(asked(preview))
    assert text == f'tool — do it\n{shown}\n"allow for this session" covers: exactly this'


CHOICES = {
    "allow once": Choice.ALLOW_ONCE,
    "allow for this session": Choice.ALLOW_ALWAYS,
    "reject": Choice.REJECT_ONCE,
}


def test_the_form_offers_what_is_understood() -> None:
    form = questions.request(asked(CommandPreview("true", "/r"))).params.model_dump(by_alias=True)["requestedSchema"]
    assert form["properties"]["decision"]["enum"] == list(CHOICES)
    assert form["required"] == ["decision"]
    assert form["properties"]["feedback"]["default"] == ""
    for chosen, choice in CHOICES.items():
        decision = questions.answer(ElicitResult(action="accept", content={"decision": chosen, "feedback": " why "}))
        assert decision.choice is choice
        assert decision.feedback == ("why" if choice is Choice.REJECT_ONCE else "")


@given(
    st.sampled_from(["accept", "decline", "cancel"]),
    st.none()
    | st.dictionaries(
        st.sampled_from(["decision", "feedback", "other"]),
        st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text()) | st.sampled_from([*CHOICES]),
    ),
)
def test_only_a_clear_yes_is_one(action: Any, content: Any) -> None:
    decision = questions.answer(ElicitResult(action=action, content=content))
    clear = action == "accept" and (content or {}).get("decision") in ("allow once", "allow for this session")
    assert decision.allowed == clear
    if action == "cancel":
        assert decision.choice is Choice.CANCELLED


def test_no_answer_at_all_withdraws_the_question() -> None:
    assert questions.answer(None).choice is Choice.CANCELLED


def test_a_form_is_json() -> None:
    json.dumps(questions.request(asked(ReadPreview("/x"))).model_dump(mode="json", by_alias=True))
