"""Scripts for `sed` and `awk` that surely only print."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

__all__ = ["SCRIPTED"]

_ADDRESS = r"(?:\d+|\$|\d+~\d+|/(?:[^/\\\n]|\\[^\n])*/I?)"
_SED_COMMAND = rf"\s*(?:{_ADDRESS}(?:\s*,\s*\+?{_ADDRESS})?\s*!?\s*)?"
_SED_COMMAND += r"(?:[=dDgGhHlnNpPqQx]|s/(?:[^/\\\n]|\\[^\n])*/(?:[^/\\\n]|\\[^\n])*/[gIip0-9mM]*)?\s*"

#: A script for `sed` that only selects and replaces: without `w`, `W` and `e`, as commands and as flags.
_PLAIN_SED = re.compile(rf"{_SED_COMMAND}(?:[;\n]{_SED_COMMAND})*")

_SED_OPTIONS = re.compile(r"-[EnrsuzE]+|--(?:quiet|silent|regexp-extended|separate|null-data|debug|posix|sandbox)")

#: What lets an `awk` program write or start something, or may be one from a file.
_ACTIVE_AWK = re.compile(r"[>|@]|system|getline")
_AWK_OPTIONS = re.compile(r"-F.*|-v\w*=?.*|--(?:field-separator|assign)=.*", re.DOTALL)


def _acting_sed(arguments: Sequence[str], known: int) -> int | None:
    """Return the first argument with which `sed` may do more than print: whatever is not surely plain."""
    script = False
    for index, word in enumerate(arguments):
        if word.startswith("-") and word != "-":
            if index >= known and word not in ("-e", "--expression") and not _SED_OPTIONS.fullmatch(word):
                return index
        elif not script or arguments[index - 1] in ("-e", "--expression"):
            script = True
            if index >= known and not _PLAIN_SED.fullmatch(word):
                return index
    return None


def _acting_awk(arguments: Sequence[str], known: int) -> int | None:
    """Return the first argument with which `awk` may do more than print."""
    for index, word in enumerate(arguments[known:], known):
        option = word.startswith("-") and word != "-"
        if _ACTIVE_AWK.search(word) or (option and not _AWK_OPTIONS.fullmatch(word)):
            return index
    return None


#: By program: the first argument from `known` on that may act.
SCRIPTED: Mapping[str, Callable[[Sequence[str], int], int | None]] = MappingProxyType(
    {
        **dict.fromkeys(["awk", "gawk", "mawk", "nawk"], _acting_awk),
        **dict.fromkeys(["gsed", "sed"], _acting_sed),
    }
)
