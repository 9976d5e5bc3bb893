"""
Programs that run the command in their arguments, as data: where it stands, and which texts a shell reads for them.

One table for both kinds of rules: what is in it is denied by what it starts, and no wildcard lets it start anything.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from types import MappingProxyType

from attrs import frozen

__all__ = [
    "EXEC_OPTIONS",
    "INTERPRETERS",
    "OTHER_NAMES",
    "RUNNERS",
    "SHELLS",
    "TEXT_KEEPERS",
    "Runner",
    "known_name",
    "runner",
]

#: At the end of a program's name.
_VERSION = re.compile(r"(?<=[a-z])[\d.]+\Z")


@frozen(kw_only=True)
class Runner:
    """
    A program that runs what follows its own arguments.

    Args:
        after: Subcommands behind which the command stands; none where it may stand behind the program's name.
        valued: Options whose value is the next word.
        flags: Options without a value. Those that are in no list may be anything.
        operands: How many arguments stand before the command; None where nobody can say.
        lines: Options whose value a shell reads as a line, or is a program's name.
        looks: Options with which it starts nothing.
        joins: Whether a shell reads the command itself, joined by blanks, as a line.
        passes: Whether every word behind the command's name surely goes to that command.
    """

    after: tuple[str, ...] = ()
    valued: frozenset[str] = frozenset()
    flags: frozenset[str] = frozenset()
    operands: int | None = 0
    lines: frozenset[str] = frozenset()
    looks: frozenset[str] = frozenset()
    joins: bool = False
    passes: bool = False


def runner(
    valued: str = "",
    operands: int | None = 0,
    lines: str = "",
    *,
    flags: str = "",
    joins: bool = False,
    passes: bool = False,
) -> Runner:
    """Write a runner in one line; see `Runner`."""
    return Runner(
        valued=frozenset(valued.split()),
        operands=operands,
        lines=frozenset(lines.split()),
        flags=frozenset(flags.split()),
        joins=joins,
        passes=passes,
    )  # fmt: skip


#: Their command is the first word that is no option of theirs.
_AT_ONCE = (
    "aa-exec abduco alacritty aprun arch bear box64 box86 bpftrace bsub busybox bwrap caffeinate catatonit catchsegv ccache cgexec checkinstall chronic chruby-exec "
    "compiledb cross-env dbus-launch distcc dotenv dotenvx dtach dtruss dumb-init dvtm eatmydata entr env-cmd execlineb expect fakechroot fghack firejail "
    "flatpak-spawn foot gnome-terminal gpg-agent graftcp heaptrack i386 icecc ifne intercept-build jsrun kitty konsole kstart5 "
    "ld-linux-aarch64.so.1 ld-linux-x86-64.so.2 ld-linux.so.2 ld-musl-x86_64.so.1 ld.so likwid-perfctr lima linux32 linux64 lldb lxc-attach lxc-execute "
    "minijail0 mpiexec mpirun multitime nocache nsjail nsys nvprof onchange optirun orterun pgrphack please pnpx poop prime-run primusrun proxychains "
    "proxychains4 qemu-aarch64 qemu-arm qemu-i386 qemu-x86_64 qsub rargs reflex retry run-one run0 rush rxvt salloc sandbox-exec sbatch scan-build sccache "
    "schedtool sem setarch srun ssh-agent st startx summon systemd-cat systemd-inhibit systemd-nspawn systemd-socket-activate terminator timelimit torify torsocks toybox "
    "trickle tsocks ttyrec udocker uname26 unbuffer urxvt valgrind vglrun viddy vtune wait-for wait-for-it wait-for-it.sh websocketd wine wine64 with-contenv "
    "x-terminal-emulator x86_64 xcrun xe xinit xjobs zrun"
)

#: Their command stands behind one word of their own, as a subcommand, a directory or a user.
_AFTER_ONE = (
    "arch-chroot chroot distrobox-enter dotlockfile envchain envdir envuidgid gosu hwloc-bind i3-msg kcov lckdo lockrun perf rr s6-envdir s6-setuidgid "
    "setlock setuidgid su-exec swaymsg switch_root tcpserver trace-cmd uftrace wezterm with-lock-ex"
)

#: A shell reads their command, on this machine or on another one.
_JOINED_AFTER_ONE = "rsh sg slogin"
_JOINED = "clush cmd dsh mispipe parallel-ssh pdsh pssh"

_SSH = "-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w"

#: Programs that run the command in their arguments, by the options that take a word and what else stands before it.
RUNNERS: Mapping[str, Runner] = MappingProxyType(
    {
        **dict.fromkeys(_AT_ONCE.split(), runner()),
        **dict.fromkeys(_AFTER_ONE.split(), runner(operands=1)),
        **dict.fromkeys(_JOINED.split(), runner(operands=None, joins=True)),
        **dict.fromkeys(_JOINED_AFTER_ONE.split(), runner(_SSH, 1, "-c", joins=True)),
        "asciinema": runner("-c --command", 1, "-c --command"),
        "autossh": runner(f"{_SSH} -M", 1, joins=True),
        "builtin": runner(passes=True),
        "bunx": runner(flags="--bun", passes=True),
        "capsh": runner(lines="-c"),
        "chokidar": runner("-c --command", None, "-c --command"),
        "choom": runner("-n -p"),
        "chpst": runner("-u -U -b -/ -n -l -L -m -d -o -p -f -c -r -t -e"),
        "chrt": runner("-T -P -D", 1, flags="-b -f -i -o -r --batch --fifo --idle --other --rr", passes=True),
        "command": Runner(looks=frozenset(["-v", "-V", "-pv", "-pV"]), flags=frozenset(["-p"]), passes=True),
        "coreutils": runner(lines="--coreutils-prog"),
        "cpulimit": runner("-l -p -e -P"),
        "cross-env-shell": runner(joins=True),
        "daemon": runner("-n -X -u -D -F -o -l -e -O -E --name", lines="-X --command"),
        "daemonize": runner("-c -e -o -p -l -u"),
        "dbus-run-session": runner("--config-file --dbus-daemon", flags="--", passes=True),
        "doas": runner("-C -u", flags="-n -s"),
        "dockerize": runner("-wait -timeout -template -stdout -stderr"),
        "env": runner("-u --unset -C --chdir -a --argv0", lines="-S --split-string", flags="-i - --ignore-environment", passes=True),
        "fakeroot": runner("-l -s -i -b --lib --faked", flags="-u", passes=True),
        "exec": runner("-a"),
        "faketime": runner("-f", 1),
        "flock": runner("-w -E --timeout --wait --conflict-exit-code", 1, "-c --command", flags="-n -x -s -e -o --nonblock --exclusive --shared"),
        "gdb": runner("-x -ex -cd -d -iex -ix"),
        "hash": runner("-p"),
        "hyperfine": runner("-w -r -m -M -p -c -n -S", lines="-p -c --prepare --cleanup --setup", joins=True),
        "ionice": runner("-c -n -p -P -u --class --classdata", flags="-t --ignore", passes=True),
        "ltrace": runner("-a -A -D -e -F -l -n -o -p -s -u -w -x"),
        "mosh": runner("-p --ssh --server --client --predict --family", 1, "--ssh --server --client", joins=True),
        "nice": runner("-n --adjustment", passes=True),
        "nix-shell": runner("-p -A -I -i", None, "--run --command"),
        "nodemon": runner("-x -e -w -i -d --exec --ext --watch --ignore --delay", lines="-x --exec", operands=0),
        "nohup": runner(passes=True),
        "npx": runner("-p --package -c --call", lines="-c --call", flags="-y --yes --no --no-install -q --quiet", passes=True),
        "nsenter": runner("-t -S -G --target"),
        "numactl": runner("-i -p -m -N -C"),
        "parallel": runner(
            "-j -a -I --arg-file --colsep --delay --jobs --joblog --results --timeout -N -n -L -S", joins=True
        ),
        "pkexec": runner("--user"),
        "prlimit": runner("-p -o --pid --output"),
        "proot": runner("-r -b -w -R -S -q"),
        "rlwrap": runner("-f -H -l -s -S -a -b -C -g -m -M -p -P -q -t -w -z"),
        "runcon": runner("-t -u -r -l --type --user --role --range", None),
        "runuser": runner("-u -g -G -s -c --user --group --shell", lines="-c --command --session-command"),
        "s6-softlimit": runner("-m -d -s -l -a -o -p -f -c -r -t"),
        "schroot": runner("-c -n -u -d -s -o --chroot --user --directory --shell"),
        "screen": runner("-S -c -e -h -p -s -t -T"),
        "script": runner("-c -I -O -B -o -T -E -m --command", 1, "-c --command"),
        "setpriv": runner("--reuid --regid --groups --inh-caps --bounding-set --securebits --pdeathsig"),
        "setsid": runner(flags="-c -f -w --ctty --fork --wait", passes=True),
        "softlimit": runner("-m -d -s -l -a -o -p -f -c -r -t"),
        "ssh": runner(_SSH, 1, joins=True),
        "sshpass": runner("-p -f -d -P"),
        "start-stop-daemon": runner("-x -p -n -u -c -g -d -r -N -P -I -k -R --exec --startas -a", lines="--exec --startas -x -a"),
        "stdbuf": runner("-i -o -e --input --output --error", passes=True),
        "strace": runner("-a -b -e -E -I -o -O -p -P -s -S -u -U -X"),
        "su": runner("-c -s -g -G -w --command --shell", 1, "-c --command --session-command"),
        "sudo": runner(
            "-C -D -g -h -p -R -r -T -t -U -u --user --group --host --prompt --chdir --chroot",
            flags="-A -b -E -H -k -n -S --askpass --non-interactive --preserve-env --set-home --stdin", passes=True,
        ),
        "systemd-run": runner("-u -p -t -E -H -M --unit --property --description --slice --uid --gid --setenv"),
        "taskset": runner("-p", 1, flags="-c --cpu-list", passes=True),
        "time": runner("-f -o --format --output", flags="-p -v -q --portability --verbose --quiet", passes=True),
        "timeout": runner("-k -s --kill-after --signal", 1, flags="-v --foreground --preserve-status --verbose", passes=True),
        "tini": runner("-p -e"),
        "tmux": runner("-c -f -L -S -T -t -s -n", 1),
        "unshare": runner("-S -G -R -w --root --wd --setuid --setgid"),
        "uvx": runner("--from --with -p --python", flags="-q --quiet --isolated", passes=True),
        "watch": runner("-n -q --interval --equexit", joins=True),
        "watchexec": runner("-e -w -i -f -p -d -s", joins=True),
        "watchman-make": runner("-p -t -s --run --root", None, "--run"),
        "xargs": runner(
            "-a -d -E -I -L -n -P -s --arg-file --delimiter --max-args --max-procs --max-lines --max-chars"
        ),
        "xterm": runner("-e -T -geometry"),
        "xvfb-run": runner("-e -f -n -p -s -w --server-num --server-args --error-file --auth-file", flags="-a -l --auto-servernum", passes=True),
    }
)  # fmt: skip

SHELLS = frozenset(["ash", "bash", "csh", "dash", "fish", "ksh", "mksh", "rbash", "sh", "tcsh", "yash", "zsh"])

#: Arguments of `find` and `fd` that a command follows.
EXEC_OPTIONS = frozenset(["-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"])

#: Options whose value is run, by the programs that have such options.
RUN_OPTIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        name: frozenset(options.split())
        for name, options in {
            "apt": "-o --option", "apt-get": "-o --option", "c++": "-wrapper", "cc": "-wrapper", "clang": "-wrapper", "clang++": "-wrapper",
            "diff3": "--diff-program", "fzf": "--preview --bind", "g++": "-wrapper", "gcc": "-wrapper",
            "git": "-x --exec --extcmd --upload-pack --receive-pack -u --tree-filter --index-filter --env-filter --msg-filter --commit-filter --tag-name-filter -O",
            "go": "-exec -toolexec -vettool", "make": "--eval -E", "man": "-P --pager -H --html", "rg": "--pre --hostname-bin", "rsync": "-e --rsh --rsync-path",
            "scp": "-S -o", "sdiff": "--diff-program", "sftp": "-S -o", "sort": "--compress-program", "split": "--filter", "ssh": "-o",
            "tar": "-I --use-compress-program --to-command -F --info-script --new-volume-script --rsh-command --checkpoint-action --rmt-command",
            "tcpdump": "-z", "wget": "--use-askpass", "zip": "-TT --unzip-command",
        }.items()
    }
)  # fmt: skip

_INTERPRETERS = "ash bash dash julia ksh lua luajit mksh node nodejs perl php python R Rscript ruby sh ts-node tsx zsh"

#: Programs that run the script in their first argument, which knows what the others mean.
INTERPRETERS = frozenset(_INTERPRETERS.split())

#: Programs that take a text to run later, or in another place, among their arguments.
TEXT_KEEPERS = frozenset(
    ["ansible", "bind", "compgen", "complete", "concurrently", "crontab", "ed", "emacs", "enable", "ex", "expect", "gdb", "lldb", "mapfile", "mariadb", "mispipe",
     "mysql", "nc", "ncat", "nvim", "osascript", "pee", "psql", "readarray", "salt", "sbatch", "screen", "socat", "sqlite3", "systemd-run", "tclsh", "tmux", "vi", "view", "vim", "vimdiff",
     "wezterm", "zellij"]
)  # fmt: skip

#: Names under which the same program is installed, too.
OTHER_NAMES: Mapping[str, str] = MappingProxyType(
    {
        **{
            f"g{name}": name
            for name in ["chroot", "env", "find", "make", "nice", "nohup", "sort", "stdbuf", "tar", "time", "timeout", "xargs"]
        },
        "batcat": "bat",
        "bsdtar": "tar",
        "fdfind": "fd",
        "nodejs": "node",
        "pip3": "pip",
        "pwsh": "powershell",
        "sudo-rs": "sudo",
    }
)  # fmt: skip


def known_name(name: str, *tables: Container[str]) -> str:
    """Return the name by which the tables know a program: without its version where they have no other."""
    name = name.removesuffix(".exe")
    name = OTHER_NAMES.get(name, name)
    bare = _VERSION.sub("", name)
    return bare if any(bare in table for table in tables) and not any(name in table for table in tables) else name
