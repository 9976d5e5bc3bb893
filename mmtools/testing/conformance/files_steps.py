"""The steps that the laws of `Files` are made of."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeAlias

from mmtools.ports.files import FileProblem, Files, Place

__all__ = ["Make", "fails", "read", "write"]

#: Opens a new, empty place of the adapter under test.
Make: TypeAlias = Callable[[], AbstractContextManager[Files]]


def read(files: Files, path: str) -> bytes | None:
    """Return the bytes that are there; None when nothing is."""
    return files.snapshot(files.locate(path)).data


def write(files: Files, path: str, data: bytes) -> Place:
    """Make or replace a file, whatever it holds, and return where it is."""
    place = files.locate(path)
    files.replace(files.snapshot(place), data)
    return place


def fails(kind: type[FileProblem], action: Callable[..., object], *arguments: object) -> FileProblem:
    """Call what must end with one kind of problem, and return it."""
    try:
        answer = action(*arguments)
    except kind as problem:
        return problem
    raise AssertionError(f"{kind.__name__} was due, and there was the answer {answer!r:.200}")
