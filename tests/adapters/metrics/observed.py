"""Observations of sessions that never were."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import attrs
from hypothesis import strategies as st

from mmtools.adapters.metrics.records import Recorded, RecordedSession
from mmtools.call import Observation, Status

__all__ = ["any_observation", "names", "observation", "recorded", "write_lines"]

#: Names as models make them up.
names = st.sampled_from(
    ["bash", "read", "docs__search", "a" * 200, "<b>&amp;", "日本" * 40, "\x1b[31m\u202e\udc00\n", ""]
)

any_observation = st.builds(
    Observation,
    tool=names | st.text(st.characters(), max_size=12),
    call_seq=st.integers(1, 2**40),
    args_digest=st.sampled_from(["44136fa355b3678a", "e3b0c44298fc1c14"]),
    result_digest=st.sampled_from(["1111111111111111", "2222222222222222"]),
    bytes_in=st.integers(0, 2**60),
    bytes_out=st.integers(0, 2**60),
    duration_ms=st.floats(0, 10**12) | st.sampled_from([0.0, 1e-300, 0.01, 1.0]),
    outcome=st.sampled_from([*(status.value for status in Status), "paused"]),
)


def observation(call_seq: int = 1, **changes: Any) -> Observation:
    one = Observation(
        tool="bash",
        call_seq=call_seq,
        args_digest="44136fa355b3678a",
        result_digest="e3b0c44298fc1c14",
        bytes_in=20,
        bytes_out=300,
        duration_ms=1.25,
        outcome="ok",
    )
    return attrs.evolve(one, **changes)


def recorded(*observations: Observation) -> Recorded:
    return Recorded(source="calls.db", sessions=(RecordedSession(name="here", observations=observations),))


def write_lines(path: Path, *entries: object) -> Path:
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return path
