"""A qualified name is asked about where it stands; a rename acts on one declaration, and says on which."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.positions import Document
from mmtools.ports.language_servers import Answer, Feature
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import Asked as Asking
from tests.tools.asked import Asked, Reply, location, stretch

TWO = "class A:\n    def run(self): pass\nclass B:\n    def run(self): pass\nB().run()\n"


@frozen
class Word:
    """A name in a program, the class that holds what it means, and whether it is declared there."""

    line: int
    start: int
    holder: str
    name: str
    declares: bool

    @property
    def stretch(self) -> dict[str, Any]:
        return stretch(self.line, self.start, self.start + len(self.name))


class Program:
    """
    Classes with methods and calls of them, and a server that knows what each word means, for it wrote them.

    Args:
        classes: Their names, each with the methods that it declares.
        calls: Class and method; written after all classes.
    """

    def __init__(self, classes: dict[str, list[str]], calls: list[tuple[str, str]]) -> None:
        self.lines: list[str] = []
        self.words: list[Word] = []
        self.spans: dict[str, tuple[int, int]] = {}
        for holder, methods in classes.items():
            first = len(self.lines)
            self.lines.append(f"class {holder}:")
            for name in methods:
                self._write("    def ", holder, name, "(self): pass  # run", declares=True)
            self.lines.append("    pass")
            self.spans[holder] = first, len(self.lines)
        for holder, name in calls:
            self._write(f"{holder}().", holder, name, "()", declares=False)

    def _write(self, before: str, holder: str, name: str, after: str, *, declares: bool) -> None:
        self.words.append(Word(len(self.lines), len(before), holder, name, declares))
        self.lines.append(before + name + after)

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)

    def renamed(self, holder: str, name: str, new: str) -> str:
        """What the program is when only this is renamed."""
        lines = list(self.lines)
        for word in self.meaning(holder, name):
            lines[word.line] = lines[word.line][: word.start] + new + lines[word.line][word.start + len(name) :]
        return "".join(f"{line}\n" for line in lines)

    def meaning(self, holder: str, name: str) -> list[Word]:
        return [word for word in self.words if (word.holder, word.name) == (holder, name)]

    def __call__(self, asking: Asking) -> Reply:
        if asking.feature is Feature.SYMBOLS:
            return [self._symbol(holder) for holder in self.spans]
        assert asking.position is not None
        line, character = asking.position.line, asking.position.character
        word = next((each for each in self.words if (each.line, each.start) == (line, character)), None)
        if word is None:
            return None
        same = self.meaning(word.holder, word.name)
        if asking.feature is Feature.RENAME:
            return {"changes": {"file:///repo/m.py": [{"range": w.stretch, "newText": asking.new_name} for w in same]}}
        if asking.feature is Feature.HOVER:
            return {"contents": f"{word.holder}.{word.name}"}
        return [location("file:///repo/m.py", w.line, w.start, w.start + len(w.name)) for w in same if w.declares]

    def _symbol(self, holder: str) -> dict[str, Any]:
        first, last = self.spans[holder]
        whole = {"start": {"line": first, "character": 0}, "end": {"line": last, "character": 0}}
        children = [
            {"name": w.name, "kind": 6, "range": stretch(w.line, 0, 99), "selectionRange": w.stretch}
            for w in self.words
            if w.declares and w.holder == holder
        ]
        name = {"selectionRange": stretch(first, 6, 6 + len(holder))}
        return {"name": holder, "kind": 5, "range": whole, **name, "children": children}

    def asked(self) -> Asked:
        features = [Feature.SYMBOLS, Feature.RENAME, Feature.HOVER, Feature.DEFINITION]
        return Asked(MemoryFiles({"m.py": self.text}), dict.fromkeys(features, self))


METHODS = st.lists(st.sampled_from(["run", "go", "A"]), unique=True, max_size=3)
PROGRAMS = st.dictionaries(st.sampled_from(["A", "B", "run"]), METHODS, min_size=1)


@given(classes=PROGRAMS, data=st.data(), holder=st.sampled_from("AB"), name=st.sampled_from(["run", "go"]))
def test_a_qualified_rename_changes_what_is_meant_or_nothing(
    classes: dict[str, list[str]], data: st.DataObject, holder: str, name: str
) -> None:
    there = [(each, method) for each, methods in classes.items() for method in methods]
    program = Program(classes, data.draw(st.lists(st.sampled_from(there), max_size=4)) if there else [])
    asked = program.asked()
    meant = program.meaning(holder, name)
    if not meant:
        text = asked.refused("rename", "m.py", symbol=f"{holder}.{name}", new_name="other")
        assert "nothing was renamed" in text or "not found" in text
        assert asked.files.contents["m.py"].decode() == program.text
        return
    told = asked("rename", "m.py", symbol=f"{holder}.{name}", new_name="other")
    assert asked.files.contents["m.py"].decode() == program.renamed(holder, name, "other")
    declared = next(word for word in meant if word.declares)
    assert f"\n[declaration renamed: m.py:{declared.line + 1}:{declared.start + 1}  def {name}(self)" in told


@given(classes=PROGRAMS, holder=st.sampled_from("AB"), name=st.sampled_from(["run", "go"]))
def test_a_question_is_asked_first_where_the_qualified_name_is_declared(
    classes: dict[str, list[str]], holder: str, name: str
) -> None:
    program = Program(classes, [])
    if program.meaning(holder, name):
        assert program.asked()("hover", "m.py", symbol=f"{holder}.{name}") == f"{holder}.{name}"


def two() -> Asked:
    program = Program({"A": ["run"], "B": ["run"]}, [("B", "run")])
    return program.asked()


def test_the_second_of_two_methods_is_the_one_that_is_renamed() -> None:
    """C129."""
    asked = two()
    assert asked("rename", "m.py", symbol="B.run", new_name="go") == (
        "renamed to go: 2 edit(s) in 1 file(s)\nm.py: 2 edit(s)\n"
        "[declaration renamed: m.py:5:9  def run(self): pass  # run]"
    )
    (position,) = [each.position for each in asked.servers.asked if each.feature is Feature.RENAME]
    assert position is not None
    assert (position.line, position.character) == (4, 8)


def test_a_qualifier_that_names_nothing_renames_nothing() -> None:
    """C129."""
    text = two().refused("rename", "m.py", symbol="C.run", new_name="go")
    assert text.startswith('[lsp: nothing was renamed: "C" names nothing that holds "run" in m.py')
    assert "m.py:2:9" in text
    assert "m.py:5:9" in text
    # The other questions are asked as if it were not there.
    assert two()("hover", "m.py", symbol="C.run") == "A.run"


def test_a_bare_name_of_two_declarations_renames_nothing_and_lists_them() -> None:
    asked = two()
    assert asked.refused("rename", "m.py", symbol="run", new_name="go") == (
        '[lsp: nothing was renamed: "run" is declared at 2 places — call lsp again with the path, line and column of '
        "the one that you mean:]\nm.py:2:9  def run(self): pass  # run\nm.py:5:9  def run(self): pass  # run"
    )
    assert not asked.call.proposals
    assert asked("rename", "m.py", line=5, column=9, new_name="go").startswith("renamed to go: 2 edit(s)")


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("(*B).run", "(*B).run"),
        ("B.run", "B.run"),
        ("B::run", "B::run"),
        ("ns::B::run()", "ns::B::run"),
        ("m.B.run", "B.run"),
        ("repo.B.run", "B.run"),
    ],
)
def test_a_declaration_is_found_whose_own_name_says_what_holds_it(symbol: str, name: str) -> None:
    text = "run(A)\nrun(B)\n"
    symbols = [
        {"name": "A.run", "kind": 6, "range": stretch(0, 0, 6), "selectionRange": stretch(0, 0, 3)},
        {"name": name, "kind": 6, "range": stretch(1, 0, 6), "selectionRange": stretch(1, 0, 3)},
    ]
    edit = {"changes": {"file:///repo/m.py": [{"range": stretch(1, 0, 3), "newText": "go"}]}}
    asked = Asked({"m.py": text}, {Feature.SYMBOLS: symbols, Feature.RENAME: edit})
    asked("rename", "m.py", symbol=symbol, new_name="go")
    assert asked.positions == [(1, 0)]


def test_a_flat_list_names_what_holds_a_method() -> None:
    flat = [
        {
            "name": "run",
            "kind": 6,
            "containerName": holder,
            "location": location("file:///repo/m.py", line, 4, 20),
        }
        for holder, line in (("A", 1), ("B", 3))
    ]
    asked = Asked({"m.py": TWO}, {Feature.SYMBOLS: flat, Feature.HOVER: {"contents": "x"}})
    asked("hover", "m.py", symbol="B.run")
    assert asked.positions == [(3, 8)]


@pytest.mark.parametrize("written", ["b.run()", "b\n  .run()", "b?.run()", "b->run()", "b(1)[2].run()"])
def test_without_a_declaration_the_place_that_is_written_so_comes_first(written: str) -> None:
    text = f"run = 1\n{written}\n"
    asked = Asked({"m.py": text}, {Feature.HOVER: {"contents": "x"}})
    asked("hover", "m.py", symbol="b.run")
    place = Document(text).position(text.rindex("run"))
    assert asked.positions == [(place.line, place.character)]


def test_a_place_that_is_pointed_at_needs_no_qualifier() -> None:
    asked = two()
    asked("rename", "m.py", symbol="C.run", line=2, column=9, new_name="go")
    assert asked.files.contents["m.py"].startswith(b"class A:\n    def go(self)")


def test_of_a_program_that_the_server_may_know_in_part_nothing_is_renamed_and_references_say_so() -> None:
    """C131."""
    edits = {"changes": {"file:///repo/m.py": [{"range": stretch(1, 8, 11), "newText": "go"}]}}
    found = [location("file:///repo/m.py", 1, 8, 11)]
    replies = {
        Feature.RENAME: Answer(edits, lacks="project.json"),
        Feature.REFERENCES: Answer(found, lacks="project.json"),
    }
    asked = Asked({"m.py": TWO}, replies)
    assert asked("references", "m.py", symbol="run") == (
        "1 reference(s):\nm.py:2:9  def run(self): pass\n"
        "[pyright found no project.json: it may know only a part of the program; search the files for the rest]"
    )
    text = asked.refused("rename", "m.py", symbol="run", new_name="go")
    assert text.startswith("[lsp: nothing was renamed: pyright found no project.json, so it may know only a part")
    assert not asked.call.proposals


def test_a_declaration_in_a_denied_file_is_counted_and_nothing_is_told_of_it() -> None:
    """The uses of a name lead to two files, one of them denied."""
    files = MemoryFiles({"m.py": "run()\nrun()\n", "a.py": "def run(): pass\n", "vault.py": "def run(): hunter2\n"})

    def reply(asking: Asking) -> Reply:
        assert asking.position is not None
        line = asking.position.line
        if asking.feature is Feature.RENAME:
            return {"changes": {"file:///repo/m.py": [{"range": stretch(line, 0, 3), "newText": asking.new_name}]}}
        return [location(f"file:///repo/{('a.py', 'vault.py')[line]}", 0, 4, 7)]

    asked = Asked(files, dict.fromkeys([Feature.RENAME, Feature.DEFINITION], reply))
    call = StubCall(denied=lambda names: "no" if any("vault" in name for name in names) else None)
    text = asked.refused("rename", "m.py", symbol="run", new_name="walk", call=call)
    assert '"run" is declared at 2 places' in text
    assert text.endswith("\na.py:1:5  def run(): pass\n[1 file left out: denied to lsp]")
    assert "vault" not in text
    assert "hunter2" not in text
