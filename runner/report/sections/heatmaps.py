"""Accuracy and its change, as a heatmap for each suite (Patil et al. 2024, figure 2)."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.results import Results
from runner.report.section import Section
from runner.report.statistics import Analysis

TIES = {"half": "½", "strict": "as wrong", "argmax": "as right"}


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the section. `runner.report.figures.heatmap` draws its figures."""
    results = analysis.results
    intro = (
        "Each row is a paradigm. The left columns show how often models trained on the full corpus prefer the good "
        "sentence of a pair. The other columns show, for each condition, the difference in points from the full corpus "
        "and from the condition's control, if it has one. The mean is unweighted over paradigms."
    )
    if any(len(paradigm.item) for paradigm in results.paradigms):
        intro += f" Ties count {_ties(results)}; {_identical(results)}."
    yield Section("heatmap", "Accuracy and its change", intro, nav="Heatmap")


def _ties(results: Results) -> str:
    """Describe how ties count, by suite if suites differ."""
    ties_by_suite = {suite: TIES[results.run.ties(suite)] for suite in results.suites}
    if len(set(ties_by_suite.values())) <= 1:
        return next(iter(ties_by_suite.values()), TIES["half"])
    return ", ".join(f"{ties} in {suite}" for suite, ties in ties_by_suite.items())


def _identical(results: Results) -> str:
    """Describe how pairs that the tokenizer makes identical count, by suite if suites differ."""
    excluded = {suite: results.run.ties(suite) == "half" for suite in results.suites}
    if all(excluded.values()):
        return "pairs that the tokenizer makes identical are excluded"
    suites_with_ties = [name for name, is_excluded in excluded.items() if not is_excluded]
    suffix = f" in {', '.join(suites_with_ties)}" if any(excluded.values()) else ""
    return f"pairs that the tokenizer makes identical are ties{suffix}"


SECTIONS = {20: sections}
