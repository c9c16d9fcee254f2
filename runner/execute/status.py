"""The status of the cells of a run, from their results and the records of their processes."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from runner.execute.records.cache import Cache, is_published
from runner.execute.records.cell_record import Record
from runner.readers import parse_json
from runner.report.results import CELLS
from runner.steps.cells import Cell
from runner.steps.plan import Plan
from runner.workspace import write_text

RECORDS = "jobs"


@dataclass(frozen=True, slots=True)
class CellPaths:
    """The folders of a cell's results with their keys, and the file with the record of its process.

    `key` is None, and `results` are empty, as long as the results that the cell reads are missing.
    """

    name: str
    key: str | None
    results: tuple[tuple[Path, str], ...]
    record: Path

    @classmethod
    def of(cls, cell: Cell, cache: Cache, out: Path) -> CellPaths:
        """Return the paths of a cell in a run."""
        key = cache.joint_key(cell.steps)
        results = () if key is None else tuple((cache.folder(step), cache.known_key(step)) for step in cell.steps)
        return cls(cell.name, key, results, _record_path(cell.name, out))

    @property
    def done(self) -> bool:
        """Whether all results are published, without checking their content."""
        return self.key is not None and all(is_published(folder, key) for folder, key in self.results)


@dataclass(frozen=True, slots=True)
class CellState:
    """The state of a cell. The record of a waiting cell may state why it was interrupted."""

    name: str
    state: Literal["done", "running", "failed", "waiting"]
    record: Record | None


def file_name(cell: str) -> str:
    """Return a unique file name for a cell; names of conditions and models cannot contain `+`."""
    return cell.replace("/", "+")


def _record_path(cell: str, out: Path) -> Path:
    return out / RECORDS / f"{file_name(cell)}.state.json"


def cell_paths(plan: Plan, cache: Cache, out: Path) -> list[CellPaths]:
    """Return the paths of all cells of a plan."""
    return [CellPaths.of(cell, cache, out) for cell in plan.cells]


def write_cell_paths(cells: Sequence[CellPaths], out: Path) -> None:
    """Write the paths into the run's folder, so that its status does not require the manifest."""
    write_text(out / CELLS, json.dumps([asdict(cell) for cell in cells], indent=1, default=str) + "\n")


def read_cell_paths(out: Path) -> list[CellPaths] | None:
    """Read the paths of a run's cells, or return None if the folder is not a run."""
    try:
        content: list[dict[str, Any]] = parse_json((out / CELLS).read_text(encoding="utf-8"))
        return [
            CellPaths(
                cell["name"],
                cell["key"],
                tuple((Path(folder), key) for folder, key in cell["results"]),
                _record_path(cell["name"], out),  # the folder of the run may have been moved
            )
            for cell in content
        ]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def cell_states(cells: Iterable[CellPaths]) -> list[CellState]:
    """Return the current state of each cell."""
    return [_state(cell) for cell in cells]


def _state(cell: CellPaths) -> CellState:
    record = None if cell.key is None else Record.read(cell.record, cell.key)
    if cell.done:
        return CellState(cell.name, "done", record)
    if record is not None and record.state == "failed":
        return CellState(cell.name, "failed", record)
    return CellState(cell.name, "running" if record is not None and record.alive else "waiting", record)
