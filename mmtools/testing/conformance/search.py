r"""
What every `Search` must hold, checked against one that you bring.

    @pytest.mark.parametrize("law", search.LAWS, ids=lambda law: law.__name__)
    def test_my_search_keeps_the_laws(law, tmp_path):
        law(lambda files: (MySearch(), lay_out(files, tmp_path)))

Each law takes a function that lays out files, given by path and content, in a directory that is empty before, and
returns a search and the directory's place; it raises `AssertionError` with the counterexample. Patterns are such
that every dialect reads them alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from mmtools.call import Cancellation
from mmtools.ports.files import Place
from mmtools.ports.search import (
    BadGlob,
    BadPattern,
    Ended,
    Found,
    Listed,
    Match,
    Pattern,
    PlaceMissing,
    Search,
    SearchProblem,
    Tree,
)
from mmtools.testing.conformance.acts import fails

__all__ = [
    "LAWS",
    "Make",
    "asks_nothing_of_a_pattern_but_its_meaning",
    "cuts_at_the_limit_and_goes_on",
    "cuts_long_lines_around_their_match",
    "finds_each_line_once_in_order",
    "keeps_odd_names",
    "lists_files_in_order",
    "minds_where_a_repository_begins",
    "narrows_by_a_glob_and_never_widens",
    "never_enters_git",
    "reads_what_editors_write",
    "refuses_what_it_cannot_read",
    "says_that_a_place_is_missing",
    "searches_a_named_file_whatever_it_is",
    "skips_hidden_and_ignored_unless_asked",
    "stops_when_told",
    "tells_files_that_are_no_text",
]

#: Lays out files; returns the search under test and the place of their directory.
Make: TypeAlias = Callable[[Mapping[str, bytes]], tuple[Search, Place]]

#: 60 s: only what hangs meets it.
_PATIENCE_S = 60.0


class _Laid:
    """One search, to be asked about one directory."""

    def __init__(self, make: Make, files: Mapping[str, bytes]) -> None:
        self.search, self.root = make(files)

    def tree(self, path: str = "", **options: Any) -> Tree:
        place = Place(path, f"{self.root.path}/{path}") if path else self.root
        return Tree(place=place, **options)

    def grep(self, regex: str, path: str = "", *, skip: int = 0, limit: int = 1_000, **options: Any) -> Found:
        pattern = Pattern(regex=regex, ignore_case=options.pop("ignore_case", False))
        patience_s = options.pop("timeout_s", _PATIENCE_S)
        cancellation = options.pop("cancellation", None) or Cancellation()
        tree = self.tree(path, **options)
        return self.search.grep(tree, pattern, skip=skip, limit=limit, timeout_s=patience_s, cancellation=cancellation)

    def files(self, path: str = "", *, limit: int = 1_000, **options: Any) -> Listed:
        patience_s = options.pop("timeout_s", _PATIENCE_S)
        cancellation = options.pop("cancellation", None) or Cancellation()
        tree = self.tree(path, **options)
        return self.search.files(tree, limit=limit, timeout_s=patience_s, cancellation=cancellation)

    def lines(self, regex: str, path: str = "", **options: Any) -> list[tuple[str, int, str]]:
        return [(match.path, match.line, match.text) for match in self.grep(regex, path, **options).matches]


def finds_each_line_once_in_order(make: Make) -> None:
    """Require paths sorted by their names, lines by number, without line ends, whole prefixes kept."""
    laid = _Laid(
        make,
        {
            "a.txt": b"hit\n",
            "a/z.txt": b"no\nhit hit\n\nhit",
            "a/b/c.txt": b"hit\r\nmiss\r\n",
            "B.txt": b"a hit",
            "empty": b"",
        },
    )
    expected = [
        ("B.txt", 1, "a hit"),
        ("a/b/c.txt", 1, "hit"),
        ("a/z.txt", 2, "hit hit"),
        ("a/z.txt", 4, "hit"),
        ("a.txt", 1, "hit"),
    ]
    _equal(laid.lines("hit"), expected)
    _equal(laid.lines("hit", "a"), [(path[2:], *rest) for path, *rest in expected if path.startswith("a/")])
    _equal(laid.grep("nowhere"), Found())
    _equal(laid.lines("HIT"), [])
    _equal(laid.lines("HIT", ignore_case=True), expected)
    _equal(laid.lines("^hit$"), [each for each in expected if each[2] == "hit"])
    _equal(laid.lines("^$"), [("a/z.txt", 3, "")])


def skips_hidden_and_ignored_unless_asked(make: Make) -> None:
    """Require the visible files; with each switch, more; a directory that is named, searched."""
    laid = _Laid(
        make,
        {
            ".gitignore": b"out/\n*.log\n",
            ".hid/h.py": b"hit\n",
            ".dot": b"hit\n",
            "out/w.py": b"hit\n",
            "x.log": b"hit\n",
            "src/a.py": b"hit\n",
        },
    )
    visible, hidden, ignored = {"src/a.py"}, {".hid/h.py", ".dot"}, {"out/w.py", "x.log"}
    for with_hidden in (False, True):
        for with_ignored in (False, True):
            wanted = visible | (hidden if with_hidden else set()) | (ignored if with_ignored else set())
            found = laid.grep("hit", hidden=with_hidden, ignored=with_ignored)
            _equal({match.path for match in found.matches}, wanted)
            listed = laid.files(hidden=with_hidden, ignored=with_ignored)
            _equal(set(listed.paths) - {".gitignore"}, wanted)
    _equal(laid.lines("hit", ".hid"), [("h.py", 1, "hit")])
    _equal(laid.lines("hit", "out", ignored=True), [("w.py", 1, "hit")])


def never_enters_git(make: Make) -> None:
    """Require that a `.git` directory stays closed unless it is the place."""
    laid = _Laid(make, {".git/config": b"hit\n", "sub/.git/HEAD": b"hit\n", ".github/x.yml": b"hit\n", "a": b"hit\n"})
    _equal([path for path, *_ in laid.lines("hit", hidden=True, ignored=True)], [".github/x.yml", "a"])
    _equal(list(laid.files(hidden=True, ignored=True).paths), [".github/x.yml", "a"])
    _equal(laid.lines("hit", ".git"), [("config", 1, "hit")])


def minds_where_a_repository_begins(make: Make) -> None:
    """Require that in a repository no `.gitignore` from above its top counts, and outside of one all on the way do."""
    git, plain = (
        ["repo/.git/config", "repo/in/.git/config"],
        ["repo/a", "repo/b", "repo/sub/a", "repo/in/a", "repo/in/c"],
    )
    rules = {".gitignore": b"*\n", "repo/.gitignore": b"a\n", "repo/.ignore": b"c\n"}
    laid = _Laid(make, {**dict.fromkeys([*git, *plain, "d/a"], b"hit\n"), **rules})
    for path, wanted in {"repo": ["b", "in/a"], "repo/in": ["a"], "repo/sub": [], "d": [], "": []}.items():
        _equal(list(laid.files(path).paths), wanted, path)
        _equal([found for found, *_ in laid.lines("hit", path)], wanted, path)
    _equal(list(laid.files("repo", ignored=True).paths), ["a", "b", "in/a", "in/c", "sub/a"])


def searches_a_named_file_whatever_it_is(make: Make) -> None:
    """Require an answer with an empty path, hidden, ignored, excluded by the glob or no text."""
    files = {".gitignore": b"out/\n", "out/.w": b"no\nhit\n", ".hid/h": b"hit\n", "-i": b"hit\n", "a:1:b": b"hit\n"}
    laid = _Laid(make, {**files, "out/b.bin": b"hit\0\n"})
    _equal(laid.lines("hit", "out/.w"), [("", 2, "hit")])
    for path in (".hid/h", "-i", "a:1:b"):
        _equal(laid.lines("hit", path, glob="*.py"), [("", 1, "hit")])
        _equal(laid.files(path, glob="*.py"), Listed(paths=("",)))
    _equal(laid.grep("hit", "out/b.bin"), Found(binary=("",)))


def narrows_by_a_glob_and_never_widens(make: Make) -> None:
    """Require only files that the glob matches, and none of them that is hidden or ignored."""
    files = ["a.ts", "src/b.tsx", "src/c.ts", "src/sub/d.js", "out/e.ts", ".h/f.ts"]
    laid = _Laid(make, {".gitignore": b"out/\n", **dict.fromkeys(files, b"hit\n")})
    cases = {
        "**/*.{ts,tsx}": ["a.ts", "src/b.tsx", "src/c.ts"],
        "**/a.ts": ["a.ts"],
        "*.ts": ["a.ts", "src/c.ts"],
        "src/**": ["src/b.tsx", "src/c.ts", "src/sub/d.js"],
        "./src/*.ts": ["src/c.ts"],
        "src/{b,c}.{ts,tsx}": ["src/b.tsx", "src/c.ts"],
        "**": ["a.ts", "src/b.tsx", "src/c.ts", "src/sub/d.js"],
        "out/**": [],
        "none": [],
    }
    for glob, wanted in cases.items():
        paths = sorted(wanted, key=lambda path: path.split("/"))
        _equal([path for path, *_ in laid.lines("hit", glob=glob)], paths)
        _equal(list(laid.files(glob=glob).paths), paths)
    _equal(list(laid.files("src", glob="sub/*").paths), ["sub/d.js"])
    _equal(list(laid.files(glob="out/*", ignored=True).paths), ["out/e.ts"])


def cuts_at_the_limit_and_goes_on(make: Make) -> None:
    """Require the first matches, `LIMIT` only when there are more, and pages that join to the whole."""
    laid = _Laid(make, {f"d{number % 7}/f{number:03}": b"hit\nhit\n" * 3 for number in range(60)})
    whole = laid.grep("hit", limit=360)
    _equal((len(whole.matches), whole.ended), (360, Ended.ALL))
    for limit in (1, 7, 100, 359):
        pages: list[Match] = []
        while True:
            page = laid.grep("hit", skip=len(pages), limit=limit)
            pages += page.matches
            if page.ended is not Ended.LIMIT:
                _equal(len(pages), 360, f"pages of {limit}")
                break
            assert len(page.matches) == limit, f"a page of {limit} holds {len(page.matches)}"
            if len(pages) >= 5 * limit:
                break
        _equal(tuple(pages), whole.matches[: len(pages)])
    _equal(laid.grep("hit", skip=360, limit=5), Found())
    paths = laid.files(limit=60)
    _equal((len(paths.paths), paths.ended), (60, Ended.ALL))
    _equal(laid.files(limit=59), Listed(paths=paths.paths[:59], ended=Ended.LIMIT))


def lists_files_in_order(make: Make) -> None:
    """Require each file once, sorted by its names."""
    laid = _Laid(make, dict.fromkeys(["b", "a.b", "a/c", "a-b/c", "a/b/c", "Z"], b""))
    _equal(laid.files(), Listed(paths=("Z", "a/b/c", "a/c", "a-b/c", "a.b", "b")))


def tells_files_that_are_no_text(make: Make) -> None:
    """
    Require that a file with a NUL is named when it holds the pattern, before the NUL or behind it, and not shown,
    however large it is.
    """
    large = b"a hit here\n" * 200 + b"nothing in this one\n" * 40_000
    files = {"a.bin": b"first hit\nx\0y\nlast\n", "b.bin": b"x\0y\nhit\n", "c.bin": b"x\0y\n", "d": b"hit\nhit\n"}
    laid = _Laid(make, {**files, "a0.bin": large + b"\0", "d0.bin": large + b"\0"})
    first, second = Match(path="d", line=1, text="hit"), Match(path="d", line=2, text="hit")
    _equal(laid.grep("hit"), Found(matches=(first, second), binary=("a.bin", "a0.bin", "b.bin", "d0.bin")))
    before = ("a.bin", "a0.bin", "b.bin")
    _equal(laid.grep("hit", limit=1), Found(matches=(first,), binary=before, ended=Ended.LIMIT))
    _equal(laid.grep("hit", skip=1, limit=1), Found(matches=(second,), binary=(*before, "d0.bin")))
    _equal(laid.grep("hit", "a0.bin", limit=1), Found(binary=("",)))


def reads_what_editors_write(make: Make) -> None:
    """Require CRLF, byte order marks and UTF-16 to be no part of a line, and stray bytes to be no obstacle."""
    laid = _Laid(
        make,
        {
            "bom": b"\xef\xbb\xbfhit\n",
            "crlf": b"hit\r\n\r\nhit",
            "latin": b"caf\xe9 hit\n",
            "le": "\ufeffhit é\r\nhit\n".encode("utf-16-le"),
            "be": "\ufeffhit é\n".encode("utf-16-be"),
            "utf8": "é hit 😀\n".encode(),
        },
    )
    expected = [("be", 1, "hit é"), ("bom", 1, "hit"), ("crlf", 1, "hit"), ("crlf", 3, "hit")]
    expected += [("latin", 1, "caf\ufffd hit"), ("le", 1, "hit é"), ("le", 2, "hit"), ("utf8", 1, "é hit 😀")]
    _equal(laid.lines("hit"), expected)
    _equal(laid.lines("^hit$"), [each for each in expected if each[2] == "hit"])


def cuts_long_lines_around_their_match(make: Make) -> None:
    """Require about 500 characters around the match, whole ones, and the right count of what is left out."""
    sizes = [(0, 0), (0, 600), (600, 0), (10, 5_000), (5_000, 10), (3_000, 3_000), (200_000, 3_000_000), (240, 257)]
    for filling in ("a", "é", "😀"):
        for before, after in sizes:
            line = (filling * before + "hit" + filling * after).encode()
            (match,) = _Laid(make, {"f": b"x\n" + line + b"\nx\n"}).grep("hit").matches
            told = f"a line of {before} + 3 + {after} {filling!r}"
            shown = match.text.encode()
            _equal(line[match.before : len(line) - match.after], shown, told)
            assert "hit" in match.text, f"{told}: the match is not shown"
            whole = before + 3 + after
            assert whole if whole <= 500 else 400 <= len(match.text) <= 600, f"{told}: {len(match.text)} are shown"


def keeps_odd_names(make: Make) -> None:
    """Require every name a disk can hold, in the order of its bytes."""
    sentence = 'x: binary file matches (found "\\0" byte around offset 1)\n.'
    names = ["a\nb", "a:1:hit", " x ", "-f", "[id]/{a,b}.py", "é", "😀", '"q"', "\t", "a\\b", "rg: .", f"{sentence}/y"]
    laid = _Laid(make, {**dict.fromkeys(names, b"hit\n"), "z\n.": b"\0hit"})
    expected = sorted(names, key=lambda name: name.encode("utf-8", "surrogateescape").split(b"/"))
    _equal([path for path, *_ in laid.lines("hit")], expected)
    _equal(laid.grep("hit").binary, ("z\n.",))
    _equal(list(laid.files().paths), sorted([*names, "z\n."], key=lambda name: name.encode().split(b"/")))
    _equal(laid.lines("hit", "[id]"), [("{a,b}.py", 1, "hit")])


def asks_nothing_of_a_pattern_but_its_meaning(make: Make) -> None:
    """Require patterns that look like options to be patterns, of any length that is allowed."""
    laid = _Laid(make, {"t.txt": b"x -> y\n--release\n--pre=./run.sh\n-f/etc/hostname\n"})
    for line, regex in enumerate(["->", "--release", "--pre=./run.sh", "-f/etc/hostname"], 1):
        _equal([number for _, number, _ in laid.lines(regex)], [line])
    _equal(laid.grep("y" * 65_536), Found())
    _equal([number for _, number, _ in laid.lines("release|" + "z" * 65_000)], [2])


def refuses_what_it_cannot_read(make: Make) -> None:
    """Require a reason for patterns and globs that mean nothing, never an empty answer."""
    laid = _Laid(make, {"a": b"foo(\n"})
    for regex in ("foo(", "[a", "a\0b", "\ud800", "(" * 60_000, "x" * 65_537, "é" * 32_769):
        _refuses(BadPattern, laid.grep, regex)
    for glob in ("[a", "{a", "a}", "/a", "../a", "a\0", "\\", "{a,b}" * 30):
        _refuses(BadGlob, laid.grep, "foo", glob=glob)
        _refuses(BadGlob, laid.files, glob=glob)
    _equal(laid.lines(r"foo\("), [("a", 1, "foo(")])


def says_that_a_place_is_missing(make: Make) -> None:
    """Require a problem, not an empty answer, for a place with nothing there."""
    laid = _Laid(make, {"a/b": b"x"})
    for path in ("none", "a/none", "a/b/c"):
        _refuses(PlaceMissing, laid.grep, "x", path)
        _refuses(PlaceMissing, laid.files, path)


def stops_when_told(make: Make) -> None:
    """Require an end that is told for what it is, without a problem, when there was no time or a cancellation."""
    laid = _Laid(make, {f"{number}": b"hit\n" for number in range(50)})
    cancelled = Cancellation()
    cancelled.request()
    _equal(laid.grep("hit", cancellation=cancelled), Found(ended=Ended.CANCELLED))
    _equal(laid.files(cancellation=cancelled), Listed(ended=Ended.CANCELLED))
    _equal(laid.grep("hit", timeout_s=0).ended, Ended.TIME)
    _equal(laid.files(timeout_s=0).ended, Ended.TIME)


LAWS: tuple[Callable[[Make], None], ...] = (
    finds_each_line_once_in_order,
    skips_hidden_and_ignored_unless_asked,
    never_enters_git,
    minds_where_a_repository_begins,
    searches_a_named_file_whatever_it_is,
    narrows_by_a_glob_and_never_widens,
    cuts_at_the_limit_and_goes_on,
    lists_files_in_order,
    tells_files_that_are_no_text,
    reads_what_editors_write,
    cuts_long_lines_around_their_match,
    keeps_odd_names,
    asks_nothing_of_a_pattern_but_its_meaning,
    refuses_what_it_cannot_read,
    says_that_a_place_is_missing,
    stops_when_told,
)


def _refuses(kind: type[SearchProblem], ask: Callable[..., object], *arguments: str, **options: str) -> None:
    assert fails(kind, ask, *arguments, **options).reason, f"{kind.__name__} gives no reason"


def _equal(found: object, wanted: object, about: str = "") -> None:
    assert found == wanted, f"{about}: " * bool(about) + f"{_brief(found)} instead of {_brief(wanted)}"


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 2_000 else f"{text[:2_000]}…"
