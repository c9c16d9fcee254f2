"""Text from anywhere into text that is safe and measurable on a terminal."""

from __future__ import annotations

import unicodedata

TAB = 4  # columns that a tab is shown as
LONGEST = 1_000  # characters of one message; whoever writes a longer word has seen enough of it by then


def shown(text: str) -> str:
    """The text with everything that would act on a terminal, or hide in it, written as an escape."""
    if text.isprintable():
        return text
    return "".join(shown_char(char) for char in text)


def said(text: str) -> str:
    """What a diagnostic says, `shown` and cut to a length that a log or a page can bear."""
    return shown(cut(text))


def cut(text: str) -> str:
    """The text, or its first `LONGEST` characters and `…`."""
    return text if len(text) <= LONGEST else text[:LONGEST] + "…"


def shown_char(char: str) -> str:
    """One character as it is shown: a tab as spaces; controls, bidi marks and surrogates as `\\x1b`, `\\u202e`, …"""
    if char == "\t":
        return " " * TAB
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        code = ord(char)
        return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
    return char


def width(text: str) -> int:
    """How many columns the text takes once it is `shown`."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(_columns(char) for char in shown(text))


def _columns(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) == "Me":
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
