"""Language servers that we know: how they are started, and what they are better told."""

from __future__ import annotations

import glob
import os
import shutil
from collections.abc import Iterable, Mapping

from attrs import evolve, frozen

from mmtools.adapters.lsp import project_programs
from mmtools.errors import DefinitionError
from mmtools.ports.language_servers import LanguageServer

__all__ = [
    "Installed",
    "advised",
    "installed",
    "is_known",
    "is_prompt",
    "keeps_quiet",
    "lacks",
    "names",
    "needs",
    "resolve",
    "tells_of_loading",
]

_C = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl", ".m", ".mm", ".cu")
_PYTHON = (".py", ".pyi")
_SCRIPT = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")

#: A rename shall rename: not leave the old name as an alias in one file.
_NO_ALIASES: Mapping[str, object] = {
    "typescript.preferences.useAliasesForRenames": False,
    "javascript.preferences.useAliasesForRenames": False,
}

_KNOWN = (
    LanguageServer("gopls", ("gopls",), (".go",)),
    # Its index is built at the priority of idle time, which a busy machine has none of: answers then know one file.
    LanguageServer("clangd", ("clangd", "--background-index-priority=normal"), _C),
    LanguageServer("basedpyright", ("basedpyright-langserver", "--stdio"), _PYTHON),
    LanguageServer("pyright", ("pyright-langserver", "--stdio"), _PYTHON),
    LanguageServer("ty", ("ty", "server"), _PYTHON),
    LanguageServer("pyrefly", ("pyrefly", "lsp"), _PYTHON),
    LanguageServer("pylsp", ("pylsp",), _PYTHON),
    LanguageServer("jedi-language-server", ("jedi-language-server",), _PYTHON),
    LanguageServer(
        "typescript-language-server",
        ("typescript-language-server", "--stdio"),
        _SCRIPT,
        initialization_options={
            "preferences": {"providePrefixAndSuffixTextForRename": False},
            # Its second, quick server answers before the project is loaded, and answers wrongly.
            "tsserver": {"useSyntaxServer": "never"},
        },
    ),
    LanguageServer("vtsls", ("vtsls", "--stdio"), _SCRIPT, _NO_ALIASES),
    LanguageServer("tsc", ("tsc", "--lsp", "--stdio"), _SCRIPT, _NO_ALIASES),
    LanguageServer("rust-analyzer", ("rust-analyzer",), (".rs",)),
    LanguageServer("bash-language-server", ("bash-language-server", "start"), (".sh", ".bash")),
    LanguageServer(
        "vscode-css-language-server",
        ("vscode-css-language-server", "--stdio"),
        (".css", ".scss", ".less"),
        # Without these it checks nothing.
        {"css.validate": True, "scss.validate": True, "less.validate": True},
    ),
    LanguageServer("yaml-language-server", ("yaml-language-server", "--stdio"), (".yaml", ".yml")),
)
#: What tells a server which files belong together; the first is what it is called here. Without one of them it knows
#: the files that are open, and little more.
_PROJECT_FILES: Mapping[str, tuple[str, ...]] = {
    "clangd": ("compile_commands.json", "build/compile_commands.json", "compile_flags.txt", ".clangd"),
    "gopls": ("go.mod", "go.work"),
    "rust-analyzer": ("Cargo.toml", "rust-project.json"),
    **dict.fromkeys(
        ("typescript-language-server", "vtsls", "tsc"), ("tsconfig.json", "jsconfig.json", "tsconfig.base.json")
    ),
}
_BY_NAME = {server.name: server for server in _KNOWN}
_BY_PROGRAM = {server.command[0]: server for server in _KNOWN}
#: Programs that keep quiet; both are made of the same code.
_QUIET = frozenset({"typescript-language-server", "vtsls"})

#: Programs that publish no empty list before they have looked: measured.
_PROMPT = frozenset({"gopls", "clangd", "basedpyright-langserver", "pyright-langserver", "ty", "rust-analyzer"})
#: What servers leave the checking to: programs, or packages beside theirs.
_CHECKERS = {"bash-language-server": ("shellcheck",), "pylsp": ("pyflakes", "pycodestyle", "flake8", "pylint", "ruff")}


@frozen
class Installed:
    """
    Servers, parted by whether their programs are there.

    Args:
        found: In the host's order; one whose program the project has too may be there twice, the preferred first.
        skipped: Those whose command is neither on the PATH nor the project's own, or no file that can be run.
        brought: The programs among those found, absolute, that are the project's own.
    """

    found: tuple[LanguageServer, ...]
    skipped: tuple[LanguageServer, ...]
    brought: frozenset[str] = frozenset()


def names() -> tuple[str, ...]:
    """Return the names of the servers that we know."""
    return tuple(_BY_NAME)


def resolve(servers: Iterable[LanguageServer | str]) -> tuple[LanguageServer, ...]:
    """
    Replace names by the servers that are known by them.

    Raises:
        DefinitionError: A name is not known, or given twice.
    """
    resolved = tuple(_named(server) if isinstance(server, str) else server for server in servers)
    given = [server.name for server in resolved]
    if twice := sorted({name for name in given if given.count(name) > 1}):
        raise DefinitionError(f"two language servers are named {twice[0]!r}")
    return resolved


