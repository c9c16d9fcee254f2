"""The closed catalogue: every diagnostic of fictc, from its code and parameters to its message."""

from __future__ import annotations

from string import Formatter

from fictdsl.diagnostics.codes import (
    annotate,
    cluster,
    corpus,
    examples,
    fetch,
    interventions,
    lint,
    manifest,
    names,
    report,
    run,
    selection,
    settings,
    show,
    stats,
    store,
    syntax,
    types,
    unsupported,
)
from fictdsl.diagnostics.codes.code import Code
from fictdsl.diagnostics.diagnostic import Diagnostic, Fix, Label
from fictdsl.source import Source, Span

_FAMILIES = (
    *(syntax, names, selection, types, unsupported, lint, manifest, settings, interventions),
    *(corpus, store, annotate, fetch, examples, show, stats, run, cluster, report),
)
CATALOGUE: dict[str, Code] = {
    entry.code: entry
    for entry in sorted((entry for family in _FAMILIES for entry in family.CODES), key=lambda entry: entry.code)
}


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
