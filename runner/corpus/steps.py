"""A plan and a store to the rows that each step keeps: the parts of its statement, run one by one."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from fictdsl.plan.nodes import Plan, Ref
from fictdsl.sql.emit import StepQuery, step_queries
from runner.corpus.apply import run_select
from runner.corpus.store import Store
from runner.errors import InputError

if TYPE_CHECKING:
    import duckdb


@dataclass
class Kept:
    """Rows a step keeps, and the seconds it takes when the steps before it are there."""

    rows: int = 0
    seconds: float = 0.0


@dataclass
class Steps:
    """What became of every step of a plan (by its place), and the result; `helpers` is the time of other parts."""

    steps: dict[Ref, Kept] = field(default_factory=dict)
    helpers: float = 0.0
    matches: Kept = field(default_factory=Kept)
    sentences: int = 0


def run_steps(store: Store, plan: Plan) -> Steps:
    """Run the plan's steps in order, a chunk of the store at a time, each kept as a table that the next one reads."""
    import duckdb

    parts, rest = step_queries(plan)
    found = Steps({step: Kept() for step in range(len(plan.relations))})
    for chunk in range(store.info.chunks):
        with store.connect(rest.features, chunks=[chunk]) as connection:
            try:
                for part in parts:
                    _run(connection, part, found)
                began = time.perf_counter()
                result = run_select(connection, rest.text)
                found.matches.seconds += time.perf_counter() - began
            except (duckdb.OutOfMemoryException, duckdb.IOException) as error:
                reason = str(error).strip().splitlines()[0]
                raise InputError(diagnostic("FICT746", path=store.path, reason=reason)) from error
            found.matches.rows += result.num_rows
            found.sentences += len(result.column("sid").unique())
    return found


def _run(connection: duckdb.DuckDBPyConnection, part: StepQuery, found: Steps) -> None:
    began = time.perf_counter()
    if part.name is None:
        rows = int(run_select(connection, f"SELECT count(*) FROM ({part.text})").column(0)[0].as_py())  # noqa: S608
    else:
        connection.execute(f'CREATE TEMP TABLE "{part.name}" AS {part.text}')
        rows = int(connection.table(part.name).count("*").fetchall()[0][0])
    seconds = time.perf_counter() - began
    if part.step is None:
        found.helpers += seconds
    else:
        found.steps[part.step].rows += rows
        found.steps[part.step].seconds += seconds
