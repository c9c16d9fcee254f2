"""Untrusted text on a terminal: shown without control of the terminal, measured and cut."""

from __future__ import annotations

import unicodedata

TAB_WIDTH = 4  # spaces that replace a tab
MAX_LENGTH = 1_000  # characters of one message
MAX_QUOTATION = 400  # characters of a value that a message quotes
_END = 300  # characters at the end of a long message, which has the reason or what was expected
_JOINERS = "\u200c\u200d"  # harmless: they only affect the shape of letters


def safe(text: str) -> str:
    """Return text without control, format, private-use and unassigned characters. Tabs and breaks become spaces."""
    if text.isprintable():
        return text
    spaced = (" " if char in "\t\n\r\u2028\u2029" else char for char in text)
    return "".join(char for char in spaced if char in _JOINERS or not unicodedata.category(char).startswith("C"))


def printable(text: str) -> str:
    """Return text of a message or a file of the user with control, format and unassigned characters escaped."""
    if text.isprintable():
        return text
    return "".join(printable_char(char) for char in text)


def printable_message(text: str) -> str:
    return printable(truncate(text))


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


def truncate(text: str) -> str:
    """Return the text, or its first and its last characters, `MAX_LENGTH` together, with `…` between them."""
    return text if len(text) <= MAX_LENGTH else f"{text[: MAX_LENGTH - _END]}…{text[-_END:]}"


def quotation(value: object) -> object:
    """Return a value as a message quotes it: a text of more than `MAX_QUOTATION` characters ends with `…`."""
    text = str(value)
    return text[:MAX_QUOTATION] + "…" if len(text) > MAX_QUOTATION else value


def display_width(text: str) -> int:
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def cut(text: str, max_columns: int) -> str:
    if display_width(text) <= max_columns:
        return text
    from rich.cells import set_cell_size

    return set_cell_size(text, max_columns - 1).rstrip() + "…" if max_columns > 0 else ""
