"""The options of the composition roots: what each takes, and one sentence for whatever else is given."""

from __future__ import annotations

import codecs
import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from attrs import Attribute, field, frozen

from mmtools.core.environment import EnvironmentPolicy
from mmtools.core.freshness import Ledger
from mmtools.core.loop import LoopDetector
from mmtools.errors import DefinitionError
from mmtools.ports.display import Display
from mmtools.ports.observer import Observer
from mmtools.ports.permission import Permission
from mmtools.tool import AnyTool

if TYPE_CHECKING:
    from mmtools.ports.language_servers import LanguageServer
    from mmtools.ports.remote_tools import McpServer

__all__ = ["Options", "Path"]

Path: TypeAlias = "str | os.PathLike[str]"

_PLUG: dict[str, str] = {
    "permission": "an object with decide(request), such as AllowAll() or ConsolePermission()",
    "display": "an object with started, output and finished, or None",
    "observer": "an object with record(observation), or None",
    "loop_detector": "a LoopDetector, or None",
}


def _takes(words: str, fits: Callable[[Any], bool]) -> Callable[[Any, Attribute[Any], Any], None]:
    """
    Build a validator.

    Args:
        words: What the option takes, for the host's programmer.
    """

    def check(_: object, option: Attribute[Any], value: object) -> None:
        if not fits(value):
            raise DefinitionError(f"{option.name} takes {words}; {_named(value)} is none")

    return check


def _named(value: object) -> str:
    if inspect.isclass(value):
        return f"the class {value.__name__}"
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:79]}…"


def _has(*methods: str) -> Callable[[Any], bool]:
    return lambda value: not inspect.isclass(value) and all(callable(getattr(value, each, None)) for each in methods)


def _or_none(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: value is None or fits(value)


def _several(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    def all_fit(value: object) -> bool:
        return isinstance(value, Sequence) and not isinstance(value, str | bytes) and all(map(fits, value))

    return all_fit


def _is_path(value: object) -> bool:
    return isinstance(value, str | os.PathLike) and not isinstance(os.fspath(value), bytes)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object, *, whole: bool) -> bool:
    return isinstance(value, int if whole else int | float) and not isinstance(value, bool) and 0 < value < float("inf")


def _is_codec(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(codecs.lookup(value))
    except LookupError:
        return False


def _is_environment(value: object) -> bool:
    if isinstance(value, EnvironmentPolicy):
        return True
    return isinstance(value, Mapping) and all(_is_text(each) for pair in value.items() for each in pair)


def _is_named_server(value: object) -> bool:
    return _is_text(value) or _has_fields(value, "name", "command", "extensions")


def _has_fields(value: object, *names: str) -> bool:
    return not inspect.isclass(value) and all(hasattr(value, name) for name in names)


def _is_tool(value: object) -> bool:
    return _has("execute", "headline")(value) and hasattr(value, "spec")


def _flag(default: bool) -> Any:  # noqa: FBT001 - the value itself
    return field(default=default, validator=_takes("True or False", lambda value: isinstance(value, bool)))


_NAMES = _takes("several wire names, such as ('bash',)", _several(_is_text))
_TEXTS = _several(_is_text)


@frozen(kw_only=True)
class Options:
    """
    The options that every dialect takes, checked.

    Raises:
        DefinitionError: A value is of another kind; the text names the option and what it takes.
    """

    root: Path = field(validator=_takes("the path of a directory", _is_path))
    permission: Permission = field(validator=_takes(_PLUG["permission"], _has("decide")))
    display: Display | None = field(
        default=None, validator=_takes(_PLUG["display"], _or_none(_has("started", "output", "finished")))
    )
    observer: Observer | None = field(default=None, validator=_takes(_PLUG["observer"], _or_none(_has("record"))))
    loop_detector: LoopDetector | None = field(
        default=None, validator=_takes(_PLUG["loop_detector"], _or_none(_has("record", "reset")))
    )
    max_output: int = field(
        default=30_000,
        validator=_takes("a whole number of characters above 0", lambda value: _is_number(value, whole=True)),
    )
    bash_timeout_s: float = field(
        default=30.0, validator=_takes("seconds above 0", lambda value: _is_number(value, whole=False))
    )
    environment: EnvironmentPolicy | Mapping[str, str] | None = field(
        default=None,
        validator=_takes("an EnvironmentPolicy, a mapping of names to texts, or None", _or_none(_is_environment)),
    )
    extra_roots: Sequence[Path] = field(
        default=(), validator=_takes("several paths, such as ('../docs',)", _several(_is_path))
    )
    outside: Literal["refuse", "ask"] = field(
        default="refuse", validator=_takes("'refuse' or 'ask'", lambda value: value in ("refuse", "ask"))
    )
    encodings: Sequence[str] = field(
        default=(), validator=_takes("several codecs by name, such as ('cp1252',)", _several(_is_codec))
    )
    read_before_edit: bool | Ledger = field(
        default=False, validator=_takes("True, False or a Ledger", lambda value: isinstance(value, bool | Ledger))
    )
    lsp_servers: Sequence[LanguageServer | str] = field(
        default=(),
        validator=_takes(
            "several LanguageServers or names of known ones, such as ('gopls',)", _several(_is_named_server)
        ),
    )
    diagnostics_after_edit: bool = _flag(default=False)
    mcp_servers: Sequence[McpServer] = field(
        default=(),
        validator=_takes("several McpServers", _several(lambda value: _has_fields(value, "name", "command", "url"))),
    )
    skills_dir: Path | None = field(
        default=None, validator=_takes("the path of a directory, or None", _or_none(_is_path))
    )
    allow_addresses: Sequence[str] = field(
        default=(), validator=_takes("several networks, such as ('127.0.0.0/8',)", _TEXTS)
    )
    tools: Sequence[AnyTool] = field(
        default=(), validator=_takes("several tools: objects with spec, headline and execute", _several(_is_tool))
    )
    without: Sequence[str] = field(default=(), validator=_NAMES)
    bash_tool: bool = _flag(default=True)
    edit_tools: bool = _flag(default=True)
