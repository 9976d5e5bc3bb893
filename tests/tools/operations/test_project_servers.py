"""A server that the project brought along is asked for before it is started, once; what a no means is told."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from mmtools import AllowAll, Choice, Decision, ReadOnly, Rule, Rules, local
from mmtools.call import CommandPreview, ToolKind
from mmtools.errors import PermissionRefused, ToolFailure
from mmtools.ports.language_servers import Feature, LanguageServer
from mmtools.ports.permission import Permission
from mmtools.testing.calls import StubCall
from mmtools.testing.permissions import Scripted
from mmtools.testing.scripted_language_servers import ScriptedLanguageServer, replies
from tests.tools.asked import Asked

OWN = LanguageServer("gopls", "/repo/.venv/bin/gopls serve", ".go")
OTHER = LanguageServer("other", "/usr/bin/other", ".go")
HOVER = {Feature.HOVER: {"contents": "words"}}
REFUSAL = "[lsp: gopls of the project (.venv/bin/gopls) was not started: rejected by the user]"


def project(*others: LanguageServer) -> Asked:
    return Asked(replies=HOVER, servers=(OWN, *others), brought=["gopls"])


def test_the_question_shows_the_program_and_is_asked_once() -> None:
    asked = project()
    assert asked("hover", symbol="greet") == "words"
    [proposal] = asked.call.proposals
    assert proposal.title == "start the project's own language server gopls: .venv/bin/gopls"
    assert proposal.preview == CommandPreview("/repo/.venv/bin/gopls serve", "/repo")
    assert (proposal.paths, proposal.kind) == (("/repo/.venv/bin/gopls",), ToolKind.EXECUTE)
    assert asked("hover", symbol="greet") == "words"
    assert asked.call.proposals == []


def test_a_no_is_said_and_stands_where_there_is_no_other_server() -> None:
    asked = project()
    call = StubCall(allows=False)
    with pytest.raises(PermissionRefused) as refused:
        asked("hover", symbol="greet", call=call)
    assert refused.value.text == REFUSAL
    again = StubCall()
    with pytest.raises(ToolFailure) as failure:
        asked("hover", symbol="greet", call=again)
    assert failure.value.text == (
        "[lsp: gopls is the project's own (/repo/.venv/bin/gopls), and was not allowed to start — go on without it]"
    )
    assert again.proposals == []
    assert asked.servers.asked == []


def test_after_a_no_the_next_server_answers_and_the_answer_says_so() -> None:
    asked = project(OTHER)
    for allows in (False, True):
        assert asked("hover", symbol="greet", call=StubCall(allows=allows)) == (
            "words\n[gopls of the project (.venv/bin/gopls) was not allowed to start; another server answered]"
        )


def test_a_server_that_comes_later_is_not_asked_for() -> None:
    asked = Asked(replies=HOVER, servers=(OTHER, OWN), brought=["gopls"])
    assert asked("hover", symbol="greet") == "words"
    assert asked.call.proposals == []


def test_nobody_is_asked_for_a_call_that_asks_nothing() -> None:
    asked = project()
    asked.refused("hover")
    assert asked.call.proposals == []


def test_a_program_that_may_not_be_read_is_not_started_and_nobody_is_asked() -> None:
    def denied(names: Sequence[str]) -> str | None:
        return "no programs" if any(name.endswith(".venv/bin/gopls") for name in names) else None

    asked = project()
    call = StubCall(denied=denied)
    with pytest.raises(PermissionRefused) as refused:
        asked("hover", symbol="greet", call=call)
    assert refused.value.text == f"{REFUSAL}\nno programs"
    assert call.proposals == []


class Project:
    """A directory of this machine whose `.venv` holds a server for Python."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        (self.root / ".venv/bin").mkdir(parents=True)
        (self.root / "a.py").write_text("one = 1\n")
        self.scripted = ScriptedLanguageServer(folder, {"textDocument/hover": [[replies({"contents": "words"})]]})
        program = self.root / ".venv/bin/ty"
        program.write_text(f"#!/bin/sh\nexec {' '.join(self.scripted.command)}\n")
        program.chmod(0o755)

    @property
    def was_started(self) -> bool:
        return bool(self.scripted.received())

    def run(self, permission: Permission, *, edits: bool = False, path: str = "/usr/bin:/bin") -> str:
        """Ask about `one`, or edit it while edits tell what they made worse."""
        with local.mm(
            self.root,
            permission=permission,
            lsp_servers=["ty"],
            environment={"PATH": path},
            diagnostics_after_edit=edits,
        ) as runner:
            if edits:
                return runner.execute("edit_file", {"path": "a.py", "edits": [{"old": "one", "new": "two"}]})
            return runner.execute("lsp", {"action": "hover", "path": "a.py", "symbol": "one"})


def test_the_projects_own_server_is_found_asked_for_and_started(tmp_path: Path) -> None:
    project = Project(tmp_path)
    permission = Scripted([Choice.ALLOW_ONCE])
    assert project.run(permission) == "words"
    [request] = permission.requests
    assert (request.tool, request.kind) == ("lsp", ToolKind.EXECUTE)
    assert request.preview == CommandPreview(f"{project.root}/.venv/bin/ty server", str(project.root))
    assert project.was_started


@pytest.mark.parametrize(
    ("permission", "reason"),
    [
        (Scripted([Decision(Choice.REJECT_ONCE, "not that one")]), "not that one"),
        (ReadOnly(), "Refused by policy: this session is read-only, and lsp would do more than read."),
        (Rules([Rule.deny("lsp(*/.venv/bin/*)")], AllowAll()), "Refused by the rule lsp(*/.venv/bin/*)"),
        (Rules([Rule.deny("lsp(.venv)")], AllowAll()), "Refused by the rule lsp(.venv)"),
    ],
)
def test_who_says_no_or_denies_it_has_it_not_started(tmp_path: Path, permission: Permission, reason: str) -> None:
    project = Project(tmp_path)
    told = project.run(permission)
    assert told.startswith("[lsp: ty of the project (.venv/bin/ty) was not started: rejected by the user]\n")
    assert reason in told
    assert not project.was_started


def test_after_a_no_the_one_on_the_path_is_started(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    elsewhere = ScriptedLanguageServer(
        tmp_path / "elsewhere", {"textDocument/hover": [[replies({"contents": "other"})]]}
    )
    program = tmp_path / "elsewhere/ty"
    program.write_text(f"#!/bin/sh\nexec {' '.join(elsewhere.command)}\n")
    program.chmod(0o755)
    assert project.run(Scripted([Choice.REJECT_ONCE]), path=f"{program.parent}:/usr/bin:/bin") == (
        "other\n[ty of the project (.venv/bin/ty) was not allowed to start; another server answered]"
    )
    assert not project.was_started


def test_an_edit_never_starts_it(tmp_path: Path) -> None:
    project = Project(tmp_path)
    told = project.run(AllowAll(), edits=True)
    assert "diagnostics not known yet (the project's own server has not been allowed to start)" in told
    assert not project.was_started
