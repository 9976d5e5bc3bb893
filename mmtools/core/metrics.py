"""What a session's observations add up to: per tool, per session, and which calls came again and again."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from attrs import field, frozen

from mmtools.call import Observation, Status

__all__ = ["Metrics", "Repeat", "by_tool", "measure", "percentile", "repeats"]

#: Source: crab tools page, "What each call records": failures count as `tool_errors`.
_ERRORS = (Status.FAILED.value, Status.TIMED_OUT.value)


@frozen(kw_only=True)
class Metrics:
    """
    The sums of some calls.

    Args:
        outcomes: How many calls ended in each way; ways that did not occur are absent.
        bytes_in: Of the arguments.
        bytes_out: Of the texts.
        total_ms: Of all durations; calls that ran side by side count each.
        p50_ms: The smallest duration that at least half of the calls do not exceed (nearest rank); 0 without calls.
        p95_ms: The same for 95 of 100 calls.
        longest_ms: 0 without calls.
    """

    calls: int
    outcomes: Mapping[str, int] = field(repr=False)
    bytes_in: int
    bytes_out: int
    total_ms: float
    p50_ms: float
    p95_ms: float
    longest_ms: float

    @property
    def succeeded(self) -> int:
        """Calls that ended well."""
        return self.outcomes.get(Status.OK.value, 0)

    @property
    def errors(self) -> int:
        """Calls that failed or timed out; refusals and cancellations are none."""
        return sum(self.outcomes.get(outcome, 0) for outcome in _ERRORS)

    @property
    def rejected(self) -> int:
        """Calls that a person or a policy refused."""
        return self.outcomes.get(Status.REJECTED.value, 0)

    @property
    def cancelled(self) -> int:
        """Calls that the host stopped."""
        return self.outcomes.get(Status.CANCELLED.value, 0)


@frozen(kw_only=True)
class Repeat:
    """
    One call that was made again: the same tool with the same arguments.

    Args:
        results: How many different texts it got.
        in_a_row: The longest run of it with no other call between.
    """

    tool: str
    args_digest: str
    times: int
    results: int
    in_a_row: int


def percentile(ordered: Sequence[float], percent: int) -> float:
    """
    Return the value at a percentile by nearest rank: always one of the values, never a mean of two.

    Args:
        ordered: Ascending; not empty.
        percent: 1 to 100.
    """
    rank = -(-percent * len(ordered) // 100)
    return ordered[rank - 1]


def measure(observations: Iterable[Observation]) -> Metrics:
    """Add up all of them, in any order."""
    outcomes: Counter[str] = Counter()
    durations: list[float] = []
    bytes_in = bytes_out = 0
    for each in observations:
        outcomes[each.outcome] += 1
        durations.append(each.duration_ms)
        bytes_in += each.bytes_in
        bytes_out += each.bytes_out
    durations.sort()
    return Metrics(
        calls=len(durations),
        outcomes=dict(sorted(outcomes.items())),
        bytes_in=bytes_in,
        bytes_out=bytes_out,
        total_ms=sum(durations),
        p50_ms=percentile(durations, 50) if durations else 0.0,
        p95_ms=percentile(durations, 95) if durations else 0.0,
        longest_ms=durations[-1] if durations else 0.0,
    )


def by_tool(observations: Iterable[Observation]) -> dict[str, tuple[Observation, ...]]:
    """Part them by tool, as they came; the tool that took the most time in all is first, then by calls and by name."""
    parts: defaultdict[str, list[Observation]] = defaultdict(list)
    for each in observations:
        parts[each.tool].append(each)

    def weight(tool: str) -> tuple[float, int, str]:
        return -sum(each.duration_ms for each in parts[tool]), -len(parts[tool]), tool

    return {tool: tuple(parts[tool]) for tool in sorted(parts, key=weight)}


def repeats(observations: Sequence[Observation], at_least: int = 3) -> list[Repeat]:
    """
    Find the calls that were made again and again, the longest run first, then the most often made.

    Args:
        observations: In the order in which they were recorded.
        at_least: How often a call was made, to be listed.
    """
    times: Counter[tuple[str, str]] = Counter()
    results: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
    in_a_row: defaultdict[tuple[str, str], int] = defaultdict(int)
    for call, run in groupby(observations, key=lambda each: (each.tool, each.args_digest)):
        digests = [each.result_digest for each in run]
        times[call] += len(digests)
        results[call].update(digests)
        in_a_row[call] = max(in_a_row[call], len(digests))
    found = [
        Repeat(tool=tool, args_digest=digest, times=count, results=len(results[call]), in_a_row=in_a_row[call])
        for call, count in times.items()
        if count >= at_least
        for tool, digest in [call]
    ]
    return sorted(found, key=lambda one: (-one.in_a_row, -one.times, one.tool, one.args_digest))
