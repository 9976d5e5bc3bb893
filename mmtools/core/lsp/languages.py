"""
What a file's name says about its language: word lists, and how to look things up in them.

The ids are those of the protocol's list, and of the editor that made it where the list is silent.
"""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from typing import TypeVar

from attrs import frozen

from mmtools.core.lsp.comments import Comments
from mmtools.core.lsp.names import Names

__all__ = ["Language", "is_file_name", "language"]

#: Of those with a capital letter: `.Rmd`, `.F90`.
_LONGEST_EXTENSION = 4

T = TypeVar("T")


@frozen
class Language:
    """
    What we need to know of a language.

    Args:
        id: What `didOpen` calls it; for an unknown one, the extension.
    """

    id: str
    comments: Comments
    names: Names


def language(path: str) -> Language:
    """
    Return the language of a file.

    Args:
        path: Any; only its last name counts.
    """
    name = path.rpartition("/")[2].lower()
    extension = name.rpartition(".")[2] if "." in name else ""
    id_ = _BY_NAME.get(name) or _BY_EXTENSION.get(extension, extension) or "plaintext"
    return Language(id_, _COMMENTS.get(id_, _C), _NAMES.get(id_, _DOLLAR))


def is_file_name(word: str) -> bool:
    """Whether a word is a whole name of files, and no extension: `Dockerfile`, `CMakeLists.txt`."""
    return word.lower() in _BY_NAME or (len(word) > _LONGEST_EXTENSION and not word.islower() and word[0] != ".")


def _by_word(rows: Iterable[tuple[T, str]]) -> dict[str, T]:
    """Turn `value, "word word"` around."""
    return {word: value for value, words in rows for word in words.split()}


def _ids(listed: str) -> dict[str, str]:
    """Turn `id: word word, id: word word` around."""
    return _by_word((id_.strip(), words) for id_, words in (row.split(":") for row in listed.split(",")))


_BY_NAME = _ids(
    "dockerfile: dockerfile containerfile, makefile: makefile gnumakefile, cmake: cmakelists.txt, go.mod: go.mod, "
    "go.sum: go.sum, go.work: go.work, ruby: gemfile rakefile podfile vagrantfile, "
    "starlark: build workspace build.bazel workspace.bazel, jsonc: tsconfig.json jsconfig.json .eslintrc, "
    "shellscript: .bashrc .bash_profile .profile .zshrc pkgbuild"
)

#: An extension that is not here is the id.
_BY_EXTENSION = _ids(
    "ada: adb ads, bat: cmd, bibtex: bib, c: i, clojure: clj cljs cljc edn, coffeescript: coffee, "
    "cpp: cc cxx c++ h hh hpp hxx h++ ipp inl tpp ino, crystal: cr, csharp: cs csx, cuda-cpp: cu cuh, d: di, "
    "elixir: ex exs, erlang: erl hrl, fortran: f f90 f95 f03 f08 for, fsharp: fs fsi fsx, graphql: gql, "
    "groovy: gradle gvy, haskell: hs, html: htm xhtml, ini: cfg conf properties, javascript: js mjs cjs es6, "
    "javascriptreact: jsx, json: webmanifest, jsonc: code-workspace, julia: jl, kotlin: kt kts, latex: tex ltx sty cls, "
    "lisp: lsp cl el, literate haskell: lhs, makefile: mk mak, markdown: md, matlab: mlx, nim: nims, objective-c: m, "
    "objective-cpp: mm, ocaml: ml mli, pascal: pas dpr lpr, perl: pl pm t, php: phtml, plaintext: txt, "
    "powershell: ps1 psm1 psd1, proto3: proto, purescript: purs, python: py pyi pyw pyx, racket: rkt, "
    "restructuredtext: rst, ruby: rb rbi rake gemspec, rust: rs, scala: sc sbt, scheme: scm ss, "
    "shellscript: sh bash zsh ksh bats, solidity: sol, starlark: bzl star, systemverilog: sv svh, "
    "terraform: tf tfvars, typescript: ts mts cts, typescriptreact: tsx, typst: typ, verilog: v vh, vhdl: vhd, "
    "xml: xsd xsl svg csproj, yaml: yml"
)

_STARS = ("/*", "*/")
_MARKUP = ("<!--", "-->")

