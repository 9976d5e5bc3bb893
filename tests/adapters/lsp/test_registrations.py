"""What servers register after their start."""

from __future__ import annotations

import pytest

from mmtools.adapters.lsp.registrations import Registrations


def entry(id_: object, method: object, options: object = None) -> dict[str, object]:
    return {"id": id_, "method": method, "registerOptions": options}


@pytest.mark.parametrize("key", ["unregisterations", "unregistrations"])
def test_a_method_is_registered_until_its_last_registration_goes(key: str) -> None:
    registrations = Registrations()
    assert registrations.options("m") is None
    registrations.add({"registrations": [entry("a", "m", {"x": 1}), entry("b", "n")]})
    registrations.add({"registrations": [entry("c", "m", {"x": 2})]})
    assert registrations.options("m") == {"x": 1}
    assert registrations.options("n") == {}
    registrations.remove({key: [{"id": "a", "method": "m"}]})
    assert registrations.options("m") == {"x": 2}
    registrations.remove({key: [{"id": "c"}, {"id": "never"}]})
    assert registrations.options("m") is None


@pytest.mark.parametrize(
    "params",
    [None, 3, [], {}, {"registrations": 1}, {"registrations": [None, 3, {}, entry(1, "m"), entry("a", 2)]}],
)
def test_what_makes_no_sense_is_passed_over(params: object) -> None:
    registrations = Registrations()
    registrations.add(params)
    registrations.remove(params)
    assert registrations.options("m") is None
