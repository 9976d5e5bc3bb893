"""Main text by the real library, and in bounded time whatever the page."""

from __future__ import annotations

import subprocess
import sys

import pytest

from mmtools.adapters.trafilatura_pages import TrafilaturaPages
from mmtools.core.web.visible_text import see

pytestmark = pytest.mark.slow


def main_text(page: str) -> str | None:
    return TrafilaturaPages().main_text(page, see(page))


def article(paragraphs: int) -> str:
    text = "".join(
        f"<p>The {n}th ship of the fleet carries tea, copper and {n} letters home.</p>" for n in range(paragraphs)
    )
    return (
        f"<html><body><nav><a href=/>Home page</a></nav><article><h1>Ships</h1>{text}</article><footer>Imprint</footer>"
    )


def test_an_article_is_found_and_what_surrounds_it_is_not() -> None:
    text = main_text(article(20))
    assert text is not None
    assert text.startswith("# Ships\n")
    assert all(f"{n} letters" in text for n in range(20))
    assert "Home page" not in text
    assert "Imprint" not in text


@pytest.mark.parametrize(
    "page", ["", "x", "<p>", "<html></html>", "<script>x</script>", "<?xml?>", "\ufffd", "<p>a<p>b"]
)
def test_a_page_of_nothing_much_does_no_harm(page: str) -> None:
    text = main_text(page)
    assert text is None or text.strip() == text != ""


@pytest.mark.parametrize(
    "page",
    [
        "<div>" * 100_000 + "deep",
        "<p>x" * 100_000,
        "<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">x",
        "<" * 10_000_000,
        "x" * 6_000_000,
        "<table>" + "<tr><td>x" * 50_000,
    ],
)
def test_a_page_made_to_hurt_is_left_alone(page: str) -> None:
    assert main_text(page) is None


def test_the_library_is_loaded_at_the_first_page() -> None:
    code = (
        "import sys\nfrom mmtools.adapters.trafilatura_pages import TrafilaturaPages\n"
        "TrafilaturaPages()\nassert not {'trafilatura', 'lxml'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("module", "made", "package"),
    [("guarded_web", "GuardedWeb", "urllib3"), ("trafilatura_pages", "TrafilaturaPages", "trafilatura")],
)
def test_a_missing_package_is_one_clear_sentence(module: str, made: str, package: str) -> None:
    """In a process that does not have the package."""
    code = (
        "import sys\n"
        f"sys.modules[{package!r}] = None\n"
        f"from mmtools.adapters.{module} import {made}\n"
        f"try:\n    {made}()\nexcept ModuleNotFoundError as missing:\n    print(missing)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "pip install urllib3 trafilatura lxml_html_clean" in ended.stdout
    assert ended.stdout.count("\n") == 1


def test_a_library_that_cannot_be_loaded_is_said() -> None:
    """It is there, but something that it needs is not."""
    code = (
        "import sys\nsys.modules['justext'] = None\n"
        "from mmtools.adapters.trafilatura_pages import TrafilaturaPages\n"
        "from mmtools.core.web.visible_text import see\n"
        "from mmtools.ports.web import PagesUnavailable\n"
        "try:\n    TrafilaturaPages().main_text('<p>x', see('<p>x'))\n"
        "except PagesUnavailable as problem:\n    print(problem.reason)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert ended.stdout.startswith("trafilatura cannot be loaded: ")
    assert ended.stdout.count("\n") == 1
