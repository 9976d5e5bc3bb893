"""Lines of bash made by its grammar, and a bash in which every program that is found only writes down how it was called."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from attrs import define, field, frozen

#: One write per call, as calls may run side by side.
STUB = """#!/bin/sh
printf '%s\\0' "${0##*/}" "$@" '<end of call>' >> "$LOG"
"""

STUBS = ("git", "rm", "say")

#: What starts other programs, and what those need.
REAL = (
    "bash", "cat", "choom", "chrt", "env", "find", "flock", "ionice", "linux64", "nice", "nohup", "prlimit", "script", "setarch", "setpriv", "setsid", "sh",
    "sleep", "stdbuf", "taskset", "time", "timeout", "unshare", "xargs",
)  # fmt: skip

#: Run every file of lines in an empty directory of its own.
DRIVER = """
for line in "$LINES_DIR"/*; do
    n=${line##*/}
    mkdir "$HERE/$n" && cd "$HERE/$n" || exit 1
    LOG=$LOGS/$n timeout 10 bash "$line" </dev/null >/dev/null 2>&1
done
# How the last line ended says nothing.
:
"""


@frozen
class Bash:
    """A bash whose programs are stubs."""

    place: Path

    @classmethod
    def at(cls, place: Path) -> Bash:
        """Make one in an empty directory."""
        directory = place / "bin"
        directory.mkdir()
        for name in STUBS:
            stub = directory / name
            stub.write_text(STUB)
            stub.chmod(0o755)
        for name in REAL:
            if found := shutil.which(name):
                (directory / name).symlink_to(found)
        return cls(place)

    def run(self, lines: Sequence[str]) -> list[list[list[str]]]:
        """Run every line by itself; returns the calls of each, with their words."""
        directories = {name: self.place / name for name in ("lines", "here", "logs")}
        for directory in directories.values():
            shutil.rmtree(directory, ignore_errors=True)
            directory.mkdir()
        for number, line in enumerate(lines):
            (directories["lines"] / f"{number:05}").write_bytes(os.fsencode(f"{line}\n\nwait\n"))
        environment = {
            "PATH": str(self.place / "bin"),
            "B": str(self.place / "bin"),
            "LINES_DIR": str(directories["lines"]),
            "HERE": str(directories["here"]),
            "LOGS": str(directories["logs"]),
            "LC_ALL": "C.UTF-8",
            "P": "rm",
        }
        mkdir = f"PATH=$PATH:{Path(shutil.which('mkdir') or '/bin/mkdir').parent}"
        subprocess.run(["bash", "-c", f"({mkdir}; {DRIVER})"], env=environment, check=True, capture_output=True)
        return [_calls(directories["logs"] / f"{number:05}") for number in range(len(lines))]


def _calls(log: Path) -> list[list[str]]:
    calls: list[list[str]] = [[]]
    for word in log.read_bytes().split(b"\0")[:-1] if log.exists() else []:
        if word == b"<end of call>":
            calls.append([])
        else:
            calls[-1].append(os.fsdecode(word))
    return calls[:-1]


#: Characters that mean something, for lines that are nearly right.
_ODD = ("'", '"', "`", "\\", "$", "(", ")", "{", "}", "#", ";", "&", "|", "<", ">", "\n", " ", "!", "[", "]", "=", "\\\n",
        "#", "~", "*", "\r", "\t", "((", "))", "$(", "<<", "in", "esac", "time", "--", ",")  # fmt: skip


@define
class Lines:
    """A maker of lines: the same ones for the same seed."""

    random: Random
    number: int = field(default=0, init=False)
    depth: int = field(default=0, init=False)

    def line(self) -> str:
        """Make a line, one of three nearly right only."""
        line = self._list()
        if self.random.random() < 0.34 and "$B" not in line:
            for _ in range(self.random.randint(1, 2)):
                at = self.random.randint(0, len(line))
                line = line[:at] + self.random.choice(_ODD) + line[at + self.random.randint(0, 1) :]
        return line

    def _one(self, *choices: str | Callable[[], str]) -> str:
        choice = self.random.choice(choices)
        return choice if isinstance(choice, str) else choice()

    def _list(self) -> str:
        statements = [self._statement() for _ in range(self.random.choice((1, 1, 2, 2, 3)))]
        return "".join(
            statement + ("" if statement.endswith("\n") else self._one("; ", " ;", "\n", " && ", " || ", " & ", " | ", " |& ", "|", ";", " # it's\n", "\n# \"\n"))
            for statement in statements[:-1]
        ) + statements[-1]  # fmt: skip

    def _closed(self) -> str:
        """Make a list that another word may follow."""
        made = self._list()
        return made if made.endswith("\n") else made + self._one("; ", "\n", " ;", ";")

    def _statement(self) -> str:
        if self.depth > 2 or self.random.random() < 0.45:
            return self._simple()
        self.depth += 1
        made = self._one(self._compound, self._runner, self._document, self._evaluated)
        self.depth -= 1
        return made

    def _simple(self) -> str:
        words = [self._name(), self._id(), *(self._word() for _ in range(self.random.choice((0, 1, 1, 2))))]
        if self.random.random() < 0.25:
            words.insert(self.random.randint(0, len(words)), self._redirection())
        if self.random.random() < 0.15:
            words.insert(
                0, self._one("A=1", "A+=' '", "a[0]=x", f"A={self._word()}", "A='it''s'", "a[ #]=1", "a[1 + 1]=2")
            )
        return self._one(" ", " ", "\t", "  ").join(words)

    def _id(self) -> str:
        self.number += 1
        return f"n{self.number}"

    def _plain(self) -> str:
        """Make a command without quotes, which may stand between them."""
        return f"{self._one(*STUBS)} {self._id()}{self._one('', ' x', ' -f', ' a b')}"

    def _name(self) -> str:
        name = self._one(*STUBS)
        if self.random.random() < 0.9:
            return name
        head, tail = name[:1], name[1:]
        return self._one(
            f"{head}''{tail}", f"\\{name}", f'"{name}"', f"'{head}'{tail}", f"$'{head}'{tail}", f"$'\\x{ord(head):x}'{tail}", f"{head}\\\n{tail}",
            f"$(echo {name})", f"`echo {name}`", f"${{x:-{name}}}", f"$B/{name}", f'"$B/{name}"', "$P", f'$"{name}"', f"{{{name},y}}", f"{head}{{{tail},}}",
            f"$'\\{ord(head):o}{tail}'", f"{head}$@{tail}", f'{head}"$x"{tail}',
        )  # fmt: skip

    def _word(self) -> str:
        if self.depth > 2 or self.random.random() < 0.4:
            return self._one(
                "a", "-b", "'it is'", '"it\'s"', "'\"'", "a\\ #", "a#b", "$((1))#", "$(true)#", '"#"', "''", "$'a\\'b'", "{a,b}", "*", "$x", '"$x"', "'a; rm no'",
                '"a\\"b"', "a=b", "\\'", '\\"', "[x]", "~", "$#", "${x#y}", '"${x%\'}"', "'$('", "!", "{}", "\\;", "$$", '"`"\'', "a'#'b", "é", "1", "=", "-", "%", "$",
            )  # fmt: skip
        self.depth += 1
        inner = self._list()
        plain = self._plain()
        made = self._one(
            f"$({inner})", f'"$({inner})"', f"`{plain}`", f'"`{plain}`"', f"<({inner})", f">({plain})", f"${{x:-$({inner})}}", f'"${{x:-$({plain})}}"', f"${{x:+{plain}}}",
            f"$(( $({plain}) 1 ))", f"$[ $({plain}) 1 ]", f'"a $({inner}) b `{plain}`"', f"$(({plain}); {plain})", f"${{x:-`{plain}`}}", f"a$({inner})b", f"$'\\''$({inner})",
            f"$( # it's\n{inner}\n)", f"`say \\`{plain}\\``", f'"$(say "$({plain})")"', f"$(case a in a) {plain};; esac)", f"$(case a in (a) {plain} ;; esac )",
            f"$(say <<E\n$({plain})\nE\n)", f"${{a[$({plain})]}}", f"$(( 1 << $({plain})2 ))", f"$(\n{inner}\n)", f"`{plain} '\\\\''; {plain}`", f'"$(( $({plain}) + 1 ))"',
        )  # fmt: skip
        self.depth -= 1
        return made

    def _redirection(self) -> str:
        return self._one(
            ">f", "> f", "2>&1", "{fd}>f", ">>f", "&>f", ">&2", "2>/dev/null", ">|f", "<>f", "</dev/null", "<&-", f"<<< {self._word()}", "3>&1", f"> >({self._plain()})", f"< <({self._plain()})",
            "&>>f", "2>f", ">&f", "{fd[0]}>f", "<<<a",
        )  # fmt: skip

    def _compound(self) -> str:
        first, second, plain = self._closed(), self._closed(), self._plain()
        made = self._one(
            f"{{ {first}}}", f"({self._list()}\n)", f"( {first})", f"if {first}then {second}fi", f"if {first}then {second}else {plain}; fi", f"for i in a {self._word()}; do {first}done",
            f"for i in a\ndo {first}done", f"for i in a; {{ {first}}}", f"for ((i=0; i<1; i++)); do {first}done", f"while {first}do {second}break; done", f"until ! say; do {first}break; done",
            f"case a in a) {first};; esac", f"case a in (b|a) {first};& *) {second};; esac", f"case {self._word()} in\n a|b ) {self._list()}\n;;\n*) {second};;& *) {plain}\nesac", f"select i in a; do {first}done",
            f"f() {{ {first}}}; f", f"f () ( {first}); f", f"function f {{ {first}}}; f", f"function f() {{ {first}}}\nf", f"function f\n{{\n{first}}}\nf", f"f() if say; then {first}fi; f", f"coproc {plain}",
            f"coproc {{ {first}}}", f"coproc N {{ {first}}}", f"coproc N ( {first})", f"[[ -n $({plain}) && ( a < b || a =~ ^(a|b)$ ) ]] && {plain}", f"[[ a == {self._word()} ]]\n{plain}", f"(( $({plain}) 1 << 2 ))\n{plain}",
            f"(( 1 )) && {plain}", f"! {plain}", f"time {plain}", f"time -p {plain}", f"time -- {plain}", f"time -p -- {plain}", f"! time {plain}", f"if [[ a ]]; then {first}fi", f"(({plain}); {plain})", f"( ({plain}); {plain})",
            f"while say; do {first}break\ndone", f"{{\n{first}\n}}", f"for i\nin a; do {first}done", f"for i do {plain}; done; {plain}", f"case a in esac; {plain}", f"case esac in (esac) {plain};; esac", f"if say; then :; elif {first}then {plain}; fi",
            f"if {plain}; th\\\nen {plain}; fi", f"{plain} &\\\n& {plain}", f"{plain} |\\\n {plain}",
        )  # fmt: skip
        if self.random.random() < 0.2 and not made.endswith("\n"):
            made += " " + self._redirection()
        return made

    def _document(self) -> str:
        plain, name = self._plain(), self._one("say", "cat", "bash", "sh", "rm")
        return self._one(
            f"{name} <<E\n{self._body()}\nE\n", f"{name} <<'E'\n{self._body()}\nE\n", f"{name} <<-E\n\t{self._body()}\n\tE\n", f'{name} <<"E"\n{self._body()}\nE\n', f"{name} <<\\E\n{self._body()}\nE\n",
            f"{name} <<E; {plain}\n{self._body()}\nE\n", f"{name} <<E | {plain}\n{self._body()}\nE\n{plain}", f"{name} <<E <<F\n{self._body()}\nE\n{self._body()}\nF\n{plain}\n", f"if {name} <<E\n{self._body()}\nE\nthen {plain}; fi",
            f"{{ {name}\n}} <<E\n{self._body()}\nE\n", f"{name} <<'E F'\n{self._body()}\nE F\n{plain}\n", f"({name} <<E\n{self._body()}\nE\n)\n", f"{name} <<E\na\\\nE\n{self._body()}\nE\n{plain}\n", f"{name} <<$x\n{self._body()}\n$x\n{plain}\n",
            f"{name} <<E # it's\n{self._body()}\nE\n{plain}", f"{name} <<<'{plain}'\n", f'{name} <<<"{plain}"; {plain}', f"{name} <<< '{plain}; {self._plain()}'", f'{name} <<E"F"\n{self._body()}\nEF\n{plain}\n', f"while {name}; do {plain}; break; done <<E\nx\nE\n",
        )  # fmt: skip

    def _body(self) -> str:
        plain = self._plain()
        return self._one(
            "it's",
            '"',
            plain,
            f"$({plain})",
            f"`{plain}`",
            f"\\$({plain})",
            f"{plain} # `",
            f"a\n{plain}\n",
            f"${{x:-$({plain})}}",
            f"'$({plain})'",
            "",
            f'"`{plain} \\"`"',
            "\\",
            f"$(( $({plain}) ))",
        )

    def _runner(self) -> str:
        plain, other = self._plain(), self._plain()
        return self._one(
            f"eval '{plain}; {other}'", f'eval "{plain}"', f"eval {plain}", f"eval {plain} \\; {other}", f"eval $'{plain}\\n{other}'", f"sh -c '{plain}'", f'bash -c "{plain}; {other}" x', f"bash -ec '{plain} && {other}'", f"sh -c \"eval '{plain}'\"",
            f"bash +x -c '{plain}'", f"bash -o errexit -c '{plain}'", f"bash --norc -c '{plain}'", f"env {plain}", f"env A=1 {plain}", f"env -i PATH=\"$B\" LOG=\"$LOG\" {plain}", f"env -S '{plain}'", f"env -S'{plain}'", f"env --split-string='{plain}'",
            f"env -u A -u C {plain}", f"xargs {plain} <<< w", f"xargs -n 1 {plain} <<< 'a b'", f"xargs -I@ {plain} @ <<< w", f"xargs sh -c '{plain}' <<< w", f"find . -maxdepth 0 -exec {plain} {{}} \\;", f"find . -maxdepth 0 -exec {plain} {{}} +", f"find . -exec sh -c '{plain}' \\;",
            f"(trap '{plain}' EXIT; {other})", f"(trap -- '{plain}' EXIT)", f"command {plain}", f"command -p {plain}", f"builtin eval '{plain}'", f"(exec {plain})", f"(exec -a x {plain})", f"nohup {plain}", f"nice {plain}", f"nice -n 5 {plain}", f"timeout 5 {plain}", f"timeout -s KILL 5 {plain}",
            f"stdbuf -o L {plain}", f"setsid -w {plain}", f"shopt -s expand_aliases\nalias q='{plain}'\nq {self._id()}", f"shopt -s expand_aliases\nalias q='{{'\nq {plain}\n}}", f"shopt -s expand_aliases\nalias q='env '\nq {plain}", f"source <(echo '{plain}')", f". <(echo {plain})",
            f"source /dev/stdin <<< '{plain}'", f"bash <<< '{plain}'", f"echo '{plain}' | sh", f"echo {plain} | bash -s", f"bash <(echo '{plain}')", f"PATH=$PATH {plain}", f"xargs -I{{}} sh -c '{{}}' <<< '{plain}'", f"echo '{plain}' > f; bash < f", f"env sh -c '{plain}'", f"timeout 5 bash -c '{plain}'",
            f"shopt -s extglob\n{plain} !(x)\n{other}", f"time env {plain}", f"exec 3>&1; {plain}", f"nohup nice timeout 5 env A=1 {plain}", f"g() {{ \"$@\"; }}; g {plain}", f"find . -maxdepth 0 | xargs {plain}", f"for i in '{plain}'; do $i; done", f"c='{plain}'; $c", f"enable -n echo; {plain}",
        )  # fmt: skip

    def _evaluated(self) -> str:
        plain, other = self._plain(), self._plain()
        return self._one(
            f"test -v 'a[$({plain})]'", f"[ -v 'a[$({plain})]' ]", f"[[ -v 'a[$({plain})]' ]]", f"let 'a[$({plain})]=1'", f"declare 'a[$({plain})]=1'", f"printf -v 'a[$({plain})]' x", f"read 'a[$({plain})]' <<< x", f"unset 'a[$({plain})]'", f"a=(1 $({plain}) # it's\n2)\n{other}",
            f"a[$({plain})]=1", f"a=([$({plain})]=x)", f"x='a[$({plain})]'; echo $((x))", f"(( 'a[$({plain})]' ))", f"x='$({plain})'; echo ${{x@P}}", f"PS4='$({plain})'; set -x; :", f"mapfile -c1 -C '{plain};:' a <<< x", f"BASH_ENV=<(echo '{plain}') bash -c :", f"[[ 'a[$({plain})]' -eq 0 ]]",
            f"echo \"$[ $({plain}) ]\"", f"declare a=(1 $({plain}))\n{other}", f"export A=$({plain}); {other}", f"local A=$({plain})", f"a+=('it''s' \"$({plain})\")", f"${{x:=$({plain})}}; {other}", f": ${{x:-`{plain}`}}", f"x=$({plain}) y=`{other}`", f": {{a,$({plain})}}", f"echo ${{x:$({plain})0:1}}", f"compgen -W '$({plain})'",
            f"env 'BASH_FUNC_h%%=() {{ {plain}; }}' bash -c h", f"echo 'it'\"'\"'s'; {plain}", f"echo a\\\n#; {plain}", f"echo \\# it\\'s; {plain}", f"echo \"a\\\nb\"; {plain}", f"echo \"$\\\n({plain})\"", f"hash -p \"$B/rm\" z; z {self._id()}",
        )  # fmt: skip
