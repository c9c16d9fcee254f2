"""Tables and strings of a manifest that may be broken: what is there, whatever else stands beside it."""

from __future__ import annotations

from typing import Any


def entries(raw: Any) -> list[tuple[int, dict[str, Any]]]:
    """The tables of an array of tables, with their places."""
    return [(i, entry) for i, entry in enumerate(raw) if isinstance(entry, dict)] if isinstance(raw, list) else []


def strings(raw: Any) -> list[tuple[int, str]]:
    """The strings of an array, with their places."""
    return [(i, item) for i, item in enumerate(raw) if isinstance(item, str)] if isinstance(raw, list) else []


def nested(raw: Any, path: str) -> Any:
    """The value at a dotted path, None where there is none."""
    for key in path.split("."):
        raw = raw.get(key) if isinstance(raw, dict) else None
    return raw