#: How every other language writes comments. `*` at the start of a line needs no rule: it is inside a block.
_C = Comments(lines=("//",), blocks=(_STARS,), quotes='"`')
_COMMENTS = _by_word(
    [
        (
            Comments(lines=("//",), blocks=(_STARS,)),
            "javascript javascriptreact typescript typescriptreact dart groovy kotlin scala less scss",
        ),
        (Comments(blocks=(_STARS,)), "css"),
        (Comments(lines=("//", r"#(?!\[)"), blocks=(_STARS,)), "php"),
        (
            Comments(lines=("#",)),
            "cmake coffeescript crystal dockerfile elixir graphql makefile nim perl python r ruby starlark toml",
        ),
        (Comments(lines=(r"#(?<![^\s;]#)",)), "shellscript yaml"),
        (Comments(lines=("#",), blocks=(("<#", "#>"),)), "powershell"),
        (Comments(lines=("#",), blocks=(("#=", "=#"),), quotes='"`'), "julia"),
        (Comments(lines=("#", "//"), blocks=(_STARS,)), "nix terraform"),
        (Comments(lines=("--",), blocks=(_STARS,)), "sql"),
        (Comments(lines=("--",), blocks=(("--[[", "]]"),)), "lua"),
        (Comments(lines=("--",), blocks=(("{-", "-}"),), quotes='"'), "haskell elm purescript"),
        (Comments(lines=("--",), quotes='"'), "ada vhdl"),
        (Comments(lines=(";",), quotes='"'), "clojure lisp racket scheme"),
        (Comments(lines=(r";(?<!\S;)", r"#(?<!\S#)")), "ini"),
        (Comments(lines=("%",), quotes='"'), "bibtex erlang latex matlab"),
        (Comments(blocks=(("(*", "*)"),), quotes='"'), "ocaml"),
        (Comments(lines=("//",), blocks=(("(*", "*)"),), quotes='"'), "fsharp"),
        (Comments(lines=("//",), blocks=(("{", "}"), ("(*", "*)")), quotes="'"), "pascal"),
        (Comments(lines=("'",), quotes='"'), "vb"),
        (Comments(lines=("!",), quotes="\"'"), "fortran"),
        (Comments(blocks=(_MARKUP,), quotes='"'), "html markdown xml"),
        (Comments(lines=("//(?<!://)",), blocks=(_STARS, _MARKUP)), "svelte vue"),
        (Comments(), "json plaintext restructuredtext"),
    ]
)


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


#: Words that no identifier can be, of the languages that are renamed most. Those that are reserved only in some
#: places of a program are left out, and so is JavaScript: its members may be called by any of its words.
_GO = _words(
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package "
    "range return select struct switch type var"
)
_JAVA = _words(
    "_ abstract assert boolean break byte case catch char class const continue default do double else enum extends "
    "false final finally float for goto if implements import instanceof int interface long native new null package "
    "private protected public return short static strictfp super switch synchronized this throw throws transient "
    "true try void volatile while"
)
_ANSI_C = _words(
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
)
_CPLUSPLUS = (_ANSI_C - {"restrict"}) | _words(
    "alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class co_await co_return "
    "co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export "
    "false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename "
    "using virtual wchar_t xor xor_eq"
)
_RUST = _words(
    "Self abstract as async await become box break const continue crate do dyn else enum extern false final fn for "
    "if impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true "
    "try type typeof unsafe unsized use virtual where while yield"
)

#: What identifiers are in every other language: they may hold a `$`.
_DOLLAR = Names(within="$", first="$")
_NAMES = _by_word(
    [
        (Names(), "elm lua makefile perl php powershell shellscript zig"),
        (Names(within="'"), "fsharp haskell ocaml purescript"),
        (Names(within="-", first="-"), "css less scss"),
        (Names(within="-!?*<>=+/", first="-!?*<>=+/"), "clojure lisp racket scheme"),
        (Names(within="-"), "terraform"),
        (Names(within="-'"), "nix"),
        (Names(within="@"), "erlang"),
        (Names(before=("@",)), "csharp"),
        (Names(before=("@",), after="!?"), "elixir"),
        (Names(before=("@@", "@", "$"), after="!?"), "crystal ruby"),
        (Names(reserved=_ANSI_C), "c objective-c"),
        (Names(reserved=_CPLUSPLUS), "cpp cuda-cpp objective-cpp"),
        (Names(reserved=_GO), "go"),
        (Names(within="$", first="$", reserved=_JAVA), "java"),
        (Names(reserved=frozenset(keyword.kwlist)), "python starlark"),
        (Names(before=("r#", "'"), reserved=_RUST), "rust"),
    ]
)
