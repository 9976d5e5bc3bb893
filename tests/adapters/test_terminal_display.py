"""The mm terminal display. Source: mm reference, the "Terminal display" rows."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.terminal_display import ICONS, TerminalDisplay
from mmtools.call import Headline, Status
from mmtools.testing.conformance import displays
from mmtools.testing.terminals import Terminal
from tests.adapters.shown_calls import ended, started


def show(*steps: Callable[[TerminalDisplay], None], preview_lines: int = 10) -> list[str]:
    stream = io.StringIO()
    display = TerminalDisplay(stream, preview_lines=preview_lines)
    for step in steps:
        step(display)
    return stream.getvalue().split("\n")[:-1]


def numbered(count: int) -> str:
    return "".join(f"line {number}\n" for number in range(1, count + 1))


@pytest.mark.parametrize("law", displays.LAWS, ids=lambda law: law.__name__)
def test_it_keeps_the_laws_of_displays(law: Callable[[displays.Make], None]) -> None:
    law(TerminalDisplay)


@given(st.text(st.one_of(st.sampled_from("\x1b[8m\x9b\r\n\b\u202e"), st.characters(exclude_categories=[]))))
def test_no_text_at_all_lets_a_control_through(text: str) -> None:
    displays.lets_no_control_through(TerminalDisplay, [text])


def test_a_call_is_announced_before_it_runs() -> None:
    assert show(lambda display: display.started(started("make test"))) == ["🛠️  bash: make test"]


@pytest.mark.parametrize(
    ("tool", "family", "headline", "line"),
    [
        ("bash", "command", "make\ntest", "🛠️  bash: make …"),
        ("read_skill", "skill", "deploy", "📖 read_skill: deploy"),
        ("lsp", "lsp", "definition main.go greet", "🔎 lsp: definition main.go greet"),
        ("lsp", "lsp", "rename main.go greet → hello", "🔎 lsp: rename main.go greet → hello"),
        ("read_file", "file", "a.txt", "📝 read_file: a.txt"),
        ("grep", "search", "TODO", "🔹 grep: TODO"),
        ("todo_list", "todo", "", "🔹 todo_list"),
    ],
)
def test_each_family_has_its_icon(tool: str, family: str, headline: str, line: str) -> None:
    assert show(lambda display: display.started(started(headline, tool, family))) == [line]


def test_the_answer_follows_indented_and_folded() -> None:
    call = started()
    assert show(
        lambda display: display.started(call),
        lambda display: display.finished(ended(call, numbered(12))),
        preview_lines=3,
    ) == [
        "🛠️  bash: make test",
        "    line 1",
        "    line 2",
        "    line 3",
        "    … 9 more lines",
    ]


@pytest.mark.parametrize("text", ["", "\n", " \n\n", "(no output)"])
def test_nothing_to_show_is_said(text: str) -> None:
    call = started()
    assert show(lambda display: display.started(call), lambda display: display.finished(ended(call, text))) == [
        "🛠️  bash: make test",
        "    (no output)",
    ]


def test_an_answer_that_is_not_echoed_shows_only_that_it_failed() -> None:
    call = evolve(started("deploy", "read_skill", "skill"), headline=Headline(text="deploy", echoes=False))
    lines = show(
        lambda display: display.started(call),
        lambda display: display.output("1", "secret\n"),
        lambda display: display.finished(ended(call, "secret\nskill")),
        lambda display: display.finished(ended(call, "secret", Status.FAILED)),
    )
    assert lines == ["📖 read_skill: deploy", "📖 read_skill: deploy", "    ✗ failed · 1.2s"]


@pytest.mark.parametrize(
    ("status", "line"),
    [
        (Status.FAILED, "    ✗ failed · 1.2s"),
        (Status.TIMED_OUT, "    ✗ timed out · 1.2s"),
        (Status.REJECTED, "    ⊘ rejected · 1.2s"),
        (Status.CANCELLED, "    ⊘ cancelled · 1.2s"),
    ],
)
def test_an_end_that_is_not_good_is_told_with_its_time(status: Status, line: str) -> None:
    call = started()
    lines = show(lambda display: display.started(call), lambda display: display.finished(ended(call, "why", status)))
    assert lines[1:] == ["    why", line]


def test_a_folded_failure_says_why() -> None:
    call = started()
    text = f"{numbered(12)}[exit code: exit status 2]"
    lines = show(
        lambda display: display.started(call),
        lambda display: display.finished(ended(call, text, Status.FAILED)),
        preview_lines=1,
    )
    assert lines[1:] == ["    line 1", "    … 12 more lines", "    ✗ failed · 1.2s · [exit code: exit status 2]"]


@given(st.data(), st.integers(0, 8), st.integers(0, 5))
def test_live_output_is_shown_at_once_and_not_again(data: st.DataObject, count: int, limit: int) -> None:
    """However it is cut, at each moment the complete lines are there, and the end looks as if nothing was live."""
    call, text = started(), numbered(count)
    stream = io.StringIO()
    display = TerminalDisplay(stream, preview_lines=limit)
    display.started(call)
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    for begin, end in zip([0, *places], [*places, len(text)], strict=True):
        display.output("1", text[begin:end])
        shown = min(text[:end].count("\n"), limit)
        assert stream.getvalue().split("\n")[1:-1] == [f"    line {number}" for number in range(1, shown + 1)]
    display.finished(ended(call, text or "(no output)"))
    whole = show(
        lambda other: other.started(call), lambda other: other.finished(ended(call, text)), preview_lines=limit
    )
    assert stream.getvalue().split("\n")[:-1] == whole


def test_markers_after_live_output_are_shown_once() -> None:
    call = started()
    lines = show(
        lambda display: display.started(call),
        lambda display: display.output("1", "\x1b[31ma\x1b[0m\nb"),
        lambda display: display.finished(ended(call, "a\nb\n[exit code: exit status 1]", Status.FAILED)),
    )
    assert lines[1:] == ["    a", "    b", "    [exit code: exit status 1]", "    ✗ failed · 1.2s"]


def test_an_answer_that_replaced_its_live_output_is_told_by_its_last_line() -> None:
    """Such as the end of a turn by the loop detector, or an answer of which only the tail was kept."""
    call = started()
    lines = show(
        lambda display: display.started(call),
        lambda display: display.output("1", numbered(5)),
        lambda display: display.finished(ended(call, "[error: stopped]", Status.FAILED)),
        preview_lines=2,
    )
    assert lines[1:] == ["    line 1", "    line 2", "    … 3 more lines", "    ✗ failed · 1.2s · [error: stopped]"]


def test_calls_side_by_side_print_at_their_end_under_their_name() -> None:
    first, second = started("make lint", call_id="1"), started("make docs", call_id="2")
    lines = show(
        lambda display: display.started(first),
        lambda display: display.output("1", "early\n"),
        lambda display: display.started(second),
        lambda display: display.output("2", "hidden until the end\n"),
        lambda display: display.output("1", "late\n"),
        lambda display: display.finished(ended(first, "early\nlate")),
        lambda display: display.finished(ended(second, "hidden until the end")),
    )
    assert lines == [
        "🛠️  bash: make lint",
        "    early",
        "🛠️  bash: make docs",
        "↳ bash: make lint",
        "    late",
        "↳ bash: make docs",
        "    hidden until the end",
    ]


def test_live_output_never_lands_under_another_call() -> None:
    first, second = started("make lint", call_id="1"), started("make docs", call_id="2")
    lines = show(
        lambda display: display.started(first),
        lambda display: display.started(second),
        lambda display: display.finished(ended(first, "fine")),
        lambda display: display.output("2", "built\n"),
        lambda display: display.finished(ended(second, "built")),
    )
    assert lines[2:] == ["↳ bash: make lint", "    fine", "↳ bash: make docs", "    built"]


def test_a_number_of_lines_is_not_negative() -> None:
    with pytest.raises(ValueError, match="preview_lines"):
        TerminalDisplay(preview_lines=-1)


def test_standard_output_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    TerminalDisplay().started(started("make"))
    assert capsys.readouterr().out == "🛠️  bash: make\n"


def test_every_icon_is_followed_by_a_space() -> None:
    assert all(icon.endswith(" ") for icon in ICONS.values())
    assert set(ICONS) == {"command", "file", "skill", "lsp"}


def test_on_a_terminal_the_answer_is_dim_and_no_row_is_wrapped_by_it() -> None:
    program = """
from mmtools.adapters.terminal_display import TerminalDisplay
from tests.adapters.shown_calls import ended, started
display, call = TerminalDisplay(), started("make " + "x" * 50)
display.started(call)
display.finished(ended(call, "y" * 50 + "\\n\\tz"))
"""
    with Terminal(program, columns=40) as terminal:
        code, screen = terminal.end()
    assert code == 0
    assert screen.split("\r\n")[:-1] == [
        "🛠️  bash: make " + "x" * (36 - 15),
        "    " + "x" * (50 - 21),
        "    \x1b[2m" + "y" * 35 + "…\x1b[0m",
        "    \x1b[2m        z\x1b[0m",
    ]
