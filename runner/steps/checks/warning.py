"""Warnings that do not stop a run. `fictc plan` and `fictc run` print them, and the report shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

WarningKind: TypeAlias = Literal["lint", "target", "no-targets", "empty-filter", "unchanged", "pairs", "context"]
_MAX_NAMED = 3


@dataclass(frozen=True, slots=True)
class RunWarning:
    """A warning about a run. `subject` is the file, condition or suite concerned; empty for the whole manifest."""

    kind: WarningKind
    subject: str
    text: str

    @property
    def message(self) -> str:
        """The text with its subject."""
        return f"{self.subject}: {self.text}" if self.subject else self.text

    def __str__(self) -> str:
        return f"note: {self.message}"


def enumerated(names: list[str]) -> str:
    """Return names as in `a, b and 3 more`, or `a and b`."""
    if len(names) < 2:
        return "".join(names)
    shown = names if len(names) <= _MAX_NAMED else [*names[: _MAX_NAMED - 1], f"{len(names) - _MAX_NAMED + 1} more"]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
