"""Plan a manifest, and describe the plan and its power in lines of text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from fictdsl.words import counted
from runner.execute.cache import CACHE, Cache
from runner.execute.estimate import parameter_counts, vocabulary_size
from runner.execute.state import StepState
from runner.execute.warnings import check_size, data_warnings, empty_in_cache, parser_warnings
from runner.machine import PACKAGES_THAT_AFFECT_RESULTS, versions_of
from runner.manifest.text import ManifestText
from runner.readers import real_path
from runner.score.power import ASSUMED_ACCURACY, assumed_variances, held_probability, power_limits
from runner.steps.checks import RunWarning
from runner.steps.paths import Roots
from runner.steps.plan import RunPlan
from runner.steps.resolve import resolve
from runner.steps.suites import SuiteEntry
from runner.steps.variants import describe_condition, targets_of

MIN_HELD_SHARE = 0.8  # share of unchanged accuracies that a design should prove to hold


def low_power_warning(plan: RunPlan) -> str:
    """Return a warning if the plan would prove fewer than `MIN_HELD_SHARE` of unchanged accuracies to hold, or ""."""
    manifest = plan.resolved.manifest
    targets: dict[str, set[str]] = {}
    for condition in plan.resolved.conditions.values():
        for target in targets_of(condition):
            suite_name, _, name = target.partition("/")
            targets.setdefault(suite_name, set()).add(name)
    suites = [suite for suite in plan.resolved.suites if targets.get(suite.name)] or plan.resolved.suites
    pairs = {
        suite.name: count for suite in suites if (count := _min_pairs(plan, suite, targets.get(suite.name, set())))
    }
    if not pairs or len(plan.conditions) < 2:
        return ""
    name, report = min(pairs, key=lambda name: pairs[name]), manifest.report
    return warning(len(manifest.experiment.seeds), pairs[name], report.equivalence, report.confidence, suite=name)


def warning(seeds: int, pairs: int, margin: float, confidence: float = 0.95, suite: str = "") -> str:
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


def _min_pairs(plan: RunPlan, suite: SuiteEntry, targets: set[str]) -> int:
    limit = suite.limit or 10**9
    if suite.kind != "pairs":
        return 0
    if suite.corrupt is not None:
        return suite.corrupt.pairs
    if suite.path is None:
        sample = plan.resolved.manifest.corpus.sample
        return min(limit, sample.pairs) if sample else 0
    from runner.score.pair_formats import read_pairs
    from runner.score.suite_files import PAIR_SUFFIXES, suite_files

    files = suite_files(suite.path, PAIR_SUFFIXES) if suite.path.is_dir() else []
    pairs_by_paradigm = (
        {path.stem: sum(bool(line.strip()) for line in path.read_bytes().split(b"\n")) for path in files}
        if files and all(path.suffix.lower() == ".jsonl" for path in files)
        else Counter(pair.paradigm for pair in read_pairs(suite.path))
    )
    scored = {name: n for name, n in pairs_by_paradigm.items() if not suite.paradigms or name in suite.paradigms}
    counts = [count for name, count in scored.items() if name in targets] or list(scored.values())
    return min([limit, *counts]) if counts else 0


_MAX_REASONS = 2  # maximum number of reasons shown for the steps of one kind


def plan_of(
    draft: ManifestText,
    data: Path | None = None,
    allow: tuple[Path, ...] = (),
    output: Path | None = None,
    cache: Path | None = None,
    device: str | None = None,
) -> tuple[RunPlan, Cache, Path]:
    """Return the plan, the cache of its steps, and the folder of the run. Nothing is written.

    By default, the folder is `runs/NAME`, and the cache is beside it. Raises InputError.
    """
    resolved = resolve(draft, Roots.of(draft.folder, data, allow)).with_device(device)
    plan = RunPlan(resolved, versions_of(PACKAGES_THAT_AFFECT_RESULTS))
    plan.steps()  # raises InputError for a saved tokenizer that cannot be read
    out = output or Path("runs") / plan.resolved.manifest.experiment.name
    return plan, Cache(real_path(cache or out.parent / CACHE)), real_path(out)


def plan_warnings(plan: RunPlan, cache: Cache) -> list[RunWarning]:
    """Raises InputError for filters without matches (FICT614) and a base corpus below the common size (FICT648)."""
    if cache.has(plan.stores["train"]):
        from runner.corpus.store import Store

        info = Store.open(cache.folder(plan.stores["train"]) / "store").info
        check_size(plan, info.sentences, info.words)
    found = [*plan.resolved.warnings, *parser_warnings(plan), *empty_in_cache(plan, cache)]
    return [*found, *data_warnings(plan, cache)]


def plan_lines(plan: RunPlan, states: list[StepState], *, steps: bool = True) -> Iterator[str]:
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
    for name, condition in plan.resolved.conditions.items():
        yield f"  {name:<32} {describe_condition(condition)}"
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


def _step_lines(plan: RunPlan, states: list[StepState]) -> Iterator[str]:
    titles = plan.titles
    for state in states:
        mark = "done " if state.cached else "maybe" if state.awaits else "to do"
        yield f"  {mark}  {titles[state.step.id]}" + (f"  ({state.reason})" if state.reason else "")


def _kind_lines(states: list[StepState]) -> Iterator[str]:
    by_kind: dict[str, list[StepState]] = {}
    for state in states:
        by_kind.setdefault(state.step.kind, []).append(state)
    width = max(map(len, by_kind), default=0)
    for kind, of_kind in by_kind.items():
        reasons = Counter(reason for state in of_kind for reason in state.reasons)
        shown = ", ".join(reason for reason, _ in reasons.most_common(_MAX_REASONS))
        shown += " …" if len(reasons) > _MAX_REASONS else ""
        done = sum(state.cached for state in of_kind)
        yield f"  {kind:<{width}}  {done} of {len(of_kind)} done" + (f"  ({shown})" if shown else "")
