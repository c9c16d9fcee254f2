"""Search a store range by range; near misses, explanation, plan, marks and exports of the matches."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.draw.tree import Tree, words
from fictdsl.english.describe import describe
from fictdsl.words import counted, inflected
from runner.corpus import show
from runner.corpus.engine import explain_plan
from runner.corpus.limits import Limits
from runner.corpus.match_groups import sort_matches
from runner.corpus.matches import match, match_range
from runner.corpus.rewritten_texts import changed_trees, first_changed
from runner.corpus.show import (
    Group,
    MatchedSentence,
    compare_pair,
    filter_pair,
    matched_sentences,
    matching_group,
    near_groups,
)
from runner.corpus.store import Store
from runner.execute.coverage import shares
from runner.explore.markup import (
    Row,
    changed_html,
    coverage_html,
    groups_html,
    lines_html,
    plan_html,
    rewritten_html,
    rows_html,
)
from runner.explore.match_words import check_bindings, check_words, sentences_of
from runner.explore.query import Query, store_of
from runner.score.pair_formats import load_suite
from runner.score.suite_files import Suite
from runner.tables import quote

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
    from runner.corpus.lint_facts import absent_labels

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
    table = sort_matches(store_of(store_index), query.filter, matches, key, offset, max_rows)
    return rows_html(_rows(store_index, query, table), view)


def search_sorted_page(store_index: int, query: Query, key: str, view: str, offset: int, max_rows: int) -> str:
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


NEAR, DIFFERENT, REWRITTEN = 3, 10, 30  # sentences shown for a left-out condition, a difference, a rewrite


def near_misses(store_index: int, query: Query) -> str:
    """Return, for each condition, sentences that match if that condition is left out."""
    groups = []
    for group in near_groups(store_of(store_index), query.filter, NEAR):
        rows = [
            Row(sentence.location, sentence.block, match) for sentence in group.sentences for match in sentence.matches
        ]
        groups.append((group.counts, f"all clauses except {group.left_out}", rows_html(rows, "text")))
    return groups_html(groups, "No condition can be left out.")


def explanation(query: Query) -> str:
    compiled = query.filter
    return lines_html([line for line in (compiled.metadata.about, *describe(compiled)) if line])


def plan(store_index: int, query: Query) -> str:
    store = store_of(store_index)
    return plan_html(explain_plan(store, query.filter), store.info.sentences)


def rewritten(store_index: int, query: Query) -> str:
    rewrite = query.rewrite
    if rewrite is None:
        return lines_html(["The query has no rewrite. A file with one, such as dative/swap, is in the library."])
    rows = [
        changed_html(sentence.location, *changed_trees(sentence))
        for sentence in first_changed(store_of(store_index), rewrite, 0, REWRITTEN)
    ]
    return rewritten_html(rows) if rows else lines_html([f"{rewrite.name} changes no sentence."])


def difference(store_index: int, query: Query, other: Query) -> str:
    """Return sentences that only one of two queries matches."""
    outcome = compare_pair(store_of(store_index), filter_pair(query.filter, other.filter), DIFFERENT)
    comparison = outcome.comparison
    groups = []
    for label, sids, sentences in (
        ("gained: only the second query matches", comparison.gained, outcome.gained),
        ("lost: only the first query matches", comparison.lost, outcome.lost),
    ):
        rows = [
            Row(sentence.location, sentence.block, match) for sentence in sentences for match in sentence.matches[:1]
        ]
        groups.append((counted(len(sids), "sentence"), label, rows_html(rows, "text")))
    summary = f"{counted(comparison.common, 'sentence')} {inflected(comparison.common, 'matches', 'match')} both."
    note = "The two queries are equal up to names and order. " if outcome.pair.same else ""
    return lines_html([note + summary]) + groups_html(groups, "")


def coverage(query: Query, suite: Path, parses: Path, limits: Limits) -> str:
    return coverage_html(shares(_suite(suite), _parses(parses, limits), [query.filter], "good"))


@lru_cache(1)
def _suite(path: Path) -> Suite:
    return load_suite(path)


@lru_cache(1)
def _parses(path: Path, limits: Limits) -> Store:
    return Store.open(path, limits)


MARKS = ("right", "wrong", "unsure")
MAX_MARKS = 10_000
SHEETS = ("tsv", "json")
_COLUMNS = ("query", "corpus", "sort", "source", "number", "sent_id", "match", "mark", "text")


@dataclass(frozen=True)
class Mark:
    """A mark, one of MARKS, of a match: the number of its sentence, and the id of the word bound to each name."""

    sid: int
    match: Mapping[str, int]
    mark: str


def sheet(store_index: int, query: Query, sort: str, marks: Sequence[Mark], output_format: str) -> str:
    """Return the marks of a query as a table (TSV) or as JSON, in their order. `sort` is the order of the matches.

    Raises InputError (FICT853) if the store lacks one of the sentences or words, or the query one of the names.
    """
    head = (query.filter.name if query.is_file else query.text.strip(), store_of(store_index).path.name, sort)
    rows = [dict(zip(_COLUMNS, (*head, *cells), strict=True)) for cells in _cells(store_index, query, marks)]
    if output_format == "tsv":
        return "".join(map(_line, [_COLUMNS, *([*row.values()] for row in rows)]))
    counts = Counter(mark.mark for mark in marks)
    heading = dict(zip(_COLUMNS, head, strict=False)) | {mark: counts[mark] for mark in MARKS}
    matches = [{key: row[key] for key in _COLUMNS[len(head) :]} for row in rows]
    return json.dumps({**heading, "matches": matches}, ensure_ascii=False, indent=1) + "\n"


def _cells(store_index: int, query: Query, marks: Sequence[Mark]) -> Iterator[tuple[str | int, ...]]:
    sentences = sentences_of(store_index, [mark.sid for mark in marks])
    for mark in marks:
        sentence = sentences[mark.sid]
        check_bindings(query, mark.match)
        check_words(sentence, mark.match.values())
        location = sentence.location
        match = " ".join(f"{name}:{word}" for name, word in mark.match.items())
        text = Tree(words(sentence.block)).text()
        yield location.source, location.number, location.sent_id or "", match, mark.mark, text


def _line(cells: Sequence[str | int]) -> str:
    return "\t".join(quote(re.sub(r"\s+", " ", str(cell))) for cell in cells) + "\n"


MAX_SENTENCES, MAX_DRAWN = 100_000, 200  # sentences of a file, and of an HTML page with drawings

_WRITERS: dict[str, Callable[[Group], str]] = {
    "conllu": lambda group: "".join(show.conllu(group)),
    "tsv": lambda group: "".join(f"{line}\n" for line in show.tsv([group])),
    "jsonl": lambda group: "".join(f"{line}\n" for line in show.jsonl(group)),
    "html": lambda group: show.html([group], group.title),
}
FORMATS = tuple(_WRITERS)


def export(store_index: int, query: Query, output_format: str) -> str:
    """Return the first matching sentences in one of FORMATS."""
    limit = MAX_DRAWN if output_format == "html" else MAX_SENTENCES
    return _WRITERS[output_format](matching_group(store_of(store_index), query.filter, limit))
