"""
A sketch of two faces of a third dialect, built on the operations as they are: other names, other limits, other words.

Source: Mirri built-in tools page, "Edit" and "Bash", in part; decision D15.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, ClassVar

import pytest
from attrs import field, frozen, validators
from typing_extensions import Doc

from mmtools import AllowAll, Runner, Toolset
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.call import CommandPreview, GrantScope, Headline, Status, ToolKind
from mmtools.core.edits import Replacement
from mmtools.core.freshness import Ledger
from mmtools.errors import ToolFailure
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.processes import Scripted, ScriptedProcesses
from mmtools.tool import Call, ToolSpec
from mmtools.tools.operations.edit_text import EditTerms, edit_text
from mmtools.tools.operations.run_command import (
    Command,
    CommandTerms,
    SessionProcesses,
    run_command,
    session_processes,
)
from mmtools.tools.operations.session_files import SessionFiles, session_files
from mmtools.tools.operations.spellings import COMMAND, PATH

# The faces

_EDIT = EditTerms(tool="Edit", writer="Write", old="old_string", new="new_string", several="set replace_all to true")


@frozen(kw_only=True)
class EditArgs:
    path: Annotated[str, Doc("File path.")]
    old_string: Annotated[str, Doc("The exact text to replace.")]
    new_string: Annotated[str, Doc("Its replacement; not identical to it.")]
    replace_all: Annotated[bool, Doc("Replace every occurrence.")] = False


@frozen(kw_only=True)
class Edit:
    """The tool that replaces one text of a file, once or everywhere: `edit_text`."""

    files: SessionFiles = field(converter=session_files)

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="Edit",
        kind=ToolKind.EDIT,
        family="file",
        description=(
            "Replace an exact text in a file. old_string must be in it exactly once, blanks and indentation included, "
            "unless replace_all is true."
        ),
        arguments=EditArgs,
        aliases=PATH,
    )

    def headline(self, arguments: EditArgs) -> Headline:
        return self.files.headline(arguments.path)

    def execute(self, arguments: EditArgs, call: Call) -> str:
        wanted = Replacement(arguments.old_string, arguments.new_string, everywhere=arguments.replace_all)
        return edit_text(self.files, arguments.path, [wanted], call, _EDIT)


_BASH = CommandTerms(tool="Bash", command="command")
#: 5 minutes: Mirri page, "Bash".
_LONGEST_MS = 300_000


@frozen(kw_only=True)
class BashArgs:
    command: Annotated[str, Doc("The shell command.")]
    cwd: Annotated[str, Doc("Working directory.")] = ""
    timeout: Annotated[int, Doc("Milliseconds; 0 = 60 seconds.")] = field(
        default=0, validator=[validators.ge(0), validators.le(_LONGEST_MS)]
    )
    description: Annotated[str, Doc("What it is for, in a few words.")] = ""


@frozen(kw_only=True)
class Bash:
    """
    The tool that runs a shell command, in a directory of the model's choice: `run_command`.

    Args:
        timeout_s: For which a model asks nothing else (60 s: Mirri page, "Bash").
    """

    processes: SessionProcesses = field(converter=session_processes)
    timeout_s: float = 60.0

    spec: ClassVar[ToolSpec] = ToolSpec(
        name="Bash",
        kind=ToolKind.EXECUTE,
        family="command",
        description="Run a shell command; stdin is closed.",
        arguments=BashArgs,
        aliases=COMMAND,
    )

    def headline(self, arguments: BashArgs) -> Headline:
        return Headline(text=arguments.description or arguments.command)

    def execute(self, arguments: BashArgs, call: Call) -> str:
        timeout_s = arguments.timeout / 1_000 if arguments.timeout else self.timeout_s
        text = arguments.command
        if arguments.cwd and text.strip():
            text = f"cd -- {shlex.quote(arguments.cwd)} || exit\n{text}"
        wanted = Command(
            text=text,
            timeout_s=timeout_s,
            longer=f"send a timeout of up to {_LONGEST_MS} ms" if timeout_s * 1_000 < _LONGEST_MS else "",
            scope=GrantScope(f"run:{text}", f"this very command: {text}"),
        )
        return run_command(self.processes, wanted, call, _BASH)


# What they do


def edited(files: MemoryFiles, old: str, new: str, *, replace_all: bool = False) -> str:
    arguments = EditArgs(path="f", old_string=old, new_string=new, replace_all=replace_all)
    return Edit(files=files).execute(arguments, StubCall())


def refusal(data: str | None, old: str, new: str) -> str:
    with pytest.raises(ToolFailure) as refused:
        edited(MemoryFiles({} if data is None else {"f": data}), old, new)
    return refused.value.text


def test_one_text_is_replaced_once_or_everywhere() -> None:
    files = MemoryFiles({"f": b"a\r\nb\r\na\r\n"})
    assert edited(files, "b", "c").startswith("edited f: 1 edit(s), +1 -1 lines, first change at line 2\n")
    assert edited(files, "a\n", "x\n", replace_all=True).startswith("edited f: 2 edit(s), +2 -2 lines, first change")
    assert files.contents == {"f": b"x\r\nc\r\nx\r\n"}


def test_refusals_speak_its_own_words() -> None:
    assert refusal("a\na\n", "a", "b") == (
        "old text appears 2 times (lines 1, 2) — to change ONE of them, include its surrounding lines in old_string "
        "until the text is unique; to change several, set replace_all to true."
    )
    assert refusal("a\n", "a", "a") == (
        "old_string and new_string are the same, so nothing would change; leave this edit out, or correct new_string"
    )
    assert refusal("a b\n", "a  b", "x") == (
        "old text not found: line 1 differs in blanks, case or look-alike characters\n"
        "- line 1, column 3: the file has nothing, old_string has 1 space\n"
        "Send exactly this as old_string, and spell new_string like it:\n```\na b\n```"
    )
    assert refusal("a\n", "", "x").startswith("old_string is empty; send the text to replace.")
    assert refusal("a\n", "a", "\ud800").startswith("new_string holds half a character")
    assert refusal(None, "a", "b") == "f does not exist. Create it with Write"


def test_the_gate_and_the_runner_know_it_as_any_other() -> None:
    files = MemoryFiles({"f": "a\n"})
    tool = Edit(files=SessionFiles(files=files, ledger=Ledger()))
    runner = Runner(Toolset([tool]), permission=AllowAll())
    sent = {"file_path": "f", "old_string": "a", "new_string": "b", "replace_all": "true"}
    assert runner.execute("Edit", sent) == (
        "f was not read yet; nothing was written. Read it first, then repeat the change"
    )
    tool.files.note_known(files.snapshot(files.locate("f")))
    assert runner.call("Edit", json.dumps(sent)).status is Status.OK
    assert files.contents == {"f": b"b\n"}


def test_a_command_has_its_own_limits_and_words(tmp_path: Path) -> None:
    (tmp_path / "a b").mkdir()
    with Subprocesses(tmp_path, environment={"PATH": "/usr/bin:/bin"}) as processes:
        tool, call = Bash(processes=processes), StubCall()
        assert tool.execute(BashArgs(command="pwd # here", cwd="a b"), call) == f"{tmp_path}/a b\n"
        (proposal,) = call.proposals
        assert proposal.preview == CommandPreview("cd -- 'a b' || exit\npwd # here", str(tmp_path))
        assert tool.execute(BashArgs(command="pwd", cwd="gone"), call).endswith("[exit code: exit status 1]")
    assert tool.headline(BashArgs(command="make", description="Build it")).text == "Build it"


def test_milliseconds_end_at_the_face() -> None:
    tool = Bash(processes=ScriptedProcesses({"it": Scripted(takes_s=60)}))
    assert tool.execute(BashArgs(command="it", timeout=60), StubCall()) == (
        "[killed with all it started; send a timeout of up to 300000 ms; to let it go on, send it as (COMMAND) > out.log "
        "2>&1 & and read out.log later]\n[error: 0.06s timeout exceeded]"
    )
    with pytest.raises(ToolFailure, match=r"^\[Bash: command is empty; send the shell command to run\]$"):
        tool.execute(BashArgs(command=" ", cwd="x"), StubCall())
