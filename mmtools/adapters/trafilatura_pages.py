"""`Pages` by the extraction library trafilatura, within sizes at which its time is bounded."""

from __future__ import annotations

from importlib.util import find_spec

from mmtools.core.web.visible_text import Seen
from mmtools.ports.web import PagesUnavailable

__all__ = ["TrafilaturaPages"]

#: Start tags: a page of twenty thousand takes 2 to 8 s, and time grows with them.
_MAX_TAGS = 20_000

#: Nesting: its parser drops without a word what lies deeper than 253.
_MAX_DEPTH = 120

#: Characters: beyond it a page is data.
_MAX_CHARS = 5_000_000


class TrafilaturaPages:
    """
    The main text of pages, extracted with trafilatura, which is loaded at the first page.

    Raises:
        ModuleNotFoundError: It is missing; the text names the packages to install.
    """

    def __init__(self) -> None:
        if find_spec("trafilatura") is None:
            raise ModuleNotFoundError(
                "reading pages from the web needs three packages: pip install urllib3 trafilatura lxml_html_clean",
                name="trafilatura",
            )

    def main_text(self, page: str, seen: Seen) -> str | None:
        bounded = seen.tags <= _MAX_TAGS and seen.depth <= _MAX_DEPTH and len(page) <= _MAX_CHARS
        if not bounded or seen.overlong or seen.partial:
            return None
        try:
            from lxml.etree import LxmlError  # type: ignore[import-untyped] # it has no types
            from trafilatura import extract
        except ImportError as error:
            raise PagesUnavailable(f"trafilatura cannot be loaded: {' '.join(str(error).split())}") from error
        try:
            text = extract(page, output_format="markdown", include_comments=False)
        except (LxmlError, ValueError, RecursionError):
            return None
        return (text or "").strip() or None
