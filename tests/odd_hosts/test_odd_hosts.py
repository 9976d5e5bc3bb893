"""Every tool of both dialects, called in hosts that run in odd ways, answers as it does in a plain one."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeAlias

import pytest

from tests import programs
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

Answer: TypeAlias = tuple[str, str, str]

#: ASCII alone: a host in the C locale is given it as an argument.
_CALLS = r"""
import json, os, sys
from pathlib import Path
from mmtools import AllowAll, McpServer, local
FILE = "\u00fc\u4f60.txt"
GREET = b"def greet():\n    return 'gr\xc3\xbc\xc3\x9fe'\n\n\ngreet(1)\n"
SKILL = b"---\ndescription: Gr\xc3\xbc\xc3\x9fe.\n---\nSay \xe4\xbd\xa0.\n"
CALLS = {
    "mm": [
        ("write_file", {"path": "a.txt", "content": "gr\u00f6\u00dfe\nHIT \u4f60\n"}),
        ("read_file", {"path": "a.txt"}),
        ("edit_file", {"path": "a.txt", "edits": [{"old": "HIT", "new": "MISS \u00df"}]}),
        ("write_file", {"path": FILE, "content": "HIT\n"}),
        ("read_file", {"path": FILE}),
        ("edit_file", {"path": FILE, "edits": [{"old": "HIT", "new": "MISS"}]}),
        ("bash", {"command": "cat a.txt; printf %s '\u00fc\u4f60' | wc -c; cat; echo error >&2"}),
        ("bash", {"command": "exit 3"}),
        ("bash", {"command": "kill -9 $$"}),
        ("bash", {"command": "sleep 60 & echo done"}),
        ("bash", {"command": "rm a.txt; rm -f \u00fc\u4f60.txt"}),
        ("read_file", {"path": "a.txt"}),
        ("read_file", {"path": "/etc/passwd"}),
        ("read_skill", {"name": "greet"}),
        ("lsp", {"action": "definition", "path": "greet.py", "line": 5, "symbol": "greet"}),
        ("lsp", {"action": "diagnostics", "path": "greet.py"}),
        ("lsp", {"action": "rename", "path": "greet.py", "symbol": "greet", "new_name": "gr\u00fcsse"}),
        ("bash", {"command": "cat greet.py; rm -r greet.py skills"}),
        ("scripted__echo", {"text": "gr\u00fc\u00dfe \u4f60"}),
        ("scripted__die", {}),
        ("scripted__echo", {"text": "started again"}),
    ],
    "crab": [
        ("write", {"path": "a.txt", "content": "gr\u00f6\u00dfe\nHIT \u4f60\n"}),
        ("read", {"path": "a.txt"}),
        ("edit", {"path": "a.txt", "edits": [{"old": "HIT", "new": "MISS \u00df"}]}),
        ("bash", {"command": "echo gr\u00f6\u00dfe > made-\u4f60.txt; exit 4"}),
        ("glob", {"pattern": "**/*"}),
        ("glob", {"pattern": "*\u4f60*"}),
        ("grep", {"pattern": "gr\u00f6\u00dfe"}),
        ("grep", {"pattern": "MISS", "path": "a.txt"}),
        ("write", {"path": FILE, "content": "HIT\n"}),
        ("read", {"path": FILE}),
        ("grep", {"pattern": "HIT", "path": FILE}),
        ("bash", {"command": "kill -9 $$"}),
        ("bash", {"command": "rm a.txt made-\u4f60.txt; rm -f \u00fc\u4f60.txt"}),
        ("web_fetch", {"url": "http://127.0.0.1:9/"}),
    ],
}
root, told, server = sys.argv[1:]
(Path(root) / "greet.py").write_bytes(GREET)
(Path(root) / "skills").mkdir()
(Path(root) / "skills" / "greet.md").write_bytes(SKILL)
EXTRAS = {
    "mm": {
        "lsp_servers": ["ty"],
        "mcp_servers": [McpServer("scripted", [sys.executable, "-X", "utf8", server])],
        "skills_dir": Path(root) / "skills",
    },
    "crab": {},
}
answers = []
for dialect, calls in CALLS.items():
    with getattr(local, dialect)(root, permission=AllowAll(), **EXTRAS[dialect]) as runner:
        for name, arguments in calls:
            outcome = runner.call(name, arguments)
            answers.append((json.dumps([name, arguments]), outcome.status, outcome.text))
