"""The check that the package `runner` is the one that belongs to fictc.

Its name is a common one: another distribution may install a package of this name, and a file `runner.py` in the
working directory comes first with `python -m`.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path

_MARK = 'DISTRIBUTION = "fictc"'  # in `runner/__init__.py`: the package is not imported for it
_USAGE = 2  # the exit code of a mistake of use


def foreign_runner() -> str | None:
    """Return where a package `runner` is that hides ours, None if ours is found. Runs no code of a foreign folder."""
    ours = Path(__file__).resolve().parent.parent / "runner"
    spec = PathFinder.find_spec("runner")
    folders = [] if spec is None else list(spec.submodule_search_locations or [])
    if not any(Path(folder).resolve() == ours for folder in folders):
        return (None if spec is None else spec.origin) or next(iter(folders), "nowhere")
    if _MARK not in (ours / "__init__.py").read_text(encoding="utf-8", errors="replace"):
        return f"{ours}, where another distribution has replaced files"
    return None


def check_runner() -> None:
    """End with a message and exit code 2 if another package hides `runner`."""
    found = foreign_runner()
    if found is not None:
        sys.stderr.write(
            f"fictc needs its own package `runner`, and Python finds another one: {found}\n"
            "Rename it, or install fictc into an environment of its own, such as `pipx install` makes.\n"
        )
        sys.exit(_USAGE)
