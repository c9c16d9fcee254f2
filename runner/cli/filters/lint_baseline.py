"""Read, apply and write the baseline of a project's lint findings."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.lint import baseline
from runner.errors import InputError
from runner.readers import read_document
from runner.workspace import write_text


def write(path: Path, findings: Sequence[Diagnostic]) -> int:
    """Write a baseline of all findings that have a position, except compilation errors. Return their number."""
    content = baseline.baseline_of(findings, path.parent)
    write_text(path, baseline.to_json(content))
    return content.entries.total()


def new_findings(
    findings: Sequence[Diagnostic], files: Sequence[Path], path: Path, is_checked: Callable[[str], bool]
) -> tuple[list[Diagnostic], int]:
    """Return the findings that are not in a baseline, and the number of its findings that no longer occur.

    Findings whose code is not checked are not counted, and those in files that were not checked, or not completely
    because of errors, only if the files are gone. Raises InputError (FICT625) if `path` cannot be read or is not a
    baseline.
    """
    try:
        recorded = baseline.from_json(read_document(path).decode("utf-8"), path.parent)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise InputError(diagnostic("FICT625", path=path, reason=reason)) from None
    except ValueError as error:
        raise InputError(diagnostic("FICT625", path=path, reason=str(error))) from None
    new, resolved = recorded.compare(findings)
    with_errors = {
        finding.source.name for finding in findings if finding.source is not None and finding.prevents_compilation
    }
    checked = {os.path.realpath(file) for file in files if str(file) not in with_errors}
    resolved_count = 0
    for entry, entry_count in resolved.items():
        real_path = os.path.realpath(path.parent / entry.path)
        if not Path(real_path).exists() or (real_path in checked and is_checked(entry.code)):
            resolved_count += entry_count
    return new, resolved_count
