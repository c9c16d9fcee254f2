"""A name of shipped data (`grammar`, `filters`) into its path, in a wheel and in a checkout alike."""

from __future__ import annotations

from pathlib import Path

_IN_WHEEL = Path(__file__).parent / "_shipped"
_IN_CHECKOUT = Path(__file__).parent.parent


def shipped(name: str) -> Path:
    """The path of a shipped file or folder, such as `grammar/fict.lark` or `filters`."""
    return (_IN_WHEEL if _IN_WHEEL.is_dir() else _IN_CHECKOUT) / name
