"""
What is true about the Language Server Protocol, without a server: texts, positions, names, edits, answers.

Places
    `positions` lines and columns ↔ offsets ↔ the wire's lines and code units; `uris` paths ↔ file URIs.

Names
    `languages` what a file's name says about its language: `comments` where they are, `names` what an identifier is;
    `symbols` what a model means by a symbol or a place, and where that stands.

Answers, decoded leniently from whatever JSON a server sends
    `wire` the small pieces; `answers` locations, hover text, readiness to rename; `outlines` symbols of a file;
    `diagnostics` findings, and `diagnostics_delta` what an edit changed in them.

Renames
    `workspace_edits` what a server wants changed, and where; `text_edits` the edits of one text;
    `renames` whether they are the rename that was asked for, and what becomes of one file's bytes.

Nothing here raises, whatever a server sends.
"""
