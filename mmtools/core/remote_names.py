"""
Under which names the tools of many servers are offered side by side: `<server>__<tool>`.

A name is what the model sees; which server and tool it means is looked up in a table, never read out of it. A name
needs no change when server and tool are made of `A-Z a-z 0-9 - _` without `__`, a `_` at either end, or too many
characters. Of several tools that would get the same name the one that needs no change keeps it, and all others get a
hash of their own server and tool; so a name depends on which tools there are, never on their order.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping

from mmtools.errors import DefinitionError

__all__ = ["MAX_NAME_CHARS", "hashed", "name_all", "plain", "sanitise"]

#: What model APIs take.
MAX_NAME_CHARS = 64
#: What a long name leaves of its server, so that something of the tool is left too.
_MAX_SERVER_CHARS = 24
#: Of the hash: so many digits, once more as many when the name is still taken, and so on up to so many times.
_HASH_DIGITS, _MAX_LENGTHENED = 8, 5
_SEPARATOR = "__"
_OUTSIDE = re.compile("[^A-Za-z0-9_-]")
_RUN = re.compile("__+")


def sanitise(part: str) -> str:
    """
    Make a server's or a tool's name fit to be part of an offered name.

    Returns:
        Letters, digits, `-` and single `_` between them; a hash where nothing is left. What fits stays as it is.
    """
    fitting = _RUN.sub("_", _OUTSIDE.sub("_", part)).strip("_")
    return fitting or _digest(part)[:_HASH_DIGITS]


def plain(server: str, tool: str) -> str:
    """Return the name of a tool that no other tool's name is like."""
    name = f"{sanitise(server)}{_SEPARATOR}{sanitise(tool)}"
    return name if len(name) <= MAX_NAME_CHARS else hashed(server, tool)


def hashed(server: str, tool: str, *, rounds: int = 1) -> str:
    """
    Return a name that holds a hash of both parts.

    Args:
        rounds: 1 or more; each gives another hash, and the first few a longer one.
    """
    suffix = "_" + _digest(json.dumps([server, tool, rounds]))[: _HASH_DIGITS * min(rounds, _MAX_LENGTHENED)]
    room = MAX_NAME_CHARS - len(suffix) - len(_SEPARATOR)
    first, second = sanitise(server), sanitise(tool)
    if len(first) + len(second) > room:
        first = first[: min(_MAX_SERVER_CHARS, room - 1)].rstrip("_")
        second = second[: max(room - len(first), 1)].rstrip("_")
    return f"{first}{_SEPARATOR}{second}{suffix}"


def name_all(tools: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """
    Name tools so that every name is unique and matches `^[A-Za-z0-9_-]{1,64}$`.

    Args:
        tools: Server and tool, in any order.

    Returns:
        Names by server and tool, in the order given.

    Raises:
        DefinitionError: The same tool is given twice.
    """
    pairs = tuple(tools)
    twice = next((pair for pair, count in Counter(pairs).items() if count > 1), None)
    if twice is not None:
        raise DefinitionError(f"server {twice[0]!r} has two tools named {twice[1]!r}")
    rounds = dict.fromkeys(pairs, 0)
    while clashing := _clashing(names := {pair: _name(pair, rounds[pair]) for pair in pairs}):
        for pair in clashing:
            rounds[pair] += 1
    return names


def _name(pair: tuple[str, str], rounds: int) -> str:
    return plain(*pair) if rounds == 0 else hashed(*pair, rounds=rounds)


def _clashing(names: Mapping[tuple[str, str], str]) -> list[tuple[str, str]]:
    """Pick the tools that must get another name; one whose name is what it is called never must."""
    count = Counter(names.values())
    return [pair for pair, name in names.items() if count[name] > 1 and name != _SEPARATOR.join(pair)]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
