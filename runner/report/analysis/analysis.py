"""Results to statistics: everything the report shows, computed once."""

from __future__ import annotations

from runner.report.analysis import accuracies, probabilities
from runner.report.analysis.comparisons import Values, comparisons
from runner.report.analysis.relations import correlations
from runner.report.analysis.statistics import Analysis
from runner.report.results.results import Results
from runner.score.statistics.measures import decisions
from runner.score.suites.winobias import opposed


def analyse(results: Results) -> Analysis:
    """Compute every statistic of the report; the same results give the same numbers to the last bit."""
    targets, absent = _targets(results)
    judged = {p.key: decisions(p.score_good, p.score_bad, results.run.ties(p.suite)) for p in results.paradigms}
    found = accuracies.paradigm_accuracies(results, judged) | accuracies.given_accuracies(results)
    found |= accuracies.group_accuracies(results, found)
    compared = accuracies.corrected(tuple(accuracies.contrasts(results, found, judged, targets)))
    deltas = tuple(probabilities.probabilities(results, targets))
    texts = tuple(probabilities.texts(results))
    pooled = {key: one for key, one in found.items() if not opposed(key[0].name)}
    values = Values(results, pooled, texts, targets)  # tests over benchmarks, which opposed ones have no part in
    return Analysis(
        results,
        found,
        {(c.unit, c.condition, c.model, c.reference): c for c in compared},
        deltas,
        texts,
        tuple(accuracies.detectable(results, found, targets)),
        targets,
        absent,
        comparisons(values),
        tuple(correlations(values, deltas)),
    )


def _targets(results: Results) -> tuple[dict[str, frozenset[str]], dict[str, tuple[str, ...]]]:
    """Which scored paradigms each condition targets: by name, or as a phenomenon (`winobias/type1`) all of its own.

    A suite of another name counts if none has the right one.
    """
    named: dict[str, set[str]] = {}
    for paradigm in results.paradigms:
        for name in filter(None, (paradigm.name, "".join(paradigm.phenomenon.split()))):
            named.setdefault(f"{paradigm.suite}/{name}", set()).add(paradigm.key)
            named.setdefault(name, set()).add(paradigm.key)
    found, absent = {}, {}
    for condition in results.conditions:
        keys: set[str] = set()
        lost = []
        of_filters = (target for one in condition.filters for target in one.targets)
        for target in dict.fromkeys([*condition.targets, *of_filters]):
            suite, _, name = target.rpartition("/")
            match = named.get(target if suite in results.suites else name, set())
            keys |= match
            if not match:
                lost.append(target)
        found[condition.name] = frozenset(keys)
        absent[condition.name] = tuple(lost)
    return found, absent
