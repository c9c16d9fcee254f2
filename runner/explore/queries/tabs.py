"""The tabs beside the matches: counts by keys, near misses, explanation, plan, and differences."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

from fictdsl.english.describe import describe
from runner.corpus.query.groups.counts import ABSENT, UNBOUND, GroupCount, count_groups
from runner.corpus.query.groups.keys import parse_group_keys
from runner.corpus.query.groups.values import GroupKey, OfWord
from runner.corpus.query.steps import explain_plan
from runner.corpus.rewriting.changes import changed_trees, first_changed
from runner.corpus.show.differences import outcome_of, pair_of
from runner.corpus.show.groups import near_groups
from runner.explore.queries.query import Query
from runner.explore.queries.settings import store_of
from runner.explore.views.rows import Row, changed_html, rows_html
from runner.explore.views.tables import counts_html, groups_html, lines_html, plan_html, rewritten_html

ROWS, NEAR, CHANGED, REWRITTEN = 200, 3, 10, 30  # rows of a table, sentences of a condition, difference, rewrite
_PLAIN = re.compile(r"\w+")
_COLUMNS = ("form", "lemma", "xpos")  # attributes whose values are strings
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # characters at which spreadsheets start a formula


@dataclass(frozen=True)
class Counted:
    """A table of counts as markup and as CSV."""

    html: str
    csv: str


def count_by(number: int, query: Query, keys: str) -> Counted:
    """Count the matches for each combination of values of some keys, with a clause that selects each value."""
    store, compiled = store_of(number), query.filter
    parsed = parse_group_keys(keys, compiled, store)
    groups = [key for key in parsed if key.aggregate is None]
    titles = [key.text for key in groups], [key.text for key in parsed if key.aggregate is not None]
    counts = count_groups(store, compiled, parsed)
    clauses = [_clauses(groups, row) for row in counts[:ROWS]]
    return Counted(counts_html(*titles, counts, clauses, store.info.words), _csv(*titles, counts, store.info.words))


def _clauses(keys: list[GroupKey], row: GroupCount) -> str | None:
    """Return clauses that select the matches of a row; None if there is none for one of the values."""
    clauses = [_clause(key, value) for key, value in zip(keys, row.values, strict=True)]
    return "\n".join(clause for clause in clauses if clause) if clauses and all(clauses) else None


def _clause(key: GroupKey, value: str) -> str | None:
    match key.value:
        case OfWord(attributes=(attribute,), name=name) if key.width is None:
            test = _test(attribute, value)
            return None if test is None else f"{name}{test}" if test[0] == ":" else f"{name}[{test}]"
    return None


def _test(attribute: str, value: str) -> str | None:
    if value in (ABSENT, UNBOUND) or not attribute.replace("_", "").isalnum():
        return None
    if attribute in _COLUMNS:
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'{attribute} = "{escaped}"'
    if attribute == "upos":
        return f":{value}" if _PLAIN.fullmatch(value) else None
    if attribute.endswith("_l") or not re.fullmatch(r"\w+(:\w+)*", value):
        return None
    return f"{attribute} = {value}"


def _csv(keys: list[str], aggregates: list[str], rows: list[GroupCount], words: int) -> str:
    """Return the counts as CSV; a value that a spreadsheet would compute is quoted by an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*map(_inert, keys), "matches", "share", "per_million_words", *map(_inert, aggregates)])
    for row in rows:
        numbers = row.matches, f"{row.share:.6f}", f"{1e6 * row.matches / max(1, words):.3f}"
        writer.writerow([*map(_inert, row.values), *numbers, *row.aggregates])
    return out.getvalue()


def _inert(text: str) -> str:
    return f"'{text}" if text.startswith(_FORMULA) else text


def near_misses(number: int, query: Query) -> str:
    """Return the sentences that match without one condition, by condition."""
    parts = []
    for group in near_groups(store_of(number), query.filter, NEAR):
        rows = [Row(each.location, each.block, match) for each in group.sentences for match in each.matches]
        parts.append((group.counts, f"all but {group.left_out}", rows_html(rows, "text")))
    return groups_html(parts, "No condition can be left out.")


def explanation(query: Query) -> str:
    """Return the filter in English."""
    compiled = query.filter
    return lines_html([line for line in (compiled.metadata.about, *describe(compiled)) if line])


def plan(number: int, query: Query) -> str:
    """Return the steps of the plan, with estimated and actual rows."""
    store = store_of(number)
    return plan_html(explain_plan(store, query.filter), store.info.sentences)


def rewritten(number: int, query: Query) -> str:
    """Return sentences before and after the rewrite of a query."""
    rewrite = query.rewrite
    if rewrite is None:
        return lines_html(["The query has no rewrite. A file with one, such as dative/swap, is in the library."])
    rows = [
        changed_html(each.location, *changed_trees(each))
        for each in first_changed(store_of(number), rewrite, 0, REWRITTEN)
    ]
    return rewritten_html(rows) if rows else lines_html([f"{rewrite.name} changes no sentence."])


def difference(number: int, query: Query, other: Query) -> str:
    """Return the sentences that only one of two queries matches."""
    outcome = outcome_of(store_of(number), pair_of(query.filter, other.filter), CHANGED)
    comparison = outcome.comparison
    parts = []
    for verb, sids, sentences in (
        ("gained: only the second query matches", comparison.gained, outcome.gained),
        ("lost: only the first query matches", comparison.lost, outcome.lost),
    ):
        rows = [Row(each.location, each.block, match) for each in sentences for match in each.matches[:1]]
        parts.append((f"{len(sids):,} sentences", verb, rows_html(rows, "text")))
    heading = f"{comparison.both:,} sentences match both."
    same = "The two are the same up to names and order. " if outcome.pair.same else ""
    return lines_html([same + heading]) + groups_html(parts, "")
