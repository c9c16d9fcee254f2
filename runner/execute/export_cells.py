"""Export the inputs of each cell's trainer: rows of token ids, the steps, the settings and the initial model."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from runner.execute.builder import Builder
from runner.execute.cache import DONE, Cache, is_intact, other_files, publish
from runner.execute.cell import task_of
from runner.execute.export import not_exported
from runner.execute.job import job_of
from runner.model.token_rows import Ints, MaskedBatch, RowTable
from runner.steps.plan import RunPlan, Training
from runner.train.spec import MODEL, learning_rate
from runner.train.task import Batches, TrainingTask
from runner.workspace import key, write_text

CELLS, ROWS, STEPS, SETTINGS = "cells", "rows.parquet", "steps.parquet", "settings.json"
VERSION = 3  # increase it when a change of this code changes the exported bytes
_ROWS_PER_GROUP, _STEPS_PER_GROUP = 65_536, 1_024


def check_cells(builder: Builder, folder: Path) -> None:
    """Encode the texts. Raise InputError (FICT791) if `export_cells` would delete a file of another origin."""
    builder.encode()
    cells = _exported_cells(builder.plan)
    keys = {folder / CELLS / cell.name: _key(builder.cache, cell) for cell in cells}
    for cell_folder in (*keys, *_other_cells(folder / CELLS, cells)):
        other_file = next(other_files(cell_folder), None)
        if other_file is not None and not is_intact(cell_folder, keys.get(cell_folder, "")):
            raise not_exported(other_file)


def export_cells(builder: Builder, folder: Path) -> list[Training]:
    """Omit a cell that continues a model of another corpus: its initial model exists only after that training."""
    cells = _exported_cells(builder.plan)
    for cell in cells:
        name = f"{CELLS}/{cell.name}"
        builder.listener({"event": "start", "step": name})
        task = task_of(job_of(cell, builder, folder / name), folder / name)
        was_written = publish(folder / name, _key(builder.cache, cell), partial(_write, task), {"cell": cell.name})
        builder.listener({"event": "done", "step": name, "cached": not was_written})
    for other_folder in _other_cells(folder / CELLS, cells):
        shutil.rmtree(other_folder)
    return cells


def _exported_cells(plan: RunPlan) -> list[Training]:
    return [cell for cell in plan.cells if cell.branch is None or cell.branch.corpus == cell.corpus]


def _key(cache: Cache, cell: Training) -> str:
    return key(cache.known_key(cell.train), VERSION)


def _other_cells(folder: Path, cells: Sequence[Training]) -> list[Path]:
    names = {cell.name for cell in cells}
    cell_folders = [done_file.parent for done_file in sorted(folder.rglob(DONE))]
    return [cell_folder for cell_folder in cell_folders if cell_folder.relative_to(folder).as_posix() not in names]


def _write(task: TrainingTask, folder: Path) -> None:
    task.check()
    batches = Batches(task)
    row_schema = pa.schema({"input_ids": pa.list_(pa.from_numpy_dtype(task.train_tokens.ids.dtype))})
    _write_parquet(folder / ROWS, row_schema, _row_groups(batches.table))
    _write_parquet(folder / STEPS, _step_schema(masked=task.model_spec.masked), _step_groups(task, batches))
    settings = {"steps": batches.total, **task.spec.model_dump(), "block": task.block, "seeds": asdict(task.seeds)}
    write_text(folder / SETTINGS, json.dumps(settings, indent=1) + "\n")
    task.save(task.build(), folder / MODEL, 0, 0)


def _write_parquet(path: Path, schema: pa.Schema, groups: Iterator[dict[str, Any]]) -> None:
    with pq.ParquetWriter(path, schema, write_page_checksum=True) as writer:
        for columns in groups:
            writer.write_table(pa.table(columns, schema=schema))


def _row_groups(table: RowTable) -> Iterator[dict[str, Any]]:
    for start in range(0, len(table), _ROWS_PER_GROUP):
        row_indices = np.arange(start, min(start + _ROWS_PER_GROUP, len(table)))
        batch = table.batch(row_indices)
        yield {"input_ids": _unpadded_rows(batch.ids, batch.lengths + 1)}


def _step_schema(*, masked: bool) -> pa.Schema:
    masked_columns = {name: pa.list_(pa.list_(pa.int32())) for name in ("input_ids", "targets")} if masked else {}
    scalars = {"learning_rate": pa.float64(), "dropout_seed": pa.int64()}
    return pa.schema({"rows": pa.list_(pa.int64()), **scalars, **masked_columns})


def _step_groups(task: TrainingTask, batches: Batches) -> Iterator[dict[str, Any]]:
    for start in range(0, batches.total, _STEPS_PER_GROUP):
        steps = range(start, min(start + _STEPS_PER_GROUP, batches.total))
        yield {
            "rows": [batches.rows(step) for step in steps],
            "learning_rate": [learning_rate(task.spec, step, batches.total) for step in steps],
            "dropout_seed": [task.seeds.step(step) for step in steps],
            **(_masked_columns(batches, steps) if task.model_spec.masked else {}),
        }


def _masked_columns(batches: Batches, steps: range) -> dict[str, Any]:
    columns: dict[str, Any] = {"input_ids": [], "targets": []}
    for step in steps:
        batch = batches.batch(step)
        assert isinstance(batch, MaskedBatch)
        columns["input_ids"].append(_unpadded_rows(batch.ids, batch.lengths + 1))
        columns["targets"].append(_unpadded_rows(batch.targets, batch.lengths + 1))
    return columns


def _unpadded_rows(ids: Ints, lengths: Ints) -> list[Ints]:
    return [row[:length] for row, length in zip(ids, lengths.tolist(), strict=True)]
