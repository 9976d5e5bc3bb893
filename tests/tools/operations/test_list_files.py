"""Every file that matches a glob, sorted, once, as a path that can be sent back."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path, PurePosixPath

import pytest
from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.python_search import PythonSearch
from mmtools.adapters.ripgrep_search import RipgrepSearch, find_ripgrep
from mmtools.call import Cancellation, ReadPreview, Status
from mmtools.core.globs import Glob as Pattern
from mmtools.core.globs import read_glob
from mmtools.errors import Cancelled, PermissionRefused, ToolFailure
from mmtools.ports import search as port
from mmtools.ports.search import BadGlob, Ended, EngineFailed, Found, Listed, RegexDialect, Search, Tree, Unreadable
from mmtools.testing.calls import StubCall
from mmtools.tools.operations.file_search import FileSearch, Where
from mmtools.tools.operations.list_files import list_files
from mmtools.tools.wording.search import SearchTerms
from tests.hypothesis_profiles import scaled

TERMS = SearchTerms(tool="glob", pattern="pattern", path="path", hidden="include_ignored=true")


def ripgrep() -> Search:
    program = find_ripgrep()
    assert program is not None
    return RipgrepSearch(program)


class Listing:
    """A lister of the files of one directory, as a model would be."""

    def __init__(
        self,
        root: Path,
        engine: Search | None = None,
        *,
        asks: bool = False,
        max_files: int = 1_000,
        max_output: int = 30_000,
        timeout_s: float = 20.0,
    ) -> None:
        self.root = root
        self.limit = max_files
        files = LocalFiles(root, outside="ask" if asks else "refuse")
        self.search = FileSearch(files=files, engine=engine or ripgrep(), max_output=max_output, timeout_s=timeout_s)
        self.call = StubCall()

    def put(self, *paths: str) -> None:
        for path in paths:
            whole = self.root / path
            whole.parent.mkdir(parents=True, exist_ok=True)
            whole.write_bytes(b"")

    def __call__(self, pattern: str, path: str = "", *, hidden: bool = False, allows: bool = True) -> str:
        self.call = StubCall(allows=allows)
        where = Where(path=path, glob=pattern, hidden=hidden)
        return list_files(self.search, where, self.call, TERMS, limit=self.limit)

    def told(self, pattern: str) -> str:
        """Return what the model reads, a failure or not."""
        try:
            return self(pattern)
        except ToolFailure as failure:
            return failure.text

    def refused(self, pattern: str, path: str = "") -> str:
        with pytest.raises(ToolFailure) as refusal:
            self(pattern, path)
        return refusal.value.text


@pytest.fixture
def glob(tmp_path: Path) -> Listing:
    return Listing(tmp_path)


class Scripted:
    """A search that gives these answers, in order; the last one again and again."""

    dialect = RegexDialect.PYTHON

    def __init__(self, *answers: Listed | port.SearchProblem) -> None:
        self.answers = list(answers)
        self.asked: list[Tree] = []

    def files(self, tree: Tree, *, limit: int, timeout_s: float, cancellation: Cancellation) -> Listed:
        self.asked.append(tree)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, port.SearchProblem):
            raise answer
        return answer

    def grep(
        self,
        tree: Tree,
        pattern: port.Pattern,
        *,
        skip: int = 0,
        limit: int,
        timeout_s: float,
        cancellation: Cancellation,
    ) -> Found:
        raise NotImplementedError


def test_the_same_without_ripgrep(tmp_path: Path) -> None:
    glob = Listing(tmp_path, PythonSearch(), max_files=1)
    glob.put(" src/b", " src/c", ".hid/x")
    assert glob(" src/*") == '" src/b"\n[… the first is shown, there are more; narrow path or pattern]'
    assert "1 file in ignored or hidden files, e.g. .hid/x" in glob("x")


def test_another_contract_has_its_own_words(glob: Listing) -> None:
    """No answer names a tool or an argument of any dialect."""
    glob.put("src/a", "src/b", ".c")
    terms = SearchTerms(tool="Files", pattern="which", path="in", hidden="all=yes")

    def said(pattern: str, path: str = "", engine: Search | None = None) -> str:
        search = evolve(glob.search, engine=engine or glob.search.engine)
        try:
            return list_files(search, Where(path=path, glob=pattern), StubCall(), terms, limit=1)
        except ToolFailure as failure:
            return failure.text

    assert said("") == "[Files: which is empty; send ** for all files]"
    assert said("\0").startswith("[Files: character 1 of which is a NUL")
    assert said("*/../x").endswith("send the directory as in, and a which without ..]")
    assert said("*", "src/a").endswith("send the directory it is in as in, and its name as which]")
    assert said("src").startswith("[Files: `src` is a directory, and Files lists files; ")
    assert said("*").endswith("there are more; narrow in or which]")
    assert said(".d*").startswith("[no files match `.d*` in the working directory")
    assert said("c").endswith("nor in ignored or hidden files]")
    assert said("?c").endswith("e.g. .c: send all=yes]")
    assert said("*", engine=Scripted(Listed(ended=Ended.CANCELLED))) == "[Files was cancelled]"
    assert said("*", engine=Scripted(Listed(ended=Ended.TIME))).endswith("narrow in or which]")


# What is found


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("**/*.{ts,tsx}", "a.ts src/b.tsx src/c.ts"),
        ("**/a.ts", "a.ts"),
        ("src/**", "src/b.tsx src/c.ts src/sub/d.js"),
        ("src/", "src/b.tsx src/c.ts src/sub/d.js"),
        ("./src/*.ts", "src/c.ts"),
        ("src/{b,c}.{ts,tsx}", "src/b.tsx src/c.ts"),
        ("*.js", "src/sub/d.js"),
        ("./*", "a.ts"),
        ("d.js", "src/sub/d.js"),
        ("src/sub/d.js", "src/sub/d.js"),
        ("src//sub/../*.ts", "src/c.ts"),
        ("src/sub/../../a.ts", "a.ts"),
        ("[ab].ts*", "a.ts src/b.tsx"),
        ("**", "a.ts src/b.tsx src/c.ts src/sub/d.js"),
        ("{src/sub,.}/*.{js,ts}", "a.ts src/sub/d.js"),
    ],
)
def test_each_file_stands_once_in_order_with_its_whole_path(glob: Listing, pattern: str, expected: str) -> None:
    glob.put("a.ts", "src/b.tsx", "src/c.ts", "src/sub/d.js")
    assert glob(pattern).split("\n") == expected.split(" ")
    assert not glob.call.proposals
    assert not glob.call.reported.truncated


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.ts", "src", "src/c.ts"),
        ("*.ts", "./src/", "src/c.ts"),
        ("*.ts", "{root}/src", "src/c.ts"),
        ("sub/*", "src", "src/sub/d.js"),
        ("../*.ts", "src", "a.ts"),
        ("../src/../src/*.ts", "src", "src/c.ts"),
        ("{root}/src/*.ts", "", "src/c.ts"),
        ("{root}/src/*.ts", "src", "src/c.ts"),
        ("{root}/a.ts", "src", "a.ts"),
        ("{root}/*", "", "a.ts"),
        ("*", ".", "a.ts src/c.ts src/sub/d.js"),
    ],
)
def test_a_pattern_begins_at_its_path_or_where_it_says(glob: Listing, pattern: str, path: str, expected: str) -> None:
    glob.put("a.ts", "src/c.ts", "src/sub/d.js")
    root = str(glob.root)
    assert glob(pattern.replace("{root}", root), path.replace("{root}", root)).split("\n") == expected.split(" ")


def test_names_that_look_like_patterns(glob: Listing) -> None:
    glob.put("app/[id]/page.tsx", "n/deep research.md", "n/{rule} x.md", "a*b/f", "ab/g")
    assert glob("*", "app/[id]") == "app/[id]/page.tsx"
    assert glob("n/*deep research*.md") == "n/deep research.md"
    assert glob("n/[{]rule[}]*.md") == "n/{rule} x.md"
    assert glob("app/\\[id\\]/*") == "app/[id]/page.tsx"
    assert glob("*", "a*b") == "a*b/f"
    assert glob("a\\*b/*") == "a*b/f"
    assert glob("app/[id]/*") == (
        "[no files match `app/[id]/*` in app; nor in ignored or hidden files; "
        "where [ is part of a name, send `app/[[]id]/*`]"
    )
    assert glob("app/[[]id]/*") == "app/[id]/page.tsx"


NAMES = ["c:d.py", "new\nline", " a", "a ", '"q"', "-i", "[x]", "in\u00a0put", "\x1b[8m", "é", "a\\b", "\u202e", "…"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("folder", ["", "d/", "~/", "[d]/"])
def test_no_path_is_ambiguous_and_all_can_be_sent_back(glob: Listing, name: str, folder: str) -> None:
    glob.put(f"{folder}{name}")
    shown = glob("**")
    assert "\n" not in shown
    assert not re.fullmatch(r"\[.*\]", shown)
    path = json.loads(shown) if shown.startswith('"') else shown
    assert glob.root / path == glob.root / folder / name
    assert glob("*", path.rpartition("/")[0]) == shown


def test_a_name_that_is_not_utf_8_is_spelled_out(glob: Listing) -> None:
    glob.put(os.fsdecode(b"\xff.txt"))
    note = "[names with \\udc… are not UTF-8: only a command reaches them, by a pattern such as ?.txt]"
    assert glob("*") == f'"\\udcff.txt"\n{note}'


names = st.text(st.sampled_from('ab-[]{}" *?\\\né'), min_size=1, max_size=3)
trees = st.sets(st.lists(names, min_size=1, max_size=3).map("/".join), max_size=6)
patterns = st.lists(
    st.sampled_from(["*", "**", "a", "b", "a*", "?", "[ab]", "{a,b}", "*b"]), min_size=1, max_size=3
).map("/".join)


@settings(scaled(40), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tree=trees, pattern=patterns)
def test_the_answer_is_what_the_pattern_means(
    tmp_path_factory: pytest.TempPathFactory, tree: set[str], pattern: str
) -> None:
    """What it means is the business of `core.globs`; here nothing gets lost on either side of the engine."""
    glob = Listing(tmp_path_factory.mktemp("tree"))
    files: set[str] = set()
    for path in sorted(tree):
        if not any(str(parent) in files for parent in PurePosixPath(path).parents) and not (glob.root / path).exists():
            glob.put(path)
            files.add(path)
    meant = read_glob(pattern)
    assert isinstance(meant, Pattern)
    expected = sorted(filter(meant.matches, files), key=lambda path: [os.fsencode(name) for name in path.split("/")])
    answer = glob.told(pattern)
    if "is a directory" in answer or "is a file" in answer:
        named = glob.root / pattern
        assert named.is_dir() or any(parent.is_file() for parent in named.parents)
        assert not expected
        return
    found = [json.loads(line) if line.startswith('"') else line for line in answer.split("\n")]
    assert found == expected or (not expected and answer.startswith("[no files match "))


# Limits


def test_a_cut_is_said_and_exactly_the_limit_is_none(tmp_path: Path) -> None:
    glob = Listing(tmp_path, max_files=3)
    glob.put("a", "b", "c", "d")
    assert glob("*") == "a\nb\nc\n[… the first 3 files are shown, there are more; narrow path or pattern]"
    assert glob.call.reported.truncated
    assert glob("[a-c]") == "a\nb\nc"
    assert not glob.call.reported.truncated


def test_an_answer_keeps_to_its_characters_in_whole_lines(tmp_path: Path) -> None:
    glob = Listing(tmp_path, max_output=20)
    glob.put(*(f"file{number}" for number in range(9)))
    assert glob("*").split("\n") == [
        "file0",
        "file1",
        "file2",
        "[… the first 3 of 9 files are shown; narrow path or pattern]",
    ]
    glob.put(f"x/{'y' * 50}")
    assert glob("*/*") == f"x/{'y' * 18}\n[… 32 characters of this path are left out]"


def test_a_thousand_files_fit(glob: Listing) -> None:
    glob.put(*(f"{number:04}" for number in range(1_001)))
    answer = glob("*").split("\n")
    assert len(answer) == 1_001
    assert answer[-1] == "[… the first 1,000 files are shown, there are more; narrow path or pattern]"


# What is not found


def test_what_ignore_rules_and_dots_hide_is_not_passed_over_in_silence(glob: Listing) -> None:
    glob.put("out/w.py", ".hid/h.yml", "src/a.js")
    (glob.root / ".gitignore").write_text("out/\n")
    assert glob("*.py") == (
        "[no files match `*.py` in the working directory; 1 file in ignored or hidden files, e.g. out/w.py: "
        "send include_ignored=true]"
    )
    assert glob("*.py", hidden=True) == "out/w.py"
    assert glob("out/**") == "out/w.py", "what is named is searched"
    assert glob("*", "out") == "out/w.py"
    assert glob(".hid/*") == ".hid/h.yml"
    assert glob("**/.hid/*") == ".hid/h.yml"
    assert glob("*.{yml,toml}").startswith("[no files match `*.{yml,toml}` in the working directory; 1 file in ignored")
    assert glob("**") == "src/a.js"


def test_nothing_anywhere_is_said_plainly(glob: Listing) -> None:
    glob.put("src/a.js")
    assert glob("*.py") == "[no files match `*.py` in the working directory; nor in ignored or hidden files]"
    assert glob("*.py", "src") == "[no files match `*.py` in src; nor in ignored or hidden files]"
    assert glob("*.py", hidden=True) == (
        "[no files match `*.py` in the working directory; hidden and ignored files were listed too]"
    )
    assert glob("lib/*.py") == "[no files match `lib/*.py`: lib does not exist]"
    assert glob("src/*.js", "src") == (
        "[no files match `src/*.js`: src/src does not exist (globs are held against paths below src: send `*.js`)]"
    )


@pytest.mark.parametrize("pattern", ["src", "src/sub", "./src", "{root}", "{root}/src", "src/../src", "out", ".hid"])
def test_a_directory_is_said_to_be_one(glob: Listing, pattern: str) -> None:
    glob.put("src/sub/a.js", "out/x", ".hid/x")
    (glob.root / ".gitignore").write_text("out/\n")
    pattern = pattern.replace("{root}", str(glob.root))
    text = glob.refused(pattern)
    assert text == f"[glob: `{pattern}` is a directory, and glob lists files; send `{pattern}/**` for those in it]"
    assert glob(f"{pattern}/**")


def test_a_file_of_that_name_is_listed_although_a_directory_has_it_too(glob: Listing) -> None:
    glob.put("build/x", "tools/build")
    assert glob("build") == "tools/build"


def test_links_are_not_followed_and_a_named_one_is_where_it_leads(
    glob: Listing, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "o.py").write_text("")
    glob.put("m.py", "a/n.py")
    (glob.root / "a" / "loop").symlink_to("..")
    (glob.root / "ext").symlink_to(outside)
    (glob.root / "b").symlink_to("a")
    assert glob("**/*.py") == "a/n.py\nm.py"
    assert glob("b/*.py") == "a/n.py"
    assert glob.refused("ext/*").startswith(f"ext leads to {outside}, which is outside")


def test_directories_that_could_not_be_read_are_named(tmp_path: Path) -> None:
    locked = (Unreadable("lo,cked", "Permission denied"),)
    for paths in (("a",), ()):
        glob = Listing(tmp_path, Scripted(Listed(paths=paths, unreadable=locked)))
        assert glob("*").split("\n")[-1] == '[1 path could not be read: "lo,cked" (Permission denied)]'


# Patterns and paths


@pytest.mark.parametrize(
    ("pattern", "path", "words"),
    [
        ("", "", "pattern is empty; send ** for all files"),
        ("a\0", "", "character 2 of pattern is a NUL"),
        ("\udc00", "", "character 1 of pattern is half of a surrogate pair"),
        ("{a", "", "`{a` is not a glob: "),
        ("[a", "", "`[a` is not a glob: "),
        ("!a", "", "is not a glob: "),
        ("a{{b,c}{d,e}" + "{f,g}" * 40, "", "is not a glob: "),
        ("*/../x", "", "goes up after a wildcard"),
        ("*", "nope", "nope does not exist"),
        ("*", "*", "* does not exist"),
        ("*", "f.txt", "f.txt is a file, not a directory"),
        ("f.txt/*", "", "f.txt is a file, not a directory"),
        ("*", "f.txt/", "cannot be a path"),
        ("*", "\0", "cannot be a path"),
    ],
)
def test_what_cannot_be_listed_is_said(glob: Listing, pattern: str, path: str, words: str) -> None:
    glob.put("f.txt")
    assert words in glob.refused(pattern, path)


@pytest.mark.parametrize(
    "pattern", ["(" * 50_000, "{a,b}" * 5_000, "*a" * 5_000, "[" * 5_000, "**/" * 5_000 + "x", "a/" * 5_000]
)
def test_a_hostile_pattern_ends_in_a_short_text(glob: Listing, pattern: str) -> None:
    glob.put("a" * 100)
    assert len(glob.told(pattern)) < 1_500


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*", "../proj-secret"),
        ("../proj-secret/*", ""),
        ("../*/k.txt", ""),
        ("..", ""),
        ("a/../../proj-secret/*", ""),
        ("{root}-secret/*", ""),
        ("{root}-secret", ""),
        ("/etc/*", ""),
        ("/*", ""),
        ("/", ""),
        ("~/*", ""),
        ("*", "~/"),
    ],
)
def test_nothing_outside_the_roots_is_listed(tmp_path: Path, pattern: str, path: str) -> None:
    (tmp_path / "proj" / "a").mkdir(parents=True)
    (tmp_path / "proj-secret").mkdir()
    (tmp_path / "proj-secret" / "k.txt").write_text("")
    glob = Listing(tmp_path / "proj")
    text = glob.refused(pattern.replace("{root}", str(glob.root)), path)
    assert "outside the working directory" in text
    assert "k.txt" not in text or "k.txt" in pattern


def test_outside_a_person_may_be_asked(tmp_path: Path) -> None:
    (tmp_path / "proj").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "k.txt").write_text("")
    glob = Listing(tmp_path / "proj", asks=True)
    assert glob("../other/*") == f"{tmp_path}/other/k.txt"
    assert [proposal.preview for proposal in glob.call.proposals] == [ReadPreview(f"{tmp_path}/other")]
    with pytest.raises(PermissionRefused, match=r"^\[glob rejected by the user\]$"):
        glob("../other", allows=False)


# Ends before the end


def test_what_was_found_in_time_is_shown_and_said_to_be_a_part(tmp_path: Path) -> None:
    glob = Listing(tmp_path, Scripted(Listed(paths=("a",), ended=Ended.TIME)))
    assert glob("*") == "a\n[… stopped after 20 s: what was found until then; narrow path or pattern]"
    assert glob.call.reported.truncated


def test_nothing_found_in_time_is_no_empty_answer(tmp_path: Path) -> None:
    search = Scripted(Listed(ended=Ended.TIME))
    glob = Listing(tmp_path, search, timeout_s=1.5)
    assert glob("*") == "[error: 1.5s timeout exceeded; nothing was found until then: narrow path or pattern]"
    assert glob.call.reported.status is Status.TIMED_OUT
    assert len(search.asked) == 1, "there is no time for a second look"


def test_a_second_look_that_ran_out_of_time_says_so(tmp_path: Path) -> None:
    glob = Listing(tmp_path, Scripted(Listed(), Listed(ended=Ended.TIME)))
    assert "there was no time to look into all ignored and hidden files" in glob("*")


@pytest.mark.parametrize("answers", [(Listed(ended=Ended.CANCELLED),), (Listed(), Listed(ended=Ended.CANCELLED))])
def test_a_cancelled_search_is_cancelled(tmp_path: Path, answers: tuple[Listed, ...]) -> None:
    with pytest.raises(Cancelled, match=r"^\[glob was cancelled\]$"):
        Listing(tmp_path, Scripted(*answers))("*")


def test_an_engine_that_breaks_down_is_said(tmp_path: Path) -> None:
    glob = Listing(tmp_path, Scripted(EngineFailed("out of memory")))
    assert glob.refused("*") == (
        "[glob: the search broke down: out of memory; try again with a smaller path, or by a command]"
    )


def test_no_advice_about_brackets_where_they_cannot_be_read(tmp_path: Path) -> None:
    glob = Listing(tmp_path, Scripted(Listed(), Listed(), BadGlob("because")))
    assert glob("[a]") == "[no files match `[a]` in the working directory; nor in ignored or hidden files]"
