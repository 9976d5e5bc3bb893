"""Below a rename stands where the old name still is: as often as it is there, and never in what is denied."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mmtools.adapters.local_files import LocalFiles
from mmtools.adapters.python_search import PythonSearch
from mmtools.adapters.ripgrep_search import RipgrepSearch, find_ripgrep
from mmtools.ports.search import Ended, EngineFailed, Found, Search
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.search import MemorySearch
from mmtools.tools.operations.remaining_words import remaining_words
from mmtools.tools.operations.session_files import SessionFiles
from tests.hypothesis_profiles import scaled
from tests.tools.asked import Asked, WordServer

PROGRAM = {"a.py": "def greet():\n    pass\n", "b.py": "from a import greet\ngreet(greet)\n"}


class _CurrentSearch(MemorySearch):
    """A search in the files as they are at each look."""

    def __init__(self, files: MemoryFiles) -> None:
        super().__init__({}, root="/repo")
        self._files = files

    def grep(self, *arguments: Any, **options: Any) -> Found:
        self.files_by_path = dict(self._files.contents)
        return super().grep(*arguments, **options)


def below(contents: Mapping[str, str], word: str = "run", call: StubCall | None = None, **odd: Any) -> list[str]:
    """What is said of a word in files that a search has in memory."""
    engine = MemorySearch({path: text.encode() for path, text in contents.items()}, root="/repo", **odd)
    return remaining_words(engine, SessionFiles(files=MemoryFiles()), word, call or StubCall(), "lsp")


def test_a_rename_says_where_the_old_name_still_stands_once_it_is_made() -> None:
    files = MemoryFiles({**PROGRAM, "README.md": "Call `greet`, greet() or greeting.\nNo greet_all.\n", "x.c": "greet"})
    asked = Asked(files, WordServer(files, list(PROGRAM)), search=_CurrentSearch(files))
    assert asked("rename", "a.py", symbol="greet", new_name="hello") == (
        "renamed to hello: 4 edit(s) in 2 file(s)\na.py: 1 edit(s)\nb.py: 3 edit(s)\n"
        '[the word "greet" still stands in 2 files: README.md (2), x.c (1)]'
    )


def test_nothing_is_said_where_the_old_name_stands_nowhere() -> None:
    files = MemoryFiles(PROGRAM)
    asked = Asked(files, WordServer(files, list(PROGRAM)), search=_CurrentSearch(files))
    assert asked("rename", "a.py", symbol="greet", new_name="hello").endswith("\nb.py: 3 edit(s)")


def test_ten_files_are_named_those_with_most_first_and_the_others_counted() -> None:
    contents = {f"{number:02}.md": "run\n" * number for number in range(1, 13)}
    named = ", ".join(f"{number:02}.md ({number})" for number in range(12, 2, -1))
    assert below(contents) == [f'[the word "run" still stands in 12 files: {named}, and 2 more files]']


def test_ignored_and_hidden_files_are_not_looked_at() -> None:
    assert below({".gitignore": "build\n", "build/a.js": "run", ".cache": "run"}) == []


def test_denied_files_are_left_out_and_counted_whatever_they_hold() -> None:
    def denied(names: Sequence[str]) -> str | None:
        return "denied" if any("secret" in name for name in names) else None

    note = "[2 files left out: denied to lsp]"
    call = StubCall(denied=denied)
    secrets = {"secret/a.py": "run run", "secret/b.py": "nothing"}
    assert below(secrets, call=call) == [note]
    assert below({**secrets, "c.py": "run"}, call=call) == ['[the word "run" still stands in 1 file: c.py (1)]', note]


def test_a_search_that_ends_early_claims_no_more_than_it_found() -> None:
    unknown = ['[where the word "run" still stands is not known: the search for it ended early]']
    assert below({"a": "run"}, ended=Ended.TIME) == [
        '[the word "run" still stands in at least 1 file: a (1); not all files were looked at]'
    ]
    assert below({"a": "walk"}, ended=Ended.TIME) == unknown
    assert below({"a": "run"}, problem=EngineFailed("broken")) == unknown
    call = StubCall()
    call.cancellation.request()
    assert below({"a": "run"}, call=call) == unknown


def test_a_long_line_and_a_name_that_could_be_misread_are_told_as_such() -> None:
    assert below({"a\n[b": "run " + "x" * 2000 + " run"}) == [
        '[the word "run" still stands in 1 file: "a\\n[b" (1 or more)]'
    ]


_WORDS = st.sampled_from(["run", "$run", "läufe", "r", "_"])
_TEXTS = st.text(st.sampled_from("run_$ .-\nläufe(é1\t"), max_size=60)


@pytest.fixture(scope="module", params=["ripgrep", "python"])
def engine(request: pytest.FixtureRequest) -> Search:
    if request.param == "python":
        return PythonSearch()
    program = find_ripgrep()
    assert program is not None
    return RipgrepSearch(program)


@settings(scaled(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=st.lists(_TEXTS, min_size=1, max_size=4), word=_WORDS)
def test_each_file_is_counted_as_a_plain_count_of_words_does(
    engine: Search, tmp_path: Path, texts: list[str], word: str
) -> None:
    for number in range(4):
        text = texts[number] if number < len(texts) else ""
        (tmp_path / f"{number}.txt").write_bytes(text.encode())
    counts: dict[str, int] = {}
    for number, text in enumerate(texts):
        places = [found.start() for found in re.finditer(f"(?={re.escape(word)})", text)]
        around = [(text[place - 1 : place], text[place + len(word) :][:1]) for place in places]
        if count := sum(not any(c.isalnum() or c == "_" for c in before + after) for before, after in around):
            counts[f"{number}.txt"] = count
    told = remaining_words(engine, SessionFiles(files=LocalFiles(tmp_path)), word, StubCall(), "lsp")
    shown = ", ".join(f"{path} ({count})" for path, count in sorted(counts.items(), key=lambda one: (-one[1], one[0])))
    files = "1 file" if len(counts) == 1 else f"{len(counts)} files"
    assert told == ([f'[the word "{word}" still stands in {files}: {shown}]'] if counts else [])
