"""What a search engine complains about, by the lines that `records` allows on standard error."""

from __future__ import annotations

import re

from attrs import frozen

from mmtools.adapters.search.records import legible
from mmtools.ports.search import Unreadable

__all__ = ["Complaints", "read_complaints"]

_COMPLAINT = re.compile(
    r"rg: \./(?P<path>(?:(?!\nrg: \./).)*?): (?:IO error for operation on \./(?P=path): )?"
    r"(?P<reason>[^\n:]*) \(os error \d+\)\n",
    re.DOTALL,
)
_OTHER_COMPLAINT = re.compile(r"^rg: \./(?P<path>.*?): (?P<reason>.+)\n", re.MULTILINE)
#: An engine is given no absolute path: what stands in one is an ignore file above the searched directory, whose other
#: lines count all the same. Such a path may hold a newline, too.
_RULE_COMPLAINT = re.compile(
    r"^(?:rg: )?/.*?(?:: line \d+: [^\n]*|: stream did not contain [^\n]*|: [^\n:]* \(os error \d+\))(?:\n|\Z)",
    re.MULTILINE | re.DOTALL,
)
_PATTERN_PROBLEM = re.compile(
    r"rg: (?P<reason>regex parse error|the literal |pattern contains |found invalid UTF-8 |compiled regex |error parsing regex)"
)
_PATTERN_REASON = re.compile(r"^error: (.+)$", re.MULTILINE)


@frozen(kw_only=True)
class Complaints:
    """
    What an engine wrote to standard error.

    Args:
        pattern: Why it does not take the regular expression; empty when it does.
        other: What else it said.
    """

    unreadable: tuple[Unreadable, ...] = ()
    pattern: str = ""
    other: str = ""


def read_complaints(data: bytes) -> Complaints:
    """Read what an engine wrote to standard error."""
    text = data.decode("utf-8", "surrogateescape")
    unreadable = {found["path"]: found["reason"] for found in _COMPLAINT.finditer(text)}
    rest = _COMPLAINT.sub("", text)
    unreadable |= {found["path"]: found["reason"] for found in _OTHER_COMPLAINT.finditer(rest)}
    rest = _RULE_COMPLAINT.sub("", _OTHER_COMPLAINT.sub("", rest)).strip()
    found = _PATTERN_PROBLEM.search(rest)
    return Complaints(
        unreadable=tuple(Unreadable(path, reason) for path, reason in unreadable.items()),
        pattern=_pattern_reason(rest[found.start("reason") :]) if found else "",
        other="" if found else legible(rest),
    )


def _pattern_reason(text: str) -> str:
    """Shorten the engine's words: without the pattern that was sent, and without advice on its options."""
    said = _PATTERN_REASON.findall(text)
    return legible(said[-1] if said else text.partition("\n")[0])
