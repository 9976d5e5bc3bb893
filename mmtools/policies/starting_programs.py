"""
Programs that start others: where in their arguments, their input or their environment a command stands.

For rules that deny, so it finds too much rather than too little; a program that is not named here starts nothing that
a line shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType

from attrs import frozen

from mmtools.core.shell.words import Command, Word

__all__ = ["RUNNERS", "Doubt", "DoubtKind", "Inside", "git_command", "inside"]


class DoubtKind(StrEnum):
    """What of a line only the shell can know."""

    PROGRAM = "program"
    TEXT = "text"
    INPUT = "input"
    UNREADABLE = "unreadable"
    TOO_MUCH = "too much"


@frozen
class Doubt:
    """
    The reason why a line may start more than what was found.

    Args:
        near: The word, or where the reading ended.
    """

    kind: DoubtKind
    near: str


@frozen(kw_only=True)
class Inside:
    """
    What a command starts beside its own program.

    Args:
        commands: Commands that begin within its arguments.
        texts: What a shell will read as a line.
    """

    commands: Sequence[Command] = ()
    texts: Sequence[str] = ()
    doubt: Doubt | None = None


@frozen(kw_only=True)
class _Runner:
    """
    A program that runs what follows its own arguments.

    Args:
        valued: Options whose value is the next word.
        operands: How many arguments stand before the command.
    """

    valued: frozenset[str] = frozenset()
    operands: int = 0


def _runner(valued: str = "", operands: int = 0) -> _Runner:
    return _Runner(valued=frozenset(valued.split()), operands=operands)


#: Programs that run the command in their arguments, by the options that take a word and what else stands before it.
RUNNERS: Mapping[str, _Runner] = MappingProxyType(
    {
        "builtin": _runner(),
        "busybox": _runner(),
        "cgexec": _runner("-g"),
        "choom": _runner("-n -p"),
        "chroot": _runner("", 1),
        "chrt": _runner("-T -P -D", 1),
        "chpst": _runner("-u -U -b -/ -n -l -L -m -d -o -p -f -c -r -t -e"),
        "command": _runner(),
        "coreutils": _runner(),
        "dbus-run-session": _runner("--config-file --dbus-daemon"),
        "doas": _runner("-C -u"),
        "entr": _runner(),
        "env": _runner("-u --unset -C --chdir -a --argv0"),
        "exec": _runner("-a"),
        "expect": _runner(),
        "fakeroot": _runner("-l -s -i -b --lib --faked"),
        "firejail": _runner(),
        "flock": _runner("-w -E --timeout --wait --conflict-exit-code", 1),
        "gdb": _runner("-x -ex -cd -d -iex -ix"),
        "hash": _runner("-p"),
        "hyperfine": _runner("-w -r -m -M -p -c -n -S"),
        "ionice": _runner("-c -n -p -P -u --class --classdata"),
        "ltrace": _runner("-a -A -D -e -F -l -n -o -p -s -u -w -x"),
        "nice": _runner("-n --adjustment"),
        "nohup": _runner(),
        "nsenter": _runner("-t -S -G --target"),
        "numactl": _runner("-i -p -m -N -C"),
        "parallel": _runner("-j -a -I --arg-file --colsep --delay --jobs --joblog --results --timeout -N -n -L -S"),
        "perf": _runner("", 1),
        "pkexec": _runner("--user"),
        "prlimit": _runner("-p -o --pid --output"),
        "proot": _runner("-r -b -w -R -S -q"),
        "rlwrap": _runner("-f -H -l -s -S -a -b -C -g -m -M -p -P -q -t -w -z"),
        "runuser": _runner("-u -g -G -s -c --user --group --shell"),
        "script": _runner("-c -I -O -B -o -T -E -m --command"),
        "setarch": _runner(),
        "linux32": _runner(),
        "linux64": _runner(),
        "setpriv": _runner("--reuid --regid --groups --inh-caps --bounding-set --securebits --pdeathsig"),
        "setsid": _runner(),
        "setuidgid": _runner("", 1),
        "softlimit": _runner("-m -d -s -l -a -o -p -f -c -r -t"),
        "ssh": _runner("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", 1),
        "start-stop-daemon": _runner("-x -p -n -u -c -g -d -r -N -P -I -k -R --exec --startas -a"),
        "stdbuf": _runner("-i -o -e --input --output --error"),
        "strace": _runner("-a -b -e -E -I -o -O -p -P -s -S -u -U -X"),
        "su": _runner("-c -s -g -G -w --command --shell", 1),
        "sudo": _runner("-C -D -g -h -p -R -r -T -t -U -u --user --group --host --prompt --chdir --chroot"),
        "systemd-run": _runner("-u -p -t -E -H -M --unit --property --description --slice --uid --gid --setenv"),
        "taskset": _runner("-p", 1),
        "time": _runner("-f -o --format --output"),
        "timeout": _runner("-k -s --kill-after --signal", 1),
        "tmux": _runner("-c -f -L -S -T -t -s -n", 1),
        "torsocks": _runner(),
        "unbuffer": _runner(),
        "unshare": _runner("-S -G -R -w --root --wd --setuid --setgid"),
        "valgrind": _runner(),
        "watch": _runner("-n -q --interval --equexit"),
        "xargs": _runner(
            "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --max-lines --max-chars"
        ),
        "xvfb-run": _runner("-e -f -n -p -s"),
    }
)

_SHELLS = frozenset(["ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "yash", "zsh"])

#: Options of shells whose value is the next word.
_SHELL_VALUED = frozenset(["-o", "+o", "-O", "+O", "--rcfile", "--init-file"])

#: Programs that read a command from their input when their arguments hold none.
_READ_INPUT = frozenset(["at", "batch", "parallel"])

#: Commands that take a text to run later, or in another place of the line, among their arguments.
_KEEP_TEXTS = frozenset(
    ["alias", "bind", "compgen", "complete", "crontab", "ed", "emacs", "enable", "eval", "ex", "mapfile", "nvim",
     "readarray", "socat", "tclsh", "trap", "vi", "view", "vim", "vimdiff"]
)  # fmt: skip

#: Commands of bash that run what stands in a subscript, even in quotes: `test -v 'a[$(rm f)]'`.
_EVALUATING = frozenset(
    ["[", "[[", "declare", "export", "getopts", "let", "local", "printf", "read", "readonly", "test", "typeset", "unset",
     "wait"]
)  # fmt: skip

#: Variables that make a shell read a file, or run a text, before or after what is asked.
_READ_FROM = frozenset(["BASH_ENV", "ENV", "PROMPT_COMMAND"])

#: Arguments of `find` and `fd` that a command follows.
_EXEC = frozenset(["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"])

#: Global options of `git` whose value is the next word.
_GIT_VALUED = frozenset({"-c", "-C", "--config-env", "--exec-path", "--git-dir", "--namespace", "--work-tree"})

#: What may be the option in front of a text: `-c`, `--command=`, `alias.x=!`.
_GLUED = re.compile(r"-{0,2}[\w.-]+=!?|-\w")

_STANDARD_INPUT = re.compile(r"-|/dev/(?:stdin|fd/\d+|tcp/.*|udp/.*)|/proc/(?:self|\d+)/fd/\d+")

_ACTIVE_AWK = re.compile(r"[|@]|system|getline")
_AWK_TEXT = re.compile(r'"((?:[^"\\]|\\.)*)"')
_AWKS = frozenset(["awk", "gawk", "mawk", "nawk"])
_RUNNING_SED = re.compile(r"(?:^|[;\n{}\d$/ !])e(?:\s|$)|[/|,#@!]\s*[gIip0-9mM]*e[gIip0-9mM]*(?:\s*[;}\n]|\s*$)")

#: Words in which a command may stand, of one command.
_MOST_WORDS = 1_000


def git_command(arguments: Sequence[Word]) -> Sequence[Word]:
    """Return the arguments of `git` from its subcommand on."""
    first = 0
    while first < len(arguments) and arguments[first].text.startswith("-"):
        first += 2 if arguments[first].text in _GIT_VALUED else 1
    return arguments[first:]


def inside(command: Command) -> Inside:
    """Find what a command starts beside its own program."""
    found = _assigned(command.assignments)
    if not command.words:
        return found
    name = command.words[0].program
    if name is None:
        return found
    others = [found, *_started(name, command)]
    return Inside(
        commands=[each for other in others for each in other.commands],
        texts=[each for other in others for each in other.texts],
        doubt=next((other.doubt for other in others if other.doubt), None),
    )


def _started(name: str, command: Command) -> Iterator[Inside]:
    if len(command.words) > _MOST_WORDS:
        yield Inside(doubt=Doubt(DoubtKind.TOO_MUCH, name))
        return
    if name in _SHELLS:
        yield _shell(command)
    if name in RUNNERS:
        yield _run(name, command)
    if name in ("find", "fd", "fdfind"):
        yield Inside(commands=[command.beginning_at(at + 1) for at in _after(command, _EXEC)])
    if name in ("source", "."):
        yield _sourced(command)
    if name == "eval":
        yield _joined(command.words[1:])
    if name in _KEEP_TEXTS or name in RUNNERS or name == "git":
        yield _texts(name, command)
    if name in _EVALUATING:
        yield Inside(texts=[value for value in command.known() if "$(" in value or "`" in value])
    if name in _READ_INPUT and (name != "parallel" or len(command.words) < 2):
        yield _from_input(command)
    if name in _AWKS:
        yield _awk(command)
    if name in ("sed", "gsed") and (script := next(filter(_RUNNING_SED.search, command.known()), None)):
        yield Inside(doubt=Doubt(DoubtKind.TEXT, script))


def _assigned(assignments: Sequence[Word]) -> Inside:
    """Find what variables make the shell run: files it reads first, substitutions in what it evaluates."""
    texts: list[str] = []
    for word in assignments:
        _, _, value = word.text.partition("=")
        if word.assigned in _READ_FROM and (word.value is None or _STANDARD_INPUT.fullmatch(value)):
            return Inside(doubt=Doubt(DoubtKind.TEXT, word.raw))
        if word.assigned == "PROMPT_COMMAND" or (word.value is not None and ("$(" in value or "`" in value)):
            texts.append(value)
    return Inside(texts=texts)


def _shell(command: Command) -> Inside:
    """Find the text of `sh -c`, else the input that a shell without a file reads."""
    arguments = command.words[1:]
    if stream := next((word for word in arguments if word.raw.startswith("<(")), None):
        return Inside(doubt=Doubt(DoubtKind.TEXT, stream.raw))
    takes_text = reads_input = False
    at = 0
    while at < len(arguments) and (arguments[at].value or "").startswith(("-", "+")):
        option = arguments[at].text
        cluster = not option.startswith("--")
        takes_text = takes_text or (cluster and "c" in option[1:]) or option == "--command"
        reads_input = reads_input or option == "-" or (cluster and "s" in option[1:])
        at += 2 if option in _SHELL_VALUED or (cluster and option[-1:] in "oO" and len(option) > 1) else 1
    if at >= len(arguments):
        return _from_input(command)
    if takes_text:
        return _text(arguments[at])
    if arguments[at].value is None and arguments[at].splits:
        return Inside(doubt=Doubt(DoubtKind.TEXT, arguments[at].raw))
    if reads_input or _STANDARD_INPUT.fullmatch(arguments[at].text):
        return _from_input(command)
    return Inside()


def _run(name: str, command: Command) -> Inside:
    """Find the command among the arguments; any word may begin it, and the likely one must be known."""
    words = command.words
    commands = [command.beginning_at(at) for at in range(1, len(words)) if words[at].program is not None]
    likely = _likely(RUNNERS[name], words)
    if likely is None:
        return Inside(commands=commands)
    if likely.program is None or "{}" in likely.text:
        return Inside(commands=commands, doubt=Doubt(DoubtKind.PROGRAM, likely.raw))
    return Inside(commands=commands)


def _likely(runner: _Runner, words: Sequence[Word]) -> Word | None:
    """Return the word that names the program, as far as the runner's own arguments are known."""
    at, operands = 1, runner.operands
    while at < len(words):
        word = words[at]
        if word.value is None and word.splits:
            return word
        text = word.text
        if text.startswith("-") and len(text) > 1:
            at += 2 if text in runner.valued else 1
        elif word.assigned:
            at += 1
        elif operands:
            operands -= 1
            at += 1
        else:
            return word
    return None


