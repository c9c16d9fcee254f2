"""The packages whose modules are families of diagnostic codes. A package adds its own when it is imported.

The families are not imported here, since most commands look up no code.
"""

from __future__ import annotations

PACKAGES = ["fictdsl.diagnostics.codes"]


def add_package(name: str) -> None:
    """Add a package of families. A module of it may define a tuple `CODES`."""
    if name not in PACKAGES:
        PACKAGES.append(name)
