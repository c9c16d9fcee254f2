"""Labels and units of paired comparisons."""

from __future__ import annotations

from collections.abc import Sequence

from runner import formatting
from runner.report.analysis.statistics import Comparison


def format_comparison_value(comparison: Comparison, value: float | None) -> str:
    """Format a value of a comparison. Accuracies and their deltas are multiplied by 100, perplexities are not."""
    if comparison.measure.startswith("perplexity"):
        return formatting.number(value)
    return formatting.number(None if value is None else 100 * value)


def comparison_label(comparison: Comparison, comparisons: Sequence[Comparison]) -> str:
    """Label a comparison, as in `accuracy of all benchmarks, with full`.

    The suite is added if `comparisons` has several suites.
    """
    several_suites = len({other.suite for other in comparisons if other.suite}) > 1
    label = _label(comparison)
    return f"{comparison.suite}: {label}" if several_suites and comparison.suite else label


def _label(comparison: Comparison) -> str:
    targeted = comparison.paradigms == "targeted"
    if comparison.within:
        return f"{comparison.within}{', targeted' if targeted else ''}"
    scope = f" of {comparison.paradigms} {'cells' if targeted else 'benchmarks'}" if comparison.suite else ""
    return f"{comparison.measure}{scope}{', with full' if comparison.with_full else ''}"
