"""
What a model or a host sends, as a tool's own arguments object: exact types, or one line that names the place.

`parsing` is the way in. `builders` build at once what fits; `repairs` walks the rest, with `unknown_keys` for keys and
`validation_messages` for words; `json_text` is JSON without Python's indulgence.
"""

from __future__ import annotations

from mmtools.arguments.parsing import Parsed, parse

__all__ = ["Parsed", "parse"]
