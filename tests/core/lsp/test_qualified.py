"""How close a place is to what a qualified name says, told by what encloses it and what is written before it."""

from __future__ import annotations

import re

import pytest

from mmtools.core.lsp.languages import language
from mmtools.core.lsp.outlines import Declared
from mmtools.core.lsp.qualified import Nearness, nearness
from mmtools.core.lsp.symbols import Pointed

TEXT = "class A:\n    def run(self): pass\nclass B:\n    def run(self): pass\nB().run()\nx.run()\nb.B.run\n"
PLACES = [place.start() for place in re.finditer("run", TEXT)]
DECLARED = [
    Declared(("A",), "run", PLACES[0], PLACES[0] + 18),
    Declared(("B",), "run", PLACES[1], PLACES[1] + 18),
]


def close(qualifiers: tuple[str, ...]) -> list[Nearness]:
    pointed = Pointed(symbol="run", qualifiers=qualifiers)
    found = nearness(TEXT, "m.py", pointed, PLACES, DECLARED, language("m.py"))
    return [found[place] for place in PLACES]


@pytest.mark.parametrize(
    ("qualifiers", "expected"),
    [
        (("A",), "DECLARED UNRELATED UNRELATED UNRELATED UNRELATED"),
        (("B",), "UNRELATED DECLARED WRITTEN UNRELATED WRITTEN"),
        (("b", "B"), "UNRELATED UNRELATED PARTLY_WRITTEN UNRELATED WRITTEN"),
        (("m", "B"), "UNRELATED DECLARED PARTLY_WRITTEN UNRELATED PARTLY_WRITTEN"),
        (("x",), "UNRELATED UNRELATED UNRELATED WRITTEN UNRELATED"),
        (("C",), "UNRELATED UNRELATED UNRELATED UNRELATED UNRELATED"),
    ],
)
def test_a_declaration_inside_comes_before_what_is_written_so(qualifiers: tuple[str, ...], expected: str) -> None:
    assert [each.name for each in close(qualifiers)] == expected.split()
