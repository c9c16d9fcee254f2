"""Job files, which describe the inputs and results of a cell for its process."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from runner.errors import InputError
from runner.execute.cache import discard_unfinished
from runner.execute.prepared import Prepared
from runner.execute.state import CellPaths, Listener, Record, file_name
from runner.model.recipe import ModelSpec
from runner.model.training import TrainSpec
from runner.readers import parse_json
from runner.steps.plan import Training, text_for
from runner.workspace import key, write_text


class JobModel(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScoreJob(JobModel):
    suite: str
    file: Path
    convention: dict[str, Any]
    tokens: int  # the number of pairs whose tokens are kept
    folder: Path
    key: str


class StateJob(JobModel):
    step: int
    folder: Path
    key: str


class BranchJob(JobModel):
    id: str
    step: int
    tokens: Path
    valid: Path
    folder: Path
    key: str


class Job(JobModel):
    """The inputs of a cell, and the folders and keys of its results. Paths are absolute."""

    name: str
    seed: int
    model: ModelSpec
    training: TrainSpec
    tokenizer: Path
    tokens: Path
    valid: Path
    train_folder: Path
    train_key: str
    perplexity_folder: Path
    perplexity_key: str
    texts: dict[str, Path]
    scores: tuple[ScoreJob, ...]
    record: Path  # the file with the status of the cell's process
    origin: Path | None = None  # the folder of a saved model that is trained further
    branch: BranchJob | None = None
    states: tuple[StateJob, ...] = ()

    @classmethod
    def read(cls, path: Path) -> Job:
        """Read a job file. Raises InputError (FICT841) if it is missing or invalid, or if another version wrote it."""
        try:
            return cls.model_validate(parse_json(path.read_text(encoding="utf-8")))
        except OSError as error:
            reason = str(error.strerror).lower()
            raise InputError.of("FICT841", path=path, reason=reason) from error
        except ValidationError as error:
            raise InputError.of("FICT841", path=path, reason="another version of fictc wrote it") from error
        except ValueError as error:
            raise InputError.of("FICT841", path=path, reason="it is not JSON") from error

    def write(self, path: Path) -> Path:
        write_text(path, json.dumps(self.model_dump(mode="json"), indent=1, ensure_ascii=False) + "\n")
        return path

    @property
    def key(self) -> str:
        return key(self.train_key, self.perplexity_key, *(score.key for score in self.scores))


def job_of(cell: Training, prepared: Prepared, status_file: Path) -> Job:
    plan, cache = prepared.plan, prepared.cache
    model_entry = plan.resolved.model_for(cell.model, cell.condition)
    return Job(
        name=cell.name,
        seed=cell.seed,
        model=model_entry.model,
        origin=model_entry.origin,
        training=model_entry.training,
        tokenizer=prepared.tokenizer(),
        tokens=prepared.tokens(cell.corpus),
        valid=prepared.tokens(text_for(plan.tokens, cell.condition, "valid")),
        train_folder=cache.folder(cell.train),
        train_key=cache.known_key(cell.train),
        perplexity_folder=cache.folder(cell.perplexity),
        perplexity_key=cache.known_key(cell.perplexity),
        texts={text: prepared.tokens(text_for(plan.tokens, cell.condition, text)) for text in plan.texts},
        scores=tuple(
            ScoreJob(
                suite=suite,
                file=prepared.suite(suite, cell.condition),
                convention=plan.resolved.convention(suite, cell.model),
                tokens=step.inputs.get("tokens", 0),
                folder=cache.folder(step),
                key=cache.known_key(step),
            )
            for suite, step in cell.scores.items()
        ),
        record=status_file,
        branch=cell.branch
        and BranchJob(
            id=cell.branch.state.id,
            step=cell.branch.step,
            tokens=prepared.tokens(cell.branch.corpus),
            valid=prepared.tokens(text_for(plan.tokens, cell.branch.corpus.condition, "valid")),
            folder=cache.folder(cell.branch.state),
            key=cache.known_key(cell.branch.state),
        ),
        states=_states(cell, prepared),
    )


def _states(cell: Training, prepared: Prepared) -> tuple[StateJob, ...]:
    cache, train_key = prepared.cache, prepared.cache.key(cell.train)
    branches = [other.branch for other in prepared.plan.cells if other.branch is not None]
    states = {cache.known_key(branch.state): branch for branch in branches if cache.key(branch.source) == train_key}
    return tuple(
        StateJob(step=branch.step, folder=cache.folder(branch.state), key=state_key)
        for state_key, branch in states.items()
    )


@dataclass(frozen=True)
class PendingJobs:
    jobs: dict[Path, Training]
    failed: dict[str, str]


@dataclass(frozen=True)
class RerunOptions:
    retry: bool = False
    restart: bool = False


NO_RERUN = RerunOptions()


def write_pending_jobs(prepared: Prepared, out: Path, folder: Path, log: Listener, rerun: RerunOptions) -> PendingJobs:
    jobs: dict[Path, Training] = {}
    failed: dict[str, str] = {}
    # cells from which others branch come first
    for cell in sorted(prepared.plan.cells, key=lambda cell: cell.branch is not None):
        status_file = CellPaths.of(cell, prepared.cache, out).record
        previous_record = Record.read(status_file, prepared.cache.joint_key(cell.steps))
        if all(prepared.cache.has(step) for step in cell.steps):
            for step in (*([cell.branch.state] if cell.branch else []), *cell.steps):
                log({"event": "done", "step": step.id, "cached": True, "cell": cell.name})
        elif previous_record is not None and previous_record.state == "failed" and not (rerun.retry or rerun.restart):
            failed[cell.name] = previous_record.error
        else:
            if previous_record is not None and previous_record.state == "failed":
                status_file.unlink()
            if rerun.restart and not (previous_record is not None and previous_record.alive):
                # another run, or another cell of this one, may be working on the same training, which is then kept
                for step in (cell.train, *([cell.branch.state] if cell.branch else [])):
                    discard_unfinished(prepared.cache.folder(step))
            job = job_of(cell, prepared, status_file)
            jobs[job.write(folder / f"{file_name(cell.name)}.json")] = cell
    return PendingJobs(jobs, failed)
