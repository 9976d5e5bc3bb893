"""
What a wildcard may stand for behind each program, as data.

An option is on the list when it neither writes a file, nor starts a program, nor chooses what is run or where it is read
from. Programs that act by their nature (`make`, `npm test`, `cp`) are here for the options that change nothing about
that; a rule must name them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from attrs import evolve

from mmtools.policies.harmless_git import GIT
from mmtools.policies.options import Harmless

__all__ = ["OPERANDS_ACT", "PROGRAMS", "UNKNOWN"]

#: A word that no program takes for an option, a list of arguments, or the setting of a variable.
_PLAIN = r"(?![-+@].)(?![\w.-]+[+:!?]?=).*"

#: The same for programs that read a list of arguments from `@file`.
_NO_LIST = r"(?!@).*"

#: What is harmless behind a program that nobody has listed.
UNKNOWN = Harmless(operand=_PLAIN)

_EVERY = Harmless(every=True)
_RUNS = Harmless(runs=True)

#: Programs all of whose options only say what is shown, and how.
_READERS = (
    "b2sum base32 base64 basename cal cat cksum cmp col column comm cut df diff dirname du echo egrep expand "
    "expr false fgrep fmt fold free getconf getent grep groups head hexdump id join jq ls lsblk lscpu md5sum nl nproc od paste "
    "pathchk pgrep printenv ps pwd readlink realpath rev seq sha1sum sha224sum sha256sum sha384sum sha512sum sleep stat "
    "strings sum tac tail tr true tsort tty type uname unexpand uptime vmstat wc whereis which who whoami zcat zgrep"
)

#: Programs whose words are, or may be, scripts or commands of their own; those that run other programs are in a table.
_OPERANDS_ACT = (
    ". alias at awk batch bc bun coproc cpio cscope csh csplit dc declare deno dialog duckdb eval export fc fish "
    "gawk ghci git-shell gnuplot guile history irb java jshell ldd let local m4 mariadb mawk mongo mongosh mysql "
    "nano nawk nix octave powershell psexec psql pwsh rbash read readonly redis-cli run-parts sbcl scala scp "
    "sdiff set sftp shopt source split sqlite sqlite3 sudoedit tcsh telnet trap typeset unset vagrant whiptail "
    "wish xdg-open xonsh"
)
OPERANDS_ACT = frozenset(_OPERANDS_ACT.split())


def _of(options: str, *, operand: str = "", rest: Harmless | None = None, operands: int | None = None) -> Harmless:
    return Harmless(options=options, operand=operand, rest=rest, operands=operands)


def _acts(options: str, *, operand: str = _PLAIN, rest: Harmless | None = None) -> Harmless:
    """Return what is harmless once a rule names the program."""
    return Harmless(options=options, operand=operand, rest=rest, spelled=True)


def _builder(options: str = "", /, **subcommands: Harmless) -> Harmless:
    """Return a program that runs what the project's files say, once a rule names it."""
    return evolve(_subcommands(options, **subcommands), spelled=True)


def _subcommands(options: str = "", /, **subcommands: Harmless) -> Harmless:
    """Return a program of which the listed subcommands count."""
    names = {name.replace("_", "-"): value for name, value in subcommands.items()}
    return Harmless(options=options, operands=0, subcommands=MappingProxyType(names))


_CARGO = (
    "-v -q -p: -r -j: -F: --verbose --quiet --package: --all --workspace --exclude: --all-targets --lib --bins --bin: --tests "
    "--test: --examples --example: --benches --bench: --doc --no-run --no-fail-fast --all-features --features: "
    "--no-default-features --release --profile: --target: --jobs: --color: --message-format: --locked --offline --frozen "
    "--keep-going --no-deps --timings --future-incompat-report"
)


def _cargo(rest: Harmless | None = None) -> Harmless:
    # A target may be a file that names the linker.
    return Harmless(options=_CARGO, values=MappingProxyType({"--target": r"[\w-]+"}), operand=_PLAIN, rest=rest)


_LIBTEST = Harmless(
    options="-q --nocapture --no-capture --show-output --test-threads: --ignored --include-ignored --exact --list --skip: --quiet --color: --format:"
)
_LINTS = Harmless(options="-D: -W: -A: -F: --deny: --warn: --allow: --forbid: --no-deps", operands=0)

