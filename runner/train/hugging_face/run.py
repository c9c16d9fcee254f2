"""Train a cell with the Transformers `Trainer`, resume from its checkpoints, and publish the model."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from runner.device import forked_random, kind
from runner.errors import InputError
from runner.model.saved.saved import silence_transformers
from runner.readers import parse_json
from runner.train.batches import Batches
from runner.train.checkpoint import Progress, check_identity
from runner.train.distributed import DistributedContext
from runner.train.files import MODEL, RESULT
from runner.train.hooks import RunHooks
from runner.train.hugging_face.differences import DIFFERENCES
from runner.train.record import Record
from runner.train.task import TrainingTask
from runner.workspace import clean_stale, fault_point, publish_dir, write_text

TRAINER = "trainer"  # the folder of the Trainer's checkpoints
_STATE, _IDENTITY = "trainer_state.json", "identity.json"
_MODEL_FILES = ("config.json", "generation_config.json", "*.safetensors", "*.safetensors.index.json")


def train_with_trainer(task: TrainingTask, context: DistributedContext, hooks: RunHooks) -> None:
    """Train or resume training in `task.out`, and publish `model/` and `training.json` as `runner.train.loop` does.

    Raises the errors of `runner.train.loop.train`, and InputError (FICT826) if the Trainer cannot use the device or
    leaves no complete model.
    """
    silence_transformers()
    task.check()
    if context.device.index and context.world_size == 1:
        reason = f"it trains on the first GPU, not on {context.device}; choose another with CUDA_VISIBLE_DEVICES"
        raise InputError(diagnostic("FICT826", reason=reason))
    folder = task.out / TRAINER
    _prepare_folder(task, folder, context)
    checkpoint = _last_checkpoint(folder)
    progress = Progress() if checkpoint is None else _saved_progress(checkpoint)
    record = Record(task, Batches(task), context, hooks, progress)
    with record.opened(), forked_random(context.device):
        record.trainer(f"transformers {version('transformers')}", DIFFERENCES)
        if not record.is_complete:
            _train(task, record, context, hooks, checkpoint)
        record.log_training()
    if context.is_main:
        _publish(task, record, folder)


def _prepare_folder(task: TrainingTask, folder: Path, context: DistributedContext) -> None:
    """Create the folder, record the identity of the run in it, and remove incomplete checkpoints.

    Raises InputError if the folder belongs to another run (FICT805) or another kind of device (FICT824).
    """
    identity, device = folder / _IDENTITY, kind(context.device)
    if identity.is_file():
        saved = parse_json(identity.read_text("utf-8"))
        check_identity(task.out, saved["identity"], task.identity, saved["device"], device)
    if not context.is_main:
        return
    folder.mkdir(exist_ok=True)
    clean_stale(folder)
    for checkpoint in folder.glob("checkpoint-*"):
        if _trainer_state(checkpoint) is None:
            shutil.rmtree(checkpoint)
    write_text(identity, json.dumps({"identity": dict(task.identity), "device": device}) + "\n")


def _train(
    task: TrainingTask, record: Record, context: DistributedContext, hooks: RunHooks, checkpoint: Path | None
) -> None:
    from runner.train.hugging_face.arguments import training_arguments
    from runner.train.hugging_face.observer import Observer
    from runner.train.hugging_face.trainer import CellTrainer

    arguments = training_arguments(task, record, context, task.out / TRAINER)
    observer = Observer(task, record, hooks, context)
    trainer = CellTrainer(task.build(), arguments, task, observer, context)
    trainer.train(resume_from_checkpoint=None if checkpoint is None else str(checkpoint))


def _last_checkpoint(folder: Path) -> Path | None:
    """Return the last complete checkpoint of the Trainer, if any."""
    complete = [checkpoint for checkpoint in folder.glob("checkpoint-*") if _trainer_state(checkpoint) is not None]
    return max(complete, key=lambda checkpoint: int(checkpoint.name.rpartition("-")[2]), default=None)


def _trainer_state(checkpoint: Path) -> Mapping[str, Any] | None:
    """Return the Trainer's state, which it writes last to a checkpoint, or None if it is missing or truncated."""
    try:
        state: Mapping[str, Any] = parse_json((checkpoint / _STATE).read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return state


def _saved_progress(checkpoint: Path) -> Progress:
    state = _trainer_state(checkpoint)
    assert state is not None
    return Progress(**state["stateful_callbacks"]["Observer"]["attributes"]["progress"])


def _publish(task: TrainingTask, record: Record, folder: Path) -> None:
    """Write the selected model to `model/`, then the result, whose presence marks the run as complete."""
    step, tokens, _ = record.selected_model()
    with publish_dir(task.out / MODEL, replace=True) as temp:
        for pattern in _MODEL_FILES:
            for file in (folder / f"checkpoint-{step}").glob(pattern):
                shutil.copyfile(file, temp / file.name)
        if not any(temp.glob("*.safetensors")):
            reason = "it saved no complete model: sharded training must save a full state dict"
            raise InputError(diagnostic("FICT826", reason=reason))
        task.save_tokenizer_and_metadata(temp, step, tokens)
    fault_point("after_model:train")
    result = record.result(_count_parameters(task.out / MODEL))
    write_text(task.out / RESULT, json.dumps(asdict(result), indent=1) + "\n")


def _count_parameters(model: Path) -> int:
    """Return the number of parameters of a saved model. Tied parameters count once."""
    from safetensors import safe_open

    total = 0
    for file in model.glob("*.safetensors"):
        with safe_open(file, "pt") as weights:
            for name in weights.keys():  # noqa: SIM118 - not a mapping
                size = 1
                for dimension in weights.get_slice(name).get_shape():
                    size *= dimension
                total += size
    return total
