"""Job files, which describe the inputs and results of a cell as JSON for its process."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.execute.prepare.prepare import Preparation
from runner.model.training import TrainSpec
from runner.readers import parse_json
from runner.steps.cells import Branch, Cell, variant_for
from runner.steps.corpus_steps import TEXTS
from runner.workspace import key, write_text


@dataclass(frozen=True)
class Job:
    """The inputs of a cell, and the folders and keys of its results. Paths are absolute."""

    name: str
    seed: int
    model: dict[str, Any]
    training: dict[str, Any]
    tokenizer: str
    tokens: str
    valid: str
    train_folder: str
    train_key: str
    perplexity_folder: str
    perplexity_key: str
    texts: dict[str, str]
    scores: tuple[dict[str, Any], ...]  # suite, file, convention, tokens, folder, key
    record: str  # the file with the status of the cell's process
    origin: str | None = None  # the folder of a saved model that is trained further
    branch: dict[str, Any] | None = None  # the state from which training begins: id, step, tokens, valid, folder, key
    states: tuple[dict[str, Any], ...] = ()  # step, folder and key of the states from which other cells begin

    @classmethod
    def read(cls, path: Path) -> Job:
        """Read a job file. Raises InputError (FICT841) if it is missing or invalid, or if another version wrote it."""
        try:
            content = parse_json(path.read_text(encoding="utf-8"))
            return cls(**{**content, "scores": tuple(content["scores"]), "states": tuple(content.get("states", ()))})
        except OSError as error:
            reason = str(error.strerror).lower()
            raise InputError(diagnostic("FICT841", path=path, reason=reason)) from error
        except ValueError as error:
            raise InputError(diagnostic("FICT841", path=path, reason="it is not JSON")) from error
        except (TypeError, KeyError) as error:
            raise InputError(diagnostic("FICT841", path=path, reason="another version of fictc wrote it")) from error

    @property
    def key(self) -> str:
        """One key for all results."""
        return key(self.train_key, self.perplexity_key, *(score["key"] for score in self.scores))

    @property
    def results(self) -> list[tuple[str, Path, str]]:
        """The id, the result folder and the key of each step."""
        scores = [(f"score:{self.name}/{score['suite']}", Path(score["folder"]), score["key"]) for score in self.scores]
        training = (f"train:{self.name}", Path(self.train_folder), self.train_key)
        return [training, (f"perplexity:{self.name}", Path(self.perplexity_folder), self.perplexity_key), *scores]

    @property
    def train_spec(self) -> TrainSpec:
        """The training settings."""
        return TrainSpec(**self.training)


def write_job(cell: Cell, preparation: Preparation, path: Path, status_file: Path) -> Path:
    """Write the job file of a cell whose inputs are prepared, and return its path."""
    job = job_of(cell, preparation, status_file)
    write_text(path, json.dumps(asdict(job), indent=1, ensure_ascii=False) + "\n")
    return path


def job_of(cell: Cell, preparation: Preparation, status_file: Path) -> Job:
    """Return the job of a cell whose inputs are prepared. Its process will write its status to `status_file`."""
    plan, cache = preparation.plan, preparation.cache
    model_entry = plan.resolved.model_for(cell.model, cell.condition)
    return Job(
        name=cell.name,
        seed=cell.seed,
        model=asdict(model_entry.model),
        origin=None if model_entry.origin is None else str(model_entry.origin),
        training=model_entry.training.model_dump(),
        tokenizer=str(preparation.tokenizer()),
        tokens=str(preparation.tokens(cell.variant.name)),
        valid=str(preparation.tokens(variant_for(plan.tokens, cell.condition, "valid"))),
        train_folder=str(cache.folder(cell.train)),
        train_key=cell.train.key,
        perplexity_folder=str(cache.folder(cell.perplexity)),
        perplexity_key=cell.perplexity.key,
        texts={
            text: str(preparation.tokens(variant_for(plan.tokens, cell.condition, text)))
            for text in TEXTS
            if text in plan.tokens
        },
        scores=tuple(
            {
                "suite": suite,
                "file": str(preparation.suite(variant_for(plan.suites, cell.condition, suite))),
                "convention": plan.resolved.convention(suite, cell.model),
                "tokens": step.content["inputs"].get("tokens", 0),
                "folder": str(cache.folder(step)),
                "key": step.key,
            }
            for suite, step in cell.scores.items()
        ),
        record=str(status_file),
        branch=None if cell.branch is None else _branch(cell.branch, preparation),
        states=_states(cell, preparation),
    )


def _branch(branch: Branch, preparation: Preparation) -> dict[str, Any]:
    """Return the state from which a cell begins, and the token files of the training that leads to it."""
    return {
        "id": branch.state.id,
        "step": branch.step,
        "tokens": str(preparation.tokens(branch.corpus.name)),
        "valid": str(preparation.tokens(variant_for(preparation.plan.tokens, branch.corpus.condition, "valid"))),
        "folder": str(preparation.cache.folder(branch.state)),
        "key": branch.state.key,
    }


def _states(cell: Cell, preparation: Preparation) -> tuple[dict[str, Any], ...]:
    """Return the distinct states of a cell's training from which other cells of the plan begin."""
    branches = [other.branch for other in preparation.plan.cells if other.branch is not None]
    states = {branch.state.key: branch for branch in branches if branch.source.key == cell.train.key}
    return tuple(
        {"step": branch.step, "folder": str(preparation.cache.folder(branch.state)), "key": state_key}
        for state_key, branch in states.items()
    )
