"""Why there is no answer is told with its cause and the next step, in few words."""

from __future__ import annotations

import pytest

from mmtools.core.lsp.symbols import Pointed
from mmtools.ports import language_server_problems as problems
from mmtools.ports.language_server_problems import LanguageServerProblem
from mmtools.ports.language_servers import Feature, LanguageServer
from mmtools.tools.wording import lsp_problems
from mmtools.tools.wording.lsp import Question

SERVERS = (LanguageServer("gopls", "gopls", ".go"), LanguageServer("clangd", "clangd", "c h"))
QUESTION = Question(action="hover", path="main.go", pointed=Pointed(symbol="x"))


def told(problem: LanguageServerProblem) -> str:
    return lsp_problems.problem(problem, QUESTION, SERVERS)


PROBLEMS: list[LanguageServerProblem] = [
    problems.NoServer("", "main.go"),
    problems.NotStarted("gopls", "No such file", last_words="panic: no\nmodule"),
    problems.NotAllowed("gopls", ".venv/bin/gopls"),
    problems.DiesTooOften("gopls", "exit status 2"),
    problems.Died("gopls", "signal: SIGKILL"),
    problems.NoAnswer("gopls", 30.0),
    problems.NoAnswer("gopls", 30.0, busy=True),
    problems.ServerError("gopls", "no identifier", 0),
    problems.ServerError("gopls", "no identifier", busy=True),
    problems.Unsupported("gopls", Feature.HOVER),
    problems.NotSendable("", "not text in UTF-8"),
    problems.TextChanged("gopls", "main.go"),
    problems.LanguageServersClosed("gopls"),
    LanguageServerProblem("gopls", "something new"),
]


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__)
def test_every_problem_is_one_line_of_its_own(problem: LanguageServerProblem) -> None:
    text = told(problem)
    assert "\n" not in text
    assert [told(other) for other in PROBLEMS].count(text) == 1


def test_every_kind_of_problem_is_tried() -> None:
    kinds = {
        kind
        for kind in vars(problems).values()
        if isinstance(kind, type) and issubclass(kind, LanguageServerProblem) and kind is not problems.Interrupted
    }
    assert {type(problem) for problem in PROBLEMS} == kinds


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda problem: type(problem).__name__)
def test_what_a_server_says_is_cut_to_a_line_of_reasonable_length(problem: LanguageServerProblem) -> None:
    problem.reason = "x\n" * 100_000
    problem.last_words = "y" * 100_000
    text = told(problem)
    assert len(text) < 1_300
    assert "\n" not in text


def test_the_last_words_are_told_beside_the_reason() -> None:
    text = told(problems.Died("gopls", "exit status 2", last_words="panic: oh no"))
    assert "(exit status 2; it last wrote: panic: oh no)" in text
    assert "()" not in told(problems.Died("gopls"))


def test_a_failure_of_a_server_that_is_not_ready_says_so() -> None:
    for problem in PROBLEMS:
        assert ("still loading" in told(problem)) == getattr(problem, "busy", False)
