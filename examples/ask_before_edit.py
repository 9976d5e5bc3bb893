"""A permission of your own: small edits pass, large ones and all commands are refused with a reason."""

from __future__ import annotations

import tempfile
from pathlib import Path

from mmtools import Choice, Decision, PermissionRequest, local
from mmtools.call import (
    CardPreview,
    CommandPreview,
    DeletionPreview,
    FilesPreview,
    ReadPreview,
    RemotePreview,
    UrlPreview,
)


class SmallEditsOnly:
    """A policy that allows what a person could read at a glance."""

    def decide(self, request: PermissionRequest) -> Decision:
        match request.preview:
            case FilesPreview(changes) if all(len(change.after) < 1_000 for change in changes):
                return Decision(Choice.ALLOW_ONCE)
            case FilesPreview():
                return Decision(Choice.REJECT_ONCE, "too large for this host; make it smaller")
            case CommandPreview(command):
                return Decision(Choice.REJECT_ONCE, f"no commands here, so not {command!r} either")
            case ReadPreview() | UrlPreview() | RemotePreview() | DeletionPreview() | CardPreview():
                return Decision(Choice.REJECT_ONCE)


def main() -> None:
    with tempfile.TemporaryDirectory() as root, local.mm(root, permission=SmallEditsOnly()) as runner:
        print(runner.execute("write_file", {"path": "a.txt", "content": "small\n"}))
        print(runner.execute("write_file", {"path": "a.txt", "content": "large\n" * 1_000}))
        print(runner.execute("bash", {"command": "rm -rf ."}))
        print(Path(root, "a.txt").read_text(encoding="utf-8"), end="")


if __name__ == "__main__":
    main()
