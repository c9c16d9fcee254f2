"""The question at the top of the report, written from the conditions of the run."""

from __future__ import annotations

from collections.abc import Sequence

from runner.counted import counted
from runner.report.analysis.statistics import Analysis, controls_of
from runner.report.render import formatting
from runner.report.results.results import Condition

MAX_LISTED = 8  # number of conditions in a list
MAX_DESCRIPTION = 80  # characters; longer descriptions of conditions are omitted


def question(analysis: Analysis) -> str:
    """Return a text that names the question, the trained models, their corpora and the evaluation."""
    results = analysis.results
    changed = [
        condition for condition in results.conditions if condition.kind != "full" and not results.is_control(condition)
    ]
    if not changed:
        return "No condition of this run changes the training corpus; the tables compare the models."
    models = formatting.listed(list(results.models)) or "No models"
    several_models = len(results.models) > 1
    seeds = f"{counted(len(results.run.seeds), 'seed')}{' each' if several_models else ''}"
    control = _controls(analysis, changed)
    verb = "were" if several_models else "was"
    has_full = any(condition.kind == "full" for condition in results.conditions)
    full = f"on the full corpus{',' if control else ' and'} " if has_full else ""
    trained = f"{models} {verb} trained, {seeds}, {full}"
    evaluation = _evaluation(analysis)
    if all(condition.removes_all_matches for condition in changed):
        return _filter_question(changed) + trained + f"on the remaining sentences{control}{evaluation}"
    if any(condition.kind == "given" for condition in changed):
        corpora = f"on {counted(len(changed), 'other corpus', 'other corpora')}{control}{evaluation}"
        return f"What does a language model learn from another training corpus? {trained}{corpora}"
    descriptions = [_description(condition) for condition in changed[:MAX_LISTED]]
    descriptions += [f"{len(changed) - MAX_LISTED} more"] if len(changed) > MAX_LISTED else []
    return (
        f"What does a language model learn from a changed training corpus? {trained}on "
        f"{'changed ones' if len(changed) > 1 else 'a changed one'}{control}{evaluation} "
        f"The changed {'ones are' if len(changed) > 1 else 'one is'} {formatting.listed(descriptions)}."
    )


def _evaluation(analysis: Analysis) -> str:
    """Return the end of the question, which names the items on which the models were evaluated."""
    pairs = ["minimal pairs"] if analysis.results.paradigms else []
    pairs += ["pairs of alternants"] if analysis.results.preferences else []
    return f", and evaluated on {formatting.listed(pairs)}." if pairs else "."


def _controls(analysis: Analysis, changed: Sequence[Condition]) -> str:
    controlled = [condition for condition in changed if controls_of(analysis.results, condition.name)]
    if not controlled:
        return ""
    noun = "controls" if any(condition.control for condition in controlled) else "random controls"
    if len(controlled) < len(changed):
        return f" and on {noun} of {formatting.listed([condition.name for condition in controlled])}"
    all_remove = all(condition.removes_all_matches for condition in changed)
    return f" and on their {'controls (as much text removed at random)' if all_remove else noun}"


def _description(condition: Condition) -> str:
    """Return a condition's name, with its description if that is short."""
    return f"{condition.name} ({condition.what})" if 0 < len(condition.what) <= MAX_DESCRIPTION else condition.name


def _filter_question(conditions: Sequence[Condition]) -> str:
    filters = list(dict.fromkeys(filter_.name for condition in conditions for filter_ in condition.filters))
    names = [condition.name for condition in conditions]
    matched = f"the {'filter' if len(filters) == 1 else 'filters'} {formatting.listed(filters)} "
    matched += "matches" if len(filters) == 1 else "match"
    condition_names = "" if filters == names else f" ({formatting.listed(names)})"
    return (
        "What does a language model learn about a construction that is absent from its training corpus? The "
        f"sentences that {matched} were removed from the training corpus{condition_names}. "
    )
