"""Plan a manifest, and describe the plan in lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from runner.corpus.store import Store
from runner.counted import counted
from runner.errors import InputError
from runner.execute.collect.card import PACKAGES_THAT_AFFECT_RESULTS, versions_of
from runner.execute.prepare.amounts import amount_warnings, withheld_warnings
from runner.execute.prepare.corpora import check_size
from runner.execute.prepare.empty_filters import empty_in_cache
from runner.execute.prepare.pair_checks import pair_checks, pair_warnings
from runner.execute.records.cache import CACHE, Cache
from runner.execute.state import StepState
from runner.manifest.load import Draft
from runner.readers import real_path
from runner.steps.checks.warning import RunWarning
from runner.steps.interventions import describe_condition
from runner.steps.paths import Roots
from runner.steps.plan import Plan, build_plan
from runner.steps.resolve import resolve
from runner.steps.sizes import parameter_counts, vocabulary_size

_MAX_REASONS = 2  # maximum number of reasons shown for the steps of one kind


def plan_of(
    draft: Draft,
    data: Path | None = None,
    allow: tuple[Path, ...] = (),
    output: Path | None = None,
    cache: Path | None = None,
    device: str | None = None,
) -> tuple[Plan, Cache, Path]:
    """Return the plan of a manifest, the cache and the folder of the run. Raises InputError with all mistakes.

    `device` replaces the device of all models.
    """
    resolved = resolve(draft, Roots.of(draft.folder, data, allow)).with_device(device)
    plan = build_plan(resolved, versions_of(PACKAGES_THAT_AFFECT_RESULTS))
    out = output or Path("runs") / plan.resolved.manifest.experiment.name
    return plan, Cache(real_path(cache or out.parent / CACHE)), real_path(out)


def plan_warnings(plan: Plan, cache: Cache) -> list[RunWarning]:
    """Return the warnings of a plan, with those that follow from cached results.

    Raises InputError for filters that match nothing (FICT614) and a base corpus below the common size (FICT648).
    """
    if cache.has(plan.stores["train"]):
        info = Store.open(cache.folder(plan.stores["train"]) / "store").info
        check_size(plan, info.sentences, info.words)
    empty = empty_in_cache(plan, cache)
    if problems := [filter_.problem(plan, cache) for filter_ in empty if not filter_.allowed]:
        raise InputError(problems)
    empty_warnings = [filter_.warning for filter_ in empty]
    return [
        *plan.resolved.warnings,
        *empty_warnings,
        *withheld_warnings(plan, cache),
        *amount_warnings(plan, cache),
        *pair_warnings(plan, pair_checks(plan, cache)),
    ]


def match_titles(plan: Plan) -> dict[str, str]:
    """Return titles of the steps that find matches, by step id. A title has the filter's name in place of its key."""
    return {step.id: f"match:{plan.resolved.filters_by_key[key].name}" for key, step in plan.matches.items()}


def plan_lines(plan: Plan, states: list[StepState], *, steps: bool = True) -> Iterator[str]:
    """Yield lines with the size, models, conditions and word lists of an experiment, and the state of its steps.

    Without `steps`, steps are counted by kind.
    """
    manifest = plan.resolved.manifest
    seeds = manifest.experiment.seeds
    description = manifest.experiment.description.strip()
    yield f"{manifest.experiment.name}: {description}" if description else manifest.experiment.name
    placebos, models = plan.placebos, counted(len(plan.resolved.models), "model")
    draws = counted(sum(len(plan.corpora_of(name)) for name in placebos), "draw")
    yield (
        f"{counted(len(plan.conditions) - len(placebos), 'condition')} × {models} × {counted(len(seeds), 'seed')}"
        f"{f' + {draws} × {models}' * bool(placebos)} = {counted(len(plan.cells), 'cell')}"
    )
    vocabulary = vocabulary_size(plan.resolved)
    for label, count in parameter_counts(plan.resolved).items():
        size = "parameters not known before training" if count is None else f"{count:,} parameters"
        yield f"  {label:<32} {size}" + (f" at {vocabulary:,} tokens" if count and vocabulary else "")
    for condition in plan.conditions:
        yield f"  {condition:<32} {describe_condition(condition, plan.resolved)}"
    filters = [compiled for by_key in plan.resolved.filters.values() for key in by_key for compiled in by_key[key]]
    for word_list in sorted({str(word_list) for compiled in filters for word_list in compiled.lists}):
        yield f"  list {word_list}"
    cached = sum(state.cached for state in states)
    yield f"\n{cached} of {len(states)} steps are done{'' if steps else '; `--steps` lists them'}."
    open_states = {state.step.recipe: state for state in states if state.awaits}
    awaiting = [open_states[cell.train.recipe] for cell in plan.cells if cell.train.recipe in open_states]
    if awaiting:
        trained = sum(not state.cached for state in states if state.step.kind == "train")
        yield f"How many cells will be trained is {awaiting[0].reason}: at most {trained}."
    yield from _step_lines(plan, states) if steps else _kind_lines(states)


def _step_lines(plan: Plan, states: list[StepState]) -> Iterator[str]:
    """Yield the state of every step."""
    titles = match_titles(plan)
    for state in states:
        mark = "done " if state.cached else "maybe" if state.awaits else "to do"
        title = titles.get(state.step.id, state.step.id)
        yield f"  {mark}  {title}" + (f"  ({state.reason})" if state.reason else "")


def _kind_lines(states: list[StepState]) -> Iterator[str]:
    """Yield, for each kind of step, how many are done, and the most frequent reasons why the others are not."""
    by_kind: dict[str, list[StepState]] = {}
    for state in states:
        by_kind.setdefault(state.step.id.partition(":")[0], []).append(state)
    width = max(map(len, by_kind), default=0)
    for kind, of_kind in by_kind.items():
        reasons = Counter(
            reason for state in of_kind if state.reason for reason in state.reason.removesuffix(" …").split("; ")
        )
        shown = ", ".join(reason for reason, _ in reasons.most_common(_MAX_REASONS))
        shown += " …" if len(reasons) > _MAX_REASONS else ""
        done = sum(state.cached for state in of_kind)
        yield f"  {kind:<{width}}  {done} of {len(of_kind)} done" + (f"  ({shown})" if shown else "")
