"""Run a job in this process: train the model and score it, skipping finished steps."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

from runner.execute.cells.curves import score_checkpoints
from runner.execute.cells.job import Job, ScoreJob
from runner.execute.cells.stop import Stop
from runner.execute.cells.training import is_trained, train_cell
from runner.execute.records.cache import publish
from runner.execute.records.events import Listener
from runner.machine import choose
from runner.model.saved import load_model
from runner.model.token_rows import TokenFile
from runner.score.any_suite import prepare_any, read_suite
from runner.score.convention import Convention
from runner.score.minimal_pairs import token_table
from runner.score.model_scores import frequency_loss, perplexity
from runner.score.sentence_scores import score as score_suite
from runner.score.suites import Suite
from runner.train.distributed import launched_processes
from runner.train.spec import MODEL
from runner.workspace import write_text


def run_cell(job: Job, on_event: Listener, stop: Stop) -> None:
    """Train the model, compute perplexities and score all suites. Resume if the cell was interrupted."""

    def notify(event: dict[str, Any]) -> None:
        on_event({"cell": job.name, **event})

    if (launched_processes() > 1 or not is_trained(job)) and not train_cell(job, notify, stop):
        return
    notify({"event": "done", "step": f"train:{job.name}"})
    was_computed = publish(job.perplexity_folder, job.perplexity_key, partial(_perplexity, job))
    notify({"event": "done", "step": f"perplexity:{job.name}", "cached": not was_computed})
    for score in job.scores:
        was_computed = publish(score.folder, score.key, partial(_score, job, score))
        notify({"event": "done", "step": f"score:{job.name}/{score.suite}", "cached": not was_computed})


def _perplexity(job: Job, folder: Path) -> None:
    saved = load_model(job.train_folder / MODEL, choose(job.training.device))
    values: dict[str, dict[str, float]] = {}
    training = TokenFile.open(job.tokens)
    for name, path in job.texts.items():
        text = TokenFile.open(path)
        nll, tokens = perplexity(saved, text)
        values[name] = {"nll": nll, "tokens": tokens, "frequencies": frequency_loss(saved, text, training)}
    write_text(folder / "perplexity.json", json.dumps(values, indent=1) + "\n")


def _score(job: Job, score: ScoreJob, folder: Path) -> None:
    import pyarrow.parquet as pq

    device = choose(job.training.device)
    saved = load_model(job.train_folder / MODEL, device)
    suite, convention = read_suite(score.file), Convention(**score.convention)
    prepared = prepare_any(saved, suite, convention)
    scored = score_suite(saved, prepared)
    pq.write_table(scored.table, folder / "scores.parquet", write_page_checksum=True)
    if score.tokens and isinstance(suite, Suite):
        tokens = token_table(saved.tokenizer, suite, prepared, scored, score.tokens)
        pq.write_table(tokens, folder / "tokens.parquet", write_page_checksum=True)
    score_checkpoints(job.train_folder, suite, convention, folder, device)
