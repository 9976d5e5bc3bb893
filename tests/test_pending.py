"""Calls that wait for a decision, and go on later only as what was decided."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools import (
    AllowAll,
    Choice,
    Decision,
    DefinitionError,
    LoopStopped,
    Outcome,
    Permission,
    ReadOnly,
    RefuseAll,
    Remember,
    Rule,
    Rules,
    Runner,
    Status,
    Yolo,
    local,
)
from mmtools.pending import PendingCall
from mmtools.testing.permissions import Scripted
from mmtools.testing.recorders import RecordingObserver

LATER, YES, NO = Decision(Choice.DEFER), Decision(Choice.ALLOW_ONCE), Decision(Choice.REJECT_ONCE, "not today")

#: Of each tool a call that asks: dialect, tool, arguments, what is written when it is done.
CALLS = [
    ("mm", "bash", {"command": "echo made > made.txt"}, ("made.txt", "made\n")),
    ("mm", "write_file", {"path": "made.txt", "content": "made\n"}, ("made.txt", "made\n")),
    ("mm", "edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}, ("a.txt", "1\ntwo\n")),
    ("crab", "bash", {"command": "echo made > made.txt", "timeout": 5}, ("made.txt", "made\n")),
    ("crab", "write", {"path": "a.txt", "content": "made\n"}, ("a.txt", "made\n")),
    ("crab", "edit", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]}, ("a.txt", "1\ntwo\n")),
]


def host(dialect: str, root: Path, *decisions: Decision) -> Runner:
    return getattr(local, dialect)(root, permission=Scripted(decisions))  # type: ignore[no-any-return]


def deferred(dialect: str, root: Path, tool: str, arguments: dict[str, object]) -> Outcome:
    with host(dialect, root, LATER) as runner:
        if dialect == "crab":
            runner.execute("read", {"path": "a.txt"})
        outcome = runner.call(tool, arguments, call_id="c1")
    assert outcome.status is Status.PENDING
    assert "waits for a decision" in outcome.text
    assert outcome.pending is not None
    return outcome


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    return tmp_path


@pytest.mark.parametrize(("dialect", "tool", "arguments", "written"), CALLS)
def test_a_yes_is_carried_out_by_another_session(
    root: Path, dialect: str, tool: str, arguments: dict[str, object], written: tuple[str, str]
) -> None:
    before = sorted(path.name for path in root.iterdir())
    pending = deferred(dialect, root, tool, arguments).pending
    assert pending is not None
    assert sorted(path.name for path in root.iterdir()) == before
    with host(dialect, root) as runner:
        outcome = runner.resume(pending, YES)
    assert (outcome.status, outcome.call_id) == (Status.OK, "c1")
    assert (root / written[0]).read_text() == written[1]


@pytest.mark.parametrize(("dialect", "tool", "arguments", "written"), CALLS)
def test_a_no_reads_as_any_no(
    root: Path, dialect: str, tool: str, arguments: dict[str, object], written: tuple[str, str]
) -> None:
    pending = deferred(dialect, root, tool, arguments).pending
    assert pending is not None
    with host(dialect, root) as runner:
        outcome = asyncio.run(runner.aresume(pending, NO))
    assert outcome.status is Status.REJECTED
    assert outcome.text.endswith("rejected by the user]\nnot today")
    assert (root / "a.txt").read_text() == "one\ntwo\n"
    assert not (root / "made.txt").exists()


@pytest.mark.parametrize(
    ("dialect", "tool", "arguments"), [call[:3] for call in CALLS if call[1] in ("edit", "edit_file", "write")]
)
def test_a_file_that_changed_meanwhile_is_named_and_kept(
    root: Path, dialect: str, tool: str, arguments: dict[str, object]
) -> None:
    pending = deferred(dialect, root, tool, arguments).pending
    assert pending is not None
    (root / "a.txt").write_text("one\nmine\n")
    with host(dialect, root) as runner:
        outcome = runner.resume(pending, YES)
    assert outcome.status in (Status.REJECTED, Status.FAILED)
    assert "a.txt" in outcome.text
    assert "changed" in outcome.text
    assert (root / "a.txt").read_text() == "one\nmine\n"


def test_a_file_that_was_made_meanwhile_is_not_overwritten(root: Path) -> None:
    pending = deferred("mm", root, "write_file", {"path": "made.txt", "content": "made\n"}).pending
    assert pending is not None
    (root / "made.txt").write_text("mine\n")
    with host("mm", root) as runner:
        outcome = runner.resume(pending, YES)
    assert outcome.status is Status.REJECTED
    assert f"{root / 'made.txt'} changed" in outcome.text
    assert (root / "made.txt").read_text() == "mine\n"


def test_a_root_that_moved_is_another_question(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    pending = deferred("mm", root, "bash", {"command": "pwd"}).pending
    assert pending is not None
    with host("mm", tmp_path_factory.mktemp("other")) as runner:
        outcome = runner.resume(pending, YES)
    assert outcome.status is Status.REJECTED
    assert "its directory changed" in outcome.text


def test_what_is_written_down_survives_the_death_of_its_process(root: Path) -> None:
    code = (
        "import os, signal\nfrom mmtools import Choice, Decision, local\n"
        "from mmtools.testing.permissions import Scripted\n"
        "runner = local.mm('.', permission=Scripted([Decision(Choice.DEFER)]))\n"
        "outcome = runner.call('edit_file', {'path': 'a.txt', 'edits': [{'old': 'one', 'new': '1'}]})\n"
        "open('pending.json', 'w').write(outcome.pending)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    ended = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, check=False)
    assert ended.returncode == -9
    with host("mm", root) as runner:
        assert runner.resume((root / "pending.json").read_text(), YES).status is Status.OK
    assert (root / "a.txt").read_text() == "1\ntwo\n"


def test_a_further_question_of_the_call_is_asked_as_usual(root: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "b.txt"
    outside.write_text("one\n")
    arguments = {"path": str(outside), "edits": [{"old": "one", "new": "1"}]}
    with local.mm(root, permission=Scripted([LATER]), outside="ask") as runner:
        first = runner.call("edit_file", arguments).pending
    assert first is not None
    permission = Scripted([LATER])
    with local.mm(root, permission=permission, outside="ask") as runner:
        second = runner.resume(first, YES)
    assert second.status is Status.PENDING
    assert outside.read_text() == "one\n"
    assert [request.title.split()[0] for request in permission.requests] == ["edit"]
    assert second.pending is not None
    with local.mm(root, permission=Scripted([]), outside="ask") as runner:
        assert runner.resume(second.pending, YES).status is Status.OK
    assert outside.read_text() == "1\n"


def test_a_record_can_be_looked_into(root: Path) -> None:
    outcome = deferred("mm", root, "edit_file", {"path": "a.txt", "edits": [{"old": "one", "new": "1"}]})
    assert outcome.pending is not None
    record = PendingCall.from_json(outcome.pending)
    assert (record.tool, record.title) == ("edit_file", "edit a.txt")
    assert record.arguments["path"] == "a.txt"
    assert PendingCall.from_json(record.to_json()) == record
    assert "\n" not in outcome.pending


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", "null", '{"version": 1}', '{"version": 99}', '{"version": 1, "x": 2}']
)
def test_what_is_no_record_is_the_hosts_bug(root: Path, text: str) -> None:
    with host("mm", root) as runner, pytest.raises(DefinitionError):
        runner.resume(text, YES)


def test_a_record_of_another_toolset_is_the_hosts_bug(root: Path) -> None:
    pending = deferred("mm", root, "write_file", {"path": "made.txt", "content": ""}).pending
    assert pending is not None
    with host("crab", root) as runner, pytest.raises(DefinitionError, match="write_file"):
        runner.resume(pending, YES)


def test_waiting_and_going_on_are_observed(root: Path) -> None:
    observer = RecordingObserver()
    with local.mm(root, permission=Scripted([LATER]), observer=observer) as runner:
        pending = runner.call("bash", {"command": "true"}).pending
        assert pending is not None
        runner.resume(pending, YES)
    assert [each.outcome for each in observer.observations] == ["pending", "ok"]
    assert json.loads(pending)["arguments"] == {"command": "true"}


def test_an_always_holds_for_the_session_that_goes_on(root: Path) -> None:
    pending = deferred("crab", root, "bash", {"command": "true"}).pending
    assert pending is not None
    with local.crab(root, permission=Rules([], inner=Remember(Scripted([])))) as runner:
        assert runner.resume(pending, Decision(Choice.ALLOW_ALWAYS)).status is Status.OK
        assert runner.execute("bash", {"command": "echo again"}) == "again\n"


def test_what_is_denied_now_stays_denied(root: Path) -> None:
    pending = deferred("mm", root, "bash", {"command": "touch made.txt"}).pending
    assert pending is not None
    with local.mm(root, permission=Yolo(Rules([Rule.deny("bash(touch *)")], inner=AllowAll()))) as runner:
        outcome = runner.resume(pending, YES)
    assert outcome.status is Status.REJECTED
    assert not (root / "made.txt").exists()


def test_waiting_hides_no_loop(root: Path) -> None:
    with local.mm(root, permission=Scripted([LATER] * 6)) as runner:
        pending = [runner.call("bash", {"command": "echo again"}).pending or "" for _ in range(6)]
        texts = [runner.resume(each, YES).text for each in pending[:5]]
        with pytest.raises(LoopStopped, match="6 times in a row"):
            runner.resume(pending[5], YES)
    assert ["LOOP_DETECTED" in text for text in texts] == [False, False, True, True, True]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["\ud800", "x\udfff", 10**4000]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.just("\ud83d"), inner, max_size=3),
    max_leaves=6,
)
SOUND = PendingCall(
    call_id="c1", tool="bash", arguments={"command": "true"}, title="run", facts={"a": "b"}, files={"/f": None}
).to_json()


@given(st.sampled_from([*json.loads(SOUND), "further"]), JSON)
def test_a_record_with_any_other_member_is_read_or_the_hosts_bug(member: str, value: object) -> None:
    text = json.dumps({**json.loads(SOUND), member: value})
    try:
        record = PendingCall.from_json(text)
    except DefinitionError:
        return
    assert PendingCall.from_json(record.to_json()) is not None
    assert record.key


@pytest.mark.parametrize(
    "text",
    [
        '{"version":1,"a":' + "[" * 100_000,
        SOUND.replace('"true"', "[" * 900 + "]" * 900),
        SOUND.replace('"true"', "9" * 5_000),
        SOUND.replace('"true"', '"\\ud800"'),
        SOUND.replace('"true"', '"\ud800"'),
        SOUND.replace('"c1"', "1"),
        SOUND.replace('{"command": "true"}', "[]"),
        SOUND.replace('"b"', "5"),
        SOUND.replace('"earlier": []', '"earlier": [5]'),
        SOUND.replace('"earlier": []', '"earlier": "x"'),
        SOUND.replace('"version": 1', '"version": [1]'),
        "\ud800",
    ],
)
def test_a_text_that_is_no_sound_record_is_the_hosts_bug(root: Path, text: str) -> None:
    with host("mm", root) as runner, pytest.raises(DefinitionError):
        runner.resume(text, YES)


def test_a_yes_counts_once(root: Path) -> None:
    pending = deferred("mm", root, "bash", {"command": "echo x >> made.txt"}).pending
    again = deferred("mm", root, "bash", {"command": "echo x >> made.txt"}).pending
    assert pending is not None
    assert again is not None
    with host("mm", root) as runner:
        assert runner.resume(pending, NO).status is Status.REJECTED
        outcomes = [runner.resume(each, YES) for each in (pending, PendingCall.from_json(pending), again)]
    assert [outcome.status for outcome in outcomes] == [Status.OK, Status.REJECTED, Status.OK]
    assert "counts once" in outcomes[1].text
    assert (root / "made.txt").read_text() == "x\nx\n"


@pytest.mark.parametrize("around", [lambda inner: inner, Remember, lambda inner: Yolo(inner, on=False)])
@pytest.mark.parametrize("policy", [ReadOnly(), RefuseAll("nobody is here")])
def test_policies_that_refuse_by_themselves_stand_above_a_yes(
    root: Path, around: Callable[[Permission], Permission], policy: Permission
) -> None:
    pending = deferred("mm", root, "bash", {"command": "touch made.txt"}).pending
    assert pending is not None
    for permission, made in ((policy, False), (Rules([Rule.allow("bash(touch *)")], inner=policy), True)):
        with local.mm(root, permission=around(permission)) as runner:
            outcome = runner.resume(pending, YES)
        assert (outcome.status is Status.OK, (root / "made.txt").exists()) == (made, made)
