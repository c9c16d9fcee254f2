"""The diagnostic codes of the runner: manifests, corpora, models, runs and reports (FICT6xx to FICT8xx)."""

from __future__ import annotations

from fictdsl.diagnostics.codes import register
from runner.diagnostics import (
    annotate,
    cluster,
    corpus,
    examples,
    fetch,
    interventions,
    manifest,
    report,
    run,
    settings,
    show,
    stats,
    store,
)

register(
    entry
    for family in (
        annotate,
        cluster,
        corpus,
        examples,
        fetch,
        interventions,
        manifest,
        report,
        run,
        settings,
        show,
        stats,
        store,
    )
    for entry in family.CODES
)
