"""Record the progress, the log, the result and the complete state of a training run."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import torch
from torch import Tensor, nn

from runner.errors import InputError
from runner.machine import label
from runner.readers import parse_json
from runner.train.distributed import DistributedContext
from runner.train.spec import LOG, Event, RunHooks, TrainResult, checkpoint_tokens, learning_rate, validation_steps
from runner.train.task import Batches, TrainingTask
from runner.workspace import LineFile, atomic_write, write_text


@dataclass
class Progress:
    step: int = 0
    tokens: int = 0
    loss: float = 0.0  # summed since the last training event in the log
    loss_tokens: int = 0
    last_loss: float = 0.0  # mean in the last training event in the log
    best_perplexity: float | None = None
    best_step: int = 0
    best_tokens: int = 0
    stale: int = 0  # number of validations since the best one
    last_perplexity: float | None = None
    valid_tokens: int = 0  # tokens that a validation predicts
    seconds: float = 0.0  # of all processes that trained up to here
    rows: list[int] = field(default_factory=list)  # read since the last training event in the log, if in order
    events: int = 0  # number of lines in the log

    def forget_validations(self) -> None:
        self.best_perplexity, self.best_step, self.best_tokens, self.stale = None, 0, 0, 0
        self.last_perplexity = None


def save_checkpoint(
    path: Path,
    progress: Progress,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    identity: Mapping[str, str],
    device: str = "cpu",
) -> None:
    from safetensors.torch import save_file

    tensors = {f"model.{name}": tensor for name, tensor in weights(model).items()}
    for index, state in optimizer.state_dict()["state"].items():
        tensors |= {f"optimizer.{index}.{name}": value for name, value in state.items()}
    metadata = {"progress": json.dumps(asdict(progress)), "identity": json.dumps(dict(identity)), "device": device}
    with atomic_write(path) as temp:
        save_file(tensors, temp, metadata)


def remove_partial_files(folder: Path) -> None:
    """Remove the temporary files that safetensors leaves if the process is killed while it writes."""
    for path in folder.glob(".tmp??????"):
        path.unlink(missing_ok=True)


def load_checkpoint(
    path: Path,
    model: nn.Module,
    optimizer: torch.optim.Optimizer,
    identity: Mapping[str, str],
    device: str | None = None,
) -> Progress:
    """Restore a checkpoint. Raises InputError if it is of another run (FICT805) or kind of device (FICT824)."""
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        metadata = file.metadata()
        tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - not a mapping
    saved = parse_json(metadata["identity"])
    saved_device = metadata.get("device", "cpu")
    if different := [component for component, value in identity.items() if saved.get(component) != value]:
        raise InputError.of("FICT805", path=path.parent, what=different[0])
    if device not in (None, saved_device):
        raise InputError.of("FICT824", path=path.parent, before=saved_device, now=device)
    set_weights(model, {name.removeprefix("model."): t for name, t in tensors.items() if name.startswith("model.")})
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        if name.startswith("optimizer."):
            _, index, key = name.split(".")
            state.setdefault(int(index), {})[key] = tensor
    optimizer.load_state_dict({"state": state, "param_groups": optimizer.state_dict()["param_groups"]})
    return Progress(**parse_json(metadata["progress"]))


def saved_identity(path: Path) -> dict[str, str]:
    from safetensors import safe_open

    with safe_open(path, "pt") as file:
        identity: dict[str, str] = parse_json(file.metadata()["identity"])
    return identity


def weights(model: nn.Module) -> dict[str, Tensor]:
    return {name: parameter.detach().contiguous() for name, parameter in model.named_parameters()}


def set_weights(model: nn.Module, values: Mapping[str, Tensor]) -> None:
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            parameter.copy_(values[name])


def save_weights(path: Path, model: nn.Module) -> None:
    from safetensors.torch import save_file

    with atomic_write(path) as temp:
        save_file(weights(model), temp)


def load_weights(path: Path, model: nn.Module) -> None:
    from safetensors.torch import load_file

    set_weights(model, load_file(path))


@contextmanager
def open_log(path: Path, kept_lines: int) -> Iterator[LineFile]:
    """Open `train.jsonl` and truncate it to its first lines: training repeats events after the checkpoint."""
    lines = path.read_text("utf-8").splitlines(keepends=True)[:kept_lines] if path.is_file() else []
    write_text(path, "".join(lines))
    file = LineFile(path)
    try:
        yield file
    finally:
        file.close()


def check_read_once(path: Path, rows: int) -> None:
    """Raise AssertionError unless the ranges [first, last] in the log have the first `rows` rows once, in order."""
    events = map(json.loads, path.read_text("utf-8").splitlines())
    next_row = 0
    for first, last in (row_range for event in events for row_range in event.get("rows", ())):
        if first != next_row:
            raise AssertionError(f"row {first} was read where row {next_row} was expected")
        next_row = last + 1
    if next_row != rows:
        raise AssertionError(f"{next_row} rows were read, not {rows}")


LOGGED_EVENTS = 200  # a complete run logs at least this many training events, or one per step if it has fewer steps
NOTIFY_SECONDS = 1.0  # minimum time between training events for the listener


class TrainingRecord:
    """Counts the progress of a training run, and writes the log.

    Within `opened`, which drops the lines of the log after the checkpoint, call `step` after each update of the
    weights, then `checkpoint` and `validation` where due; `result` comes last. `progress.events` is the number of lines
    of the log. With several processes, all count, but only the main one writes the log and notifies the listener.
    """

    def __init__(
        self, task: TrainingTask, batches: Batches, context: DistributedContext, hooks: RunHooks, progress: Progress
    ) -> None:
        """Continue from `progress`. Raises InputError (FICT807) for a checkpoint after the end of training."""
        self.progress, self.batches = progress, batches
        self.validations = validation_steps(task.spec, batches.total)
        self._checkpoints = checkpoint_tokens(task.spec, batches.tokens_before(batches.total))
        self._task, self._context, self._hooks = task, context, hooks
        self._log: LineFile | None = None
        self._first_step, self._first_tokens, self._started = progress.step, progress.tokens, time.monotonic()
        self._last_notified, self._earlier_seconds = self._started, progress.seconds

    @property
    def is_stale(self) -> bool:
        return 0 < self._task.spec.patience <= self.progress.stale

    @contextmanager
    def opened(self) -> Iterator[None]:
        path = self._task.out / LOG if self._context.is_main else Path(os.devnull)
        with open_log(path, self.progress.events) as self._log:
            yield

    def step(self, loss: float, predicted: int) -> list[int]:
        """Record a step with the summed loss of its `predicted` tokens. Return the checkpoints that it reaches.

        Raises InputError (FICT803) if the loss is not finite.
        """
        progress = self.progress
        if not math.isfinite(loss):
            raise InputError.of("FICT803", value=loss, step=progress.step + 1)
        tokens_before, rows = progress.tokens, self.batches.rows(progress.step)
        progress.tokens += self.batches.tokens(progress.step)
        progress.step += 1
        progress.seconds = self._earlier_seconds + time.monotonic() - self._started
        progress.loss += loss
        progress.loss_tokens += predicted
        if self._task.spec.in_order:
            progress.rows += rows.tolist()
        self._report()
        return [tokens for tokens in self._checkpoints if tokens_before < tokens <= progress.tokens]

    def _report(self) -> None:
        now, interval = time.monotonic(), max(1, self.batches.total // LOGGED_EVENTS)
        if self.progress.step % interval == 0 or self.progress.step == self.batches.total:
            self.log_training()
            self._last_notified = now
        elif now - self._last_notified >= NOTIFY_SECONDS:
            self._notify(self._training_event())
            self._last_notified = now

    def log_training(self) -> None:
        progress = self.progress
        if not progress.loss_tokens:
            return
        event = self._training_event()
        if self._task.spec.in_order:
            event = {**event, "rows": row_ranges(progress.rows)}
        progress.last_loss = progress.loss / progress.loss_tokens
        progress.loss, progress.loss_tokens, progress.rows = 0.0, 0, []
        self._write(event)

    def _training_event(self) -> Event:
        progress, seconds = self.progress, time.monotonic() - self._started
        steps = max(1, progress.step - self._first_step)  # 0 if the run resumed after its last step
        return {
            "event": "train",
            **self._position,
            "loss": progress.loss / progress.loss_tokens,
            "learning_rate": learning_rate(self._task.spec, progress.step - 1, self.batches.total),
            "tokens_per_second": round((progress.tokens - self._first_tokens) / seconds),
            "seconds": round(self._earlier_seconds + seconds, 1),
            "eta": round(seconds / steps * (self.batches.total - progress.step), 1),
        }

    def validation(self, loss: float, tokens: int) -> bool:
        progress = self.progress
        perplexity = math.exp(min(loss / tokens, 700.0)) if math.isfinite(loss) else math.inf
        is_scheduled = progress.step in self.validations
        is_best = is_scheduled and (progress.best_perplexity is None or perplexity < progress.best_perplexity)
        if is_best:
            progress.best_perplexity, progress.stale = perplexity, 0
            progress.best_step, progress.best_tokens = progress.step, progress.tokens
        elif is_scheduled:
            progress.stale += 1
        progress.last_perplexity, progress.valid_tokens = perplexity, tokens
        is_best_step = progress.best_step == progress.step
        self._write({"event": "valid", **self._position, "perplexity": perplexity, "best": is_best_step})
        return is_best

    def checkpoint(self, requested: int) -> None:
        self._write({"event": "checkpoint", **self._position, "asked": requested})

    def selected_model(self) -> tuple[int, int, float | None]:
        """Return the step, the tokens and the perplexity, None before the first validation, of the model to publish."""
        progress = self.progress
        if self._task.spec.keep == "best":
            return progress.best_step, progress.best_tokens, progress.best_perplexity
        return progress.step, progress.tokens, progress.last_perplexity

    def result(self, parameters: int) -> TrainResult:
        progress = self.progress
        return TrainResult(
            steps=progress.step,
            epochs=progress.tokens / self.batches.table.predicted_tokens,
            tokens=progress.tokens,
            parameters=parameters,
            best_step=progress.best_step,
            valid_perplexity=self.selected_model()[2] or math.inf,
            valid_tokens=progress.valid_tokens,
            train_loss=progress.last_loss,
            device=label(str(self._context.device)),
        )

    @property
    def _position(self) -> dict[str, int]:
        return {"step": self.progress.step, "steps": self.batches.total, "tokens": self.progress.tokens}

    def _write(self, event: Event) -> None:
        assert self._log is not None
        self._log.append(json.dumps(dict(event)))
        self.progress.events += 1
        self._notify(event)

    def _notify(self, event: Event) -> None:
        if self._context.is_main:
            self._hooks.on_event(event)


def row_ranges(rows: list[int]) -> list[list[int]]:
    ranges: list[list[int]] = []
    for row in rows:
        if ranges and row == ranges[-1][1] + 1:
            ranges[-1][1] = row
        else:
            ranges.append([row, row])
    return ranges
