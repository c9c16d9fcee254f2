"""The run card: settings, versions, hardware and times of a run, and the words that models have seen."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from runner.execute.cache import Cache, origin_of
from runner.execute.prepared import Prepared
from runner.execute.warnings import data_warnings, sampled_share
from runner.machine import versions_of
from runner.readers import parse_json
from runner.report.records import Condition, Exposure, RunCard, TrainedCell
from runner.score.minimal_pairs import read_pair_suite
from runner.score.suite_files import Pair
from runner.steps.checks import RunWarning
from runner.steps.plan import RunPlan, Training
from runner.steps.step import Step
from runner.steps.variants import targets_of
from runner.train.spec import LOG, RESULT

PACKAGES = ("fictc", "torch", "transformers", "tokenizers", "duckdb", "pyarrow", "numpy", "scipy", "stanza", "lark")


def _warnings_on_data(plan: RunPlan, cache: Cache) -> Iterator[RunWarning]:
    known_words = {suite.name for suite in plan.resolved.suites if suite.known_words}
    for warning in data_warnings(plan, cache):
        if warning.kind in ("withheld", "amount") or (warning.kind == "pairs" and warning.subject in known_words):
            yield warning


def run_card(plan: RunPlan, cache: Cache, finished: Sequence[Training], failed: Mapping[str, str]) -> RunCard:
    cells = [_trained_cell(cell, cache) for cell in finished]
    parameter_counts = {record.model: record.parameters for record in reversed(cells)}
    manifest, manifest_text = plan.resolved.manifest, plan.resolved.draft.source.text
    content = {
        **manifest.experiment.model_dump(),
        "manifest": {
            "name": Path(plan.resolved.draft.source.name).name,
            "text": manifest_text,
            "sha256": hashlib.sha256(manifest_text.encode()).hexdigest(),
        },
        "report": manifest.report.model_dump(),
        "convention": plan.resolved.recorded_conventions,
        "suites": {suite.name: suite.kind for suite in plan.resolved.suites},
        "suite_hashes": {suite.name: suite.digest for suite in plan.resolved.suites},
        "command": shlex.join([Path(sys.argv[0]).name, *sys.argv[1:]]),
        "tokenizer": {**manifest.tokenizer.model_dump(), "key": cache.key(plan.tokenizer)},
        "models": [
            {
                **model_entry.content["model"],
                "masked": model_entry.model.masked,
                "name": label,
                "parameters": parameter_counts.get(label),
            }
            for label, model_entry in plan.resolved.models.items()
        ],
        "training": {label: model_entry.training.content for label, model_entry in plan.resolved.models.items()},
        "sources": {text: [list(entry) for entry in entries] for text, entries in plan.resolved.sources.items()},
        "size": manifest.size.model_dump() | {"share": sampled_share(cache, plan)},
        "lists": {name: override.record for name, override in plan.resolved.lists.items()},
        "versions": {"python": platform.python_version(), **versions_of(PACKAGES)},
        "hardware": {
            "machine": platform.machine(),
            "system": platform.system(),
            "cores": os.cpu_count(),
            "byte order": sys.byteorder,
            "cpus": sorted({record.cpu for record in cells if record.cpu}),
            "devices": sorted({record.device for record in cells}),
        },
        "fictc": sorted({record.fictc for record in cells if record.fictc}),
        "compute": {
            model: _compute([record for record in cells if record.model == model]) for model in plan.resolved.models
        },
        "times": {
            name.removesuffix("_seconds"): value for name, value in _compute(cells).items() if name.endswith("_seconds")
        },
        "planned": len(plan.cells),
        "cells": cells,
        "warnings": [warning.message for warning in (*plan.resolved.warnings, *_warnings_on_data(plan, cache))],
        "failed": [
            {"condition": cell.condition, "model": cell.model, "seed": cell.seed, "error": failed[cell.name]}
            for cell in sorted(plan.cells, key=lambda cell: cell.name)
            if cell.name in failed
        ],
    }
    return RunCard.model_validate(content)


def _trained_cell(cell: Training, cache: Cache) -> TrainedCell:
    folder = cache.folder(cell.train)
    training = parse_json((folder / RESULT).read_text(encoding="utf-8"))
    scoring = [origin_of(cache.folder(step)) for step in cell.steps[1:]]
    made_by = origin_of(folder).get("made_by", {})
    log = folder / LOG
    events = map(parse_json, log.read_text(encoding="utf-8").splitlines()) if log.exists() else ()
    seconds = {  # of training, over all processes that trained the model, up to the last event
        "training_seconds": max((event["seconds"] for event in events if "seconds" in event), default=None),
        "scoring_seconds": round(sum(origin["seconds"] for origin in scoring), 1)
        if all("seconds" in origin for origin in scoring)
        else None,
    }
    content = {
        "condition": cell.condition,
        "model": cell.model,
        "seed": cell.seed,
        "name": cell.name,
        "key": cache.joint_key(cell.steps),
        **{name: training[name] for name in ("parameters", "steps", "tokens")},
        **{name: value for name, value in seconds.items() if value is not None},
        "device": training.get("device", "cpu"),
        **({"fictc": " ".join(filter(None, (made_by["fictc"], made_by.get("commit"))))} if made_by else {}),
        **({"cpu": made_by["cpu"]} if "cpu" in made_by else {}),
    }
    return TrainedCell.model_validate(content)


def _compute(cells: Sequence[TrainedCell]) -> dict[str, Any]:
    """Return the sums over cells of the quantities that are known of all."""
    names = ("steps", "tokens", "training_seconds", "scoring_seconds")
    values = {name: [getattr(cell, name) for cell in cells] for name in names}
    return {"cells": len(cells), **{name: round(sum(each), 1) for name, each in values.items() if None not in each}}


_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_COUNTS = "counts.parquet"
MAX_EXAMPLES = 6  # words of a row of the report


def exposures(prepared: Prepared, conditions: Sequence[Condition]) -> dict[str, tuple[Exposure, ...]]:
    full = next((condition.name for condition in conditions if condition.kind == "full"), None)
    found: dict[str, tuple[Exposure, ...]] = {}
    for condition in conditions if full is not None else ():
        if condition.name == full or condition.control_of is not None:
            continue
        pairs = list(_target_pairs(prepared, condition.name))
        controls = [
            other.name for other in conditions if other.control_of == condition.name or other.name == condition.control
        ]
        if pairs:
            words = [_words(prepared, f"{pair.good} {pair.bad}") for pair in pairs]
            reference = word_counts(prepared, str(full))
            found[condition.name] = tuple(
                _exposure(name, words, reference, word_counts(prepared, name)) for name in (condition.name, *controls)
            )
    return found


def _exposure(corpus: str, pairs: Sequence[set[str]], full: Counter[str], counts: Counter[str]) -> Exposure:
    """Return how many words that the full corpus has a corpus lacks, or has at less than half of their frequency."""
    words = sorted({word for pair in pairs for word in pair if full[word]})
    scale = counts.total() / full.total() if full.total() else 1.0
    vanished = {word for word in words if not counts[word]}
    halved = {word for word in words if 0 < counts[word] < scale * full[word] / 2}
    rarest = sorted(vanished | halved, key=lambda word: (counts[word] / full[word], -full[word], word))
    return Exposure(
        corpus=corpus,
        words=len(words),
        vanished=len(vanished),
        halved=len(halved),
        pairs=len(pairs),
        pairs_with_vanished=sum(not pair.isdisjoint(vanished) for pair in pairs),
        examples=tuple((word, full[word], counts[word]) for word in rarest[:MAX_EXAMPLES]),
    )


def _target_pairs(prepared: Prepared, condition: str) -> Iterator[Pair]:
    resolved = prepared.plan.resolved
    targets = targets_of(resolved.conditions[condition])
    suites = [suite.name for suite in resolved.suites if suite.kind == "pairs"] if targets else []
    for suite in suites:
        for pair in read_pair_suite(prepared.suite(suite)).items:
            names = {pair.paradigm, "".join(pair.phenomenon.split())} - {""}
            if any(f"{suite}/{name}" in targets for name in names):
                yield pair


def word_counts(prepared: Prepared, condition: str) -> Counter[str]:
    plan, cache = prepared.plan, prepared.cache
    corpus = plan.corpora[plan.corpora_of(condition)[0]]
    inputs = {"words": _WORD.pattern, "lowercase": plan.resolved.tokenization.lowercase}

    def count(folder: Path) -> None:
        counts: Counter[str] = Counter()
        with (cache.folder(corpus) / "text.txt").open(encoding="utf-8") as text:
            for line in text:
                counts.update(_WORD.findall(line.lower() if inputs["lowercase"] else line))
        table = pa.table(
            {"word": pa.array(list(counts), pa.string()), "count": pa.array(list(counts.values()), pa.int64())}
        )
        pq.write_table(table, folder / _COUNTS, write_page_checksum=True)

    folder, _ = cache.make(Step.of("words", condition, inputs, {"corpus": corpus}), count)
    table = pq.read_table(folder / _COUNTS)
    return Counter(dict(zip(table["word"].to_pylist(), table["count"].to_pylist(), strict=True)))


def _words(prepared: Prepared, text: str) -> set[str]:
    return set(_WORD.findall(text.lower() if prepared.plan.resolved.tokenization.lowercase else text))
