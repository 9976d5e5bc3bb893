"""Choices of tools: ordered, unique, and honest about names that are not there."""

from __future__ import annotations

import pytest

from mmtools.errors import DefinitionError
from mmtools.testing.files import MemoryFiles
from mmtools.tools.mm.edit_file import EditFile
from mmtools.tools.mm.read_file import ReadFile
from mmtools.tools.mm.write_file import WriteFile
from mmtools.toolsets.toolset import Toolset

FILES = MemoryFiles({})
ALL = Toolset([ReadFile(files=FILES), WriteFile(files=FILES), EditFile(files=FILES)])


def names(toolset: Toolset) -> list[str]:
    return [spec.name for spec in toolset.specs]


def test_the_order_is_kept() -> None:
    assert names(ALL) == ["read_file", "write_file", "edit_file"]
    assert [tool.spec.name for tool in ALL] == names(ALL)
    assert len(ALL) == 3


def test_a_choice_keeps_the_old_order() -> None:
    assert names(ALL.only("edit_file", "read_file")) == ["read_file", "edit_file"]
    assert names(ALL.without("write_file")) == ["read_file", "edit_file"]
    assert names(ALL.without("write_file").plus(WriteFile(files=FILES))) == ["read_file", "edit_file", "write_file"]


def test_a_name_that_is_not_there_is_a_bug_of_the_host() -> None:
    for choose in (ALL.only, ALL.without):
        with pytest.raises(DefinitionError, match="'bash'"):
            choose("bash")


def test_a_name_is_there_once() -> None:
    with pytest.raises(DefinitionError, match="'read_file'"):
        ALL.plus(ReadFile(files=FILES))
