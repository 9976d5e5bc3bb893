"""A line cut into simple commands: wherever they stand, and what cannot be followed is said."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.shell.cursor import Why
from mmtools.core.shell.reader import expanded, read


def commands(line: str) -> list[str]:
    """Return the commands in a line of which every word is known."""
    found = (command.words for command in read(line).commands)
    return [
        " ".join(word.text for word in words)
        for words in found
        if words and all(word.value is not None for word in words)
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a; b & c && d || e | f |& g\nh", list("abcdefgh")),
        ("(a; b) | { c; }", ["a", "b", "c"]),
        ("if a; then b; elif c; then d; else e; fi", list("abcde")),
        ("while a; do b; done; until c; do d; done", list("abcd")),
        ("for i in $(a); do b $i; done", ["a"]),
        ("for ((i=$(a); i<1; i++)); do b; done", ["a", "b"]),
        ("select i in x; do a; done", ["a"]),
        ("case $(a) in x|y) b;; (z) c;& *) d;; esac; e", list("abcde")),
        ("case x in x) case y in y) a;; esac;; z) b;; esac; c", ["a", "b", "c"]),
        ("f() { a; }; f", ["a", "f"]),
        ("function f { a; }; function g() (b); f", ["a", "b", "f"]),
        ("coproc a; coproc N { b; }; coproc { c; }", ["a", "b", "c"]),
        ("time a; time -p b; time -p -- c; ! d", ["a", "b", "c", "d"]),
        ("[[ -n $(a) && (x < y) ]] && b", ["a", "b"]),
        ("(( 1 << $(a) )); b", ["a", "b"]),
        ("((a); b)", ["a", "b"]),
        ("x $(a) `b` <(c) >(d) ${e:-$(f)} $((1 + $(g)))", ["a", "b", "c", "d", "f", "g"]),
        ('x "$(a "`b`")" "${y:+`c`}"', ["b", "c"]),
        ("a=$(b) c=(1 $(d) # x\n2) e", ["b", "d", "e"]),
        ("a[ #]=1; b", ["b"]),
        ("a >f 2>&1 {fd}>g <<< b c", ["a c"]),
        ("a\\ #; b", ["a #", "b"]),
        ("a $(b)#; c", ["b", "c"]),
        ("a # b\nc", ["a", "c"]),
        ("a \r#; b", ["a \r#", "b"]),
        ("if a; th\\\nen b; fi", ["a", "b"]),
        ("a <&-b 2>&-c; d >& -e 3>&1-", ["a b c", "d e"]),
        ("a <<E; b\n'$(c)\nE\nd", ["c", "b", "a", "d"]),
        ("a <<'E'\n$(b)\nE\nc", ["a", "c"]),
        ("a <<-E\n\t\\\n\tE\nb", ["a", "b"]),
        ("a <<E\nx\\\nE\n'\nE\nb", ["a", "b"]),
    ],
)
def test_commands_are_found_wherever_they_stand(line: str, expected: list[str]) -> None:
    reading = read(line)
    assert reading.trouble is None
    assert sorted(commands(line)) == sorted(expected)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("a 'b", Why.UNCLOSED),
        ("a $(b", Why.UNCLOSED),
        ("(a", Why.UNCLOSED),
        ("a <<E\nb", Why.UNCLOSED),
        ("a )", Why.UNEXPECTED),
        ("a !(b|c)", Why.UNEXPECTED),
        ("a ${b@P}", Why.EVALUATED),
        ("(( 'a[$(b <<E c)]' )); d", Why.EVALUATED),
        ("a $((b $(case x in (x) c;; esac); d))", Why.EVALUATED),
        ("a ${ b; }", Why.UNEXPECTED),
        ('a "$\\\n(b)"', Why.UNEXPECTED),
        ("a &\\\n& b", Why.UNEXPECTED),
        ("{f\\\nd}>o a", Why.UNEXPECTED),
        ("$(" * 50, Why.TOO_DEEP),
        ("(" * 50, Why.TOO_DEEP),
        ("a" * 70_000, Why.TOO_LONG),
        ("x $({ a\n} <<E\nb\nE\nc; d)", Why.UNEXPECTED),
        ("a <<E $(\nb)\nE", Why.UNEXPECTED),
    ],
)
def test_what_cannot_be_followed_is_said(line: str, why: Why) -> None:
    trouble = read(line).trouble
    assert trouble is not None
    assert trouble.why is why


@pytest.mark.parametrize("piece", ["$((", "((", "(", "$(", "${", "`", "[[ ", "case x in ", "<<E ", "a=(", '"$[', "{ "])
def test_what_is_made_to_exhaust_the_reader_ends(piece: str) -> None:
    for end in ("", "1", "))" * 30):
        read(piece * (60_000 // len(piece)) + end)
        read(piece * 30 + end)


def test_a_here_document_and_a_here_string_are_what_a_command_reads() -> None:
    document, string = read("a <<'E'\nb $c\nE\n").commands[0], read("a <<< 'b c'").commands[0]
    assert document.input is not None
    assert document.input.value == "b $c\n"
    assert string.input is not None
    assert string.input.value == "b c"


def test_a_text_that_is_expanded_holds_commands_only_in_its_substitutions() -> None:
    assert [command.words[0].value for command in expanded("a; 'b $(c) `d`").commands] == ["c", "d"]


@given(st.text(st.sampled_from("ab $`'\"\\(){}[]<>&|;\n#=!~*?,-1i"), max_size=40) | st.text(max_size=20))
def test_every_text_can_be_read(line: str) -> None:
    read(line)
    expanded(line)


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("{a}", True),
        ("{}", True),
        ("a,b{c}d,e", True),
        ("a..{b}", True),
        ("{a,b}", False),
        ("{a..b}", False),
        ("{a}{b,c}", False),
        ("{a{b}c,d}", False),
        ("{.{a}.}", True),
        ("{.{a}.." + "}", False),
        ("{a}" * 9_000, True),
    ],
)
def test_braces_stay_as_they_are_without_a_comma_or_two_dots(word: str, *, known: bool) -> None:
    (command,) = read(f"x {word}").commands
    assert (command.words[1].value is not None) is known
