"""Check that Python finds the package `runner` of this distribution.

`runner` is a common name: another distribution may install a package of that name, and `python -m` finds a file
`runner.py` in the working directory first.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path

_MARKER = 'DISTRIBUTION = "fictc"'  # a line of `runner/__init__.py`, found without importing the package
_USAGE_ERROR = 2  # exit code of usage errors


def foreign_runner() -> str | None:
    """Return the location of a package `runner` that hides ours, or None. Imports nothing."""
    expected_folder = Path(__file__).resolve().parent.parent / "runner"
    spec = PathFinder.find_spec("runner")
    found_folders = [] if spec is None else list(spec.submodule_search_locations or [])
    if not any(Path(folder).resolve() == expected_folder for folder in found_folders):
        return (None if spec is None else spec.origin) or next(iter(found_folders), "nowhere")
    if _MARKER not in (expected_folder / "__init__.py").read_text(encoding="utf-8", errors="replace"):
        return f"{expected_folder}, with files of another distribution"
    return None


def check_runner() -> None:
    """Exit with a message and code 2 if another package hides `runner`."""
    location = foreign_runner()
    if location is not None:
        sys.stderr.write(
            f"fictc needs its own package `runner`, but Python finds another one: {location}\n"
            "Rename it, or install fictc into a separate environment, for instance with `pipx install`.\n"
        )
        sys.exit(_USAGE_ERROR)
