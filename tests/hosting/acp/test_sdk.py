"""Without the SDK there is one sentence; with it nothing else is loaded before it is needed."""

from __future__ import annotations

import subprocess
import sys


def run(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60).stderr


def test_a_missing_sdk_is_one_sentence_that_names_it() -> None:
    said = run("import sys; sys.modules['acp'] = None; import mmtools.hosting.acp").splitlines()
    assert said[-1] == (
        "ModuleNotFoundError: mmtools.hosting.acp needs one more package: pip install agent-client-protocol"
    )


def test_the_library_itself_does_not_load_the_sdk() -> None:
    assert not run("import sys, mmtools; mmtools.local; import mmtools.hosting; assert 'acp' not in sys.modules")