with open(int(told), "w", encoding="utf-8") as file:
    json.dump(answers, file)
"""
_SERVER = str(Path(__file__).parents[1] / "adapters" / "mcp" / "scripted_server.py")
_DAEMON = """
import os, signal
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
for _ in range(2):
    if os.fork():
        os._exit(0)
    os.setsid()
"""
_FORKED = """
import os, sys
from mmtools import AllowAll, local
with local.mm(sys.argv[1], permission=AllowAll()) as runner:
    runner.execute("bash", {"command": "true"})
if os.fork():
    os._exit(os.wait()[1])
"""
_NOBODY = "setpriv --reuid=12345 --regid=12345 --clear-groups --inh-caps=-all,+dac_read_search"
_WITHOUT_UTF8 = {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LANG": ""}


def answers(*, before: str = "", environment: dict[str, str] | None = None, by: Sequence[str] = ()) -> list[Answer]:
    """Run the calls in a host of its own: `before` runs first, and `by` is what the host is started by."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        reader, writer = os.pipe()
        host = subprocess.Popen(
            [*by, sys.executable, "-c", before + _CALLS, folder, str(writer), _SERVER],
            pass_fds=(writer,),
            env={**os.environ, "PATH": programs.PATH, **(environment or {})},
        )
        os.close(writer)
        with host, open(reader, encoding="utf-8") as told:
            return [
                (call, status, re.sub(r"(still running: )\d+", r"\1PID", text))
                for call, status, text in json.loads(told.read())
            ]


@cache
def plain() -> list[Answer]:
    return answers()


def test_the_calls_do_what_they_should() -> None:
    statuses = [status for _, status, _ in plain()]
    assert statuses.count("failed") == 8
    assert any("gr\u00f6\u00dfe\nMISS \u00df \u4f60\n5\nerror" in text for _, _, text in plain())


@pytest.mark.parametrize(
    "streams",
    ["os.close(0), os.close(1)\n", "[os.dup2(os.open('/dev/null', os.O_RDWR), each) for each in range(3)]\n"],
    ids=["closed", "null"],
)
def test_a_daemon_is_as_good_a_host(streams: str) -> None:
    assert answers(before=_DAEMON + streams) == plain()


def test_a_forked_worker_is_as_good_a_host() -> None:
    assert answers(before=_FORKED) == plain()


@pytest.mark.needs("setpriv")
@pytest.mark.skipif(os.getuid() != 0, reason="only root can become somebody else")
def test_a_user_whom_nobody_knows_is_as_good_a_host() -> None:
    by = [*_NOBODY.split(), "--ambient-caps=+dac_read_search", "env", "--unset=HOME"]
    assert answers(by=by) == plain()


@pytest.mark.parametrize("locale", ["C", "en_US.ISO-8859-1"])
def test_a_locale_without_utf8_is_named_where_it_matters_and_only_there(locale: str, tmp_path: Path) -> None:
    environment = {**_WITHOUT_UTF8, "LC_ALL": locale}
    if locale != "C":
        make_locale(tmp_path, locale)
        environment["LOCPATH"] = str(tmp_path)
    for odd, right in zip(answers(environment=environment), plain(), strict=True):
        call, status, text = odd
        if (path := json.loads(call)[1].get("path")) and not path.isascii():
            assert status == "failed"
            assert "PYTHONUTF8=1" in text
            assert len(text.splitlines()) == 1
        else:
            assert odd == right


def make_locale(folder: Path, name: str) -> None:
    if not shutil.which("localedef"):
        pytest.skip("needs localedef")
    language, _, charset = name.partition(".")
    made = subprocess.run(
        ["localedef", "-i", language, "-f", charset, str(folder / name)],
        capture_output=True,
        check=False,
        timeout=PATIENCE_S,
    )
    if made.returncode:
        pytest.skip(f"needs the source of the locale {name}")
