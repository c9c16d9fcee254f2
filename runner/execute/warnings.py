"""Warnings and errors about prepared corpora and suites, such as filters without matches, and notes on sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from fictdsl.compiler import CompiledFilter
from fictdsl.diagnostics.diagnostic import Diagnostic
from fictdsl.words import counted
from runner.conditions.registry import FILTER_LISTS, REWRITE_LISTS
from runner.corpus.filter_arguments import lint_command
from runner.errors import InputError
from runner.execute.cache import Cache
from runner.readers import parse_json
from runner.score.convention import UNKNOWN_WORDS_REMEDY
from runner.steps.checks import RunWarning
from runner.steps.models import FULL
from runner.steps.names import TextName
from runner.steps.plan import RunPlan
from runner.steps.step import Step
from runner.steps.variants import control_of

if TYPE_CHECKING:
    from runner.corpus.store import Store

REMOVING_KEYS = ("remove", "mask", "drop", "rewrite")
COVERAGE = "coverage.json"
MIN_SHARE = 0.001  # of the words of the base corpus
MIN_COVERAGE = 0.5  # of the parsed pairs of a targeted paradigm; below it, the construction probably remains


def stats_of(cache: Cache, plan: RunPlan, corpus: TextName) -> Mapping[str, Any]:
    text = (cache.folder(plan.corpora[corpus]) / "stats.json").read_text(encoding="utf-8")
    stats: Mapping[str, Any] = parse_json(text)
    return stats


def sizes_of(cache: Cache, plan: RunPlan, corpus: TextName) -> dict[str, Any]:
    stats = stats_of(cache, plan, corpus)
    return {name: stats[name] for name in ("sentences", "words", "removed_sentences", "removed_words")}


def _store(cache: Cache, step: Step) -> Store:
    from runner.corpus.store import Store

    return Store.open(cache.folder(step) / "store")


def amount_warnings(plan: RunPlan, cache: Cache) -> list[RunWarning]:
    if not cache.has(plan.stores["train"]):
        return []
    info = _store(cache, plan.stores["train"]).info
    found = []
    for condition in plan.resolved.manifest.condition:
        filters = plan.resolved.conditions[condition.name].filters_of(*REMOVING_KEYS)
        if filters and control_of(condition.name, plan.resolved) is None:
            corpus = plan.corpora_of(condition.name)[0]
            subject = f"condition {condition.name}"
            found += [RunWarning("amount", subject, text) for text in _amount(plan, cache, corpus, info.words)]
            found += [RunWarning("coverage", subject, text) for text in _uncovered(plan, cache, filters)]
    return found


def withheld_warnings(plan: RunPlan, cache: Cache) -> list[RunWarning]:
    found = []
    for name, files in plan.resolved.files.items():
        step = plan.stores.get(name)
        if step is None or not files or not cache.has(step):
            continue
        store = _store(cache, step)
        withheld = store.counts.count("form_l", "_") or 0
        if withheld >= MIN_SHARE * store.info.words and withheld:
            text = (
                f"{withheld:,} of {counted(store.info.words, 'word')} ({withheld / store.info.words:.1%}) have `_` in "
                "place of the form, as in treebanks that withhold their texts; models would read `_` as a word. "
                "Restore the forms with the treebank's own script, or leave these files out"
            )
            found.append(RunWarning("withheld", f"corpus {name}", text))
    return found


def _amount(plan: RunPlan, cache: Cache, corpus: TextName, words: int) -> Iterator[str]:
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


def _uncovered(plan: RunPlan, cache: Cache, filters: Sequence[CompiledFilter]) -> Iterator[str]:
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


def parser_warnings(plan: RunPlan) -> list[RunWarning]:
    """Return the warning about filters that lose many sentences to a small parser. The sample has gold trees."""
    if not plan.resolved.files.get("train"):
        return []
    from runner.audit.parser import large_losses

    losses = large_losses()
    filters = [item for condition in plan.resolved.conditions.values() for item in condition.filters_of(*FILTER_LISTS)]
    lost = {item.name: f"{item.name} {losses[item.key]}" for item in filters if item.key in losses}
    if not lost:
        return []
    text = (
        "in the trees of a small parser, many of the sentences of EWT test that match in gold trees are lost "
        f"({', '.join(lost.values())}); if a parser made the trees of the corpus, much of these constructions may "
        "remain: `fictc audit parser` compares that parser with gold trees"
    )
    return [RunWarning("parser", counted(len(lost), "filter"), text)]


def target_coverage(plan: RunPlan, cache: Cache, filters: Sequence[CompiledFilter]) -> dict[str, tuple[int, int]]:
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


EDITS = "edits.parquet"  # of a step that edits a condition's sentences: one row for each edited sentence


def empty_filter_warnings(
    plan: RunPlan, cache: Cache, store: Store, is_empty: Callable[[CompiledFilter], bool]
) -> list[RunWarning]:
    """Return a warning for each filter that matches nothing in the base corpus. Raises InputError (FICT614).

    `allow-empty` in a condition allows all of them, and `allow-missing` those that test a feature that no word has.
    """
    problems, warnings = list[Diagnostic](), list[RunWarning]()
    files = plan.resolved.files.get("train", ())
    corpus = files[0][1] if len(files) == 1 else cache.folder(plan.stores["train"]) / "store"
    for index, condition in enumerate(plan.resolved.manifest.condition):
        for key in FILTER_LISTS:
            kind = "rewrite" if key in REWRITE_LISTS else "filter"
            for compiled in filter(is_empty, plan.resolved.conditions[condition.name].filters_of(key)):
                text = f"{kind} {compiled.name} matches no sentence of the training corpus"
                warnings.append(RunWarning("empty-filter", f"condition {condition.name}", text))
                lacks_feature = not set(compiled.features) <= store.info.features.keys()
                if not (condition.values["allow-empty"] or (condition.values["allow-missing"] and lacks_feature)):
                    hint = (
                        f"find the mistake with `{lint_command(compiled, corpus)}` or with `fictc show --near-miss`; "
                        "if no match is expected, set `allow-empty = true` in the condition"
                    )
                    path: tuple[str | int, ...] = ("condition", index, *key.split("."))
                    named = {"kind": kind, "filter": compiled.name}
                    problems.append(plan.resolved.draft.problem("FICT614", *path, hint=hint, **named))
    if problems:
        raise InputError(problems)
    return warnings


def unchanged_conditions(plan: RunPlan, cache: Cache) -> list[RunWarning]:
    text = "its rewrites change no sentence, so its training corpus is the same as without them"
    return [
        RunWarning("unchanged", f"condition {condition.name}", text)
        for condition in plan.resolved.manifest.condition
        if condition.values["rewrite"] and not condition.values["allow-empty"]
        for step in [plan.edits.get(plan.corpora_of(condition.name)[0])]
        if step is not None and not pq.read_metadata(cache.folder(step) / EDITS).num_rows
    ]


def empty_in_cache(plan: RunPlan, cache: Cache) -> list[RunWarning]:
    """As `empty_filter_warnings`, if the base corpus is cached. A filter not yet matched runs up to its first match."""
    if not cache.has(plan.stores["train"]):
        return []
    from runner.corpus.matches import match_parts

    store = _store(cache, plan.stores["train"])

    @lru_cache(None)
    def is_empty(key: str) -> bool:
        step = plan.matches[key]
        if cache.has(step):
            return not len(np.load(cache.folder(step) / "sids.npy"))
        return not any(part.num_rows for part in match_parts(store, plan.resolved.filters_by_key[key]))

    return empty_filter_warnings(plan, cache, store, lambda compiled: is_empty(compiled.key))


def data_warnings(plan: RunPlan, cache: Cache) -> list[RunWarning]:
    pairs = pair_warnings(plan, pair_checks(plan, cache))
    return [*withheld_warnings(plan, cache), *amount_warnings(plan, cache), *pairs]


@dataclass(frozen=True, slots=True)
class PairCheck:
    """Counts of pairs of a paradigm: all, and those with unknown words, different numbers of them, or equal sides."""

    suite: str
    paradigm: str
    pairs: int
    unknown: int
    unequal_unknown: int
    identical: int

    @property
    def problem_share(self) -> float:
        return max(self.unknown, self.identical) / self.pairs


def pair_checks(plan: RunPlan, cache: Cache) -> list[PairCheck]:
    """Return the counts of paradigms with a problem, worst first, from the unigram scores in the cache."""
    tables = {
        suite: cache.folder(step) / "scores.parquet"
        for (corpus, suite), step in plan.unigrams.items()
        if corpus.condition == FULL and cache.has(step)
    }
    checks = [check for suite, path in tables.items() for check in count_pairs(suite, pq.read_table(path))]
    affected = [check for check in checks if check.unknown or check.identical]
    return sorted(
        affected,
        key=lambda check: (-check.problem_share, -check.unequal_unknown / check.pairs, check.suite, check.paradigm),
    )


def counted_pairs(plan: RunPlan, suite: str, table: pa.Table) -> pa.Table:
    if not any(entry.name == suite and entry.known_words for entry in plan.resolved.suites):
        return table
    unknown = np.asarray(table.column("unk_good")) + np.asarray(table.column("unk_bad"))
    return table.filter(pa.array(unknown == 0))


def count_pairs(suite: str, table: pa.Table) -> Iterable[PairCheck]:
    paradigms = np.asarray(table.column("paradigm").to_pylist(), dtype=str)
    unk_good, unk_bad = (table.column(name).to_numpy(zero_copy_only=False) for name in ("unk_good", "unk_bad"))
    identical = np.asarray(table.column("identical").to_pylist(), dtype=bool)
    for name in dict.fromkeys(paradigms.tolist()):
        rows = paradigms == name
        counts = (rows, rows & (unk_good + unk_bad > 0), rows & (unk_good != unk_bad), rows & identical)
        yield PairCheck(suite, name, *(int(np.count_nonzero(selected)) for selected in counts))


def pair_warnings(plan: RunPlan, all_checks: Sequence[PairCheck]) -> list[RunWarning]:
    known_words = {suite.name for suite in plan.resolved.suites if suite.known_words}
    by_suite: dict[str, list[PairCheck]] = {}
    for check in all_checks:
        by_suite.setdefault(check.suite, []).append(check)
    return [
        RunWarning("pairs", suite, _warning_text(checks, known_words=suite in known_words))
        for suite, checks in by_suite.items()
    ]


def _warning_text(checks: Sequence[PairCheck], *, known_words: bool) -> str:
    worst = checks[0]
    unknown, unequal, identical = (
        sum(getattr(check, name) for check in checks) for name in ("unknown", "unequal_unknown", "identical")
    )
    mostly_unknown = sum(2 * check.unknown > check.pairs for check in checks)
    remedy = (
        f"; {counted(mostly_unknown, 'paradigm')} with such words in most pairs: {UNKNOWN_WORDS_REMEDY}"
        if mostly_unknown
        else ""
    )
    return (
        f"{counted(unknown, 'pair contains', 'pairs contain')} words that the tokenizer does not know"
        f" ({unequal:,} of them with different numbers of such words in the two sentences), and"
        f" {counted(identical, 'pair has', 'pairs have')} the same tokens in both sentences; the highest share"
        f" is in {worst.paradigm} ({max(worst.unknown, worst.identical):,} of {worst.pairs:,})"
        f"{'; pairs with unknown words do not count' if known_words else remedy}"
    )


def sampled_share(cache: Cache, plan: RunPlan) -> float | None:
    full, store = plan.corpora_of(FULL)[0], plan.stores["train"]
    if not (cache.has(plan.corpora[full]) and cache.has(store)):
        return None
    info, stats = _store(cache, store).info, stats_of(cache, plan, full)
    by_lines = plan.resolved.manifest.size.by == "lines"
    return float(stats["sentences"] / info.sentences if by_lines else stats["words"] / info.words)


def size_notes(cache: Cache, plan: RunPlan) -> Iterator[str]:
    if plan.resolved.manifest.size.redraw == "seed" and (share := sampled_share(cache, plan)) is not None:
        from runner.report.records import LARGE_SHARE

        if share > LARGE_SHARE:
            yield (
                f"note: every corpus has {share:.0%} of the base corpus, so the draws of different seeds share most "
                "sentences; intervals cover the choice of sentences, not that of the base corpus"
            )
    for condition in plan.resolved.manifest.condition:
        if condition.values["remove-random"] is not None:
            yield from _matching_notes(cache, plan, condition.name, str(condition.control_of))


def _matching_notes(cache: Cache, plan: RunPlan, name: str, matched_condition: str) -> Iterator[str]:
    corpora = [plan.corpora_of(condition)[0] for condition in (name, matched_condition)]
    size_unit, condition = plan.resolved.manifest.size.by, plan.resolved.table(name)
    matching_unit = "sentences" if condition is None else condition.values["by"]
    if (matching_unit == "tokens") != (size_unit == "tokens"):
        yield (
            f"note: {name} is matched with {matched_condition} by {matching_unit}, and [size] is in {size_unit}:"
            " sentences of the same lengths are removed, so that both corpora have the same numbers of sentences and"
            " tokens. If a length is too rare, the numbers of tokens are only approximately equal."
        )
    if all(cache.has(plan.corpora[corpus]) for corpus in corpora):
        yield "; ".join(f"{corpus}: {_size(cache, plan, corpus)}" for corpus in corpora)


def _size(cache: Cache, plan: RunPlan, corpus: TextName) -> str:
    stats = stats_of(cache, plan, corpus)
    kept, removed = (
        f"{stats[f'{prefix}sentences']:,} lines and {stats[f'{prefix}words']:,} tokens" for prefix in ("", "removed_")
    )
    return f"{kept}, removed {removed}"


def check_size(plan: RunPlan, sentences: int, words: int) -> None:
    """Raise InputError (FICT648) if the base corpus is smaller than the `count` of `[size]`."""
    size = plan.resolved.manifest.size
    available = sentences if size.by == "lines" else words
    if isinstance(size.count, int) and available < size.count:
        raise InputError(too_small_problem(plan, "the base corpus", available, size.count))


def too_small_problem(plan: RunPlan, name: str, available: int, required: int) -> Diagnostic:
    unit = "sentences" if plan.resolved.manifest.size.by == "lines" else "words"
    parameters: dict[str, Any] = {"condition": name, "wanted": required, "found": available, "unit": unit}
    hint = '`count = "smallest"` is the size of the smallest condition'
    return plan.resolved.draft.problem("FICT648", "size", "count", hint=hint, **parameters)
