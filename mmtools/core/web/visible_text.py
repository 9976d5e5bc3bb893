"""What a reader of a page would see of it, in reading order, and what else its markup tells."""

from __future__ import annotations

import re
from itertools import islice

from attrs import field, frozen

from mmtools.core.web.markup import Closing, Opening, Piece, attributes, tokens, unescape

__all__ = ["Seen", "see"]

#: How many tags and pieces of text are looked at: more than any page has that somebody wrote, less than 3 s of work.
_MAX_TOKENS = 400_000


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


#: Elements that end a line, those that also keep a line of distance, and those without content.
_LINES = _words(
    "address article aside body caption center dd details dialog div dt fieldset figcaption figure footer form "
    "frameset header hgroup html legend li main nav optgroup option search section select summary tbody tfoot thead "
    "tr"
)
_APART = _words("blockquote dl h1 h2 h3 h4 h5 h6 hr ol p pre table ul")
_VOID = _words("area base basefont bgsound br col embed frame hr img input link meta param source track wbr")

#: Elements of which nothing is seen, up to their end tag.
_UNSEEN = _words("template svg math object canvas audio video datalist")

#: Elements that stand around what a page is about.
_AROUND = _words("nav header footer aside form")

#: Raw content that is read: the rest of it is program, style or another page.
_READ_RAW = _words("textarea xmp")

#: Elements that may lack their end tag: nothing after one of them is hidden because it was.
_UNCLOSED = _words("p li dt dd option optgroup tr td th tbody thead tfoot body html head colgroup caption rp rt")
_HIDING = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE)
_REFRESH = re.compile(r"\s*([0-9.]+)?[\s;,]*(?:url\s*=)?\s*[\"']?([^\"']*)", re.IGNORECASE)

_SPACES = re.compile(r"[ \t\n\r\f\u00a0\u200b]+")
_MANY_LINES = re.compile(r"\n{3,}")
_MANY_WORDS = 2_000
_MAX_TITLE = 300


@frozen(kw_only=True)
class Seen:
    """
    What a page shows and tells.

    Args:
        title: One line; "" for none.
        text: Lines; headings begin with #, list items with a hyphen; "" when there is nothing to read.
        inner: The part of the text that stands outside menus, headers, footers, asides and forms.
        refresh: Where the page itself sends its reader, as it says so; None when it does not.
        frames: Where the pages in its frames come from.
        scripts: How many scripts it has.
        tags: How many start tags it has.
        depth: How deep its elements are nested at most.
        overlong: Whether a tag has more attributes than any honest one.
        partial: Whether the page goes on behind what was looked at.
    """

    title: str = ""
    text: str = field(default="", repr=False)
    inner: str = field(default="", repr=False)
    refresh: str | None = None
    frames: tuple[str, ...] = ()
    scripts: int = 0
    tags: int = 0
    depth: int = 0
    overlong: bool = False
    partial: bool = False


def see(page: str) -> Seen:
    """Read a page as its reader would; never fails."""
    eye = _Eye()
    row = tokens(page)
    for token in islice(row, _MAX_TOKENS):
        match token:
            case Opening():
                eye.opened(token)
            case Closing():
                eye.closed(token)
            case Piece():
                eye.read(token)
    return eye.seen(partial=next(row, None) is not None)


