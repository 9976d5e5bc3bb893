"""
The mm dialect. Source: mm reference, "built-in tools".

Its words and ours: `start`/`end` make a window of lines, `edits[].old/new` a replacement,
`maxOutput` is `max_output`, `previewLines` is `preview_lines` of a display.
"""
