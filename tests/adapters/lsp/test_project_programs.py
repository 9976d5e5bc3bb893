"""What a project brings along is found, told from what the host has, and started only once somebody allowed it."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest

from mmtools.adapters.lsp import known_servers, project_programs
from mmtools.adapters.lsp.known_servers import Installed
from mmtools.adapters.lsp.project_programs import ProjectPrograms
from mmtools.call import Cancellation
from mmtools.ports.language_server_problems import Interrupted
from mmtools.ports.language_servers import LanguageServer
from tests.patience import at_once, soon

(TY,) = known_servers.resolve(["ty"])
OWN = LanguageServer("mine", ["ty", "server"], [".py"])


def program(folder: Path, name: str = "ty") -> str:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def run_by(server: LanguageServer, path: str) -> LanguageServer:
    return LanguageServer(server.name, (path, *server.command[1:]), server.extensions)


@pytest.mark.parametrize("folder", ["node_modules/.bin", ".venv/bin"])
def test_a_known_server_is_rather_the_projects_own_and_then_the_paths(tmp_path: Path, folder: str) -> None:
    own, elsewhere = program(tmp_path / "project" / folder), program(tmp_path / "bin")
    found = known_servers.installed([TY], str(tmp_path / "bin"), root=str(tmp_path / "project"))
    assert found == Installed((run_by(TY, own), run_by(TY, elsewhere)), (), frozenset({own}))


def test_a_server_that_the_host_spelled_out_is_the_paths_and_then_the_projects_own(tmp_path: Path) -> None:
    own, elsewhere = program(tmp_path / ".venv/bin"), program(tmp_path / "bin")
    found = known_servers.installed([OWN], str(tmp_path / "bin"), root=str(tmp_path))
    assert found == Installed((run_by(OWN, elsewhere),), (), frozenset())
    found = known_servers.installed([OWN], str(tmp_path / "nothing"), root=str(tmp_path))
    assert found == Installed((run_by(OWN, own),), (), frozenset({own}))


def test_a_program_with_a_path_is_the_hosts_word_wherever_it_lies(tmp_path: Path) -> None:
    own = program(tmp_path / ".venv/bin")
    server = run_by(TY, own)
    assert known_servers.installed([server], "", root=str(tmp_path)) == Installed((server,), ())


@pytest.mark.parametrize("spelling", ["{root}/.venv/bin", ".venv/bin", "{root}/x/../.venv/bin/", "{link}"])
def test_the_projects_folders_on_the_path_are_still_the_projects(tmp_path: Path, spelling: str) -> None:
    own = program(tmp_path / ".venv/bin")
    (tmp_path / "x").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / ".venv/bin")
    path = os.pathsep.join([spelling.format(root=tmp_path, link=tmp_path / "link"), str(tmp_path / "x")])
    found = known_servers.installed([TY, OWN], path, root=str(tmp_path))
    assert found == Installed((run_by(TY, own), run_by(OWN, own)), (), frozenset({own}))
    assert shutil.which("ty", path=project_programs.path_without(str(tmp_path), path)) is None


def test_what_is_nowhere_is_skipped(tmp_path: Path) -> None:
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/ty").write_text("not to be run")
    assert known_servers.installed([TY], str(tmp_path), root=str(tmp_path)) == Installed((), (TY,))


@pytest.mark.parametrize("answer", [True, False])
def test_each_program_is_asked_about_once(answer: bool) -> None:
    programs, asked = ProjectPrograms(["/p/ty"]), []
    server = run_by(TY, "/p/ty")

    def ask(server: LanguageServer) -> bool:
        asked.append(server)
        return answer

    assert not programs.may_start(server)
    assert not programs.is_refused(server)
    for _ in range(3):
        assert programs.permit(server, ask, Cancellation()) is answer
    assert asked == [server]
    assert (programs.may_start(server), programs.is_refused(server)) == (answer, not answer)
    assert programs.permit(TY, ask, Cancellation())
    assert asked == [server]


def test_a_question_that_was_not_answered_stays_open() -> None:
    programs, server = ProjectPrograms(["/p/ty"]), run_by(TY, "/p/ty")

    def leave(_: LanguageServer) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        programs.permit(server, leave, Cancellation())
    assert programs.permit(server, lambda _: True, Cancellation())


def test_who_comes_while_a_question_is_open_waits_for_its_answer_or_is_cancelled() -> None:
    programs, server = ProjectPrograms(["/p/ty"]), run_by(TY, "/p/ty")
    is_asked, answer, later = threading.Event(), threading.Event(), threading.Event()

    def ask(_: LanguageServer) -> bool:
        is_asked.set()
        return answer.wait()

    first = threading.Thread(target=programs.permit, args=(server, ask, Cancellation()))
    first.start()
    soon(is_asked.is_set)
    cancelled = Cancellation()
    cancelled.request()
    with at_once(), pytest.raises(Interrupted):
        programs.permit(server, ask, cancelled)

    def come_second() -> None:
        if programs.permit(server, lambda _: False, Cancellation()):
            later.set()

    second = threading.Thread(target=come_second)
    second.start()
    answer.set()
    for thread in (first, second):
        thread.join()
    assert later.is_set()
