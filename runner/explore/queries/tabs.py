"""The tabs beside the matches: near misses, explanation, plan, rewritten sentences and differences."""

from __future__ import annotations

from fictdsl.english.describe import describe
from runner.corpus.query.steps import explain_plan
from runner.corpus.rewriting.changes import changed_trees, first_changed
from runner.corpus.show.differences import compare_pair, filter_pair
from runner.corpus.show.groups import near_groups
from runner.counted import counted
from runner.explore.queries.query import Query
from runner.explore.queries.settings import store_of
from runner.explore.views.rows import Row, changed_html, rows_html
from runner.explore.views.tables import groups_html, lines_html, plan_html, rewritten_html

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
    """Return the filter in English."""
    compiled = query.filter
    return lines_html([line for line in (compiled.metadata.about, *describe(compiled)) if line])


def plan(store_index: int, query: Query) -> str:
    """Return the steps of the query plan, with estimated and actual row counts."""
    store = store_of(store_index)
    return plan_html(explain_plan(store, query.filter), store.info.sentences)


def rewritten(store_index: int, query: Query) -> str:
    """Return sentences before and after the rewrite of a query."""
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
    summary = f"{counted(comparison.common, 'sentence')} {'matches' if comparison.common == 1 else 'match'} both."
    note = "The two queries are equal up to names and order. " if outcome.pair.same else ""
    return lines_html([note + summary]) + groups_html(groups, "")
