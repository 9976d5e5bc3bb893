"""Nothing changes without a yes: every contract's changing sample, run against a policy that refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmtools import AllowAll, RefuseAll, Status
from tests.adapters.web.servers import Server, page
from tests.dialects import everything, lay_out

CONTRACTS = sorted((Path(__file__).parent / "contracts").rglob("*.json"))


def picture(root: Path, server: Server) -> tuple[dict[str, tuple[int, int, bytes]], int]:
    """Every file below `root`, by mode, mtime and bytes; and how often a server was connected to."""
    files = {
        str(path.relative_to(root)): (path.stat().st_mode, path.stat().st_mtime_ns, path.read_bytes())
        for path in sorted(root.rglob("*"))
        if path.is_file()
    }
    return files, server.connections


@pytest.mark.parametrize("path", CONTRACTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_refused_call_leaves_everything_as_it_was(path: Path, tmp_path: Path) -> None:
    contract = json.loads(path.read_text(encoding="utf-8"))
    if contract["sample"] is None:
        assert contract["kind"] in ("read", "search")
        return
    lay_out(tmp_path)
    with Server({"/page": page("<p>Hello from outside.</p>")}) as server:
        sample = json.loads(json.dumps(contract["sample"]).replace("{address}", server.url("")))
        before = picture(tmp_path, server)
        with everything(path.parent.name, tmp_path, RefuseAll()) as runner:
            outcome = runner.call(path.stem, sample)
        assert outcome.status is Status.REJECTED
        assert picture(tmp_path, server) == before
        with everything(path.parent.name, tmp_path, AllowAll()) as runner:
            assert runner.call(path.stem, sample).status is Status.OK
        assert picture(tmp_path, server) != before, "the sample must change something when allowed"
