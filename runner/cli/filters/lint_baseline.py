"""The baseline of a project's lints: read, held against what was found, and written."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint import baseline
from runner.errors import InputError
from runner.workspace import write_text


def write(path: Path, found: Sequence[Diagnostic]) -> int:
    """Publish a baseline of all findings but errors; how many these are."""
    made = baseline.baseline_of(found, path.parent)
    write_text(path, baseline.write(made))
    return made.entries.total()


def without(found: Sequence[Diagnostic], files: Sequence[Path], path: Path) -> tuple[list[Diagnostic], int]:
    """The findings that a baseline does not hold, and how many of its own no longer occur.

    Of files that were not looked at nothing is known, unless they are gone. Raises InputError if it is no baseline.
    """
    try:
        known = baseline.read(path.read_bytes().decode("utf-8"), path.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(diagnostic("FICT625", path=path, reason=reason)) from None
    except ValueError as error:
        raise InputError(diagnostic("FICT625", path=path, reason=str(error))) from None
    new, gone = known.new(found)
    seen = {os.path.realpath(file) for file in files}
    count = 0
    for entry, number in gone.items():
        place = os.path.realpath(path.parent / entry.path)
        if place in seen or not Path(place).exists():
            count += number
    return new, count
