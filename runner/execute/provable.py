"""Warn if a plan has too few seeds or pairs to prove that an accuracy held: it changed by less than a margin."""

from __future__ import annotations

from collections import Counter

from runner.counted import counted
from runner.interventions.registry import FILTER_LISTS
from runner.score.pair_formats import read_pairs
from runner.score.power import ASSUMED_ACCURACY, assumed_variances, held_probability, power_limits
from runner.score.suite_files import PAIR_SUFFIXES, suite_files
from runner.steps.interventions import condition_facts
from runner.steps.plan import Plan
from runner.steps.suites import Suite

MIN_HELD_SHARE = 0.8  # share of unchanged accuracies that a design should prove to hold


def low_power_warning(plan: Plan) -> str:
    """Return a warning if the plan would prove fewer than `MIN_HELD_SHARE` of unchanged accuracies to hold, or "".

    The variance is assumed, so the warning is approximate; `fictc power` uses the variance of a pilot.
    """
    manifest = plan.resolved.manifest
    targets = _targets(plan)
    suites = [suite for suite in plan.resolved.suites if targets.get(suite.name)] or plan.resolved.suites
    pairs = {
        suite.name: count for suite in suites if (count := _min_pairs(plan, suite, targets.get(suite.name, set())))
    }
    if not pairs or len(plan.conditions) < 2:
        return ""
    name, report = min(pairs, key=lambda name: pairs[name]), manifest.report
    return warning(len(manifest.experiment.seeds), pairs[name], report.equivalence, report.confidence, suite=name)


def _targets(plan: Plan) -> dict[str, set[str]]:
    """Return the targets of filters and conditions by suite."""
    by_suite: dict[str, set[str]] = {}
    for condition in plan.resolved.manifest.condition:
        filters = plan.resolved.filters_of(condition.name, *FILTER_LISTS)
        own_targets = condition_facts(condition.name, plan.resolved).get("targets", ())
        for target in (*own_targets, *(target for compiled in filters for target in compiled.metadata.targets)):
            suite, _, name = target.partition("/")
            by_suite.setdefault(suite, set()).add(name)
    return by_suite


def warning(seeds: int, pairs: int, margin: float, confidence: float = 0.95, suite: str = "") -> str:
    """Return the warning, or "", for `seeds` per condition, `pairs` per paradigm, and a margin in percentage points.

    `suite` is the name of the suite with these pairs.
    """
    if seeds < 2:
        return "warning: one seed: every interval is over items only and says nothing about other seeds."
    se, df = assumed_variances().se(seeds, max(2, pairs))
    _, provable_margin = power_limits(se, df, confidence)
    share = held_probability(se, df, margin / 100, confidence)
    if share >= MIN_HELD_SHARE:
        return ""
    provable = f"within ±{100 * provable_margin:.1f}" if provable_margin < 1 else "within no margin"
    of_suite = f" of the suite {suite}" if suite else ""
    return (
        f"warning: {seeds} seeds and {counted(pairs, 'pair')}{of_suite} prove that an unchanged accuracy held within"
        f" ±{margin:g} points in about {share:.0%} of cases, {provable} in {MIN_HELD_SHARE:.0%} "
        f"(typical variance at an accuracy of {ASSUMED_ACCURACY:.0%}; `fictc power` uses that of a pilot)."
    )


def _min_pairs(plan: Plan, suite: Suite, targets: set[str]) -> int:
    """Return the number of pairs of the smallest scored paradigm, or 0 if the suite has no pairs.

    Only paradigms among `targets` count if any is.

    In a folder with a `.jsonl` file for each paradigm, lines are counted, except blank ones. Raises InputError if
    another suite cannot be read.
    """
    limit = suite.limit or 10**9
    if suite.kind != "pairs":
        return 0
    if suite.corrupt is not None:
        return suite.corrupt.pairs
    if suite.path is None:
        sample = plan.resolved.manifest.corpus.sample
        return min(limit, sample.pairs) if sample else 0
    files = suite_files(suite.path, PAIR_SUFFIXES) if suite.path.is_dir() else []
    pairs_by_paradigm = (
        {path.stem: sum(bool(line.strip()) for line in path.read_bytes().split(b"\n")) for path in files}
        if files and all(path.suffix.lower() == ".jsonl" for path in files)
        else Counter(pair.paradigm for pair in read_pairs(suite.path))
    )
    scored = {name: n for name, n in pairs_by_paradigm.items() if not suite.paradigms or name in suite.paradigms}
    counts = [count for name, count in scored.items() if name in targets] or list(scored.values())
    return min([limit, *counts]) if counts else 0
