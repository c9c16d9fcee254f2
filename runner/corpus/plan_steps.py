"""Describe the steps of a plan, run them one by one, and count the rows of each."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fictdsl.plan.nodes import Plan, Ref
from fictdsl.sql.emit import StepQuery, step_queries
from runner.corpus.matches import run_in_parts, run_select
from runner.corpus.store import Store

if TYPE_CHECKING:
    import duckdb

    from fictdsl.compiler import CompiledFilter


@dataclass
class StepCounts:
    """The number of rows that a step returns, and the seconds that it takes after the earlier steps."""

    rows: int = 0
    seconds: float = 0.0

    def add(self, other: StepCounts) -> None:
        """Add the counts of other sentences."""
        self.rows += other.rows
        self.seconds += other.seconds


@dataclass
class PlanCounts:
    """The counts of every step of a plan, by index, and of the result.

    `sentences` is the number of sentences with a match. `helper_seconds` is the time of the CTEs that belong to no
    step.
    """

    steps: dict[Ref, StepCounts] = field(default_factory=dict)
    helper_seconds: float = 0.0
    matches: StepCounts = field(default_factory=StepCounts)
    sentences: int = 0

    def add(self, other: PlanCounts) -> None:
        """Add the counts of the same steps in other sentences."""
        for step, counts in other.steps.items():
            self.steps[step].add(counts)
        self.helper_seconds += other.helper_seconds
        self.matches.add(other.matches)
        self.sentences += other.sentences


@dataclass(frozen=True)
class ExplainedPlan:
    """The description and the estimated number of rows of each step of a plan, and the actual counts."""

    texts: list[str]
    estimated: list[int]
    counts: PlanCounts


def describe_plan(compiled: CompiledFilter, plan: Plan) -> list[str]:
    """Return a sentence for each step of a filter's plan."""
    from fictdsl.english.steps import describe_steps
    from fictdsl.semantics.lower import node_names
    from fictdsl.semantics.resolve import resolve

    return describe_steps(plan, node_names(resolve(compiled.module), compiled.definition, compiled.value))


def explain_plan(store: Store, compiled: CompiledFilter) -> ExplainedPlan:
    """Describe the plan of a filter, estimate its rows, and run it on a store."""
    from fictdsl.plan.order import estimates

    plan = compiled.plan_for(store.layout)
    return ExplainedPlan(describe_plan(compiled, plan), estimates(plan, store.layout), run_steps(store, plan))


def run_steps(store: Store, plan: Plan) -> PlanCounts:
    """Run the steps of a plan in order, a part of the store at a time. Return the counts of all parts.

    The result of each step is stored in a temporary table, which later steps read.
    """
    queries, result_query = step_queries(plan, layout=store.layout)
    total = PlanCounts({step: StepCounts() for step in range(len(plan.relations))})

    def work(connection: duckdb.DuckDBPyConnection) -> PlanCounts:
        counts = PlanCounts({step: StepCounts() for step in total.steps})
        for query in queries:
            _run_step(connection, query, counts)
        started = time.perf_counter()
        result = run_select(connection, result_query.text)
        counts.matches = StepCounts(result.num_rows, time.perf_counter() - started)
        counts.sentences = len(result.column("sid").unique())
        return counts

    for counts in run_in_parts(store, result_query.features, result_query.tables, work):
        total.add(counts)
    return total


def _run_step(connection: duckdb.DuckDBPyConnection, query: StepQuery, counts: PlanCounts) -> None:
    started = time.perf_counter()
    if query.name is None:
        rows = int(run_select(connection, f"SELECT count(*) FROM ({query.text})").column(0)[0].as_py())  # noqa: S608
    else:
        connection.execute(f'CREATE TEMP TABLE "{query.name}" AS {query.text}')
        rows = int(connection.table(query.name).count("*").fetchall()[0][0])
    seconds = time.perf_counter() - started
    if query.step is None:
        counts.helper_seconds += seconds
    else:
        counts.steps[query.step].rows += rows
        counts.steps[query.step].seconds += seconds
