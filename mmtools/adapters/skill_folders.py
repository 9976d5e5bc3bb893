"""Skills kept in a directory: `<name>.md`, or `<name>/SKILL.md`."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from mmtools.ports.skills import SkillFile

__all__ = ["MAX_SKILL_BYTES", "SkillFolders"]

#: 1 MiB: far beyond any text that a model is to read as a whole.
MAX_SKILL_BYTES = 1 << 20

_SUFFIX = ".md"
_MAIN = "SKILL.md"


class SkillFolders:
    """
    The skills in one directory, looked into at every question, so that a skill put there is found at once.

    Symlinks are followed: whoever chose the directory chose what is in it. Names that begin with a dot
    are passed over, and so are names that no model could send, because they are not UTF-8.

    Args:
        directory: Need not exist; there are no skills then.

    Source:
        mm reference, "read_skill": a flat file stands above a folder of the same name.
    """

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self.directory = Path(os.path.abspath(directory))

    def all(self) -> tuple[SkillFile, ...]:
        return tuple(_read(name, self._path(name)) for name in sorted(self._names()))

    def _names(self) -> set[str]:
        names = set()
        for name in self._listed():
            path = self.directory / name
            if name.endswith(_SUFFIX) and not path.is_dir():
                names.add(name.removesuffix(_SUFFIX))
            elif os.path.lexists(path / _MAIN):
                names.add(name)
        return names

    def _listed(self) -> list[str]:
        try:
            names = os.listdir(self.directory)
        except OSError:
            return []
        return [name for name in names if not name.startswith(".") and _is_utf8(name)]

    def _path(self, name: str) -> Path:
        """Return the flat file, unless it is no regular file and the folder holds one."""
        flat, folded = self.directory / f"{name}{_SUFFIX}", self.directory / name / _MAIN
        if flat.is_file():
            return flat
        return folded if folded.is_file() or not os.path.lexists(flat) or flat.is_dir() else flat


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _read(name: str, path: Path) -> SkillFile:
    text, problem = _text(path)
    return SkillFile(name=name, path=str(path), text=text, problem=problem)


def _text(path: Path) -> tuple[str | None, str]:
    """Return the text, or None and the reason why there is none."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return None, "not a regular file"
        # A pipe put there since would block without O_NONBLOCK.
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            data = file.read(MAX_SKILL_BYTES + 1)
    except OSError as error:
        return None, error.strerror or str(error)
    if len(data) > MAX_SKILL_BYTES:
        return None, f"larger than {MAX_SKILL_BYTES} bytes"
    if b"\0" in data:
        return None, f"not text: a NUL at offset {data.index(0)}"
    try:
        return data.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        return None, f"not UTF-8: byte 0x{data[error.start]:02x} at offset {error.start}"
