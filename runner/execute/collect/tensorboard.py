"""Export the training logs of a run for TensorBoard, with the number of tokens as the step."""

from __future__ import annotations

from pathlib import Path

from runner.readers import parse_json
from runner.train.files import LOG
from runner.workspace import publish_dir

SCALARS = {"train": ("loss", "learning_rate", "tokens_per_second"), "valid": ("perplexity",)}


def write_tensorboard(run: Path) -> Path:
    """Write `run/tensorboard/CONDITION/MODEL/SEED` for each finished cell. An older folder is replaced.

    Raises ModuleNotFoundError if tensorboard is not installed.
    """
    from torch.utils.tensorboard import SummaryWriter

    out = run / "tensorboard"
    with publish_dir(out, replace=True) as temp:
        for log in sorted(run.glob(f"cells/*/*/*/{LOG}")):
            writer = SummaryWriter(str(temp / log.parent.relative_to(run / "cells")))
            for line in log.read_text(encoding="utf-8").splitlines():
                event = parse_json(line)
                for name in SCALARS.get(event["event"], ()):
                    writer.add_scalar(f"{event['event']}/{name}", event[name], event["tokens"])
            writer.close()
    return out
