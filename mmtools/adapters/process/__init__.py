"""
How `Subprocesses` runs a command: its output, its process tree, and the wait for both. `server_process` is a child that
goes on, and its kin.
"""
