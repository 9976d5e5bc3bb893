"""Where the framework is there."""

from __future__ import annotations

from importlib.util import find_spec

#: This folder's tests run in the framework's own environment.
collect_ignore_glob = [] if find_spec("pydantic_ai") else ["test_*.py"]
