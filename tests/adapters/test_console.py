"""Asking at the terminal: by hand, in a real terminal, and where there is none."""

from __future__ import annotations

import io
import re
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.console import CRAB_KEYS, MM_KEYS, ConsolePermission, Keys
from mmtools.adapters.terminal.screen import screen_on
from mmtools.adapters.terminal_display import TerminalDisplay
from mmtools.errors import DefinitionError
from mmtools.ports.permission import Choice, Decision, PermissionRequest
from mmtools.testing.terminals import Terminal
from tests.adapters.shown_calls import change, changing, running, started

PROMPT = "allow? [y]es/[n]o/[a]ll: "

#: Asks in the terminal it runs in.
DECIDE = """
from mmtools.adapters.console import ConsolePermission
from mmtools.call import CommandPreview, GrantScope, ToolKind
from mmtools.ports.permission import PermissionRequest
preview = CommandPreview("rm -rf build", "/repo")
request = PermissionRequest(
    call_id="1", tool="bash", kind=ToolKind.EXECUTE, family="command", title="run: rm -rf build",
    arguments={}, paths=(), preview=preview, scope=GrantScope("key", "exactly this command"),
)
decision = ConsolePermission().decide(request)
answer = f"<{decision.choice}|{decision.feedback}>"
"""
ASK = f"{DECIDE}print(answer)\n"


def ask(typed: str, asked: PermissionRequest | None = None, keys: Keys = CRAB_KEYS) -> tuple[Decision, str]:
    """Answer one question, and return the decision and all that was on the screen."""
    stream = io.StringIO()
    permission = ConsolePermission(answers=io.StringIO(typed), screen=stream, keys=keys)
    return permission.decide(asked or running("rm -rf build")), stream.getvalue()


@pytest.mark.parametrize(
    ("typed", "keys", "choice"),
    [
        ("y\n", CRAB_KEYS, Choice.ALLOW_ONCE),
        ("Yes\n", CRAB_KEYS, Choice.ALLOW_ONCE),
        (" y \n", CRAB_KEYS, Choice.ALLOW_ONCE),
        ("y", CRAB_KEYS, Choice.ALLOW_ONCE),
        ("n\n", CRAB_KEYS, Choice.REJECT_ONCE),
        ("NO.\n", CRAB_KEYS, Choice.REJECT_ONCE),
        ("a\n", CRAB_KEYS, Choice.ALLOW_ALWAYS),
        ("all\n", CRAB_KEYS, Choice.ALLOW_ALWAYS),
        ("a\n", MM_KEYS, Choice.ALLOW_ONCE),
        ("s\n", MM_KEYS, Choice.ALLOW_ALWAYS),
        ("session\n", MM_KEYS, Choice.ALLOW_ALWAYS),
        ("r\n", MM_KEYS, Choice.REJECT_ONCE),
    ],
)
def test_each_key_and_its_word_mean_what_the_prompt_says(typed: str, keys: Keys, choice: Choice) -> None:
    assert ask(typed, keys=keys)[0] == Decision(choice)


def test_the_question_has_the_form_of_the_reference() -> None:
    """Source: crab tools page, "How confirmation works"."""
    screen = ask("n\n")[1].split("\n")
    assert screen[0] == "⚠ bash — run: rm -rf build"
    assert screen[-2] == f"{PROMPT}n"


def test_the_prompt_of_the_mm_window_offers_its_three_keys() -> None:
    assert "allow? [a]llow/[s]ession/[r]eject: " in ask("r\n", keys=MM_KEYS)[1]


@pytest.mark.parametrize(
    ("typed", "feedback"),
    [
        ("n use make instead\n", "use make instead"),
        ("no, use make\n", "use make"),
        ("n:  not now \n", "not now"),
        ("n \x1b[Ause \x1b[31mmake\n", "use make"),
    ],
)
def test_words_after_a_no_go_to_the_model(typed: str, feedback: str) -> None:
    assert ask(typed)[0] == Decision(Choice.REJECT_ONCE, feedback)


