"""Judge how much of the corpus, and of the construction, the filters of conditions remove or change."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from runner.corpus.store import Store
from runner.counted import counted
from runner.execute.prepare.coverage import COVERAGE
from runner.execute.records.cache import Cache
from runner.readers import parse_json
from runner.steps.checks.warning import RunWarning
from runner.steps.interventions import control_of
from runner.steps.plan import Plan

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter

REMOVING_KEYS = ("remove", "mask", "drop", "rewrite")
MIN_SHARE = 0.001  # of the words of the base corpus
MIN_COVERAGE = 0.5  # of the parsed pairs of a targeted paradigm; below it, the construction probably remains


def stats_of(cache: Cache, plan: Plan, name: str) -> Mapping[str, Any]:
    """Read the sizes and counts of a corpus."""
    text = (cache.folder(plan.corpora[name]) / "stats.json").read_text(encoding="utf-8")
    stats: Mapping[str, Any] = parse_json(text)
    return stats


def amount_warnings(plan: Plan, cache: Cache) -> list[RunWarning]:
    """Return warnings about conditions that remove or change little, as far as their corpora are in the cache.

    Controls and placebos are not judged, because they change as much as their condition.
    """
    if not cache.has(plan.stores["train"]):
        return []
    info = Store.open(cache.folder(plan.stores["train"]) / "store").info
    found = []
    for condition in plan.resolved.manifest.condition:
        filters = plan.resolved.filters_of(condition.name, *REMOVING_KEYS)
        if filters and control_of(condition.name, plan.resolved) is None:
            corpus = plan.corpora_of(condition.name)[0].name
            subject = f"condition {condition.name}"
            found += [RunWarning("amount", subject, text) for text in _amount(plan, cache, corpus, info.words)]
            found += [RunWarning("coverage", subject, text) for text in _uncovered(plan, cache, filters)]
    return found


def withheld_warnings(plan: Plan, cache: Cache) -> list[RunWarning]:
    """Return a warning for each imported corpus of which `MIN_SHARE` of the words or more have the form `_`."""
    found = []
    for name, files in plan.resolved.files.items():
        step = plan.stores.get(name)
        if step is None or not files or not cache.has(step):
            continue
        store = Store.open(cache.folder(step) / "store")
        withheld = store.value_counts("form_l", ["_"])["_"]
        if withheld >= MIN_SHARE * store.info.words and withheld:
            text = (
                f"{withheld:,} of {counted(store.info.words, 'word')} ({withheld / store.info.words:.1%}) have `_` in "
                "place of the form, as in treebanks that withhold their texts; models would read `_` as a word. "
                "Restore the forms with the treebank's own script, or leave these files out"
            )
            found.append(RunWarning("withheld", f"corpus {name}", text))
    return found


def _amount(plan: Plan, cache: Cache, corpus: str, words: int) -> Iterator[str]:
    """Yield a sentence if the corpus exists and lacks, or has changed, less than `MIN_SHARE` of the words."""
    if not cache.has(plan.corpora[corpus]):
        return
    stats = stats_of(cache, plan, corpus)
    changed = int(stats["removed_words"] + stats.get("edited_words", 0))
    sentences = int(stats["removed_sentences"] + stats.get("edited_sentences", 0))
    if 0 < changed < MIN_SHARE * words:
        yield (
            f"its filters remove or change {changed:,} of {words:,} words ({changed / words:.2%}), in "
            f"{counted(sentences, 'sentence')}; below {MIN_SHARE:.1%}, a model has lost hardly any evidence. A larger "
            "corpus has more; `fictc show --near-miss` lists what the filters nearly match"
        )


def _uncovered(plan: Plan, cache: Cache, filters: Sequence[CompiledFilter]) -> Iterator[str]:
    """Yield a sentence for the targeted paradigms of which the filters match less than `MIN_COVERAGE`."""
    low = [
        f"{matched:,} of {items:,} of {paradigm}"
        for paradigm, (matched, items) in target_coverage(plan, cache, filters).items()
        if items and matched < MIN_COVERAGE * items
    ]
    if low:
        yield (
            f"its filters match few of the pairs that they target ({', '.join(low)}); below {MIN_COVERAGE:.0%}, much "
            "of the construction probably remains in the corpus"
        )


def target_coverage(plan: Plan, cache: Cache, filters: Sequence[CompiledFilter]) -> dict[str, tuple[int, int]]:
    """Return the numbers of matched and of parsed items of each paradigm that the filters target.

    Suites whose coverage is not in the cache are left out.
    """
    targets: dict[str, set[str]] = {}
    for compiled in filters:
        targets.setdefault(compiled.key, set()).update(compiled.metadata.targets)
    coverage: dict[str, tuple[int, int]] = {}
    for suite, step in plan.coverage.items():
        if not cache.has(step):
            continue
        entries = parse_json((cache.folder(step) / COVERAGE).read_text(encoding="utf-8"))
        filter_entries = [
            entry for entry in entries if not targets.get(entry["filter"], set()).isdisjoint(entry["targets"])
        ]
        for paradigm in dict.fromkeys(entry["paradigm"] for entry in filter_entries):
            paradigm_entries = [entry for entry in filter_entries if entry["paradigm"] == paradigm]
            matched = {index for entry in paradigm_entries for index in entry["which"]}
            coverage[f"{suite}/{paradigm}"] = (len(matched), paradigm_entries[0]["items"])
    return coverage
