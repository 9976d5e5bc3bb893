"""One line per call: complete, in order, and whole again after a crash."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.json_lines_observer import JsonLinesObserver
from mmtools.call import Observation, Status

FIELDS = [
    "tool", "call_seq", "args_digest", "result_digest", "bytes_in", "bytes_out", "duration_ms", "outcome",
]  # fmt: skip

observations = st.builds(
    Observation,
    tool=st.text(st.characters()),
    call_seq=st.integers(1),
    args_digest=st.text("0123456789abcdef", min_size=16, max_size=16),
    result_digest=st.text("0123456789abcdef", min_size=16, max_size=16),
    bytes_in=st.integers(0),
    bytes_out=st.integers(0),
    duration_ms=st.floats(0, allow_nan=False, allow_infinity=False),
    outcome=st.sampled_from([status.value for status in Status]),
)


def observation(call_seq: int, tool: str = "bash") -> Observation:
    return Observation(
        tool=tool,
        call_seq=call_seq,
        args_digest="44136fa355b3678a",
        result_digest="e3b0c44298fc1c14",
        bytes_in=2,
        bytes_out=0,
        duration_ms=1.25,
        outcome="ok",
    )


def sequence(path: Path) -> list[int]:
    """Read the numbers of the calls, every line of the file being whole."""
    data = path.read_bytes()
    assert data.endswith(b"\n")
    return [json.loads(line)["call_seq"] for line in data[:-1].split(b"\n")]


@given(st.lists(observations, max_size=5))
def test_every_record_is_one_line_with_exactly_its_fields(sent: list[Observation]) -> None:
    stream = io.StringIO()
    with JsonLinesObserver(stream) as observer:
        for one in sent:
            observer.record(one)
    lines = stream.getvalue().split("\n")
    assert lines.pop() == ""
    read = [json.loads(line) for line in lines]
    assert read == [attrs.asdict(one) for one in sent]
    assert all(list(line) == FIELDS for line in read)
    assert stream.getvalue().isascii()


def test_a_file_is_appended_to(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    for call_seq in (1, 2):
        with JsonLinesObserver(path) as observer:
            observer.record(observation(call_seq))
    with JsonLinesObserver(str(path)) as observer:
        observer.record(observation(3))
        assert sequence(path) == [1, 2, 3], "it is out before the observer is closed"


class Counting(io.StringIO):
    """A stream that counts how often what was written is pushed out."""

    flushes = 0

    def flush(self) -> None:
        self.flushes += 1


def test_a_stream_is_flushed_at_each_record_and_left_open() -> None:
    stream = Counting()
    with JsonLinesObserver(stream) as observer:
        observer.record(observation(1))
        observer.record(observation(2))
    assert stream.flushes == 2
    assert not stream.closed


def test_threads_do_not_mix_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with JsonLinesObserver(path) as observer:

        def record(start: int) -> None:
            for step in range(50):
                observer.record(observation(start + step))

        threads = [threading.Thread(target=record, args=(start,)) for start in range(0, 400, 50)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(sequence(path)) == list(range(400))


CHILD = """
import itertools, sys
from mmtools.adapters.json_lines_observer import JsonLinesObserver
from mmtools.call import Observation
observer = JsonLinesObserver(sys.argv[1])
for number in itertools.count(1) if sys.argv[2] == "0" else range(1, int(sys.argv[2]) + 1):
    observer.record(Observation(tool="t" * 200, call_seq=number, args_digest="a", result_digest="b", bytes_in=1,
                                bytes_out=2, duration_ms=3.5, outcome="ok"))
    print(number, flush=True)
"""


def child(path: Path, records: int) -> subprocess.Popen[str]:
    """Record in another process: so many calls, or without end for 0; each is acknowledged on stdout."""
    command = [sys.executable, "-c", CHILD, str(path), str(records)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_what_was_recorded_outlives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    with child(path, 0) as process:
        assert process.stdout is not None
        for _ in range(100):
            acknowledged = int(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
    recorded = sequence(path)
    assert recorded == list(range(1, len(recorded) + 1))
    assert len(recorded) >= acknowledged


def test_processes_may_share_a_file(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    for process in [child(path, 100) for _ in range(3)]:
        process.communicate(timeout=60)
        assert process.returncode == 0
    assert sorted(sequence(path)) == sorted([*range(1, 101)] * 3)


def test_after_a_line_that_a_crash_cut_short_comes_a_new_line(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    path.write_bytes(b'{"tool": "ba')
    with JsonLinesObserver(path) as observer:
        observer.record(observation(1))
        observer.record(observation(2))
    lines = path.read_text().split("\n")
    assert lines[0] == '{"tool": "ba'
    assert [json.loads(line)["call_seq"] for line in lines[1:-1]] == [1, 2]


FULL_DISK = """
import resource, signal, sys
from mmtools.adapters.json_lines_observer import JsonLinesObserver
from mmtools.call import Observation
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
observer = JsonLinesObserver(sys.argv[1])
def record(number):
    observer.record(Observation(tool="t", call_seq=number, args_digest="a", result_digest="b", bytes_in=1,
                                bytes_out=2, duration_ms=3.5, outcome="ok"))
record(1)
resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.RLIM_INFINITY))
try:
    record(2)
except OSError:
    print("refused")
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
record(3)
"""


def test_a_full_disk_is_an_error_and_spoils_one_line_only(tmp_path: Path) -> None:
    path = tmp_path / "calls.jsonl"
    ended = subprocess.run([sys.executable, "-c", FULL_DISK, str(path)], capture_output=True, text=True, check=True)
    assert ended.stdout == "refused\n"
    first, spoilt, third, end = path.read_text().split("\n")
    assert [json.loads(line)["call_seq"] for line in (first, third)] == [1, 3]
    assert not spoilt.endswith("}")
    assert end == ""


def test_nothing_is_refused_silently(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        JsonLinesObserver(tmp_path / "missing" / "calls.jsonl")
    with pytest.raises(IsADirectoryError):
        JsonLinesObserver(tmp_path)
    observer = JsonLinesObserver(tmp_path / "calls.jsonl")
    observer.close()
    observer.close()
    with pytest.raises(ValueError, match="closed"):
        observer.record(observation(1))
    with JsonLinesObserver(io.StringIO()) as streaming:
        pass
    with pytest.raises(ValueError, match="closed"):
        streaming.record(observation(1))


def test_a_pipe_will_do(tmp_path: Path) -> None:
    path = tmp_path / "fifo"
    os.mkfifo(path)
    with JsonLinesObserver(path) as observer, path.open() as reader:
        observer.record(observation(1))
        assert json.loads(reader.readline())["call_seq"] == 1
