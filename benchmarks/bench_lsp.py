"""
Claims: asking a language server costs what the bare request costs; many calls leave nothing behind; a rename costs
what writing its files costs; a server that is killed costs an instant.

The raw work is done by `BareClient` with the same server on the same project.
"""

from __future__ import annotations

import os
import signal
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

from attrs import define, field, frozen

from benchmarks.bare_language_client import BareClient
from benchmarks.measure import compare, row, timed
from mmtools import AllowAll, Runner, local
from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.lsp import known_servers
from mmtools.adapters.lsp.servers import LocalLanguageServers
from mmtools.adapters.lsp.texts import TextReader
from mmtools.adapters.notifying import NotifyingFiles
from mmtools.call import Cancellation
from mmtools.core.lsp.positions import Document, Position
from mmtools.ports.files import Place
from mmtools.ports.language_servers import (
    Answer,
    Diagnosis,
    Feature,
    LanguageServer,
    LanguageServers,
    OpenFile,
    Sent,
)
from mmtools.toolsets import mm as mm_toolset
from mmtools.toolsets.languages import Languages

CALLS, FUNCTIONS, USERS = 1_000, 60, 500
ACTIONS = ("hover", "definition", "symbols")
PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
ENVIRONMENT = {**os.environ, "PATH": PATH}
BYTES_PER_MB = 1_000_000
SETTLED_S = 1.2

PYTHON_DEFINITION = 'def area_{n}(width: int, height: int) -> int:\n    """Area {n}."""\n    return width * height\n\n'
PYTHON_USE = "def double_{n}(width: int) -> int:\n    return area_{n}(width, 2)\n\n"
C_DEFINITION = "/* Area {n}. */\nint area_{n}(int width, int height);\n\n"
C_USE = "int double_{n}(int width) {{\n    return area_{n}(width, 2);\n}}\n\n"


@frozen(kw_only=True)
class Sample:
    """A project of two files, the second of which uses what the first defines."""

    server: LanguageServer
    language: str
    names: tuple[str, str]
    texts: tuple[str, str]
    symbol: str = f"area_{FUNCTIONS // 2}"

    def write(self, root: Path) -> None:
        for name, text in zip(self.names, self.texts, strict=True):
            (root / name).write_text(text)

    def ask(self, runner: Runner, action: str) -> str:
        runner.loop_detector.reset()
        pointing = {} if action == "symbols" else {"symbol": f"{self.symbol}(", "line": self.line}
        return runner.execute("lsp", {"action": action, "path": self.names[1], **pointing})

    def ask_raw(self, client: BareClient, root: Path, action: str, *, until_told: bool = False) -> object:
        feature = Feature[action.upper()]
        params: dict[str, Any] = {"textDocument": {"uri": (root / self.names[1]).as_uri()}}
        if action != "symbols":
            params["position"] = {"line": self.line - 1, "character": self.line_text.index(self.symbol)}
        return (client.ask_until_told if until_told else client.ask)(feature, params)

    @property
    def line(self) -> int:
        return self.texts[1].split(f"{self.symbol}(")[0].count("\n") + 1

    @property
    def line_text(self) -> str:
        return self.texts[1].split("\n")[self.line - 1]


def samples() -> list[Sample]:
    """Return those whose server is installed, and say which are not."""
    known = known_servers.installed(known_servers.resolve(["ty", "basedpyright", "clangd"]), PATH)
    for server in known.skipped:
        row(f"{server.name}: not installed, skipped")
    return [sample(server) for server in known.found]


def sample(server: LanguageServer) -> Sample:
    each = range(FUNCTIONS)
    if server.name == "clangd":
        used = "#pragma once\n\n" + "".join(C_DEFINITION.format(n=n) for n in each)
        user = '#include "shapes.h"\n\n' + "".join(C_USE.format(n=n) for n in each)
        return Sample(server=server, language="cpp", names=("shapes.h", "main.cc"), texts=(used, user))
    used = "".join(PYTHON_DEFINITION.format(n=n) for n in each)
    user = "from shapes import *\n\n" + "".join(PYTHON_USE.format(n=n) for n in each)
    return Sample(server=server, language="python", names=("shapes.py", "main.py"), texts=(used, user))


def started(root: Path, server: LanguageServer) -> Runner:
    return local.mm(root, permission=AllowAll(), environment=ENVIRONMENT, lsp_servers=[server])


