"""Annotations become shapes; what no shape can say is refused with the class and the field named."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any, Literal

import attrs
import pytest
from attrs import frozen, validators
from typing_extensions import Doc

from mmtools.errors import DefinitionError
from mmtools.schema import Named, declarations
from mmtools.schema.shapes import Array, Bounds, Choice, Integer, Null, Number, OneOf, Shape, Table, Text
from tests.arguments.zoo import declare


class Number1(IntEnum):
    ONE = 1


class Letter(Enum):
    B = "b"
    A = "a"
    ALSO_B = "b"


def declared(hint: Any, **options: Any) -> type:
    """Make an arguments class `Args` with one field `x`."""
    return declare("Args", {"x": Annotated[hint, Doc("It.")]}, **options)


def shape_of(hint: Any, **options: Any) -> Shape:
    return declarations.read(declared(hint, **options)).members["x"].shape


@pytest.mark.parametrize(
    "hint",
    [
        list[str], list, tuple, tuple[str, int], tuple[()], dict, dict[int, str], set[str], frozenset[str], bytes, Path, complex,
        Number1, Literal[None], Literal["a", None], Literal[b"a"], Literal[True], Literal[Letter.A], Mapping, type[int], Enum,
        tuple[bytes, ...], dict[str, list[str]], int | bytes, dict[str, int] | list[int], "str | Unknown",
    ],
    ids=str,
)  # fmt: skip
def test_what_cannot_be_declared_is_refused_by_name(hint: Any) -> None:
    with pytest.raises(DefinitionError, match=r"^Args(\.x)?: "):
        declarations.read(declared(hint))


@pytest.mark.parametrize("note", [(), (Doc(""),), (Doc("  "),), ("a string",)])
def test_a_field_without_a_description_is_refused(note: tuple[Any, ...]) -> None:
    hint = Annotated[str, *note] if note else str
    nested: Any = declare("Inner", {"y": hint})
    with pytest.raises(DefinitionError, match=r"^Inner\.y has no description"):
        declarations.read(nested)
    with pytest.raises(DefinitionError, match=r"^Inner\.y has no description"):
        declarations.read(declared(tuple[nested, ...]))


@frozen
class Tree:
    children: Annotated[tuple[Tree, ...], Doc("Itself.")] = ()


def test_a_class_that_contains_itself_is_refused() -> None:
    with pytest.raises(DefinitionError, match="Tree contains itself"):
        declarations.read(Tree)


def test_a_class_may_be_used_twice_side_by_side() -> None:
    inner = declared(str)
    outer = declare("Outer", dict.fromkeys(("left", "right"), Annotated[inner, Doc("It.")]))
    assert list(declarations.read(outer).members) == ["left", "right"]


@pytest.mark.parametrize("plain_class", [int, dict, type("Bare", (), {})])
def test_only_an_attrs_class_declares_arguments(plain_class: type) -> None:
    with pytest.raises(DefinitionError, match="is not an attrs class"):
        declarations.read(plain_class)


@pytest.mark.parametrize("wire", ["", "with space", "ü", "a" * 65, "a\n", "$x"])
def test_a_name_that_no_api_takes_is_refused(wire: str) -> None:
    args = declare("Args", {"x": Annotated[str, Doc("It."), Named(wire)]})
    with pytest.raises(DefinitionError, match=r"^Args\.x: no model API takes"):
        declarations.read(args)


def test_two_fields_with_one_name_are_refused() -> None:
    args = declare("Args", {"x": Annotated[str, Doc("It.")], "y": Annotated[str, Doc("It."), Named("x")]})
    with pytest.raises(DefinitionError, match="two fields are called 'x'"):
        declarations.read(args)


def test_null_cannot_mean_both_absent_and_a_default() -> None:
    with pytest.raises(DefinitionError, match=re.escape("Args.x: null means absent")):
        declarations.read(declared(int | None, default=5))


def test_an_optional_field_does_not_show_its_null_and_a_required_one_does() -> None:
    assert shape_of(int | None, default=None) == Integer()
    assert shape_of(int | None) == OneOf((Integer(), Null()))
    assert shape_of(int | str | None, default=None) == OneOf((Integer(), Text()))


def test_choices_keep_the_written_order() -> None:
    literal, enum = shape_of(Literal["z", "a", "m"]), shape_of(Letter)
    assert isinstance(literal, Choice)
    assert isinstance(enum, Choice)
    assert list(literal.values) == ["z", "a", "m"]
    assert dict(enum.values) == {"b": Letter.B, "a": Letter.A}
    assert list(enum.values) == ["b", "a"]


@pytest.mark.parametrize(
    ("validator", "bounds"),
    [
        (validators.ge(0), Bounds(low=0)),
        (validators.gt(0), Bounds(low=1)),
        (validators.le(9), Bounds(high=9)),
        (validators.lt(9), Bounds(high=8)),
        (validators.and_(validators.ge(1), validators.le(5), validators.ge(2)), Bounds(2, 5)),
        ([validators.ge(1), validators.instance_of(int)], Bounds(low=1)),
        (validators.optional(validators.ge(3)), Bounds(low=3)),
        (validators.instance_of(int), Bounds()),
        (lambda *_: None, Bounds()),
        (None, Bounds()),
    ],
)
def test_limits_are_read_from_the_validators_of_attrs(validator: Any, bounds: Bounds) -> None:
    assert shape_of(int, validator=validator) == Integer(bounds)


def test_an_exclusive_limit_of_a_float_is_left_to_its_validator() -> None:
    assert shape_of(float, validator=validators.gt(0)) == Number()


@pytest.mark.parametrize(
    ("hint", "shape"),
    [(str, Text(Bounds(1, 3))), (tuple[int, ...], Array(Integer(), Bounds(1, 3))), (dict[str, int], Table(Integer(), Bounds(1, 3)))],
)  # fmt: skip
def test_lengths_limit_the_outermost_shape(hint: Any, shape: Shape) -> None:
    limits: Any = validators.and_(validators.min_len(1), validators.max_len(3))
    assert shape_of(hint, validator=limits) == shape


def test_a_default_known_only_at_construction_makes_a_field_optional_and_shows_nothing() -> None:
    member = declarations.read(declared(str, default=attrs.Factory(lambda self: "x", takes_self=True))).members["x"]
    assert (member.required, member.default) == (False, attrs.NOTHING)


def test_a_field_that_is_not_of_the_constructor_is_no_argument() -> None:
    assert declarations.read(declared(str, init=False, default="x")).members == {}
