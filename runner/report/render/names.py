"""Names of suites, paradigms and conditions to names of files."""

from __future__ import annotations

import hashlib


def slug(name: str) -> str:
    """A name that is safe as a file's on any system; a short hash keeps names apart that had to change."""
    safe = "".join(char if char.isascii() and (char.isalnum() or char in "-_.") else "-" for char in name)[:120]
    return safe if safe == name else f"{safe}-{hashlib.sha256(name.encode()).hexdigest()[:6]}"
