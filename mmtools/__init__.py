"""
The tools a coding agent needs, as typed classes that any Python agent can host.

Start with `local.mm(root, permission=…)`; everything a host plugs in or gets back is named here. A name
is imported when it is first used, so that `LoopDetector` alone costs no more than itself.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmtools import local
    from mmtools.adapters.console import ConsolePermission
    from mmtools.call import Outcome, Status, ToolCall, ToolKind
    from mmtools.core.environment import EnvironmentPolicy
    from mmtools.core.loop import LoopDetector
    from mmtools.core.runaway import RunawayGuard
    from mmtools.errors import (
        ArgumentsRefused,
        Cancelled,
        DefinitionError,
        LoopStopped,
        MmtoolsError,
        PermissionRefused,
        ToolFailure,
    )
    from mmtools.policies.allow_all import AllowAll
    from mmtools.policies.defer import Defer
    from mmtools.policies.read_only import ReadOnly
    from mmtools.policies.refuse_all import RefuseAll
    from mmtools.policies.remember import Remember
    from mmtools.policies.rules import Rule, Rules
    from mmtools.policies.yolo import Yolo
    from mmtools.ports.display import Display
    from mmtools.ports.language_servers import LanguageServer
    from mmtools.ports.observer import Observer
    from mmtools.ports.permission import Choice, Decision, Permission, PermissionRequest
    from mmtools.ports.remote_tools import McpServer
    from mmtools.runner import Runner
    from mmtools.tool import Tool, ToolSpec
    from mmtools.toolsets.toolset import Toolset

__version__ = "0.1.0"

__all__ = [
    "AllowAll",
    "ArgumentsRefused",
    "Cancelled",
    "Choice",
    "ConsolePermission",
    "Decision",
    "Defer",
    "DefinitionError",
    "Display",
    "EnvironmentPolicy",
    "LanguageServer",
    "LoopDetector",
    "LoopStopped",
    "McpServer",
    "MmtoolsError",
    "Observer",
    "Outcome",
    "Permission",
    "PermissionRefused",
    "PermissionRequest",
    "ReadOnly",
    "RefuseAll",
    "Remember",
    "Rule",
    "Rules",
    "RunawayGuard",
    "Runner",
    "Status",
    "Tool",
    "ToolCall",
    "ToolFailure",
    "ToolKind",
    "ToolSpec",
    "Toolset",
    "Yolo",
    "__version__",
    "local",
]

#: Where each name lives; what is not here is a module of this package.
_HOMES = {
    "AllowAll": "mmtools.policies.allow_all",
    "ArgumentsRefused": "mmtools.errors",
    "Cancelled": "mmtools.errors",
    "Choice": "mmtools.ports.permission",
    "ConsolePermission": "mmtools.adapters.console",
    "Decision": "mmtools.ports.permission",
    "Defer": "mmtools.policies.defer",
    "DefinitionError": "mmtools.errors",
    "Display": "mmtools.ports.display",
    "EnvironmentPolicy": "mmtools.core.environment",
    "LanguageServer": "mmtools.ports.language_servers",
    "LoopDetector": "mmtools.core.loop",
    "LoopStopped": "mmtools.errors",
    "McpServer": "mmtools.ports.remote_tools",
    "MmtoolsError": "mmtools.errors",
    "Observer": "mmtools.ports.observer",
    "Outcome": "mmtools.call",
    "Permission": "mmtools.ports.permission",
    "PermissionRefused": "mmtools.errors",
    "PermissionRequest": "mmtools.ports.permission",
    "ReadOnly": "mmtools.policies.read_only",
    "RefuseAll": "mmtools.policies.refuse_all",
    "Remember": "mmtools.policies.remember",
    "Rule": "mmtools.policies.rules",
    "Rules": "mmtools.policies.rules",
    "RunawayGuard": "mmtools.core.runaway",
    "Runner": "mmtools.runner",
    "Status": "mmtools.call",
    "Tool": "mmtools.tool",
    "ToolCall": "mmtools.call",
    "ToolFailure": "mmtools.errors",
    "ToolKind": "mmtools.call",
    "ToolSpec": "mmtools.tool",
    "Toolset": "mmtools.toolsets.toolset",
    "Yolo": "mmtools.policies.yolo",
}


def __getattr__(name: str) -> object:
    """Import a name when it is first used (PEP 562)."""
    if name == "local":
        return import_module("mmtools.local")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
