"""Servers as child processes keep the laws of the port."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mmtools.testing.conformance import language_servers as conformance
from mmtools.testing.conformance.language_servers import Setting
from mmtools.testing.scripted_language_servers import ScriptedLanguageServer, replies
from tests.adapters.lsp.workbench import HASTE, Bench

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("law", conformance.LAWS, ids=lambda law: law.__name__)
def test_local_servers_keep_the_laws(law: Callable[[conformance.Make], None], tmp_path: Path) -> None:
    def setting() -> Setting:
        scripted = ScriptedLanguageServer(
            tmp_path,
            {"textDocument/hover": [[replies({"contents": "x"})]]},
            capabilities={"hoverProvider": True},
        )
        at = Bench(tmp_path, scripted, HASTE, scripted.configured(".one"))
        return Setting(
            servers=at.servers,
            locate=at.files.locate,
            write=at.write,
            remove=lambda name: (at.root / name).unlink(),
        )

    law(setting)
