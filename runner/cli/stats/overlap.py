"""`fictc stats overlap`: how much of a benchmark a corpus holds already."""

from __future__ import annotations

from pathlib import Path

import click

from runner.cli.shared.limits import limits_options
from runner.cli.stats.options import Cell, Column, by_options, format_option, groups_of, show, store_argument
from runner.corpus.store.limits import Limits

SHOWN = 20  # sentences below the table


@click.command("overlap")
@store_argument
@click.argument("suite", type=click.Path(path_type=Path), metavar="SUITE")
@by_options(required=False)
@click.option("--words", type=click.IntRange(min=0), default=5, show_default=True, help="Length of n-grams; 0: none.")
@click.option(
    "--characters", type=click.IntRange(min=0), default=20, show_default=True, help="Length of n-grams; 0: none."
)
@format_option
@limits_options()
def overlap(
    store: Path, suite: Path, by: str | None, until: str | None, words: int, characters: int, kind: str, limits: Limits
) -> None:
    """Count and list the sentences of a benchmark that a corpus holds, and n-grams of words and characters.

    SUITE is what `fictc score` takes: minimal pairs, sentences, or SyntaxGym. N-grams are compared in lower case and do
    not cross sentences; `all` counts the benchmark's sentences of which every n-gram is in the corpus.

    \b
    Example:
      fictc stats overlap stores/ewt blimp --words 6
    """
    from runner.corpus.stats.overlap import overlap as overlapping
    from runner.corpus.store.opening import Store
    from runner.score.evaluate.any_suite import open_suite, sentences_of

    opened = Store.open(store, limits)
    groups = groups_of(opened, by, until)
    benchmark = open_suite(suite)
    found = overlapping(opened, groups, list(sentences_of(benchmark)), words, characters)
    rows: list[list[Cell]] = []
    for place, name in enumerate(groups.names):
        for what, each in (("sentences, exactly", found.exact), ("sentences, but for case and space", found.folded)):
            rows.append([name, what, len(each[place]), found.sentences, None, None, None])
        for shared in found.shared:
            sums = (shared.found[place], shared.distinct, shared.some[place], shared.all[place], shared.long)
            rows.append([name, f"{shared.n}-grams of {shared.kind}", *sums])
    columns = [
        Column("part", "part"),
        Column("what", "what"),
        Column("found", "found"),
        Column("of", "of"),
        Column("sentences_some", "sentences with any"),
        Column("sentences_all", "with all"),
        Column("sentences_long_enough", "of"),
    ]
    listed = {
        name: {"exactly": list(found.exact[place]), "but_for_case_and_space": list(found.folded[place])}
        for place, name in enumerate(groups.names)
    }
    notes = [f"  {name}: {text}" for name, those in listed.items() for text in those["but_for_case_and_space"][:SHOWN]]
    show(columns, rows, kind, {"suite": benchmark.name, "listed": listed}, notes)
