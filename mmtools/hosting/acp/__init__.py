"""A runner behind an editor that speaks the Agent Client Protocol: its calls shown, its questions asked, its buffers read."""

from mmtools.hosting.acp.editor_files import EditorFiles
from mmtools.hosting.acp.editor_terminals import EditorTerminals
from mmtools.hosting.acp.session import AcpSession

__all__ = ["AcpSession", "EditorFiles", "EditorTerminals"]
