"""What a server asked to be told or asked, after its start."""

from __future__ import annotations

from collections.abc import Mapping

from mmtools.core.lsp import wire

__all__ = ["Registrations"]


class Registrations:
    """The methods that a server registered, with their options. Written by one thread, read by any."""

    def __init__(self) -> None:
        self._by_id: dict[str, tuple[str, Mapping[str, object]]] = {}

    def add(self, params: object) -> None:
        """Take the parameters of `client/registerCapability`."""
        for entry in map(wire.object_, wire.sequence(wire.object_(params).get("registrations"))):
            id_, method = wire.text(entry.get("id")), wire.text(entry.get("method"))
            if id_ is not None and method is not None:
                self._by_id[id_] = (method, wire.object_(entry.get("registerOptions")))

    def remove(self, params: object) -> None:
        """Take the parameters of `client/unregisterCapability`, with the protocol's own misspelling or without it."""
        members = wire.object_(params)
        entries = members.get("unregisterations") or members.get("unregistrations")
        for entry in map(wire.object_, wire.sequence(entries)):
            self._by_id.pop(wire.text(entry.get("id")) or "", None)

    def options(self, method: str) -> Mapping[str, object] | None:
        """Return the options of a method's registration; None when there is none."""
        return next((options for name, options in list(self._by_id.values()) if name == method), None)
