"""Where the results of cells will lie and what their processes say, to how every cell of a run is doing."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from runner.execute.records.cache import Cache, is_there
from runner.execute.records.cell_record import Record
from runner.readers import parse_json
from runner.steps.plan import Cell, Plan
from runner.workspace import write_text

PLACES = "cells.json"
RECORDS = "jobs"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cell's results lie once they are there, by key, and the record of its process."""

    name: str
    key: str
    results: tuple[tuple[Path, str], ...]
    record: Path

    @classmethod
    def of(cls, cell: Cell, cache: Cache, out: Path) -> Place:
        """The place of a cell in a run."""
        results = tuple((cache.folder(step), step.key) for step in cell.steps)
        return cls(cell.name, cell.key, results, out / RECORDS / f"{file_name(cell.name)}.state.json")

    @property
    def done(self) -> bool:
        """Whether all results are there; their bytes are not looked at."""
        return all(is_there(folder, key) for folder, key in self.results)


@dataclass(frozen=True, slots=True)
class CellState:
    """How a cell is doing; of one that waits, `record` may say how it was interrupted."""

    name: str
    state: Literal["done", "running", "failed", "waiting"]
    record: Record | None


def file_name(cell: str) -> str:
    """The name of a cell as that of a file; no two cells have the same, for `+` stands in none of their names."""
    return cell.replace("/", "+")


def places(plan: Plan, cache: Cache, out: Path) -> list[Place]:
    """The places of all cells of a plan."""
    return [Place.of(cell, cache, out) for cell in plan.cells]


def write_places(found: Sequence[Place], out: Path) -> None:
    """Keep the places in the run's folder, so that its status can be asked without its manifest."""
    write_text(out / PLACES, json.dumps([asdict(place) for place in found], indent=1, default=str) + "\n")


def read_places(out: Path) -> list[Place] | None:
    """The places that a run's folder tells of; None if it is not one."""
    try:
        content: list[dict[str, Any]] = parse_json((out / PLACES).read_text(encoding="utf-8"))
        return [
            Place(
                place["name"],
                place["key"],
                tuple((Path(folder), key) for folder, key in place["results"]),
                Path(place["record"]),
            )
            for place in content
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return None


def cell_states(found: Iterable[Place]) -> list[CellState]:
    """How each cell is doing now."""
    return [_state(place) for place in found]


def _state(place: Place) -> CellState:
    record = Record.read(place.record, place.key)
    if place.done:
        return CellState(place.name, "done", record)
    if record is not None and record.state == "failed":
        return CellState(place.name, "failed", record)
    return CellState(place.name, "running" if record is not None and record.alive else "waiting", record)
