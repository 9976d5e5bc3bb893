"""The steps that the laws of `Files` are made of."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TypeAlias

from mmtools.ports.files import Files, Place

__all__ = ["Make", "read", "write"]

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
