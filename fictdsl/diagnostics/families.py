"""The packages whose modules are families of diagnostic codes. A package adds its own when it is imported.

Most commands look no code up, so the families are not imported here.
"""

from __future__ import annotations

PACKAGES = ["fictdsl.diagnostics.codes"]


def add_package(name: str) -> None:
    """Add a package, each module of which is a family with its `CODES`, or has none."""
    if name not in PACKAGES:
        PACKAGES.append(name)
