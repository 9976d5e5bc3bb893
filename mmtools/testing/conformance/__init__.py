"""
Suites to point at one's own implementation; each ends in silence or in a counterexample.

    `displays`     a display: what it writes, from one thread and from many
    `edits`        an edit function: text and replacements in, new text or a refusal out
    `files`        files below some roots: what is read, what is replaced, what a crash leaves
    `language_servers`  who knows the code: files as they are now, and an end to every call
    `permissions`  who decides: what a decision may be, and what failing to decide means
    `policies`     a permission around another one
    `processes`    commands: their output, their end, and that nothing outlives its time
    `search`       a search: which files and lines are found, in which order, and what a cut or a problem tells
"""
