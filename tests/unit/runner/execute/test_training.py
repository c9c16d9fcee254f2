"""Jobs as a cell reads them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from runner.execute.job import Job
from runner.model.recipe import ModelSpec
from runner.model.training import TrainSpec


def job_in(folder: Path, training: dict[str, Any] | None = None, **fields: Any) -> Job:
    """Return a job whose files need not exist."""
    names = (
        "tokenizer",
        "tokens",
        "valid",
        "train_folder",
        "train_key",
        "perplexity_folder",
        "perplexity_key",
        "record",
    )
    paths: dict[str, Any] = {name: str(folder / name) for name in names}
    settings = {**json.loads(json.dumps(TrainSpec().model_dump())), **(training or {})}
    return Job(
        **{
            **paths,
            "name": "full/m/1",
            "seed": 1,
            "model": ModelSpec("m", "lstm"),
            "training": settings,
            "texts": {},
            "scores": (),
            **fields,
        }
    )


def test_a_job_comes_back_from_its_file(tmp_path: Path) -> None:
    state = {"step": 3, "folder": "s", "key": "k"}
    job = job_in(tmp_path, states=(state,), branch={**state, "id": "state:x", "tokens": "t", "valid": "v"})
    (tmp_path / "job.json").write_text(json.dumps(job.model_dump(mode="json")))
    assert Job.read(tmp_path / "job.json") == job
