"""Deny rules hold for calls that never ask: reads, searches, skills, and edits that would tell what is there."""

from __future__ import annotations

import tempfile
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools import AllowAll, Outcome, Remember, Rule, Rules, Status, local
from mmtools.runner import Runner
from tests.hypothesis_profiles import scaled

NAMES = ("env", "key", "note", "secret")
TREES = st.dictionaries(
    st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join), st.just(None), min_size=1, max_size=9
).map(lambda tree: [path for path in tree if not any(other.startswith(f"{path}/") for other in tree)])
PATTERNS = st.sampled_from(["*secret", "*/key", "*env*", "/*/note/*", "*y", "*"])


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".env").write_text("TOKEN=hunter2\n")
    (tmp_path / "e").symlink_to(".env")
    (tmp_path / "src").mkdir()
    (tmp_path / "src/a.py").write_text("print()\n")
    (tmp_path / "vault").mkdir()
    for name in ("one.txt", "two.txt"):
        (tmp_path / "vault" / name).write_text("HIT hunter2\n")
    (tmp_path / "plain.txt").write_text("HIT here\n")
    return tmp_path


def mm(root: Path, *denied: str) -> Runner:
    return local.mm(root, permission=_rules(root, *denied))


def crab(root: Path, *denied: str) -> Runner:
    return local.crab(root, permission=_rules(root, *denied))


def _rules(root: Path, *denied: str) -> Remember:
    return Remember(Rules([Rule.allow("*"), *map(Rule.deny, denied)], AllowAll(), root=str(root)))


def refused(outcome: Outcome, rule: str) -> bool:
    return outcome.status is Status.REJECTED and f"the rule {rule}" in outcome.text and "hunter2" not in outcome.text


@pytest.mark.parametrize("rule", ["read_file(.env)", "read_file", "*(*.env)", "read_*"])
@pytest.mark.parametrize("path", [".env", "e", "./src/../e", "{root}/e"])
def test_a_denied_file_is_not_read_by_any_of_its_names(root: Path, rule: str, path: str) -> None:
    with mm(root, rule) as runner:
        assert refused(runner.call("read_file", {"path": path.format(root=root)}), rule)


def test_a_rule_for_the_name_that_the_model_used_holds_too(root: Path) -> None:
    with mm(root, "read_file(e)") as runner:
        assert refused(runner.call("read_file", {"path": "e"}), "read_file(e)")
        assert runner.call("read_file", {"path": ".env"}).status is Status.OK


def test_what_no_rule_names_is_read_as_before(root: Path) -> None:
    with mm(root, "*(*.env)", "bash") as runner:
        assert runner.execute("read_file", {"path": "src/a.py"}) == "print()\n"


@pytest.mark.parametrize("content", ["TOKEN=hunter2\n", "x"])
def test_writing_a_denied_file_does_not_tell_whether_it_holds_that_already(root: Path, content: str) -> None:
    with mm(root, "*(*.env)") as runner:
        for path in (".env", "e"):
            assert refused(runner.call("write_file", {"path": path, "content": content}), "*(*.env)") or content != "x"
            assert runner.call("write_file", {"path": path, "content": content}).status is Status.REJECTED
    assert (root / ".env").read_text() == "TOKEN=hunter2\n"


@pytest.mark.parametrize("more", [{}, {"dry_run": True}])
def test_an_edit_of_a_denied_file_tells_nothing_of_it(root: Path, more: dict[str, bool]) -> None:
    edits = [{"old": "TOKEN=hunter3", "new": "x"}]
    with mm(root, "edit_file(.env)") as runner:
        assert refused(runner.call("edit_file", {"path": "e", "edits": edits, **more}), "edit_file(.env)")


def test_a_look_alike_that_is_denied_is_not_offered(root: Path) -> None:
    with mm(root, "read_file(.env)") as runner:
        assert ".env" not in runner.execute("read_file", {"path": ".ENV"}).replace(".ENV", "")


