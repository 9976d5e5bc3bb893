"""
Words that no identifier can be, of the languages that are renamed most. Those that are reserved only in
some places of a program are left out, and so is JavaScript: its members may be called by any of its words.
"""

from __future__ import annotations

import keyword

__all__ = ["ANSI_C", "CPLUSPLUS", "GO", "JAVA", "PYTHON", "RUST"]


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


PYTHON = frozenset(keyword.kwlist)

GO = _words(
    "break case chan const continue default defer else fallthrough for func go goto if import interface map package "
    "range return select struct switch type var"
)

JAVA = _words(
    "_ abstract assert boolean break byte case catch char class const continue default do double else enum extends "
    "false final finally float for goto if implements import instanceof int interface long native new null package "
    "private protected public return short static strictfp super switch synchronized this throw throws transient "
    "true try void volatile while"
)

ANSI_C = _words(
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while"
)

CPLUSPLUS = (ANSI_C - {"restrict"}) | _words(
    "alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class co_await co_return "
    "co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export "
    "false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename "
    "using virtual wchar_t xor xor_eq"
)

RUST = _words(
    "Self abstract as async await become box break const continue crate do dyn else enum extern false final fn for "
    "if impl in let loop macro match mod move mut override priv pub ref return self static struct super trait true "
    "try type typeof unsafe unsized use virtual where while yield"
)
