"""Scripted edit checks fit the port, and tell who asked what."""

from __future__ import annotations

from mmtools.call import Cancellation
from mmtools.core.lsp.diagnostics import Finding, Severity
from mmtools.core.lsp.diagnostics_delta import Delta
from mmtools.ports.edit_checks import EditChecks
from mmtools.ports.files import Place
from mmtools.testing.edit_checks import ScriptedEditChecks


def test_they_tell_the_same_of_every_edit_and_keep_the_places() -> None:
    delta = Delta(appeared=(Finding(1, 1, Severity.ERROR, "bad", ""),))
    scripted = ScriptedEditChecks(delta)
    checks: EditChecks = scripted
    first, second = Place("a.go", "/repo/a.go"), Place("b.go", "/repo/b.go")
    watch = checks.watch(first, Cancellation())
    checks.watch(second, Cancellation())
    assert watch.delta() == delta
    assert scripted.watched == [first, second]
    assert scripted.compared == [first]
    assert ScriptedEditChecks().watch(first, Cancellation()).delta() is None