_GO = "-v -race -short -tags: -p: -n -x -mod: -trimpath -cover -msan -asan -buildvcs: -json"
_GO_TEST = (
    f"{_GO} -run: -count: -timeout: -bench: -benchmem -benchtime: -failfast -parallel: -list: -skip: -shuffle: -cpu: "
    "-covermode: -coverpkg: -fullpath"
)

_NPM = "-s -w: -ws --silent --quiet --workspace: --workspaces --if-present --include-workspace-root --loglevel: --json --long --parseable -l -a -g --all --depth: --global --omit: --include: --prod --production"
_SCRIPT = Harmless(options=_NPM, operand=_PLAIN, rest=Harmless(operand=_PLAIN))
_NPM_LISTS = Harmless(options=_NPM)

_KUBECTL = "-n: -o: -A -l: -L: -w -f? --namespace: --output: --all-namespaces --selector: --field-selector: --show-labels --watch --sort-by: --no-headers --context: --since: --tail: -c: --container: --previous -p --timestamps --all-containers --recursive --containers --limit-bytes: --prefix --show-kind"
_DOCKER = "-a -q -f: -n: -l -s -t --all --quiet --filter: --format: --last: --latest --size --no-trunc --tail: --since: --until: --timestamps --details --digests --follow --type: --no-stream"
_LOGS = "-f -n: -t --follow --tail: --since: --until: --timestamps --details"
_GH = "-R: -L: -s: -l: -a: -A: -b: -S: --repo: --limit: --state: --label: --author: --assignee: --base: --head: --search: --json: -q: --jq: -t: --template: --comments -c --workflow: --branch: --event: --user: --status: --log --log-failed --exit-status --verbose -v --job: --name-only --patch --color: --draft --required"
_GH_LISTS = _subcommands(**dict.fromkeys(["list", "view", "status", "diff", "checks"], Harmless(options=_GH)))

_PIP = "-v -q -l -u -o -f --verbose --quiet --local --user --outdated --uptodate --format: --not-required --exclude: --exclude-editable --include-editable --editable --files --pre --disable-pip-version-check --no-color --no-index --all"

_FIND = (
    "-name: -iname: -path: -ipath: -wholename: -iwholename: -regex: -iregex: -regextype: -type: -xtype: -maxdepth: -mindepth: "
    "-depth -newer: -newermt: -newerct: -anewer: -cnewer: -mtime: -mmin: -atime: -amin: -ctime: -cmin: -size: -empty -perm: "
    "-user: -group: -uid: -gid: -nouser -nogroup -links: -inum: -samefile: -lname: -ilname: -readable -writable -executable "
    "-print -print0 -printf: -ls -prune -quit -not -and -or -a -o -true -false -follow -mount -xdev -daystart -noleaf "
    "-ignore_readdir_race -L -H -P -E -X -s -x -used: -fstype: -help -version -warn -nowarn"
)

_PYTEST = Harmless(
    options="-x -v -q -s -l -h -k: -m: -n: -r: --tb: --maxfail: --lf --ff --nf --sw --co --last-failed --failed-first --new-first --stepwise "
    "--stepwise-skip --collect-only --durations: --durations-min: --cov? --no-cov --cov-branch --cov-fail-under: --no-header --no-summary "
    "--showlocals --full-trace --exitfirst --verbose --quiet --disable-warnings --disable-pytest-warnings --strict "
    "--strict-markers --strict-config --capture: --color: --ignore: --ignore-glob: --deselect: --markers --fixtures "
    "--setup-plan --setup-show --setup-only --runxfail --numprocesses: --dist: --timeout: --reruns: --version --help "
    "--verbosity: --last-failed-no-failures: --randomly-seed: --benchmark-skip --benchmark-only --pdb --no-showlocals -W: -p: --cov-report:",
    values=MappingProxyType(
        {
            "-W": r"(?:error|ignore|default|always|module|once)(?:::\w*)?",
            "-p": r"no:[\w.-]+",
            "--cov-report": r"(?:term|term-missing)(?::skip-covered)?",
        }
    ),
    operand=_NO_LIST,
    spelled=True,
)

