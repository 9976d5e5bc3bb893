"""How deep JSON is nested. What is deeper than a reader can take breaks whoever encodes it again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["MAX_DEPTH", "is_deeper"]

#: As deep as a model's arguments may be.
MAX_DEPTH = 100


def is_deeper(value: Any, levels: int = MAX_DEPTH) -> bool:
    """Say whether something is nested deeper than so many levels."""
    layer = [value]
    for _ in range(levels):
        layer = [
            child
            for container in layer
            if isinstance(container, Mapping | list)
            for child in (container.values() if isinstance(container, Mapping) else container)
        ]
        if not layer:
            return False
    return True
