"""The question at the top of the report, written from the conditions of the run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from fictdsl.words import counted, inflected, listed
from runner.report.records import Condition
from runner.report.results import Results
from runner.report.statistics import Analysis, controls_of

MAX_LISTED = 8  # number of conditions in a list
AMOUNTS = {
    "sentences": "as many sentences removed at random",
    "tokens": "as many words removed at random",
    "lengths": "as many sentences of each length removed at random",
}
MAX_DESCRIPTION = 80  # characters; longer descriptions of conditions are omitted


def question(analysis: Analysis) -> str:
    """Return a text that names the question, the models and corpora of the run, the evaluation, and added scores."""
    results = analysis.results
    changed = [
        condition
        for condition in results.conditions
        if condition.kind != "full" and not results.is_control(condition) and not results.is_added(condition)
    ]
    if not changed:
        return "No condition of this run changes the training corpus; the tables compare the models."
    trained, added = _trained(analysis, changed), _added(results)
    if all(condition.removes_all_matches for condition in changed):
        return f"{_filter_question(changed)} {trained}{added}"
    if any(condition.kind == "given" for condition in changed):
        return f"What does a language model learn from another training corpus? {trained}{added}"
    descriptions = [_description(condition) for condition in changed[:MAX_LISTED]]
    descriptions += [f"{len(changed) - MAX_LISTED} more"] if len(changed) > MAX_LISTED else []
    return (
        f"What does a language model learn from a changed training corpus? {trained} "
        f"The changed {'ones are' if len(changed) > 1 else 'one is'} {listed(descriptions)}.{added}"
    )


def _trained(analysis: Analysis, changed: Sequence[Condition]) -> str:
    """Return a sentence for each group of models with equal numbers of seeds and equal corpora."""
    results = analysis.results
    own_cells = results.cells - results.external_cells
    groups: dict[tuple[str, str], list[str]] = {}
    for model in results.models:
        seeds: dict[str, set[int]] = {}
        for cell in own_cells:
            if cell.model == model:
                seeds.setdefault(cell.condition, set()).add(cell.seed)
        if seeds:
            corpora = _corpora(analysis, changed, seeds.keys())
            groups.setdefault((_seed_range(len(numbers) for numbers in seeds.values()), corpora), []).append(model)
    if not groups:
        return "No model of the run has scores."
    sentences = [
        f"{listed(models)} {'were' if len(models) > 1 else 'was'} trained, "
        f"{seeds}{' each' if len(models) > 1 else ''}, {corpora}"
        for (seeds, corpora), models in groups.items()
    ]
    return f"{'; '.join(sentences)}{_evaluation(results)}."


def _corpora(analysis: Analysis, changed: Sequence[Condition], names: Set[str]) -> str:
    """Return the training corpora of a model, such as `on the full corpus, on the remaining sentences of a and b`."""
    full = analysis.full
    parts = ["on the full corpus"] if full is not None and full.name in names else []
    used = [condition for condition in changed if condition.name in names]
    if used:
        only = f" of {_names(used)}" if len(used) < len(changed) else ""
        parts.append(f"{_changed_corpora(changed, len(used))}{only}")
    controls = _controls(analysis, changed, names)
    parts += [controls] if controls else []
    return listed(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _changed_corpora(changed: Sequence[Condition], count: int) -> str:
    if all(condition.removes_all_matches for condition in changed):
        return "on the remaining sentences"
    if any(condition.kind == "given" for condition in changed):
        return f"on {counted(count, 'other corpus', 'other corpora')}"
    return f"on {'changed ones' if count > 1 else 'a changed one'}"


def _seed_range(counts: Iterable[int]) -> str:
    """Return a number of seeds, or its range over the corpora of a model: `3 seeds`, `1 to 3 seeds`."""
    ordered = sorted(counts)
    least = "" if ordered[0] == ordered[-1] else f"{ordered[0]} to "
    return f"{least}{counted(ordered[-1], 'seed')}"


def _added(results: Results) -> str:
    """Return a sentence on the scores of models that were trained elsewhere, if any."""
    seeds: dict[str, dict[str, int]] = {}
    for cell in sorted(results.external_cells):
        by_condition = seeds.setdefault(cell.model, {})
        by_condition[cell.condition] = by_condition.get(cell.condition, 0) + 1
    models = []
    for model, by_condition in seeds.items():
        parts = [f"{condition}, {counted(number, 'seed')}" for condition, number in by_condition.items()]
        models.append(f"{model} ({'; '.join(parts)})")
    return f" Scores of models that were trained elsewhere were added: {listed(models)}." if models else ""


def _evaluation(results: Results) -> str:
    """Return the end of a sentence, which names the items on which the models were evaluated."""
    pairs = ["minimal pairs"] if results.paradigms else []
    pairs += [f"pairs of {kind}" for kind in results.other_pairs]
    return f", and evaluated on {listed(pairs)}" if pairs else ""


def _controls(analysis: Analysis, changed: Sequence[Condition], names: Set[str]) -> str:
    """Return the controls among a model's corpora, with the conditions that have one if not all have."""
    controls = {
        condition.name: [control for control in controls_of(analysis.results, condition.name) if control.name in names]
        for condition in changed
    }
    controlled = [condition for condition in changed if controls[condition.name]]
    if not controlled:
        return ""
    noun = "controls" if any(condition.control for condition in controlled) else "random controls"
    if len(controlled) < len(changed) or any(condition.name not in names for condition in changed):
        return f"on {noun} of {_names(controlled)}"
    if not all(condition.removes_all_matches for condition in changed):
        return f"on their {noun}"
    amounts = {AMOUNTS.get(control.by or "", "") for group in controls.values() for control in group}
    amount = amounts.pop() if len(amounts) == 1 else ""
    return f"on their controls ({amount or 'sentences removed at random'})"


def _names(conditions: Sequence[Condition]) -> str:
    return listed([condition.name for condition in conditions])


def _description(condition: Condition) -> str:
    """Return a condition's name, with its description if that is short."""
    return f"{condition.name} ({condition.what})" if 0 < len(condition.what) <= MAX_DESCRIPTION else condition.name


def _filter_question(conditions: Sequence[Condition]) -> str:
    filters = list(dict.fromkeys(filter_.name for condition in conditions for filter_ in condition.filters))
    names = [condition.name for condition in conditions]
    matched = f"the {inflected(len(filters), 'filter')} {listed(filters)} "
    matched += inflected(len(filters), "matches", "match")
    condition_names = "" if filters == names else f" ({listed(names)})"
    return (
        "What does a language model learn from a corpus without the matches of a filter? The sentences that "
        f"{matched} were removed from the training corpus{condition_names}."
    )
