"""The share of a suite's items that a query matches."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from runner.corpus.store.limits import Limits
from runner.corpus.store.opening import Store
from runner.execute.prepare.coverage import shares
from runner.explore.queries.query import Query
from runner.explore.views.tables import coverage_html
from runner.score.suites.suite import Suite, load_suite


def coverage(query: Query, suite: Path, parses: Path, limits: Limits) -> str:
    """Return a table of paradigms, with their numbers of items and of items whose parsed good sentence matches."""
    return coverage_html(shares(_suite(suite), _parses(parses, limits), [query.filter], "good"))


@lru_cache(1)
def _suite(path: Path) -> Suite:
    return load_suite(path)


@lru_cache(1)
def _parses(path: Path, limits: Limits) -> Store:
    return Store.open(path, limits)
