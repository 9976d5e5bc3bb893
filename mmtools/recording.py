"""A recorded list of calls: one JSON object per line, `{"tool": …, "arguments": …}`."""

from __future__ import annotations

import json
from collections.abc import Iterable

from mmtools.call import ToolCall
from mmtools.errors import MmtoolsError

__all__ = ["RecordingRefused", "parse"]


class RecordingRefused(MmtoolsError):
    """A line of a recording that is not a call: which line it is, and why."""


def parse(lines: Iterable[str]) -> list[ToolCall]:
    """
    Read every call before any of them runs; blank lines and lines that start with `#` are passed over.

    Raises:
        RecordingRefused: The first line that is not a call.
    """
    return [
        _call(number, line)
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    ]


def _call(number: int, line: str) -> ToolCall:
    try:
        entry = json.loads(line)
    except ValueError as error:
        raise RecordingRefused(f"line {number} is not JSON: {error}") from None
    except RecursionError:
        raise RecordingRefused(f"line {number} is nested too deeply") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("tool"), str):
        raise RecordingRefused(f'line {number} is not a call: it needs {{"tool": "<name>", "arguments": {{…}}}}')
    call_id = entry.get("id")
    return ToolCall(entry["tool"], entry.get("arguments"), call_id if isinstance(call_id, str) else None)
