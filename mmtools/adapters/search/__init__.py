"""
What the two search engines share, and what ripgrep has built in.

    `engine`   a child program, read while it runs and ended in time
    `records`  what it writes, read as it comes; `complaints` what it could not do
    `answers`  what the port answers with that
    `repositories` how far a `.gitignore` reaches

The engine in Python
    `python_engine` the program; `walking` the files, by `ignore_rules`; `contents` what is in them, `matching` lines;
    `opening` files that may be anything.
"""
