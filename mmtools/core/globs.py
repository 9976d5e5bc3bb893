r"""
What a glob means: a pattern for the paths of files, relative and with `/` between names.

    *       any run of characters of one name, also none
    **      as a whole name: any number of directories, also none; at the end: every file below
    ?       one character of a name
    [a-z]   one of these characters, [!a-z] or [^a-z] one of the others; never `/`
    {a,b}   either; may be empty, nested and hold `/`; braces without a comma stand for themselves
    \x      the character x itself

A pattern without `/` is looked for at any depth, any other from the top. `./` at the start and doubled slashes mean
nothing, a slash at the end means every file below. Case counts; dots at the start of names are nothing special.
Matching takes time in proportion to the product of both lengths, whatever the pattern.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from attrs import field, frozen

from mmtools.core.glob_alternatives import MAX_CHARS, STAR, GlobError, Tokens, read_alternatives

__all__ = ["BadGlobReason", "Glob", "path_order", "read_glob", "split_glob"]

#: How many ends of paths are looked for one by one.
_MAX_SUFFIXES = 16

_SPECIAL = re.compile(r"[*?\[\]{}]")


@frozen
class BadGlobReason:
    """The reason why a glob cannot be read, and how to write what may be meant."""

    text: str


@frozen(kw_only=True)
class Glob:
    """
    A pattern that tells which paths it matches.

    Args:
        prefix: The directory that every match is below; empty when there is none.
    """

    pattern: str
    prefix: str
    _fullmatch: Callable[..., re.Match[str] | None] = field(eq=False, repr=False)
    _suffixes: tuple[str, ...] = field(eq=False, repr=False)
    _suffix_decides: bool = field(eq=False, repr=False)

    @property
    def suffixes(self) -> tuple[str, ...]:
        """What the last name of a match ends with, one of these; empty text for anything."""
        return self._suffixes

    def matches(self, path: str) -> bool:
        """
        Whether the pattern matches a path.

        Args:
            path: Relative, without `./`; undecodable bytes as lone surrogates.
        """
        return path.endswith(self._suffixes) and (self._suffix_decides or self._fullmatch(path) is not None)

    def select(self, listing: bytes) -> list[bytes]:
        """
        Return the paths that match, as they stand there, in any order.

        Args:
            listing: Paths in raw bytes, each with `./` before it and a NUL behind it.
        """
        found: list[bytes] = []
        for suffix in self._suffixes:
            found += _ending(listing, suffix.encode("utf-8", "surrogateescape"))
        if self.prefix:
            below = f"./{self.prefix}/".encode("utf-8", "surrogateescape")
            found = [path for path in found if path.startswith(below)]
        if self._suffix_decides or not found:
            return found
        fullmatch, texts = self._fullmatch, b"\0".join(found).decode("utf-8", "surrogateescape").split("\0")
        return [path for path, text in zip(found, texts, strict=True) if fullmatch(text, len("./"))]


def _ending(listing: bytes, suffix: bytes) -> list[bytes]:
    """Return the paths that end so: it is faster to look for the end in all of it than to look at each."""
    heads = listing.split(suffix + b"\0")
    del heads[-1]
    return [head.rpartition(b"\0")[2] + suffix for head in heads] if suffix else heads


def path_order(path: bytes) -> bytes:
    """Return what paths are sorted by: their names, each by its bytes."""
    return path.replace(b"/", b"\0")


def read_glob(pattern: str) -> Glob | BadGlobReason:
    """Read a pattern."""
    try:
        return _glob(pattern)
    except GlobError as problem:
        return BadGlobReason(str(problem))


def split_glob(pattern: str) -> tuple[str, str]:
    """
    Split a pattern into the directory that it spells out and the pattern from there.

    Returns:
        The directory as a plain path, absolute if the pattern is; empty for none. What the rest matches below it
        is what the whole matches.
    """
    names = pattern.split("/")
    count = 0
    while count < len(names) - 1 and _is_plain(names[count]):
        count += 1
    rest = "/".join(names[count:])
    directory = "/".join(_unescaped(name) for name in names[:count])
    if pattern.startswith("/") and count:
        directory = "/" + directory.lstrip("/")
    # Alone the rest may be without a slash, or empty, where the whole is not.
    return directory, f"./{rest}" if count and ("/" not in rest or rest.startswith("{")) else rest


def _is_plain(name: str) -> bool:
    bare = re.sub(r"\\.", "", name, flags=re.DOTALL)
    return not _SPECIAL.search(bare) and "\\" not in bare


def _unescaped(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name, flags=re.DOTALL)


def _glob(pattern: str) -> Glob:
    if not pattern:
        raise GlobError("the pattern is empty")
    if "\0" in pattern:
        raise GlobError("the pattern holds a NUL character, which no name does")
    if re.search("[\ud800-\udc7f\udd00-\udfff]", pattern):
        raise GlobError("the pattern holds a lone surrogate, which no name does")
    if len(pattern) > MAX_CHARS:
        raise GlobError(f"the pattern is longer than {MAX_CHARS} characters")
    if pattern.startswith("/"):
        raise GlobError("the pattern starts with `/`, but is relative to the searched directory")
    if pattern.startswith("!"):
        raise GlobError(r"a pattern cannot exclude with a leading `!`; write `\!` for the character itself")
    alternatives, slashed = read_alternatives(pattern)
    patterns = [_names(tokens, anywhere=not slashed) for tokens in dict.fromkeys(alternatives) if tokens]
    if not patterns:
        raise GlobError("the pattern stands for no name")
    regexes = dict.fromkeys(_path_regex(names) for names in patterns)
    regex = re.compile("|".join(f"(?:{regex})" for regex in regexes), re.DOTALL)
    ends = {_literal_end(names[-1]) for names in patterns}
    suffixes = _shortest(ends)
    # Half a character in the pattern is none in a path, though its bytes are there.
    whole = suffixes[0] in ends and not re.search("[\udc80-\udcff]", pattern)
    return Glob(
        pattern=pattern,
        prefix=_common_directory(patterns),
        fullmatch=regex.fullmatch,
        suffixes=suffixes,
        suffix_decides=whole and all(_suffix_decides(names) for names in patterns),
    )


#: A name as tokens; none at all stands for `**`.
_Name: TypeAlias = Tokens


def _names(tokens: Tokens, *, anywhere: bool) -> list[_Name]:
    """Split a pattern into names; of several `**` in a row one is left."""
    runs = _split(tokens)
    if runs[-1] in ((), (r"\.",)):
        runs[-1] = (STAR, STAR)
    found: list[_Name] = [()] if anywhere else []
    for run in runs:
        match run:
            case () | (r"\.",):
                pass
            case (r"\.", r"\."):
                raise GlobError("the pattern leads up with `..`; search that directory instead")
            case ("*", "*"):
                if found[-1:] != [()]:
                    found.append(())
            case _:
                found.append(run)
    return found


def _split(tokens: Tokens) -> list[_Name]:
    found: list[list[str]] = [[]]
    for token in tokens:
        if token == "/":
            found.append([])
        else:
            found[-1].append(token)
    return [tuple(run) for run in found]


def _path_regex(names: list[_Name]) -> str:
    """
    Translate; each part between two `**` is taken where it matches first, which is never wrong: its names are many
    or few, but their number is given.
    """
    parts: list[list[str]] = [[]]
    for name in names:
        if name:
            parts[-1].append(_name_regex(name))
        else:
            parts.append([])
    first, *others = ["/".join(part) for part in parts]
    if not others:
        return first
    *middle, last = others
    regex = f"{first}/" if first else ""
    regex += "".join(f"(?>(?:[^/]+/)*?{part}/)" for part in middle)
    return regex + (f"(?:.*/)?{last}" if last else ".+")


def _name_regex(name: _Name) -> str:
    """Translate one name; each part between two stars is taken where it matches first."""
    parts: list[str] = [""]
    for token in name:
        if token != STAR:
            parts[-1] += token
        elif parts[-1] or len(parts) == 1:
            parts.append("")
    first, *others = parts
    if not others:
        return first
    *middle, last = others
    regex = first + "".join(f"(?>[^/]*?{part})" for part in middle)
    # Nothing but this name's end lets its last part match, so there is one way only.
    return f"(?>{regex}[^/]*{last}(?![^/]))" if last else f"(?>{regex}[^/]*)"


def _literal_end(name: _Name) -> str:
    """Return the characters that a name must end with."""
    end: list[str] = []
    for token in reversed(name):
        if not _is_character(token):
            break
        end.append(token)
    return _unescaped("".join(reversed(end)))


def _shortest(suffixes: set[str]) -> tuple[str, ...]:
    """Leave out what ends with another one; all of them when there are so many that to look for each takes longer."""
    ends = [one for one in suffixes if not any(one != other and one.endswith(other) for other in suffixes)]
    return tuple(ends) if len(ends) <= _MAX_SUFFIXES else ("",)


def _suffix_decides(names: list[_Name]) -> bool:
    match names:
        case [()]:
            return True
        case [(), ("*", *characters)]:
            return all(map(_is_character, characters))
        case _:
            return False


def _is_character(token: str) -> bool:
    return token != STAR and not token.startswith(("[", "(?!"))


def _common_directory(patterns: list[list[_Name]]) -> str:
    """Return the directories that all patterns begin with, spelled out."""
    shared: list[str] | None = None
    for names in patterns:
        plain: list[str] = []
        for name in names[:-1]:
            if not name or not all(map(_is_character, name)):
                break
            plain.append(_unescaped("".join(name)))
        if shared is None:
            shared = plain
        same = [ours == theirs for ours, theirs in zip(shared, plain, strict=False)]
        shared = shared[: [*same, False].index(False)]
    return "/".join(shared or [])
