"""A toolset of your own: the mm tools on files in memory, some left out, one added."""

from __future__ import annotations

from mmtools import AllowAll, Runner, providers
from mmtools.testing.files import MemoryFiles
from mmtools.toolsets import mm


def main() -> None:
    files = MemoryFiles({"notes.txt": b"remember the milk\n"})
    toolset = mm.build(processes=None, files=files, skills=None).without("write_file")
    runner = Runner(toolset, permission=AllowAll())
    print([tool["name"] for tool in providers.anthropic(runner.specs)])
    print(runner.execute("edit_file", {"path": "notes.txt", "edits": [{"old": "milk", "new": "bread"}]}))


if __name__ == "__main__":
    main()
