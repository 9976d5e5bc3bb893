"""Programs that run the command in their arguments, as data: where it stands, and which texts a shell reads for them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attrs import frozen

__all__ = ["RUNNERS", "SHELLS", "SUBCOMMANDS", "Runner"]


@frozen(kw_only=True)
class Runner:
    """
    A program that runs what follows its own arguments.

    Args:
        valued: Options whose value is the next word.
        operands: How many arguments stand before the command.
        lines: Options whose value a shell reads as a line.
        joins: Whether a shell reads the command itself, joined by blanks, as a line.
    """

    valued: frozenset[str] = frozenset()
    operands: int = 0
    lines: frozenset[str] = frozenset()
    joins: bool = False


def _runner(valued: str = "", operands: int = 0, lines: str = "", *, joins: bool = False) -> Runner:
    return Runner(valued=frozenset(valued.split()), operands=operands, lines=frozenset(lines.split()), joins=joins)


#: Programs that run the command in their arguments, by the options that take a word and what else stands before it.
RUNNERS: Mapping[str, Runner] = MappingProxyType(
    {
        "builtin": _runner(),
        "bunx": _runner(),
        "busybox": _runner(),
        "bwrap": _runner(),
        "catchsegv": _runner(),
        "cgexec": _runner("-g"),
        "choom": _runner("-n -p"),
        "chpst": _runner("-u -U -b -/ -n -l -L -m -d -o -p -f -c -r -t -e"),
        "chronic": _runner(),
        "chroot": _runner("", 1),
        "chrt": _runner("-T -P -D", 1),
        "command": _runner(),
        "coreutils": _runner(),
        "cpulimit": _runner("-l -p -e -P"),
        "daemonize": _runner("-c -e -o -p -l -u"),
        "dbus-run-session": _runner("--config-file --dbus-daemon"),
        "doas": _runner("-C -u"),
        "dumb-init": _runner(),
        "eatmydata": _runner(),
        "entr": _runner(),
        "env": _runner("-u --unset -C --chdir -a --argv0", lines="-S --split-string"),
        "exec": _runner("-a"),
        "expect": _runner(),
        "fakeroot": _runner("-l -s -i -b --lib --faked"),
        "faketime": _runner("-f", 1),
        "firejail": _runner(),
        "flock": _runner("-w -E --timeout --wait --conflict-exit-code", 1, "-c --command"),
        "gdb": _runner("-x -ex -cd -d -iex -ix"),
        "gosu": _runner("", 1),
        "hash": _runner("-p"),
        "hyperfine": _runner("-w -r -m -M -p -c -n -S", lines="-p -c --prepare --cleanup --setup", joins=True),
        "ifne": _runner(),
        "ionice": _runner("-c -n -p -P -u --class --classdata"),
        "linux32": _runner(),
        "linux64": _runner(),
        "ltrace": _runner("-a -A -D -e -F -l -n -o -p -s -u -w -x"),
        "nice": _runner("-n --adjustment"),
        "nohup": _runner(),
        "npx": _runner("-p --package -c --call", lines="-c --call"),
        "nsenter": _runner("-t -S -G --target"),
        "numactl": _runner("-i -p -m -N -C"),
        "parallel": _runner(
            "-j -a -I --arg-file --colsep --delay --jobs --joblog --results --timeout -N -n -L -S", joins=True
        ),
        "perf": _runner("", 1),
        "pkexec": _runner("--user"),
        "pnpx": _runner(),
        "prlimit": _runner("-p -o --pid --output"),
        "proot": _runner("-r -b -w -R -S -q"),
        "proxychains": _runner("-f"),
        "proxychains4": _runner("-f"),
        "rlwrap": _runner("-f -H -l -s -S -a -b -C -g -m -M -p -P -q -t -w -z"),
        "runuser": _runner("-u -g -G -s -c --user --group --shell", lines="-c --command --session-command"),
        "screen": _runner("-S -c -e -h -p -s -t -T"),
        "script": _runner("-c -I -O -B -o -T -E -m --command", 1, "-c --command"),
        "setarch": _runner(),
        "setpriv": _runner("--reuid --regid --groups --inh-caps --bounding-set --securebits --pdeathsig"),
        "setsid": _runner(),
        "setuidgid": _runner("", 1),
        "softlimit": _runner("-m -d -s -l -a -o -p -f -c -r -t"),
        "ssh": _runner("-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w", 1, joins=True),
        "start-stop-daemon": _runner("-x -p -n -u -c -g -d -r -N -P -I -k -R --exec --startas -a"),
        "stdbuf": _runner("-i -o -e --input --output --error"),
        "strace": _runner("-a -b -e -E -I -o -O -p -P -s -S -u -U -X"),
        "su": _runner("-c -s -g -G -w --command --shell", 1, "-c --command --session-command"),
        "su-exec": _runner("", 1),
        "sudo": _runner("-C -D -g -h -p -R -r -T -t -U -u --user --group --host --prompt --chdir --chroot"),
        "systemd-run": _runner("-u -p -t -E -H -M --unit --property --description --slice --uid --gid --setenv"),
        "taskset": _runner("-p", 1),
        "time": _runner("-f -o --format --output"),
        "timeout": _runner("-k -s --kill-after --signal", 1),
        "tini": _runner("-p -e"),
        "tmux": _runner("-c -f -L -S -T -t -s -n", 1),
        "torify": _runner(),
        "torsocks": _runner(),
        "tsocks": _runner(),
        "unbuffer": _runner(),
        "unshare": _runner("-S -G -R -w --root --wd --setuid --setgid"),
        "valgrind": _runner(),
        "watch": _runner("-n -q --interval --equexit", joins=True),
        "watchexec": _runner("-e -w -i -f -p -d -s", joins=True),
        "xargs": _runner(
            "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --max-lines --max-chars"
        ),
        "xterm": _runner("-e -T -geometry"),
        "xvfb-run": _runner("-e -f -n -p -s"),
    }
)

SHELLS = frozenset(["ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "yash", "zsh"])

#: Subcommands after which a command stands.
SUBCOMMANDS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "bundle": frozenset(["exec"]),
        "conda": frozenset(["run"]),
        "direnv": frozenset(["exec"]),
        "docker": frozenset(["exec", "run"]),
        "git": frozenset(["foreach", "run"]),
        "kubectl": frozenset(["exec"]),
        "mise": frozenset(["exec"]),
        "npm": frozenset(["exec"]),
        "pipenv": frozenset(["run"]),
        "pnpm": frozenset(["dlx", "exec"]),
        "podman": frozenset(["exec", "run"]),
        "poetry": frozenset(["run"]),
        "uv": frozenset(["run"]),
        "yarn": frozenset(["dlx", "exec"]),
    }
)
