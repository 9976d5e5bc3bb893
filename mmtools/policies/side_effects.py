"""
Which arguments make a command do more than it looks like: write a file, or start another program.

A list of what is known to act, for rules whose wildcards would let it in. Programs that always write, as `rm`
does, or that run what their files say, as `make` and `python` do, are not on it: whoever allows these means that.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from attrs import frozen

__all__ = ["acts"]


@frozen(kw_only=True)
class _Acting:
    """
    The arguments of a program that act.

    Args:
        words: These, as they stand.
        starts: These and what begins like them.
        letters: Short options, alone or among others.
        names: Long options, abbreviated or not.
        operands: How many arguments that are no options do not act; None when all may stand.
        operand: An argument of this form acts.
    """

    words: frozenset[str] = frozenset()
    starts: tuple[str, ...] = ()
    letters: str = ""
    names: tuple[str, ...] = ()
    operands: int | None = None
    operand: re.Pattern[str] | None = None

    def any(self, words: Sequence[str], known: int) -> bool:
        """Whether an argument acts, but for the first `known`."""
        # After `--` whatever comes is an operand; were that an option's value, options may follow: `_acts` sees them.
        end = words.index("--") if "--" in words else len(words)
        operands = [index for index, word in enumerate(words) if index > end or word == "-" or not word.startswith("-")]
        if self.operands is not None and any(index >= known for index in operands[self.operands :]):
            return True
        return any(map(self._acts, words[known:]))

    def _acts(self, word: str) -> bool:
        if word in self.words or word.startswith(self.starts) or (self.operand and self.operand.fullmatch(word)):
            return True
        if word.startswith("--"):
            option = word.partition("=")[0]
            return len(option) > 2 and any(name.startswith(option) for name in self.names)
        return word.startswith("-") and any(letter in word for letter in self.letters)


def acts(words: Sequence[str], known: int) -> bool:
    """
    Whether a command does more than it looks like because of its arguments.

    Args:
        words: The program and its arguments, without quotes.
        known: So many words from the first on are meant, and do not count.
    """
    name, arguments = words[0].rpartition("/")[2], tuple(words[1:])
    known = max(known - 1, 0)
    if name in _STARTERS:
        return len(arguments) > known
    if name in _SCRIPTED:
        return _SCRIPTED[name](arguments, known)
    if name == "git":
        return _git_acts(arguments, known)
    if name in _EVALUATING:
        return any("[" in word and ("$" in word or "`" in word) for word in arguments[known:])
    if name == "tar" and arguments:
        # Its first argument may do without the dash.
        arguments = (arguments[0] if arguments[0].startswith("-") else f"-{arguments[0]}", *arguments[1:])
    acting = _PROGRAMS.get(name)
    return acting is not None and acting.any(arguments, known)


#: Programs whose arguments are, or may be, another program, or that edit.
_STARTERS = frozenset(
    [
        ".", "ash", "at", "bash", "batch", "builtin", "busybox", "chroot", "command", "coproc", "csh", "dash",
        "doas", "ed", "emacs", "entr", "env", "eval", "ex", "exec", "expect", "fish", "flock", "gdb", "ionice",
        "ksh", "ldd", "ltrace", "nano", "nice", "nohup", "nsenter", "nvim", "parallel", "perf", "pkexec", "rlwrap",
        "runuser", "script", "setarch", "setpriv", "setsid", "sh", "socat", "source", "ssh", "start-stop-daemon",
        "stdbuf", "strace", "su", "sudo", "systemd-run", "taskset", "tclsh", "tcsh", "time", "timeout", "torsocks",
        "trap", "unbuffer", "unshare", "valgrind", "vi", "view", "vim", "vimdiff", "watch", "xargs", "zsh",
    ]
)  # fmt: skip

#: Commands of bash that run what stands in a subscript, even in quotes: `test -v 'a[$(rm f)]'`.
_EVALUATING = frozenset(
    [
        "declare",
        "export",
        "let",
        "local",
        "mapfile",
        "printf",
        "read",
        "readarray",
        "readonly",
        "test",
        "typeset",
        "unset",
    ]
)

_FILE = _Acting(letters="o", names=("--output",))

_PROGRAMS: Mapping[str, _Acting] = MappingProxyType(
    {
        "bat": _Acting(names=("--pager",)),
        "curl": _Acting(
            letters="cdDFJKoOTX",
            names=(
                "--alt-svc",
                "--config",
                "--cookie-jar",
                "--data",
                "--data-ascii",
                "--data-binary",
                "--data-raw",
                "--data-urlencode",
                "--dump-header",
                "--etag-save",
                "--form",
                "--form-string",
                "--hsts",
                "--json",
                "--libcurl",
                "--output",
                "--output-dir",
                "--remote-header-name",
                "--remote-name",
                "--remote-name-all",
                "--request",
                "--stderr",
                "--trace",
                "--trace-ascii",
                "--upload-file",
            ),
        ),
        "cargo": _Acting(names=("--config",)),
        "clang-format": _Acting(letters="i"),
        # MMDDhhmm[[CC]YY][.ss] sets the clock, as --set does.
        "date": _Acting(letters="s", names=("--set",), operand=re.compile(r"\d{8}(?:\d\d){0,2}(?:\.\d\d)?")),
        "dd": _Acting(starts=("of=",)),
        "diff3": _Acting(names=("--diff-program",)),
        "dmesg": _Acting(letters="cCDEn", names=("--clear", "--console-level", "--read-clear")),
        "eslint": _Acting(letters="o", names=("--fix", "--output-file", "--rulesdir")),
        "fd": _Acting(letters="xX", names=("--exec", "--exec-batch")),
        "fdfind": _Acting(letters="xX", names=("--exec", "--exec-batch")),
        "file": _Acting(letters="C", names=("--compile",)),
        "find": _Acting(
            words=frozenset(["-delete", "-exec", "-execdir", "-ok", "-okdir"]),
            starts=("-fprint", "-fls"),
        ),
        "go": _Acting(
            starts=("-exec", "--exec", "-o", "--o", "-toolexec", "--toolexec", "-vettool", "--vettool", "-w")
        ),
        "gofmt": _Acting(letters="w"),
        "hg": _Acting(names=("--config",)),
        "hostname": _Acting(letters="bF", names=("--boot", "--file"), operands=0),
        "iconv": _FILE,
        "journalctl": _Acting(names=("--flush", "--rotate", "--vacuum-files", "--vacuum-size", "--vacuum-time")),
        "less": _Acting(starts=("+",), letters="koO", names=("--lesskey-file", "--LOG-FILE", "--log-file")),
        "make": _Acting(letters="E", names=("--eval",)),
        "man": _Acting(letters="HP", names=("--html", "--pager")),
        "nc": _Acting(letters="ec"),
        "ncat": _Acting(letters="ec", names=("--exec", "--lua-exec", "--output", "--sh-exec")),
        "openssl": _Acting(words=frozenset(["-out", "-writerand"])),
        "pandoc": _Acting(
            letters="oFL", names=("--extract-media", "--filter", "--log", "--lua-filter", "--output", "--pdf-engine")
        ),
        "prettier": _Acting(letters="w", names=("--write",)),
        "rg": _Acting(names=("--hostname-bin", "--pre")),
        "rsync": _Acting(
            letters="e",
            names=("--log-file", "--remove-source-files", "--rsh", "--rsync-path", "--write-batch"),
            starts=("--del",),
        ),
        "ruff": _Acting(letters="o", names=("--add-noqa", "--fix", "--fix-only", "--output-file")),
        "scp": _Acting(letters="oS"),
        "sdiff": _Acting(letters="o", names=("--diff-program", "--output")),
        "sftp": _Acting(letters="boS"),
        "shfmt": _Acting(letters="w", names=("--write",)),
        "shuf": _FILE,
        "sort": _Acting(letters="o", names=("--compress-program", "--output")),
        "tar": _Acting(
            letters="FI",
            names=(
                "--checkpoint-action",
                "--info-script",
                "--new-volume-script",
                "--remove-files",
                "--rmt-command",
                "--rsh-command",
                "--to-command",
                "--use-compress-program",
            ),
        ),
        "tee": _Acting(operands=0),
        "tree": _Acting(letters="oR"),
        "uniq": _Acting(operands=1),
        "wget": _Acting(letters="e", names=("--execute", "--post-data", "--post-file", "--use-askpass")),
        "xmllint": _Acting(names=("--output",)),
        "xxd": _Acting(letters="r", operands=1),
        "yq": _Acting(letters="i", names=("--inplace",)),
        "zip": _Acting(letters="mT", names=("--move", "--unzip-command")),
    }
)

#: With these any `git` subcommand may run a program or write a file.
_GIT_ANYWHERE = _Acting(
    starts=("-c", "-O"),
    names=(
        "--config-env",
        "--exec",
        "--exec-path",
        "--ext-diff",
        "--extcmd",
        "--open-files-in-pager",
        "--output",
        "--receive-pack",
        "--upload-pack",
    ),
)

#: Where a subcommand that looks is also one that changes: the arguments that make the difference.
_GIT: Mapping[str, _Acting] = MappingProxyType(
    {
        "archive": _Acting(letters="o", names=("--remote",)),
        "bisect": _Acting(words=frozenset(["run"])),
        "branch": _Acting(
            letters="cCdDfmMu",
            names=("--copy", "--delete", "--edit-description", "--force", "--move", "--set-upstream-to"),
            starts=("--unset-upstream",),
        ),
        "config": _Acting(
            letters="e",
            names=(
                "--add",
                "--edit",
                "--remove-section",
                "--rename-section",
                "--replace-all",
                "--unset",
                "--unset-all",
            ),
            words=frozenset(["edit", "remove-section", "rename-section", "set", "unset"]),
            operands=1,
        ),
        "clone": _Acting(letters="u"),
        "difftool": _Acting(letters="x"),
        "grep": _Acting(letters="O"),
        "hash-object": _Acting(letters="w"),
        "notes": _Acting(words=frozenset(["add", "append", "copy", "edit", "merge", "prune", "remove"])),
        "rebase": _Acting(letters="x"),
        "reflog": _Acting(words=frozenset(["delete", "drop", "expire"])),
        "remote": _Acting(
            words=frozenset(["add", "prune", "remove", "rename", "rm", "set-branches", "set-head", "set-url", "update"])
        ),
        "stash": _Acting(
            words=frozenset(["apply", "branch", "clear", "create", "drop", "pop", "push", "save", "store"]),
            letters="aku",
        ),
        "symbolic-ref": _Acting(letters="d", names=("--delete",), operands=1),
        "submodule": _Acting(
            words=frozenset(["absorbgitdirs", "add", "deinit", "foreach", "init", "set-url", "sync", "update"])
        ),
        "tag": _Acting(letters="adfFmsu", names=("--annotate", "--delete", "--force", "--sign")),
        "worktree": _Acting(words=frozenset(["add", "lock", "move", "prune", "remove", "repair", "unlock"])),
    }
)


def _git_acts(arguments: Sequence[str], known: int) -> bool:
    if _GIT_ANYWHERE.any(arguments, known):
        return True
    subcommand, *others = _git_command(arguments) or [""]
    acting = _GIT.get(subcommand)
    return acting is not None and acting.any(others, max(known - (len(arguments) - len(others)), 0))


def _git_command(arguments: Sequence[str]) -> Sequence[str]:
    first = 0
    while first < len(arguments) and arguments[first].startswith("-"):
        first += 2 if arguments[first] in ("-c", "-C", "--git-dir", "--namespace", "--work-tree") else 1
    return arguments[first:]


_ADDRESS = r"(?:\d+|\$|\d+~\d+|/(?:[^/\\\n]|\\[^\n])*/I?)"
_SED_COMMAND = rf"\s*(?:{_ADDRESS}(?:\s*,\s*\+?{_ADDRESS})?\s*!?\s*)?"
_SED_COMMAND += r"(?:[=dDgGhHlnNpPqQx]|s/(?:[^/\\\n]|\\[^\n])*/(?:[^/\\\n]|\\[^\n])*/[gIip0-9mM]*)?\s*"

#: A script for `sed` that only selects and replaces: without `w`, `W` and `e`, as commands and as flags.
_PLAIN_SED = re.compile(rf"{_SED_COMMAND}(?:[;\n]{_SED_COMMAND})*")

_SED_OPTIONS = re.compile(r"-[EnrsuzE]+|--(?:quiet|silent|regexp-extended|separate|null-data|debug|posix|sandbox)")

#: What lets an `awk` program write or start something, or may be one from a file.
_ACTIVE_AWK = re.compile(r"[>|@]|system|getline")
_AWK_OPTIONS = re.compile(r"-F.*|-v\w*=?.*|--(?:field-separator|assign)=.*", re.DOTALL)


def _sed_acts(arguments: Sequence[str], known: int) -> bool:
    """Whether `sed` would do more than print: whatever is not surely plain."""
    script = False
    for index, word in enumerate(arguments):
        if word.startswith("-") and word != "-":
            if index >= known and word not in ("-e", "--expression") and not _SED_OPTIONS.fullmatch(word):
                return True
        elif not script or arguments[index - 1] in ("-e", "--expression"):
            script = True
            if index >= known and not _PLAIN_SED.fullmatch(word):
                return True
    return False


def _awk_acts(arguments: Sequence[str], known: int) -> bool:
    """Whether `awk` would do more than print."""
    return any(
        _ACTIVE_AWK.search(word) or (word.startswith("-") and word != "-" and not _AWK_OPTIONS.fullmatch(word))
        for word in arguments[known:]
    )


_SCRIPTED: Mapping[str, Callable[[Sequence[str], int], bool]] = MappingProxyType(
    {"awk": _awk_acts, "gawk": _awk_acts, "gsed": _sed_acts, "mawk": _awk_acts, "nawk": _awk_acts, "sed": _sed_acts}
)