class _Eye:
    """The walk over one page."""

    def __init__(self) -> None:
        self._out: list[str] = []
        self._spaced = True
        self._inner: list[str] = []
        self._around = 0
        self._title: str | None = None
        self._refresh: str | None = None
        self._frames: list[str] = []
        self._scripts = self._tags = self._depth = self._deepest = self._preserved = 0
        self._overlong = False
        self._hidden_by = ""
        self._hidden_depth = 0
        self._raw_hidden = False

    def opened(self, tag: Opening) -> None:
        name = tag.name
        self._tags += 1
        self._overlong = self._overlong or (len(tag.inside) > _MANY_WORDS and len(tag.inside.split()) > _MANY_WORDS)
        if name not in _VOID and name not in _UNCLOSED and not tag.inside.endswith("/"):
            self._depth += 1
            self._deepest = max(self._deepest, self._depth)
        self._around += name in _AROUND
        self._raw_hidden = False
        if name == "meta":
            self._note_refresh(tag)
        elif name in ("frame", "iframe"):
            self._frames += [source for source in [attributes(tag).get("src", "").strip()] if source]
        elif name == "script":
            self._scripts += 1
        if self._hidden_by:
            self._hidden_depth += name == self._hidden_by and not tag.inside.endswith("/")
        elif self._hides(tag):
            self._hidden_by, self._hidden_depth = name, 1
        else:
            self._show(tag)

    def _show(self, tag: Opening) -> None:
        name = tag.name
        if name in _APART:
            self._put("\n\n")
        elif name in _LINES or name == "br":
            self._put("\n")
        if name == "pre":
            self._preserved += 1
        elif name == "li":
            self._put("- ")
        elif name in ("td", "th"):
            self._put("" if self._out[-1:] == ["\n"] else " | ")
        elif name[0] == "h" and name[1:] in ("1", "2", "3", "4", "5", "6"):
            self._put("#" * int(name[1:]) + " ")
        elif name == "img" and (alternative := attributes(tag).get("alt", "").strip()):
            self._put(f"[image: {_SPACES.sub(' ', alternative)}]")
        elif name == "textarea" and "hidden" in tag.inside:
            self._raw_hidden = "hidden" in attributes(tag)

    def closed(self, tag: Closing) -> None:
        name = tag.name
        if name not in _VOID and name not in _UNCLOSED:
            self._depth = max(0, self._depth - 1)
        self._around = max(0, self._around - (name in _AROUND))
        if self._hidden_by:
            self._hidden_depth -= name == self._hidden_by
            if self._hidden_depth <= 0:
                self._hidden_by = ""
            return
        if name in _APART:
            self._put("\n\n")
        elif name in _LINES:
            self._put("\n")
        if name == "pre":
            self._preserved = max(0, self._preserved - 1)

    def read(self, piece: Piece) -> None:
        if piece.within == "title":
            if self._title is None and not self._hidden_by:
                self._title = _SPACES.sub(" ", unescape(piece.text)).strip()
            return
        if self._hidden_by or self._raw_hidden or (piece.within and piece.within not in _READ_RAW):
            return
        text = piece.text if piece.within == "xmp" else unescape(piece.text)
        if not self._preserved and not piece.within:
            text = _SPACES.sub(" ", text)
            text = text[1:] if text[:1] == " " and self._spaced else text
        self._put(text)

    def seen(self, *, partial: bool) -> Seen:
        text = _tidy("".join(self._out))
        return Seen(
            title=(self._title or "")[:_MAX_TITLE],
            text=text,
            inner=text if len(self._inner) == len(self._out) else _tidy("".join(self._inner)),
            refresh=self._refresh,
            frames=tuple(self._frames[:20]),
            scripts=self._scripts,
            tags=self._tags,
            depth=self._deepest,
            overlong=self._overlong,
            partial=partial,
        )

    def _put(self, text: str) -> None:
        if text:
            self._out.append(text)
            if not self._around:
                self._inner.append(text)
            self._spaced = text[-1] in " \n"

    def _hides(self, tag: Opening) -> bool:
        if tag.name in _UNSEEN:
            return not tag.inside.endswith("/")
        if tag.name in _VOID or tag.name in _UNCLOSED or tag.name == "textarea" or len(tag.inside) < len(" hidden"):
            return False
        lowered = tag.inside.lower()
        if "hidden" not in lowered and "none" not in lowered:
            return False
        has = attributes(tag)
        return has.get("hidden", "until-found").lower() != "until-found" or bool(_HIDING.search(has.get("style", "")))

    def _note_refresh(self, tag: Opening) -> None:
        has = attributes(tag)
        if self._refresh is None and has.get("http-equiv", "").strip().lower() == "refresh":
            found = _REFRESH.match(has.get("content", ""))
            self._refresh = (found[2].strip() if found else "") or None


def _tidy(text: str) -> str:
    """Drop spaces at the ends of lines and all but one of several empty lines."""
    lines = (line.rstrip() for line in text.split("\n"))
    joined = "\n".join("" if line.strip() in ("-", "#", "##", "###") else line for line in lines)
    return _MANY_LINES.sub("\n\n", joined).strip("\n")
