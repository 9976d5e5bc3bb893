"""
What a file's name says about its language.

The ids are those of the protocol's list, and of the editor that made it where the list is silent.
"""

from __future__ import annotations

from attrs import frozen

from mmtools.core.lsp import reserved
from mmtools.core.lsp.comments import ALL_FAMILIES, Comments
from mmtools.core.lsp.names import Names

__all__ = ["Language", "language"]


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
    return Language(id_, ALL_FAMILIES[_FAMILIES.get(id_, "c")], _NAMES.get(id_, _DOLLAR))


def _keyed(table: dict[str, str]) -> dict[str, str]:
    """Turn `value: "key key"` around."""
    return {key: value for value, keys in table.items() for key in keys.split()}


_BY_NAME = _keyed(
    {
        "dockerfile": "dockerfile containerfile",
        "makefile": "makefile gnumakefile",
        "cmake": "cmakelists.txt",
        "ruby": "gemfile rakefile podfile vagrantfile",
        "starlark": "build workspace build.bazel workspace.bazel",
        "go.mod": "go.mod",
        "go.sum": "go.sum",
        "go.work": "go.work",
        "shellscript": ".bashrc .bash_profile .profile .zshrc pkgbuild",
        "jsonc": "tsconfig.json jsconfig.json .eslintrc",
    }
)

_BY_EXTENSION = _keyed(
    {
        "ada": "adb ads",
        "bat": "bat cmd",
        "bibtex": "bib",
        "c": "c i",
        "clojure": "clj cljs cljc edn",
        "cmake": "cmake",
        "coffeescript": "coffee",
        "cpp": "cc cpp cxx c++ h hh hpp hxx h++ ipp inl tpp ino",
        "crystal": "cr",
        "csharp": "cs csx",
        "css": "css",
        "cuda-cpp": "cu cuh",
        "d": "d di",
        "dart": "dart",
        "elixir": "ex exs",
        "elm": "elm",
        "erlang": "erl hrl",
        "fortran": "f f90 f95 f03 f08 for",
        "fsharp": "fs fsi fsx",
        "go": "go",
        "graphql": "graphql gql",
        "groovy": "groovy gradle gvy",
        "haskell": "hs",
        "html": "html htm xhtml",
        "ini": "ini cfg conf properties",
        "java": "java",
        "javascript": "js mjs cjs es6",
        "javascriptreact": "jsx",
        "json": "json webmanifest",
        "jsonc": "jsonc code-workspace",
        "julia": "jl",
        "kotlin": "kt kts",
        "latex": "tex ltx sty cls",
        "less": "less",
        "lisp": "lisp lsp cl el",
        "literate haskell": "lhs",
        "lua": "lua",
        "makefile": "mk mak",
        "markdown": "md markdown",
        "matlab": "mlx",
        "nim": "nim nims",
        "nix": "nix",
        "objective-c": "m",
        "objective-cpp": "mm",
        "ocaml": "ml mli",
        "pascal": "pas dpr lpr",
        "perl": "pl pm t",
        "php": "php phtml",
        "plaintext": "txt",
        "powershell": "ps1 psm1 psd1",
        "prisma": "prisma",
        "proto3": "proto",
        "purescript": "purs",
        "python": "py pyi pyw pyx",
        "r": "r",
        "racket": "rkt",
        "restructuredtext": "rst",
        "ruby": "rb rbi rake gemspec",
        "rust": "rs",
        "scala": "scala sc sbt",
        "scheme": "scm ss",
        "scss": "scss",
        "shellscript": "sh bash zsh ksh bats",
        "solidity": "sol",
        "sql": "sql",
        "starlark": "bzl star",
        "svelte": "svelte",
        "swift": "swift",
        "systemverilog": "sv svh",
        "terraform": "tf tfvars",
        "toml": "toml",
        "typescript": "ts mts cts",
        "typescriptreact": "tsx",
        "typst": "typ",
        "vb": "vb",
        "verilog": "v vh",
        "vhdl": "vhd vhdl",
        "vue": "vue",
        "xml": "xml xsd xsl svg csproj",
        "yaml": "yaml yml",
        "zig": "zig",
    }
)

#: Comment families; every other language writes comments as C does.
_FAMILIES = _keyed(
    {
        "script": "javascript javascriptreact typescript typescriptreact dart groovy kotlin scala less scss",
        "css": "css",
        "php": "php",
        "hash": "cmake coffeescript crystal dockerfile elixir graphql makefile nim perl python r ruby starlark toml",
        "shell": "shellscript yaml",
        "powershell": "powershell",
        "julia": "julia",
        "hash and stars": "nix terraform",
        "sql": "sql",
        "lua": "lua",
        "haskell": "haskell elm purescript",
        "ada": "ada vhdl",
        "lisp": "clojure lisp racket scheme",
        "ini": "ini",
        "percent": "bibtex erlang latex matlab",
        "ocaml": "ocaml",
        "fsharp": "fsharp",
        "pascal": "pascal",
        "basic": "vb",
        "fortran": "fortran",
        "markup": "html markdown xml",
        "component": "svelte vue",
        "none": "json plaintext restructuredtext",
    }
)

_PLAIN = Names()
_DOLLAR = Names(within="$", first="$")
_PRIMED = Names(within="'")
_DASHED = Names(within="-", first="-")
_LISP = Names(within="-!?*<>=+/", first="-!?*<>=+/")
_RUBY = Names(before=("@@", "@", "$"), after="!?")

#: What identifiers are; in every other language they may hold a `$`.
_NAMES = {
    "c": Names(reserved=reserved.ANSI_C),
    "cpp": Names(reserved=reserved.CPLUSPLUS),
    "crystal": _RUBY,
    "csharp": Names(before=("@",)),
    "css": _DASHED,
    "clojure": _LISP,
    "cuda-cpp": Names(reserved=reserved.CPLUSPLUS),
    "elixir": Names(before=("@",), after="!?"),
    "elm": _PLAIN,
    "erlang": Names(within="@"),
    "fsharp": _PRIMED,
    "go": Names(reserved=reserved.GO),
    "haskell": _PRIMED,
    "java": Names(within="$", first="$", reserved=reserved.JAVA),
    "less": _DASHED,
    "lisp": _LISP,
    "lua": _PLAIN,
    "makefile": _PLAIN,
    "nix": Names(within="-'"),
    "objective-c": Names(reserved=reserved.ANSI_C),
    "objective-cpp": Names(reserved=reserved.CPLUSPLUS),
    "ocaml": _PRIMED,
    "perl": _PLAIN,
    "php": _PLAIN,
    "powershell": _PLAIN,
    "purescript": _PRIMED,
    "python": Names(reserved=reserved.PYTHON),
    "racket": _LISP,
    "ruby": _RUBY,
    "rust": Names(before=("r#", "'"), reserved=reserved.RUST),
    "scheme": _LISP,
    "scss": _DASHED,
    "shellscript": _PLAIN,
    "starlark": Names(reserved=reserved.PYTHON),
    "terraform": Names(within="-"),
    "zig": _PLAIN,
}
