"""Paths of data files (`grammar`, `filters`, `messages`, pages of `docs`), in an installed wheel or in a checkout."""

from __future__ import annotations

from pathlib import Path

_IN_WHEEL = Path(__file__).parent / "_shipped"
_IN_CHECKOUT = Path(__file__).parent.parent


def shipped(name: str) -> Path:
    """Return the path of a data file or folder, such as `grammar/fict.lark` or `filters`."""
    return (_IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT) / name
