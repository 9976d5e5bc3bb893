"""Characters that mean something, or are taken for others, outside of an edit; plain data for the sharp cases."""

from __future__ import annotations

__all__ = ["ROWS", "SEQUENCES", "TAKEN_FOR"]

#: All of Latin-1, and what is left out, composed, folded or ends a line elsewhere; a row at a time.
ROWS = (
    *("".join(map(chr, range(start, start + 16))) for start in range(0, 256, 16)),
    "\u0130\u037e\u0430\u200b\u200d\u2013\u2018\u201c\u2026\u2028\u2029\u212a\u3000",
    "\ufb01\ufe0f\ufeff\uff21\ufffd\U0001f600\U000e0020",
)

_SPELLINGS = r"""
    $$ $& $` $' $0 $1 $A ${1} $<n> $(n) `` && %% %20 %s %d {} {0} {{ }} &lt; &#39; &nbsp; </ <!-- // /* ** ...
    \\ \n \r \t \' \0 \1 \g<0> \g<n> \x41 \u0041 \E '' == @@ +n -n ======= <<<<<<< >>>>>>>
"""
#: What means something to a template, a pattern, a shell, a page, a diff, an encoding or an editor.
SEQUENCES = (
    *_SPELLINGS.split(),
    *("\ufeff", "e\u0301", '""', "  ", "    ", "\t\t", " \n", "\n ", "\t\n", "\n\n\n", "\r\r", "\n\r", "\r\n\r\n"),
)

#: A text, and what is taken for it, or it for them.
TAKEN_FOR = (
    *(("\u00e9", "e\u0301", "e"), ("ss", "\u00df"), ("a", "A", "\u0430"), ("A", "\uff21", r"\x41"), ("K", "\u212a")),
    *(("i", "\u0130"), ("fi", "\ufb01"), (";", "\u037e"), ("...", "\u2026"), ("-", "\u2013"), ("/", "%2F")),
    *(("'", "\u2019", r"\'", "&#39;"), ('"', "\u201c", r"\""), ("<", "&lt;"), ("&", "&amp;")),
    *(("\n", r"\n"), ("\r", r"\r"), ("\t", r"\t", "    "), ("\\", r"\\")),
    ("ab", *(f"a{gap}b" for gap in "\0\f\r\n\\\u00ad\u200b\u200d\ufe0f\ufeff")),
    ("a b", *(f"a{gap}b" for gap in ("\u00a0", "\u2003", "\u3000", "\t", "\n", "_", "-", "%20", "&nbsp;", ""))),
    ("a\nb", "a\n\nb", "a\n b", "a\n\tb", "a\t\nb"),
    ("a", "1\ta", "1: a", "+a", "```a```", '"a"', "...a", "a\n\n", "a\r"),
)