@given(st.lists(st.text(st.characters(exclude_characters="\n"), max_size=6), min_size=3, max_size=5))
def test_whatever_is_not_exactly_a_key_is_never_consent(answers: list[str]) -> None:
    meant = {"y", "yes", "a", "all"}
    clean = [answer for answer in answers if re.sub(r"\W", "", answer).lower() not in meant and "\x1b" not in answer]
    decision, _ = ask("".join(f"{answer}\n" for answer in clean))
    assert not decision.allowed


@pytest.mark.parametrize("answer", ["", "yep", "y es", "yes please", "ja", "v", "1", "yy", "a b", "y/n"])
def test_an_unclear_answer_is_asked_again_and_the_third_refuses(answer: str) -> None:
    decision, screen = ask(f"{answer}\n" * 3 + "y\n")
    assert decision.choice is Choice.REJECT_ONCE
    assert decision.feedback == "(refused by policy: no clear answer in 3 tries)"
    assert screen.count(PROMPT) == 3
    assert ask(f"{answer}\n{answer}\ny\n")[0] == Decision(Choice.ALLOW_ONCE)


@pytest.mark.parametrize("typed", ["", "what\n"])
def test_the_end_of_the_input_refuses(typed: str) -> None:
    assert ask(typed)[0] == Decision(
        Choice.REJECT_ONCE, "(refused by policy: the terminal closed before anybody answered)"
    )


def test_a_long_change_is_cut_and_shown_whole_on_demand() -> None:
    asked = changing(change("a.txt", None, b"".join(b"line %d\n" % number for number in range(100))))
    decision, screen = ask("v\ny\n", asked)
    first, second = screen.split("allow? [y]es/[n]o/[a]ll/[v]iew: v\n")
    assert decision.allowed
    assert "line 99" not in first
    assert "… 61 more lines of changes: v shows all" in first
    assert "line 0" in second
    assert "line 99" in second
    assert second.endswith(f"{PROMPT}y\n")


def test_a_change_that_is_shown_whole_offers_no_view() -> None:
    decision, screen = ask("v\n" * 3, changing(change("a.txt", None, b"x\n")))
    assert not decision.allowed
    assert "[v]iew" not in screen


