"""Run a job in this process: train the model and score it, skipping finished steps."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path
from typing import Any

from runner.execute.cells.curves import score_checkpoints
from runner.execute.cells.job import Job
from runner.execute.cells.stop import Stop
from runner.execute.records.cache import is_intact, publish
from runner.execute.records.events import Listener
from runner.model.recipe import ModelSpec
from runner.model.saved import load_model, load_tokenizer
from runner.model.tokens import TokenFile
from runner.score.evaluate.any_suite import prepare_any
from runner.score.evaluate.suite_io import read_suite
from runner.score.evaluate.token_table import token_table
from runner.score.scoring.convention import Convention
from runner.score.scoring.perplexity import frequency_loss, perplexity
from runner.score.scoring.sentences import score as score_suite
from runner.score.suites.suite import Suite
from runner.train.distributed import DistributedContext, launched_processes
from runner.train.loop import CHECKPOINTS, LOG, MODEL, RESULT, train
from runner.train.spec import Seeds
from runner.workspace import link_or_copy, write_text


def run_cell(job: Job, on_event: Listener, stop: Stop) -> None:
    """Train the model, compute perplexities and score all suites; resume if the cell was interrupted."""

    def notify(event: dict[str, Any]) -> None:
        on_event({"cell": job.name, **event})

    if (launched_processes() > 1 or not is_trained(job)) and not _train(job, notify, stop):
        return
    notify({"event": "done", "step": f"train:{job.name}"})
    computed = publish(Path(job.perplexity_folder), job.perplexity_key, partial(_perplexity, job), {})
    notify({"event": "done", "step": f"perplexity:{job.name}", "cached": not computed})
    for score in job.scores:
        computed = publish(Path(score["folder"]), score["key"], partial(_score, job, score), {})
        notify({"event": "done", "step": f"score:{job.name}/{score['suite']}", "cached": not computed})


def is_trained(job: Job) -> bool:
    """Return whether the model of a job is trained."""
    return is_intact(Path(job.train_folder), job.train_key)


def _train(job: Job, notify: Listener, stop: Stop) -> bool:
    """Train the model of a job; return False in other processes than the main one."""
    context = DistributedContext(job.train_spec.device, job.train_spec.processes)
    if not context.is_main:
        if context.broadcast(False):
            _train_in_folder(job, notify, stop)
        return False

    def build(folder: Path) -> None:
        notify({"event": "start", "step": f"train:{job.name}"})
        context.broadcast(True)  # tell the other processes to train
        _train_in_folder(job, notify, stop)
        work = _unfinished(job)
        for name in (MODEL, CHECKPOINTS, LOG, RESULT):
            for source in (work / name, *(work / name).rglob("*")):
                if source.is_file():
                    link_or_copy(source, folder / source.relative_to(work))

    if not publish(Path(job.train_folder), job.train_key, build, {}):
        context.broadcast(False)
    shutil.rmtree(_unfinished(job), ignore_errors=True)
    return True


def _unfinished(job: Job) -> Path:
    """Return the folder of unfinished training, next to that of the result."""
    folder = Path(job.train_folder)
    return folder.with_name(f"{folder.name}.unfinished")


def _train_in_folder(job: Job, notify: Listener, stop: Stop) -> None:
    with stop.deferred():
        train(
            job.train_spec,
            TokenFile.open(Path(job.tokens)),
            TokenFile.open(Path(job.valid)),
            ModelSpec(**job.model),
            _unfinished(job),
            tokenizer=load_tokenizer(Path(job.tokenizer)),
            seeds=Seeds.of(job.seed),
            on_event=lambda event: notify(dict(event)),
            origin=None if job.origin is None else Path(job.origin),
            stop=stop,
        )


def _perplexity(job: Job, folder: Path) -> None:
    saved = load_model(Path(job.train_folder) / MODEL)
    values: dict[str, dict[str, float]] = {}
    training = TokenFile.open(Path(job.tokens))
    for name, path in job.texts.items():
        text = TokenFile.open(Path(path))
        nll, tokens = perplexity(saved, text)
        values[name] = {"nll": nll, "tokens": tokens, "frequencies": frequency_loss(saved, text, training)}
    write_text(folder / "perplexity.json", json.dumps(values, indent=1) + "\n")


def _score(job: Job, score: dict[str, Any], folder: Path) -> None:
    import pyarrow.parquet as pq

    saved = load_model(Path(job.train_folder) / MODEL)
    suite, convention = read_suite(Path(score["file"])), Convention(**score["convention"])
    prepared = prepare_any(saved, suite, convention)
    scored = score_suite(saved, prepared)
    pq.write_table(scored.table, folder / "scores.parquet", write_page_checksum=True)
    if score["tokens"] and isinstance(suite, Suite):
        tokens = token_table(saved.tokenizer, suite, prepared, scored, score["tokens"])
        pq.write_table(tokens, folder / "tokens.parquet", write_page_checksum=True)
    score_checkpoints(Path(job.train_folder), suite, convention, folder)