def _sourced(command: Command) -> Inside:
    for word in command.words[1:2]:
        if word.raw.startswith("<(") or _STANDARD_INPUT.fullmatch(word.text):
            return Inside(doubt=Doubt(DoubtKind.TEXT, word.raw))
    return Inside()


def _texts(name: str, command: Command) -> Inside:
    """Take every argument for a line, with and without the option in front of it, and all of them together."""
    texts: list[str] = []
    for value in command.known():
        texts.append(value)
        if (glued := _GLUED.match(value)) and glued.end() < len(value):
            texts.append(value[glued.end() :])
    texts.append(" ".join(word.text for word in command.words[1:]))
    unknown = next((word for word in command.words[1:] if word.value is None), None)
    if name in ("alias", "trap") and unknown is not None:
        return Inside(texts=texts, doubt=Doubt(DoubtKind.TEXT, unknown.raw))
    return Inside(texts=texts)


def _joined(words: Sequence[Word]) -> Inside:
    if unknown := next((word for word in words if word.value is None), None):
        return Inside(doubt=Doubt(DoubtKind.TEXT, unknown.raw))
    return Inside(texts=[" ".join(word.text for word in words)])


def _text(word: Word) -> Inside:
    if word.value is None:
        return Inside(doubt=Doubt(DoubtKind.TEXT, word.raw))
    return Inside(texts=[word.value])


def _from_input(command: Command) -> Inside:
    if command.input is not None:
        return _text(command.input)
    return Inside(doubt=Doubt(DoubtKind.INPUT, command.words[0].raw))


def _awk(command: Command) -> Inside:
    active = [value for value in command.known() if _ACTIVE_AWK.search(value)]
    texts = [text for value in active for text in _AWK_TEXT.findall(value)]
    return Inside(texts=texts, doubt=Doubt(DoubtKind.TEXT, active[0]) if active and not texts else None)


def _after(command: Command, options: frozenset[str]) -> Iterator[int]:
    return (at for at, word in enumerate(command.words) if word.text in options)
