"""Elements of a page; what they hold is escaped when they are written."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from xml.etree.ElementTree import Element

__all__ = ["Element", "drawing", "element", "key", "page_text", "percent", "small"]


def element(tag: str, *children: Element | str, **attributes: str) -> Element:
    """
    Make an element.

    Args:
        tag: With its class, when it has one: `td.name`.
        children: In order.
        attributes: An underscore stands for a hyphen; `for_` and the like for the word.
    """
    name, _, classes = tag.partition(".")
    made = Element(name)
    if classes:
        made.set("class", classes.replace(".", " "))
    for key, value in attributes.items():
        made.set(key.removesuffix("_").replace("_", "-"), value)
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif last is None:
            made.text = (made.text or "") + child
        else:
            last.tail = (last.tail or "") + child
    return made


def page_text(root: Element) -> str:
    """Write a whole page, as HTML that is well-formed XML too: readers agree on where everything ends."""
    text = ElementTree.tostring(root, encoding="unicode", short_empty_elements=False)
    return f"<!DOCTYPE html>\n{text.replace('></meta>', '/>')}\n"


def percent(part: float) -> str:
    """Write a part of 1 as an attribute's value."""
    return f"{100 * part:.2f}".rstrip("0").rstrip(".") + "%"


def drawing(*shapes: Element, height: float) -> Element:
    """Draw shapes for the eye alone: what they say stands beside them as text."""
    made = element("svg", *shapes, height=f"{height}")
    made.set("aria-hidden", "true")
    return made


def small(shape: Element) -> Element:
    """Draw a shape as large as a letter, for a legend."""
    return drawing(shape, height=16)


def key(meanings: Mapping[str, str]) -> Element:
    """Say what each colour means."""
    squares = [
        element("li", small(element(f"rect.{name}", x="2", y="2", width="12", height="12", rx="2")), words)
        for name, words in meanings.items()
    ]
    return element("ul.legend", *squares)
