"""The composition root: its options reach what they are about."""

from __future__ import annotations

import importlib.util
import sysconfig
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import frozen

from mmtools import (
    AllowAll,
    Choice,
    Decision,
    DefinitionError,
    EnvironmentPolicy,
    LanguageServer,
    McpServer,
    RefuseAll,
    ToolSpec,
    local,
    workspace,
)
from mmtools.call import FilesPreview, Headline, ReadPreview, ToolKind
from mmtools.core.freshness import Ledger
from mmtools.core.writers import Writers
from mmtools.runner import Runner
from mmtools.testing.permissions import Scripted
from mmtools.tool import Call
from tests.patience import soon
from tests.servers import real_server


def test_the_five_lines_of_the_contract_work(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("".join(f"line {n}\n" for n in range(1, 41)))
    with local.mm(str(tmp_path), permission=AllowAll()) as runner:
        text = runner.execute("read_file", {"path": "README.md", "end": 20})
    assert text.split("\n")[-2:] == ["line 20", "[lines 1-20 of 40]"]


def test_a_root_must_be_a_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for root in ("file", "missing"):
        with pytest.raises(NotADirectoryError):
            local.mm(tmp_path / root, permission=AllowAll())


def test_commands_see_no_secret_unless_the_host_passes_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-AAA")
    monkeypatch.setenv("MMTOOLS_API_KEY", "mm-BBB")
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        text = runner.execute("bash", {"command": "env; tr '\\0' ' ' < /proc/$$/cmdline"})
    assert "sk-AAA" not in text
    assert "mm-BBB" not in text
    assert "PATH=" in text
    policy = EnvironmentPolicy(pass_through=("OPENAI_API_KEY",))
    with local.mm(tmp_path, permission=AllowAll(), environment=policy) as runner:
        assert "sk-AAA" in runner.execute("bash", {"command": "env"})
    with local.mm(tmp_path, permission=AllowAll(), environment={"ONLY": "this"}) as runner:
        text = runner.execute("bash", {"command": "env"})
    assert "ONLY=this" in text
    assert "HOME=" not in text


def test_paths_outside_are_refused_unless_a_root_is_added(tmp_path: Path) -> None:
    root, other = tmp_path / "proj", tmp_path / "proj-secret"
    root.mkdir()
    other.mkdir()
    (other / "k.txt").write_text("secret\n")
    with local.mm(root, permission=AllowAll()) as runner:
        text = runner.execute("read_file", {"path": "../proj-secret/k.txt"})
    assert str(other / "k.txt") in text
    assert "secret\n" not in text
    with local.mm(root, permission=AllowAll(), extra_roots=(other,)) as runner:
        assert runner.execute("read_file", {"path": str(other / "k.txt")}) == "secret\n"


def test_outside_may_be_left_to_a_person(tmp_path: Path) -> None:
    root, target = tmp_path / "proj", tmp_path / "k.txt"
    root.mkdir()
    target.write_text("secret\n")
    permission = Scripted([Decision(Choice.REJECT_ONCE), Decision(Choice.ALLOW_ONCE), Decision(Choice.ALLOW_ONCE)])
    with local.mm(root, permission=permission, outside="ask") as runner:
        assert runner.execute("read_file", {"path": "../k.txt"}).startswith("[read rejected by the user]")
        assert runner.execute("read_file", {"path": "../k.txt"}) == "secret\n"
        assert "wrote" in runner.execute("write_file", {"path": "../k.txt", "content": "mine\n"})
    read, _, write = permission.requests
    assert read.preview == ReadPreview(str(target))
    assert isinstance(write.preview, FilesPreview)
    assert target.read_text() == "mine\n"


def test_encodings_are_tried_for_what_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("café\n".encode("cp1252"))
    with local.mm(tmp_path, permission=AllowAll(), encodings=("cp1252",)) as runner:
        assert runner.execute("read_file", {"path": "a.txt"}) == "café\n[encoding cp1252]"
        runner.execute("edit_file", {"path": "a.txt", "edits": [{"old": "é", "new": "ê"}]})
    assert (tmp_path / "a.txt").read_bytes() == "cafê\n".encode("cp1252")


def test_closing_ends_what_commands_left_running(tmp_path: Path) -> None:
    with local.mm(tmp_path, permission=RefuseAll()) as runner:
        assert runner.execute("bash", {"command": "sleep 60 &"}).startswith("[command rejected")
    with local.mm(tmp_path, permission=AllowAll()) as runner:
        runner.execute("bash", {"command": "sleep 600 & echo $! > pid"})
        pid = int((tmp_path / "pid").read_text())
        assert Path(f"/proc/{pid}").exists()
    stat = Path(f"/proc/{pid}/stat")
    # It is killed; that the kernel has done so is seen a moment later.
    soon(lambda: not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] in "ZX")


