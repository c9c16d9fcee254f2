"""A count and its noun."""

from __future__ import annotations


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """Return a count with its noun: `1 word`, `2,000 words`, `0 fixes`. `plural` is by default the noun with an s."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"
