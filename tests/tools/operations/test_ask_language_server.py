"""What servers say of code, row by row of the table in the mm reference, "lsp"; renames: test_rename_symbol."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import pytest

from mmtools.call import Location, ReadPreview
from mmtools.core.lsp.diagnostics import decode
from mmtools.core.lsp.positions import Position
from mmtools.errors import Cancelled, PermissionRefused
from mmtools.ports.files import AccessDenied
from mmtools.ports.language_server_problems import (
    Died,
    DiesTooOften,
    LanguageServerProblem,
    LanguageServersClosed,
    NoAnswer,
    NotStarted,
    ServerError,
    TextChanged,
)
from mmtools.ports.language_servers import Answer, Feature, Findings, NothingHeard
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import Asked as Asking
from mmtools.tools.wording.lsp import Action
from tests.tools.asked import GOPLS, MAIN, Asked, Reply, location, stretch


# definition, references
def test_definition_is_one_path_line_column_and_the_source_line() -> None:
    asked = Asked(replies={Feature.DEFINITION: [location("file:///repo/main.go", 2, 5, 10)]})
    assert asked("definition", symbol="greet") == "main.go:3:6  func greet() string {"
    assert asked.call.reported.locations == (Location("/repo/main.go", 3),)
    assert not asked.call.proposals


def test_references_are_counted_sorted_by_path_then_position_without_duplicates() -> None:
    found = [
        location("file:///repo/b.go", 1, 0, 5),
        location("file:///repo/main.go", 7, 9, 14),
        location("file:///repo/main.go", 2, 5, 10),
        location("file:///repo/b.go", 0, 8, 9),
        location("file:///repo/main.go", 2, 5, 10),
    ]
    asked = Asked({"main.go": MAIN, "b.go": "package main\ngreet()\n"}, {Feature.REFERENCES: found})
    assert asked("references", symbol="greet") == (
        "4 reference(s):\n"
        "b.go:1:9  package main\n"
        "b.go:2:1  greet()\n"
        "main.go:3:6  func greet() string {\n"
        "main.go:8:10  println(greet()) // greet"
    )


def test_paths_inside_the_project_are_relative_others_absolute() -> None:
    files = MemoryFiles({"main.go": MAIN, "/usr/lib/go/print.go": "func Println() {}\n"}, outside="ask")
    found = [
        location("file:///usr/lib/go/print.go", 0, 5, 12),
        location("file:///repo/gone.go", 4, 0, 1),
        location("jdt://x", 0, 0, 1),
    ]
    for each, source in ((files, "  func Println() {}"), (MemoryFiles({"main.go": MAIN}), "")):
        asked = Asked(each, {Feature.DEFINITION: found})
        assert asked("definition", symbol="println") == f"/usr/lib/go/print.go:1:6{source}\ngone.go:5:1\njdt://x:1:1"
        assert asked.call.reported.locations == (Location("/usr/lib/go/print.go", 1), Location("/repo/gone.go", 5))
        assert not asked.call.proposals


@pytest.mark.parametrize(
    "answer",
    [
        location("file:///repo/main.go", 2, 5, 10),
        [location("file:///repo/main.go", 2, 5, 10)],
        [
            {
                "targetUri": "file:///repo/main.go",
                "targetRange": stretch(2, 0, 9),
                "targetSelectionRange": stretch(2, 5, 10),
            }
        ],
        [location("file:///repo/./main.go", 2, 5, 10), location("file:///%72epo/main.go", 2, 5, 10)],
    ],
)
def test_definition_reads_a_location_a_list_and_links_however_the_uri_is_spelt(answer: object) -> None:
    asked = Asked(replies={Feature.DEFINITION: answer})
    assert asked("definition", symbol="greet") == "main.go:3:6  func greet() string {"


def test_a_source_line_is_stripped_and_at_most_200_characters() -> None:
    asked = Asked({"a.go": "\t" + "x" * 500 + "  \n"}, {Feature.DEFINITION: location("file:///repo/a.go", 0, 1, 2)})
    assert asked("definition", "a.go", line=1, column=2) == f"a.go:1:2  {'x' * 199}…"


def test_a_place_that_cannot_be_read_is_counted() -> None:
    found = [location("file:///repo/main.go", 2, 5, 10), {"uri": "file:///repo/main.go"}]
    asked = Asked(replies={Feature.REFERENCES: found})
    assert asked("references", symbol="greet") == (
        "1 reference(s):\nmain.go:3:6  func greet() string {\n[1 more from gopls could not be read]"
    )


# hover
@pytest.mark.parametrize(
    ("contents", "text"),
    [
        ({"kind": "markdown", "value": "```go\nfunc greet() string\n```\n\nSays hi."}, None),
        ("plain", "plain"),
        ([{"language": "go", "value": "func greet()"}, "Says hi."], "```go\nfunc greet()\n```\n\nSays hi."),
    ],
)
def test_hover_is_the_servers_text_as_it_sent_it(contents: Any, text: str | None) -> None:
    asked = Asked(replies={Feature.HOVER: {"contents": contents}})
    assert asked("hover", symbol="greet") == (text or contents["value"])


def test_a_hover_without_text_is_no_answer() -> None:
    asked = Asked(replies={Feature.HOVER: {"contents": {"kind": "markdown", "value": ""}}})
    assert asked.refused("hover", symbol="greet") == "[lsp: no hover found for the symbol at main.go:3:6]"


# symbols
def test_symbols_are_kind_name_detail_and_line_children_indented_two_spaces() -> None:
    def symbol(name: str, kind: int, line: int, **more: Any) -> dict[str, Any]:
        return {"name": name, "kind": kind, "range": stretch(line, 0, 9), "selectionRange": stretch(line, 0, 4), **more}

    tree = [
        symbol("Person", 23, 1, detail="struct{...}", children=[symbol("Name", 8, 2, detail="string")]),
        symbol("main", 12, 4),
    ]
    asked = Asked({"a.go": "a\nb\nc\nd\ne\n"}, {Feature.SYMBOLS: tree})
    assert asked("symbols", "a.go") == (
        "struct Person  [struct{...}]  line 2\n  field Name  [string]  line 3\nfunction main  line 5"
    )


def test_symbols_of_a_file_without_any_are_not_an_empty_text() -> None:
    asked = Asked(replies={Feature.SYMBOLS: []})
    assert asked("symbols") == "[lsp: no symbols found in main.go]"


# diagnostics
def diagnostic(line: int, start: int, message: str, severity: int | None = None, source: str = "") -> dict[str, Any]:
    return {
        "range": stretch(line, start, start + 1),
        "message": message,
        **({"severity": severity} if severity else {}),
        **({"source": source} if source else {}),
    }


def test_diagnostics_are_counted_then_one_severity_place_message_and_source_each() -> None:
    found = decode(
        [
            diagnostic(7, 1, "second\n  line", 2, "compiler"),
            diagnostic(2, 5, "undefined: greet", 1, "compiler"),
            diagnostic(0, 0, "no severity"),
            diagnostic(3, 0, "noted", 3),
            diagnostic(4, 0, "hinted", 4),
        ]
    )
    asked = Asked(diagnosis=Findings(diagnostics=found))
    assert asked("diagnostics") == (
        "5 diagnostic(s) in main.go:\n"
        "error main.go:1:1 no severity\n"
        "error main.go:3:6 undefined: greet [compiler]\n"
        "information main.go:4:1 noted\n"
        "hint main.go:5:1 hinted\n"
        "warning main.go:8:2 second line [compiler]"
    )


def test_diagnostics_of_a_clean_file() -> None:
    assert Asked()("diagnostics") == "no diagnostics: main.go is clean"


def test_diagnostics_say_when_they_are_as_last_published() -> None:
    assert Asked(diagnosis=Findings(diagnostics=decode([]), as_last_published=True))("diagnostics") == (
        "no diagnostics: main.go is clean (as last published)"
    )
    found = Findings(diagnostics=decode([diagnostic(0, 0, "bad")]), as_last_published=True)
    assert Asked(diagnosis=found)("diagnostics") == (
        "1 diagnostic(s) in main.go (as last published):\nerror main.go:1:1 bad"
    )


def test_diagnostics_that_never_came_are_not_called_clean() -> None:
    silent = Asked(diagnosis=NothingHeard(within_s=3.0))("diagnostics")
    busy = Asked(diagnosis=NothingHeard(within_s=3.0, busy=True))("diagnostics")
    for text in (silent, busy):
        assert text.startswith("no diagnostics received for main.go within 3s (")
        assert text.endswith(")")
        assert "call again" in text
    assert "still loading" in busy
    assert "still loading" not in silent


def test_a_busy_server_does_not_call_a_file_clean() -> None:
    text = Asked(diagnosis=Findings(diagnostics=decode([]), busy=True))("diagnostics")
    assert text.startswith("no diagnostics so far in main.go\n[gopls is still checking")


@pytest.mark.parametrize(
    ("more", "headline", "note"),
    [
        (
            {"early": True},
            "no diagnostics so far in main.go",
            "[gopls may not have looked yet: call again in a moment]",
        ),
        (
            {"needs": "shellcheck"},
            "no diagnostics: main.go is clean",
            "[gopls checks next to nothing by itself: shellcheck is not installed]",
        ),
    ],
)
def test_what_clean_does_not_mean_is_said_below(more: dict[str, Any], headline: str, note: str) -> None:
    """C133."""
    assert Asked(diagnosis=Findings(diagnostics=decode([]), **more))("diagnostics") == f"{headline}\n{note}"


def test_a_finding_that_cannot_be_read_is_counted() -> None:
    text = Asked(diagnosis=Findings(diagnostics=decode([{"message": "nowhere"}])))("diagnostics")
    assert text == "no diagnostics so far in main.go\n[1 more from gopls could not be read]"


# Positions
def test_a_position_goes_out_in_utf_16_and_comes_back_in_characters() -> None:
    """C49."""
    text = 's = "\U0001f600"; foo = foo + 1\n'
    asked = Asked({"e.py": text}, {Feature.DEFINITION: location("file:///repo/e.py", 0, 16, 19)})
    assert asked("definition", "e.py", line=1, column=10) == f"e.py:1:16  {text.strip()}"
    assert asked.positions == [(0, 10)]


def test_columns_are_of_the_file_that_the_server_names() -> None:
    files = {"a.py": "x = 1\n", "b.py": "\U0001f60b\U0001f60bx\n"}
    asked = Asked(files, {Feature.DEFINITION: location("file:///repo/b.py", 0, 2, 3)})
    assert asked("definition", "a.py", symbol="x").startswith("b.py:1:2  ")


@pytest.mark.parametrize(
    ("place", "text"),
    [
        ({"line": 3, "column": 40}, "[lsp: column 40 is past the end of line 3 (21 characters)]"),
        ({"line": 99, "column": 1}, "[lsp: line 99 is past the end of main.go (9 lines)]"),
        ({"line": 99, "symbol": "greet"}, "[lsp: line 99 is past the end of main.go (9 lines)]"),
    ],
)
def test_a_position_past_the_end_is_refused_with_the_count(place: dict[str, Any], text: str) -> None:
    asked = Asked(replies={Feature.HOVER: {"contents": "never"}})
    assert asked.refused("hover", **place) == text
    assert not asked.servers.asked


def test_the_end_of_a_line_is_a_position() -> None:
    asked = Asked(replies={Feature.HOVER: {"contents": "end"}})
    assert asked("hover", line=3, column=22) == "end"


# symbol
@pytest.mark.parametrize(
    "sent", ["greet", "`greet`", "greet', ", '"greet"', "greet()", "person.greet", "main.greet();"]
)
def test_symbol_is_cleaned(sent: str) -> None:
    asked = Asked(replies={Feature.HOVER: {"contents": "found"}})
    assert asked("hover", symbol=sent) == "found"
    assert asked.positions == [(2, 5)]


def test_occurrences_are_tried_in_order_code_first_comments_last_until_the_server_answers() -> None:
    text = "// greet\nfunc f() { greet() }\nfunc greet() {} // greet\n"
    asked = Asked({"a.go": text}, lambda asking: {"contents": "yes"} if asking.position == Position(0, 3) else None)
    assert asked("hover", "a.go", symbol="greet") == "yes"
    assert asked.positions == [(1, 11), (2, 5), (0, 3)]


def test_only_whole_identifiers_count() -> None:
    asked = Asked({"a.go": "greeter regreet greet_ greet2\n"}, {Feature.HOVER: {"contents": "no"}})
    assert asked.refused("hover", "a.go", symbol="greet") == '[lsp: "greet" not found in a.go]'


def test_an_error_is_no_answer_and_told_only_when_nothing_else_is() -> None:
    def reply(asking: Asking) -> Reply:
        return None if asking.position == Position(2, 5) else ServerError("gopls", "no identifier\nfound")

    assert Asked(replies=reply).refused("hover", symbol="greet") == "[lsp: gopls: hover failed: no identifier found]"
    asked = Asked(replies=lambda asking: {"contents": "x"} if asking.position == Position(7, 21) else reply(asking))
    assert asked("hover", symbol="greet") == "x"


def test_line_restricts_the_search() -> None:
    asked = Asked(replies={Feature.HOVER: {"contents": "x"}})
    assert asked("hover", symbol="greet", line=8) == "x"
    assert asked.positions == [(7, 9)]
    assert asked.refused("hover", symbol="greet", line=5) == (
        '[lsp: "greet" not found in line 5 of main.go — it is in lines 3, 8]'
    )
    assert asked.refused("hover", symbol="main", line=4) == (
        '[lsp: "main" not found in line 4 of main.go — it is in lines 1, 7]'
    )
    assert asked.refused("hover", symbol="foo", line=4) == '[lsp: "foo" not found in main.go]'


def test_line_and_column_are_exact_and_a_miscount_beside_the_symbol_is_mended_on_its_line() -> None:
    asked = Asked(replies={Feature.HOVER: {"contents": "x"}})
    asked("hover", symbol="greet", line=8, column=12)
    asked("hover", symbol="greet", line=8, column=20)
    assert asked.positions == [(7, 11), (7, 21)]


@pytest.mark.parametrize("action", ["definition", "references", "hover"])
@pytest.mark.parametrize("place", [{}, {"line": 3}, {"column": 3}, {"symbol": " "}, {"symbol": "1 + 2"}])
def test_without_a_symbol_or_line_and_column_it_asks_for_them(action: Action, place: dict[str, Any]) -> None:
    asked = Asked(replies={Feature.HOVER: {"contents": "x"}})
    text = asked.refused(action, **place)
    assert f'call lsp again with {{"action": "{action}", "path": "main.go", "symbol": "<the identifier>"}}' in text
    assert not asked.servers.asked


# File sync, Server lifecycle: tests/adapters/lsp; here, what becomes of them in words.
@pytest.mark.parametrize("action", ["definition", "references", "hover", "symbols"])
def test_a_server_that_is_still_loading_is_never_an_empty_answer(action: Action) -> None:
    asked = Asked(replies=lambda _: Answer(None, settled=False))
    text = asked.refused(action, symbol="greet")
    assert text.startswith("[lsp: gopls is still loading or indexing, and has found nothing for " + action)
    assert "call again" in text


def test_what_a_loading_server_found_is_told_with_the_caveat() -> None:
    found = [location("file:///repo/main.go", 2, 5, 10)]
    asked = Asked(replies={Feature.REFERENCES: Answer(found, settled=False)})
    assert asked("references", symbol="greet") == (
        "1 reference(s):\nmain.go:3:6  func greet() string {\n"
        "[gopls is still loading or indexing: there may be more; wait a moment, then call again]"
    )


# Failures
def test_no_server_for_the_file() -> None:
    asked = Asked({"x.md": "# x\n"}, servers=(GOPLS,))
    assert asked.refused("symbols", "x.md") == '[lsp: no language server for "x.md" — configured: gopls (.go)]'


def test_a_symbol_that_is_not_there() -> None:
    assert Asked().refused("definition", symbol="foo") == '[lsp: "foo" not found in main.go]'


@pytest.mark.parametrize("action", ["definition", "references", "hover"])
def test_nothing_found(action: Action) -> None:
    asked = Asked(replies=lambda _: None)
    text = asked.refused(action, line=8, column=4)
    assert text == f"[lsp: no {action} found for the symbol at main.go:8:4]"


@pytest.mark.parametrize(
    ("problem", "parts"),
    [
        (
            NotStarted("gopls", "exit status 1", last_words="no go.mod"),
            ["could not be started", "exit status 1", "no go.mod"],
        ),
        (DiesTooOften("gopls", "signal: SIGSEGV"), ["ended too often", "SIGSEGV", "not started again"]),
        (Died("gopls", "signal: SIGKILL"), ["ended before it answered", "SIGKILL", "call again"]),
        (LanguageServersClosed(""), ["closed"]),
    ],
)
def test_a_server_that_is_not_there_says_which_and_what_to_do(problem: LanguageServerProblem, parts: list[str]) -> None:
    text = Asked(problem=problem).refused("symbols")
    assert text.startswith("[lsp: ")
    assert all(part in text for part in parts)
    assert "gopls" in text or "closed" in text


@pytest.mark.parametrize(
    ("problem", "parts"),
    [
        (NoAnswer("gopls", 30.0), ["is running", "no answer to symbols within 30s"]),
        (TextChanged("gopls"), ["main.go changed", "call again"]),
        (ServerError("gopls", "x" * 10_000), ["gopls: symbols failed: xxx", "…"]),
        (ServerError("gopls", ""), ["gopls: symbols failed: it gave no reason"]),
    ],
)
def test_a_question_that_fails_says_how(problem: LanguageServerProblem, parts: list[str]) -> None:
    text = Asked(replies={Feature.SYMBOLS: problem}).refused("symbols")
    assert all(part in text for part in parts)
    assert len(text) < 700


def test_what_a_server_does_not_offer() -> None:
    assert Asked().refused("symbols").startswith("[lsp: gopls does not support symbols")
    assert Asked().refused("rename", symbol="greet", new_name="hello").startswith("[lsp: gopls does not support rename")


def test_a_file_that_cannot_be_shown() -> None:
    text = Asked({"a.go": b"\0"}).refused("symbols", "a.go")
    assert text.startswith("[lsp: a.go cannot be shown to a language server (not text")


def test_a_missing_file_is_told_as_by_every_tool() -> None:
    assert Asked().refused("symbols", "other.go") == "other.go does not exist. Create it with write_file"
    text = Asked({"it's.go": MAIN}).refused("symbols", "it’s.go")
    assert text.endswith("did you mean it's.go")


def test_a_file_outside_is_refused_or_asked_for() -> None:
    assert "outside the working directory" in Asked().refused("symbols", "/etc/x.go")
    asked = Asked(MemoryFiles({"/etc/x.go": MAIN}, outside="ask"), {Feature.SYMBOLS: []})
    assert asked("symbols", "/etc/x.go") == "[lsp: no symbols found in /etc/x.go]"
    assert [each.preview for each in asked.call.proposals] == [ReadPreview("/etc/x.go")]
    asked.call.allows = False
    assert asked.refused("symbols", "/etc/x.go") == "[read rejected by the user]"


def test_a_cancelled_call_says_so() -> None:
    call = StubCall()
    call.cancellation.request()
    with pytest.raises(Cancelled, match=r"^\[lsp was cancelled\]$"):
        Asked(replies={Feature.SYMBOLS: []})("symbols", call=call)


# Output limits
def test_a_long_answer_is_cut_after_a_whole_line_with_the_count() -> None:
    found = [location("file:///repo/main.go", line, 0, 1) for line in range(9)]
    asked = Asked(replies={Feature.REFERENCES: found}, max_output=70)
    text = asked("references", symbol="greet")
    assert text.startswith("9 reference(s):\nmain.go:1:1  package main\n")
    assert text.endswith("more lines are not shown; search the files for the name to find them]")
    shown = text.count("\nmain.go:")
    assert f"[… {9 - shown} more lines" in text
    assert asked.call.reported.truncated


def test_a_long_hover_is_cut_with_the_count() -> None:
    asked = Asked(replies={Feature.HOVER: {"contents": "x" * 1_000}}, max_output=100)
    text = asked("hover", symbol="greet")
    assert text == "x" * 100 + "\n[… 900 more characters; read the source for the rest]"


# Files that a server names.
CONTENTS: dict[str, bytes | str] = {
    "a.go": "package a\n",
    "dir/my page#1%.go": "\ufeffpackage b\r\n",
    "old.go": b"// \xe9\n",
    "bin.go": b"\0",
    "secret.go": "package c\n",
    "/lib/x.go": "package x\n",
}


def look(uri: str, outside: Literal["refuse", "ask"] = "refuse") -> str:
    files = MemoryFiles(CONTENTS, outside=outside)
    files.fail("secret.go", AccessDenied, when="read")

    def reply(_: Asking) -> Reply:
        files.put("a.go", "changed since\n")
        return [location(uri, 0, 0, 1)]

    sources = MemoryFiles(CONTENTS, outside="ask")
    return Asked(files, {Feature.DEFINITION: reply}, sources=sources)("definition", "a.go", symbol="a")


@pytest.mark.parametrize("outside", ["refuse", "ask"])
@pytest.mark.parametrize(
    ("uri", "path", "text"),
    [
        ("file:///repo/a.go", "a.go", "package a"),
        ("file:///repo/dir/my%20page%231%25.go", "dir/my page#1%.go", "package b"),
        ("file:///repo/dir/../old.go", "old.go", "// \ufffd"),
        ("file:///repo/bin.go", "bin.go", None),
        ("file:///repo/secret.go", "secret.go", None),
        ("file:///repo/gone.go", "gone.go", None),
        ("file:///repo/dir", "dir", None),
        ("file:///lib/x.go", "/lib/x.go", "package x"),
        ("untitled:1", "untitled:1", None),
    ],
)
def test_a_file_is_shown_from_the_root_with_the_line_that_is_meant(
    uri: str, path: str, text: str | None, outside: Literal["refuse", "ask"]
) -> None:
    """What the server was sent is what its places are of, whatever the file holds by now."""
    assert look(uri, outside) == (f"{path}:1:1  {text}" if text else f"{path}:1:1")


def _denies_other(names: Sequence[str]) -> str | None:
    return "Refused by a rule." if "/repo/other.go" in names else None


def test_places_in_denied_files_are_left_out_and_their_files_counted() -> None:
    files = {"main.go": MAIN, "other.go": "package main\n// hunter2 greet\n"}
    places = [location("file:///repo/other.go", 1, 11, 16), location("file:///repo/main.go", 2, 5, 10)]
    asked = Asked(files, replies={Feature.REFERENCES: places})
    told = asked("references", symbol="greet", call=StubCall(denied=_denies_other))
    assert told.split("\n")[:2] == ["1 reference(s):", "main.go:3:6  func greet() string {"]
    assert "[1 file left out: denied to lsp]" in told
    assert "hunter2" not in told
    assert "other.go" not in told


@pytest.mark.parametrize("action", ["definition", "symbols", "diagnostics", "rename"])
def test_a_denied_file_is_shown_to_no_server(action: Action) -> None:
    asked = Asked({"other.go": MAIN}, replies={})
    place = {} if action in ("symbols", "diagnostics") else {"symbol": "greet"}
    with pytest.raises(PermissionRefused, match="Refused by a rule"):
        asked(action, "other.go", new_name="x", call=StubCall(denied=_denies_other), **place)
    assert not asked.servers.asked
