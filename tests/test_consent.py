"""
Nothing changes without a yes: every contract's changing sample, run against a policy that refuses.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmtools import AllowAll, RefuseAll, Status
from tests.dialects import everything, lay_out

CONTRACTS = sorted((Path(__file__).parent / "contracts").rglob("*.json"))


def picture(root: Path) -> dict[str, tuple[int, int, bytes]]:
    """
    Every file below `root`: mode, mtime and bytes.
    """
    return {
        str(path.relative_to(root)): (path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }


@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_refused_call_leaves_everything_as_it_was(path: Path, tmp_path: Path) -> None:
    sample = json.loads(path.read_text(encoding="utf-8"))["sample"]
    if sample is None:
        assert json.loads(path.read_text(encoding="utf-8"))["kind"] == "read"
        return
    lay_out(tmp_path)
    before = picture(tmp_path)
    with everything(path.parent.name, tmp_path, RefuseAll()) as runner:
        outcome = runner.call(path.stem, sample)
    assert outcome.status is Status.REJECTED
    assert picture(tmp_path) == before
    with everything(path.parent.name, tmp_path, AllowAll()) as runner:
        assert runner.call(path.stem, sample).status is Status.OK
    assert picture(tmp_path) != before, "the sample must change something when allowed"
