"""
What a line of bash says, as far as it can be known without running it.

`words` a word and what is known of it; `quoting` the texts that quotes stand for; `reader` a line cut into the simple commands
that it may run.
"""
