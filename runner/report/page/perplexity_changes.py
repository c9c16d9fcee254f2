"""The result of a run that scores no minimal pairs: its largest changes in perplexity."""

from __future__ import annotations

from runner import formatting
from runner.counted import counted
from runner.report.analysis.statistics import Analysis
from runner.score.statistics.inference import Difference

MAX_NAMED = 4  # changes named in a sentence


def perplexity_changes(analysis: Analysis) -> str:
    """Return sentences that count and name the changes in the perplexity of the last text, or "" if there are none."""
    if not analysis.texts:
        return ""
    text = analysis.texts[-1].text
    changes = [
        (score.condition, score.model, score.reference, score.difference)
        for score in analysis.texts
        if score.text == text and score.difference is not None
    ]
    if not changes:
        return ""
    changes.sort(key=lambda row: -abs(row[3].delta))
    excluding_zero = [row for row in changes if _excludes_zero(row[3])]
    several_models = len(analysis.results.models) > 1
    descriptions = [
        f"{condition}{f', {model}' if several_models else ''} {formatting.signed(change.delta)}{_interval(change)} "
        f"against {reference}"
        for condition, model, reference, change in changes
    ]
    level = formatting.percentage(analysis.results.run.report.confidence)
    return (
        f"No minimal pairs are scored, so corpora are compared by perplexity alone. Of "
        f"{counted(len(changes), 'change')} in the perplexity of {text}, {len(excluding_zero) or 'none'} "
        f"{'has' if len(excluding_zero) == 1 else 'have'} a {level} interval over seeds that excludes 0. "
        f"The largest: {formatting.abbreviated(descriptions, MAX_NAMED)}."
    )


def _excludes_zero(change: Difference) -> bool:
    return change.low is not None and change.high is not None and (change.low > 0 or change.high < 0)


def _interval(change: Difference) -> str:
    if change.low is None:
        return ""
    return f" [{formatting.signed(change.low)}, {formatting.signed(change.high)}]"
