"""
A command line as far as rules can read it: whether it is one plain command, and what it may start.

The two err on opposite sides. `plain` says no whenever a shell might do more than run one program with
the words that stand there. `starts` finds too much rather than too little. What comes out of variables,
patterns, aliases and scripts, neither can know.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice, takewhile

from attrs import define, field

__all__ = ["git_command", "plain", "starts"]

#: The commonest first. A quote among the ends is one without a second.
_TOKEN = re.compile(
    r"""
      (?P<text> [^\\'"`;&|()<>\n\ \t\#$\d] [^\\'"`;&|()<>\n\ \t$]* )
    | (?P<space> [ \t]+ )
    | (?P<single> ' [^']* ' )
    | (?P<double> \$? " (?: [^"\\] | \\. )* " )
    | (?P<ansi> \$ ' (?: [^'\\] | \\. )* ' )
    | (?P<escape> \\.? )
    | (?P<redirection> \d* (?: <<<? | [<>] ) [<>&|-]* )
    | (?P<end> [;&|()`\n] | ['"] )
    | (?P<comment> (?<! [^\s;&|()`] ) \# [^\n]* )
    | (?P<other> \$ | [^\\'"`;&|()<>\n\ \t$]+ )
    """,
    re.VERBOSE | re.DOTALL,
)

_WORD = frozenset({"ansi", "double", "escape", "other", "single", "text"})

#: An operator or an expansion before any quote: how most lines show that they are not plain.
_NOT_PLAIN = re.compile(r"[^'\"]*[;&|<>$`\\(){}*?\[\]~!#\n]")

#: What a shell may act on although it is no operator, bare and inside double quotes.
_ACTIVE = re.compile(r"[${}*?\[\]~!#\x00-\x1f\x7f]")
_ACTIVE_IN_DOUBLE = re.compile(r"[$`\\!]")

#: At the end of a line: output that goes nowhere, or where other output of the command goes. A quote that is open
#: there is open before it, too.
_HARMLESS_END = re.compile(r"(?:[ \t]+[12]?>(?:&[12]|[ \t]*/dev/null))+[ \t]*\Z")

_ASSIGNMENT = re.compile(r"\w+(?:\[[^\]]*\])?\+?=")

#: What may stand before a command: reserved words of POSIX shells and bash.
_BEFORE = frozenset({"!", "{", "}", "coproc", "do", "elif", "else", "if", "then", "time", "until", "while"})

#: Programs that run what follows their own options.
_RUNNERS = frozenset(
    {
        *("builtin", "busybox", "chroot", "command", "doas", "env", "exec", "flock", "ionice", "nice", "nohup"),
        *("parallel", "setsid", "ssh", "stdbuf", "strace", "su", "sudo", "timeout", "unbuffer", "watch", "xargs"),
    }
)

#: Programs that read arguments as a command line.
_READERS = frozenset(
    ["ash", "bash", "csh", "dash", "eval", "fish", "ksh", "sh", "ssh", "su", "tcsh", "trap", "watch", "zsh"]
)

#: Arguments of `find` and `fd` that a command follows.
_EXEC = frozenset(["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"])

#: Global options of `git` whose value is the next word.
_GIT_VALUED = frozenset({"-c", "-C", "--git-dir", "--namespace", "--work-tree"})

#: Bounds of the search in a line that is made to exhaust it.
_MAX_STARTS = 64
_MAX_TEXTS = 32


def plain(line: str) -> tuple[str, ...] | None:
    """
    Split a line that is surely one plain command into its words; None when it may be anything else.

    Redirections at its end that write nothing (`2>&1`, `2>/dev/null`) count for nothing.
    """
    line = _HARMLESS_END.sub("", line)
    if _NOT_PLAIN.match(line):
        return None
    reading = _Reading(line)
    if not reading.plain or len(reading.commands) != 1:
        return None
    words = reading.commands[0]
    return None if not words[0] or _ASSIGNMENT.match(words[0]) else tuple(words)


def starts(line: str) -> Iterator[str]:
    """Find every command that a line may start: its words without quotes, one space between them."""
    texts = [line]
    for _ in range(_MAX_TEXTS):
        if not texts:
            return
        reading = _Reading(texts.pop())
        texts += reading.inner
        for words in reading.commands:
            for first in _beginnings(words):
                name, rest = words[first].rpartition("/")[2], words[first + 1 :]
                yield " ".join(words[first:])
                if name != words[first]:
                    yield " ".join([name, *rest])
                if name == "git":
                    yield " ".join([name, *git_command(rest)])
                if name in _READERS:
                    options = len(list(takewhile(lambda word: word.startswith("-"), rest)))
                    texts += [" ".join(rest[options:]), *(word for word in rest[options:] if " " in word)]


def git_command(arguments: Sequence[str]) -> Sequence[str]:
    """Return the arguments of `git` from its subcommand on."""
    first = 0
    while first < len(arguments) and arguments[first].startswith("-"):
        first += 2 if arguments[first] in _GIT_VALUED else 1
    return arguments[first:]


@define
class _Reading:
    """
    A text cut into simple commands, as words without their quotes and redirections.

    Args:
        plain: Whether nothing in it but words, spaces and simple quotes was met.
        inner: The text in other readings, where this one may be wrong.
    """

    text: str
    commands: list[list[str]] = field(factory=list, init=False)
    inner: list[str] = field(factory=list, init=False)
    plain: bool = field(default=True, init=False)
    _unpaired: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        words: list[str] = []
        word: str | None = None
        target = False
        for match in _TOKEN.finditer(self.text):
            kind, token = match.lastgroup, match.group()
            if kind in _WORD:
                word = (word or "") + self._unquoted(kind, token)
                continue
            if word is not None and not target:
                words.append(word)
            target = kind == "redirection" or (target and kind == "space" and word is None)
            word = None
            if kind == "end" and words:
                self.commands.append(words)
                words = []
            self.plain = self.plain and kind == "space"
        if word is not None and not target:
            words.append(word)
        if words:
            self.commands.append(words)
        if self._unpaired or "<<" in self.text:
            # Nor must a quote in a here-document hide what comes after it.
            bare = re.sub(r"\\\n|[\\'\"]", "", self.text)
            self.inner += [bare] if bare != self.text else []

    def _unquoted(self, kind: str, token: str) -> str:
        if kind == "single":
            return token[1:-1]
        if kind in ("text", "other"):
            self.plain = self.plain and not _ACTIVE.search(token)
            return token
        if kind == "double":
            self.plain = self.plain and not _ACTIVE_IN_DOUBLE.search(token)
            if "$(" in token or "`" in token:
                # The quotes inside belong to another command: from here on nobody knows which pair up.
                self._unpaired = True
        else:
            self.plain = False
        quoted = token if kind == "escape" else token.lstrip("$")[1:-1]
        return re.sub(r"\\(.)", lambda escape: escape[1].strip("\n"), quoted, flags=re.DOTALL)


def _beginnings(words: Sequence[str]) -> Iterator[int]:
    """Find where in a simple command a program's name may stand."""
    todo = [0]
    seen: set[int] = set()
    while todo:
        first = todo.pop()
        while first < len(words) and (words[first] in _BEFORE or _ASSIGNMENT.match(words[first])):
            first += 1
        if first == len(words) or first in seen:
            continue
        seen.add(first)
        yield first
        name = words[first].rpartition("/")[2]
        if name in _RUNNERS:
            todo += range(first + 1, min(len(words), first + 1 + _MAX_STARTS))
        elif name in ("find", "fd"):
            todo += islice((after for after in range(first + 2, len(words)) if words[after - 1] in _EXEC), _MAX_STARTS)
