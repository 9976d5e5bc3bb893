"""
Language servers on this machine: child processes that speak JSON-RPC over their pipes.

From the wire up
    `frames` bytes ↔ messages (`adapters.process.piped_server` carries them); `pending_requests` questions, and those
    who wait for their answers or for any change.

The other side
    `handshake` what each side can do, and its settings; `listener` what it tells of its own accord; `peer` greets,
    asks and sees off.

What it is shown and asked
    `documents` the open files; `changed_files` notices about the others; `session` both before each question;
    `readiness` when an answer counts; `diagnosis` findings on a file; `open_files` the port's view of one.

All servers
    `servers` who is asked, started and started again; `known_servers` the usual ones; `texts` what a file's text is;
    `timeouts` how long anything may take; `edit_checks` what an edit made worse or better.

Nothing that a server sends raises here; whatever it does, a call ends.
"""
