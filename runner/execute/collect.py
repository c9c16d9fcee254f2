"""Collect finished steps in a run's folder: corpora, cells, and the `results` that the report reads."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import suppress
from heapq import nsmallest
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fictdsl.compiler import CompiledFilter
from runner.conditions.registry import FILTER_LISTS, RESULTS
from runner.conditions.rewrite import COUNTS, REWRITTEN
from runner.corpus.sentence_arrays import example_sentences
from runner.corpus.store import Store
from runner.execute.cache import DONE
from runner.execute.card import exposures, run_card
from runner.execute.prepared import Prepared
from runner.execute.tables import FinishedCell, write_curves, write_placebos, write_scores, write_tokens
from runner.execute.warnings import sizes_of, stats_of, target_coverage
from runner.model.token_rows import TokenFile
from runner.readers import parse_json, real_path
from runner.report.page import FILES_FOLDER, PAGE
from runner.report.records import Condition, RunCard
from runner.score.any_suite import read_suite, sentences_of
from runner.steps.names import TextName
from runner.steps.plan import Training
from runner.steps.variants import condition_facts, condition_kind, control_of, describe_condition
from runner.workspace import atomic_write, link_or_copy, publish_dir, remove_dir, write_text

LINKS = "links.json"  # the linked names, relative to the run's folder


def link_all(links: Mapping[str, Path], out: Path) -> None:
    old_names = _linked_names(out)
    write_text(out / LINKS, _json(old_names | links.keys()))
    for name in old_names - links.keys():  # first, since a new file may need the name of an old folder, or the reverse
        _remove(out, PurePosixPath(name))
    for name, source in links.items():
        link_or_copy(source, out / name)
    write_text(out / LINKS, _json(links.keys()))


def _json(names: Set[str]) -> str:
    return json.dumps(sorted(names), indent=1, ensure_ascii=False) + "\n"


def _linked_names(out: Path) -> set[str]:
    try:
        names = parse_json((out / LINKS).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return set()
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()


def _remove(out: Path, name: PurePosixPath) -> None:
    path = out / name
    if name.is_absolute() or ".." in name.parts or not real_path(path.parent).is_relative_to(real_path(out)):
        return  # not written by a run
    if path.is_file():
        path.unlink()
    with suppress(OSError):  # stop at the first folder that is not empty
        for folder in list(path.parents)[: len(name.parts) - 1]:
            folder.rmdir()


def rewriting_facts(prepared: Prepared, corpus: TextName) -> dict[str, Any]:
    step = prepared.plan.edits.get(corpus)
    folder = None if step is None else prepared.cache.folder(step)
    if folder is None or not (folder / COUNTS).exists():
        return {}
    counts = parse_json((folder / COUNTS).read_text(encoding="utf-8"))
    example_count = prepared.plan.resolved.manifest.report.examples
    with (folder / REWRITTEN).open(encoding="utf-8") as file:
        examples = nsmallest(example_count, map(json.loads, file), key=_sampling_key)
    return {"rewrites": counts["rewrites"], "rewritten": examples}


def _sampling_key(sentence: dict[str, Any]) -> str:
    text = f"{sentence['source']}\x1f{sentence['number']}"
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


CORPUS_FILES = ("text.txt", "sids.npy", "removed.npy", "replaced.npy", "originals.npy", "stats.json")


def collect(prepared: Prepared, finished: list[Training], failed: Mapping[str, str], out: Path) -> Path:
    link_cells(prepared, finished, out)
    card = run_card(prepared.plan, prepared.cache, finished, failed)
    with publish_dir(out / "results", replace=True) as temp:
        _write_results(prepared, finished, card, temp)
    return out / "results"


def link_cells(prepared: Prepared, finished: list[Training], out: Path) -> None:
    link_all(dict([*_corpora(prepared), *_cells(prepared, finished)]), out)


def _write_results(prepared: Prepared, finished: list[Training], card: RunCard, results: Path) -> None:
    cells = [cell for cell in finished if cell.corpus.draw is None]
    write_placebos(prepared, [cell for cell in finished if cell.corpus.draw is not None], card, results)
    write_scores(prepared, cells, results)
    write_tokens(prepared, cells, results / "tokens.parquet")
    _write_perplexities(prepared, cells, results / "perplexity.parquet")
    write_curves([_finished_cell(prepared, cell) for cell in cells], card.ties, results / "curves.csv")
    names = [name for name in prepared.plan.conditions if name not in prepared.plan.placebos]
    conditions = [_condition(prepared, name) for name in names]
    exposure = exposures(prepared, conditions)
    conditions = [
        each.model_copy(update={"exposure": exposure[each.name]} if each.name in exposure else {})
        for each in conditions
    ]
    _write_json(results / "conditions.json", [each.model_dump(exclude_unset=True) for each in conditions])
    _write_json(results / "run.json", card.model_dump(exclude_unset=True))


def remove_results(out: Path) -> None:
    link_all({}, out)
    for folder in (out / "results", out / FILES_FOLDER):
        if folder.exists():
            remove_dir(folder)
    (out / PAGE).unlink(missing_ok=True)


def _finished_cell(prepared: Prepared, cell: Training) -> FinishedCell:
    training_folder, scores = prepared.cache.folder(cell.train), cell.scores.items()
    keep = prepared.plan.resolved.model_for(cell.model, cell.condition).training.keep
    folders = {suite: prepared.cache.folder(step) for suite, step in scores}
    return FinishedCell(cell.condition, cell.model, cell.seed, training_folder, folders, keep)


def _write_json(path: Path, value: object) -> None:
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def _corpora(prepared: Prepared) -> Iterator[tuple[str, Path]]:
    for name, step in prepared.plan.corpora.items():
        folders: dict[Path, tuple[str, ...]] = {prepared.cache.folder(step): CORPUS_FILES}
        change_steps = (steps[name] for steps in (prepared.plan.edits, prepared.plan.units) if name in steps)
        folders |= {prepared.cache.folder(step): RESULTS for step in change_steps}
        for folder, files in folders.items():
            yield from ((f"corpora/{name}/{file}", folder / file) for file in files if (folder / file).exists())


def _cells(prepared: Prepared, cells: list[Training]) -> Iterator[tuple[str, Path]]:
    cache = prepared.cache
    for cell in cells:
        prefix, training_folder = f"cells/{cell.name}", cache.folder(cell.train)
        for path in sorted(training_folder.rglob("*")):
            if path.is_file() and path.name != DONE:
                yield f"{prefix}/{path.relative_to(training_folder).as_posix()}", path
        yield f"{prefix}/perplexity.json", cache.folder(cell.perplexity) / "perplexity.json"
        for suite, step in cell.scores.items():
            yield f"{prefix}/{suite}.parquet", cache.folder(step) / "scores.parquet"


def _write_perplexities(prepared: Prepared, cells: list[Training], path: Path) -> None:
    rows: list[dict[str, Any]] = []
    for cell in cells:
        text = (prepared.cache.folder(cell.perplexity) / "perplexity.json").read_text(encoding="utf-8")
        for name, value in parse_json(text).items():
            rows.append({"condition": cell.condition, "model": cell.model, "seed": cell.seed, "text": name, **value})
    labels = {"condition": pa.string(), "model": pa.string(), "seed": pa.int32(), "text": pa.string()}
    schema = pa.schema(labels | {"nll": pa.float64(), "tokens": pa.int64(), "frequencies": pa.float64()})
    with atomic_write(path) as temp:
        pq.write_table(pa.Table.from_pylist(rows, schema), temp, write_page_checksum=True)


def _condition(prepared: Prepared, condition: str) -> Condition:
    plan, cache = prepared.plan, prepared.cache
    settings = plan.resolved.conditions[condition]
    corpora = plan.corpora_of(condition)
    name = corpora[0]
    filters = settings.filters_of(*FILTER_LISTS)
    display_names = unique_names([(compiled.name, compiled.key) for compiled in filters])
    named_filters = list(zip(display_names, filters, strict=True))
    store = prepared.store("train")
    tokens = TokenFile.open(prepared.tokens(name))
    record = {
        "name": condition,
        "kind": condition_kind(settings),
        "what": describe_condition(settings),
        "filters": [compiled.record | {"name": shown} for shown, compiled in named_filters],
        "coverage": {key: list(counts) for key, counts in target_coverage(plan, cache, filters).items()},
        "control_of": control_of(condition, plan.resolved),
        "base_sentences": store.info.sentences,
        "base_words": store.info.words,
        **stats_of(cache, plan, name),
        "tokens": tokens.tokens,
        "unknown_rate": tokens.unknown_rate(),
        "matched": {shown: len(prepared.matched(compiled.key)) for shown, compiled in named_filters},
        "overlap": _overlap(prepared, name),
        **condition_facts(settings),
        # the tokens before a stage include one separator per sentence
        "stages": [{"name": stage, "tokens": int(tokens.offsets[row]) + row} for stage, row in prepared.stages(name)],
        "redrawn": [
            {
                "seed": corpus.seed,
                **sizes_of(cache, plan, corpus),
                "tokens": TokenFile.open(prepared.tokens(corpus)).tokens,
            }
            for corpus in corpora
            if corpus.seed is not None
        ],
        "examples": [
            {**example, "filter": shown}
            for shown, compiled in named_filters
            for example in _examples(prepared, store, compiled)
        ],
        **rewriting_facts(prepared, name),
    }
    if audits := plan.resolved.audits.get(condition):
        record["audits"] = [audit.record for audit in audits]
    return Condition.model_validate(record)


def unique_names(filters: Sequence[tuple[str, str]]) -> list[str]:
    keys_by_name: dict[str, list[str]] = {}
    for name, key in dict.fromkeys(filters):
        keys_by_name.setdefault(name, []).append(key)
    places = [(name, keys_by_name[name].index(key)) for name, key in filters]
    return [f"{name} ({place + 1})" if place else name for name, place in places]


def _examples(prepared: Prepared, store: Store, compiled: CompiledFilter) -> list[dict[str, Any]]:
    plan = prepared.plan
    table = pq.read_table(prepared.cache.folder(plan.matches[compiled.key]) / "matches.parquet")
    count = plan.resolved.manifest.report.examples
    return list(example_sentences(store, table, compiled.names, count, f"examples:{compiled.key}"))


def _overlap(prepared: Prepared, corpus: TextName) -> dict[str, int]:
    text = (prepared.cache.folder(prepared.plan.corpora[corpus]) / "text.txt").read_text(encoding="utf-8")
    lines = set(text.split("\n"))
    overlap: dict[str, int] = {}
    for suite in prepared.plan.resolved.suites:
        overlap[suite.name] = len(set(sentences_of(read_suite(prepared.suite(suite.name)))) & lines)
    return overlap
