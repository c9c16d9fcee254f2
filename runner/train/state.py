"""The state of a training run after a step, from which other runs branch: weights, optimizer, progress and log."""

from __future__ import annotations

import shutil
from pathlib import Path

from runner.train.files import BEST, CHECKPOINT, CHECKPOINTS, LOG
from runner.workspace import link_or_copy


def copy_state(work: Path, folder: Path) -> None:
    """Copy the state of the unfinished run in `work` to an empty folder: the checkpoint, the log and saved models."""
    link_or_copy(work / CHECKPOINT, folder / CHECKPOINT)
    shutil.copyfile(work / LOG, folder / LOG)  # training appends to it
    copy_saved_models(work, folder)


def begin_from_state(state: Path, out: Path) -> None:
    """Prepare the folder of a run that continues from a state: copy the log and the saved models.

    Does nothing if the run already has a checkpoint of its own.
    """
    if (out / CHECKPOINT).is_file():
        return
    shutil.copyfile(state / LOG, out / LOG)
    copy_saved_models(state, out)


def copy_saved_models(source: Path, target: Path) -> None:
    """Copy the best weights and the models of checkpoints so far, if any."""
    files = [source / BEST, *(source / CHECKPOINTS).rglob("*")]
    for file in (file for file in files if file.is_file()):
        link_or_copy(file, target / file.relative_to(source))
