"""Calls through one runner, all at once: from threads, from tasks, and in responses."""

from __future__ import annotations

import asyncio
import concurrent.futures
import itertools
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from contextvars import copy_context
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import pytest
from attrs import define, frozen
from typing_extensions import Doc

from mmtools import (
    AllowAll,
    Choice,
    Decision,
    Defer,
    DefinitionError,
    LoopDetector,
    Permission,
    PermissionRequest,
    local,
)
from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.subprocesses import Subprocesses
from mmtools.call import Headline, Location, Outcome, Reach, Status, ToolKind
from mmtools.runner import Runner
from mmtools.testing.recorders import RecordingDisplay
from mmtools.tool import Call, ToolSpec
from mmtools.toolsets import mm

YES = Decision(Choice.ALLOW_ONCE)
EDIT = {"mm": "edit_file", "crab": "edit"}
READ = {"mm": "read_file", "crab": "read"}


def host(dialect: str, root: Path, permission: Permission, **options: Any) -> Runner:
    detector = LoopDetector(warn_after=1000, stop_after=1000)
    bind: Any = {"mm": local.mm, "crab": local.crab}[dialect]
    runner: Runner = bind(root, permission=permission, loop_detector=detector, **options)
    return runner


def appended(line: str, path: str = "a.txt") -> dict[str, Any]:
    return {"path": path, "edits": [{"old": "end\n", "new": f"{line}\nend\n"}]}


def flat(outcomes: Iterable[list[Outcome]]) -> list[Outcome]:
    return list(itertools.chain.from_iterable(outcomes))


Many: TypeAlias = Callable[[Runner, str, Sequence[Sequence[dict[str, Any]]]], list[Outcome]]


def from_threads(runner: Runner, name: str, calls: Sequence[Sequence[dict[str, Any]]]) -> list[Outcome]:
    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return flat(pool.map(lambda mine: [runner.call(name, each) for each in mine], calls))


def responses_from_threads(runner: Runner, name: str, calls: Sequence[Sequence[dict[str, Any]]]) -> list[Outcome]:
    with concurrent.futures.ThreadPoolExecutor(len(calls)) as pool:
        return flat(pool.map(lambda mine: runner.call_many([(name, each) for each in mine]), calls))


def from_tasks(runner: Runner, name: str, calls: Sequence[Sequence[dict[str, Any]]]) -> list[Outcome]:
    async def all_at_once() -> list[Outcome]:
        return await asyncio.gather(*(runner.acall(name, each) for mine in calls for each in mine))

    return asyncio.run(all_at_once())


def responses_from_tasks(runner: Runner, name: str, calls: Sequence[Sequence[dict[str, Any]]]) -> list[Outcome]:
    async def all_at_once() -> list[Outcome]:
        return flat(await asyncio.gather(*(runner.acall_many([(name, each) for each in mine]) for mine in calls)))

    return asyncio.run(all_at_once())


WAYS = pytest.mark.parametrize("way", [from_threads, responses_from_threads, from_tasks, responses_from_tasks])


