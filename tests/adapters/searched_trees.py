"""
Random trees with what makes searching hard, and regular expressions that mean the same in Rust and in Python.

They come from a seed: to let hypothesis choose each name and byte takes longer than to search them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from attrs import field, frozen

__all__ = ["Forest", "forest", "ignore_file", "regex"]

_NAMES = [
    "a", "b", "c", "A", "a.py", "b.py", "c.txt", ".h", ".h.py", "x y", "-i", "n\nl", "a:b", "[id]", "{r}", "a,b", "b*", "\\e",
    "#c", "!d", "é", "éa", "ab", "abc", "a-b", "a.tar.gz", "\udcff", "z\udce9.py", " s", "e ", "à", "?", "a\rb", "_",
]  # fmt: skip
_DIRECTORIES = ["a", "b", "c", "src", ".d", "x y", "é", "n\nm", "[id]", "{r}", "a.py", "build", "ab", "\udcfe"]
_SEGMENTS = [
    "a", "b", "c", "A", "ab", "src", "build", "*", "**", "*.py", "*.txt", "a*", "*b", "?", "??", "[ab]", "[!a]", "[^a]", "[a-c]*",
    "{a,b}", "{a,{b,c}}", "a{,b}", "{a,b}.py", "*.{py,txt}", "{,a}", "{}", "[id]", "[[]id]", "[]a]", "[!]a]", "[a-]", "[-a]", "[z-a]",
    "[ab", "{a,b", "a}", "a\\", "\\a", "\\*", "b\\*", "\\{r\\}", "[{]r[}]", "\\\\e", "a,b", "x y", "x\\ y", "n?l", "n*l", "é", "é*",
    "[é]", "?a", "???", ".h", ".*", "*.tar.gz", "*.gz", "a.*", "***", "a**", "**a", "e\\ ", "à", "*à", "\\#c", "#c", "!d", "_",
    "-i", " s", "a-b", "[a-c-e]", "[.-0]*", "*[!a]*", "a?py", "{a,*.py}", "x{y,\\,}", "[[:alpha:]]", "\\[id\\]", "a:b", "**.py", ".", "..",
]  # fmt: skip
_WORDS = [
    "foo", "bar", "o", "f", "Foo", "FOO", "1", "42", " ", "\t", "_", "é", "É", "λ", "-", ".", "x", "ß", "日", "\u2028", "\x85",
    "\x0b", "(", "\\", "٣",
]  # fmt: skip
_ENDS = ["\n", "\n", "\n", "\r\n", "\r\n", "\n\n", "\r", "\r\r\n", "\n\r"]


_ATOMS = [
    "foo", "bar", "o", "f", "1", "é", "λ", "x", "y", " ", r"\.", r"\(", r"\\", ".", ".", r"\w", r"\W", r"\d", r"\D", r"\s", r"\S",
    "[a-f]", "[^o]", "[^a-z]", r"[\w-]", r"[^\s]", "[é-ü]", "日", r"\t", "F", "_", "pad",
]  # fmt: skip
#: Lines that people write.
_USUAL_LINES = ["a", "b", "*.py", "build/", "*", "!a", "!*.py", "/a", "a/b", "!.h", "!.d/", "", "#c", "/", "**"]
_IGNORE_FILES = [".gitignore", ".gitignore", ".gitignore", ".ignore", ".rgignore", ".git/info/exclude"]


@frozen
class Forest:
    """
    Files and links by their paths; the top directories have nothing to do with one another.

    Args:
        links: Path and where it leads to.
        empty: Directories without a file.
    """

    files: dict[str, bytes] = field(factory=dict)
    links: dict[str, str] = field(factory=dict)
    empty: tuple[str, ...] = ()

    def plant(self, root: Path) -> None:
        """Write everything that can be: a name that is taken stays what it is."""
        for path, data in self.files.items():
            if _make_parent(root / path) and not os.path.lexists(root / path):
                (root / path).write_bytes(data)
        for path in self.empty:
            _make_parent(root / path / "x")
        for path, target in self.links.items():
            if _make_parent(root / path) and not os.path.lexists(root / path):
                (root / path).symlink_to(target)


def _make_parent(path: Path) -> bool:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        return False
    return True


def ignore_line(random: Random) -> str:
    """One line of an ignore file, sensible or not."""
    if random.random() < 0.4:
        return random.choice(_USUAL_LINES)
    path = "/".join(random.choices(_SEGMENTS, k=random.choice([1, 1, 2, 3])))
    ends = ["", "", "", "/", "/", "/**", "/*", "  ", "\t", "\\ ", "\u00a0"]
    return (
        random.choice(["", "", "", "!", "!"]) + random.choice(["", "", "/", "**/", "./"]) + path + random.choice(ends)
    )


def ignore_file(random: Random) -> bytes:
    """The bytes of an ignore file."""
    lines = [ignore_line(random) + random.choice(["\n", "\n", "\n", "\r\n"]) for _ in range(random.randint(1, 5))]
    mark = random.choice([b""] * 6 + [b"\xef\xbb\xbf"])
    bad = random.choice([b""] * 8 + [b"\xff\n"])
    return mark + "".join(lines).encode() + bad + random.choice([b"", b"", b"c", b"b/"])


def contents(random: Random) -> bytes:
    """The bytes of a file: text of many kinds, and what is none."""
    lines = [
        "".join(random.choices(_WORDS, k=random.randint(0, 5))) + random.choice(_ENDS)
        for _ in range(random.randint(0, 5))
    ]
    text = "".join(lines) + random.choice(["", "", "foo", "o\r"])
    plain = text.encode()
    kinds: list[Callable[[], bytes]] = [
        *([lambda: plain] * 5),
        lambda: _spoiled(random, plain, [b"\xff", b"\xe9", b"\xc3", b"\xed\xa0\x80", b"\x00"]),
        lambda: _spoiled(random, plain, [b"\x00"]),
        lambda: b"\xef\xbb\xbf" + plain,
        lambda: b"\xff\xfe" + text.encode("utf-16-le"),
        lambda: b"\xfe\xff" + text.encode("utf-16-be"),
        lambda: b"\xff\xfe" + text.encode("utf-16-le") + b"f",
        lambda: text.encode("utf-16-le"),
        lambda: _long(random, plain),
        lambda: _far_nul(random, plain),
    ]
    return random.choice(kinds)()


def _spoiled(random: Random, data: bytes, bad: Sequence[bytes]) -> bytes:
    at = random.randint(0, len(data))
    return data[:at] + random.choice(bad) + data[at:]


def _long(random: Random, data: bytes) -> bytes:
    size = random.choice([501, 1000, 3000])
    filler = random.choice([b"x", "é".encode(), b"ab ", b"\xff"])
    return data + filler * (size // len(filler)) + b"foo" + filler * (size // len(filler)) + b"\n" + data


def _far_nul(random: Random, data: bytes) -> bytes:
    filler = (b"y" * 95 + b"pad\n") * random.choice([1, 600, 700, 1400])
    return data + filler + data + b"\0" + random.choice([b"", data]) + filler


def _worktree(random: Random, path: str) -> dict[str, bytes]:
    """A `.git` that is a file and says where the repository is, more or less."""
    there = random.choice(["w", "../w", "t0/w", "w/"])
    line = (
        random.choice(["gitdir: "] * 6 + ["gitdir:", "", "#"])
        + there
        + random.choice(["\n", "\n", "\r\n", "", "\nx\n"])
    )
    common = random.choice(["..", "../..", ".", "w", "", "../x"]) + random.choice(["\n", "\n", "\r\n", "", "\nx\n"])
    files = {path: random.choice([line.encode()] * 8 + [b"", b"\xff\n"])}
    for top in ("", f"{os.path.dirname(path)}/"):
        files[f"{top}{there.rstrip('/')}/commondir".replace("../", "")] = common.encode()
        files[f"{top}info/exclude"] = ignore_file(random)
        files[f"{top}w/info/exclude"] = ignore_file(random)
    return files


def forest(random: Random, *, trees: int) -> Forest:
    """Trees that stand side by side, each with ignore files and perhaps repositories."""
    files: dict[str, bytes] = {}
    links: dict[str, str] = {}
    empty: list[str] = []
    for number in range(trees):

        def path(name: str, top: str = f"t{number}") -> str:
            return "/".join([top, *random.choices(_DIRECTORIES, k=random.choice([0, 0, 1, 1, 2, 3])), name])

        for _ in range(random.randint(1, 3)):
            files[path(random.choice(_IGNORE_FILES))] = ignore_file(random)
        for _ in range(random.randint(3, 12)):
            files[path(random.choice(_NAMES))] = contents(random)
        for _ in range(random.choice([0, 0, 0, 1, 1, 2])):
            files[path(".git/HEAD")] = b"foo\n"
        if random.random() < 0.15:
            files |= _worktree(random, path(".git"))
        if random.random() < 0.5:
            links[path(random.choice(["l", "a", "b.py", "src"]))] = random.choice(
                ["a", "..", ".", "nowhere", "a/b", "/etc/hostname"]
            )
        if random.random() < 0.3:
            empty.append(path("e"))
    for _ in range(random.choice([0, 0, 1, 2])):
        files[random.choice(_IGNORE_FILES)] = ignore_file(random)
    if random.random() < 0.3:
        files[".git/HEAD"] = b"foo\n"
    return Forest(files, links, tuple(empty))


def regex(random: Random) -> str:
    """An expression of the part of both languages that means the same, and that backtracking does not take forever on."""
    if random.random() < 0.25:
        return random.choice(
            ["foo", "", "^", "$", "^$", "pad", "é", "foo$", "^foo", r"\bfoo\b", ".", r"\s$", r"^\s*$", "o"]
        )
    one = "".join(_item(random) for _ in range(random.randint(0, 4)))
    return one if random.random() < 0.7 else one + "|" + "".join(_item(random) for _ in range(random.randint(0, 3)))


def _item(random: Random) -> str:
    repeat = random.choice(["", "", "", "*", "+", "?", "{2}", "{1,3}", "*?", "+?", "??"])
    kind = random.random()
    if kind < 0.6:
        return random.choice(_ATOMS) + repeat
    if kind < 0.8:
        return random.choice(["^", "$", r"\b"])
    other = random.choice([*_ATOMS, "^", "$", r"\b"])
    return f"(?:{random.choice(_ATOMS)}|{other}){random.choice(['', '', '?'])}"
