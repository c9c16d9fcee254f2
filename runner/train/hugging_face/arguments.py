"""The `TrainingArguments` of Transformers for the settings of a training run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.device import kind
from runner.train.distributed import DistributedContext
from runner.train.record import Record
from runner.train.task import TrainingTask

if TYPE_CHECKING:
    from transformers import TrainingArguments

BEST_AND_LAST = 2  # checkpoints that are kept


def training_arguments(
    task: TrainingTask, record: Record, context: DistributedContext, folder: Path
) -> TrainingArguments:
    """Return the arguments of a run whose checkpoints are in `folder`.

    Overridden methods and callbacks give the Trainer its rows, dropout seeds, schedule and validation steps. Arguments
    for the same settings are set only for integrations that display them.
    """
    from transformers import TrainingArguments

    spec = task.spec
    arguments = TrainingArguments(
        output_dir=str(folder),
        max_steps=record.batches.total,
        per_device_train_batch_size=-(-spec.batch // (spec.accumulate * context.world_size)),
        gradient_accumulation_steps=spec.accumulate,
        learning_rate=spec.learning_rate,
        weight_decay=spec.weight_decay,
        adam_beta1=spec.betas[0],
        adam_beta2=spec.betas[1],
        adam_epsilon=spec.epsilon,
        max_grad_norm=spec.clip,
        bf16=spec.precision == "bfloat16",
        seed=task.seeds.dropout % 2**32,  # the limit of numpy; every step has its own seed
        use_cpu=kind(context.device) == "cpu",
        eval_strategy="no",  # `Observer` decides when to evaluate and save
        save_strategy="steps",
        save_steps=record.batches.total + 1,
        save_total_limit=BEST_AND_LAST,
        metric_for_best_model="eval_perplexity",
        greater_is_better=False,
        **_defaults(record) | dict(spec.trainer_arguments or {}),
    )
    arguments._n_gpu = min(arguments.n_gpu, 1)  # with more, the Trainer would use DataParallel
    return arguments


def _defaults(record: Record) -> dict[str, Any]:
    """Return the arguments that `trainer-arguments` may override."""
    return {
        "report_to": "none",
        "disable_tqdm": True,
        "log_level": "error",
        "logging_steps": record.interval,
        "logging_nan_inf_filter": False,
        "dataloader_pin_memory": False,
    }
