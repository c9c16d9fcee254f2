"""The question at the top of the report, written from the conditions of the run."""

from __future__ import annotations

from collections.abc import Sequence, Set

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
    descriptions = [
        f"{each.name} ({each.what})" if 0 < len(each.what) <= MAX_DESCRIPTION else each.name
        for each in changed[:MAX_LISTED]
    ]
    descriptions += [f"{len(changed) - MAX_LISTED} more"] if len(changed) > MAX_LISTED else []
    return (
        f"What does a language model learn from a changed training corpus? {trained} "
        f"The changed {inflected(len(changed), 'one is', 'ones are')} {listed(descriptions)}.{added}"
    )


def _trained(analysis: Analysis, changed: Sequence[Condition]) -> str:
    results = analysis.results
    seeds: dict[str, dict[str, set[int]]] = {}  # by model and condition
    for cell in results.cells - results.external_cells:
        seeds.setdefault(cell.model, {}).setdefault(cell.condition, set()).add(cell.seed)
    groups: dict[tuple[str, str], list[str]] = {}
    for model in results.models:
        if by_condition := seeds.get(model):
            counts = sorted(map(len, by_condition.values()))
            least = "" if counts[0] == counts[-1] else f"{counts[0]} to "
            key = f"{least}{counted(counts[-1], 'seed')}", _corpora(analysis, changed, by_condition.keys())
            groups.setdefault(key, []).append(model)
    if not groups:
        return "No model of the run has scores."
    sentences = [
        f"{listed(models)} {inflected(len(models), 'was', 'were')} trained, "
        f"{seeds}{' each' if len(models) > 1 else ''}, {corpora}"
        for (seeds, corpora), models in groups.items()
    ]
    evaluated = [
        *(["minimal pairs"] if results.paradigms else []),
        *(f"pairs of {kind}" for kind in results.other_pairs),
    ]
    return f"{'; '.join(sentences)}{f', and evaluated on {listed(evaluated)}' if evaluated else ''}."


def _corpora(analysis: Analysis, changed: Sequence[Condition], names: Set[str]) -> str:
    parts = ["on the full corpus"] if analysis.full is not None and analysis.full.name in names else []
    used = [condition for condition in changed if condition.name in names]
    if used:
        if all(condition.removes_all_matches for condition in changed):
            corpora = "the remaining sentences"
        elif any(condition.kind == "given" for condition in changed):
            corpora = counted(len(used), "other corpus", "other corpora")
        else:
            corpora = inflected(len(used), "a changed one", "changed ones")
        parts.append(f"on {corpora}{f' of {_names(used)}' if len(used) < len(changed) else ''}")
    controls = _controls(analysis, changed, names)
    parts += [controls] if controls else []
    return listed(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _added(results: Results) -> str:
    seeds: dict[str, dict[str, int]] = {}
    for cell in sorted(results.external_cells):
        by_condition = seeds.setdefault(cell.model, {})
        by_condition[cell.condition] = by_condition.get(cell.condition, 0) + 1
    models = []
    for model, by_condition in seeds.items():
        parts = [f"{condition}, {counted(number, 'seed')}" for condition, number in by_condition.items()]
        models.append(f"{model} ({'; '.join(parts)})")
    return f" Scores of models that were trained elsewhere were added: {listed(models)}." if models else ""


def _controls(analysis: Analysis, changed: Sequence[Condition], names: Set[str]) -> str:
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
