"""A call that waits, in a host's own storage."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools import Choice, Decision, Defer, DefinitionError, Outcome, Rule, Rules, local
from mmtools.hosting import waiting

arguments = st.dictionaries(st.text(max_size=3), st.integers() | st.text(max_size=3) | st.none(), max_size=3)


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    with local.mm(tmp_path_factory.mktemp("root"), permission=Defer()) as runner:
        return runner.call("bash", {"command": "true"}, call_id="c1")


@given(arguments, arguments)
def test_a_decision_counts_for_the_arguments_that_were_asked_about(
    outcome: Outcome, asked: dict[str, Any], now: dict[str, Any]
) -> None:
    kept = json.loads(json.dumps(waiting.keep(outcome, asked)))
    if asked == now:
        record, decision = waiting.recall(kept, tool="bash", call_id="c1", arguments=now)
        assert (record.to_json(), decision) == (outcome.pending, Decision(Choice.ALLOW_ONCE))
    else:
        with pytest.raises(DefinitionError, match="the arguments of bash are not those that were asked about"):
            waiting.recall(kept, tool="bash", call_id="c1", arguments=now)


@given(st.sampled_from(Choice), st.text())
def test_a_decision_survives_storage(outcome: Outcome, choice: Choice, feedback: str) -> None:
    kept = waiting.decided(waiting.keep(outcome, {}), Decision(choice, feedback))
    _, decision = waiting.recall(json.loads(json.dumps(kept)), tool="bash", call_id="c1", arguments={})
    assert decision == Decision(choice, feedback)


@pytest.mark.parametrize(("tool", "call_id"), [("write_file", "c1"), ("bash", "c2")])
def test_another_call_is_refused(outcome: Outcome, tool: str, call_id: str) -> None:
    with pytest.raises(DefinitionError, match="the record given with it is of bash"):
        waiting.recall(waiting.keep(outcome, {}), tool=tool, call_id=call_id, arguments={})


def test_a_call_that_ended_is_nothing_to_keep(tmp_path: Path) -> None:
    with local.mm(tmp_path, permission=Rules([Rule.allow("bash")], inner=Defer())) as runner:
        ended = runner.call("bash", {"command": "true"})
    with pytest.raises(DefinitionError, match="bash does not wait for a decision: it ended as ok"):
        waiting.keep(ended, {})


@pytest.mark.parametrize("kept", [None, {}, "pending sent", ["pending", "sent"], {"pending": "x"}, {"sent": "x"}])
def test_what_others_keep_is_told_apart(kept: object) -> None:
    assert not waiting.is_kept(kept)


def test_what_is_kept_is_recognised(outcome: Outcome) -> None:
    assert waiting.is_kept(waiting.keep(outcome, {}))
