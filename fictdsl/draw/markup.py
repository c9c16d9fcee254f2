"""Shapes and text to markup: escaped, rounded, the same bytes for the same input."""

from __future__ import annotations

from html import escape


def tag(name: str, *inside: str, **attributes: str | float | None) -> str:
    """`<name a="…">inside</name>`; `inside` is markup already, attributes are escaped, `_` becomes `-`."""
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{given}>{''.join(inside)}</{name}>" if inside else f"<{name}{given}/>"


def number(value: str | float) -> str:
    """A number with at most one decimal; text as it is."""
    if isinstance(value, str):
        return value
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def escaped(content: str) -> str:
    """Text content: markup characters escaped, characters that XML forbids left out."""
    if not content.isprintable():
        content = "".join(char for char in content if char >= " " or char in "\t\n")
    return escape(content)
