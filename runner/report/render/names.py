"""File names that are derived from the names of suites, paradigms and conditions."""

from __future__ import annotations

import hashlib


def slug(name: str) -> str:
    """Return a name that is a valid file name on any system. A changed name gets a short hash and stays unique."""
    safe = "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "-" for char in name)[:120]
    return safe if safe == name else f"{safe}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
