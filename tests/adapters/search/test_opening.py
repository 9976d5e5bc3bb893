"""Opening what may be anything."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mmtools.adapters.search.opening import open_regular


def test_only_a_regular_file_is_opened(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x")
    (tmp_path / "link").symlink_to("f")
    os.mkfifo(tmp_path / "pipe")
    descriptors = [
        open_regular(os.fsencode(tmp_path / "f")),
        open_regular(os.fsencode(tmp_path / "link"), follow=True),
    ]
    for descriptor in descriptors:
        assert os.read(descriptor, 2) == b"x"
        os.close(descriptor)
    for name in ("link", "pipe", "none", "."):
        with pytest.raises(OSError, match=r"\[Errno"):
            open_regular(os.fsencode(tmp_path / name))
    with pytest.raises(OSError, match="Invalid argument"):
        open_regular(os.fsencode(tmp_path / "pipe"), follow=True)
