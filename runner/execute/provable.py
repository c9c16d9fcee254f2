"""Warn if a plan has too few seeds or pairs to prove that an accuracy held, which means that it did not change."""

from __future__ import annotations

from runner.score.statistics.power import ASSUMED_ACCURACY, assumed_variances, held_probability, power_limits
from runner.steps.plan import Plan
from runner.steps.suites import Suite

MIN_HELD_SHARE = 0.8  # share of unchanged accuracies that a design should prove to hold


def low_power_warning(plan: Plan) -> str:
    """Return a warning if the plan would prove fewer than `MIN_HELD_SHARE` of unchanged accuracies to hold, or "".

    The variance is assumed, so the warning is a guide; `fictc power` uses the variance of a pilot.
    """
    manifest = plan.resolved.manifest
    pairs = [count for suite in plan.resolved.suites if (count := _min_pairs(plan, suite))]
    if not pairs or len(plan.conditions) < 2:
        return ""
    return warning(len(manifest.experiment.seeds), min(pairs), manifest.report.equivalence, manifest.report.confidence)


def warning(seeds: int, pairs: int, margin: float, confidence: float = 0.95) -> str:
    """Return the warning for `seeds` per condition, `pairs` per paradigm, and a margin in percentage points."""
    if seeds < 2:
        return "warning: one seed: every interval is over items only and says nothing about other seeds."
    se, df = assumed_variances().se(seeds, max(2, pairs))
    _, provable_margin = power_limits(se, df, confidence)
    share = held_probability(se, df, margin / 100, confidence)
    if share >= MIN_HELD_SHARE:
        return ""
    return (
        f"warning: {seeds} seeds and {pairs:,} pairs prove that an unchanged accuracy held within ±{margin:g} points "
        f"in about {share:.0%} of cases, within ±{100 * provable_margin:.1f} in {MIN_HELD_SHARE:.0%} "
        f"(typical variance at an accuracy of {ASSUMED_ACCURACY:.0%}; `fictc power` uses that of a pilot)."
    )


def _min_pairs(plan: Plan, suite: Suite) -> int:
    """Return the number of pairs of the smallest paradigm, estimated from line counts; 0 if the suite has no pairs."""
    limit = suite.limit or 10**9
    if suite.kind != "pairs":
        return 0
    if suite.corrupt is not None:
        return suite.corrupt.pairs
    if suite.path is None:
        sample = plan.resolved.manifest.corpus.sample
        return min(limit, sample.pairs) if sample else 0
    files = sorted(suite.path.glob("*.jsonl")) if suite.path.is_dir() else [suite.path]
    lines = [path.read_bytes().count(b"\n") for path in files if not suite.paradigms or path.stem in suite.paradigms]
    return min(limit, *lines) if lines else 0
