"""Write SVG and HTML markup, escaped and with rounded numbers, so that equal input gives equal bytes."""

from __future__ import annotations

from html import escape


def tag(name: str, *inside: str, **attributes: str | float | None) -> str:
    """Return `<name a="…">inside</name>`. `inside` is markup. Values of attributes are escaped.

    In names of attributes, a final `_` is dropped, and any other `_` becomes `-`.
    """
    attribute_text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escaped(number(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{attribute_text}>{''.join(inside)}</{name}>" if inside else f"<{name}{attribute_text}/>"


def number(value: str | float) -> str:
    """Return a number with at most one decimal; text is returned unchanged."""
    if isinstance(value, str):
        return value
    text = f"{value:.1f}"
    return text.removesuffix(".0")


def escaped(content: str) -> str:
    """Return text with markup characters escaped and without C0 control characters other than tab and newline."""
    if not content.isprintable():
        content = "".join(char for char in content if char >= " " or char in "\t\n")
    return escape(content)
