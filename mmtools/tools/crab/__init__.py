"""
The crab dialect. Source: crab tools page, "Seven built-in tools".

Its words and ours: `offset`/`limit` make a window of lines, `edits[].old/new` a replacement, "session state" is a
ledger of `core.freshness`, the freshness gate `operations.session_files`, an "all" a grant for a class of tools.
"""
