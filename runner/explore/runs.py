"""Browse finished runs: their paradigms and pairs, and the trees of a pair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.draw.tree import Tree, words
from fictdsl.words import counted
from runner.corpus.limits import Limits
from runner.corpus.show import matched_sentences
from runner.corpus.store import Store
from runner.errors import InputError
from runner.explore.markup import markup
from runner.explore.query import RESULTS, STALE, Run
from runner.steps.names import parses_name

if TYPE_CHECKING:
    import numpy as np

    from runner.report.results import Results
    from runner.score.pair_matrices import Paradigm


PAIRS = 50  # pairs of a page
_SIZES = ("conditions", "models", "seeds", "paradigms", "pairs")


@dataclass(frozen=True)
class RunSummary:
    name: str
    description: str = ""
    sizes: tuple[int, int, int, int, int] | None = None
    problem: str = ""


@dataclass(frozen=True)
class PairScores:
    """The scores of a pair's sentences under a condition and model, averaged over seeds; NaN if there are none."""

    condition: str
    model: str
    good: float
    bad: float
    unit: str


_MAX_DEPTH = 3  # folders below the first one
_MAX_TREES = 5  # trees shown for a sentence that the parser has split


def runs_below(folder: Path) -> tuple[Run, ...]:
    return tuple(Run(path, dict(_stores(path))) for path in _run_folders(folder, _MAX_DEPTH))


def run_stores(runs: Sequence[Run]) -> dict[Path, str]:
    stores: dict[Path, str] = {}
    for run in runs:
        for text, path in run.stores.items():
            stores.setdefault(path.resolve(), f"{run.name}: {text}")
    return stores


def _run_folders(folder: Path, depth: int) -> Iterator[Path]:
    subfolders: list[Path] = []
    with suppress(PermissionError):  # a folder such as lost+found is no folder of runs
        if (folder / RESULTS / "run.json").is_file():
            yield folder
        elif depth:
            subfolders = [path for path in sorted(folder.iterdir()) if path.is_dir() and not path.name.startswith(".")]
    for subfolder in subfolders:
        yield from _run_folders(subfolder, depth - 1)


