"""Search a store, range by range or with sorted matches, and return rows of a view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from runner.corpus.query.groups.sorted_matches import sort_matches
from runner.corpus.query.matched_sentences import MatchedSentence, matched_sentences
from runner.corpus.query.matches import match
from runner.corpus.query.ranges import match_range
from runner.explore.queries.query import Query
from runner.explore.queries.settings import store_of
from runner.explore.views.rows import Row, rows_html

if TYPE_CHECKING:
    import pyarrow as pa

MAX_KEPT = 10_000  # matches that are kept for sorting before the search is complete


@dataclass(frozen=True)
class SearchPlan:
    """The ends of the chunks of a store, its size, the names that a query binds, and warnings about the query.

    `key` is equal for queries with the same matches under the same names.
    """

    ends: tuple[int, ...]
    sentences: int
    words: int
    names: tuple[str, ...]
    key: str
    notes: list[str]


@dataclass(frozen=True)
class RangeResult:
    """The numbers of matches and matching sentences in a range, and some of the matches as HTML.

    `rows` is the number of matches in `html`. `kept` has the first matches if they are kept for sorting.
    """

    matches: int
    sentences: int
    html: str
    rows: int
    kept: pa.Table | None


def plan_search(store_index: int, query: Query) -> SearchPlan:
    """Return the plan of a query on a store. Raises InputError with the errors of the query."""
    from runner.corpus.query.absent_labels import absent_labels

    store, compiled = store_of(store_index), query.filter
    notes = [str(label) for label in absent_labels(store, [compiled])]
    ends, info = tuple(store.info.ends), store.info
    return SearchPlan(ends, info.sentences, info.words, compiled.names, compiled.key, notes)


def search_range(
    store_index: int, query: Query, sids: range, view: str, offset: int, max_rows: int, max_kept: int
) -> RangeResult:
    """Search a range. Return up to `max_rows` rows from `offset` on, and the first `max_kept` matches as a table."""
    store, compiled = store_of(store_index), query.filter
    table = match_range(store, compiled, sids)
    shown = table.slice(min(offset, table.num_rows), max_rows)
    return RangeResult(
        table.num_rows,
        len(table.column("sid").unique()),
        rows_html(_rows(store_index, query, shown), view),
        shown.num_rows,
        table.slice(0, max_kept) if max_kept else None,
    )


def sort_page(
    store_index: int, query: Query, matches: pa.Table, key: str, view: str, offset: int, max_rows: int
) -> str:
    """Sort matches by a key, and return a page of their rows."""
    table = sort_matches(store_of(store_index), query.filter, matches, key, offset, max_rows)
    return rows_html(_rows(store_index, query, table), view)


def search_sorted_page(store_index: int, query: Query, key: str, view: str, offset: int, max_rows: int) -> str:
    """Sort all matches by a key, and return a page of their rows."""
    return sort_page(store_index, query, match(store_of(store_index), query.filter), key, view, offset, max_rows)


def _rows(store_index: int, query: Query, matches: pa.Table) -> list[Row]:
    """Return a row for each match, in the order of the table."""
    import numpy as np

    store, names = store_of(store_index), query.filter.names
    sentence_by_sid: dict[int, MatchedSentence] = {}
    columns = [column.to_pylist() for column in matches.columns]
    sids = np.unique(np.array(columns[0], np.int64))
    for sentence in matched_sentences(store, None, sids):
        sentence_by_sid[sentence.location.sid] = sentence
    return [
        Row(
            sentence_by_sid[sid].location,
            sentence_by_sid[sid].block,
            {name: word for name, word in zip(names, ids, strict=True) if word},
        )
        for sid, *ids in zip(*columns, strict=True)
    ]
