"""The diagnostic: a value with a code, a position and a message. Renderers turn it into text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from fictdsl.source import Source, Span


class Severity(Enum):
    """The severity of a diagnostic. Commands fail on errors, on warnings with `--strict`, and never on hints."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Label:
    """A secondary span of a diagnostic, with a text."""

    span: Span
    text: str
    source: Source | None = None  # None: the source of the diagnostic


@dataclass(frozen=True, slots=True)
class Fix:
    """A replacement for the text of a span. It is `safe` if it never changes the meaning of a filter."""

    span: Span
    replacement: str
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """A problem in a source. Build it with `fictdsl.diagnostics.codes.diagnostic`, which checks code and parameters."""

    code: str
    severity: Severity
    message: str
    source: Source | None = None
    span: Span | None = None
    labels: tuple[Label, ...] = ()
    hint: str | None = None
    fix: Fix | None = None

    @property
    def from_rule(self) -> bool:
        """Whether a lint rule reports it. Such a diagnostic can be silenced, and never prevents compilation."""
        return self.code.startswith("FICT5")

    @property
    def prevents_compilation(self) -> bool:
        """Whether it is an error that no lint rule reports, so that a filter does not compile."""
        return self.severity is Severity.ERROR and not self.from_rule


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    return any(problem.severity is Severity.ERROR for problem in diagnostics)
