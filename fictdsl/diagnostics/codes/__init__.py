"""The catalogue of diagnostics: the codes of the language, to which lint rules and the runner add theirs."""

from __future__ import annotations

from collections.abc import Iterable
from string import Formatter

from fictdsl.diagnostics.codes import names, selection, syntax, types, unsupported
from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.source import Source, Span

CATALOGUE: dict[str, Code] = {}  # in the order of the codes


def register(codes: Iterable[Code]) -> None:
    """Add entries to the catalogue. Raises KeyError if a code is taken by another entry."""
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
    """Build a diagnostic from the catalogue; an unknown code or a wrong parameter is a bug in fictc."""
    entry = CATALOGUE[code]
    expected = {name for _, name, _, _ in Formatter().parse(entry.message) if name}
    if expected != set(parameters):
        raise KeyError(f"{code} takes {sorted(expected)}, got {sorted(parameters)}")
    message = entry.message.format(**parameters)
    return Diagnostic(code, entry.severity, message, source, span, labels, hint, fix)
