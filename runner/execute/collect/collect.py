"""Collect finished steps in a run's folder: corpora, cells, and the `results` that the report reads."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fictdsl.compiler import CompiledFilter
from runner.corpus.sentence_arrays import example_sentences
from runner.corpus.store import Store
from runner.execute.cells.curves import FinishedCell, write_curves
from runner.execute.collect.card import run_card
from runner.execute.collect.exposure import exposures
from runner.execute.collect.links import link_all
from runner.execute.collect.placebos import write_placebos
from runner.execute.collect.rewritten import rewriting_facts
from runner.execute.collect.scores import write_covariates, write_scores, write_tokens
from runner.execute.prepare.amounts import stats_of, target_coverage
from runner.execute.prepare.prepare import Preparation
from runner.execute.prepare.sizes import sampled_share
from runner.interventions.registry import FILTER_LISTS, RESULTS
from runner.model.token_rows import TokenFile
from runner.readers import parse_json
from runner.report.page import FILES_FOLDER, PAGE
from runner.report.results import RunCard
from runner.score.any_suite import COVARIATES, read_suite, sentences_of
from runner.steps.cells import Cell
from runner.steps.interventions import condition_facts, condition_kind, control_of, describe_condition
from runner.steps.variants import Variant
from runner.workspace import atomic_write, publish_dir, remove_dir, write_text

CORPUS_FILES = ("text.txt", "sids.npy", "removed.npy", "replaced.npy", "originals.npy", "stats.json")


def collect(preparation: Preparation, finished: list[Cell], failed: Mapping[str, str], out: Path) -> Path:
    """Link corpora and finished cells into `out`, and write `out/results`. `failed` are errors of cells by name.

    Files that an earlier run linked there are removed if this run does not link them. The results replace those of an
    earlier run in one step.
    """
    link_cells(preparation, finished, out)
    card = run_card(preparation.plan, preparation.cache, finished, failed)
    with publish_dir(out / "results", replace=True) as temp:
        _write_results(preparation, finished, card, temp)
    return out / "results"


def link_cells(preparation: Preparation, finished: list[Cell], out: Path) -> None:
    """Link corpora and finished cells into `out`, and remove other links of an earlier run."""
    link_all(dict([*_corpora(preparation), *_cells(preparation, finished)]), out)


def _write_results(preparation: Preparation, finished: list[Cell], card: dict[str, Any], results: Path) -> None:
    run_card = RunCard.model_validate(card)
    cells = [cell for cell in finished if cell.variant.draw is None]
    write_placebos(preparation, [cell for cell in finished if cell.variant.draw is not None], run_card, results)
    write_scores(preparation, cells, results)
    write_tokens(preparation, cells, results / "tokens.parquet")
    write_covariates(preparation, results / COVARIATES)
    _write_perplexities(preparation, cells, results / "perplexity.parquet")
    write_curves([_finished_cell(preparation, cell) for cell in cells], run_card.ties, results / "curves.csv")
    names = [name for name in preparation.plan.conditions if name not in preparation.plan.placebos]
    records = [_condition_record(preparation, name) for name in names]
    exposure = exposures(preparation, records)
    _write_json(
        results / "conditions.json",
        [record | ({"exposure": exposure[record["name"]]} if record["name"] in exposure else {}) for record in records],
    )
    share = sampled_share(preparation.cache, preparation.plan)
    _write_json(results / "run.json", card | {"size": card["size"] | {"share": share}})


def remove_results(out: Path) -> None:
    """Remove the linked files, the results and the report of an earlier run from `out`."""
    link_all({}, out)
    for folder in (out / "results", out / FILES_FOLDER):
        if folder.exists():
            remove_dir(folder)
    (out / PAGE).unlink(missing_ok=True)


def _finished_cell(preparation: Preparation, cell: Cell) -> FinishedCell:
    training_folder, scores = preparation.cache.folder(cell.train), cell.scores.items()
    keep = preparation.plan.resolved.model_for(cell.model, cell.condition).training.keep
    folders = {suite: preparation.cache.folder(step) for suite, step in scores}
    return FinishedCell(cell.condition, cell.model, cell.seed, training_folder, folders, keep)


def _write_json(path: Path, value: object) -> None:
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def _corpora(preparation: Preparation) -> Iterator[tuple[str, Path]]:
    """Yield the files of corpora with their names in the run's folder."""
    for name, step in preparation.plan.corpora.items():
        folders: dict[Path, tuple[str, ...]] = {preparation.cache.folder(step): CORPUS_FILES}
        change_steps = (steps[name] for steps in (preparation.plan.edits, preparation.plan.units) if name in steps)
        folders |= {preparation.cache.folder(step): RESULTS for step in change_steps}
        for folder, files in folders.items():
            yield from ((f"corpora/{name}/{file}", folder / file) for file in files if (folder / file).exists())


def _cells(preparation: Preparation, cells: list[Cell]) -> Iterator[tuple[str, Path]]:
    """Yield the files of cells with their names in the run's folder."""
    cache = preparation.cache
    for cell in cells:
        prefix, training_folder = f"cells/{cell.name}", cache.folder(cell.train)
        for path in sorted(training_folder.rglob("*")):
            if path.is_file() and path.name != "done.json":
                yield f"{prefix}/{path.relative_to(training_folder).as_posix()}", path
        yield f"{prefix}/perplexity.json", cache.folder(cell.perplexity) / "perplexity.json"
        for suite, step in cell.scores.items():
            yield f"{prefix}/{suite}.parquet", cache.folder(step) / "scores.parquet"


