"""Check that names are valid and distinct file names on every operating system."""

from __future__ import annotations

from collections.abc import Iterable

# Names of devices on Windows, with any extension.
_PORTS = (f"{port}{number}" for port in ("com", "lpt") for number in range(10))
_DEVICES = frozenset({"con", "prn", "aux", "nul", *_PORTS})


def invalid_reason(name: str) -> str | None:
    """Return why Windows does not accept a file name, or None if it does. Invalid characters are not detected."""
    if name.partition(".")[0].rstrip(" ").lower() in _DEVICES:
        return "it is the name of a device on Windows"
    if name.endswith((".", " ")):
        return "Windows drops a dot or space at the end"
    return None


def case_collision(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the first two names that a case-insensitive file system treats as one, or None."""
    seen: dict[str, str] = {}
    for name in names:
        if name.casefold() in seen:
            return seen[name.casefold()], name
        seen[name.casefold()] = name
    return None
