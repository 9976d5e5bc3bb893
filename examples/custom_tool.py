"""A tool of your own beside the built-in ones: a typed class, and no base class."""

from __future__ import annotations

import tempfile
from typing import Annotated, ClassVar

from attrs import frozen
from typing_extensions import Doc

from mmtools import AllowAll, Runner, ToolFailure, ToolKind, ToolSpec
from mmtools.adapters.local_files import LocalFiles
from mmtools.call import Headline
from mmtools.core import text
from mmtools.ports import Files
from mmtools.tool import Call


@frozen(kw_only=True)
class CountWordsArgs:
    path: Annotated[str, Doc("File path, relative to the working directory.")]


@frozen(kw_only=True)
class CountWords:
    """
    The tool that counts the words of a text file.

    Needs: `files`, to read it. Asks: never. Fails: not a text.
    """

    files: Files
    spec: ClassVar = ToolSpec(
        name="count_words",
        description="Count the words of a text file.",
        kind=ToolKind.READ,
        family="file",
        arguments=CountWordsArgs,
    )

    def headline(self, arguments: CountWordsArgs) -> Headline:
        return Headline(text=arguments.path)

    def execute(self, arguments: CountWordsArgs, call: Call) -> str:
        snapshot = self.files.snapshot(self.files.locate(arguments.path))
        if not isinstance(found := text.decode(snapshot.data or b""), text.Text):
            raise ToolFailure(f"{arguments.path} is not text")
        return f"{len(found.content.split())} words"


def main() -> None:
    with tempfile.TemporaryDirectory() as root:
        files = LocalFiles(root)
        files.replace(files.snapshot(files.locate("a.txt")), b"one two three\n")
        runner = Runner([CountWords(files=files)], permission=AllowAll())
        print(runner.execute("count_words", '{"path": "a.txt"}'))
        print(runner.specs[0].arguments_schema)


if __name__ == "__main__":
    main()
