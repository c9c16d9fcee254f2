"""The disk is full at each step of a run and of a cell: one message that names the file, and later the same results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from runner.errors import InputError
from runner.execute import job as jobs
from runner.execute.builder import Builder
from runner.execute.cache import Cache
from runner.execute.cell import Stop, run_cell
from runner.execute.job import Job
from runner.execute.pool import outcome
from runner.execute.state import EventLog, Record, Recorder
from runner.workspace import LineFile, atomic_write, sha256_file
from tests.end_to_end.test_run import MANIFEST
from tests.support.experiments import prepared
from tests.support.full_disk import fill, space_again

NO_SPACE = "no space left to write "


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Builder:
    """The preparation of a small run, where nothing went wrong."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "manifest.toml").write_text(MANIFEST)
    return prepared(folder / "manifest.toml")


def contents(cache: Path) -> dict[str, str]:
    """Every file of a cache by its hash; nothing unfinished may be there."""
    files = [path for path in cache.rglob("*") if path.is_file() and path.suffix not in (".lock", ".jsonl")]
    assert not [path for path in cache.rglob("*") if ".tmp." in path.name]
    return {str(path.relative_to(cache)): sha256_file(path) for path in files}


def test_each_step_of_the_preparation(made: Builder, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    filled: list[str] = []

    def hear(event: dict[str, Any]) -> None:
        if event["event"] == "start" and event["step"] not in filled:
            filled.append(event["step"])
            fill()

    for _ in range(100):
        try:
            with space_again():
                Builder(made.plan, cache, hear).run()
            break
        except InputError as error:
            (problem,) = error.diagnostics
            assert problem.code == "FICT790"
            assert problem.message.startswith(f"{NO_SPACE}{cache.root}/"), filled[-1]
            assert ".tmp." not in problem.message
    kinds = {step.partition(":")[0] for step in filled}
    assert kinds >= {"sample", "store", "match", "tokenizer", "suite", "corpus", "tokens", "unigram"}
    assert contents(cache.root) == contents(made.cache.root)


def job_of(made: Builder, folder: Path, seed: int = 0) -> Job:
    cell = made.plan.cells[seed]
    elsewhere = Builder(made.plan, made.cache, lambda event: None)
    return Job.read(jobs.job_of(cell, elsewhere, folder / "state.json").write(folder / "job.json"))


def test_each_moment_of_a_cell(made: Builder, tmp_path: Path) -> None:
    job = job_of(made, tmp_path)
    results = [job.train_folder, job.perplexity_folder, *(score.folder for score in job.scores)]
    moments: list[tuple[str, int]] = []

    def hear(event: dict[str, Any]) -> None:
        moment = event["event"], len([one for one in moments if one[0] == event["event"]])
        if event["event"] not in {name for name, count in moments if count >= 2}:
            moments.append(moment)
            fill()

    for _ in range(100):
        try:
            with space_again(), Recorder(tmp_path / "state.json", job.key):
                run_cell(job, hear, Stop())
            break
        except InputError as error:
            (problem,) = error.diagnostics
            assert problem.code == "FICT790", moments[-1]
            assert not any(folder.exists() and not (folder / "done.json").exists() for folder in results)
    assert {name for name, _ in moments} >= {"start", "train", "valid", "done"}
    files = [path for folder in results for path in folder.rglob("*") if path.is_file()]
    timed = ("train.jsonl", "training.json", "done.json")  # done.json has the hashes of the others
    chained = {path: sha256_file(path) for path in files if path.name not in timed}
    assert {path.name for path in chained} >= {"model.safetensors", "perplexity.json", "scores.parquet"}
    for folder in results:
        folder.rename(folder.with_name(f"{folder.name}.chained"))
    run_cell(job, lambda event: None, Stop())
    assert {path: sha256_file(path) for path in chained} == chained


def test_a_cell_that_found_the_disk_full_is_tried_again_and_says_why(made: Builder, tmp_path: Path) -> None:
    job = job_of(made, tmp_path)
    recorder = Recorder(tmp_path / "state.json", job.key)
    with pytest.raises(InputError), recorder, space_again(), atomic_write(tmp_path / "x") as temp:
        fill()
        temp.write_bytes(b"x")
    told = Record.read(tmp_path / "state.json", job.key)
    assert told is not None and told.state == "stopped"
    assert NO_SPACE in (outcome(1, "", job) or "")


def test_what_libraries_say_of_a_full_disk_is_understood(tmp_path: Path) -> None:
    import duckdb
    import pyarrow as pa
    import pyarrow.parquet as pq
    import torch
    from safetensors.torch import save_file

    table = pa.table({"x": list(range(5000))})
    writers = {
        "safetensors": lambda path: save_file({"x": torch.zeros(5000)}, path),
        "parquet": lambda path: pq.write_table(table, path),
        "duckdb": lambda path: duckdb.sql(f"COPY (SELECT * FROM range(50000)) TO '{path}' (FORMAT csv)"),
        "python": lambda path: path.write_bytes(b"x" * 5000),
    }
    for name, write in writers.items():
        with pytest.raises(InputError) as error, space_again(), atomic_write(tmp_path / name) as temp:
            fill(100)
            write(temp)
        assert error.value.diagnostics[0].message.startswith(f"{NO_SPACE}{tmp_path / name} ("), name
    assert not list(tmp_path.iterdir())


def test_a_log_has_whole_lines_only(tmp_path: Path) -> None:
    log = EventLog(tmp_path / "events.jsonl")
    log({"event": "one"})
    size = (tmp_path / "events.jsonl").stat().st_size
    with pytest.raises(InputError, match="FICT790") as error, space_again():
        fill(size + 10)
        log({"event": "two"})
    assert str(tmp_path / "events.jsonl") in error.value.diagnostics[0].message
    log({"event": "three"})
    log.close()
    lines = (tmp_path / "events.jsonl").read_text().split("\n")
    assert [json.loads(line)["event"] for line in lines[:-1]] == ["one", "three"]


def test_a_log_that_cannot_be_made_names_its_file(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="FICT791"):
        LineFile(tmp_path / "file" / "log.jsonl")
