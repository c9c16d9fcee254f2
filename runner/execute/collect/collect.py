"""Finished steps to the run's folder: its corpora and scores under readable names, and the `results` of the report."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from fictdsl.compiler import CompiledFilter
from runner.corpus.query.examples import example_sentences
from runner.corpus.store.opening import Store
from runner.execute.cells.curves import Course, write_curves
from runner.execute.collect.links import link_all
from runner.execute.collect.scores import write_scores, write_tokens
from runner.execute.prepare.coverage import COVERAGE
from runner.execute.prepare.generated import COUNTS, TEXT
from runner.execute.prepare.interventions import JUDGED, SUBSTITUTED
from runner.execute.prepare.prepare import Preparation, stats_of
from runner.execute.prepare.schedule import STAGES
from runner.manifest.condition import Inject
from runner.model.tokens import TokenFile
from runner.readers import parse_json
from runner.report.page.page import PAGE, REPORT
from runner.report.results.results import RunCard
from runner.score.evaluate.any_suite import sentences_of
from runner.score.evaluate.suite_io import read_suite
from runner.steps.condition_filters import CORPUS_KEYS
from runner.steps.interventions import condition_kind, control_of, describe_condition, injection
from runner.steps.plan import Cell, Plan
from runner.workspace import atomic_write, remove_dir, write_text

CORPUS = ("text.txt", "sids.npy", "removed.npy", "replaced.npy", "stats.json")


def collect(preparation: Preparation, failed: dict[str, str], card: dict[str, Any], out: Path) -> Path:
    """Fill `out` with corpora, scores and `out/results`; cells in `failed` (by name) are left out.

    What an earlier run put there and this one does not is taken away.
    """
    cells = [cell for cell in preparation.plan.cells if cell.name not in failed]
    link_all(dict([*_corpora(preparation), *_cells(preparation, cells)]), out)
    results = out / "results"
    write_scores(preparation, cells, results)
    write_tokens(preparation, cells, results / "tokens.parquet")
    _perplexities(preparation, cells, results / "perplexity.parquet")
    ties = RunCard.model_validate(card).ties
    write_curves([_course(preparation, cell) for cell in cells], ties, results / "curves.csv")
    _write_json(results / "conditions.json", [_condition(preparation, name) for name in preparation.plan.conditions])
    _write_json(results / "run.json", card)
    return results


def leave_nothing(out: Path) -> None:
    """Take away what an earlier run put into `out`, its report too: none of it is of a run without a finished cell."""
    link_all({}, out)
    for folder in (out / "results", out / REPORT):
        if folder.exists():
            remove_dir(folder)
    (out / PAGE).unlink(missing_ok=True)


def _course(preparation: Preparation, cell: Cell) -> Course:
    trained, scores = preparation.cache.folder(cell.train), cell.scores.items()
    keep = preparation.plan.resolved.model_for(cell.model, cell.condition).training.keep
    folders = {suite: preparation.cache.folder(step) for suite, step in scores}
    return Course(cell.condition, cell.model, cell.seed, trained, folders, keep)


def _write_json(path: Path, value: object) -> None:
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def _corpora(preparation: Preparation) -> Iterator[tuple[str, Path]]:
    """The files of corpora by their names in the run's folder."""
    for name, step in preparation.plan.corpora.items():
        folders: dict[Path, tuple[str, ...]] = {preparation.cache.folder(step): CORPUS}
        edit, units = preparation.plan.edits.get(name), preparation.plan.units.get(name)
        folders |= {} if edit is None else {preparation.cache.folder(edit): (SUBSTITUTED,)}
        folders |= {} if units is None else {preparation.cache.folder(units): (TEXT, COUNTS, JUDGED)}
        for folder, files in folders.items():
            yield from ((f"corpora/{name}/{file}", folder / file) for file in files if (folder / file).exists())


def _cells(preparation: Preparation, cells: list[Cell]) -> Iterator[tuple[str, Path]]:
    """The files of cells by their names in the run's folder."""
    cache = preparation.cache
    for cell in cells:
        home, trained = f"cells/{cell.name}", cache.folder(cell.train)
        for path in sorted(trained.rglob("*")):
            if path.is_file() and path.name != "done.json":
                yield f"{home}/{path.relative_to(trained).as_posix()}", path
        yield f"{home}/perplexity.json", cache.folder(cell.perplexity) / "perplexity.json"
        for suite, step in cell.scores.items():
            yield f"{home}/{suite}.parquet", cache.folder(step) / "scores.parquet"


def _perplexities(preparation: Preparation, cells: list[Cell], path: Path) -> None:
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