def installed(servers: Iterable[LanguageServer], path: str | None = None, *, root: str = "") -> Installed:
    """
    Look for the programs of servers.

    One that is known by its name is rather the project's own, for it fits the project, than the PATH's; one that the
    host spelled out is the PATH's where it is there.

    Args:
        path: A PATH; by default this process's own.
        root: Of the project, whose own programs count too; empty for no project.
    """
    found: list[LanguageServer] = []
    skipped: list[LanguageServer] = []
    brought: set[str] = set()
    for server in servers:
        program = server.command[0] if server.command else ""
        own = project_programs.find(root, program) if root else None
        others = project_programs.path_without(root, path) if own else path
        elsewhere = shutil.which(program, path=others) if program else None
        is_spelled_out = _BY_NAME.get(server.name) != server
        if own and not (elsewhere and is_spelled_out):
            brought.add(own)
            found.append(_run_by(server, own))
        if elsewhere:
            found.append(_run_by(server, elsewhere) if own else server)
        elif not own:
            skipped.append(server)
    return Installed(tuple(found), tuple(skipped), frozenset(brought))


def _run_by(server: LanguageServer, program: str) -> LanguageServer:
    return evolve(server, command=(program, *server.command[1:]))


def advised(server: LanguageServer, root: str = "") -> LanguageServer:
    """
    Give a server whose program we know the settings and options that it needs, where the host gives none.

    Args:
        root: Of the project; a server for Python is told the environment `.venv` in it. Empty for no project.
    """
    return _with_environment(_with_advice(server), root)


def _with_environment(server: LanguageServer, root: str) -> LanguageServer:
    """Tell a server for Python the project's environment; what the host says of that wins."""
    environment = os.path.join(root, ".venv")
    python = os.path.join(environment, "bin", "python")
    if not root or not os.path.exists(python):
        return server
    programs = set(_programs(server))
    if programs & {"pyright-langserver", "basedpyright-langserver"}:
        return evolve(server, settings={"python.pythonPath": python, **server.settings})
    if "pylsp" in programs:
        return evolve(server, settings={"pylsp.plugins.jedi.environment": environment, **server.settings})
    if "jedi-language-server" in programs and server.initialization_options is None:
        return evolve(server, initialization_options={"workspace": {"environmentPath": python}})
    # ty and pyrefly look for it themselves.
    return server


def _with_advice(server: LanguageServer) -> LanguageServer:
    known = next(filter(None, map(_BY_PROGRAM.get, _programs(server))), None)
    if known is None:
        return server
    options = server.initialization_options
    return evolve(
        server,
        settings=server.settings or known.settings,
        initialization_options=known.initialization_options if options is None else options,
    )


def lacks(server: LanguageServer, path: str) -> str:
    """
    Return the file that a server would need, by a file or above it, to know what belongs together; empty for none.

    Args:
        path: Of a file that is asked about, absolute.
    """
    names = next(filter(None, map(_PROJECT_FILES.get, _programs(server))), ())
    options = server.initialization_options
    # A host may have told it in another way.
    told = any(word.startswith("--compile-commands-dir") for word in server.command) or (
        isinstance(options, Mapping) and "compilationDatabasePath" in options
    )
    folder = os.path.dirname(path)
    while names and not told:
        if any(os.path.exists(os.path.join(folder, name)) for name in names):
            return ""
        if folder == os.path.dirname(folder):
            return names[0]
        folder = os.path.dirname(folder)
    return ""


def tells_of_loading(server: LanguageServer, root: str) -> bool:
    """Whether a server says in any case when it has read a project, so that an answer before that is none yet."""
    listed = ("compile_commands.json", "build/compile_commands.json")
    return "clangd" in _programs(server) and any(os.path.exists(os.path.join(root, name)) for name in listed)


def is_prompt(server: LanguageServer) -> bool:
    """Whether a server's first empty list means that it has looked and found nothing."""
    return not _PROMPT.isdisjoint(_programs(server))


def is_known(server: LanguageServer) -> bool:
    """Whether this is a program of the table: it was measured when it has published all."""
    return any(program in _BY_PROGRAM for program in _programs(server))


def needs(server: LanguageServer, path: str | None) -> str:
    """
    Return what is missing for a server to check anything; empty when nothing is.

    Args:
        path: The PATH of the server.
    """
    checkers = next(filter(None, map(_CHECKERS.get, _programs(server))), ())
    if not checkers or any(shutil.which(name, path=path) for name in checkers):
        return ""
    program = shutil.which(server.command[0], path=path) or server.command[0]
    prefix = os.path.dirname(os.path.dirname(os.path.realpath(program)))
    beside = (os.path.join(prefix, "lib", "python3*", "site-packages", f"{name}*") for name in checkers)
    return "" if any(map(glob.glob, beside)) else checkers[0]


def keeps_quiet(server: LanguageServer) -> bool:
    """Whether a server publishes nothing for a file that was clean before a change and still is."""
    return not _QUIET.isdisjoint(_programs(server))


def _programs(server: LanguageServer) -> list[str]:
    return [os.path.basename(word) for word in server.command]


def _named(name: str) -> LanguageServer:
    if name not in _BY_NAME:
        raise DefinitionError(f"no language server is known as {name!r}; known: {', '.join(_BY_NAME)}")
    return _BY_NAME[name]
