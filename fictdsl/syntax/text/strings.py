"""Write string literals of the language."""

from __future__ import annotations


def quote(text: str) -> str:
    """Return a text as a string literal."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
