"""The depth of JSON, against its definition."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mmtools.adapters.mcp.nesting import is_deeper

values = st.recursive(
    st.none() | st.integers(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=1), inner, max_size=2),
)


def depth(value: Any) -> int:
    children = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, children), default=0)


@given(values, st.integers(0, 8))
def test_the_depth_is_that_of_the_deepest_value(value: Any, levels: int) -> None:
    assert is_deeper(value, levels) == (depth(value) > levels)


def test_no_depth_is_too_deep_to_be_told() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    assert is_deeper(value)
