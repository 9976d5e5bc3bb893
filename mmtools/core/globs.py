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
from collections.abc import Callable, Iterable
from typing import TypeAlias

from attrs import field, frozen

__all__ = ["BadGlobReason", "Glob", "path_order", "read_glob", "split_glob"]

#: What braces may stand for: so many patterns, of so many characters in all, in so many levels.
_MAX_PATTERNS, _MAX_CHARS, _MAX_DEPTH = 256, 20_000, 32

_STAR, _ANY = "*", "[^/]"
_SPECIAL = re.compile(r"[*?\[\]{}]")
_RANGE = re.compile(r"[^{},/]+\.\.[^{},/]+")

#: One pattern without braces: `*`, `/`, or a regular expression for one character, each.
_Tokens: TypeAlias = tuple[str, ...]


@frozen
class BadGlobReason:
    """
    Say why a glob cannot be read, and how to write what may be meant.
    """

    text: str


@frozen(kw_only=True)
class Glob:
    """
    Tell which paths a pattern matches.

    Args:
        prefix: The directory that every match is below; empty when there is none.
    """

    pattern: str
    prefix: str
    _fullmatch: Callable[[str], re.Match[str] | None] = field(eq=False, repr=False)
    _suffixes: tuple[str, ...] = field(eq=False, repr=False)
    _suffix_decides: bool = field(eq=False, repr=False)

    def matches(self, path: str) -> bool:
        """
        Whether the pattern matches a path.

        Args:
            path: Relative, without `./`; undecodable bytes as lone surrogates.
        """
        return path.endswith(self._suffixes) and (self._suffix_decides or self._fullmatch(path) is not None)

    def select(self, paths: Iterable[str]) -> list[str]:
        """
        Return the paths that match, in their order.
        """
        fullmatch, suffixes = self._fullmatch, self._suffixes
        ending = [path for path in paths if path.endswith(suffixes)]
        return ending if self._suffix_decides else [path for path in ending if fullmatch(path)]


def path_order(path: bytes) -> bytes:
    """
    Return what paths are sorted by: their names, each by its bytes.
    """
    return path.replace(b"/", b"\0")


def read_glob(pattern: str) -> Glob | BadGlobReason:
    """
    Read a pattern.
    """
    try:
        return _glob(pattern)
    except _CannotReadError as problem:
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


class _CannotReadError(Exception):
    """
    Carry the reason out of the reader.
    """


def _glob(pattern: str) -> Glob:
    if not pattern:
        raise _CannotReadError("the pattern is empty")
    if "\0" in pattern:
        raise _CannotReadError("the pattern holds a NUL character, which no name does")
    if re.search("[\ud800-\udc7f\udd00-\udfff]", pattern):
        raise _CannotReadError("the pattern holds a lone surrogate, which no name does")
    if len(pattern) > _MAX_CHARS:
        raise _CannotReadError(f"the pattern is longer than {_MAX_CHARS} characters")
    if pattern.startswith("/"):
        raise _CannotReadError("the pattern starts with `/`, but is relative to the searched directory")
    if pattern.startswith("!"):
        raise _CannotReadError(r"a pattern cannot exclude with a leading `!`; write `\!` for the character itself")
    reader = _Reader(pattern)
    patterns = [_names(tokens, anywhere=not reader.slashed) for tokens in dict.fromkeys(reader.read()) if tokens]
    if not patterns:
        raise _CannotReadError("the pattern stands for no name")
    regexes = dict.fromkeys(_path_regex(names) for names in patterns)
    regex = re.compile("|".join(f"(?:{regex})" for regex in regexes), re.DOTALL)
    return Glob(
        pattern=pattern,
        prefix=_common_directory(patterns),
        fullmatch=regex.fullmatch,
        suffixes=tuple({_literal_end(names[-1]) for names in patterns}),
        suffix_decides=all(_suffix_decides(names) for names in patterns),
    )


