"""What a tool is, and the little that it may ask of the call it serves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar

from attrs import field, frozen

from mmtools import schema
from mmtools.call import Cancellation, Headline, Proposal, Report, ToolKind
from mmtools.errors import DefinitionError

__all__ = ["AnyTool", "Call", "ClassTool", "Denied", "Tool", "ToolSpec", "by_name"]

#: Says why one file may not be read: it gets all its absolute names, the real one first; None when nothing denies it.
Denied: TypeAlias = Callable[[Sequence[str]], str | None]

ArgumentsT = TypeVar("ArgumentsT", contravariant=True)


@frozen(kw_only=True)
class ToolSpec:
    """
    The declaration of a tool to a model.

    Args:
        name: The wire name, as the dialect writes it.
        description: What the model reads; short, for it is paid at every request.
        kind: ACP's closed list; a call's own headline may differ from it.
        also: The kinds that single calls may have instead, as their headlines say: a rename by a tool that reads.
        family: Groups calls in the recap and in grants: "command", "file", "skill", "lsp", …
        arguments: An attrs class, or a ready JSON Schema for a tool that lives elsewhere.
        aliases: Other spellings of keys that models send, in nested objects too: sent name → field's name.
        refuses: Unknown keys that would change what a call means, and so are not ignored: sent name → what to
            do instead ("send one edit per place").
        exclusive: Whether the tool must be the only call of its response.
    """

    name: str
    description: str
    kind: ToolKind
    family: str
    arguments: type | Mapping[str, Any]
    aliases: Mapping[str, str] = field(factory=dict)
    refuses: Mapping[str, str] = field(factory=dict)
    exclusive: bool = False
    also: tuple[ToolKind, ...] = ()

    @property
    def arguments_schema(self) -> dict[str, Any]:
        """The JSON Schema (2020-12) of the arguments; a fresh dict at every call."""
        return schema.of(self.arguments)


class Call(Protocol):
    """What a tool may ask of the one call it serves."""

    @property
    def cancellation(self) -> Cancellation:
        """The switch that tells the tool to stop."""
        ...

    @property
    def denied(self) -> Denied | None:
        """What the host denies to read, whoever would be asked; None where it denies nothing. Asks nobody."""
        ...

    def approve(self, proposal: Proposal) -> None:
        """
        Return when the host allows it.

        Raises:
            PermissionRefused: With `proposal.refusal` and the person's feedback.
            Cancelled: The question was withdrawn.
        """
        ...

    def emit(self, text: str) -> None:
        """Show a piece of live output; the model does not see it."""
        ...

    def report(self, report: Report) -> None:
        """Set what the outcome holds beside the text; the last report counts."""
        ...


class _Acting(Protocol[ArgumentsT]):
    """The two methods of every tool."""

    def headline(self, arguments: ArgumentsT) -> Headline:
        """Announce a call. No I/O; never raises."""
        ...

    def execute(self, arguments: ArgumentsT, call: Call) -> str:
        """
        Do the work, in one straight line: read, decide, ask, write, say.

        Returns:
            The text for the model; never empty.

        Raises:
            ToolFailure: Every ordinary failure; nothing was changed.
        """
        ...


class Tool(_Acting[ArgumentsT], Protocol[ArgumentsT]):
    """One wire contract: declared by `spec`, announced by `headline`, done by `execute`."""

    @property
    def spec(self) -> ToolSpec:
        """The declaration; may depend on the instance, not on the moment."""
        ...


class ClassTool(_Acting[ArgumentsT], Protocol[ArgumentsT]):
    """A tool with the same declaration for all its instances; some type checkers keep the two kinds of attribute apart."""

    spec: ClassVar[ToolSpec]


AnyTool: TypeAlias = Tool[Any] | ClassTool[Any]


def by_name(tools: Iterable[AnyTool]) -> dict[str, AnyTool]:
    """
    Key tools by their wire name, in their order.

    Raises:
        DefinitionError: Two of them have the same name.
    """
    named: dict[str, AnyTool] = {}
    for tool in tools:
        name = tool.spec.name
        if name in named:
            raise DefinitionError(f"two tools are named {name!r}: {named[name]!r} and {tool!r}")
        named[name] = tool
    return named
