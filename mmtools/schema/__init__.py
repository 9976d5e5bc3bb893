"""
How a tool's arguments are declared: an attrs class, read into shapes, rendered as JSON Schema.

`declarations` annotations → shapes; `shapes` the closed union of them; `rendering` shapes → schema.
A ready schema that came from elsewhere: `folding` one object at its root; `renewal` older words → 2020-12.
"""

from __future__ import annotations

from mmtools.schema.declarations import Named
from mmtools.schema.rendering import of

__all__ = ["Named", "of"]
