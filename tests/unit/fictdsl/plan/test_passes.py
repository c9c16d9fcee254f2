"""Every pass keeps every row, on every construct, and leaves a sound plan."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import duckdb
import pytest

from fictdsl.plan.build import build
from fictdsl.plan.layout_passes import expand_dominance_paths
from fictdsl.plan.nodes import Plan
from fictdsl.plan.passes import PASSES, Pass, optimize, verify
from fictdsl.reference.sentences import Sentence
from fictdsl.schema import PLAIN, RAW, Layout
from fictdsl.sql.emit import emit
from tests.cases.test_language import CASES, Case
from tests.support.tables import COPIES, connect

ALL_COPIES = Layout(copies=COPIES)


def layout_for(rewrite: Pass) -> Layout:
    """One that gives the pass something to do."""
    return RAW if rewrite is expand_dominance_paths else ALL_COPIES


def rows(case: Case, plan: Plan) -> list[tuple[int | None, ...]]:
    statement = emit(plan, case.compiled.names)
    return _rows(Page(case.path, tuple(case.trees.values())), statement.text, frozenset(statement.features))


@dataclass(frozen=True)
class Page:
    """The trees of a page of the gallery, which all its cases share."""

    path: Path
    trees: tuple[Sentence, ...] = field(compare=False)


@cache
def _rows(page: Page, text: str, features: frozenset[str]) -> list[tuple[int | None, ...]]:
    return _database(page, features).execute(text).fetchall()


@cache
def _database(page: Page, features: frozenset[str]) -> duckdb.DuckDBPyConnection:
    return connect(page.trees, features)


@pytest.mark.parametrize("rewrite", PASSES, ids=lambda rewrite: rewrite.__name__)
def test_a_pass_keeps_every_row(rewrite: Pass) -> None:
    changed = 0
    for case in CASES:
        before = build(case.compiled.ir)
        after = rewrite(before, layout_for(rewrite))
        verify(after)
        if after != before:
            changed += 1
            assert rows(case, after) == rows(case, before), case.title
    assert changed > 5, "the gallery hardly exercises this pass"


@pytest.mark.parametrize("rewrite", PASSES, ids=lambda rewrite: rewrite.__name__)
def test_a_pass_has_nothing_left_to_do(rewrite: Pass) -> None:
    for case in CASES:
        once = rewrite(build(case.compiled.ir), layout_for(rewrite))
        assert rewrite(once, layout_for(rewrite)) == once


@pytest.mark.parametrize("layout", [PLAIN, ALL_COPIES, RAW], ids=["plain columns", "all copies", "raw columns"])
def test_all_passes_keep_every_row(layout: Layout) -> None:
    for case in CASES:
        after = optimize(build(case.compiled.ir, layout), layout)
        verify(after)
        assert rows(case, after) == rows(case, build(case.compiled.ir)), case.title
