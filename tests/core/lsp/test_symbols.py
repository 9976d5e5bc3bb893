"""What a model writes becomes an identifier; where it stands is tried in code before comments."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.languages import Language, language
from mmtools.core.lsp.positions import Document, NoSuchColumn, NoSuchLine
from mmtools.core.lsp.symbols import MAX_TRIES, NotFound, Pointed, Pointing, find, occurrences, symbol_and_name

GO, PYTHON, RUBY = language("a.go"), language("a.py"), language("a.rb")


def clean(sent: str, known: Language = GO) -> str:
    return symbol_and_name(sent, "", known)[0]


@pytest.mark.parametrize(
    "sent",
    [
        "Greet",
        " Greet\n",
        "`Greet', ",
        '"Greet"',
        "'Greet'",
        "“Greet”",
        "Greet()",
        "Greet();",
        "Greet(name)",
        "Greet(name string, n int)",
        "Greet (name string)",
        "Greet(f(x), y)",
        "Greet(",
        "(Greet)",
        "[Greet]",
        "<Greet>",
        "{Greet}",
        "Greet<T>",
        "Greet[int]",
        "Greet[0].",
        "*Greet",
        "&Greet",
        "!Greet",
        "~Greet",
        "person.Greet",
        "person.Greet()",
        "person.Greet(a.b)",
        "a.b.c.Greet",
        "person?.Greet",
        "pkg::Greet",
        "std::vector<int>::Greet",
        "p->Greet",
        "Person#Greet",
        "(*Person).Greet",
        "new().Greet",
        "new(a, b).Greet()",
        "obj:Greet",
        "Greet.",
        "Greet:12",
        "Greet 9 14",
        "9 14 Greet",
        "main.go:Greet",
        "@Greet",
        "Greet,Hello",
        "Greet, Hello",
        "Greet=1",
        "**Greet**",
        "Greet→x",
    ],
)
def test_what_surrounds_an_identifier_goes(sent: str) -> None:
    assert clean(sent) == "Greet"


@pytest.mark.parametrize("sent", ["", " ", "()", "12", "...", "'", "-> ::", "(", "{{{", "9x", "\U0001f600"])
def test_nothing_is_left_of_what_holds_no_identifier(sent: str) -> None:
    assert clean(sent) == ""


@pytest.mark.parametrize(
    ("path", "sent", "symbol"),
    [
        ("a.ts", "$scope", "$scope"),
        ("a.ts", "this.#secret", "secret"),
        ("a.php", "$this->$name", "name"),
        ("a.sh", "${HOME}", "HOME"),
        ("a.rb", "user.valid?", "valid?"),
        ("a.rb", "@name", "@name"),
        ("a.rs", "'Greet'", "Greet"),
        ("a.rs", "std::Vec::<u8>::new", "new"),
        ("a.css", "var(--main)", "var"),
        ("a.py", "größe.名前", "名前"),
        ("a.py", "e\u0301", "e\u0301"),
        ("a.hs", "go'", "go'"),
        ("a.py", "_", "_"),
        ("a.py", "__init__()", "__init__"),
    ],
)
def test_what_belongs_to_a_name_in_its_language_stays(path: str, sent: str, symbol: str) -> None:
    assert clean(sent, language(path)) == symbol


@pytest.mark.parametrize(
    ("symbol", "new_name", "expected"),
    [
        ("Greet", "Hello", ("Greet", "Hello")),
        ("person.Greet()", "`person.Hello`,", ("Greet", "Hello")),
        ("Greet 1 12 Hello", "", ("Greet", "Hello")),
        ("person.Greet 1 12 person.Hello", "", ("Greet", "Hello")),
        ("'Greet', 'Hello'", "", ("Greet", "Hello")),
        ("Greet -> Hello", "", ("Greet", "Hello")),
        ("Greet => Hello", "", ("Greet", "Hello")),
        ("Greet→Hello", "", ("Greet", "Hello")),
        ("Greet to Hello", "", ("Greet", "Hello")),
        ("Greet->Hello", "", ("Hello", "")),
        ("Greet 1 12", "", ("Greet", "")),
        ("Greet", " ", ("Greet", "")),
        ("Greet 1 12 Hello", "World", ("Greet", "World")),
        ("", "Hello", ("", "Hello")),
        ("12", "", ("", "")),
        ("Greet", "1 bad", ("Greet", "1 bad")),
        ("Greet", "two words", ("Greet", "two words")),
        ("Greet", "a-b", ("Greet", "a-b")),
        ("Greet", "9lives", ("Greet", "9lives")),
        ("Greet", "bad!name", ("Greet", "bad!name")),
        ("Greet", " (", ("Greet", "(")),
        ("Greet 1 12 a-b", "", ("Greet", "a-b")),
        ("Greet", "Hello()", ("Greet", "Hello")),
        ("Greet", "Hello!", ("Greet", "Hello")),
    ],
)
def test_a_rename_names_two_and_a_bad_new_name_stays_bad(symbol: str, new_name: str, expected: tuple[str, str]) -> None:
    assert symbol_and_name(symbol, new_name, GO) == expected


def test_a_new_name_keeps_its_question_mark_where_names_have_one() -> None:
    assert symbol_and_name("valid?", "user.okay?", RUBY) == ("valid?", "okay?")


@given(st.text(st.sampled_from("aZ_1é .:->#()[]{}<>'\"`,;=*&!?@$\n\U0001f600"), max_size=20) | st.text())
def test_a_cleaned_symbol_is_an_identifier_or_nothing(sent: str) -> None:
    for known in (GO, PYTHON, RUBY, language("a.ts"), language("a.clj")):
        symbol = clean(sent, known)
        assert symbol == "" or known.names.accepts(symbol)
        assert symbol in sent
        assert clean(symbol, known) == symbol
        symbol_and_name(sent, sent, known)
        symbol_and_name(sent, "", known)


def test_a_huge_symbol_is_no_trouble() -> None:
    assert clean("(" * 500_000 + ")" * 500_000) == ""
    assert clean("Greet" + "[" * 1_000_000) == "Greet"


# Where it stands.


def test_code_comes_first_and_comments_last_each_in_order() -> None:
    text = "// foo 1\nfoo(a) // foo 2\n/* foo\n foo */ foo()\n"
    found = occurrences(text, "foo", GO)
    assert found == (9, 40, 3, 19, 28, 33)


@pytest.mark.parametrize(
    ("path", "text", "symbol", "count"),
    [
        ("a.go", "foo food afoo foo_ _foo foo1 foo", "foo", 2),
        ("a.go", "foo.foo(foo)->foo::foo", "foo", 5),
        ("a.ts", "$foo foo$ foo", "foo", 1),
        ("a.php", "$foo foo", "foo", 2),
        ("a.py", "föfoo foo\u0301 foo", "foo", 1),
        ("a.rb", "foo? foo! @foo foo", "foo", 2),
        ("a.rb", "foo? foo", "foo?", 1),
        ("a.go", "", "foo", 0),
        ("a.go", "foo", "", 0),
        ("a.go", "aaa aa", "aa", 1),
    ],
)
def test_only_whole_identifiers_are_occurrences(path: str, text: str, symbol: str, count: int) -> None:
    assert len(occurrences(text, symbol, language(path))) == count


def test_a_line_restricts_the_search() -> None:
    text = "foo\r\nfoo # foo\r\nfoo\r\n"
    span = Document(text).line_span(2)
    assert isinstance(span, tuple)
    assert occurrences(text, "foo", PYTHON, within=span) == (5, 11)
    assert occurrences(text, "foo", PYTHON, within=(0, 3)) == (0,)
    assert occurrences("food", "foo", PYTHON, within=(0, 3)) == ()


def test_only_so_many_are_tried_and_code_has_precedence() -> None:
    text = "# foo\n" * 40 + "foo\n" * 10
    found = occurrences(text, "foo", PYTHON)
    assert len(found) == MAX_TRIES
    assert [text[offset - 1] for offset in found] == ["\n"] * 10 + [" "] * (MAX_TRIES - 10)
    assert len(occurrences("foo\n" * 1_000, "foo", PYTHON)) == MAX_TRIES


@given(st.text(st.sampled_from("ab_1 #\n.$"), max_size=40), st.sampled_from(["a", "ab", "b_", "_"]))
def test_occurrences_are_what_a_pattern_finds(text: str, symbol: str) -> None:
    found = [each.start() for each in re.finditer(rf"(?<!\w){symbol}(?!\w)", text)]
    in_comment = [offset for offset in found if "#" in text[text.rfind("\n", 0, offset) + 1 : offset]]
    in_code = [offset for offset in found if offset not in in_comment]
    assert occurrences(text, symbol, PYTHON) == tuple([*in_code, *in_comment][:MAX_TRIES])


# A name, a place, or both.

PIECES = ["foo", "fo", "bar", "x", " ", "(", ".", "\n", "\r\n", "# foo", '"\U0001f600"', "é"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
SYMBOLS = st.sampled_from(["foo", "fo", "x", "bar", "é", "qux"])


def whole(text: str, symbol: str) -> list[int]:
    """Where a name stands alone, by regular expression."""
    return [found.start() for found in re.finditer(rf"(?<!\w){symbol}(?!\w)", text)]


def line_of(text: str, offset: int) -> int:
    return 1 + text.count("\n", 0, offset)


@given(TEXTS, SYMBOLS)
def test_a_name_alone_is_found_wherever_it_stands_whole(text: str, symbol: str) -> None:
    found = find(Document(text), Pointed(symbol=symbol), PYTHON)
    expected = whole(text, symbol)
    assert sorted(found) == expected if isinstance(found, tuple) else expected == []


@given(TEXTS, SYMBOLS, st.integers(1, 9))
def test_a_line_restricts_to_itself_and_tells_the_other_lines(text: str, symbol: str, line: int) -> None:
    found = find(Document(text), Pointed(symbol=symbol, line=line), PYTHON)
    lines = text.count("\n") + (text != "" and not text.endswith("\n"))
    here = [offset for offset in whole(text, symbol) if line_of(text, offset) == line]
    expected: Pointing
    if line > lines:
        expected = NoSuchLine(lines)
    elif here:
        assert isinstance(found, tuple)
        assert sorted(found) == here
        return
    else:
        expected = NotFound(tuple(sorted({line_of(text, offset) for offset in whole(text, symbol)})))
    assert found == expected


@given(TEXTS, st.integers(1, 9), st.integers(1, 20))
def test_a_place_alone_is_exact_or_refused(text: str, line: int, column: int) -> None:
    found = find(Document(text), Pointed(line=line, column=column), PYTHON)
    lines = [each.removesuffix("\r") for each in text.split("\n")]
    if text.endswith("\n") or not text:
        lines.pop()
    if line > len(lines):
        assert found == NoSuchLine(len(lines))
    elif column > len(lines[line - 1]) + 1:
        assert found == NoSuchColumn(len(lines[line - 1]))
    else:
        assert isinstance(found, tuple)
        [offset] = found
        assert line_of(text, offset) == line
        assert offset - (text.rfind("\n", 0, offset) + 1) == column - 1


@given(TEXTS, SYMBOLS, st.integers(1, 9), st.integers(1, 20))
def test_with_a_name_a_place_never_means_another_name(text: str, symbol: str, line: int, column: int) -> None:
    document = Document(text)
    found = find(document, Pointed(symbol=symbol, line=line, column=column), PYTHON)
    exact = find(document, Pointed(line=line, column=column), PYTHON)
    if not isinstance(exact, tuple):
        assert found == exact
    elif isinstance(found, tuple):
        assert all(PYTHON.names.at(text, offset) == symbol for offset in found)
        assert {line_of(text, offset) for offset in found} == {line}
        distances = [abs(offset - exact[0]) for offset in found]
        assert distances == sorted(distances)
    else:
        assert not [offset for offset in whole(text, symbol) if line_of(text, offset) == line]


def test_zero_as_a_line_is_none_and_less_is_nowhere() -> None:
    assert find(Document("foo"), Pointed(symbol="foo", line=0, column=7), PYTHON) == (0,)
    assert find(Document("foo"), Pointed(line=-1, column=1), PYTHON) == NoSuchLine(1)
    assert find(Document("foo"), Pointed(line=1, column=-1), PYTHON) == NoSuchColumn(3)
