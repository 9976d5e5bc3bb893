"""Other spellings of arguments that models send, and what to do instead of an argument that a dialect does not have."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["COMMAND", "OLD_NEW", "ONE_PER_PLACE", "PATH"]

#: For tools with a `path`.
PATH: Mapping[str, str] = {"file_path": "path", "filePath": "path"}
#: For edits of `old` and `new`.
OLD_NEW: Mapping[str, str] = {
    "old_string": "old",
    "oldString": "old",
    "old_text": "old",
    "oldText": "old",
    "new_string": "new",
    "newString": "new",
    "new_text": "new",
    "newText": "new",
}
#: For edits of one place each.
ONE_PER_PLACE: Mapping[str, str] = {
    "replace_all": "send one edit per place",
    "replaceAll": "send one edit per place",
}
#: For tools with a `command`.
COMMAND: Mapping[str, str] = {"cmd": "command", "script": "command"}
