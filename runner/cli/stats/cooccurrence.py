"""`fictc stats cooccurrence`: whether two constructions occur in the same sentences."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import click

from fictdsl.syntax.word_lists import ListOverrides
from runner.cli.options.corpora import corpus_option, open_corpus
from runner.cli.options.limits import limits_options
from runner.cli.options.lists import lists_option
from runner.cli.shared.complete import complete_filters
from runner.cli.shared.filters import FILTER_HELP, QUERY_HELP, filter_labels, load_filters, note_absent_labels
from runner.cli.stats.options import LOG_ODDS, print_table, table_format_option
from runner.corpus.store.limits import Limits
from runner.tables import Column, Table


@click.command(
    name="cooccurrence",
    help=f"""Count the sentences that each pair of filters matches together and separately.

    {FILTER_HELP}
    {QUERY_HELP}

    `expected` is the number of sentences that both filters would match if they were independent. The log-odds ratio
    would then be 0. Its 95 % confidence interval assumes that sentences are independent.

    \b
    Example:
      fictc stats cooccurrence fict15/passive.fict fict15/npi-only.fict --corpus stores/ewt
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER FILTER...", shell_complete=complete_filters)
@corpus_option()
@table_format_option
@lists_option
@limits_options()
def cooccurrence(
    filter: tuple[str, ...],  # noqa: A002
    corpus: tuple[Path, ...],
    output_format: str,
    limits: Limits,
    lists: ListOverrides,
) -> None:
    """Count the sentences that pairs of filters match together and separately."""
    from runner.corpus.query.engine import LocalEngine
    from runner.corpus.stats.association import log_odds

    filters = load_filters(filter, lists, allow_queries=True)
    if len(filters) < 2:
        raise click.UsageError("expected at least two filters")
    store = open_corpus(corpus, limits)
    note_absent_labels(store, filters)
    tally, labels, total = LocalEngine(store).tally(filters), filter_labels(filters), store.info.sentences
    rows: list[dict[str, str | float | None]] = []
    for a, b in combinations(range(len(filters)), 2):
        both, count_a, count_b = tally.sentences_of_pair[a, b], tally.sentences[a], tally.sentences[b]
        expected = count_a * count_b / total if total else 0.0
        neither = total - count_a - count_b + both
        estimate, low, high = log_odds(both, count_a - both, count_b - both, neither)
        pmi = math.log2(both / expected) if both and expected else None
        counts = {"both": both, "only_a": count_a - both, "only_b": count_b - both, "neither": neither}
        odds = {"log_odds": estimate, "low": low, "high": high}
        rows.append({"a": labels[a], "b": labels[b], **counts, "expected": expected, "pmi": pmi, **odds})
    columns = [
        Column("a", "a"),
        Column("b", "b"),
        Column("both", "both", "count"),
        Column("only_a", "only a", "count"),
        Column("only_b", "only b", "count"),
        Column("neither", "neither", "count"),
        Column("expected", "expected", "number", spec=",.1f"),
        Column("pmi", "PMI, bits", "number", spec="+.2f"),
        *LOG_ODDS,
    ]
    print_table(Table("cooccurrence", "", columns, rows), output_format, {"sentences": total})
