"""A search in text: what it finds can be followed up, what it does not find is not passed over in silence."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.python_search import PythonSearch
from mmtools.adapters.ripgrep_search import RipgrepSearch, find_ripgrep
from mmtools.call import Cancellation, ReadPreview, Status
from mmtools.errors import Cancelled, PermissionRefused, ToolFailure
from mmtools.ports.search import (
    BadPattern,
    Ended,
    EngineFailed,
    Found,
    Listed,
    Match,
    Pattern,
    RegexDialect,
    Search,
    SearchProblem,
    Tree,
    Unreadable,
)
from mmtools.testing.calls import StubCall
from mmtools.tools.operations.file_search import FileSearch, Where
from mmtools.tools.operations.search_text import TextQuery, search_text
from mmtools.tools.wording.search import SearchTerms
from tests.hypothesis_profiles import scaled

TERMS = SearchTerms(
    tool="grep", pattern="pattern", path="path", glob="glob", offset="offset", hidden="include_ignored=true"
)


def ripgrep() -> Search:
    program = find_ripgrep()
    assert program is not None
    return RipgrepSearch(program)


class Searching:
    """A searcher of one directory, as a model would be."""

    def __init__(
        self,
        root: Path,
        engine: Search | None = None,
        *,
        asks: bool = False,
        max_matches: int = 250,
        max_output: int = 30_000,
        timeout_s: float = 20.0,
    ) -> None:
        self.root = root
        self.limit = max_matches
        files = LocalFiles(root, outside="ask" if asks else "refuse")
        self.search = FileSearch(files=files, engine=engine or ripgrep(), max_output=max_output, timeout_s=timeout_s)
        self.call = StubCall()

    def put(self, path: str, content: bytes | str) -> None:
        whole = self.root / path
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.write_bytes(content if isinstance(content, bytes) else content.encode())

    def __call__(
        self,
        pattern: str,
        *,
        path: str = "",
        glob: str = "",
        ignore_case: bool = False,
        hidden: bool = False,
        skip: int = 0,
        allows: bool = True,
    ) -> str:
        self.call = StubCall(allows=allows)
        query = TextQuery(
            pattern=Pattern(regex=pattern, ignore_case=ignore_case),
            where=Where(path=path, glob=glob, hidden=hidden),
            limit=self.limit,
            skip=skip,
        )
        return search_text(self.search, query, self.call, TERMS)

    def refused(self, pattern: str, *, path: str = "", glob: str = "", skip: int = 0) -> str:
        with pytest.raises(ToolFailure) as refusal:
            self(pattern, path=path, glob=glob, skip=skip)
        return refusal.value.text


@pytest.fixture
def grep(tmp_path: Path) -> Searching:
    return Searching(tmp_path)


class Scripted:
    """A search that gives these answers to every question, in order; the last one again and again."""

    dialect = RegexDialect.PYTHON

    def __init__(self, *answers: Found | SearchProblem, listed: Listed | None = None) -> None:
        self.answers = list(answers)
        self.listed = listed or Listed(paths=("a",))
        self.asked: list[tuple[Tree, Pattern, int, int, float]] = []

    def grep(
        self, tree: Tree, pattern: Pattern, *, skip: int = 0, limit: int, timeout_s: float, cancellation: Cancellation
    ) -> Found:
        self.asked.append((tree, pattern, skip, limit, timeout_s))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, SearchProblem):
            raise answer
        return answer

    def files(self, tree: Tree, *, limit: int, timeout_s: float, cancellation: Cancellation) -> Listed:
        return self.listed


def read_back(line: str) -> tuple[str, int, str]:
    if line.startswith('"'):
        path, end = json.JSONDecoder().raw_decode(line)
        line = f"{'x'}{line[end:]}"
    else:
        path = line.partition(":")[0]
    _, number, text = line.split(":", 2)
    return path, int(number), text


def test_the_same_without_ripgrep(tmp_path: Path) -> None:
    grep = skipping(Searching(tmp_path, PythonSearch(), max_matches=2))
    grep.put("src/a:b.py", "HIT (1)\nHIT\nHIT\n")
    assert grep("HIT", path="src") == (
        '"src/a:b.py":1:HIT (1)\n"src/a:b.py":2:HIT\n'
        "[… matches 1-2 shown, there are more; continue with offset=2, or narrow path, glob or pattern]"
    )
    assert "2 matches in ignored or hidden files, e.g. .hid/h.yml: send include_ignored=true" in grep("MARK")
    assert "If it is meant letter for letter, send \\(1" in grep.refused("(1")


def test_another_contract_has_its_own_words(grep: Searching) -> None:
    """No answer names a tool or an argument of any dialect."""
    grep.put("a.txt", "HIT\nHIT\n")
    grep.put(".b", "secret\n")
    grep.limit = 1
    terms = SearchTerms(tool="Find", pattern="what", path="in", glob="only", offset="after", hidden="all=yes")

    def said(pattern: str, glob: str = "", skip: int = 0, engine: Search | None = None) -> str:
        search = evolve(grep.search, engine=engine or grep.search.engine)
        query = TextQuery(pattern=Pattern(regex=pattern), where=Where(glob=glob), limit=1, skip=skip)
        try:
            return search_text(search, query, StubCall(), terms)
        except ToolFailure as failure:
            return failure.text

    assert said("").startswith("[Find: what is empty, ")
    assert said("a\nb").startswith("[Find: what holds a line break, ")
    assert said("a", "\0").startswith("[Find: character 1 of only is a NUL")
    assert said("a", "../x").startswith("[Find: the glob `../x` is held against")
    assert said("HIT", skip=9) == "[Find: after=9 is past the last match (2 matches)]"
    assert said("HIT").endswith("continue with after=1, or narrow in, only or what]")
    assert said("secret").endswith("e.g. .b: send all=yes]")
    assert said("(").startswith("[Find: `(` is not a regular expression")
    assert said("x", engine=Scripted(Found(ended=Ended.CANCELLED))) == "[Find was cancelled]"
    assert said("x", engine=Scripted(Found(ended=Ended.TIME))).endswith("narrow in or only, or send a simpler what]")


# What is found


def test_lines_stand_with_their_place_sorted_and_with_nested_prefixes(grep: Searching) -> None:
    grep.put("src/b.py", "x = 1\ndef f():\n")
    grep.put("src/sub/a.py", "def g():\n")
    grep.put("top.py", "def h():\r\n")
    assert grep("^def ") == "src/b.py:2:def f():\nsrc/sub/a.py:1:def g():\ntop.py:1:def h():"
    assert grep("^def ", path="src") == "src/b.py:2:def f():\nsrc/sub/a.py:1:def g():"
    assert grep("^def ", path="./src/sub/../") == "src/b.py:2:def f():\nsrc/sub/a.py:1:def g():"
    assert grep("def", path="top.py") == "top.py:1:def h():"
    assert grep("DEF", ignore_case=True, path="top.py") == "top.py:1:def h():"
    assert grep("def", path=str(grep.root / "src" / "sub")) == "src/sub/a.py:1:def g():"
    assert not grep.call.proposals
    assert not grep.call.reported.truncated


@pytest.mark.parametrize("path", ["", ".", "./"])
def test_no_path_is_the_working_directory(grep: Searching, path: str) -> None:
    grep.put("a.txt", "HIT\n")
    assert grep("HIT", path=path) == "a.txt:1:HIT"


def test_only_files_that_match_the_glob(grep: Searching) -> None:
    grep.put("src/a.py", "HIT\n")
    grep.put("src/a.js", "HIT\n")
    assert grep("HIT", glob="*.py") == "src/a.py:1:HIT"
    assert grep("HIT", glob="src/*.{js,ts}") == "src/a.js:1:HIT"
    assert grep("HIT", glob="*.py", path="src/a.js") == "src/a.js:1:HIT", "a named file is always searched"
    assert grep("HIT", glob=f"{grep.root}/src/*.py") == "src/a.py:1:HIT"
    assert grep("HIT", glob=f"{grep.root}/src/*.py", path="src") == "src/a.py:1:HIT"


@pytest.mark.parametrize("glob", ["/etc/*", "/*.py", "~/x", "../x", "src/../../x"])
def test_a_glob_that_leads_elsewhere_is_refused(grep: Searching, glob: str) -> None:
    grep.put("src/a.py", "HIT\n")
    text = grep.refused("HIT", glob=glob)
    assert text.startswith(f"[grep: the glob `{glob}` is held against paths below the working directory; send one")


#: Names that a careless answer would be misread by.
NAMES = [
    "c:d.py",
    "new\nline",
    " a",
    "a ",
    '"q"',
    "-i",
    "[x]",
    "in\u00a0put",
    "\x1b[8m",
    "é",
    "~",
    "a\\b",
    "\u202e",
    "x:1:y",
]


@pytest.mark.parametrize("name", NAMES)
def test_no_path_is_ambiguous_and_all_can_be_sent_back(grep: Searching, name: str) -> None:
    grep.put(f"{name}/f", "HIT: 1\n")
    path, line, text = read_back(grep("HIT"))
    assert (line, text) == (1, "HIT: 1")
    assert grep("HIT", path=path) == grep("HIT")


def test_a_name_that_is_not_utf_8_is_spelled_out(grep: Searching) -> None:
    (grep.root / os.fsdecode(b"\xff.txt")).write_text("HIT\n")
    note = "[names with \\udc… are not UTF-8: only a command reaches them, by a pattern such as ?.txt]"
    assert grep("HIT") == f'"\\udcff.txt":1:HIT\n{note}'


names = st.text(st.sampled_from("ab:.-[]\" '\\\n\té\u00a0"), min_size=1, max_size=4).filter(
    lambda name: name not in (".", "..") and not name.startswith(".")
)
trees = st.dictionaries(names, st.lists(st.sampled_from(["HIT", "a HIT: 1", "miss", ""]), max_size=6), max_size=5)


@settings(scaled(25), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees, step=st.integers(1, 4), folder=st.sampled_from(["d", "d:1:x", "[d]"]))
def test_paging_through_an_answer_gives_every_line_once_and_in_order(
    tmp_path_factory: pytest.TempPathFactory, tree: dict[str, list[str]], step: int, folder: str
) -> None:
    grep = Searching(tmp_path_factory.mktemp("tree"), max_matches=step)
    for name, lines in tree.items():
        grep.put(f"{folder}/{name}", "\n".join(lines))
    expected = [
        (f"{folder}/{name}", number, line)
        for name in sorted(tree, key=os.fsencode)
        for number, line in enumerate(tree[name], 1)
        if "HIT" in line
    ]
    found: list[tuple[str, int, str]] = []
    for _ in range(40):
        answer = grep("HIT", skip=len(found))
        lines = [line for line in answer.split("\n") if re.match(r'"|[^:]*:\d+:', line)]
        found += map(read_back, lines)
        more = re.search(r"continue with offset=(\d+)", answer)
        assert grep.call.reported.truncated == bool(more)
        if not more:
            break
        assert int(more[1]) == len(found)
    assert found == expected
    if not expected:
        assert "no matches" in answer


# Limits


def test_a_cut_says_how_to_go_on(grep: Searching) -> None:
    grep.put("a.txt", "HIT\n" * 600)
    answer = grep("HIT").split("\n")
    assert answer[249:] == [
        "a.txt:250:HIT",
        "[… matches 1-250 shown, there are more; continue with offset=250, or narrow path, glob or pattern]",
    ]
    assert grep.call.reported.truncated
    last = grep("HIT", skip=500).split("\n")
    assert (last[0], last[-1], len(last)) == ("a.txt:501:HIT", "a.txt:600:HIT", 100)
    assert not grep.call.reported.truncated


def test_exactly_as_many_as_the_limit_is_not_cut(grep: Searching) -> None:
    grep.put("a.txt", "HIT\n" * 250)
    assert grep("HIT").endswith("a.txt:250:HIT")


def test_an_answer_keeps_to_its_characters_in_whole_lines(tmp_path: Path) -> None:
    grep = Searching(tmp_path, max_output=100)
    grep.put("a.txt", "HIT 1\n" * 20)
    answer = grep("HIT").split("\n")
    assert answer[-2:] == ["a.txt:7:HIT 1", "[… matches 1-7 of 20 shown; continue with offset=7]"]
    assert grep("HIT", skip=19) == "a.txt:20:HIT 1"
    assert "[… matches 8-13 of 20 shown" in grep("HIT", skip=7)


def test_a_line_longer_than_an_answer_is_cut_and_says_so(tmp_path: Path) -> None:
    grep = Searching(tmp_path, max_output=20)
    grep.put("a.txt", "HIT" + "x" * 100 + "\nHIT\n")
    assert grep("HIT") == (
        "a.txt:1:HITxxxxxxxxx\n[… 91 characters of this line are left out]\n"
        "[… match 1 of 2 shown; continue with offset=1]"
    )


def test_a_huge_line_is_shown_around_its_match(grep: Searching) -> None:
    grep.put("a.js", "x" * 100_000 + "needle" + "y" * 5_000 + "\n")
    answer = grep("needle")
    assert len(answer) < 700
    match = re.fullmatch(r"a\.js:1:\[… ([\d,]+) bytes\](x+needley+)\[([\d,]+) bytes …\]", answer)
    assert match is not None
    before, after = (int(count.replace(",", "")) for count in (match[1], match[3]))
    assert before + len(match[2]) + after == 105_006


def test_an_offset_past_the_last_match_says_how_many_there_are(grep: Searching) -> None:
    grep.put("a.txt", "HIT\n" * 3)
    assert grep.refused("HIT", skip=3) == "[grep: offset=3 is past the last match (3 matches)]"
    assert grep.refused("HIT", skip=10**9) == "[grep: offset=1000000000 is past the last match (3 matches)]"
    assert "no matches for `MISS`" in grep("MISS", skip=3)
    many = Scripted(Found(), Found(matches=(Match(path="a", line=1, text="x"),), ended=Ended.LIMIT))
    assert "(more than 1 match)" in Searching(grep.root, many).refused("x", skip=99_999)
    assert many.asked[1][2:4] == (0, 10_000)


# What is not found


def skipping(grep: Searching) -> Searching:
    grep.put(".gitignore", "out/\n")
    grep.put("out/w.py", "MARK\n")
    grep.put(".hid/h.yml", "MARK\n")
    grep.put("src/a.py", "nothing\n")
    return grep


def test_what_ignore_rules_and_dots_hide_is_not_passed_over_in_silence(grep: Searching) -> None:
    skipping(grep)
    assert grep("MARK") == (
        "[no matches for `MARK` in the working directory; 2 matches in ignored or hidden files, e.g. .hid/h.yml: "
        "send include_ignored=true]"
    )
    assert grep("MARK", path="out/w.py") == "out/w.py:1:MARK"
    assert grep("MARK", path="out") == "out/w.py:1:MARK"
    assert grep("MARK", hidden=True) == ".hid/h.yml:1:MARK\nout/w.py:1:MARK"
    assert grep("MARK", glob=".hid/*") == ".hid/h.yml:1:MARK", "what is named is not hidden"
    assert grep("MARK", glob="*.py") == (
        "[no matches for `MARK` in the working directory, in files that match `*.py`; "
        "1 match in ignored or hidden files, e.g. out/w.py: send include_ignored=true]"
    )


def test_nothing_anywhere_is_said_plainly(grep: Searching) -> None:
    skipping(grep)
    assert grep("NOPE") == "[no matches for `NOPE` in the working directory; nor in ignored or hidden files]"
    assert grep("NOPE", hidden=True) == (
        "[no matches for `NOPE` in the working directory; hidden and ignored files were searched too]"
    )
    assert grep("NOPE", path="src/a.py") == "[no matches for `NOPE` in src/a.py]"
    assert grep("nothing", glob="*.rs") == (
        "[no matches for `nothing` in the working directory, in files that match `*.rs`; "
        "no file in it has a path that matches the glob]"
    )
    assert grep("nothing", path="src", glob="src/*.py").endswith(
        "no file in it has a path that matches the glob (globs are held against paths below src: send `*.py`)]"
    )
    assert not grep.call.reported.truncated


def test_an_empty_directory_has_no_files(grep: Searching) -> None:
    (grep.root / "empty").mkdir()
    assert grep("x", path="empty") == "[no matches for `x` in empty; it has no files]"


def test_files_that_match_but_are_not_text_are_named(grep: Searching) -> None:
    grep.put("a.bin", b"HIT\nx\x00y\nHIT\n")
    answer = grep("HIT").split("\n")
    assert answer[-1] == "[1 file matches but is not text; use a command to look inside: a.bin]"
    for number in range(8):
        grep.put(f"b{number}", b"\x00HIT\n")
    assert grep("HIT").split("\n")[-1] == (
        "[9 files match but are not text; use a command to look inside: a.bin, b0, b1, b2, b3 and 4 more]"
    )


def test_utf_16_is_searched(grep: Searching) -> None:
    grep.put("u.txt", b"\xff\xfeH\x00I\x00T\x00\n\x00")
    assert grep("HIT") == "u.txt:1:HIT"


def test_hits_stay_when_something_could_not_be_read(tmp_path: Path) -> None:
    match = Match(path="ok/a.txt", line=1, text="foo(")
    locked = tuple(Unreadable(f"locked{number}", "Permission denied") for number in range(7))
    grep = Searching(tmp_path, Scripted(Found(matches=(match,), unreadable=locked[:1])))
    assert grep("foo") == "ok/a.txt:1:foo(\n[1 path could not be read: locked0 (Permission denied)]"
    grep = Searching(tmp_path, Scripted(Found(unreadable=locked)))
    assert grep("foo").split("\n")[1].startswith("[7 paths could not be read: locked0 (Permission denied), locked1 (")
    assert grep("foo").endswith("locked4 (Permission denied), and 2 more]")


def test_special_files_are_passed_by_and_a_named_one_is_refused(grep: Searching) -> None:
    os.mkfifo(grep.root / "live.pipe")
    grep.put("a.txt", "HIT\n")
    assert grep("HIT") == "a.txt:1:HIT"
    assert "live.pipe is not a regular file (named pipe)" in grep.refused("HIT", path="live.pipe")


def test_links_are_not_followed(grep: Searching, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "o.py").write_text("HIT\n")
    grep.put("m.py", "HIT\n")
    (grep.root / "a").mkdir()
    (grep.root / "a" / "loop").symlink_to("..")
    (grep.root / "ext").symlink_to(outside)
    assert grep("HIT") == "m.py:1:HIT"
    assert grep.refused("HIT", path="ext").startswith(f"ext leads to {outside}, which is outside")


# Patterns


@pytest.mark.parametrize(
    ("pattern", "line"),
    [("->", 1), ("--release", 2), ("-r", 2), ("^x", 1), ("y$", 1), ("\\.", 3), ("(?i)X", 1), ("é", 4), ("日", 4)],
)
def test_a_pattern_is_never_an_option(grep: Searching, pattern: str, line: int) -> None:
    grep.put("t.txt", "x -> y\n--release\n.\né日\n")
    assert grep(pattern).startswith(f"t.txt:{line}:")


def test_a_pattern_never_runs_a_program_or_reads_a_file(grep: Searching) -> None:
    grep.put("run.sh", "#!/bin/sh\ntouch PWNED\n")
    (grep.root / "run.sh").chmod(0o755)
    grep.put("t.txt", "x\n")
    grep.put("-i", "x\n")
    for pattern in ("--pre=./run.sh", "-f/etc/hostname", "--hostname-bin=./run.sh"):
        assert "no matches" in grep(pattern)
    assert grep("x", path="-i") == "-i:1:x"
    assert not (grep.root / "PWNED").exists()


def test_a_pattern_that_cannot_be_read_is_no_empty_answer(grep: Searching) -> None:
    grep.put("a.txt", "foo(\n")
    text = grep.refused("foo(")
    assert text.startswith("[grep: `foo(` is not a regular expression: ")
    literal = text.rpartition("send ")[2].partition(" (in JSON: ")
    assert grep(literal[0]) == "a.txt:1:foo("
    assert grep(json.loads(literal[2].removesuffix(")"))) == "a.txt:1:foo("


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12))
@scaled(40)
def test_what_is_offered_for_the_letter_matches_the_letter(pattern: str) -> None:
    text = Searching(Path("/"), Scripted(BadPattern("because"))).refused(pattern)
    literal = json.loads(text.rpartition("(in JSON: ")[2].removesuffix(")"))
    assert re.fullmatch(literal, pattern)
    assert "because" in text


def test_a_pattern_of_a_megabyte_ends_in_a_short_text(grep: Searching) -> None:
    grep.put("a.txt", "x\n")
    for pattern in ("y" * 1_000_000, "(" * 1_000_000):
        told = grep.refused(pattern, path="a.txt")
        assert told == (
            "[grep: not searched: the pattern has 1,000,000 bytes; 65,536 at most can be searched for; send a shorter pattern]"
        )


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|a)*b", "(.*)*(.*)*(.*)*x", "(a?){30}a{30}"])
def test_no_pattern_takes_for_ever(tmp_path: Path, pattern: str) -> None:
    grep = Searching(tmp_path, timeout_s=3.0)
    grep.put("a.txt", "a" * 5_000 + "!\n")
    assert grep(pattern)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"pattern": ""}, "pattern is empty, which every line matches; send"),
        ({"pattern": "a\nb"}, "pattern holds a line break"),
        ({"pattern": "a\0"}, "character 2 of pattern is a NUL"),
        ({"pattern": "\ud800"}, "character 1 of pattern is half of a surrogate pair"),
        ({"pattern": "a", "glob": "\0"}, "character 1 of glob is a NUL"),
        ({"pattern": "a", "glob": "[a"}, "`[a` is not a glob: "),
        ({"pattern": "a", "path": "no/such"}, "no/such does not exist"),
        ({"pattern": "a", "path": "f.txt/"}, "cannot be a path"),
        ({"pattern": "a", "path": "f.txt/x"}, "f.txt is a file"),
        ({"pattern": "a", "path": "*.txt"}, "*.txt does not exist"),
        ({"pattern": "a", "path": "\0"}, "cannot be a path"),
    ],
)
def test_what_cannot_be_searched_is_said(grep: Searching, arguments: dict[str, str], words: str) -> None:
    grep.put("f.txt", "a\n")
    sent = {"path": "", "glob": "", **arguments}
    assert words in grep.refused(sent["pattern"], path=sent["path"], glob=sent["glob"])


def test_a_missing_path_offers_its_look_alike(grep: Searching) -> None:
    grep.put("in\u00a0put/a", "HIT\n")
    assert "did you mean" in grep.refused("HIT", path="in put")


@pytest.mark.parametrize("path", ["app/[id]", "n/{rule} x.md", "a*b"])
def test_a_path_is_never_a_pattern(grep: Searching, path: str) -> None:
    grep.put(f"{path}/f", "HIT\n")
    assert grep("HIT", path=path) == f"{path}/f:1:HIT"


# Confinement


@pytest.mark.parametrize(
    "path", ["../proj-secret", "{root}-secret", "a/../../proj-secret", "/", "~/", "../proj-secret/k.txt"]
)
def test_nothing_outside_the_roots_is_searched(tmp_path: Path, path: str) -> None:
    (tmp_path / "proj" / "a").mkdir(parents=True)
    (tmp_path / "proj-secret").mkdir()
    (tmp_path / "proj-secret" / "k.txt").write_text("HIT\n")
    grep = Searching(tmp_path / "proj")
    grep.put("a/x.txt", "inside\n")
    text = grep.refused("HIT", path=path.format(root=grep.root))
    assert "outside the working directory" in text
    assert grep("inside", path="a/../a/x.txt") == "a/x.txt:1:inside"


def test_outside_a_person_may_be_asked(tmp_path: Path) -> None:
    (tmp_path / "proj").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "k.txt").write_text("HIT\n")
    grep = Searching(tmp_path / "proj", asks=True)
    assert grep("HIT", path="../other") == f"{tmp_path}/other/k.txt:1:HIT"
    (proposal,) = grep.call.proposals
    assert proposal.preview == ReadPreview(f"{tmp_path}/other")
    assert proposal.title == f"search outside the working directory: {tmp_path}/other"
    assert proposal.scope.words == f"searching {tmp_path}/other and all below it"
    with pytest.raises(PermissionRefused, match=r"^\[grep rejected by the user\]$"):
        grep("HIT", path="../other", allows=False)


# Ends before the end


def test_what_was_found_in_time_is_shown_and_said_to_be_a_part(tmp_path: Path) -> None:
    part = Found(matches=(Match(path="a", line=1, text="x"),), ended=Ended.TIME)
    grep = Searching(tmp_path, Scripted(part))
    assert grep("x") == ("a:1:x\n[… stopped after 20 s: what was found until then; narrow path, glob or pattern]")
    assert grep.call.reported.truncated


def test_nothing_found_in_time_is_no_empty_answer(tmp_path: Path) -> None:
    search = Scripted(Found(ended=Ended.TIME))
    grep = Searching(tmp_path, search, timeout_s=1.5)
    assert grep("x") == (
        "[error: 1.5s timeout exceeded; nothing was found until then: narrow path or glob, or send a simpler pattern]"
    )
    assert grep.call.reported.status is Status.TIMED_OUT
    assert len(search.asked) == 1, "there is no time for a second look"


def test_a_second_look_that_ran_out_of_time_says_so(tmp_path: Path) -> None:
    grep = Searching(tmp_path, Scripted(Found(), Found(ended=Ended.TIME)))
    assert "there was no time to look into all ignored and hidden files" in grep("x")


def test_a_real_search_ends_in_time(tmp_path: Path) -> None:
    grep = Searching(tmp_path, timeout_s=0.0)
    grep.put("a.txt", "x\n")
    assert "[error: 0s timeout exceeded" in grep("x")


@pytest.mark.parametrize("answers", [(Found(ended=Ended.CANCELLED),), (Found(), Found(ended=Ended.CANCELLED))])
def test_a_cancelled_search_is_cancelled(tmp_path: Path, answers: tuple[Found, ...]) -> None:
    with pytest.raises(Cancelled, match=r"^\[grep was cancelled\]$"):
        Searching(tmp_path, Scripted(*answers))("x")


def test_a_cancelled_listing_is_cancelled(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        Searching(tmp_path, Scripted(Found(), listed=Listed(ended=Ended.CANCELLED)))("x")


def test_an_engine_that_breaks_down_is_said(tmp_path: Path) -> None:
    grep = Searching(tmp_path, Scripted(EngineFailed("out of memory")))
    assert grep.refused("x") == (
        "[grep: the search broke down: out of memory; try again with a smaller path, or by a command]"
    )
