"""What each side says that it can do, and the settings that a server asks for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from attrs import frozen

from mmtools.core.lsp import uris, wire
from mmtools.core.lsp.positions import Units
from mmtools.ports.language_servers import Feature

__all__ = ["Offers", "configuration", "folders", "initialize", "nested", "offers"]

#: Enough for every server that was tried, and no more. `resourceOperations` is left out, so that a rename is
#: edits of texts and nothing else; so is every position encoding but one, for some servers get the others wrong.
_CAPABILITIES: Mapping[str, Any] = {
    "general": {"positionEncodings": ["utf-16"]},
    "window": {"workDoneProgress": True, "showDocument": {"support": False}},
    "workspace": {
        "applyEdit": True,
        "configuration": True,
        "workspaceFolders": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
        "workspaceEdit": {"documentChanges": True, "failureHandling": "abort"},
    },
    "textDocument": {
        "synchronization": {"didSave": True},
        "hover": {"contentFormat": ["markdown", "plaintext"]},
        "definition": {"linkSupport": True},
        "references": {},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "rename": {"prepareSupport": True},
        "publishDiagnostics": {"versionSupport": True, "relatedInformation": False},
        "diagnostic": {"dynamicRegistration": True},
    },
    # rust-analyzer tells by it when it knows the project.
    "experimental": {"serverStatusNotification": True},
}

_PROVIDERS = {
    Feature.DEFINITION: "definitionProvider",
    Feature.REFERENCES: "referencesProvider",
    Feature.HOVER: "hoverProvider",
    Feature.SYMBOLS: "documentSymbolProvider",
    Feature.RENAME: "renameProvider",
}


@frozen(kw_only=True)
class Offers:
    """
    What a server says that it can do.

    Args:
        wants_saves: It is told when a file is saved; `saves_hold_text`: with the text.
        pulls: The options of pulled diagnostics; None without them.
    """

    units: Units = Units.UTF16
    features: frozenset[Feature] = frozenset()
    wants_saves: bool = False
    saves_hold_text: bool = False
    pulls: Mapping[str, object] | None = None


def folders(root: str) -> list[dict[str, str]]:
    """Return the one workspace folder."""
    return [{"uri": uris.from_path(root), "name": os.path.basename(root) or root}]


def initialize(root: str, options: object) -> dict[str, object]:
    """
    Return the parameters of `initialize`.

    Args:
        options: The server's own; None for none, which is left out: some servers do not survive a null.
    """
    return {
        "processId": os.getpid(),
        "clientInfo": {"name": "mmtools"},
        "rootPath": root,
        "rootUri": uris.from_path(root),
        "workspaceFolders": folders(root),
        **({} if options is None else {"initializationOptions": options}),
        "capabilities": _CAPABILITIES,
    }


def offers(result: object) -> Offers:
    """Decode the answer to `initialize`."""
    members = wire.object_(result)
    told = wire.object_(members.get("capabilities"))
    features = {feature for feature, name in _PROVIDERS.items() if _is_offered(told.get(name))}
    if wire.object_(told.get("renameProvider")).get("prepareProvider") is True:
        features.add(Feature.PREPARE_RENAME)
    save = wire.object_(told.get("textDocumentSync")).get("save")
    pulls = told.get("diagnosticProvider")
    return Offers(
        units=_units(told.get("positionEncoding") or members.get("offsetEncoding")),
        features=frozenset(features),
        wants_saves=_is_offered(save),
        saves_hold_text=wire.object_(save).get("includeText") is True,
        pulls=wire.object_(pulls) if _is_offered(pulls) else None,
    )


def nested(settings: Mapping[str, object]) -> dict[str, object]:
    """Turn dotted keys into objects: `{"a.b": 1}` into `{"a": {"b": 1}}`."""
    whole: dict[str, object] = {}
    for key, value in settings.items():
        first, dot, rest = key.partition(".")
        inner = nested({rest: value}) if dot else nested(value) if isinstance(value, Mapping) else value
        whole[first] = _merged(whole.get(first), inner)
    return whole


def configuration(settings: Mapping[str, object], params: object) -> list[object]:
    """
    Answer `workspace/configuration`: for each item the value of its section, or null.

    Args:
        settings: Nested.
    """
    items = wire.sequence(wire.object_(params).get("items"))
    return [_section(settings, wire.text(wire.object_(item).get("section")) or "") for item in items]


def _section(settings: Mapping[str, object], name: str) -> object:
    value: object = settings or None
    for key in filter(None, name.split(".")):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _merged(old: object, new: object) -> object:
    """Join two objects, member by member; of anything else the new one stays."""
    if not isinstance(old, Mapping) or not isinstance(new, Mapping):
        return new
    return {**old, **{key: _merged(old.get(key), value) for key, value in new.items()}}


def _is_offered(provider: object) -> bool:
    return provider is True or isinstance(provider, dict)


def _units(name: object) -> Units:
    return next((units for units in Units if units == name), Units.UTF16)