def _write_perplexities(preparation: Preparation, cells: list[Cell], path: Path) -> None:
    rows: list[dict[str, Any]] = []
    for cell in cells:
        text = (preparation.cache.folder(cell.perplexity) / "perplexity.json").read_text(encoding="utf-8")
        for name, value in parse_json(text).items():
            rows.append({"condition": cell.condition, "model": cell.model, "seed": cell.seed, "text": name, **value})
    schema = pa.schema(
        [
            ("condition", pa.string()),
            ("model", pa.string()),
            ("seed", pa.int32()),
            ("text", pa.string()),
            ("nll", pa.float64()),
            ("tokens", pa.int64()),
            ("frequencies", pa.float64()),
        ]
    )
    with atomic_write(path) as temp:
        pq.write_table(pa.Table.from_pylist(rows, schema), temp, write_page_checksum=True)


def _condition_record(preparation: Preparation, condition: str) -> dict[str, Any]:
    """Return the description of a condition. Its numbers are those of its first corpus."""
    plan, cache = preparation.plan, preparation.cache
    corpora = plan.corpora_of(condition)
    name = corpora[0].name
    filters = plan.resolved.filters_of(condition, *FILTER_LISTS)
    display_names = unique_names([(compiled.name, compiled.key) for compiled in filters])
    named_filters = list(zip(display_names, filters, strict=True))
    store = preparation.store("train")
    tokens = TokenFile.open(preparation.tokens(name))
    return {
        "name": condition,
        "kind": condition_kind(condition, plan.resolved),
        "what": describe_condition(condition, plan.resolved),
        "filters": [_filter_record(compiled) | {"name": shown} for shown, compiled in named_filters],
        "coverage": {key: list(counts) for key, counts in target_coverage(plan, cache, filters).items()},
        "control_of": control_of(condition, plan.resolved),
        "base_sentences": store.info.sentences,
        "base_words": store.info.words,
        **stats_of(cache, plan, name),
        "tokens": tokens.tokens,
        "unknown_rate": tokens.unknown_rate(),
        "matched": {shown: len(preparation.matched(compiled.key)) for shown, compiled in named_filters},
        "overlap": _overlap(preparation, name),
        **condition_facts(condition, plan.resolved),
        "stages": _stages(preparation.stages(name), tokens),
        "redrawn": [_redrawn_size(preparation, variant) for variant in corpora if variant.redraw is not None],
        "examples": [
            {**example, "filter": shown}
            for shown, compiled in named_filters
            for example in _examples(preparation, store, compiled)
        ],
        **rewriting_facts(preparation, name),
    }


def unique_names(filters: Sequence[tuple[str, str]]) -> list[str]:
    """Return a name for each filter, given names and keys. A number tells filters of one name apart: `passive (2)`."""
    keys_by_name: dict[str, list[str]] = {}
    for name, key in dict.fromkeys(filters):
        keys_by_name.setdefault(name, []).append(key)
    places = [(name, keys_by_name[name].index(key)) for name, key in filters]
    return [f"{name} ({place + 1})" if place else name for name, place in places]


def _redrawn_size(preparation: Preparation, variant: Variant) -> dict[str, Any]:
    """Return the size of a corpus that is drawn for one seed."""
    stats = stats_of(preparation.cache, preparation.plan, variant.name)
    names = ("sentences", "words", "removed_sentences", "removed_words")
    tokens = TokenFile.open(preparation.tokens(variant.name)).tokens
    return {"seed": variant.redraw, **{name: stats[name] for name in names}, "tokens": tokens}


def _stages(stages: Sequence[tuple[str, int]], tokens: TokenFile) -> list[dict[str, Any]]:
    """Return the stages of an order with the number of tokens before each, including one separator per sentence."""
    return [{"name": name, "tokens": int(tokens.offsets[row]) + row} for name, row in stages]


def _filter_record(compiled: CompiledFilter) -> dict[str, Any]:
    return {
        "name": compiled.name,
        "key": compiled.key,
        "text": compiled.module.source.text[compiled.definition.span.start : compiled.definition.span.end],
        "about": compiled.metadata.about,
        "source": compiled.metadata.source,
        "notes": list(compiled.metadata.notes),
        "targets": list(compiled.metadata.targets),
        "lists": [str(word_list) for word_list in compiled.lists],
    }


def _examples(preparation: Preparation, store: Store, compiled: CompiledFilter) -> list[dict[str, Any]]:
    plan = preparation.plan
    table = pq.read_table(preparation.cache.folder(plan.matches[compiled.key]) / "matches.parquet")
    count = plan.resolved.manifest.report.examples
    return list(example_sentences(store, table, compiled.names, count, f"examples:{compiled.key}"))


def _overlap(preparation: Preparation, corpus: str) -> dict[str, int]:
    """Return the number of sentences of each suite that are also lines of the corpus."""
    text = (preparation.cache.folder(preparation.plan.corpora[corpus]) / "text.txt").read_text(encoding="utf-8")
    lines = set(text.split("\n"))
    overlap: dict[str, int] = {}
    for suite in preparation.plan.resolved.suites:
        overlap[suite.name] = len(set(sentences_of(read_suite(preparation.suite(suite.name)))) & lines)
    return overlap
