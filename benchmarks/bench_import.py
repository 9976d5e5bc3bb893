"""Claims: `import mmtools` costs at most 1.3x what its base dependencies cost alone, `local` with it at most 2x."""

from __future__ import annotations

import subprocess
import sys
from importlib import metadata

from benchmarks.measure import compare, row


def cold(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True)


if __name__ == "__main__":
    compare(
        "import mmtools",
        lambda: cold("import mmtools"),
        lambda: cold("import attrs, cattrs"),
        target="<= 1.3x",
        rounds=25,
    )
    compare(
        "from mmtools import local",
        lambda: cold("from mmtools import local"),
        lambda: cold("import attrs, cattrs"),
        target="<= 2x",
        rounds=25,
    )
    compare(
        "all it takes for a first call, for scale",
        lambda: cold("from mmtools import AllowAll, local; local.mm('.', permission=AllowAll()).execute('nope')"),
        lambda: cold("import attrs, cattrs"),
        target="-",
    )
    compare("an empty process, for scale", lambda: cold("pass"), lambda: cold("import attrs, cattrs"), target="-")
    base = [line for line in metadata.requires("mmtools") or [] if "extra ==" not in line]
    row("distributions it needs", str(len(base)), "", "", "3")
