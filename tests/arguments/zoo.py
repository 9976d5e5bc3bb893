"""Arguments classes of every shape, as tools declare them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import Annotated, Any, Literal

import attrs
from attrs import field, frozen, validators
from hypothesis import strategies as st
from typing_extensions import Doc

from mmtools.call import ToolKind
from mmtools.schema import Named
from mmtools.tool import ToolSpec


@frozen(kw_only=True)
class EditArg:
    old: Annotated[str, Doc("Exact text to find.")]
    new: Annotated[str, Doc("Replacement.")]


@frozen(kw_only=True)
class EditFileArgs:
    path: Annotated[str, Doc("Path of an existing file.")]
    edits: Annotated[tuple[EditArg, ...], Doc("Replacements.")] = field(validator=validators.min_len(1))
    dry_run: Annotated[bool, Doc("Write nothing.")] = False


@frozen(kw_only=True)
class ReadFileArgs:
    path: Annotated[str, Doc("File path.")]
    start: Annotated[int, Doc("First line.")] = field(default=0, validator=validators.ge(0))
    end: Annotated[int, Doc("Last line.")] = field(default=0, validator=validators.ge(0))
    numbered: Annotated[bool, Doc("Number the lines.")] = False


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"
    AMBER = "amber"


@frozen(kw_only=True)
class PlainArgs:
    """Every shape that has no limits and no null, which msgspec can judge too."""

    text: Annotated[str, Doc("A text.")]
    whole: Annotated[int, Doc("An integer.")]
    ratio: Annotated[float, Doc("A number.")] = 0.5
    flag: Annotated[bool, Doc("A flag.")] = True
    colour: Annotated[Colour, Doc("An enum.")] = Colour.BLUE
    level: Annotated[Literal[3, 1, 2], Doc("A literal.")] = 1
    names: Annotated[tuple[str, ...], Doc("Strings.")] = ("a", "b")
    counts: Annotated[dict[str, int], Doc("A table.")] = field(factory=dict)
    edit: Annotated[EditArg, Doc("A record.")] = EditArg(old="a", new="b")
    edits: Annotated[tuple[EditArg, ...], Doc("Records.")] = ()


@frozen(kw_only=True)
class TaskArg:
    title: Annotated[str, Doc("What.")] = field(validator=validators.and_(validators.min_len(1), validators.max_len(5)))
    status: Annotated[Literal["pending", "done"], Doc("How far.")] = "pending"
    rank: Annotated[int | None, Doc("Where.")] = None


@frozen(kw_only=True)
class LimitedArgs:
    """Limits, nulls, unions, and names that Python has not."""

    tasks: Annotated[tuple[TaskArg, ...], Doc("Tasks.")] = field(validator=validators.max_len(3))
    parent: Annotated[int | None, Doc("Null is a value here.")]
    limit: Annotated[int, Doc("From 1 to 100.")] = field(default=20, validator=[validators.gt(0), validators.le(100)])
    share: Annotated[float, Doc("From 0 to 1.")] = field(
        default=0.5, validator=validators.and_(validators.ge(0), validators.le(1))
    )
    wanted: Annotated[str | tuple[str, ...], Doc("One or several.")] = ()
    size: Annotated[int | bool, Doc("A number, or whether.")] = False
    by: Annotated[dict[str, tuple[int, ...]], Doc("A table of lists.")] = field(
        factory=dict, validator=validators.max_len(2)
    )
    ignore_case: Annotated[bool, Doc("As in grep."), Named("-i")] = False
    _hidden: Annotated[str, Doc("Private, but on the wire.")] = ""
    context: Annotated[int | None, Doc("Lines around.")] = field(
        default=None, validator=validators.optional(validators.ge(0))
    )


@frozen(kw_only=True)
class LooseArgs:
    """Any JSON value."""

    value: Annotated[Any, Doc("Anything.")]
    named: Annotated[dict[str, object], Doc("Anything by name.")] = field(factory=dict)


@frozen
class NoArgs:
    pass


def declare(name: str, hints: Mapping[str, Any], **options: Any) -> type:
    """Make an attrs class; the options of `attrs.field` hold for each of its fields."""
    return attrs.make_class(name, {key: attrs.field(type=hint, **options) for key, hint in hints.items()}, frozen=True)


def spec_of(arguments: type | dict[str, Any], name: str = "some_tool") -> ToolSpec:
    """Return a tool that takes the arguments, without aliases."""
    return ToolSpec(name=name, description="", kind=ToolKind.OTHER, family="", arguments=arguments)


def sent_to(
    specs: Iterable[ToolSpec], strategy: Callable[[dict[str, Any]], st.SearchStrategy[Any]]
) -> st.SearchStrategy[tuple[Any, ToolSpec]]:
    """Generate a payload, and the tool of some that it is for."""
    return st.one_of([st.tuples(strategy(spec.arguments_schema), st.just(spec)) for spec in specs])


READ = ToolSpec(
    name="read_file",
    description="",
    kind=ToolKind.READ,
    family="file",
    arguments=ReadFileArgs,
    aliases={"file_path": "path", "filename": "path", "offset": "start"},
)

EDIT = ToolSpec(
    name="edit_file",
    description="",
    kind=ToolKind.EDIT,
    family="file",
    arguments=EditFileArgs,
    aliases={"file_path": "path", "old_string": "old", "new_string": "new"},
    refuses={"replace_all": "send one edit per place"},
)

ZOO = (EditFileArgs, ReadFileArgs, PlainArgs, LimitedArgs, LooseArgs, NoArgs)

#: One tool for each class, without aliases.
TOOLS = {arguments: spec_of(arguments) for arguments in ZOO}
