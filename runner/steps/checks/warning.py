"""Warnings that do not stop a run. `fictc plan` and `fictc run` print them, and the report shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

WarningKind: TypeAlias = Literal[
    "lint",
    "target",
    "no-targets",
    "empty-filter",
    "unchanged",
    "pairs",
    "context",
    "shared-file",
    "draws",
    "amount",
    "coverage",
    "withheld",
]
_MAX_NAMES = 3


@dataclass(frozen=True, slots=True)
class RunWarning:
    """A warning about a run. `subject` is a file, condition or suite, or empty for the whole manifest."""

    kind: WarningKind
    subject: str
    text: str

    @property
    def message(self) -> str:
        """The text after its subject, if there is one."""
        return f"{self.subject}: {self.text}" if self.subject else self.text

    def __str__(self) -> str:
        return f"warning: {self.message}"


def joined_names(names: list[str]) -> str:
    """Join names, as in `a and b`, or `a, b and 3 more` if there are more than three."""
    if len(names) < 2:
        return "".join(names)
    shown = names if len(names) <= _MAX_NAMES else [*names[: _MAX_NAMES - 1], f"{len(names) - _MAX_NAMES + 1} more"]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
