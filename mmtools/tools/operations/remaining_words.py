"""Where a word still stands in the files of the working directory, counted by file."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from mmtools.errors import Cancelled
from mmtools.ports.files import FileProblem
from mmtools.ports.search import Ended, Match, Pattern, Search, SearchProblem, Tree
from mmtools.tool import Call
from mmtools.tools.operations.file_search import FileSearch, TreeSearch
from mmtools.tools.operations.session_files import SessionFiles
from mmtools.tools.wording import renames as wording
from mmtools.tools.wording.search import SearchTerms

__all__ = ["remaining_words"]

#: Lines that are counted (ours): more than a person would look through.
_MOST_LINES = 10_000
#: Of each look at the files (ours): the answer waits for it.
_TIMEOUT_S = 3.0


def remaining_words(engine: Search, files: SessionFiles, word: str, call: Call, tool: str) -> list[str]:
    """
    Say in how many files a word stands, and how often in each; files that are denied or ignored are left out.

    Never fails, for what was done before it is done.

    Args:
        word: Counts where it is no part of a longer word.
        tool: By whose name files may be denied.

    Returns:
        Lines for below an answer; empty where it stands nowhere.
    """
    try:
        place = files.files.locate(".")
        search = TreeSearch(
            within=FileSearch(files=files.files, engine=engine, timeout_s=_TIMEOUT_S),
            tree=Tree(place=place),
            base=".",
            call=call,
            terms=SearchTerms(tool=tool, pattern="", path="", hidden=""),
        )
        # Not every engine can look around; whole words are counted below.
        found = search.grep(Pattern(regex=rf"(?:^|\W){re.escape(word)}(?:\W|$)"), limit=_MOST_LINES)
        left_out = search.left_out()
    except (Cancelled, FileProblem, SearchProblem):
        return [wording.not_looked_for(word)]
    counts = _counted(word, found.matches)
    return wording.remaining(
        word,
        {search.path(path): count for path, count in counts.items()},
        cut={search.path(match.path) for match in found.matches if match.after},
        whole=found.ended is Ended.ALL,
        left_out=left_out,
    )


def _counted(word: str, matches: Iterable[Match]) -> Counter[str]:
    whole = re.compile(rf"(?<!\w){re.escape(word)}(?!\w)")
    counts: Counter[str] = Counter()
    for match in matches:
        counts[match.path] += max(1, sum(1 for _ in whole.finditer(match.text)))
    return counts
