"""
What an edit made worse or better, by the findings before and after it.

A finding is the same one when it says the same at the same place. Places are compared where the edit left the
lines as they were, however far it moved them; on the lines that it touched only the words count.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from typing import TypeAlias

from attrs import field, frozen

from mmtools.core import alignment
from mmtools.core.lsp.diagnostics import Finding

__all__ = ["Checked", "Delta", "between"]

_NUMBERS = re.compile(r"\d+")

_Key: TypeAlias = Callable[[Finding], Hashable]


@frozen
class Checked:
    """What is known to be wrong with a raw text, in any order; two findings may be equal."""

    text: str = field(repr=False)
    findings: tuple[Finding, ...] = ()


@frozen
class Delta:
    """What appeared, at its places in the new text, and what is gone, at its places in the old one; in order."""

    appeared: tuple[Finding, ...] = ()
    gone: tuple[Finding, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.appeared or self.gone)


def between(before: Checked, after: Checked) -> Delta:
    """Compare two states of one file."""
    old_key, new_key = _keys(before.text, after.text)
    return Delta(
        appeared=_beyond(after.findings, new_key, Counter(map(old_key, before.findings))),
        gone=_beyond(before.findings, old_key, Counter(map(new_key, after.findings))),
    )


def _beyond(findings: Iterable[Finding], key: _Key, others: Counter[Hashable]) -> tuple[Finding, ...]:
    """Return those without a partner on the other side."""
    left = []
    for finding in sorted(findings):
        at = key(finding)
        if others[at]:
            others[at] -= 1
        else:
            left.append(finding)
    return tuple(left)


def _keys(old: str, new: str) -> tuple[_Key, _Key]:
    """Return what is equal for two findings, of the old and of the new text, that are the same."""
    old_lines, new_lines = old.split("\n"), new.split("\n")
    above = alignment.shared_prefix(old_lines, new_lines)
    below = alignment.shared_suffix(old_lines, new_lines, above)

    def key_in(lines: int) -> _Key:
        def key(finding: Finding) -> Hashable:
            said = (finding.severity, finding.source)
            if above < finding.line <= lines - below:
                return (*said, finding.message)
            # A line that the edit left alone may be spoken of with the number of one that it moved.
            is_above = finding.line <= above
            line = finding.line if is_above else finding.line - lines
            return (*said, _NUMBERS.sub("#", finding.message), is_above, line, finding.column)

        return key

    return key_in(len(old_lines)), key_in(len(new_lines))