def test_a_search_leaves_denied_files_out_and_counts_them(root: Path) -> None:
    with crab(root, "grep(vault)", "glob(vault/*)") as runner:
        left_out = "[2 files left out: denied to {}]"
        assert runner.execute("grep", {"pattern": "HIT"}) == f"plain.txt:1:HIT here\n{left_out.format('grep')}"
        assert runner.execute("glob", {"pattern": "**/*.txt"}) == f"plain.txt\n{left_out.format('glob')}"
        assert left_out.format("grep") in runner.execute("grep", {"pattern": "hunter2"})
        assert refused(runner.call("grep", {"pattern": "HIT", "path": "vault/one.txt"}), "grep(vault)")
        assert refused(runner.call("grep", {"pattern": "HIT", "path": "vault"}), "grep(vault)")


def test_the_count_does_not_tell_what_denied_files_hold(root: Path) -> None:
    with crab(root, "grep(vault)") as runner:
        told = {runner.execute("grep", {"pattern": word}).split("\n")[-1] for word in ("hunter2", "hunter3")}
    assert len(told) == 1


def test_denied_matches_take_no_places_of_a_page(root: Path) -> None:
    for number in range(40):
        (root / "vault" / f"{number}.txt").write_text("HIT\n" * 40)
        (root / f"z{number:02}.txt").write_text("HIT\n")
    with crab(root, "grep(vault)") as runner:
        open_ = runner.execute("grep", {"pattern": "HIT"})
        first = runner.execute("grep", {"pattern": "HIT", "head_limit": 10})
    assert [line for line in open_.split("\n") if not line.startswith("[")][1:] == [
        f"z{number:02}.txt:1:HIT" for number in range(40)
    ]
    assert "vault" not in first


def test_whole_tools_are_denied_before_anything_is_read(root: Path) -> None:
    with crab(root, "grep", "gl*") as runner:
        assert refused(runner.call("grep", {"pattern": "hunter2"}), "grep")
        assert refused(runner.call("glob", {"pattern": "**"}), "gl*")
        assert runner.call("nothing", {}).status is Status.FAILED


def test_a_skill_is_denied_by_its_path(root: Path) -> None:
    (root / "skills").mkdir()
    (root / "skills/deploy.md").write_text("hunter2\n")
    with local.mm(root, permission=_rules(root, "read_skill(skills/deploy.md)"), skills_dir=root / "skills") as runner:
        assert refused(runner.call("read_skill", {"name": "deploy"}), "read_skill(skills/deploy.md)")


@scaled(8)
@given(TREES, PATTERNS, st.integers(1, 3), st.data())
def test_nothing_of_a_denied_file_is_in_any_answer(
    tree: list[str], pattern: str, links: int, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as directory:
        root = Path(directory).resolve() / "r"
        root.mkdir()
        for number, path in enumerate(tree):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(f"HIT word{number}word\n")
        targets = [data.draw(st.sampled_from(tree)) for _ in range(links)]
        for number, target in enumerate(targets):
            (root / f"link{number}").symlink_to(root / target)
        # The oracle: a path is denied when it, or a directory above it, matches.
        above = {
            path: [str(root / path), *(str(root / one) for one in Path(path).parents if str(one) != ".")]
            for path in tree
        }
        denied = {path for path in tree if any(fnmatchcase(name, pattern) for name in above[path])}
        secrets = {f"word{number}word" for number, path in enumerate(tree) if path in denied}
        with crab(root, f"*({pattern})") as runner:
            calls = [
                *(("read", {"path": path}) for path in [*tree, *(f"link{number}" for number in range(links))]),
                *(("grep", {"pattern": word, "path": at}) for word in ("HIT", "word0") for at in (".", *tree)),
                *(("glob", {"pattern": one}) for one in ("**", "*/*")),
                ("edit", {"path": tree[0], "old_string": "HIT w0rd", "new_string": "x"}),
            ]
            for name, arguments in calls:
                text = runner.execute(name, arguments)
                assert not [secret for secret in secrets if secret in text], (name, arguments, text)
                if arguments.get("path", ".") == ".":
                    shown = {line.split(":")[0] for line in text.split("\n")}
                    assert not shown & denied, (name, arguments, text)
            if len(denied) < len(tree) and pattern != "*":
                allowed = [
                    word for number, path in enumerate(tree) if path not in denied for word in [f"word{number}word"]
                ]
                everything = runner.execute("grep", {"pattern": "HIT w"})
                assert all(word in everything for word in allowed)
