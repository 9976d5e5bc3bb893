"""What a change made worse or better, to stand behind its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmtools.ports.edit_checks import EditWatch

__all__ = ["checked"]


def checked(watch: EditWatch | None, shown: str) -> str:
    """
    Ask once, after the file was written.

    Args:
        watch: None where nobody watches; that costs nothing.
        shown: The path as the model named it.

    Returns:
        Empty, or text that begins with a line break.
    """
    if watch is None:
        return ""
    # Here, for it brings along what language servers say.
    from mmtools.tools.wording import diagnostics

    return diagnostics.after_edit(watch.delta(), shown)
