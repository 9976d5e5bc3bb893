"""Where `grep` and `glob` search: the place, what is asked for there, and why it cannot be searched."""

from __future__ import annotations

import json
import re

from attrs import evolve, field, frozen

from mmtools.call import GrantScope, Proposal, ReadPreview
from mmtools.core import globs, paths, search_answers
from mmtools.errors import ArgumentsRefused, ToolFailure
from mmtools.ports.files import FileProblem, Files, Missing, Place
from mmtools.ports.search import (
    BadGlob,
    BadPattern,
    EngineFailed,
    PatternTooLong,
    PlaceMissing,
    SearchProblem,
    Tree,
)
from mmtools.tool import Call
from mmtools.tools.operations.session_files import problem_text
from mmtools.tools.wording import search as wording

__all__ = ["Searched", "located", "narrowed", "problem", "refuse_unsendable", "tree"]

#: Characters of a pattern that are written out for the letter, and of an engine's reason: either can be megabytes long.
_MAX_LITERAL, _MAX_REASON = 200, 400

#: What means something in a regular expression of either dialect, outside of brackets.
_SPECIAL = re.compile(r"[\\.+*?()|\[\]{}^$]")

#: A name in a glob that begins with a dot, written out.
_HIDDEN = re.compile(r"(?:^|[/{,])\\?\.(?!\.?(?:/|$))")


@frozen(kw_only=True)
class Searched:
    """
    The place that is searched, and the names of what is in it.

    Args:
        tool: Its wire name.
        base: The place as a model sees it: relative to the working directory, else absolute.
    """

    tool: str
    place: Place
    base: str
    files: Files = field(repr=False)

    def path(self, relative: str) -> str:
        """Return a found path as a tool takes it."""
        return search_answers.joined(self.base, relative)

    @property
    def words(self) -> str:
        """The words for the place in a sentence."""
        return "the working directory" if self.base == "." else search_answers.quoted(self.base, reserved="; ")


def located(path: str, files: Files, call: Call, tool: str) -> Searched:
    """
    Find the place to search; a person is asked when it lies outside the roots.

    Raises:
        ToolFailure: It cannot be, or lies outside; PermissionRefused, Cancelled: as `approve` does.
    """
    try:
        place = files.locate(path or ".")
    except FileProblem as problem_:
        raise ToolFailure(problem_text(problem_, files, writer=None)) from problem_
    if place.outside_roots:
        call.approve(_outside(place, tool))
    return Searched(tool=tool, place=place, base=paths.relative(place.path, [files.absolute(".")]), files=files)


def refuse_unsendable(tool: str, **arguments: str) -> None:
    """
    Refuse what no engine can be asked for.

    Raises:
        ArgumentsRefused: A text holds a NUL or half a character.
    """
    for name, text in arguments.items():
        if "\0" in text:
            raise ArgumentsRefused(
                f"[{tool}: character {text.index(chr(0)) + 1} of {name} is a NUL; a pattern may say \\x00 instead]"
            )
        try:
            text.encode()
        except UnicodeEncodeError as error:
            raise ArgumentsRefused(
                f"[{tool}: character {error.start + 1} of {name} is half of a surrogate pair; send the whole character]"
            ) from error


def narrowed(searched: Searched, glob: str) -> tuple[Searched, str]:
    """
    Search only where an absolute glob begins.

    Raises:
        ArgumentsRefused: It begins or leads elsewhere.
    """
    if ".." not in glob.split("/"):
        if not glob.startswith(("/", "~/")):
            return searched, glob
        begins, rest = globs.split_glob(glob)
        path = searched.files.absolute(f"{begins}/")
        if paths.contains(searched.place.path, path):
            below = path[len(searched.place.path) :].strip("/")
            place = evolve(searched.place, requested=begins, path=path)
            return evolve(searched, place=place, base=searched.path(below)), rest
    raise ArgumentsRefused(
        f"[{searched.tool}: the glob {wording.quoted(glob)} is held against paths below {searched.words}; "
        "send one relative to it, and a path for where to search]"
    )


def tree(searched: Searched, glob: str, *, hidden: bool) -> Tree:
    """
    Say which files to search: hidden ones also when the glob names one.

    Args:
        hidden: Whether hidden and ignored files were asked for.
    """
    return Tree(place=searched.place, glob=glob, hidden=hidden or bool(_HIDDEN.search(glob)), ignored=hidden)


def problem(problem_: SearchProblem, searched: Searched, *, pattern: str = "", glob: str = "") -> ToolFailure:
    """Say why nothing could be searched, and what to do next."""
    reason = _shortened(problem_.reason)
    because = f": {reason}" if reason else ""
    match problem_:
        case PatternTooLong():
            return ArgumentsRefused(f"[{searched.tool}: not searched{because}; send a shorter pattern]")
        case BadPattern():
            return ArgumentsRefused(
                f"[{searched.tool}: {wording.quoted(pattern)} is not a regular expression{because}]\n{_literally(pattern)}"
            )
        case BadGlob():
            return ArgumentsRefused(
                f"[{searched.tool}: {wording.quoted(glob)} is not a glob{because or ': send names, *, **, ?, [abc] and {a,b}'}]"
            )
        case PlaceMissing():
            return ToolFailure(_missing(searched))
        case EngineFailed():
            return ToolFailure(
                f"[{searched.tool}: the search broke down{because}; try again with a smaller path, or by a command]"
            )
        case _:
            return ToolFailure(f"[{searched.tool}: not searched{because}; change the arguments]")


def _missing(searched: Searched) -> str:
    """Say why there is nothing to search, as the files tell it."""
    missing: FileProblem = Missing(searched.place)
    try:
        with searched.files.open(searched.place):
            pass
    except FileProblem as problem_:
        missing = problem_
    return problem_text(missing, searched.files, writer=None)


def _outside(place: Place, tool: str) -> Proposal:
    return Proposal(
        title=f"search outside the working directory: {place.path}",
        preview=ReadPreview(place.path),
        scope=GrantScope(f"search:{place.path}", f"searching {place.path} and all below it"),
        refusal=f"[{tool} rejected by the user]",
        paths=(place.path,),
    )


def _literally(pattern: str) -> str:
    """Say how to write a pattern that is meant letter for letter."""
    if len(pattern) > _MAX_LITERAL:
        return "Send a shorter pattern; a backslash goes before each of \\ . + * ? ( ) | [ ] { } ^ $ that stands for itself"
    literal = _SPECIAL.sub(r"\\\g<0>", pattern)
    return f"If it is meant letter for letter, send {literal} (in JSON: {json.dumps(literal, ensure_ascii=False)})"


def _shortened(reason: str) -> str:
    """Keep the end of long reasons, where engines say what is wrong, on as few lines as there are."""
    reason = reason.strip()
    return reason if len(reason) <= _MAX_REASON else f"…{reason[-_MAX_REASON:]}"
