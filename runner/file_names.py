"""Names that become names of files, which have to mean the same file on every system."""

from __future__ import annotations

from collections.abc import Iterable

# Names of devices on Windows, whatever ending follows.
_PORTS = (f"{port}{number}" for port in ("com", "lpt") for number in range(10))
_DEVICES = frozenset({"con", "prn", "aux", "nul", *_PORTS})


def refusal(name: str) -> str | None:
    """Return why no file may have the name, None if one may."""
    if name.partition(".")[0].lower() in _DEVICES:
        return "it is the name of a device on Windows"
    if name.endswith((".", " ")):
        return "Windows drops the dot or space at its end"
    return None


def same_file(names: Iterable[str]) -> tuple[str, str] | None:
    """Return the first two names that are one file where case does not count, None if all differ."""
    seen: dict[str, str] = {}
    for name in names:
        if name.casefold() in seen:
            return seen[name.casefold()], name
        seen[name.casefold()] = name
    return None