@pytest.mark.parametrize("stdin", [None, io.StringIO("y\n")])
def test_without_a_terminal_the_answer_is_no_at_once(
    stdin: io.StringIO | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody can answer: a pipe that says `y` is not somebody."""
    monkeypatch.setattr(sys, "stdin", stdin)
    decision = ConsolePermission().decide(running("true"))
    assert decision.choice is Choice.REJECT_ONCE
    assert "nobody can be asked" in decision.feedback


def test_a_closed_standard_input_is_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stdin", closed)
    assert not ConsolePermission().decide(running("true")).allowed


def test_a_screen_that_goes_away_refuses() -> None:
    stream = io.StringIO()
    stream.close()
    assert not ConsolePermission(answers=io.StringIO("y\n"), screen=stream).decide(running("true")).allowed


def test_questions_from_several_threads_come_one_after_the_other() -> None:
    stream = io.StringIO()
    permission = ConsolePermission(answers=io.StringIO("y\n" * 8), screen=stream)
    decisions: list[Decision] = []
    threads = [threading.Thread(target=lambda: decisions.append(permission.decide(running("make")))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    assert decisions == [Decision(Choice.ALLOW_ONCE)] * 8
    assert stream.getvalue() == ask("y\n", running("make"))[1] * 8


class Answering(io.StringIO):
    """Answers that take their time: something else happens before they come."""

    def __init__(self, typed: str, display: TerminalDisplay) -> None:
        super().__init__(typed)
        self.display = display

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # StringIO's stub says int
        self.display.started(started("make docs", call_id="2"))
        return super().readline()


def test_a_display_on_the_same_screen_waits_for_the_answer() -> None:
    stream = io.StringIO()
    screen = screen_on(stream)
    permission = ConsolePermission(answers=Answering("y\n", TerminalDisplay(screen)), screen=screen)
    assert permission.decide(running("make")).allowed
    assert stream.getvalue().endswith(f"{PROMPT}y\n🛠️  bash: make docs\n")


@pytest.mark.parametrize(
    "words",
    [
        {"yes": Choice.ALLOW_ONCE, "yonder": Choice.REJECT_ONCE},
        {"view": Choice.ALLOW_ONCE, "no": Choice.REJECT_ONCE},
        {"": Choice.ALLOW_ONCE},
        {"Yes": Choice.ALLOW_ONCE},
    ],
)
def test_keys_that_could_be_confused_are_a_bug_of_the_host(words: dict[str, Choice]) -> None:
    with pytest.raises(DefinitionError, match="keys are lower-case words"):
        Keys(words)


def test_a_host_may_word_the_keys_itself() -> None:
    keys = Keys({"oui": Choice.ALLOW_ONCE, "jamais": Choice.REJECT_ALWAYS})
    decision, screen = ask("j c'est trop\n", keys=keys)
    assert decision == Decision(Choice.REJECT_ALWAYS, "c'est trop")
    assert "allow? [o]ui/[j]amais: " in screen
    assert "exactly this command" not in screen, "what cannot be chosen needs no words"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        ("y\n", "<allow_once|>"),
        ("n use make\n", "<reject_once|use make>"),
        ("a\n", "<allow_always|>"),
        ("\x03", "<cancelled|>"),
    ],
)
def test_in_a_real_terminal(keys: str, answer: str) -> None:
    with Terminal(ASK, environment={"NO_COLOR": "1"}) as terminal:
        asked = terminal.wait_for(PROMPT)
        terminal.send(keys)
        terminal.wait_for(answer)
        assert terminal.end()[0] == 0
    assert asked.replace("\r", "") == (
        f"⚠ bash — run: rm -rf build\n  in      /repo\n  all     exactly this command\n{PROMPT}"
    )


def test_a_ctrl_c_that_comes_to_another_thread_cancels() -> None:
    elsewhere = (
        "import signal, threading\n"
        "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\n"
    )
    with Terminal(elsewhere + ASK) as terminal:
        terminal.wait_for(PROMPT)
        terminal.send("\x03")
        terminal.wait_for("<cancelled|>")


def test_what_was_typed_before_the_question_is_no_answer_to_it() -> None:
    early = "import select\nprint('ready', flush=True)\nselect.select([0], [], [])\n"
    with Terminal(early + ASK) as terminal:
        terminal.wait_for("ready")
        terminal.send("a\n")
        terminal.wait_for(PROMPT)
        terminal.send("n\n")
        terminal.wait_for("<reject_once|>")


def test_the_end_of_input_in_a_real_terminal_refuses() -> None:
    with Terminal(ASK) as terminal:
        terminal.wait_for(PROMPT)
        terminal.send("\x04")
        terminal.wait_for("<reject_once|(refused by policy: the terminal closed before anybody answered)>")


def test_a_terminal_that_hangs_up_refuses(tmp_path: Path) -> None:
    kept = tmp_path / "answer"
    survive = "import signal\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
    keep = f"import pathlib\npathlib.Path({str(kept)!r}).write_text(answer)\n"
    with Terminal(survive + DECIDE + keep) as terminal:
        terminal.wait_for(PROMPT)
        terminal.hang_up()
        terminal.end()
    assert kept.read_text() == "<reject_once|(refused by policy: the terminal closed before anybody answered)>"


def test_a_question_is_seen_when_only_standard_error_is_a_terminal() -> None:
    redirect = "import io, sys\nterminal, sys.stdout = sys.stdout, io.StringIO()\n"
    with Terminal(f"{redirect}{DECIDE}terminal.write(answer + sys.stdout.getvalue())\n") as terminal:
        terminal.wait_for(PROMPT)
        terminal.send("y\n")
        terminal.wait_for("<allow_once|>")
