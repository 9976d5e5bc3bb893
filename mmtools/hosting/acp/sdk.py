"""The words of the protocol's official SDK, version 1 of the protocol; or one sentence on where to get them."""

try:
    from acp import RequestError, schema
    from acp.interfaces import Client
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        "mmtools.hosting.acp needs one more package: pip install agent-client-protocol", name=missing.name
    ) from missing

__all__ = ["Client", "RequestError", "has_terminals", "reads_buffers", "reason", "schema", "writes_buffers"]


def reads_buffers(capabilities: schema.ClientCapabilities | None) -> bool:
    """Whether an editor offers `fs/read_text_file`."""
    return bool(capabilities and capabilities.fs and capabilities.fs.read_text_file)


def writes_buffers(capabilities: schema.ClientCapabilities | None) -> bool:
    """Whether an editor offers `fs/write_text_file`."""
    return bool(capabilities and capabilities.fs and capabilities.fs.write_text_file)


def has_terminals(capabilities: schema.ClientCapabilities | None) -> bool:
    """Whether an editor offers `terminal/*`."""
    return bool(capabilities and capabilities.terminal)


def reason(error: Exception) -> str:
    """Return the other side's own words, where it gave some."""
    data = error.data if isinstance(error, RequestError) else None
    details = data.get("details") if isinstance(data, dict) else None
    return f"{error} ({details})" if isinstance(details, str) and details else str(error)
