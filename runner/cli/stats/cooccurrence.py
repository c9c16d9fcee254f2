"""`fictc stats cooccurrence`: do two constructions come in the same sentences?"""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import click

from fictdsl.syntax.parsing.word_lists import ListOverrides
from runner.cli.shared.complete import complete_filters as filter_names
from runner.cli.shared.filters import FILTER_HELP, corpus_option, labels, load_filters, note_missing_features
from runner.cli.shared.limits import limits_options
from runner.cli.shared.lists import lists_option
from runner.cli.stats.options import LOG_ODDS, Cell, Column, format_option, show
from runner.corpus.store.limits import Limits


@click.command(
    name="cooccurrence",
    help=f"""Count the sentences that every two filters match together, and alone.

    {FILTER_HELP}

    Expected is what chance would bring together, if the two had nothing to do with each other; the log-odds ratio is 0
    then. Its 95 % interval takes sentences as independent.

    \b
    Example:
      fictc stats cooccurrence fict15/passive.fict fict15/npi-only.fict --corpus stores/ewt
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER FILTER...", shell_complete=filter_names)
@corpus_option()
@format_option
@lists_option
@limits_options()
def cooccurrence(filter: tuple[str, ...], corpus: Path, kind: str, limits: Limits, lists: ListOverrides) -> None:  # noqa: A002
    """See the help above."""
    from runner.corpus.query.engine import Here
    from runner.corpus.stats.association import log_odds
    from runner.corpus.store.opening import Store

    filters = load_filters(filter, lists)
    if len(filters) < 2:
        raise click.UsageError("two filters are needed, for one alone has nothing to come together with")
    store = Store.open(corpus, limits)
    note_missing_features(store, filters)
    tally, names, whole = Here(store).tally(filters), labels(filters), store.info.sentences
    rows: list[list[Cell]] = []
    for a, b in combinations(range(len(filters)), 2):
        both, first, second = tally.both[a, b], tally.sentences[a], tally.sentences[b]
        expected = first * second / whole if whole else 0.0
        neither = whole - first - second + both
        estimate, low, high = log_odds(both, first - both, second - both, neither)
        together = math.log2(both / expected) if both and expected else None
        counts = [both, first - both, second - both, neither, expected]
        rows.append([names[a], names[b], *counts, together, estimate, low, high])
    columns = [
        Column("a", "a"),
        Column("b", "b"),
        Column("both", "both"),
        Column("only_a", "only a"),
        Column("only_b", "only b"),
        Column("neither", "neither"),
        Column("expected", "expected", ",.1f"),
        Column("pmi", "PMI, bits", "+.2f"),
        *LOG_ODDS,
    ]
    show(columns, rows, kind, {"sentences": whole})
