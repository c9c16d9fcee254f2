"""What a problem is: a value with a code, a place and a message, rendered only at the edge."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from fictdsl.source import Source, Span


class Severity(Enum):
    """How much a diagnostic weighs: errors stop, warnings stop under `--strict`, hints never do."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that matters, with what it says."""

    span: Span
    text: str
    source: Source | None = None  # None: the diagnostic's own source


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement of one span by a text; `safe` if it never changes what a filter means."""

    span: Span
    replacement: str
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem. Made by `fictdsl.diagnostics.codes.diagnostic`, which checks the code and its parameters."""

    code: str
    severity: Severity
    message: str
    source: Source | None = None
    span: Span | None = None
    labels: tuple[Label, ...] = ()
    hint: str | None = None
    fix: Fix | None = None
