"""Messages as servers really send them, into those of the SDK."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from mmtools.adapters.mcp.transports import understood

keys = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "code", "message"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=8,
)


@given(st.dictionaries(keys, values, max_size=5))
def test_whatever_comes_is_a_message_or_nothing(message: dict[str, Any]) -> None:
    known = understood(message)
    number = message.get("id")
    if "method" not in message and isinstance(number, int | str) and not isinstance(number, bool):
        assert isinstance(known, JSONRPCResponse | JSONRPCError)
        assert known.id == number


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ({"id": 1, "result": {}}, JSONRPCResponse),
        ({"id": 1.0, "result": {}, "error": None}, JSONRPCResponse),
        ({"jsonrpc": "1.0", "id": "1", "result": {"a": None}}, JSONRPCResponse),
        ({"id": 1, "result": "text"}, JSONRPCError),
        ({"id": 1, "result": None}, JSONRPCError),
        ({"id": 1, "result": {}, "error": {"code": -1, "message": "no"}}, JSONRPCError),
        ({"id": 1, "error": "no"}, JSONRPCError),
        ({"id": 1, "error": {"code": "x"}}, JSONRPCError),
        ({"id": 1, "method": "ping", "params": None}, JSONRPCRequest),
        ({"method": "a/b"}, JSONRPCNotification),
        ({"method": 7}, type(None)),
        ({"id": True, "result": {}}, type(None)),
        ({"result": {}}, type(None)),
    ],
)
def test_sloppy_messages(message: dict[str, Any], kind: type) -> None:
    assert isinstance(understood(message), kind)


def test_an_error_keeps_its_words() -> None:
    known = understood({"id": 1, "error": {"code": "x", "message": "out of paper", "data": [1]}})
    assert isinstance(known, JSONRPCError)
    assert (known.error.message, known.error.data) == ("out of paper", [1])
