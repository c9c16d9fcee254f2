"""One job to a trained model and its scores, in this process; what is done already is not done again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from runner.execute.cache import is_whole, make
from runner.execute.job import Job
from runner.model.presets import ModelSpec
from runner.model.saved import load_model, load_tokenizer
from runner.model.tokens import TokenFile
from runner.score.convention import Convention
from runner.score.pairs import score_pairs
from runner.score.pairs_io import read_pairs
from runner.score.perplexity import perplexity
from runner.train.loop import CHECKPOINTS, LOG, MODEL, RESULT, train
from runner.train.spec import Seeds
from runner.workspace import link_or_copy, write_text


def run_cell(job: Job, on_event: Callable[[dict[str, Any]], None]) -> None:
    """Train, measure perplexity, score every suite. A killed cell continues from its last checkpoint."""

    def hear(event: dict[str, Any]) -> None:
        on_event({"cell": job.name, **event})

    trained = Path(job.train_folder)
    if not is_whole(trained, job.train_key):
        hear({"event": "start", "step": f"train:{job.name}"})
        make(trained, job.train_key, partial(_train, job, hear), {})
        shutil.rmtree(_unfinished(job), ignore_errors=True)
    hear({"event": "done", "step": f"train:{job.name}"})
    made = make(Path(job.perplexity_folder), job.perplexity_key, partial(_perplexity, job), {})
    hear({"event": "done", "step": f"perplexity:{job.name}", "cached": not made})
    for score in job.scores:
        made = make(Path(score["folder"]), score["key"], partial(_score, job, score), {})
        hear({"event": "done", "step": f"score:{job.name}/{score['suite']}", "cached": not made})


def _unfinished(job: Job) -> Path:
    """Where checkpoints of a training that goes on lie; found again by the content key."""
    folder = Path(job.train_folder)
    return folder.with_name(f"{folder.name}.unfinished")


def _train(job: Job, hear: Callable[[dict[str, Any]], None], folder: Path) -> None:
    work = _unfinished(job)
    train(
        job.train_spec,
        TokenFile.open(Path(job.tokens)),
        TokenFile.open(Path(job.valid)),
        ModelSpec(**job.model),
        work,
        tokenizer=load_tokenizer(Path(job.tokenizer)),
        seeds=Seeds.of(job.seed),
        on_event=lambda event: hear(dict(event)),
    )
    for name in (MODEL, CHECKPOINTS, LOG, RESULT):
        for source in (work / name, *(work / name).rglob("*")):
            if source.is_file():
                link_or_copy(source, folder / source.relative_to(work))


def _perplexity(job: Job, folder: Path) -> None:
    saved = load_model(Path(job.train_folder) / MODEL)
    values: dict[str, dict[str, float]] = {}
    for name, path in job.texts.items():
        nll, tokens = perplexity(saved, TokenFile.open(Path(path)))
        values[name] = {"nll": nll, "tokens": tokens}
    write_text(folder / "perplexity.json", json.dumps(values, indent=1) + "\n")


def _score(job: Job, score: dict[str, Any], folder: Path) -> None:
    import pyarrow.parquet as pq

    saved = load_model(Path(job.train_folder) / MODEL)
    table = score_pairs(saved, read_pairs(Path(score["pairs"])), Convention(**score["convention"]))
    pq.write_table(table, folder / "scores.parquet", write_page_checksum=True)