@WAYS
@pytest.mark.parametrize("dialect", ["mm", "crab"])
@pytest.mark.filterwarnings("ignore:.*left out:UserWarning")
def test_sixteen_times_five_edits_of_one_file_are_all_done(dialect: str, way: Many, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    with host(dialect, tmp_path, AllowAll()) as runner:
        runner.execute(READ[dialect], {"path": "a.txt"})
        calls = [[appended(f"{thread} {turn}") for turn in range(5)] for thread in range(16)]
        outcomes = way(runner, EDIT[dialect], calls)
    assert [outcome.status for outcome in outcomes] == [Status.OK] * 80
    lines = (tmp_path / "a.txt").read_text().splitlines()
    assert lines.pop() == "end"
    assert sorted(lines) == sorted(f"{thread} {turn}" for thread in range(16) for turn in range(5))


@WAYS
def test_also_when_the_file_has_several_names(way: Many, tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.txt").write_text("end\n")
    (tmp_path / "folder").symlink_to("real")
    (tmp_path / "link.txt").symlink_to("real/a.txt")
    os.link(tmp_path / "real" / "a.txt", tmp_path / "hard.txt")
    names = ["real/a.txt", "folder/a.txt", "link.txt", "hard.txt"]
    with host("mm", tmp_path, AllowAll()) as runner:
        calls = [[appended(f"{name} {turn}", name) for turn in range(5)] for name in names]
        outcomes = way(runner, "edit_file", calls)
    assert [outcome.status for outcome in outcomes] == [Status.OK] * 20
    assert (tmp_path / "hard.txt").read_text().count("\n") == 21


@WAYS
def test_edits_and_commands_on_one_file_are_all_done(way: Many, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    with host("mm", tmp_path, AllowAll()) as runner:

        def beside() -> None:
            for turn in range(10):
                runner.execute("bash", {"command": f"sed -i 's/^end$/command {turn}\\nend/' a.txt"})

        commands = threading.Thread(target=beside)
        commands.start()
        outcomes = way(
            runner, "edit_file", [[appended(f"{thread} {turn}") for turn in range(5)] for thread in range(4)]
        )
        commands.join()
    assert [outcome.status for outcome in outcomes] == [Status.OK] * 20
    assert len((tmp_path / "a.txt").read_text().splitlines()) == 31


@pytest.mark.filterwarnings("ignore:.*left out:UserWarning")
def test_reads_beside_edits_do_not_make_the_gate_forget_what_was_written(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    with host("crab", tmp_path, AllowAll()) as runner:
        runner.execute("read", {"path": "a.txt"})
        done = threading.Event()

        def read() -> None:
            while not done.is_set():
                runner.execute("read", {"path": "a.txt"})

        readers = [threading.Thread(target=read) for _ in range(4)]
        for reader in readers:
            reader.start()
        outcomes = [runner.call("edit", appended(str(turn))) for turn in range(40)]
        done.set()
        for reader in readers:
            reader.join()
    assert [outcome.status for outcome in outcomes] == [Status.OK] * 40


@define
class Person:
    """A permission that answers when a test says so."""

    asked: threading.Semaphore
    answer: threading.Event
    titles: list[str]

    @classmethod
    def make(cls) -> Person:
        return cls(threading.Semaphore(0), threading.Event(), [])

    def decide(self, request: PermissionRequest) -> Decision:
        self.titles.append(request.title)
        self.asked.release()
        assert self.answer.wait(60)
        return YES

    def is_asked(self) -> None:
        assert self.asked.acquire(timeout=60)


def test_while_an_edit_waits_for_a_person_other_files_are_read_and_its_own_is_read_after_it(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.txt").write_text("end\n")
    person = Person.make()
    with host("mm", tmp_path, person) as runner, concurrent.futures.ThreadPoolExecutor(4) as pool:
        edit = pool.submit(runner.execute, "edit_file", appended("1"))
        person.is_asked()
        assert "end" in pool.submit(runner.execute, "read_file", {"path": "b.txt"}).result(60)
        own = pool.submit(runner.execute, "read_file", {"path": "a.txt"})
        again = pool.submit(runner.execute, "edit_file", appended("2"))
        assert concurrent.futures.wait([edit, own, again], 0.2).done == set()
        person.answer.set()
        assert "1" in own.result(60)
        assert "edited a.txt" in again.result(60)
    assert (tmp_path / "a.txt").read_text() in ("1\n2\nend\n", "2\n1\nend\n")


def test_commands_that_are_started_at_once_run_at_once(tmp_path: Path) -> None:
    waits = "touch {0}; while [ ! -e {1} ]; do sleep 0.02; done; echo {0}"
    with host("mm", tmp_path, AllowAll()) as runner, concurrent.futures.ThreadPoolExecutor(2) as pool:
        both = [pool.submit(runner.execute, "bash", {"command": waits.format(*names)}) for names in ("xy", "yx")]
        assert [each.result(60) for each in both] == ["x\n", "y\n"]


def test_of_one_response_each_call_sees_what_was_before_it(tmp_path: Path) -> None:
    async def main() -> list[str]:
        runner = host("mm", tmp_path, AllowAll())

        async def call(name: str, arguments: dict[str, Any]) -> str:
            with runner.reserve(name, arguments, response="the response") as place:
                await place.atake()
                return (await runner.acall(name, arguments)).text

        steps = [("bash", {"command": f"sleep 0.{number}; echo {number} >> log"}) for number in (3, 2, 1)]
        read = ("read_file", {"path": "log"})
        return await asyncio.gather(*(call(*step) for step in [*steps, read, ("bash", {"command": "rm log"})]))

    assert "3\n2\n1\n" in asyncio.run(main())[3]
    assert not (tmp_path / "log").exists()


def test_a_reserved_place_holds_back_others_until_the_block_ends(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    with host("mm", tmp_path, AllowAll()) as runner, concurrent.futures.ThreadPoolExecutor(1) as pool:
        with runner.reserve("edit_file", appended("1")) as place:
            place.take()
            other = pool.submit(runner.execute, "edit_file", appended("2"))
            assert concurrent.futures.wait([other], 0.1).done == set()
            assert "edited" in runner.execute("edit_file", appended("1"))
        assert "edited" in other.result(60)
    assert (tmp_path / "a.txt").read_text() == "1\n2\nend\n"


def test_a_call_that_is_deferred_makes_room(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    with host("mm", tmp_path, Defer()) as runner:
        first, second = (runner.call("edit_file", appended(line)) for line in "12")
        assert (first.status, second.status) == (Status.PENDING, Status.PENDING)
        assert first.pending is not None
        assert runner.resume(first.pending, YES).status is Status.OK
        assert runner.execute("read_file", {"path": "a.txt"})


def test_who_is_cancelled_while_it_waits_does_nothing_and_returns_at_once(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    person, display = Person.make(), RecordingDisplay()

    async def main() -> None:
        runner = host("mm", tmp_path, person, display=display)
        first = asyncio.create_task(runner.acall("edit_file", appended("1"), call_id="c1"))
        await asyncio.to_thread(person.is_asked)
        waiting = asyncio.create_task(runner.acall("edit_file", appended("2"), call_id="c2"))
        many = asyncio.create_task(runner.acall_many([("bash", {"command": "touch made"})]))
        last = asyncio.create_task(runner.acall("edit_file", appended("3"), call_id="c3"))
        await asyncio.sleep(0.05)
        for task in (waiting, many):
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asyncio.wait_for(task, 60)
        assert not first.done()
        person.answer.set()
        assert [(await task).status for task in (first, last)] == [Status.OK] * 2

    asyncio.run(main())
    assert (tmp_path / "a.txt").read_text() == "1\n3\nend\n"
    assert not (tmp_path / "made").exists()
    assert [call.call_id for call in display.started_calls] == ["c1", "c3"]
    assert [call.call.call_id for call in display.finished_calls] == ["c1", "c3"]


def test_closing_turns_away_who_waits(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    person = Person.make()
    with host("mm", tmp_path, person) as runner, concurrent.futures.ThreadPoolExecutor(2) as pool:
        edit = pool.submit(runner.execute, "edit_file", appended("1"))
        person.is_asked()
        waiting = pool.submit(runner.execute, "edit_file", appended("2"))
        with pytest.raises(concurrent.futures.TimeoutError):
            waiting.result(0.1)
        runner.close()
        with pytest.raises(DefinitionError, match="closed"):
            waiting.result(60)
        person.answer.set()
        edit.result(60)


def test_a_call_on_the_loop_does_not_wait_for_one_that_asks_there(tmp_path: Path) -> None:
    """It would wait for ever: nobody could answer. What asks has not begun to write."""
    (tmp_path / "a.txt").write_text("end\n")

    async def main() -> None:
        asked, answer = asyncio.Event(), asyncio.Event()

        class Dialog:
            async def decide(self, request: PermissionRequest) -> Decision:
                asked.set()
                await answer.wait()
                return YES

        runner = host("mm", tmp_path, Dialog())
        edit = asyncio.create_task(runner.acall("edit_file", appended("1")))
        await asked.wait()
        assert "end" in runner.execute("read_file", {"path": "a.txt"})
        answer.set()
        assert (await edit).status is Status.OK

    asyncio.run(main())


def test_a_call_on_the_loop_waits_for_one_that_goes_on_without_it(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")

    async def main() -> None:
        runner = host("mm", tmp_path, AllowAll())
        first = asyncio.create_task(runner.acall("bash", {"command": "sleep 0.2; sed -i 1i1 a.txt"}))
        second = asyncio.create_task(runner.acall("edit_file", appended("2")))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert "1\n2\n3\nend" in runner.execute("edit_file", appended("3")) + (tmp_path / "a.txt").read_text()
        await asyncio.gather(first, second)

    asyncio.run(main())


def test_what_a_permission_looks_up_is_looked_up_inside_the_call(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    seen: list[str] = []

    class Looks:
        def decide(self, request: PermissionRequest) -> Decision:
            seen.append(runner.execute("read_file", {"path": "a.txt"}))
            return YES

    class LooksOnTheLoop:
        async def decide(self, request: PermissionRequest) -> Decision:
            seen.append(await runner.aexecute("read_file", {"path": "a.txt"}))
            return YES

    for permission in (Looks(), LooksOnTheLoop()):
        runner = host("mm", tmp_path, permission)
        assert "edited" in runner.execute("edit_file", appended("1"))
        assert "edited" in asyncio.run(asyncio.wait_for(runner.aexecute("edit_file", appended("2")), 60))
    assert len(seen) == 4


@frozen(kw_only=True)
class TaskArgs:
    path: Annotated[str, Doc("Which file.")] = "a.txt"


@define
class SubAgent:
    """A tool that has an agent of its own work, through the runner that runs it."""

    work: Callable[[], object]
    kind: ToolKind = ToolKind.OTHER
    reach: Reach = Reach.LOCATIONS

    @property
    def spec(self) -> ToolSpec:
        return ToolSpec(name="agent", description="Work.", kind=self.kind, family="agent", arguments=TaskArgs)

    def headline(self, arguments: TaskArgs) -> Headline:
        return Headline(text=arguments.path, locations=(Location(f"/{arguments.path}"),), reach=self.reach)

    def execute(self, arguments: TaskArgs, call: Call) -> str:
        self.work()
        return "done"


def in_this_thread(runner: Runner, *calls: tuple[str, Any]) -> None:
    for name, arguments in calls:
        runner.execute(name, arguments)


def on_a_loop(runner: Runner, *calls: tuple[str, Any]) -> None:
    async def main() -> None:
        await asyncio.gather(*(runner.aexecute(name, arguments) for name, arguments in calls))

    asyncio.run(main())


def in_other_threads(runner: Runner, *calls: tuple[str, Any]) -> None:
    threads = [
        threading.Thread(target=copy_context().run, args=(runner.execute, name, arguments)) for name, arguments in calls
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def as_a_response(runner: Runner, *calls: tuple[str, Any]) -> None:
    runner.call_many(calls)


@pytest.mark.parametrize("kind", [ToolKind.OTHER, ToolKind.EDIT, ToolKind.READ])
@pytest.mark.parametrize("inside", [in_this_thread, on_a_loop, in_other_threads, as_a_response])
def test_a_tool_that_calls_its_own_runner_does_not_wait_for_itself(
    inside: Callable[..., None], kind: ToolKind, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    calls = [("edit_file", appended(str(number))) for number in range(5)]
    agent = SubAgent(lambda: inside(runner, *calls, ("bash", {"command": "echo made > made"})), kind)
    runner = bound_with(agent, tmp_path)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        both = [pool.submit(runner.execute, "agent"), pool.submit(runner.execute, "edit_file", appended("beside"))]
        for each in both:
            each.result(60)
    assert sorted((tmp_path / "a.txt").read_text().split()) == sorted([*"01234", "beside", "end"])
    assert (tmp_path / "made").exists()


def bound_with(agent: SubAgent, root: Path) -> Runner:
    toolset = mm.build(files=LocalFiles(root), processes=Subprocesses(str(root), environment=os.environ))
    detector = LoopDetector(warn_after=1000, stop_after=1000)
    return Runner(toolset.plus(agent), permission=AllowAll(), loop_detector=detector)


def test_agents_side_by_side_keep_the_order_among_their_calls(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("end\n")
    meet = threading.Barrier(3)

    def work() -> None:
        meet.wait(60)
        for _ in range(10):
            statuses.append(runner.call("edit_file", appended("x")).status)

    statuses: list[Status] = []
    runner = bound_with(SubAgent(work, reach=Reach.NOWHERE), tmp_path)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda number: runner.execute("agent", {"path": str(number)}), range(3)))
    assert statuses == [Status.OK] * 30


def test_two_agents_that_edit_what_the_other_holds_both_come_to_an_end(tmp_path: Path) -> None:
    meet = threading.Barrier(2)
    made: list[str] = []

    class Reaching(SubAgent):
        """It holds one file, then wants the other."""

        def execute(self, arguments: TaskArgs, call: Call) -> str:
            if arguments.path in made:
                return "inner"
            made.append(arguments.path)
            meet.wait(60)
            return runner.execute("agent", {"path": {"a.txt": "b.txt", "b.txt": "a.txt"}[arguments.path]})

    runner = Runner([Reaching(lambda: None, ToolKind.EDIT)], permission=AllowAll())
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        both = [pool.submit(runner.execute, "agent", {"path": path}) for path in ("a.txt", "b.txt")]
        assert [each.result(60) for each in both] == ["inner", "inner"]


def test_an_exclusive_call_stands_alone_however_it_comes() -> None:
    beside: list[int] = []
    running = [0]

    class Alone(SubAgent):
        @property
        def spec(self) -> ToolSpec:
            return ToolSpec(
                name="alone", description=".", kind=ToolKind.READ, family="x", arguments=TaskArgs, exclusive=True
            )

    def work() -> None:
        running[0] += 1
        beside.append(running[0])
        threading.Event().wait(0.01)
        running[0] -= 1

    tools = [Alone(work), SubAgent(work, ToolKind.EDIT)]
    runner = Runner(tools, permission=AllowAll(), loop_detector=LoopDetector(warn_after=99, stop_after=100))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: runner.call(["alone", "agent"][number % 2], {"path": "a"}), range(12)))
    assert beside == [1] * 12
