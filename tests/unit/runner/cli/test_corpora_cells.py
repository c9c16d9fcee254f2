"""`fictc corpora --cells`: what a trainer of one's own must read to train the models of a run."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import torch

from runner.execute.cell import task_of
from runner.execute.job import job_of
from runner.model.saved import load_model
from runner.model.token_rows import IGNORED, MaskedBatch
from runner.train.task import Batches
from tests.support.experiments import prepared
from tests.unit.runner.cli.conftest import Ended, Fictc
from tests.unit.runner.cli.test_corpora import TREE, written

MANIFEST = """[experiment]
name = "barks"
seeds = [1, 2]
[corpus]
train = ["train.conllu"]
valid = ["valid.conllu"]
[[condition]]
name = "no-dogs"
remove = ["dogs.fict"]
[[model]]
preset = "lstm-128"
layers = 1
hidden = 8
training = { epochs = 2.5, batch = 5, rows = "sentence", warmup = 0.5 }
[[model]]
name = "bert"
preset = "bert-base"
layers = 1
hidden = 8
heads = 2
feedforward = 8
training = { epochs = 1, batch = 5, rows = "document", block = 4 }
"""


TREES = [TREE.format(head="", word=word, number=number) for number, word in enumerate(("dogs", "cats", "cows") * 4)]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "fictc.toml").touch()
    (folder / "train.conllu").write_text("".join(TREES))
    (folder / "valid.conllu").write_text("".join(TREES[:2]))
    (folder / "dogs.fict").write_text('fict 1\nfilter dogs { about "Dogs." match { S[lower(form) = dogs] } }\n')
    (folder / "m.toml").write_text(MANIFEST)
    return folder


def call_cells(call: Fictc, project: Path, output: Path, text: str = MANIFEST) -> Ended:
    (project / "m.toml").write_text(text)
    ended = call("corpora", project / "m.toml", "-o", output, "--cells", "--cache", project / "cache")
    assert (ended.code, ended.problems) == (0, ())
    return ended


def test_rows_and_steps_are_the_batches_of_the_cell(call: Fictc, project: Path, tmp_path: Path) -> None:
    ended = call_cells(call, project, tmp_path)
    assert ended.out == f"2 conditions, 3 files, 8 cells: {tmp_path}\n"
    preparation = prepared(project / "m.toml", project / "cache")
    for cell in preparation.plan.cells:
        folder = tmp_path / "cells" / cell.name
        task = task_of(job_of(cell, preparation, tmp_path), tmp_path)
        batches = Batches(task)
        rows = pq.read_table(folder / "rows.parquet")["input_ids"].to_pylist()
        steps = pq.read_table(folder / "steps.parquet").to_pylist()
        assert len(rows) == len(batches.table) and len(steps) == batches.total
        assert json.loads((folder / "settings.json").read_text())["steps"] == batches.total
        for number, step in enumerate(steps):
            given = [rows[row] for row in step["rows"]] if cell.model == "lstm-128" else step["input_ids"]
            batch = batches.batch(number)
            assert given == [row[: length + 1].tolist() for row, length in zip(batch.ids, batch.lengths, strict=True)]
            assert step["dropout_seed"] == task.seeds.step(number)
            if isinstance(batch, MaskedBatch):
                targets = np.concatenate([np.array(row) for row in step["targets"]])
                assert targets[targets != IGNORED].tolist() == batch.targets[batch.targets != IGNORED].tolist()


def test_the_block_of_the_settings_is_that_of_the_rows(call: Fictc, project: Path, tmp_path: Path) -> None:
    call_cells(call, project, tmp_path, MANIFEST.replace("feedforward = 8\n", "feedforward = 8\npositions = 4\n"))
    assert json.loads((tmp_path / "cells/full/bert/1/settings.json").read_text())["block"] == 3


def test_rates_seeds_and_initial_models_are_those_of_the_settings(call: Fictc, project: Path, tmp_path: Path) -> None:
    call_cells(call, project, tmp_path)
    first, second = (tmp_path / f"cells/full/lstm-128/{seed}" for seed in (1, 2))
    settings = json.loads((first / "settings.json").read_text())
    assert (settings["batch"], settings["epochs"], settings["steps"]) == (5, 2.5, 5)  # 8 rows: 2 steps an epoch
    rates = np.array(pq.read_table(first / "steps.parquet")["learning_rate"]) / settings["learning_rate"]
    assert rates.tolist() == pytest.approx([0.5, 1, 1, 2 / 3, 1 / 3])
    models = [load_model(folder / "model") for folder in (first, second, tmp_path / "cells/no-dogs/lstm-128/1")]
    weights = [model.model.get_input_embeddings().weight for model in models]
    assert torch.equal(weights[0], weights[2]) and not torch.equal(weights[0], weights[1])
    orders = [pq.read_table(folder / "steps.parquet")["rows"].to_pylist() for folder in (first, second)]
    assert orders[0] != orders[1]
    assert [sorted(row for step in order[:2] for row in step) for order in orders] == [list(range(8))] * 2


def test_what_is_there_is_kept_and_cells_that_the_manifest_has_no_more_are_removed(
    call: Fictc, project: Path, tmp_path: Path
) -> None:
    call_cells(call, project, tmp_path)
    before = written(tmp_path)
    kept, damaged = tmp_path / "cells/full/bert/1/rows.parquet", tmp_path / "cells/full/bert/2/rows.parquet"
    unchanged = kept.stat().st_ino
    damaged.chmod(0o644)
    damaged.write_bytes(b"damaged")
    call_cells(call, project, tmp_path)
    assert written(tmp_path) == before and kept.stat().st_ino == unchanged
    call_cells(call, project, tmp_path, MANIFEST.replace("seeds = [1, 2]", "seeds = [1]"))
    assert {path.parent.name for path in tmp_path.rglob("steps.parquet")} == {"1"}


def test_files_that_no_export_has_written_are_not_deleted(call: Fictc, project: Path, tmp_path: Path) -> None:
    def refused(text: str) -> None:
        (project / "m.toml").write_text(text)
        ended = call("corpora", project / "m.toml", "-o", tmp_path, "--cells", "--cache", project / "cache")
        [(code, message, _)] = ended.problems
        assert (ended.code, code) == (2, "FICT791") and "trained.bin" in message

    trained = tmp_path / "cells/full/bert/2/output/trained.bin"
    trained.parent.mkdir(parents=True)
    trained.touch()
    refused(MANIFEST)
    assert not (tmp_path / "full").exists()
    trained.rename(tmp_path / "trained.bin")
    call_cells(call, project, tmp_path)
    (tmp_path / "trained.bin").rename(tmp_path / "cells/full/bert/2/trained.bin")
    call_cells(call, project, tmp_path)  # the cell is there already
    refused(MANIFEST.replace("epochs = 1,", "epochs = 2,"))
    refused(MANIFEST.replace("seeds = [1, 2]", "seeds = [1]"))
    assert (tmp_path / "cells/full/bert/2/trained.bin").exists()


def test_a_file_in_the_place_of_a_cell_is_not_replaced(call: Fictc, project: Path, tmp_path: Path) -> None:
    own_file = tmp_path / "cells/full/bert/2"
    own_file.parent.mkdir(parents=True)
    own_file.write_text("own")
    (project / "m.toml").write_text(MANIFEST)
    ended = call("corpora", project / "m.toml", "-o", tmp_path, "--cells", "--cache", project / "cache")
    assert (ended.code, [code for code, *_ in ended.problems], own_file.read_text()) == (2, ["FICT791"], "own")


def test_a_cell_that_branches_from_another_is_left_out_and_counted(call: Fictc, project: Path, tmp_path: Path) -> None:
    branches = MANIFEST.replace('preset = "lstm-128"', 'preset = "lstm-128"\nfrom = "full@step-2"')
    ended = call_cells(call, project, tmp_path, branches)
    assert "cells that begin from a state of another cell are left out (2)" in ended.out
    assert len([*tmp_path.rglob("steps.parquet")]) == 6
    assert not (tmp_path / "cells/no-dogs/lstm-128").exists()