class _Reader:
    """
    Read a pattern into those without braces that it stands for.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._at = 0
        self.slashed = False

    def read(self) -> list[_Tokens]:
        found = self._sequence(0)
        if self._at < len(self._pattern):
            raise _CannotReadError("a `}` has no `{` before it; write `[}]` for the character itself")
        return found

    def _sequence(self, depth: int) -> list[_Tokens]:
        """
        Read up to the end, or inside braces up to a comma or the closing brace.
        """
        found: list[_Tokens] = [()]
        run: list[str] = []
        while self._at < len(self._pattern):
            char = self._pattern[self._at]
            if char == "}" or (depth and char == ","):
                break
            if char == "{":
                found = self._product(found, [tuple(run)])
                run = []
                found = self._product(found, self._braces(depth + 1))
            else:
                run.append(self._token(char))
        return self._product(found, [tuple(run)])

    def _product(self, heads: list[_Tokens], tails: list[_Tokens]) -> list[_Tokens]:
        if len(heads) * len(tails) > _MAX_PATTERNS:
            raise _CannotReadError(f"its braces stand for more than {_MAX_PATTERNS} patterns")
        chars = len(tails) * sum(map(len, heads)) + len(heads) * sum(map(len, tails))
        if chars > _MAX_CHARS:
            raise _CannotReadError(f"its braces stand for more than {_MAX_CHARS} characters")
        return [head + tail for head in heads for tail in tails]

    def _braces(self, depth: int) -> list[_Tokens]:
        if depth > _MAX_DEPTH:
            raise _CannotReadError(f"its braces are nested more than {_MAX_DEPTH} deep")
        opened = self._at
        found: list[_Tokens] = []
        alternatives = 0
        while self._at == opened or self._pattern[self._at] == ",":
            self._at += 1
            alternatives += 1
            found += self._sequence(depth)
            if self._at == len(self._pattern):
                raise _CannotReadError("a `{` is not closed; write `[{]` for the character itself")
            if len(found) > _MAX_PATTERNS:
                raise _CannotReadError(f"its braces stand for more than {_MAX_PATTERNS} patterns")
        self._at += 1
        if alternatives > 1:
            return found
        inner = self._pattern[opened + 1 : self._at - 1]
        if _RANGE.fullmatch(inner):
            raise _CannotReadError(f"`{{{inner}}}` is not counted out; write each, with commas between them")
        return self._product(self._product([(r"\{",)], found), [(r"\}",)])

    def _token(self, char: str) -> str:
        self._at += 1
        match char:
            case "*":
                return _STAR
            case "?":
                return _ANY
            case "[":
                return self._characters()
            case "\\":
                if self._at == len(self._pattern):
                    raise _CannotReadError(r"nothing follows the last `\`; write `\\` for the character itself")
                char = self._pattern[self._at]
                self._at += 1
        if char == "/":
            self.slashed = True
            return char
        return re.escape(char)

    def _characters(self) -> str:
        """
        Read what stands between brackets.
        """
        start = self._at
        negated = self._pattern[start : start + 1] in ("!", "^")
        self._at += negated
        if self._pattern.startswith("[:", self._at):
            raise _CannotReadError("classes like `[:alpha:]` are not known; write the characters, as in `[a-z]`")
        ranges: list[str] = []
        while self._pattern[self._at : self._at + 1] != "]" or not ranges:
            low = self._character()
            high = low
            if self._pattern[self._at : self._at + 1] == "-" and self._pattern[self._at + 1 : self._at + 2] != "]":
                self._at += 1
                high = self._character()
            if high < low:
                raise _CannotReadError(f"the range `{low}-{high}` runs backwards")
            ranges.append(f"{re.escape(low)}-{re.escape(high)}")
        self._at += 1
        # A slash is never meant, though a range may hold it.
        return f"[^/{''.join(ranges)}]" if negated else f"(?!/)[{''.join(ranges)}]"

    def _character(self) -> str:
        escaped = self._pattern.startswith("\\", self._at)
        char = self._pattern[self._at + escaped : self._at + escaped + 1]
        if not char:
            raise _CannotReadError("a `[` is not closed; write `[[]` for the character itself")
        self._at += 1 + escaped
        return char


#: A name as tokens; none at all stands for `**`.
_Name: TypeAlias = _Tokens


def _names(tokens: _Tokens, *, anywhere: bool) -> list[_Name]:
    """
    Split a pattern into names; of several `**` in a row one is left.
    """
    runs = _split(tokens)
    if runs[-1] in ((), (r"\.",)):
        runs[-1] = (_STAR, _STAR)
    found: list[_Name] = [()] if anywhere else []
    for run in runs:
        match run:
            case () | (r"\.",):
                pass
            case (r"\.", r"\."):
                raise _CannotReadError("the pattern leads up with `..`; search that directory instead")
            case ("*", "*"):
                if found[-1:] != [()]:
                    found.append(())
            case _:
                found.append(run)
    return found


def _split(tokens: _Tokens) -> list[_Name]:
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
    """
    Translate one name; each part between two stars is taken where it matches first.
    """
    parts: list[str] = [""]
    for token in name:
        if token != _STAR:
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
    """
    Return the characters that a name must end with.
    """
    end: list[str] = []
    for token in reversed(name):
        if not _is_character(token):
            break
        end.append(token)
    return _unescaped("".join(reversed(end)))


def _suffix_decides(names: list[_Name]) -> bool:
    match names:
        case [(), ("*", *characters)]:
            return all(map(_is_character, characters))
        case _:
            return False


def _is_character(token: str) -> bool:
    return token != _STAR and not token.startswith(("[", "(?!"))


def _common_directory(patterns: list[list[_Name]]) -> str:
    """
    Return the directories that all patterns begin with, spelled out.
    """
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
