"""Count matches by keys, as a table with the clauses that select the matches of a row, and as CSV."""

from __future__ import annotations

from dataclasses import dataclass

from runner.corpus.query.groups.counts import count_groups
from runner.corpus.query.groups.keys import comment_keys_of, parse_group_keys
from runner.corpus.sentences.metadata_sql import GENRE
from runner.explore.queries.clauses import clauses_of
from runner.explore.queries.query import Query
from runner.explore.queries.settings import store_of
from runner.explore.views.tables import counts_html
from runner.tables import csv_text

MAX_ROWS = 200  # rows of the HTML table; the CSV has all


@dataclass(frozen=True)
class CountTable:
    """A table of counts as HTML and as CSV."""

    html: str
    csv: str


def count_by(store_index: int, query: Query, keys: str) -> CountTable:
    """Count the matches for each combination of key values, with the clauses that select these matches.

    Raises InputError as `parse_group_keys` does.
    """
    store, compiled = store_of(store_index), query.filter
    parsed_keys = parse_group_keys(keys, compiled, store)
    group_keys = [key for key in parsed_keys if key.aggregate is None]
    group_titles = [key.text for key in group_keys]
    aggregate_titles = [key.text for key in parsed_keys if key.aggregate is not None]
    counts, words = count_groups(store, compiled, parsed_keys), store.info.words
    has_genres = not set(GENRE).isdisjoint(comment_keys_of(store))
    all_values = [{row.values[index] for row in counts} for index in range(len(group_keys))]
    clauses = [clauses_of(compiled, group_keys, row.values, all_values, has_genres) for row in counts[:MAX_ROWS]]
    header = [*group_titles, "matches", "share", "per_million_words", *aggregate_titles]
    lines = (
        [*row.values, row.matches, f"{row.share:.6f}", f"{row.per_million_words:.3f}", *row.aggregates]
        for row in counts
    )
    html = counts_html(group_titles, aggregate_titles, counts, clauses, words)
    return CountTable(html, csv_text([header, *lines]))
