"""Changes under placebo draws from the baseline of a contrast."""

from __future__ import annotations

from runner.report.analysis.placebos import draw_changes
from runner.report.analysis.statistics import Analysis, Contrast


def placebo_changes(analysis: Analysis, contrast: Contrast) -> tuple[tuple[int, float], ...]:
    """Return the number and the change of each placebo draw for a contrast's condition, paradigm and model.

    A change is from the contrast's own baseline (full or a control) at the seed of the draw, like the change under the
    condition. The result is empty without placebos.
    """
    baseline = analysis.accuracies.get((contrast.unit, contrast.reference, contrast.model))
    if baseline is None:
        return ()
    paradigm = f"{contrast.unit.suite}/{contrast.unit.name}"
    placebos = (placebo for placebo in analysis.results.placebos if placebo.control_of == contrast.condition)
    changes_by_placebo = (draw_changes(placebo, contrast.model, paradigm, baseline.by_seed) for placebo in placebos)
    return tuple(change for changes in changes_by_placebo for change in changes)
