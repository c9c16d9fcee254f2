"""Describe the sizes of a plan's corpora: the sampled share of the base corpus, and how controls are matched."""

from __future__ import annotations

from collections.abc import Iterator

from runner.corpus.store import Store
from runner.execute.prepare.amounts import stats_of
from runner.execute.records.cache import Cache
from runner.report.results import LARGE_SHARE
from runner.steps.plan import Plan


def sampled_share(cache: Cache, plan: Plan) -> float | None:
    """Return the share of the base corpus that the corpus of `full` has, in the unit of `[size]`.

    Returns None if the corpora are not prepared.
    """
    full, store = plan.corpora_of("full")[0].name, plan.stores["train"]
    if not (cache.has(plan.corpora[full]) and cache.has(store)):
        return None
    info, stats = Store.open(cache.folder(store) / "store").info, stats_of(cache, plan, full)
    by_lines = plan.resolved.manifest.size.by == "lines"
    return float(stats["sentences"] / info.sentences if by_lines else stats["words"] / info.words)


def size_notes(cache: Cache, plan: Plan) -> Iterator[str]:
    """Yield notes about draws that share most sentences, and about how each random removal is matched."""
    share = sampled_share(cache, plan)
    if plan.resolved.manifest.size.redraw == "seed" and share is not None and share > LARGE_SHARE:
        yield (
            f"note: every corpus has {share:.0%} of the base corpus, so the draws of different seeds share most "
            "sentences; intervals cover the choice of sentences, not that of the base corpus"
        )
    for condition in plan.resolved.manifest.condition:
        if condition.values["remove-random"] is not None:
            yield from _matching_notes(cache, plan, condition.name, str(condition.control_of))


def _matching_notes(cache: Cache, plan: Plan, name: str, matched_condition: str) -> Iterator[str]:
    corpora = [plan.corpora_of(condition)[0].name for condition in (name, matched_condition)]
    size_unit, condition = plan.resolved.manifest.size.by, plan.resolved.condition(name)
    matching_unit = "sentences" if condition is None else condition.values["by"]
    if (matching_unit == "tokens") != (size_unit == "tokens"):
        yield (
            f"note: {name} is matched with {matched_condition} by {matching_unit}, and [size] is in {size_unit}:"
            " sentences of the same lengths are removed, so that both corpora have the same numbers of sentences and"
            " tokens. If a length is too rare, the numbers of tokens are only approximately equal."
        )
    if all(cache.has(plan.corpora[corpus]) for corpus in corpora):
        yield "; ".join(f"{corpus}: {_size(cache, plan, corpus)}" for corpus in corpora)


def _size(cache: Cache, plan: Plan, corpus: str) -> str:
    stats = stats_of(cache, plan, corpus)
    kept, removed = (
        f"{stats[f'{prefix}sentences']:,} lines and {stats[f'{prefix}words']:,} tokens" for prefix in ("", "removed_")
    )
    return f"{kept}, removed {removed}"