def test_a_language_server_that_is_not_installed_is_skipped_with_a_warning(tmp_path: Path) -> None:
    ghost = LanguageServer("ghost", ("no-such-program", "--stdio"), (".x",))
    line = r"^\[warning: lsp server ghost \(no-such-program\) not found on the PATH — skipped\]$"
    with pytest.warns(UserWarning, match=line):
        runner = local.mm(tmp_path, permission=AllowAll(), lsp_servers=[ghost])
    assert "lsp" not in [spec.name for spec in runner.specs]
    with pytest.warns(UserWarning, match=line):
        runner = local.mm(tmp_path, permission=AllowAll(), lsp_servers=[ghost, real_server("ty")])
    with runner:
        lsp = runner["lsp"].spec
    assert "Servers available: ty (.py, .pyi)" in lsp.description


def test_lsp_needs_no_other_file_tool(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def greet(): ...\n")
    with local.mm(
        tmp_path, permission=AllowAll(), edit_tools=False, bash_tool=False, lsp_servers=[real_server("ty")]
    ) as runner:
        assert [spec.name for spec in runner.specs] == ["lsp"]
        assert "greet" in runner.execute("lsp", {"action": "symbols", "path": "a.py"})


def test_a_server_sees_what_edits_and_commands_change(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from b import one\n\none()\n")
    (tmp_path / "b.py").write_text("def one(): ...\n")
    with local.mm(tmp_path, permission=AllowAll(), lsp_servers=[real_server("ty")]) as runner:
        assert "line 1" in runner.execute("lsp", {"action": "symbols", "path": "b.py"})
        runner.execute("edit_file", {"path": "b.py", "edits": [{"old": "def one", "new": "\n\ndef one"}]})
        assert "b.py:3:5" in runner.execute("lsp", {"action": "definition", "path": "a.py", "symbol": "one"})
        runner.execute("bash", {"command": "sed -i 1d b.py"})
        assert "b.py:2:5" in runner.execute("lsp", {"action": "definition", "path": "a.py", "symbol": "one"})


def test_what_an_edit_made_worse_or_better_is_told_when_asked_for(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("one = 1\nprint(one)\n")
    with local.mm(
        tmp_path, permission=AllowAll(), lsp_servers=[real_server("ty")], diagnostics_after_edit=True
    ) as runner:
        runner.execute("lsp", {"action": "diagnostics", "path": "a.py"})
        worse = runner.execute("edit_file", {"path": "a.py", "edits": [{"old": "one = 1", "new": "two = 1"}]})
        same = runner.execute("edit_file", {"path": "a.py", "edits": [{"old": "two = 1", "new": "two = 2"}]})
        better = runner.execute("write_file", {"path": "a.py", "content": "one = 1\nprint(one)\n"})
    assert "diagnostics after this change: 1 new" in worse
    assert "diagnostics" not in same
    assert "diagnostics after this change: 1 gone" in better


def test_crab_asks_for_a_read_before_an_edit_and_mm_does_when_told(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    change = {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}
    with local.crab(tmp_path, permission=AllowAll()) as runner:
        assert "was not read yet" in runner.execute("edit", change)
        runner.execute("read", {"path": "a.txt"})
        runner.reset()
        assert "was not read yet" in runner.execute("edit", change)
    with local.mm(tmp_path, permission=AllowAll(), read_before_edit=True) as runner:
        assert "was not read yet" in runner.execute("edit_file", change)
    with local.crab(tmp_path, permission=AllowAll(), read_before_edit=False) as runner:
        assert runner.execute("edit", change).startswith("edited a.txt")


def test_a_session_is_told_what_another_session_wrote(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    writers = Writers()
    change = {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}
    with (
        local.crab(tmp_path, permission=AllowAll(), read_before_edit=Ledger("main", writers)) as main,
        local.crab(tmp_path, permission=AllowAll(), read_before_edit=Ledger("reviewer", writers)) as reviewer,
    ):
        main.execute("read", {"path": "a.txt"})
        assert "was not read yet" in reviewer.execute("edit", change)
        reviewer.execute("read", {"path": "a.txt"})
        assert reviewer.execute("edit", change).startswith("edited")
        told = main.execute("edit", {"path": "a.txt", "edits": [{"old": "1", "new": "2"}]})
    assert "changed since it was read" in told
    assert "reviewer" in told


def test_search_is_by_ripgrep_by_python_or_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    with local.crab(tmp_path, permission=AllowAll()) as runner:
        assert "Rust" in runner["grep"].spec.description
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    nowhere = {"PATH": str(tmp_path)}
    with local.crab(tmp_path, permission=AllowAll(), environment=nowhere) as runner:
        assert "Python" in runner["grep"].spec.description
        assert runner.execute("grep", {"pattern": "o.e"}) == "a.txt:1:one"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(workspace, "find_spec", lambda name: None)
    with pytest.warns(UserWarning, match="pip install") as warned:
        runner = local.crab(tmp_path, permission=AllowAll(), environment=nowhere)
    runner.close()
    assert [spec.name for spec in runner.specs] == ["read", "write", "edit", "bash", "web_fetch"]
    assert {Path(each.filename).name for each in warned} == {"test_local.py"}


@pytest.mark.parametrize("bad", [{"extra_roots": ("missing",)}, {"allow_addresses": ["nowhere"]}])
def test_no_server_is_started_for_options_that_are_refused(tmp_path: Path, bad: dict[str, Any]) -> None:
    server = McpServer("marker", ["touch", str(tmp_path / "started")])
    with pytest.raises((NotADirectoryError, DefinitionError)):
        local.crab(tmp_path, permission=AllowAll(), mcp_servers=[server], **bad)
    assert not (tmp_path / "started").exists()


@frozen
class NoArgs:
    pass


@frozen
class Own:
    """A tool of the host's own."""

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="own", description="Say so.", kind=ToolKind.READ, family="own", arguments=NoArgs
    )

    def headline(self, arguments: NoArgs) -> Headline:
        return Headline(text="")

    def execute(self, arguments: NoArgs, call: Call) -> str:
        return "mine"


@frozen
class OwnBash(Own):
    spec: ClassVar[ToolSpec] = ToolSpec(
        name="bash", description="Say so.", kind=ToolKind.READ, family="own", arguments=NoArgs
    )


DIALECTS = [local.mm, local.crab]


@pytest.mark.parametrize("build", DIALECTS)
def test_a_host_adds_tools_and_leaves_some_out(tmp_path: Path, build: Any) -> None:
    with build(tmp_path, permission=AllowAll(), tools=(Own(),), without=("bash",)) as runner:
        names = [spec.name for spec in runner.specs]
        assert "bash" not in names
        assert names[-1] == "own"
        assert runner.execute("own") == "mine"
    with build(tmp_path, permission=AllowAll(), tools=[OwnBash()], without=["bash"]) as runner:
        assert runner.execute("bash") == "mine"


@pytest.mark.parametrize("build", DIALECTS)
@pytest.mark.parametrize(
    ("bad", "named"),
    [({"without": ("no_such",)}, "no_such"), ({"tools": (OwnBash(),)}, "bash"), ({"without": ("x__y",)}, "x__y")],
)
def test_a_name_that_is_unknown_or_taken_is_refused(
    tmp_path: Path, build: Any, bad: dict[str, Any], named: str
) -> None:
    with pytest.raises(DefinitionError, match=named):
        build(tmp_path, permission=AllowAll(), **bad)


@pytest.mark.parametrize("build", DIALECTS)
def test_language_servers_join_every_dialect(tmp_path: Path, build: Any) -> None:
    (tmp_path / "m.py").write_text("def f():\n    return 1\n\nf()\n")
    with build(tmp_path, permission=AllowAll(), lsp_servers=[real_server("ty")]) as runner:
        assert "lsp" in [spec.name for spec in runner.specs]
        assert "m.py:1:5" in runner.execute("lsp", {"action": "definition", "path": "m.py", "symbol": "f", "line": 4})


@pytest.mark.parametrize("build", DIALECTS)
@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("permission", AllowAll),
        ("permission", None),
        ("permission", "all"),
        ("permission", lambda request: None),
        ("display", object()),
        ("observer", "log"),
        ("loop_detector", 3),
        ("max_output", "big"),
        ("max_output", 0),
        ("max_output", True),
        ("max_output", 2.5),
        ("bash_timeout_s", "3"),
        ("bash_timeout_s", -1),
        ("bash_timeout_s", float("nan")),
        ("environment", ["A"]),
        ("environment", {"A": 1}),
        ("extra_roots", "docs"),
        ("extra_roots", [3]),
        ("outside", "allow"),
        ("encodings", "cp1252"),
        ("encodings", ["no such codec"]),
        ("read_before_edit", "yes"),
        ("lsp_servers", "pyright"),
        ("lsp_servers", [3]),
        ("diagnostics_after_edit", "yes"),
        ("mcp_servers", ["x"]),
        ("tools", [object()]),
        ("tools", [Own]),
        ("without", "bash"),
        ("without", [3]),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_by_the_name_of_its_option(
    tmp_path: Path, build: Any, option: str, value: object
) -> None:
    with pytest.raises(DefinitionError, match=rf"^{option} takes ") as refused:
        build(tmp_path, **{"permission": AllowAll(), option: value})
    assert len(str(refused.value)) < 300


def test_a_root_is_a_path(tmp_path: Path) -> None:
    for root in (3, None, b"bytes"):
        with pytest.raises(DefinitionError, match=r"^root takes"):
            local.mm(root, permission=AllowAll())  # type: ignore[arg-type]  # the wrong kind on purpose
    assert isinstance(local.mm(tmp_path, permission=AllowAll()), Runner)
