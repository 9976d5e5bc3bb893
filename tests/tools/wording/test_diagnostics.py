"""Diagnostics after an edit: what is new and what is gone, and silence where nothing is."""

from __future__ import annotations

import pytest

from mmtools.core.lsp.diagnostics import Finding, Severity, decode
from mmtools.core.lsp.diagnostics_delta import Delta
from mmtools.core.lsp.positions import Document
from mmtools.ports.language_servers import Findings
from mmtools.tools.wording import diagnostics

BAD = Finding(3, 5, Severity.ERROR, "undefined: x", "compiler")
ODD = Finding(9, 1, Severity.WARNING, "unused", "")


@pytest.mark.parametrize("delta", [None, Delta()])
def test_nothing_known_or_changed_is_nothing_told(delta: Delta | None) -> None:
    assert diagnostics.after_edit(delta, "a.go") == ""


def test_what_is_new_stands_before_what_is_gone() -> None:
    assert diagnostics.after_edit(Delta(appeared=(BAD,), gone=(ODD,)), "a.go") == (
        "\ndiagnostics after this change: 1 new, 1 gone\n"
        "+ error a.go:3:5 undefined: x [compiler]\n"
        "- warning a.go:9:1 unused"
    )
    assert diagnostics.after_edit(Delta(gone=(ODD,)), "a.go").startswith("\ndiagnostics after this change: 1 gone\n- ")


def test_of_very_many_some_are_told_and_the_rest_is_counted() -> None:
    text = diagnostics.after_edit(Delta(appeared=(BAD,) * 25), "a.go")
    assert text.startswith("\ndiagnostics after this change: 25 new\n")
    assert text.count("undefined") == 10
    assert text.endswith("\n+ and 15 more")


def test_more_diagnostics_than_fit_are_counted() -> None:
    at = {"line": 0, "character": 0}
    found = decode([{"range": {"start": at, "end": at}, "message": f"m{number}"} for number in range(50)])
    told = diagnostics.diagnosed(
        Findings(diagnostics=found), Document("x\n"), shown="a.go", server="gopls", max_chars=100
    )
    assert told.truncated
    assert told.text.startswith("50 diagnostic(s) in a.go:\nerror a.go:1:1 m0\n")
    assert told.text.endswith("more lines are not shown; solve these first, then call again]")