_CURL = Harmless(
    options="-s -S -L -f -i -I -v -k -g -4 -6 -G -N -A: -e: -m: -H: -w: -o: -X: -r: --silent --show-error --location --fail --fail-with-body --include "
    "--head --verbose --insecure --globoff --user-agent: --referer: --max-time: --connect-timeout: --retry: --retry-delay: "
    "--retry-max-time: --retry-all-errors --retry-connrefused --header: --write-out: --output: --request: --compressed --no-buffer --http1.1 --http2 --ipv4 --ipv6 "
    "--max-redirs: --range: --limit-rate: --url: --get --progress-bar --no-progress-meter --tlsv1.2 --tlsv1.3 --version --help --resolve: --path-as-is",
    values=MappingProxyType(
        {
            **dict.fromkeys(["-H", "--header"], r"[^@].*"),
            **dict.fromkeys(["-o", "--output"], r"/dev/null|-"),
            **dict.fromkeys(["-X", "--request"], r"GET|HEAD|OPTIONS"),
            **dict.fromkeys(["-w", "--write-out"], r"(?!@)(?!.*%output).*"),
            "--url": r"https?://.*",
        }
    ),
    operand=r"https?://.*|(?!.*://)[\w.-]+(?::\d+)?(?:[/?].*)?",
)  # fmt: skip

_WGET = Harmless(
    options="-q -S -n -v -t: -T: -U: -d -O: --spider --quiet --no-verbose --verbose --server-response --tries: --timeout: --user-agent: "
    "--header: --max-redirect: --no-check-certificate --connect-timeout: --read-timeout: --dns-timeout: --method:",
    values=MappingProxyType({"--method": "GET|HEAD", "-O": "-|/dev/null"}),
    operand=r"https?://.*|(?!.*://)[\w.-]+(?::\d+)?(?:/.*)?",
    needs=frozenset(["--spider", "-O", "-O-", "-qO", "-qO-"]),
)

