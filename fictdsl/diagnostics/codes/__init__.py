"""The catalogue of diagnostic codes. Lint rules and the runner register their own codes."""

from __future__ import annotations

from collections.abc import Iterable
from string import Formatter

from fictdsl.diagnostics.codes import names, selection, syntax, types, unsupported
from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.source import Source, Span

CATALOGUE: dict[str, Code] = {}  # in the order of the codes


def register(codes: Iterable[Code]) -> None:
    """Add entries to the catalogue. Raises KeyError if another entry has the same code."""
    for entry in codes:
        if CATALOGUE.setdefault(entry.code, entry) is not entry:
            raise KeyError(f"{entry.code} is {CATALOGUE[entry.code].name}, not {entry.name}")
    ordered = sorted(CATALOGUE.items())
    CATALOGUE.clear()
    CATALOGUE.update(ordered)


for _family in (syntax, names, selection, types, unsupported):
    register(_family.CODES)


def diagnostic(
    code: str,
    source: Source | None = None,
    span: Span | None = None,
    *,
    labels: tuple[Label, ...] = (),
    hint: str | None = None,
    fix: Fix | None = None,
    **parameters: object,
) -> Diagnostic:
    """Build a diagnostic from the catalogue. Raises KeyError for an unknown code or wrong parameters."""
    entry = CATALOGUE[code]
    expected = {name for _, name, _, _ in Formatter().parse(entry.message) if name}
    if expected != set(parameters):
        raise KeyError(f"{code} takes {sorted(expected)}, got {sorted(parameters)}")
    message = entry.message.format(**parameters)
    return Diagnostic(code, entry.severity, message, source, span, labels, hint, fix)
