"""What a wildcard may stand for behind `git`, as data."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from mmtools.policies.options import Harmless

__all__ = ["GIT"]

_EVERY = Harmless(every=True)
_RUNS = Harmless(runs=True)

#: Options of everything that shows differences. Not here: `--output`, `--ext-diff`, `--textconv`, which write or run.
_DIFF = (
    "-p -u -s -z -w -b -a -R -r -t -m -U: -M? -C? -B? -D -S: -G: -l: -X? "
    "--patch --no-patch --raw --patch-with-raw --patch-with-stat --stat? --numstat --shortstat --dirstat? --cumulative "
    "--summary --compact-summary --name-only --name-status --unified: --minimal --patience --histogram --anchored: "
    "--diff-algorithm: --submodule? --color? --no-color --color-moved? --no-color-moved --color-words? --word-diff? "
    "--word-diff-regex: --no-renames --find-renames? --find-copies? --find-copies-harder --break-rewrites? "
    "--irreversible-delete --diff-filter: --pickaxe-all --pickaxe-regex --relative? --no-relative --text "
    "--ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines "
    "--inter-hunk-context: --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules? "
    "--src-prefix: --dst-prefix: --no-prefix --default-prefix --full-index --binary --abbrev? --check --merge-base "
    "--no-index --cached --staged --rename-empty --no-rename-empty"
)

_LOG = (
    f"{_DIFF} -# -n: -i -E -F -P -g -q -L: --max-count: --skip: --since: --after: --until: --before: --author: --committer: "
    "--grep: --all-match --invert-grep --regexp-ignore-case --extended-regexp --fixed-strings --perl-regexp --merges "
    "--no-merges --first-parent --all --branches? --tags? --remotes? --glob: --exclude: --reflog --boundary --cherry "
    "--cherry-pick --cherry-mark --left-right --left-only --right-only --walk-reflogs --simplify-by-decoration "
    "--full-history --ancestry-path? --topo-order --date-order --author-date-order --reverse --objects --no-walk? "
    "--oneline --pretty? --format: --abbrev-commit --no-abbrev-commit --encoding: --notes? --no-notes --decorate? "
    "--no-decorate --decorate-refs: --source --follow --full-diff --graph --no-graph --relative-date --date: --parents "
    "--children --count --show-pulls --dense --sparse --clear-decorations --mailmap --no-mailmap --summary --numbered "
    "--email --expand-tabs? --no-expand-tabs --log-size --min-parents: --max-parents: --stdin --cc --diff-merges:"
)

_LISTS_REFS = "--sort: --format: --contains: --no-contains: --merged? --no-merged? --points-at: --color? --no-color --column? --no-column"

#: With which operands only choose what is listed.
_LISTING = frozenset(["-l", "--list", "--contains", "--no-contains", "--merged", "--no-merged", "--points-at"])

_GREP = (
    "-a -I -i -w -v -h -H -E -G -P -F -n -l -L -z -o -c -p -W -q -A: -B: -C: -m: -e: -f: -# --cached --untracked --no-index "
    "--ignore-case --word-regexp --invert-match --full-name --extended-regexp --basic-regexp --perl-regexp "
    "--fixed-strings --line-number --column --files-with-matches --name-only --files-without-match --null "
    "--only-matching --count --color? --no-color --break --heading --show-function --function-context --context: "
    "--after-context: --before-context: --max-count: --max-depth: --threads: --and --or --not --all-match --quiet "
    "--exclude-standard --no-exclude-standard --recurse-submodules --recursive --no-recursive"
)

#: No refspec that overwrites or deletes.
_REF = r"[^-+:][^:]*(?::[^:]+)?"


def _listing(*names: str) -> Mapping[str, Harmless]:
    return MappingProxyType({name: Harmless(options=f"-v {_LOG}") for name in names})


def _spelled(options: str, operand: str = "") -> Harmless:
    """Return what is harmless once a rule names the subcommand."""
    return Harmless(options=options, operand=operand, spelled=True)


GIT = Harmless(
    options="-P -p -v -C: --no-pager --no-optional-locks --version --literal-pathspecs --no-replace-objects --help",
    operands=0,
    subcommands=MappingProxyType(
        {
            **dict.fromkeys(
                ["check-attr", "check-ignore", "cherry", "count-objects", "describe", "for-each-ref",
                 "ls-files", "ls-tree", "merge-base", "name-rev", "rev-parse", "show-branch", "show-ref", "status", "var",
                 "version"],
                _EVERY,
            ),
            **dict.fromkeys(["diff", "diff-files", "diff-index", "diff-tree", "range-diff"], Harmless(options=f"{_DIFF} -# -q --no-commit-id --stdin --root")),
            **dict.fromkeys(["log", "rev-list", "show", "whatchanged"], Harmless(options=f"{_LOG} -e")),
            "add": Harmless(options="-A -u -v -n -N --all --update --verbose --dry-run --intent-to-add --no-all --ignore-errors"),
            "am": _spelled("--continue --abort --skip --quit --show-current-patch? -3 --3way -q"),
            "apply": _spelled("--check --stat --numstat --summary -v -p: --index --cached -3 --3way -R --reverse"),
            "archive": _spelled("--format: --prefix: -v -l --list -#"),
            "bisect": Harmless(operands=0, subcommands=_listing("log", "view", "terms")),
            **dict.fromkeys(
                ["annotate", "blame"],
                Harmless(
                    options="-L: -l -t -s -e -f -n -w -c -b -p -C? -M? -S: --root --show-stats --show-name --show-number --show-email "
                    "--porcelain --line-porcelain --incremental --date: --abbrev: --since: --ignore-rev: --color-lines --color-by-age --first-parent"
                ),
            ),
            "branch": Harmless(
                options=f"-a -r -v -l -i -q {_LISTS_REFS} --all --remotes --verbose --list --show-current --ignore-case --abbrev? --omit-empty",
                operands=0,
                lists=_LISTING,
            ),
            "cat-file": Harmless(options="-p -t -s -e --batch? --batch-check? --batch-all-objects --unordered --allow-unknown-type"),
            "checkout": _spelled("-b: -q -t --track? --no-track --detach -d --progress --no-progress --quiet -p --ours --theirs"),
            "cherry-pick": _spelled("-x -n --no-commit --continue --abort --skip --quit -m:"),
            "clone": _spelled("-q -v -b: -n --depth: --branch: --single-branch --no-single-branch --no-tags --quiet --verbose --progress --bare --no-checkout --filter: --sparse --shallow-since: -o: --origin:", r"(?!ext::|fd::)[^-].*"),
            "commit": Harmless(
                options="-a -m: -v -q -s -C: -F: --all --message: --verbose --quiet --signoff --allow-empty --no-edit --author: "
                "--date: --fixup: --squash: --dry-run --short --porcelain --long --status --no-status --only --include -o -i "
                "--reuse-message: --file: --trailer: --no-gpg-sign"
            ),
            "config": Harmless(
                options="-l -z --get: --get-all: --get-regexp: --list --show-origin --show-scope --name-only --global --local "
                "--system --worktree --null --type: --bool --int --path --includes --no-includes --default:",
                operands=1,
                operand=r"(?!edit$|set$|unset$|rename-section$|remove-section$).*",
                subcommands=MappingProxyType(
                    {
                        "get": Harmless(options="--all --show-origin --show-scope --name-only --global --local --system -z --type: --regexp --value: --default:"),
                        "list": Harmless(options="--show-origin --show-scope --name-only --global --local --system -z --type:"),
                    }
                ),
            ),
            "fetch": Harmless(
                options="-a -v -q -t -n -p -j: --all --verbose --quiet --tags --no-tags --prune --dry-run --depth: --deepen: --unshallow "
                "--progress --jobs: --append --shallow-since: --no-recurse-submodules",
                operand=r"(?!ext::|fd::)[^-+:].*",
            ),
            "format-patch": _spelled("-# -n -N -s -k --stdout --cover-letter --numbered --signoff --subject-prefix: -v:"),
            "filter-branch": _RUNS,
            "fsck": Harmless(options="--full --no-full --strict --unreachable --dangling --no-dangling --progress --no-progress --connectivity-only --verbose --cache --root --tags"),
            "grep": Harmless(options=_GREP),
            "hash-object": Harmless(options="-t: --stdin --stdin-paths --path: --no-filters --literally"),
            "init": _spelled("-q -b: --quiet --bare --initial-branch:"),
            "ls-remote": Harmless(
                options="-h -t -q --heads --branches --tags --refs --quiet --exit-code --get-url --sort: --symref", operand=r"(?!ext::|fd::)[^-].*"
            ),
            "merge": _spelled("--no-ff --ff --ff-only --abort --continue --quit --no-edit --squash --no-commit -m: -q -v -n --stat --no-stat --quiet --verbose --no-squash --commit"),
            "mv": _spelled("-v -n -k --verbose --dry-run"),
            "notes": Harmless(operands=0, subcommands=_listing("list", "show", "get-ref")),
            "pull": Harmless(
                options="-q -v -r? --rebase? --no-rebase --ff-only --ff --no-ff --quiet --verbose --tags --no-tags --prune -p --autostash --no-autostash --no-edit --depth: --all --progress",
                operand=r"(?!ext::|fd::)[^-+:].*",
                values=MappingProxyType({"--rebase": "true|false|merges", "-r": "|true|false|merges"}),
            ),
            "push": Harmless(
                options="-u -v -q -n --set-upstream --verbose --quiet --dry-run --tags --follow-tags --all --branches --porcelain --progress --no-progress --atomic",
                operand=_REF,
            ),
            "rebase": _spelled("-q -v --continue --abort --skip --quit --onto: --autostash --no-autostash --quiet --verbose --stat --keep-base --show-current-patch"),
            "reflog": Harmless(operands=0, options=_LOG, subcommands=_listing("show", "list", "exists")),
            "remote": Harmless(
                options="-v --verbose",
                operands=0,
                subcommands=MappingProxyType({"show": Harmless(options="-n"), "get-url": Harmless(options="--push --all")}),
            ),
            "reset": _spelled("-q -N --quiet --soft --mixed --no-refresh --intent-to-add"),
            "restore": _spelled("-s: -S -W -q --source: --staged --worktree --quiet --ours --theirs"),
            "revert": _spelled("-n -m: --no-commit --no-edit --continue --abort --skip --quit"),
            "rm": _spelled("-r -n -q --cached --dry-run --quiet --ignore-unmatch"),
            "shortlog": Harmless(options=f"{_LOG} -n -s -e -c"),
            "stash": Harmless(
                operands=0,
                subcommands=MappingProxyType(
                    {
                        "list": Harmless(options=_LOG),
                        "show": Harmless(options=f"{_DIFF} --include-untracked --only-untracked"),
                        "push": _spelled("-m: -q -u -k -S --message: --quiet --include-untracked --keep-index --staged"),
                        "pop": _spelled("-q --index --quiet"),
                        "apply": _spelled("-q --index --quiet"),
                    }
                ),
            ),
            "submodule": Harmless(operands=0, subcommands=MappingProxyType({"status": Harmless(options="--cached --recursive"), "summary": Harmless(options="--cached --files -n: --summary-limit:")})),
            "switch": _spelled("-c: -q -d -t --create: --detach --track? --no-track --quiet --guess --no-guess"),
            "symbolic-ref": Harmless(options="-q --short --quiet", operands=1),
            "tag": Harmless(options=f"-l -n? -i {_LISTS_REFS} --list --ignore-case", operands=0, lists=_LISTING),
            "worktree": Harmless(operands=0, subcommands=MappingProxyType({"list": Harmless(options="-v -z --verbose --porcelain")})),
        }
    ),
)  # fmt: skip
