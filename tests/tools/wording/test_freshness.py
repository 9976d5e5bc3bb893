"""Why a file must be read first: each sentence names the file, who changed it, and the next step."""

from __future__ import annotations

import pytest

from mmtools.core.freshness import ChangedSince, Fresh, NeverRead, Verdict
from mmtools.core.writers import ByCall, ByCommand
from mmtools.tools.wording import freshness


@pytest.mark.parametrize(
    ("verdict", "data", "told"),
    [
        (Fresh(), b"one", None),
        (NeverRead(), b"one", "a.txt was not read yet; nothing was written. Read it first, then repeat the change"),
        (ChangedSince(), b"one", "a.txt changed since it was read; nothing was written. Read it again, then repeat the change"),
        (
            NeverRead(), b"\0",
            "a.txt was not read yet; nothing was written. It is not text, so it cannot be read: to put a text in its place, "
            "remove it by a command first",
        ),
    ],
)  # fmt: skip
def test_a_file_that_may_not_be_changed_yet_is_named_with_the_next_step(
    verdict: Verdict, data: bytes, told: str | None
) -> None:
    assert freshness.objection("a.txt", verdict, data) == told


@pytest.mark.parametrize(
    ("author", "named"),
    [
        (None, ""),
        (ByCall("edit"), ", by the call `edit` of another session"),
        (ByCall("edit", "reviewer"), ", by the call `edit` of session reviewer"),
        (ByCommand("make format"), ", while the command `make format` ran"),
        (ByCommand("  a\nb"), ", while the command `a …` ran"),
        (ByCommand("x" * 100), f", while the command `{'x' * 78} …` ran"),
        (ByCommand("a\tb\x1b[31m\u202e"), ", while the command `a b [31m ` ran"),
    ],
)
def test_who_changed_it_is_named(author: ByCall | ByCommand | None, named: str) -> None:
    verdict = ChangedSince(author)
    assert (freshness.objection("f", verdict, b"") or "").startswith(f"f changed since it was read{named}; nothing")
    assert freshness.changed_meanwhile("f", verdict) == (
        f"f changed while permission was asked for{named}; nothing was written. Read it again, then repeat the change"
    )


def test_what_came_or_went_during_the_question_is_told() -> None:
    assert freshness.deleted_meanwhile("f").startswith(
        "f was deleted while permission was asked for; nothing was written."
    )
    assert freshness.created_meanwhile("f").startswith(
        "f was created while permission was asked for; nothing was written."
    )
