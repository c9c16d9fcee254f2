"""The analysis of results: every statistic of the report, computed once."""

from __future__ import annotations

from runner.report import accuracies, probabilities
from runner.report.comparisons import ComparedValues, comparisons, correlations
from runner.report.contrasts import changes, detectable
from runner.report.results import Results
from runner.report.statistics import Analysis, placebo_tests
from runner.score.measures import decisions
from runner.score.pair_formats import stands_alone


def analyse(results: Results) -> Analysis:
    targets, absent = _targets(results)
    all_decisions = {
        paradigm.key: decisions(
            paradigm.score_good, paradigm.score_bad, results.run.ties(paradigm.suite), paradigm.identical
        )
        for paradigm in results.paradigms
    }
    all_accuracies = accuracies.paradigm_accuracies(results, all_decisions) | accuracies.imported_accuracies(results)
    all_accuracies |= accuracies.group_accuracies(results, all_accuracies)
    deltas = tuple(probabilities.probability_deltas(results, targets))
    texts = tuple(probabilities.texts(results))
    unlearned = probabilities.unlearned(texts)
    all_contrasts, headlines = changes(results, all_accuracies, all_decisions, targets, unlearned)
    # tests over benchmarks exclude paradigms of one gender
    benchmark_accuracies = {key: accuracy for key, accuracy in all_accuracies.items() if not stands_alone(key[0].name)}
    values = ComparedValues(results, benchmark_accuracies, texts, targets)
    return Analysis(
        results,
        all_accuracies,
        {
            (contrast.unit, contrast.condition, contrast.model, contrast.reference): contrast
            for contrast in all_contrasts
        },
        deltas,
        texts,
        tuple(detectable(results, all_accuracies, all_contrasts)),
        targets,
        absent,
        comparisons(values),
        tuple(correlations(values, deltas)),
        headlines,
        tuple(placebo_tests(results, all_accuracies, targets)),
    )


def _targets(results: Results) -> tuple[dict[str, frozenset[str]], dict[str, tuple[str, ...]]]:
    """Return the scored paradigms that each condition targets, and its targets without scores.

    A target is a paradigm or a phenomenon (`winobias/type1`), of any suite if the results lack the target's suite.
    """
    keys_by_name: dict[str, set[str]] = {}
    for paradigm in results.paradigms:
        for name in filter(None, (paradigm.name, "".join(paradigm.phenomenon.split()))):
            keys_by_name.setdefault(f"{paradigm.suite}/{name}", set()).add(paradigm.key)
            keys_by_name.setdefault(name, set()).add(paradigm.key)
    targets, absent_targets = {}, {}
    for condition in results.conditions:
        keys: set[str] = set()
        absent = []
        filter_targets = (target for filter_ in condition.filters for target in filter_.targets)
        for target in dict.fromkeys([*condition.targets, *filter_targets]):
            suite, _, name = target.rpartition("/")
            matches = keys_by_name.get(target if suite in results.suites else name, set())
            keys |= matches
            if not matches:
                absent.append(target)
        targets[condition.name] = frozenset(keys)
        absent_targets[condition.name] = tuple(absent)
    return targets, absent_targets
