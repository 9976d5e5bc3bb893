"""Characters are as long as the codecs say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmtools.core.lsp.code_units import Units, fitting, width

CHARACTERS = st.text(st.sampled_from("ab é漢\u0301\U0001f600\U0001d518"), max_size=12)
SIZES = {
    Units.UTF8: lambda part: len(part.encode("utf-8")),
    Units.UTF16: lambda part: len(part.encode("utf-16-le")) // 2,
    Units.UTF32: lambda part: len(part.encode("utf-32-le")) // 4,
}


@given(CHARACTERS, st.sampled_from(Units))
def test_a_width_is_the_encoded_length(part: str, units: Units) -> None:
    assert width(part, units) == SIZES[units](part)


@given(CHARACTERS, st.integers(0, 60) | st.integers(0), st.sampled_from(Units))
def test_as_many_whole_characters_fit_as_can(line: str, most: int, units: Units) -> None:
    assert fitting(line, most, units) == max(
        count for count in range(len(line) + 1) if SIZES[units](line[:count]) <= most
    )


@pytest.mark.parametrize("units", Units)
@given(st.text(st.characters(), max_size=12), st.integers(0, 60))
def test_half_a_character_in_the_text_is_no_trouble(units: Units, line: str, most: int) -> None:
    count = fitting(line, most, units)
    assert width(line[:count], units) <= most or count == 0