def warm(sample: Sample, root: Path) -> None:
    name = sample.server.name
    with started(root, sample.server) as runner, BareClient(sample.server, root, ENVIRONMENT) as client:
        client.open(root / sample.names[1], sample.language)
        # A file that was written a moment ago is read again for each question; a warm one is not.
        time.sleep(SETTLED_S)
        for action in ACTIONS:
            sample.ask_raw(client, root, action, until_told=True)
            assert sample.symbol.removeprefix("area_") in sample.ask(runner, action)
            compare(
                f"{name}: warm {action}",
                partial(sample.ask, runner, action),
                partial(sample.ask_raw, client, root, action),
                target="<= 1.5x",
                rounds=200,
            )
        leave_nothing(sample, runner)


def leave_nothing(sample: Sample, runner: Runner) -> None:
    """See what many calls leave in this process."""
    for n in range(CALLS // 5):
        sample.ask(runner, ACTIONS[n % len(ACTIONS)])
    memory, threads = resident(), threading.active_count()
    for n in range(CALLS):
        sample.ask(runner, ACTIONS[n % len(ACTIONS)])
    grown = (resident() - memory) / BYTES_PER_MB
    row(f"    memory growth in {CALLS:,} calls", f"{grown:.2f} MB", "", "", "0")
    row("    threads before and after", f"{threads} and {threading.active_count()}", "", "", "the same")


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def first_answer(sample: Sample, root: Path) -> None:
    left: list[Callable[[], None]] = []

    def close() -> None:
        while left:
            left.pop()()

    def ours() -> None:
        runner = started(root, sample.server)
        left.append(runner.close)
        assert sample.symbol in sample.ask(runner, "hover")

    def raw() -> None:
        client = BareClient(sample.server, root, ENVIRONMENT)
        left.append(client.close)
        client.open(root / sample.names[1], sample.language)
        sample.ask_raw(client, root, "hover", until_told=True)

    compare(f"{sample.server.name}: start to first hover", ours, raw, target="<= 1.2x", rounds=9, before=close)
    close()


def killed(sample: Sample, root: Path) -> None:
    """Kill each process that a server is made of, in turn, while it owes an answer."""
    count, victim = 1, 0
    while victim < count:
        with started(root, sample.server) as runner:
            sample.ask(runner, "hover")
            pids = descendants()
            count = len(pids)
            told, until_text = asked_and_killed(sample, runner, pids, pids[victim])
            left = [pid for pid in pids if is_left(pid)]
            until_next = timed(lambda: told.append(sample.ask(runner, "hover")))  # noqa: B023 - called at once
            assert sample.symbol in told[1], told
        victim += 1
        which = f"process {victim} of {count}"
        row(f"{sample.server.name}: kill -9 of {which}, until text", f"{until_text * 1000:.1f} ms", "", "", "< 1 s")
        row("    next call answers; processes left", f"{until_next:.2f} s", f"{len(left)}", "", "0 left")
        print(f"    {told[0].splitlines()[0]}")


def asked_and_killed(sample: Sample, runner: Runner, pids: list[int], victim: int) -> tuple[list[str], float]:
    """Return what the call said, and how long after the kill."""
    told: list[str] = []
    # Stopped, it cannot answer before it is killed.
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    asking = threading.Thread(target=lambda: told.append(sample.ask(runner, "hover")))
    asking.start()
    time.sleep(0.5)
    assert not told
    begun = time.perf_counter()
    os.kill(victim, signal.SIGKILL)
    for pid in pids:
        if pid != victim:
            os.kill(pid, signal.SIGCONT)
    asking.join()
    return told, time.perf_counter() - begun


def is_left(pid: int) -> bool:
    """Whether a process still runs, or was ended and not reaped by this one; what init has yet to reap is not ours."""
    try:
        state, parent = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[:2]
    except FileNotFoundError:
        return False
    return state not in "ZX" or int(parent) == os.getpid()


def descendants() -> list[int]:
    """Return the processes below this one, parents first."""
    found = [os.getpid()]
    for pid in found:
        for children in Path(f"/proc/{pid}/task").glob("*/children"):
            found += map(int, children.read_text().split())
    return found[1:]


@define
class Clock:
    """The time when a server last answered, by the performance counter."""

    answered_at: float = 0.0


@frozen
class ClockedFile:
    """An open file, with a note of when it is answered."""

    opened: OpenFile
    clock: Clock

    @property
    def server(self) -> LanguageServer:
        return self.opened.server

    @property
    def document(self) -> Document:
        return self.opened.document

    def offers(self, feature: Feature) -> bool:
        return self.opened.offers(feature)

    def ask(self, feature: Feature, position: Position | None = None, *, new_name: str | None = None) -> Answer:
        answer = self.opened.ask(feature, position, new_name=new_name)
        self.clock.answered_at = time.perf_counter()
        return answer

    def diagnostics(self, within_s: float = 3.0) -> Diagnosis:
        return self.opened.diagnostics(within_s)

    def sent(self, path: str) -> Sent | None:
        return self.opened.sent(path)


@frozen
class ClockedServers:
    """Some servers, with a note of when they answer."""

    within: LanguageServers
    clock: Clock = field(factory=Clock)

    @property
    def servers(self) -> tuple[LanguageServer, ...]:
        return self.within.servers

    def permit(self, place: Place, ask: Callable[[LanguageServer], bool], cancellation: Cancellation) -> None:
        self.within.permit(place, ask, cancellation)

    def refused(self, place: Place) -> tuple[LanguageServer, ...]:
        return self.within.refused(place)

    def open(self, place: Place, cancellation: Cancellation) -> OpenFile:
        return ClockedFile(self.within.open(place, cancellation), self.clock)

    def note_changed(self, paths: Iterable[str] | None = None) -> None:
        self.within.note_changed(paths)

    def close(self) -> None:
        self.within.close()


def write_users(root: Path) -> None:
    """Write a project of many files that use one name."""
    filler = "".join(f"value_{n} = compute_{n} = {n}\n" for n in range(40))
    (root / "core.py").write_text("def shared_1(count: int) -> int:\n    return count + 1\n")
    for n in range(USERS - 1):
        (root / f"user_{n:03d}.py").write_text(f"from core import shared_1\n\n{filler}\nresult = shared_1({n})\n")


def rewrite(root: Path, old: str, new: str) -> None:
    for path in sorted(root.iterdir()):
        text = path.read_bytes().decode()
        temporary = path.with_name("raw.tmp")
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(text.replace(old, new).encode())
        os.replace(temporary, path)


def renamed(server: LanguageServer, scratch: Path, *, rounds: int = 7) -> None:
    """Rename to and fro; apart from it, ask for the same rename, and rewrite the same files."""
    ours, asked, raw = (scratch / name for name in ("ours", "asked", "raw"))
    for root in (ours, asked, raw):
        root.mkdir()
        write_users(root)
    files = LocalFiles(ours)
    clocked = ClockedServers(
        LocalLanguageServers(ours, [server], read=TextReader(files=files), environment=ENVIRONMENT)
    )
    toolset = mm_toolset.build(languages=Languages(clocked, NotifyingFiles(files, clocked)))
    spans: list[tuple[float, float, float, float]] = []
    with (
        Runner(toolset, permission=AllowAll(), on_close=(clocked.close,)) as runner,
        BareClient(server, asked, ENVIRONMENT) as client,
    ):
        client.open(asked / "core.py", "python")
        for n in range(1, rounds + 2):
            old, new = f"shared_{n}", f"shared_{n + 1}"
            requested = timed(lambda: request_rename(client, asked))
            written = timed(lambda: rewrite(raw, old, new))  # noqa: B023 - called at once
            begun = time.perf_counter()
            text = runner.execute("lsp", {"action": "rename", "path": "core.py", "symbol": old, "new_name": new})
            ended = time.perf_counter()
            assert all(new in path.read_text() for path in ours.iterdir()), text
            answered = clocked.clock.answered_at
            spans.append((ended - answered, written, answered - begun, requested))
    ending, written, asking, requested = (statistics.median(column) for column in zip(*spans[1:], strict=True))
    ratio = statistics.median(span[0] / span[1] for span in spans[1:])
    name = f"{server.name}: rename in {USERS} files"
    row(f"{name}, plan and write", _ms(ending), f"raw {_ms(written)}", f"{ratio:.2f}x", "<= 2x")
    row("    until the server's answer", _ms(asking), f"raw {_ms(requested)}", f"{asking / requested:.2f}x", "")


def request_rename(client: BareClient, root: Path) -> None:
    """Ask until no file is missing: some servers' first answer is half of one."""
    params = {
        "textDocument": {"uri": (root / "core.py").as_uri()},
        "position": {"line": 0, "character": len("def ")},
        "newName": "shared_0",
    }
    for _ in range(1_000):
        edit = client.ask_until_told(Feature.RENAME, params)
        files = {change["textDocument"]["uri"] for change in edit.get("documentChanges", [])} or edit["changes"].keys()
        if len(files) == USERS:
            return
        time.sleep(0.01)
    raise AssertionError("the server never knew all files")


def _ms(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


if __name__ == "__main__":
    for each in samples():
        for bench in (warm, first_answer, killed):
            with tempfile.TemporaryDirectory() as scratch:
                root = Path(os.path.realpath(scratch))
                each.write(root)
                bench(each, root)
        if each.language == "python":
            with tempfile.TemporaryDirectory() as scratch:
                renamed(each.server, Path(os.path.realpath(scratch)))
