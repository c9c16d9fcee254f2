"""Escape and measure untrusted text for display on a terminal."""

from __future__ import annotations

import unicodedata

TAB_WIDTH = 4  # spaces that replace a tab
MAX_LENGTH = 1_000  # characters of one message
MAX_QUOTATION = 400  # characters of a value that a message quotes
_END = 300  # characters at the end of a long message, which has the reason or what was expected


def printable(text: str) -> str:
    """Return the text with control, formatting and unassigned characters escaped."""
    if text.isprintable():
        return text
    return "".join(printable_char(char) for char in text)


def printable_message(text: str) -> str:
    """Return a message truncated and escaped."""
    return printable(truncate(text))


def truncate(text: str) -> str:
    """Return the text, or its first and its last characters, `MAX_LENGTH` together, with `…` between them."""
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - _END]}…{text[-_END:]}"


def quotation(value: object) -> object:
    """Return a value as a message quotes it: a text of more than `MAX_QUOTATION` characters ends with `…`."""
    text = str(value)
    return text[:MAX_QUOTATION] + "…" if len(text) > MAX_QUOTATION else value


def printable_char(char: str) -> str:
    """Return a character for display: spaces for a tab, and escapes such as `\\x1b` for other invisible characters."""
    if char == "\t":
        return " " * TAB_WIDTH
    if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
        code_point = ord(char)
        return (
            f"\\x{code_point:02x}"
            if code_point < 0x100
            else f"\\u{code_point:04x}"
            if code_point < 0x10000
            else f"\\U{code_point:08x}"
        )
    return char


def width(text: str) -> int:
    """Return the number of terminal columns of `printable(text)`."""
    if text.isascii() and text.isprintable():
        return len(text)
    return sum(_columns(char) for char in printable(text))


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
