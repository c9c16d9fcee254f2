"""A plan and a store to the rows that each step keeps: the parts of its statement, run one by one."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fictdsl.plan.nodes import Plan, Ref
from fictdsl.sql.emit import StepQuery, step_queries
from runner.corpus.query.matches import in_parts, named, run_select
from runner.corpus.store.opening import Store

if TYPE_CHECKING:
    import duckdb


@dataclass
class Kept:
    """Rows a step keeps, and the seconds it takes when the steps before it are there."""

    rows: int = 0
    seconds: float = 0.0

    def add(self, other: Kept) -> None:
        """Count the rows and the time of other sentences too."""
        self.rows += other.rows
        self.seconds += other.seconds


@dataclass
class Steps:
    """What became of every step of a plan (by its place), and the result; `helpers` is the time of other parts."""

    steps: dict[Ref, Kept] = field(default_factory=dict)
    helpers: float = 0.0
    matches: Kept = field(default_factory=Kept)
    sentences: int = 0

    def add(self, other: Steps) -> None:
        """Count what became of the same steps in other sentences."""
        for step, kept in other.steps.items():
            self.steps[step].add(kept)
        self.helpers += other.helpers
        self.matches.add(other.matches)
        self.sentences += other.sentences


def run_steps(store: Store, plan: Plan) -> Steps:
    """Run the plan's steps in order, a part of the store at a time, each kept as a table that the next one reads."""
    parts, rest = step_queries(plan, layout=store.layout)
    found = Steps({step: Kept() for step in range(len(plan.relations))})

    def work(connection: duckdb.DuckDBPyConnection) -> Steps:
        own = Steps({step: Kept() for step in found.steps})
        for part in parts:
            _run(connection, part, own)
        began = time.perf_counter()
        result = run_select(connection, rest.text)
        own.matches = Kept(result.num_rows, time.perf_counter() - began)
        own.sentences = len(result.column("sid").unique())
        return own

    for own in in_parts(store, rest.features, named(" ".join([*(part.text for part in parts), rest.text])), work):
        found.add(own)
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