PROGRAMS: Mapping[str, Harmless] = MappingProxyType(
    {
        **dict.fromkeys(_READERS.split(), _EVERY),
        "ag": _of("-i -l -c -n -v -w -s -S -Q -g: -G: -A: -B: -C: --hidden --ignore: --nocolor --color --count --depth: --literal --python --js"),
        "apt": _subcommands(list=_of("-a --installed --upgradable"), search=_EVERY, show=_of("-a"), policy=_EVERY),
        "bat": _of("-p -n -A -l: -r: -H: --plain --number --show-all --language: --line-range: --highlight-line: --style: --color: --paging: --decorations: --theme: --wrap: --tabs:"),
        "biome": _subcommands(check=_of("--colors: --max-diagnostics: --verbose", operand=_PLAIN), lint=_of("--verbose", operand=_PLAIN), ci=_of("--verbose", operand=_PLAIN)),
        "bundle": _subcommands(check=Harmless(operands=0), list=Harmless(operands=0), outdated=UNKNOWN, show=UNKNOWN),
        "black": _acts("-l: -t: -S -C -q -v --check --diff --color --no-color --line-length: --target-version: --quiet --verbose --fast --safe --preview --include: --exclude: --workers: -W: --version"),
        "cargo": _builder(
            "-v -q --version --list --locked --offline --frozen",
            bench=_cargo(rest=_LIBTEST), build=_cargo(), b=_cargo(), check=_cargo(), c=_cargo(), clippy=_cargo(rest=_LINTS),
            doc=_cargo(), fmt=_acts("-v -q -p: --check --all --package: --verbose --quiet", rest=Harmless(options="--check")), metadata=_of("--format-version: --no-deps --locked --offline --features: --all-features"),
            run=_cargo(rest=Harmless(operand=_PLAIN)), search=_of("--limit:"), test=_cargo(rest=_LIBTEST), t=_cargo(rest=_LIBTEST),
            tree=_of("-i: -d -e: -p: -f: --invert: --duplicates --edges: --package: --depth: --prefix: --format: --features: --all-features --target: --workspace --no-dedupe"),
        ),
        "chmod": _acts("-v -c", operand=r"(?!-).*"), "cmake": _acts("--version --help -N -L -j? --parallel? --target: --config:"), "cp": _acts("-r -R -a -p -v -n -u -i -d -f --recursive --archive --verbose --no-clobber --update"),
        "ctest": _acts("-V -R: -E: -L: -N -j? --verbose --output-on-failure --stop-on-failure --rerun-failed"),
        **dict.fromkeys(["conda", "hatch", "mise", "pdm", "pipenv", "pipx"], _subcommands("--version", list=_of("--json"), info=Harmless(operands=0))),
        "curl": _CURL,
        "date": _of("-u -I? -R -d: -r: --utc --universal --iso-8601? --rfc-3339: --rfc-email --date: --reference: --debug", operand=r"\+.*"),
        "dig": _of("-4 -6 -t: -c: -p: -x:", operand=r"[+@]?[\w.:=-]+"),
        "djlint": _of("--check --lint --profile:", operand=_PLAIN),
        "docker": _subcommands(
            "--version -v", images=_of(_DOCKER), info=_of("-f: --format:"), inspect=_of(_DOCKER), logs=_of(_LOGS), port=_EVERY, ps=_of(_DOCKER), stats=_of(_DOCKER), top=_EVERY, version=_of("-f: --format:"), history=_of(_DOCKER),
            compose=_subcommands("-f: -p: --file: --project-name:", ps=_of(_DOCKER), logs=_of(f"{_LOGS} --no-color --no-log-prefix"), config=_of("-q --quiet --services --volumes --images --profiles --format:"), images=_of("-q --quiet"), ls=_of(_DOCKER), top=_EVERY, version=_EVERY),
            **dict.fromkeys(["container", "image", "network", "volume"], _subcommands(ls=_of(_DOCKER), list=_of(_DOCKER), inspect=_of(_DOCKER), logs=_of(_LOGS))),
        ),
        "dotnet": _builder("--version --info --list-sdks", run=_RUNS, build=_acts("-c: -v: --configuration: --verbosity: --no-restore --nologo --no-incremental"), test=_acts("-c: -v: --configuration: --verbosity: --no-build --no-restore --filter: --nologo -t --list-tests")),
        "dpkg": _of("-l -L: -s: -S: --list --listfiles: --status: --search:", operand=_PLAIN),
        "eslint": Harmless(
            options="-f: --ext: --format: --max-warnings: --quiet --color --no-color --no-inline-config --no-error-on-unmatched-pattern "
            "--report-unused-disable-directives --report-unused-disable-directives-severity: --debug --version -v -h --help --rule: --env: --global: --ignore-pattern: --no-ignore --stats --env-info --print-config:",
            values=MappingProxyType(dict.fromkeys(["-f", "--format"], r"[a-z][a-z-]*")), operand=_NO_LIST,
        ),
        "fd": _of("-H -I -u -a -i -s -g -F -p -L -0 -1 -q -e: -t: -d: -E: -S: -c: -j: -o: --hidden --no-ignore --no-ignore-vcs --unrestricted --absolute-path --ignore-case --case-sensitive --glob --fixed-strings --full-path --follow --print0 --max-results: --extension: --type: --max-depth: --min-depth: --exact-depth: --exclude: --size: --color: --changed-within: --changed-before: --threads: --owner: --regex --quiet --strip-cwd-prefix? --base-directory: --search-path: --and:"),
        "file": _of("-b -i -L -h -k -r -s -z -0 -N -n -p -v -e: -F: -f: -P: --brief --mime --mime-type --mime-encoding --dereference --no-dereference --keep-going --separator: --extension"),
        "find": Harmless(options=_FIND, whole=True),
        "flake8": _of("-j: -v -q --max-line-length: --max-complexity: --select: --ignore: --extend-ignore: --extend-select: --count --statistics --show-source --exclude: --filename: --version --isolated --color: --benchmark --max-doc-length: --per-file-ignores:", operand=_NO_LIST),
        "gh": _subcommands("--version", issue=_GH_LISTS, pr=_GH_LISTS, release=_GH_LISTS, repo=_GH_LISTS, run=_GH_LISTS, workflow=_GH_LISTS, label=_GH_LISTS, search=_subcommands(**dict.fromkeys(["code", "issues", "prs", "repos", "commits"], Harmless(options=_GH))), api=_of("-q: --jq: --paginate --slurp -i --include"), auth=_subcommands(status=_of("-h: --hostname:"))),
        "git": GIT,
        "go": Harmless(operands=0, spelled=True, subcommands=MappingProxyType({
            "run": _RUNS, "build": Harmless(options=_GO, whole=True, operand=_PLAIN), "doc": Harmless(options="-all -c -cmd -short -src -u", whole=True), "env": Harmless(options="-json -changed", whole=True, operand=_PLAIN),
            "list": Harmless(options=f"{_GO} -m -f: -deps -test -e -u -versions -find", whole=True), "test": Harmless(options=_GO_TEST, whole=True, operand=_PLAIN),
            "vet": Harmless(options=f"{_GO} -c:", whole=True, operand=_PLAIN), "version": Harmless(options="-m -v", whole=True),
            "fmt": Harmless(options="-n -x", whole=True, spelled=True), "mod": Harmless(operands=0, subcommands=MappingProxyType({"graph": UNKNOWN, "verify": UNKNOWN, "why": Harmless(options="-m -vendor", whole=True), "tidy": Harmless(options="-v -x -e", whole=True, spelled=True), "download": Harmless(options="-x -json", whole=True, spelled=True)})),
        })),
        "gofmt": _of("-l -d -s -e", operand=_PLAIN),
        "golangci-lint": _subcommands(run=_acts("-v -E: -D: --enable: --disable: --timeout: --fast --new --verbose --tests --build-tags: --max-issues-per-linter: --max-same-issues:"), linters=_EVERY),
        "gradle": _acts("-q -i -s -x: --quiet --info --stacktrace --tests: --offline --console: --parallel --continue --rerun-tasks --dry-run -m"), "gradlew": _acts("-q -i -s -x: --quiet --info --stacktrace --tests: --offline --console: --parallel --continue --rerun-tasks --dry-run -m"),
        "helm": _subcommands("-n: --namespace: --kube-context:", **dict.fromkeys(["list", "ls", "status", "history", "get", "search", "show"], _of("-A -a -q -d -r -n: -o: -l: -m: --all-namespaces --all --namespace: --output: --selector: --max: --short --date --reverse --filter: --deployed --failed --pending --versions --revision:")), version=_of("--short --client"), env=UNKNOWN), "host": _of("-t: -a -v -4 -6"), "hostname": _of("-f -i -I -s -d -A -y --fqdn --long --ip-address --all-ip-addresses --short --domain", operands=0),
        "iconv": _of("-f: -t: -c -s -l --from-code: --to-code: --list --silent"), "isort": _acts("-c -q -v -l: --check-only --check --diff --profile: --quiet --verbose --line-length:"),
        "jest": _acts("-t: -i -o --testNamePattern: --testPathPattern: --runInBand --bail? --verbose --silent --no-coverage --watchAll? --onlyChanged --maxWorkers: --listTests --passWithNoTests --ci --colors --detectOpenHandles --forceExit"),
        "journalctl": _of("-u: -n? -e -f -r -x -b? -k -o: -p: -S: -U: -q --unit: --lines? --since: --until: --boot? --dmesg --output: --priority: --no-pager --no-hostname --reverse --disk-usage --list-boots --user"),
        "kill": _acts("-l -s: -# --list --signal:"), "kubectl": _subcommands("-n: --namespace: --context:", api_resources=_of(_KUBECTL), cluster_info=Harmless(operands=0), describe=_of(_KUBECTL), explain=_of("--recursive --api-version:"), get=_of(_KUBECTL), logs=_of(_KUBECTL), top=_of(_KUBECTL), version=_of("--client -o: --output:"), config=_subcommands("--kubeconfig:", current_context=UNKNOWN, get_contexts=_of(_KUBECTL), get_clusters=UNKNOWN, get_users=UNKNOWN, view=_of("--minify -o: --output:")), rollout=_subcommands(status=_of(_KUBECTL), history=_of(_KUBECTL))),
        "less": _of("-R -r -S -N -n -F -X -E -e -i -I -M -m -s -x: -# -Q -q -f -g -G -J -K -L -w -W --RAW-CONTROL-CHARS --chop-long-lines --LINE-NUMBERS --quit-if-one-screen --no-init --ignore-case", operand=r"(?!\+).*"),
        "ln": _acts("-s -r -v -n -T --symbolic --relative --verbose"), "lsof": _of("-i? -n -P -p: -t -u: -c: -a"), "make": _acts("-j? -k -s -n -B -i -w -q -t -l? --jobs? --keep-going --silent --quiet --dry-run --just-print --always-make --ignore-errors --print-directory --no-print-directory --no-builtin-rules -r -R --output-sync? -O? --trace --warn-undefined-variables --version -v"),
        "man": _of("-k -f -w -a -K -s: -S: --apropos --whatis --where --all", operand=_PLAIN), "markdownlint": _of("-q --quiet --disable: --enable:", operand=_PLAIN),
        "mkdir": _acts("-p -v -m: --parents --verbose --mode:"), "mv": _acts("-v -n -i -u --verbose --no-clobber --update"), "mvn": Harmless(options="-q -o -B -e -X -U -fae -ff -DskipTests -Dtest? -quiet -offline -batch-mode", whole=True, operand=r"[a-z-]+", spelled=True),
        "mypy": _of(
            "-v -p: -m: --strict --verbose --ignore-missing-imports --package: --module: --show-error-codes --hide-error-codes --show-error-context --show-column-numbers --show-absolute-path --no-error-summary --pretty --no-pretty "
            "--python-version: --platform: --follow-imports: --no-incremental --no-site-packages --namespace-packages --explicit-package-bases --check-untyped-defs --disallow-untyped-defs --disallow-untyped-calls --disallow-incomplete-defs "
            "--disallow-any-generics --no-implicit-optional --warn-return-any --warn-unused-ignores --warn-redundant-casts --warn-unreachable --warn-unused-configs --no-warn-unused-ignores --strict-optional --strict-equality --no-implicit-reexport "
            "--exclude: --disable-error-code: --enable-error-code: --color-output --no-color-output --show-traceback --tb --allow-redefinition --version -V --help -h", operand=_NO_LIST),
        "ninja": _acts("-v -n -k: -j: -l: --quiet --version"), "nm": _of("-a -A -B -C -D -g -n -p -P -r -S -u --demangle? --dynamic --extern-only --undefined-only --defined-only", operand=_NO_LIST),
        "npm": _builder("-v --version", **dict.fromkeys(["explain", "list", "ls", "outdated", "prefix", "root", "view", "why", "search", "info", "show"], _NPM_LISTS), audit=Harmless(options=f"{_NPM} --audit-level:", operands=0), test=_SCRIPT, t=_SCRIPT, run=_SCRIPT, run_script=_SCRIPT, start=_SCRIPT,
            ci=_acts(f"{_NPM} --no-audit --no-fund --ignore-scripts"), install=_acts(f"{_NPM} -D -S -E --save-dev --save --save-exact --no-save --no-audit --no-fund --legacy-peer-deps --ignore-scripts", operand=r"(?!-).*"), config=Harmless(operands=0, subcommands=MappingProxyType({"get": UNKNOWN, "list": _of("-l --json"), "ls": _of("-l --json")}))),
        "nslookup": UNKNOWN, "nvidia-smi": _of("-L -q -l? --query-gpu: --format:"), "objdump": _of("-d -D -S -t -T -x -h -p -r -s -j: -M: -C --disassemble? --syms --headers --section:", operand=_NO_LIST), "phpunit": _acts("--filter: --testsuite: --group: --testdox --stop-on-failure --stop-on-error --colors?"),
        "ping": _of("-c: -i: -W: -w: -n -q -4 -6"), "pip": _subcommands("-V --version", check=_of(_PIP), freeze=_of(_PIP), index=_subcommands(versions=_of(_PIP)), list=_of(_PIP), show=_of(_PIP)),
        "prettier": _of("-c -l --check --list-different --loglevel: --log-level: --no-color --color --single-quote --tab-width: --print-width: --no-semi --ignore-unknown --no-error-on-unmatched-pattern --version", operand=_NO_LIST),
        "poetry": _subcommands("--version", check=Harmless(operands=0), show=_of("-t -l -o --tree --latest --outdated --no-dev --top-level")),
        "printf": _of(""), "pylint": _of("-E -j: -v --errors-only --disable: --enable: --jobs: --score: --reports: --max-line-length: --recursive: --ignore: --ignore-patterns: --fail-under: --list-msgs --version", operand=_NO_LIST),
        "pyright": _of("-p: --project: --stats --verbose --warnings --outputjson --level: --pythonversion: --pythonplatform: --dependencies --version", operand=_PLAIN), "pytest": _PYTEST, "py.test": _PYTEST, "py_compile": _acts("-q"), "compileall": _acts("-q -f -j:"), "readelf": _EVERY,
        "rg": _of(
            "-n -N -i -l -c -v -w -x -F -o -S -s -U -P -u -H -I -L -p -q -0 -a -h -A: -B: -C: -e: -g: -t: -T: -f: -m: -M: -r: -j: -E: -d: --hidden --files --files-with-matches --files-without-match --no-ignore --no-ignore-vcs --ignore-case --smart-case --case-sensitive --fixed-strings "
            "--word-regexp --line-regexp --invert-match --count --count-matches --only-matching --replace: --regexp: --glob: --iglob: --type: --type-not: --type-add: --type-list --json --stats --sort: --sortr: --multiline --multiline-dotall --pcre2 --pretty --color: --colors: --heading --no-heading --line-number "
            "--no-line-number --column --vimgrep --max-depth: --max-count: --max-columns: --max-filesize: --context: --after-context: --before-context: --no-filename --with-filename --no-messages --null --quiet --text --trim --threads: --unrestricted --passthru --crlf --encoding: --no-config --follow --engine: --version --help"),
        "rsync": _acts("-a -v -z -r -n -h -i -P -u -c -t -p -l -H -A -X -x -m --archive --verbose --compress --recursive --dry-run --human-readable --itemize-changes --progress --stats --exclude: --include: --update --checksum --info:"), "rspec": _acts("-f: -e: --format: --example: --fail-fast? --tag: -t: --color --no-color --only-failures --order:"),
        "rubocop": _of("-D -f: -P --format: --only: --except: --display-cop-names --parallel --fail-level: --version", operand=_PLAIN),
        "ruff": _subcommands(
            "-V --version -q -v", check=_of("-q -v -s -n -e -w --no-cache --select: --ignore: --extend-select: --extend-ignore: --fixable: --unfixable: --output-format: --show-files --show-settings --statistics --diff --quiet --verbose --silent --exit-zero --exit-non-zero-on-fix --preview --no-preview --isolated --target-version: "
            "--line-length: --no-fix --no-unsafe-fixes --show-fixes --exclude: --extend-exclude: --per-file-ignores: --respect-gitignore --force-exclude --watch --stdin-filename:", operand=_NO_LIST),
            format=_acts("-q -v --check --diff --quiet --verbose --line-length: --target-version: --preview --no-cache --isolated --exclude: --stdin-filename:", operand=_NO_LIST), rule=_of("--all --output-format:"), linter=_EVERY, version=_EVERY),
        "shellcheck": _of("-s: -S: -e: -i: -f: -x -a -C? -W: --shell: --severity: --exclude: --include: --format: --external-sources --color? --enable: --norc -V --version"), "shfmt": Harmless(options="-l -d -i: -ci -s -sr -bn -kp", whole=True), "shuf": _of("-n: -i: -e -r -z --head-count: --input-range: --echo --repeat --zero-terminated"), "size": _of("-A -B -d -o -x", operand=_NO_LIST),
        "sort": _of("-b -d -f -g -h -i -M -n -R -r -V -c -C -m -s -u -z -k: -t: -S: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --ignore-nonprinting --month-sort --numeric-sort --random-sort --random-source: --reverse --sort: --version-sort --check? --merge --key: --field-separator: --stable --unique --zero-terminated --parallel: --buffer-size: --files0-from: --batch-size:"),
        "ss": _of("-t -u -l -n -p -a -x -4 -6 -s -e -i -m -o"), "systemctl": _subcommands("--user --no-pager", status=_of("-l -n: --full --lines: --no-pager"), list_units=_of("--type: --state: --all -a --no-pager"), is_active=_of("-q"), is_enabled=_of("-q"), show=_of("-p: --property: --no-pager"), cat=_of("--no-pager")),
        "tar": Harmless(values=MappingProxyType(dict.fromkeys(["-f", "--file"], "[^:]*")), options="-t -v -z -j -J -f: -C: -p -a --list --verbose --gzip --bzip2 --xz --zstd --file: --directory: --exclude: --wildcards --full-time --numeric-owner", operand=r"[^:]*"),
        "tee": Harmless(options="-i --ignore-interrupts", operands=0), "test": Harmless(every=True, operand=r"(?!.*\[.*[$`]).*"), "[": Harmless(every=True, operand=r"(?!.*\[.*[$`]).*"), "top": _of("-b -n: -d: -p: -u: -H -c", operands=0), "touch": _acts("-a -c -m -h -d: -t: -r: --no-create --date: --reference:"),
        "tree": _of("-a -d -f -i -l -x -L: -P: -I: -p -s -h -u -g -D -F -C -n -q -N -J -X -t -c -r -v -U -A -S --noreport --charset: --filelimit: --gitignore --dirsfirst --prune --du --si --sort? --matchdirs --ignore-case --inodes --device --timefmt:"),
        "tsc": Harmless(options="-p: -v -h -w --noEmit --project: --pretty? --strict? --skipLibCheck? --listFiles --listFilesOnly --showConfig --target: --module: --moduleResolution: --lib: --jsx: --esModuleInterop? --allowJs? --checkJs? --incremental? --watch --version --help --all --traceResolution --explainFiles --noUnusedLocals? --noUnusedParameters? --resolveJsonModule?", needs=frozenset(["--noEmit", "--version", "-v", "--help", "-h", "--showConfig", "--listFilesOnly"]), operand=_NO_LIST),
        "uniq": Harmless(every=True, operands=1), "unittest": _acts("-v -q -f -b -c -k: -s: -p: --verbose --quiet --locals --failfast --buffer --catch --durations:"), "uv": _subcommands("--version -q -v", pip=_subcommands(check=_of(_PIP), freeze=_of(_PIP), list=_of(_PIP), show=_of(_PIP), tree=UNKNOWN), sync=_acts("--frozen --locked --all-extras --extra: --group: --dev --no-dev -q"), lock=_acts("--check"), tree=_of("--depth: --frozen --no-dev --package: --invert --outdated"), version=UNKNOWN),
        "vitest": Harmless(options="-t: --run --reporter: --bail? --silent? --no-coverage --testNamePattern: --passWithNoTests", operand=_PLAIN, spelled=True, subcommands=MappingProxyType({"run": _of("-t: --run --reporter: --bail? --silent? --no-coverage --testNamePattern: --passWithNoTests")})), "wget": _WGET, "xmllint": _of("--noout --format --xpath: --nonet --version --pretty: --recover"),
        "xxd": _of("-a -b -c: -g: -l: -s: -u -p -e -i -E", operands=1), "yamllint": _of("-s -f: --strict --format: --no-warnings", operand=_PLAIN), "yq": _of("-r -e -P -M -C -n -o: -p: -I: -N --raw-output --exit-status --prettyPrint --output-format: --no-colors --unwrapScalar? --null-input"), "zip": _acts("-r -q -v -9 -x: --recurse-paths --quiet --verbose --exclude:"),
        **dict.fromkeys(["yarn", "pnpm"], _builder("-v --version -s -r -w --silent --recursive", **dict.fromkeys(["list", "ls", "outdated", "why", "view"], _NPM_LISTS), node=_RUNS, test=_SCRIPT, run=_SCRIPT, build=_SCRIPT, lint=_SCRIPT, typecheck=_SCRIPT, start=_SCRIPT, install=_acts("--frozen-lockfile --silent --prefer-offline --offline"), add=_acts("-D --dev --save-dev -E --exact -W", operand=r"(?!-).*"))),
    }
)  # fmt: skip
