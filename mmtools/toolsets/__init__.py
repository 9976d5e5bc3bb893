"""Ordered choices of tools, one builder per dialect."""
