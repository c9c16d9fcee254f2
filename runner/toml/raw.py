"""Read tables and strings from a parsed manifest that may be invalid, skipping values of another type."""

from __future__ import annotations

from typing import Any


def entries(raw: Any) -> list[tuple[int, dict[str, Any]]]:
    """Return the tables of an array of tables with their indices."""
    return [(i, entry) for i, entry in enumerate(raw) if isinstance(entry, dict)] if isinstance(raw, list) else []


def strings(raw: Any) -> list[tuple[int, str]]:
    """Return the strings of an array with their indices."""
    return [(i, item) for i, item in enumerate(raw) if isinstance(item, str)] if isinstance(raw, list) else []


def nested(raw: Any, path: str) -> Any:
    """Return the value at a dotted path, or None."""
    for key in path.split("."):
        raw = raw.get(key) if isinstance(raw, dict) else None
    return raw
