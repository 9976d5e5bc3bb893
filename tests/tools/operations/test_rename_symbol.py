"""A rename is made in all files or in none, byte by byte, and only if it is one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.call import FilesPreview, Location, Proposal
from mmtools.core.freshness import Ledger, fingerprint
from mmtools.core.lsp.positions import Position
from mmtools.core.text import Text, decode
from mmtools.errors import ToolFailure
from mmtools.ports.files import Replaced, Snapshot, WriteFailed
from mmtools.ports.language_server_problems import ServerError
from mmtools.ports.language_servers import Answer, Feature
from mmtools.testing.calls import StubCall
from mmtools.testing.files import MemoryFiles
from mmtools.testing.language_servers import Asked as Asking
from tests.tools.asked import Asked, Contents, Reply, Shape, WordServer, at, in_words, stretch, versioned, words

PROJECT = {"a.py": "def greet():\n    pass\n", "b.py": "from a import greet\ngreet(greet)\n", "c.py": "x = 1\n"}
UNTOUCHED = {path: text.encode() for path, text in PROJECT.items()}


def edits(path: str, *ranges: tuple[int, int, int], new: str = "hello") -> dict[str, Any]:
    """Edits of one file, by line and start and end character."""
    return {f"file://{path}": [{"range": stretch(*place), "newText": new} for place in ranges]}


def one_entry_each(found: Mapping[str, list[Any]]) -> dict[str, Any]:
    entries = [({"uri": uri, "version": 1}, [edit]) for uri, some in found.items() for edit in some]
    return {"documentChanges": [{"textDocument": document, "edits": some} for document, some in entries]}


def whole_text(new: str) -> Shape:
    edit = {"range": {"start": at(0, 0), "end": at(5, 0)}, "newText": new}
    return lambda found: {"changes": {uri: [edit] for uri in found}}


def test_rename_changes_the_files_tells_the_server_and_counts_edits_per_file() -> None:
    asked = in_words(PROJECT)
    assert asked("rename", "a.py", symbol="greet", new_name="hello") == (
        "renamed to hello: 4 edit(s) in 2 file(s)\na.py: 1 edit(s)\nb.py: 3 edit(s)"
    )
    assert asked.files.contents == {
        "a.py": b"def hello():\n    pass\n",
        "b.py": b"from a import hello\nhello(hello)\n",
        "c.py": b"x = 1\n",
    }
    assert asked.servers.noted == [("/repo/a.py", "/repo/b.py")]
    assert [each.path for each in asked.call.reported.changes] == ["/repo/a.py", "/repo/b.py"]
    assert asked.call.reported.locations == (Location("/repo/a.py", 1), Location("/repo/b.py", 1))


def test_rename_asks_for_permission_once_with_every_file_before_any_is_written() -> None:
    """C57 (iii)."""
    asked = in_words(PROJECT)
    asked.call.allows = False
    assert asked.refused("rename", "a.py", symbol="greet", new_name="hello") == "[rename rejected by the user]"
    assert asked.files.contents == {path: text.encode() for path, text in PROJECT.items()}
    [proposal] = asked.call.proposals
    assert proposal.title == "rename greet → hello: 4 edit(s) in 2 file(s)"
    assert proposal.paths == ("/repo/a.py", "/repo/b.py")
    assert isinstance(proposal.preview, FilesPreview)
    assert [(each.shown, each.old_text, each.new_text) for each in proposal.preview.changes] == [
        (path, PROJECT[path], PROJECT[path].replace("greet", "hello")) for path in ("a.py", "b.py")
    ]
    assert (proposal.scope.key, proposal.scope.words) == ("edit:/repo/", "every file change under /repo")
    assert not asked.servers.noted


def test_rename_without_new_name_says_how_to_call_again() -> None:
    text = Asked().refused("rename", symbol="greet")
    assert text == (
        '[lsp: rename needs new_name — call lsp again with {"action": "rename", "path": "main.go", "symbol": "greet", '
        '"new_name": "<the new identifier>"}; do not use edit_file for a rename]'
    )
    assert '"path": "main.go", "line": 3, "column": 6, "new_name"' in Asked().refused("rename", line=3, column=6)


@pytest.mark.parametrize(
    "sent", [{"symbol": "greet 1 5 hello"}, {"symbol": "greet -> hello"}, {"symbol": "greet", "new_name": "`hello`, "}]
)
def test_symbol_with_several_words_holds_the_new_name_and_it_is_cleaned(sent: dict[str, Any]) -> None:
    assert in_words(PROJECT)("rename", "a.py", **sent).startswith("renamed to hello: 4 edit(s)")


@pytest.mark.parametrize(
    ("new_name", "part"),
    [
        ("1 bad", '"1 bad" is no identifier in python'),
        ("two words", '"two words" is no identifier in python'),
        ("a-b", '"a-b" is no identifier in python'),
        ("class", '"class" is a reserved word in python'),
        ("greet", '"greet" is the name already'),
    ],
)
@pytest.mark.parametrize("lacks", [(), (Feature.PREPARE_RENAME,)])
@pytest.mark.parametrize("place", [{"symbol": "greet"}, {"line": 1, "column": 5}])
def test_new_name_is_checked_here_whatever_the_server_would_take(
    new_name: str, part: str, lacks: tuple[Feature, ...], place: dict[str, Any]
) -> None:
    asked = in_words(PROJECT, lacks=lacks)
    assert part in asked.refused("rename", "a.py", new_name=new_name, **place)
    assert Feature.RENAME not in {each.feature for each in asked.servers.asked}


@pytest.mark.parametrize(
    ("shape", "count"),
    [
        (lambda found: {"changes": found}, 3),
        (lambda found: versioned({uri: some[::-1] for uri, some in found.items()}), 3),
        (one_entry_each, 3),
        (whole_text("plugin.close(plugin.x, plugin)\n"), 1),
        (lambda found: {"documentChanges": [], "changes": found}, 3),
        (lambda found: {**versioned(found), "changes": found}, 3),
    ],
)
def test_several_edits_on_one_line_split_documents_and_both_edit_forms(shape: Shape, count: int) -> None:
    """C50."""
    asked = in_words({"r.py": b"a.close(a.x, a)\n"}, shape)
    text = asked("rename", "r.py", symbol="a", new_name="plugin")
    assert text == f"renamed to plugin: {count} edit(s) in 1 file(s)\nr.py: {count} edit(s)"
    assert asked.files.contents == {"r.py": b"plugin.close(plugin.x, plugin)\n"}


def test_edits_count_utf_16_units() -> None:
    """C49 (2)."""
    asked = in_words({"e.py": 's = "\U0001f600"; foo = foo + 1\n'})
    asked("rename", "e.py", symbol="foo", new_name="total")
    assert asked.files.contents["e.py"].decode() == 's = "\U0001f600"; total = total + 1\n'


PIECES = ("foo", "bar", "foo_", " ", "\n", "\r\n", "\r", '"\U0001f600"', "é", "(", ".", "# foo", "\ufeff")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
CODECS = st.sampled_from(["utf-8", "utf-8-sig", "utf-16"])


@given(
    first=TEXTS,
    others=st.lists(TEXTS, max_size=3),
    codecs=st.lists(CODECS, min_size=4, max_size=4),
    shape=st.sampled_from([None, versioned, one_entry_each]),
)
def test_a_rename_changes_the_words_and_not_another_byte(
    first: str, others: list[str], codecs: list[str], shape: Shape | None
) -> None:
    texts = [f"foo = 1\n{first}", *others]
    contents = {f"{i}.py": text.encode(codec) for i, (text, codec) in enumerate(zip(texts, codecs, strict=False))}
    asked = in_words(contents, shape)
    text = asked("rename", "0.py", symbol="foo", new_name="b\xe4r2")
    counts = {}
    for path, data in contents.items():
        decoded = decode(data)
        assert isinstance(decoded, Text)
        counts[path] = len(words(decoded.content, "foo"))
        expected = re.sub(r"(?<!\w)foo(?!\w)", "b\xe4r2", decoded.content)
        assert asked.files.contents[path] == decoded.encode(expected)
    rows = [f"{path}: {count} edit(s)" for path, count in counts.items() if count]
    assert text == "\n".join([f"renamed to b\xe4r2: {sum(counts.values())} edit(s) in {len(rows)} file(s)", *rows])


def prepared(answer: object) -> Asked:
    """A server that renames words, and says this before it does."""
    files = MemoryFiles(PROJECT)
    server = WordServer(files, ["a.py"])
    return Asked(files, lambda asking: answer if asking.feature is Feature.PREPARE_RENAME else server(asking))


@pytest.mark.parametrize("place", [{"symbol": "greet"}, {"line": 1, "column": 6}])
@pytest.mark.parametrize(
    "answer", [stretch(0, 4, 9), {"range": stretch(0, 4, 9), "placeholder": "x"}, {"defaultBehavior": True}]
)
def test_prepare_rename_says_yes_in_three_forms(answer: object, place: dict[str, Any]) -> None:
    assert prepared(answer)("rename", "a.py", new_name="hello", **place).startswith("renamed to hello")


@pytest.mark.parametrize(
    "answer", [None, stretch(0, 0, 3), stretch(0, 3, 9), stretch(0, 9, 4), "?", {"defaultBehavior": False}]
)
def test_prepare_rename_says_no_or_means_something_else(answer: object) -> None:
    asked = prepared(answer)
    text = asked.refused("rename", "a.py", symbol="greet", new_name="hello")
    assert text.startswith("[lsp: the symbol at a.py:1:5 cannot be renamed")
    assert {each.feature for each in asked.servers.asked} == {Feature.PREPARE_RENAME}


@pytest.mark.parametrize(
    "asked", [prepared(None), prepared({"defaultBehavior": True}), in_words(PROJECT, lacks=[Feature.PREPARE_RENAME])]
)
def test_a_place_without_a_name_is_not_renamed(asked: Asked) -> None:
    text = asked.refused("rename", "a.py", line=1, column=12, new_name="hello")
    assert text.startswith("[lsp: the symbol at a.py:1:12 cannot be renamed")


def test_an_error_of_prepare_rename_is_told() -> None:
    text = prepared(ServerError("pyright", "not here")).refused("rename", "a.py", symbol="greet", new_name="hello")
    assert text == "[lsp: pyright: rename failed: not here]"


def test_a_server_that_is_not_ready_to_say_is_not_taken_for_one_that_says_no() -> None:
    text = prepared(Answer(None, settled=False)).refused("rename", "a.py", symbol="greet", new_name="hello")
    assert "still loading" in text


def test_the_first_place_that_can_be_renamed_decides() -> None:
    """What a server refuses at one place, another symbol of the same name must not get."""
    text = "# greet\ngreet = greet2\ngreet()\n"
    asked = in_words({"a.py": text}, lacks=[Feature.PREPARE_RENAME])
    asked("rename", "a.py", symbol="greet", new_name="hello")
    assert [each.position for each in asked.servers.asked if each.feature is Feature.RENAME] == [Position(1, 0)]

    def refusing(asking: Asking) -> Reply:
        return stretch(1, 0, 5) if asking.feature is Feature.PREPARE_RENAME else ServerError("pyright", "conflict")

    asked = Asked({"a.py": text}, refusing)
    refusal = asked.refused("rename", "a.py", symbol="greet", new_name="hello")
    assert refusal == "[lsp: pyright: rename failed: conflict]"
    assert [each.feature for each in asked.servers.asked] == [Feature.PREPARE_RENAME, Feature.RENAME]


DEF = (0, 4, 9)
REFUSED = {
    "perhaps a part": (Answer({"changes": edits("/repo/a.py", DEF)}, settled=False), "its edits may be only a part"),
    "create": ({"documentChanges": [{"kind": "create", "uri": "file:///repo/n.py"}]}, "would also create a file"),
    "move": ({"documentChanges": [{"kind": "rename", "oldUri": "file:///repo/a.py"}]}, "would also rename a file"),
    "no file": ({"changes": {"untitled:x": []} | edits("/repo/a.py", DEF)}, "untitled:x, which is no file"),
    "junk in an edit": ({"changes": {"file:///repo/a.py": [{"range": stretch(*DEF)}]}}, "could not be read"),
    "junk": (["?"], "could not be read"),
    "outside": ({"changes": edits("/repo/a.py", DEF) | edits("/lib/x.py", DEF)}, "/lib/x.py, which is outside"),
    "missing": ({"changes": edits("/repo/n.py", DEF)}, "would change n.py, which does not exist"),
    "binary": ({"changes": edits("/repo/bin", (0, 0, 1))}, "bin, which is not text (1 bytes)"),
    "legacy": ({"changes": edits("/repo/old.py", (0, 2, 7))}, "old.py is not UTF-8"),
    "overlapping": ({"changes": edits("/repo/a.py", DEF, (0, 8, 9))}, "overlap in a.py"),
    "past the end": ({"changes": edits("/repo/a.py", (9, 4, 9))}, "line 10 of a.py, which has 3"),
    "another word": ({"changes": edits("/repo/b.py", (0, 5, 6))}, 'b.py:1:6 from "a" to "hello"'),
    "a wrong column": ({"changes": edits("/repo/a.py", (0, 5, 10))}, 'a.py:1:6 from "greet(" to "ghello"'),
    "an insertion": ({"changes": edits("/repo/a.py", (0, 3, 3), new=" hello")}, "which is not this name"),
    "another version": (versioned(edits("/repo/a.py", DEF), 7), "a.py changed while pyright was asked"),
    "the same name": ({"changes": edits("/repo/a.py", DEF, new="greet")}, 'from "greet" to "greet"'),
    "the same text": ({"changes": edits("/repo/c.py", (0, 0, 5), new="x = 1")}, "the edits of pyright change nothing"),
    "half a character": ({"changes": edits("/repo/a.py", DEF, new="hello\ud83d")}, "the encoding of a.py"),
    "no edits": ({"changes": {}}, "cannot be renamed"),
    "null": (None, "cannot be renamed"),
}


@pytest.mark.parametrize("outside", ["refuse", "ask"])
@pytest.mark.parametrize(("answer", "part"), REFUSED.values(), ids=REFUSED)
def test_what_is_not_a_whole_rename_in_texts_of_the_project_is_refused_before_anybody_is_asked(
    answer: object, part: str, outside: Any
) -> None:
    """C57 (ii)."""
    contents: Contents = {**PROJECT, "bin": b"\0", "old.py": b"\xe9 greet\n", "/lib/x.py": "def greet(): pass\n"}
    files = MemoryFiles(contents, outside=outside)
    before = files.contents
    asked = Asked(files, {Feature.RENAME: answer})
    text = asked.refused("rename", "a.py", symbol="greet", new_name="hello")
    assert part in text
    assert text.startswith("[lsp: ")
    assert not asked.call.proposals
    assert files.contents == before


def test_edits_of_a_linked_file_under_both_names_are_one_files() -> None:
    asked = Asked(
        PROJECT, {Feature.RENAME: {"changes": edits("/repo/./b.py", (1, 6, 11)) | edits("/repo/b.py", (1, 0, 5))}}
    )
    text = asked("rename", "b.py", symbol="greet", new_name="hello")
    assert text == "renamed to hello: 2 edit(s) in 1 file(s)\nb.py: 2 edit(s)"
    assert asked.files.contents["b.py"] == b"from a import greet\nhello(hello)\n"


def test_legacy_bytes_beside_the_name_stay() -> None:
    contents: Contents = {"a.py": "def greet():\n    pass\n", "old.py": b"greet()  # \xe9\xff\r\n"}
    found = edits("/repo/a.py", DEF) | edits("/repo/old.py", (0, 0, 5))
    asked = Asked(contents, {Feature.RENAME: {"changes": found}})
    asked("rename", "a.py", symbol="greet", new_name="hello")
    assert asked.files.contents["old.py"] == b"hello()  # \xe9\xff\r\n"


@pytest.mark.parametrize("failing", ["a.py", "b.py", "c.py"])
def test_a_rename_of_which_one_file_cannot_be_written_changes_none(failing: str) -> None:
    """C57 (i)."""
    contents = {path: f"greet = {path!r}\n" for path in ("a.py", "b.py", "c.py")}
    asked = in_words(contents)
    asked.files.fail(failing, WriteFailed, "file too large", when="written")
    text = asked.refused("rename", "a.py", symbol="greet", new_name="hello")
    assert text.startswith(f"[lsp: nothing was renamed: {failing} could not be written (file too large)")
    assert asked.files.contents == {path: text.encode() for path, text in contents.items()}
    assert asked.servers.noted == [("/repo/a.py", "/repo/b.py", "/repo/c.py")]


class FewWrites(MemoryFiles):
    """Files that let only so many writes through, those that put bytes back included."""

    def __init__(self, contents: Contents, writes: int) -> None:
        super().__init__(contents)
        self.writes = writes

    def replace(self, before: Snapshot, data: bytes) -> Replaced:
        if self.writes == 0:
            raise WriteFailed(before.place, "no space left")
        self.writes -= 1
        return super().replace(before, data)


def test_files_that_cannot_be_put_back_are_named() -> None:
    files = FewWrites({f"{name}.py": "greet\n" for name in "abc"}, writes=2)
    asked = Asked(files, WordServer(files, ["a.py", "b.py", "c.py"]))
    text = asked.refused("rename", "a.py", symbol="greet", new_name="hello")
    assert "stopped half-way: c.py could not be written" in text
    assert "2 file(s) hold the new name and could not be put back" in text
    assert "\n- b.py" in text
    assert "\n- a.py" in text


def test_an_interrupt_between_two_files_puts_the_first_one_back() -> None:
    class Interrupted(MemoryFiles):
        def replace(self, before: Snapshot, data: bytes) -> Replaced:
            if before.place.requested == "b.py":
                raise KeyboardInterrupt
            return super().replace(before, data)

    files = Interrupted(PROJECT)
    asked = Asked(files, WordServer(files, list(PROJECT)))
    with pytest.raises(KeyboardInterrupt):
        asked("rename", "a.py", symbol="greet", new_name="hello")
    assert files.contents == UNTOUCHED
    assert asked.servers.noted == [("/repo/a.py", "/repo/b.py")]


@pytest.mark.parametrize("path", ["a.py", "b.py"])
def test_a_file_that_changes_while_the_question_is_open_stops_the_whole_rename(path: str) -> None:
    asked = in_words(PROJECT)

    class Answering(StubCall):
        def approve(self, proposal: Proposal) -> None:
            asked.files.put(path, "something else\n")

    with pytest.raises(ToolFailure, match=f"nothing was renamed: {path} changed in the meantime"):
        asked("rename", "a.py", symbol="greet", new_name="hello", call=Answering())
    assert asked.files.contents == {**UNTOUCHED, path: b"something else\n"}


def changed_after(answer: Callable[[Asking], Reply], files: MemoryFiles) -> Callable[[Asking], Reply]:
    def reply(asking: Asking) -> Reply:
        found = answer(asking)
        if asking.feature is Feature.RENAME:
            files.put("a.py", "\n" + PROJECT["a.py"])
        return found

    return reply


def test_a_file_that_is_not_what_the_server_was_sent_stops_the_rename() -> None:
    files = MemoryFiles(PROJECT)
    asked = Asked(files, changed_after(WordServer(files, list(PROJECT)), files))
    text = asked.refused("rename", "a.py", symbol="greet", new_name="hello")
    assert text == "[lsp: nothing was renamed: a.py changed while pyright was asked — call again]"


def test_with_a_ledger_every_file_must_have_been_read_and_is_known_afterwards() -> None:
    ledger = Ledger()
    asked = in_words(PROJECT, ledger=ledger)
    ledger.saw("/repo/a.py", fingerprint(b"older"))
    text = asked.refused("rename", "a.py", symbol="greet", new_name="hello")
    assert text.splitlines() == [
        "a.py changed since it was read; nothing was written. Read it again, then repeat the change",
        "b.py was not read yet; nothing was written. Read it first, then repeat the change",
    ]
    assert not asked.call.proposals
    for path, content in asked.files.contents.items():
        ledger.saw(f"/repo/{path}", fingerprint(content))
    asked("rename", "a.py", symbol="greet", new_name="hello")
    asked("rename", "a.py", symbol="hello", new_name="greet")
    assert asked.files.contents == UNTOUCHED


def test_a_symbol_beside_the_given_place_is_the_one_that_is_renamed() -> None:
    asked = in_words({"a.py": "greet = other\n"})
    asked("rename", "a.py", symbol="other", line=1, column=3, new_name="hello")
    assert asked.files.contents == {"a.py": b"greet = hello\n"}


def test_a_rename_of_many_files_lists_what_fits() -> None:
    contents = {f"{number:03}.py": "greet\n" for number in range(100)}
    asked = in_words(contents, max_output=500)
    text = asked("rename", "000.py", symbol="greet", new_name="hello")
    assert text.startswith("renamed to hello: 100 edit(s) in 100 file(s)\n000.py: 1 edit(s)\n")
    assert "more lines are not shown; all were changed" in text
    assert set(asked.files.contents.values()) == {b"hello\n"}
