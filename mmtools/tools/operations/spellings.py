"""Other spellings of arguments that models send, and what to do instead of an argument that a dialect does not have."""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["COMMAND", "OLD_NEW", "ONE_PER_PLACE", "PATH", "SEARCHED"]

#: For tools with a `path`.
PATH: Mapping[str, str] = {"file_path": "path", "filePath": "path"}
#: For searches below a `path`, with `include_ignored`.
SEARCHED: Mapping[str, str] = {
    "directory": "path",
    "dir": "path",
    "no_ignore": "include_ignored",
    "includeIgnored": "include_ignored",
}
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
