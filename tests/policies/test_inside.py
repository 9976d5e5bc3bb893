"""What a shell reads: words that are joined, one word, the input."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.shell.words import Command, Word
from mmtools.policies.inside import DoubtKind, as_input, as_joined, as_line

WORDS = st.builds(Word, st.text(max_size=4), st.none() | st.text(max_size=4))


@given(st.lists(WORDS, min_size=1, max_size=4))
def test_words_are_a_line_when_all_are_known(words: list[Word]) -> None:
    found = as_joined(words)
    values = [word.value for word in words]
    if None in values:
        assert found.doubt
        assert (found.doubt.kind, found.doubt.near) == (DoubtKind.TEXT, words[values.index(None)].raw)
        assert not found.lines
    else:
        assert found.lines == [" ".join(value for value in values if value is not None)]
        assert found.doubt is None


@given(WORDS)
def test_the_input_is_a_line_when_it_is_known(word: Word) -> None:
    shell = Word("sh", "sh")
    assert as_input(Command(words=(shell,), input=word)) == as_line(word)
    unknown = as_input(Command(words=(shell,)))
    assert unknown.doubt
    assert (unknown.doubt.kind, unknown.doubt.near) == (DoubtKind.INPUT, "sh")
