"""Accuracy and its change, a heatmap for each suite (FiCT's figure 2)."""

from __future__ import annotations

from collections.abc import Iterator

from runner.report.analysis.statistics import Analysis
from runner.report.results.results import Results
from runner.report.sections.section import Section

ORDER = 20
TIES = {"half": "½", "strict": "as wrong", "argmax": "as right"}


def sections(analysis: Analysis) -> Iterator[Section]:
    """Yield the section, whose figures are in `runner.report.figures.heatmap`."""
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
    """Return how ties count, for each suite if they differ."""
    ties_by_suite = {suite: TIES[results.run.ties(suite)] for suite in results.suites}
    if len(set(ties_by_suite.values())) <= 1:
        return next(iter(ties_by_suite.values()), TIES["half"])
    return ", ".join(f"{ties} in {suite}" for suite, ties in ties_by_suite.items())


def _identical(results: Results) -> str:
    """Return how pairs count that the tokenizer makes identical, for each suite if they differ."""
    excluded = {suite: results.run.ties(suite) == "half" for suite in results.suites}
    if all(excluded.values()):
        return "pairs that the tokenizer makes identical are excluded"
    where = "" if not any(excluded.values()) else f" in {', '.join(name for name, out in excluded.items() if not out)}"
    return f"pairs that the tokenizer makes identical are ties{where}, as for the tools that count so"
