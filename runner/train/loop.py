"""Token files, a model spec and seeds to a trained model in a folder, the same bytes however often interrupted."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.likelihood import Network, text_loss
from runner.model.presets import ModelSpec, build
from runner.model.rows import Batch, Ints, RowTable
from runner.model.saved import SavedModel, save_model
from runner.model.tokens import TokenFile
from runner.train.checkpoint import (
    Progress,
    decay_groups,
    load_checkpoint,
    load_weights,
    save_checkpoint,
    save_weights,
)
from runner.train.log import EventLog
from runner.train.schedule import learning_rate, total_steps, validation_steps
from runner.train.spec import Seeds, TrainResult, TrainSpec
from runner.workspace import clean_stale, fault_point, publish_dir, write_text

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

MODEL, RESULT, LOG = "model", "training.json", "train.jsonl"
CHECKPOINT, BEST = "checkpoint.safetensors", "best.safetensors"
LOGGED = 200  # training events in the log of a whole run
LIVE_SECONDS = 1.0  # between events for a progress bar
MICRO = 16_384  # places computed at once; a larger batch is summed in parts

Event = Mapping[str, Any]
Listener = Callable[[Event], None]


def train(
    spec: TrainSpec,
    tokens: TokenFile,
    valid: TokenFile,
    model_spec: ModelSpec,
    out: Path,
    *,
    tokenizer: PreTrainedTokenizerBase,
    seeds: Seeds,
    on_event: Listener | None = None,
    threads: int = 1,
    checkpoint_seconds: float = 30.0,
) -> TrainResult:
    """Train, or go on training, in the folder `out`; return what `training.json` there says at the end.

    The folder then holds `model/` (loads with `runner.model.saved.load_model` or `from_pretrained`), of the step
    with the lowest validation perplexity, `training.json` and `train.jsonl`. Killed at any moment, the same call
    goes on from the last checkpoint to the same bytes. `on_event` gets every logged event, and a `train` event
    every second. InputError: nothing to learn from, a loss that is no number, a folder of another training.
    """
    result = out / RESULT
    if not result.is_file():
        out.mkdir(parents=True, exist_ok=True)
        clean_stale(out)
        with _deterministic(threads):
            run = _Run.start(spec, tokens, valid, model_spec, out, tokenizer, seeds, on_event or (lambda _: None))
            run.go(checkpoint_seconds)
    for leftover in (CHECKPOINT, BEST):
        (out / leftover).unlink(missing_ok=True)
    return TrainResult(**json.loads(result.read_text("utf-8")))


@dataclass
class _Run:
    spec: TrainSpec
    table: RowTable
    tokens: TokenFile
    valid: TokenFile
    model_spec: ModelSpec
    out: Path
    tokenizer: PreTrainedTokenizerBase
    seeds: Seeds
    notify: Listener
    model: PreTrainedModel
    optimizer: torch.optim.AdamW
    identity: Mapping[str, str]
    progress: Progress
    total: int
    started: float = field(default_factory=time.monotonic)
    first_step: int = 0
    first_tokens: int = 0
    order: tuple[int, list[Ints]] | None = None  # an epoch and the rows of its steps

    @classmethod
    def start(
        cls,
        spec: TrainSpec,
        tokens: TokenFile,
        valid: TokenFile,
        model_spec: ModelSpec,
        out: Path,
        tokenizer: PreTrainedTokenizerBase,
        seeds: Seeds,
        notify: Listener,
    ) -> _Run:
        """Everything as at the first step, or as the checkpoint left it."""
        for what, text in (("the training text", tokens), ("the validation text", valid)):
            if not text.sentences:
                raise InputError(diagnostic("FICT804", what=what))
            if text.vocabulary != len(tokenizer):
                raise InputError(diagnostic("FICT806", what=what, found=text.vocabulary, expected=len(tokenizer)))
        table = RowTable.of(tokens, spec.rows, _block(spec, model_spec))
        model = build(model_spec, len(tokenizer), seeds.init)
        optimizer = torch.optim.AdamW(
            decay_groups(model.named_parameters(), spec.weight_decay),
            lr=spec.learning_rate,
            betas=spec.betas,
            eps=spec.epsilon,
            fused=True,
        )
        identity = {
            "the model": json.dumps(asdict(model_spec)),
            "the training recipe": json.dumps(spec.content),
            "the seed": json.dumps(asdict(seeds)),
            "the training text": tokens.sha256(),
            "the validation text": valid.sha256(),
        }
        checkpoint = out / CHECKPOINT
        progress = load_checkpoint(checkpoint, model, optimizer, identity) if checkpoint.is_file() else Progress()
        total = total_steps(spec, len(table), table.predicted)
        run = cls(
            spec, table, tokens, valid, model_spec, out, tokenizer, seeds, notify, model, optimizer, identity,
            progress, total,
        )  # fmt: skip
        run.first_step, run.first_tokens = progress.step, progress.tokens
        return run

    def go(self, checkpoint_seconds: float) -> None:
        """All steps that are left, then the best model into its place."""
        network, progress = Network.of(self.model), self.progress
        validations = validation_steps(self.spec, self.total)
        logged = max(1, self.total // LOGGED)
        saved = told = time.monotonic()
        self.model.train()
        with EventLog(self.out / LOG, progress.events) as log, torch.random.fork_rng(devices=[]):
            while progress.step < self.total:
                self._step(network)
                now = time.monotonic()
                if progress.step % logged == 0 or progress.step == self.total:
                    self._log(log, self._training_event(done=True))
                    told = now
                elif now - told >= LIVE_SECONDS:
                    self.notify(self._training_event())
                    told = now
                if progress.step in validations:
                    self._log(log, self._validate())
                if now - saved >= checkpoint_seconds:
                    self._save(log)
                    saved = time.monotonic()
                    fault_point("after_checkpoint:train")
        self._publish()

    def _step(self, network: Network) -> None:
        spec, progress = self.spec, self.progress
        an_epoch = math.ceil(len(self.table) / spec.batch)
        epoch, place = divmod(progress.step, an_epoch)
        if self.order is None or self.order[0] != epoch:
            self.order = epoch, self.table.epoch(spec.batch, self.seeds.data, epoch, in_order=spec.in_order)
        batch = self.table.batch(self.order[1][place])
        rate = learning_rate(spec, progress.step, self.total)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        torch.manual_seed(self.seeds.step(progress.step))
        loss = 0.0
        for part in _parts(batch):
            with torch.autocast("cpu", torch.bfloat16, enabled=spec.precision == "bfloat16"):
                summed = network.loss(part)
            (summed / batch.predicted).backward()  # type: ignore[no-untyped-call]
            loss += summed.item()
        if not math.isfinite(loss):
            raise InputError(diagnostic("FICT803", value=loss, step=progress.step + 1))
        if spec.clip:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), spec.clip)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        progress.step += 1
        progress.tokens += batch.predicted
        progress.loss += loss
        progress.loss_tokens += batch.predicted

    def _training_event(self, done: bool = False) -> Event:
        """How training stands; `done` closes the stretch that the mean loss is of."""
        progress, seconds = self.progress, time.monotonic() - self.started
        steps = progress.step - self.first_step
        event = {
            "event": "train",
            "step": progress.step,
            "steps": self.total,
            "tokens": progress.tokens,
            "loss": progress.loss / progress.loss_tokens,
            "learning_rate": learning_rate(self.spec, progress.step - 1, self.total),
            "tokens_per_second": round((progress.tokens - self.first_tokens) / seconds),
            "eta": round(seconds / steps * (self.total - progress.step), 1),
        }
        if done:
            progress.last_loss = progress.loss / progress.loss_tokens
            progress.loss, progress.loss_tokens = 0.0, 0
        return event

    def _validate(self) -> Event:
        """Measure the model on the validation text and keep its weights if they are the best so far."""
        progress = self.progress
        loss, count = text_loss(self.model, self.valid, self.spec.rows, _block(self.spec, self.model_spec))
        perplexity = math.exp(min(loss / count, 700.0)) if math.isfinite(loss) else math.inf
        if progress.best_perplexity is None or perplexity < progress.best_perplexity:
            save_weights(self.out / BEST, self.model)
            progress.best_perplexity, progress.best_step = perplexity, progress.step
        return {
            "event": "valid",
            "step": progress.step,
            "steps": self.total,
            "tokens": progress.tokens,
            "perplexity": perplexity,
            "best": progress.best_step == progress.step,
        }

    def _log(self, log: EventLog, event: Event) -> None:
        log.write(event)
        self.progress.events = log.count
        self.notify(event)

    def _save(self, log: EventLog) -> None:
        self.progress.events = log.count
        save_checkpoint(self.out / CHECKPOINT, self.progress, self.model, self.optimizer, self.identity)

    def _publish(self) -> None:
        """The best weights to `model/`, and last of all the result, whose presence says that all is done."""
        progress = self.progress
        load_weights(self.out / BEST, self.model)
        about = {
            "model": asdict(self.model_spec),
            "training": asdict(self.spec),
            "seeds": asdict(self.seeds),
            "rows": self.spec.rows,
            "block": _block(self.spec, self.model_spec),
            "context": self.tokens.separator,
            "step": progress.best_step,
        }
        with publish_dir(self.out / MODEL, replace=True) as temp:
            save_model(SavedModel(self.model, self.tokenizer, temp, about, self.tokens.counts()))
        fault_point("after_model:train")
        result = TrainResult(
            steps=progress.step,
            epochs=progress.tokens / self.table.predicted,
            tokens=progress.tokens,
            parameters=sum(parameter.numel() for parameter in self.model.parameters()),
            best_step=progress.best_step,
            valid_perplexity=progress.best_perplexity or math.inf,
            valid_tokens=self.valid.tokens + self.valid.sentences,
            train_loss=progress.last_loss,
        )
        write_text(self.out / RESULT, json.dumps(asdict(result), indent=1) + "\n")


def _block(spec: TrainSpec, model: ModelSpec) -> int:
    """The most tokens that a row may predict: no more than the model has positions."""
    return min(spec.block, model.positions) if model.positions else spec.block


def _parts(batch: Batch) -> Iterator[Batch]:
    """A batch in parts that fit into memory; their gradients add up to that of the whole."""
    rows = max(1, MICRO // batch.ids.shape[1])
    if rows >= len(batch.lengths):
        yield batch
        return
    for start in range(0, len(batch.lengths), rows):
        lengths = batch.lengths[start : start + rows]
        yield Batch(batch.ids[start : start + rows, : int(lengths.max()) + 1], lengths)


@contextmanager
def _deterministic(threads: int) -> Iterator[None]:
    """Reproducible kernels on a fixed number of threads inside; torch as it was after."""
    before = torch.get_num_threads(), torch.are_deterministic_algorithms_enabled()
    settings: Any = torch.utils.deterministic
    fill = settings.fill_uninitialized_memory
    torch.set_num_threads(threads)
    torch.use_deterministic_algorithms(True)
    settings.fill_uninitialized_memory = False
    try:
        yield
    finally:
        torch.set_num_threads(before[0])
        torch.use_deterministic_algorithms(before[1])
        settings.fill_uninitialized_memory = fill