def _stores(run: Path) -> Iterator[tuple[str, Path]]:
    from runner.execute.cache import CACHE, Cache
    from runner.execute.state import LOCK
    from runner.readers import parse_json

    try:
        steps = parse_json((run / LOCK).read_text(encoding="utf-8"))
        keys = {name: str(step["key"]) for name, step in steps.items() if name.startswith("store:")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return
    cache = Cache(run.parent / CACHE)
    for name, key in keys.items():
        path = cache.path("store", key) / "store"
        if (path / "store.json").is_file():
            yield name.removeprefix("store:"), path


def list_runs(runs: Sequence[Run]) -> str:
    if not runs:
        return markup("lines", ["There is no finished run."])
    return markup("runs", _SIZES, [_summary(run) for run in runs])


def _summary(run: Run) -> RunSummary:
    try:
        results = _results(run.folder)
    except InputError as error:
        return RunSummary(run.name, problem=error.diagnostics[0].message)
    seeds = {cell.seed for paradigm in results.paradigms for cell in paradigm.cells if cell.seed >= 0}
    pairs = sum(len(paradigm.item) for paradigm in results.paradigms)
    sizes = len(results.conditions), len(results.models), len(seeds), len(results.paradigms), pairs
    return RunSummary(run.name, results.run.description, sizes)


def list_paradigms(runs: Sequence[Run], run_index: int) -> str:
    results = _results(runs[run_index].folder)
    conditions = [condition.name for condition in results.conditions]
    rows = [
        (paradigm.key, len(paradigm.item), [_accuracy(results, paradigm, condition) for condition in conditions])
        for paradigm in results.paradigms
    ]
    return markup("paradigms", run_index, runs[run_index].name, conditions, rows)


def list_pairs(runs: Sequence[Run], run_index: int, paradigm_index: int, offset: int) -> str:
    results, paradigm = _paradigm(runs[run_index], paradigm_index)
    conditions = [condition.name for condition in results.conditions]
    items = range(min(offset, len(paradigm.item)), min(offset + PAIRS, len(paradigm.item)))
    rows = [
        (
            item,
            paradigm.good[item],
            paradigm.bad[item],
            [_correct(results, paradigm, name, item) for name in conditions],
        )
        for item in items
    ]
    total = len(paradigm.item)
    count = f"{offset + 1:,}–{offset + len(rows):,} of {counted(total, 'pair')}" if rows else counted(total, "pair")
    intro = f"{count}. A column has the share of its models that prefer the good sentence."
    pages = [
        (label, start)
        for label, start in (("‹ previous", max(0, offset - PAIRS)), ("next ›", offset + PAIRS))
        if start != offset and start < total
    ]
    place = run_index, paradigm_index
    return markup("pairs", place, runs[run_index].name, paradigm.key, intro, conditions, rows, pages)


def open_pair(
    runs: Sequence[Run], run_index: int, paradigm_index: int, item: int, parses: Path | None, limits: Limits
) -> str:
    results, paradigm = _paradigm(runs[run_index], paradigm_index)
    if item >= len(paradigm.item):
        reason = f"{paradigm.key} has {counted(len(paradigm.item), 'pair')}"
        raise InputError.of("FICT853", found=f"pair {item + 1}", reason=reason, hint=STALE)
    store = parses or runs[run_index].stores.get(parses_name(paradigm.suite))
    texts = paradigm.good[item], paradigm.bad[item]
    trees = [[] if store is None else _trees(store, limits, text) for text in texts]
    missing = "There are no parses of the suite; see --parses."
    if store is not None:
        missing = "The parses of the suite lack this sentence."
    scores = list(_scores(results, paradigm, item))
    unit = f"difference, {scores[0].unit}" if scores else "difference"
    return markup("pair", list(zip(("good", "bad"), texts, trees, strict=True)), missing, unit, scores)


def _paradigm(run: Run, paradigm_index: int) -> tuple[Results, Paradigm]:
    results = _results(run.folder)
    if paradigm_index >= len(results.paradigms):
        reason = f"{run.name} has {counted(len(results.paradigms), 'paradigm')}"
        raise InputError.of("FICT853", found=f"paradigm {paradigm_index + 1}", reason=reason, hint=STALE)
    return results, results.paradigms[paradigm_index]


@lru_cache(4)
def _results(folder: Path) -> Results:
    from runner.report.results import read_results

    return read_results(folder / RESULTS)


def _accuracy(results: Results, paradigm: Paradigm, condition: str) -> float | None:
    from runner.score.measures import mean, row_means

    if not len(paradigm.item):
        imported = [item for item in results.imported if (item.suite, item.paradigm) == (paradigm.suite, paradigm.name)]
        return mean(item.value for item in imported if item.condition == condition and item.seed >= 0)
    return mean(row_means(_decisions(results, paradigm)[_rows(paradigm, condition)]))


def _correct(results: Results, paradigm: Paradigm, condition: str, item: int) -> tuple[float, int]:
    import numpy as np

    decisions = _decisions(results, paradigm)[_rows(paradigm, condition), item]
    return float(np.nansum(decisions)), int((~np.isnan(decisions)).sum())


def _decisions(results: Results, paradigm: Paradigm) -> np.ndarray:
    from runner.score.measures import decisions

    ties = results.run.ties(paradigm.suite)
    return decisions(paradigm.score_good, paradigm.score_bad, ties, paradigm.identical)


def _rows(paradigm: Paradigm, condition: str) -> list[int]:
    return [row for row, cell in enumerate(paradigm.cells) if cell.condition == condition and cell.seed >= 0]


def _scores(results: Results, paradigm: Paradigm, item: int) -> Iterator[PairScores]:
    from runner.report.statistics import score_name

    unit = score_name(results.run, [paradigm.suite]).unit
    for condition in results.conditions:
        for model in results.models:
            seeds, good, bad = paradigm.scores(condition.name, model)
            if seeds:
                yield PairScores(condition.name, model, float(good[:, item].mean()), float(bad[:, item].mean()), unit)


def _trees(path: Path, limits: Limits, text: str) -> list[Tree]:
    import numpy as np

    from runner.corpus.sentence_texts import normalized

    store, sids_by_text = _parsed_store(path, limits)
    sids = np.array(sorted(sids_by_text.get(normalized(text), ()))[:_MAX_TREES], np.int64)
    return [Tree(words(sentence.block), {}) for sentence in matched_sentences(store, None, sids)]


@lru_cache(2)
def _parsed_store(path: Path, limits: Limits) -> tuple[Store, dict[str, set[int]]]:
    from runner.corpus.sentence_texts import sids_by_text

    store = Store.open(path, limits)
    return store, sids_by_text(store)