def _condition(preparation: Preparation, name: str) -> dict[str, Any]:
    plan, cache = preparation.plan, preparation.cache
    filters = plan.resolved.filters_of(name, *CORPUS_KEYS)
    store = preparation.store("train")
    tokens, inject = TokenFile.open(preparation.tokens(name)), _inject(plan, name)
    return {
        "name": name,
        "kind": condition_kind(name, plan.resolved),
        "what": describe_condition(name, plan.resolved),
        "filters": [_filter(item) for item in filters],
        "coverage": _coverage(preparation, [item.key for item in filters]),
        "control_of": control_of(name, plan.resolved),
        "base_sentences": store.info.sentences,
        "base_words": store.info.words,
        **stats_of(cache, plan, name),
        "tokens": tokens.tokens,
        "unknown_rate": tokens.unknown_rate(),
        "matched": {item.name: len(preparation.matched(item.key)) for item in filters},
        "overlap": _overlap(preparation, name),
        "alpha": _alpha(plan, name),
        "targets": _injected(plan, name),
        "fraction": None if inject is None else inject.fraction,
        "random_text": _random_text(inject),
        "stages": _stages(preparation.cache.folder(plan.corpora[name]) / STAGES, tokens),
        "examples": [example for item in filters for example in _examples(preparation, store, item)],
    }


def _alpha(plan: Plan, name: str) -> float | None:
    """The share of words that their tags stand for, where a condition substitutes some."""
    condition = plan.resolved.condition(name)
    return None if condition is None or condition.substitute is None else condition.substitute.alpha


def _inject(plan: Plan, name: str) -> Inject | None:
    """How a condition injects text, where it does."""
    condition = plan.resolved.condition(name)
    return None if condition is None else injection(condition, plan.resolved)


def _random_text(inject: Inject | None) -> bool:
    """Whether what is injected is what a generator writes without a paradigm."""
    return inject is not None and inject.generate is not None and inject.generate.paradigm is None


def _injected(plan: Plan, name: str) -> list[str]:
    """What an injected text is about: the paradigm it is generated for, and targets of the filters that it matches."""
    condition = plan.resolved.condition(name)
    if condition is None or condition.inject is None:
        return []
    generate = condition.inject.generate
    made = [f"blimp/{generate.paradigm}"] if generate is not None and generate.paradigm else []
    return [
        *made,
        *(target for one in plan.resolved.filters_of(name, "inject.only") for target in one.metadata.targets),
    ]


def _stages(path: Path, tokens: TokenFile) -> list[dict[str, Any]]:
    """The stages of an order, with the tokens that training reads before each, a separator a sentence among them."""
    if not path.exists():
        return []
    found = parse_json(path.read_text(encoding="utf-8"))
    return [{"name": name, "tokens": int(tokens.offsets[line]) + line} for name, line in found]


def _filter(item: CompiledFilter) -> dict[str, Any]:
    return {
        "name": item.name,
        "key": item.key,
        "text": item.module.source.text[item.definition.span.start : item.definition.span.end],
        "about": item.metadata.about,
        "source": item.metadata.source,
        "notes": list(item.metadata.notes),
        "targets": list(item.metadata.targets),
        "lists": [str(given) for given in item.lists],
    }


def _coverage(preparation: Preparation, keys: Sequence[str]) -> dict[str, list[int]]:
    """Of each paradigm that filters target, how many items one of them matches, and how many have a tree."""
    found: dict[str, list[int]] = {}
    for suite, step in preparation.plan.coverage.items():
        shares = parse_json((preparation.cache.folder(step) / COVERAGE).read_text(encoding="utf-8"))
        mine = [one for one in shares if one["filter"] in keys]
        for paradigm in dict.fromkeys(one["paradigm"] for one in mine):
            of = [one for one in mine if one["paradigm"] == paradigm]
            found[f"{suite}/{paradigm}"] = [len({place for one in of for place in one["which"]}), of[0]["items"]]
    return found


def _examples(preparation: Preparation, store: Store, item: CompiledFilter) -> list[dict[str, Any]]:
    plan = preparation.plan
    table = pq.read_table(preparation.cache.folder(plan.matches[item.key]) / "matches.parquet")
    count = plan.resolved.manifest.report.examples
    found = example_sentences(store, table, item.names, count, f"examples:{item.key}")
    return [{**example, "filter": item.name} for example in found]


def _overlap(preparation: Preparation, condition: str) -> dict[str, int]:
    """How many sentences of each suite stand word for word among the condition's lines."""
    text = (preparation.cache.folder(preparation.plan.corpora[condition]) / "text.txt").read_text(encoding="utf-8")
    lines = set(text.split("\n"))
    overlap: dict[str, int] = {}
    for suite in preparation.plan.resolved.suites:
        overlap[suite.name] = len(set(sentences_of(read_suite(preparation.suite(suite.name)))) & lines)
    return overlap
