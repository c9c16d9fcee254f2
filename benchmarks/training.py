"""Benchmark of training, compared with a bare torch loop and transformers' Trainer on the same model and data.

All three run the same steps on the same batches, on one thread. The CPU time is counted from the end of step
WARM_UP_STEPS to the end of the last step, which excludes start-up. Each runs in its own process, because `train` makes
the C library keep freed memory, and the others must not profit from it.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch

from benchmarks.tables import Cell, table, times
from runner.model.architectures import build
from runner.model.recipe import ModelSpec
from runner.model.token_rows import RowTable, TokenFile, write_tokens
from runner.model.tokenizer import train_word_tokenizer
from runner.model.training import PRESETS, TrainSpec
from runner.train.loop import train
from runner.train.spec import RunHooks, Seeds, learning_rate
from runner.train.task import TrainingTask

VOCABULARY = 8_000
WARM_UP_STEPS, STEPS = 10, 100
MODELS = {name: PRESETS[name].model for name in ("lstm-128", "transformer-128")}


@dataclass(frozen=True)
class Case:
    """A model in one precision, and a text of random words with Zipfian frequencies."""

    model: ModelSpec
    spec: TrainSpec
    tokens: TokenFile
    tokenizer: Any

    def rows(self) -> torch.Tensor:
        """Return the batches of the first epoch as one tensor of ids, (steps, rows, tokens + 1)."""
        rows = RowTable.of(self.tokens, self.spec.rows, self.spec.block)
        batches = rows.epoch_batches(self.spec.batch, Seeds.of(1).data, 0)[:STEPS]
        return torch.from_numpy(np.stack([rows.batch(batch).ids for batch in batches]))


class Clock:
    """Records the CPU seconds at the end of each step."""

    def __init__(self) -> None:
        self.step_ends: dict[int, float] = {}

    def __call__(self, step: int) -> None:
        """Record the end of a step."""
        self.step_ends.setdefault(step, time.process_time())

    @property
    def seconds(self) -> float:
        """CPU seconds from the end of step WARM_UP_STEPS to the end of the last step."""
        return self.step_ends[STEPS] - self.step_ends[WARM_UP_STEPS]


def ours(case: Case) -> float:
    """Return the CPU seconds of training with `runner.train.loop.train`, with its log."""
    clock = Clock()

    def on_event(event: Mapping[str, Any]) -> None:
        if event["event"] == "train":
            clock(event["step"])

    with tempfile.TemporaryDirectory() as folder:
        validation = write_tokens(
            [[2, 3]], Path(folder) / "valid", vocabulary=len(case.tokenizer), separator=1, unknown=0
        )
        out = Path(folder) / "out"
        task = TrainingTask(case.spec, case.tokens, validation, case.model, out, case.tokenizer, Seeds.of(1))
        train(task, RunHooks(on_event=on_event))
    return clock.seconds


def bare(case: Case) -> float:
    """Return the CPU seconds of training with a minimal torch loop."""
    model, clock, spec = build(case.model, len(case.tokenizer), 1), Clock(), case.spec
    optimizer = torch.optim.AdamW(model.parameters(), lr=spec.learning_rate, weight_decay=spec.weight_decay, fused=True)
    model.train()
    for step, ids in enumerate(case.rows()):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(spec, step, STEPS)
        with torch.autocast("cpu", torch.bfloat16, enabled=spec.precision == "bfloat16"):
            logits = model(input_ids=ids[:, :-1]).logits
            loss = torch.nn.functional.cross_entropy(logits.float().flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), spec.clip)
        optimizer.step()
        optimizer.zero_grad()
        clock(step + 1)
    return clock.seconds


def trainer(case: Case) -> float:
    """Return the CPU seconds of training with transformers' Trainer, without evaluation, saving and reports."""
    from transformers import PrinterCallback, Trainer, TrainerCallback, TrainingArguments

    clock, spec = Clock(), case.spec

    class StepTimer(TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, args: Any, state: Any, control: Any, **others: Any) -> None:  # noqa: ARG002
            clock(state.global_step)

    rows = [{"input_ids": ids, "labels": ids} for ids in case.rows().flatten(0, 1)]
    with tempfile.TemporaryDirectory() as folder:
        arguments = TrainingArguments(
            folder, per_device_train_batch_size=spec.batch, max_steps=STEPS, learning_rate=spec.learning_rate,
            lr_scheduler_type=spec.schedule, weight_decay=spec.weight_decay, max_grad_norm=spec.clip, use_cpu=True,
            bf16=spec.precision == "bfloat16", optim="adamw_torch_fused", logging_strategy="no", save_strategy="no",
            report_to="none", disable_tqdm=True, train_sampling_strategy="sequential", dataloader_pin_memory=False,
        )  # fmt: skip
        # one more position than in fictc: Trainer also reads the last token of a row, which predicts nothing
        model_spec = replace(case.model, positions=case.model.positions and case.model.positions + 1)
        model = build(model_spec, len(case.tokenizer), 1)
        trainer = Trainer(model, arguments, train_dataset=rows, callbacks=[StepTimer()])
        trainer.remove_callback(PrinterCallback)
        trainer.train()
    return clock.seconds


WAYS: Mapping[str, Callable[[Case], float]] = {"fictc": ours, "bare loop": bare, "Trainer": trainer}


def run_alone(way: Callable[[Case], float], case: Case) -> float:
    """Return the CPU seconds of a way in a new process, on one thread."""
    with ProcessPoolExecutor(1, get_context("spawn"), torch.set_num_threads, (1,)) as pool:
        return pool.submit(way, case).result()


def cases(folder: Path) -> Iterator[Case]:
    """Yield every model in both precisions."""
    tokenizer = train_word_tokenizer([" ".join(f"w{n}" for n in range(VOCABULARY))], size=VOCABULARY)
    rng = np.random.default_rng(1)
    for name, model in MODELS.items():
        preset = PRESETS[name].training
        words = STEPS * preset.batch * preset.block - 1  # plus a separator, so that all rows are full
        ranks = np.minimum(rng.zipf(1.3, words), VOCABULARY) + 1
        tokens = write_tokens([ranks.tolist()], folder / name, vocabulary=len(tokenizer), separator=1, unknown=0)
        for precision in ("float32", "bfloat16"):
            spec = replace(preset, precision=precision, validations=1, epochs=1.0, device="cpu")  # type: ignore[arg-type]
            yield Case(model, spec, tokens, tokenizer)


def measure(runs: int) -> str:
    """Return a table with a row per model and precision: tokens per CPU second of each way, and fictc's ratios."""
    rows: list[list[Cell]] = []
    with tempfile.TemporaryDirectory() as folder:
        for case in cases(Path(folder)):
            seconds_by_way: dict[str, list[float]] = {name: [] for name in WAYS}
            for _ in range(runs):
                for name, way in WAYS.items():
                    seconds_by_way[name].append(run_alone(way, case))
            seconds = {name: statistics.median(measured) for name, measured in seconds_by_way.items()}
            tokens = (STEPS - WARM_UP_STEPS) * case.spec.batch * case.spec.block
            speeds = [round(tokens / seconds[name]) for name in WAYS]
            ratios = [times(seconds[name] / seconds["fictc"]) for name in WAYS if name != "fictc"]
            batch = f"{case.spec.batch} × {case.spec.block}"
            rows.append([case.model.name, case.spec.precision, batch, *speeds, *ratios])
    ratio_headings = [f"fictc / {name}" for name in WAYS if name != "fictc"]
    return table(["model", "precision", "batch", *WAYS, *ratio_headings], rows)
