"""Check that Python finds the package `runner` of this distribution.

`runner` is a common name: another distribution may install a package of that name, and `python -m` finds a file
`runner.py` in the working directory first.
"""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path

_MARKER = 'DISTRIBUTION = "fictc"'  # a line of `runner/__init__.py`, found without importing the package
_NO_RUNNER = "no package of this name"
_USAGE_ERROR = 2  # exit code of usage errors


def foreign_runner() -> str | None:
    """Describe what Python finds instead of our package `runner`; return None if it finds ours. Imports nothing."""
    expected_folder = Path(__file__).resolve().parent.parent / "runner"
    spec = PathFinder.find_spec("runner")
    if spec is None:
        return _NO_RUNNER
    found_folders = list(spec.submodule_search_locations or [])
    if not any(Path(folder).resolve() == expected_folder for folder in found_folders):
        return f"another one: {spec.origin or found_folders[0]}"
    if _MARKER not in (expected_folder / "__init__.py").read_text(encoding="utf-8", errors="replace"):
        return f"another one: {expected_folder}, with files of another distribution"
    return None


def check_runner() -> None:
    """Exit with a message and code 2 if our package `runner` is hidden or missing."""
    finding = foreign_runner()
    if finding is None:
        return
    advice = "Rename it, or install fictc into a separate environment, for instance with `pipx install`."
    if finding == _NO_RUNNER:
        advice = "Reinstall fictc."
    sys.stderr.write(f"fictc needs its own package `runner`, but Python finds {finding}\n{advice}\n")
    sys.exit(_USAGE_ERROR)
