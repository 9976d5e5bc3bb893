"""
How `Subprocesses` runs a command: its output, its process tree, and the wait for both.
"""
