"""
Language servers on this machine: child processes that speak JSON-RPC over their pipes.

From the wire up
    `frames` bytes ↔ messages; `transport` the one thread that reads and writes; `pending_requests` and those who wait for their answers; `change_signal` others who wait.

The other side
    `handshake` what each side can do; `configuration` its settings; `activity` what it is busy with;
    `registrations` what it asked to be told; `publications` what it found; `listener` takes all that, `peer`
    greets, asks and sees off.

What it is shown and asked
    `documents` the open files, by their `stamps`; `changed_files` notices about the others, found by `folders`;
    `session` both before each question; `readiness` when an answer counts; `diagnosis` findings on a file;
    `open_files` the port's view of one.

All servers
    `servers` who is asked; `supervisor` starts one, again if need be; `known_servers` the usual ones; `texts` what a
    file's text is; `timeouts` how long anything may take; `edit_checks` what an edit made worse or better.

Nothing that a server sends raises here; whatever it does, a call ends.
"""
