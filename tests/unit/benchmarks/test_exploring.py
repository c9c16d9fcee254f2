"""The benchmark of the explorer asks a running one, with the filters and with queries that compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.cases import cases
from benchmarks.explorer import Progress, explorer
from benchmarks.exploring import Row, queries, render
from benchmarks.typed import TYPED
from fictdsl.installation import filter_library
from runner.explore.query import Query
from tests.support.explorer import small_store


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_store(tmp_path_factory.mktemp("store"))


def test_a_search_has_a_first_page_and_an_end(store: Path) -> None:
    with explorer(store) as running:
        first, last = running.search({"text": "V -[nsubj]-> S"})
        assert (first.matches, first.searched, last.matches) == (120, 122, 120)
        assert 0 < first.wall <= last.wall
        assert 0 <= first.cpu <= last.cpu
        (nothing, _) = running.search({"text": "V[lemma = meow]"})
        assert (nothing.matches, nothing.searched) == (0, 122)
        with pytest.raises(ValueError, match="never closed"):
            running.search({"text": "V -["})


def test_the_error_of_an_explorer_that_does_not_start_is_shown(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"ended with 2: error\[FICT"), explorer(tmp_path / "nowhere"):
        pass


def test_filters_are_opened_from_the_library() -> None:
    asked = queries(cases("fict15", ["passive"]))
    assert filter_library()[asked["passive"]["base"]].stem == "passive"
    assert len(asked) == 1 + len(TYPED) == 16
    assert queries(cases("others", ["ditransitive"]))["ditransitive"]["base"] is None


@pytest.mark.parametrize("name", TYPED)
def test_every_query_compiles(name: str) -> None:
    assert Query(TYPED[name]).filter.names


def test_the_slowest_row_is_repeated() -> None:
    rows = [
        Row(name, Progress(wall, 0.5, 3, 20), Progress(2.0, 1.5, 30, 200)) for name, wall in (("a", 1.5), ("b", 0.5))
    ]
    lines = render(rows).splitlines()
    assert lines[2:] == [
        "| a | 30 | 1.50 | 0.50 | 20 | 2.00 | 1.50 |",
        "| b | 30 | 0.50 | 0.50 | 20 | 2.00 | 1.50 |",
        "| slowest: a | 30 | 1.50 | 0.50 | 20 | 2.00 | 1.50 |",
    ]
