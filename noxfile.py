"""
The frameworks that mmtools is hosted in, each in an environment of its own: they pin against each other.

    nox                          all of them
    nox -s "hosting(langchain)"  one
    nox -s bench                 what each adapter costs, against a tool written by hand
    nox -s pythons               the package's own tests on the other Pythons that it is for
    nox -s howtos                the code of each how-to page, with what that page says to install and nothing else
"""

from __future__ import annotations

import re
from pathlib import Path

import nox

nox.options.default_venv_backend = "uv"
nox.options.sessions = ["hosting"]
nox.options.reuse_existing_virtualenvs = True
nox.options.download_python = "never"

#: Of each: its extra, what its tests need beside that, and the page about it.
FRAMEWORKS = {
    "langchain": ("langchain", ["langgraph-checkpoint-sqlite>=3.1"], "host-in-langgraph"),
    "openai_agents": ("openai-agents", [], "host-in-openai-agents"),
    "pydantic_ai": ("pydantic-ai", [], "host-in-pydantic-ai"),
}
_HOW_TO = sorted(page.stem for page in Path("docs", "how-to").glob("*.md"))
_TOOLS = ("hypothesis", "jsonschema", "mypy", "pytest", "pytest-timeout", "types-jsonschema")


@nox.session
@nox.parametrize("framework", sorted(FRAMEWORKS), ids=sorted(FRAMEWORKS))
def hosting(session: nox.Session, framework: str) -> None:
    """Check and test the adapter of one framework."""
    extra, more, page = FRAMEWORKS[framework]
    session.install("-e", f".[{extra}]", *_TOOLS, *more)
    tests = sorted(map(str, Path("tests/hosting", framework).glob("*.py")))
    session.run("mypy", *tests, f"benchmarks/hosting/bench_{framework}.py")
    session.run("pytest", "-q", f"tests/hosting/{framework}", "tests/test_docs.py", "-k", f"hosting or {page}")


@nox.session
@nox.parametrize("framework", sorted(FRAMEWORKS), ids=sorted(FRAMEWORKS))
def bench(session: nox.Session, framework: str) -> None:
    """Measure the adapter of one framework."""
    extra, more, _ = FRAMEWORKS[framework]
    session.install("-e", f".[{extra}]", *more)
    session.run("python", "-m", f"benchmarks.hosting.bench_{framework}")


@nox.session(python=["3.12", "3.13"])
def pythons(session: nox.Session) -> None:
    """
    Test the package on another Python, as quickly as `make check` does.

    Without the properties: nearly all are laws of pure functions, which do not depend on the Python.
    """
    session.install("-e", ".[dev]")
    session.run("pytest", "-q", "--quick", "-m", "not hypothesis", *session.posargs)


@nox.session(reuse_venv=False)
@nox.parametrize("page", _HOW_TO, ids=_HOW_TO)
def howtos(session: nox.Session, page: str) -> None:
    """Run the code of one page in a fresh environment."""
    text = Path("docs", "how-to", f"{page}.md").read_text(encoding="utf-8")
    told = [word.strip("'\"") for line in re.findall(r"pip install ([^`\n]+)", text) for word in line.split()]
    session.install(".", *told)
    script = Path(session.create_tmp(), "page.py")
    script.write_text(
        "\n".join(re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)), encoding="utf-8"
    )
    with session.chdir(script.parent):
        session.run("python", script.name)
