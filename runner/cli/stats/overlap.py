"""`fictc stats overlap`: the sentences and n-grams of a benchmark that a corpus contains."""

from __future__ import annotations

from pathlib import Path

import click

from runner.cli.options.corpora import open_corpus
from runner.cli.options.limits import limits_options
from runner.cli.options.numbers import BoundedInt
from runner.cli.stats.options import (
    by_options,
    groups_of,
    print_table,
    store_argument,
    table_format_option,
)
from runner.corpus.store.limits import Limits
from runner.tables import Column, Table

MAX_LISTED = 20  # sentences listed below the table for each part


@click.command("overlap")
@store_argument
@click.argument("suite", type=click.Path(path_type=Path), metavar="SUITE")
@by_options(required=False)
@click.option(
    "--words",
    type=BoundedInt(0, 1000, "few sentences have more"),
    default=5,
    show_default=True,
    help="Words per n-gram; 0: none.",
)
@click.option(
    "--characters",
    type=BoundedInt(0, 1000, "few sentences have more"),
    default=20,
    show_default=True,
    help="Characters per n-gram; 0: none.",
)
@table_format_option
@limits_options()
def overlap(
    store: Path,
    suite: Path,
    by: str | None,
    until: str | None,
    words: int,
    characters: int,
    output_format: str,
    limits: Limits,
) -> None:
    """Count the sentences and n-grams of a benchmark that a corpus contains, and list the sentences.

    SUITE is as for `fictc score`: minimal pairs, sentences, or SyntaxGym. N-grams are of words and of characters. They
    are compared in lower case and do not cross sentences. `with all` counts the sentences of the benchmark whose
    n-grams are all in the corpus.

    \b
    Example:
      fictc stats overlap stores/ewt blimp --words 6
    """
    from runner.corpus.stats.overlap import overlap as compute_overlap
    from runner.score.evaluate.any_suite import open_suite, sentences_of

    corpus = open_corpus([store], limits)
    groups = groups_of(corpus, by, until)
    benchmark = open_suite(suite)
    result = compute_overlap(corpus, groups, list(sentences_of(benchmark)), words, characters)
    rows: list[dict[str, str | int | None]] = []
    for part_index, name in enumerate(groups.names):
        for measure, sentences in (
            ("sentences, exactly", result.exact),
            ("sentences, but for case and space", result.folded),
        ):
            row: dict[str, str | int | None] = {
                "part": name,
                "what": measure,
                "found": len(sentences[part_index]),
                "of": result.sentences,
            }
            rows.append(row | dict.fromkeys(("sentences_some", "sentences_all", "sentences_long_enough")))
        rows += [
            {
                "part": name,
                "what": f"{ngrams.n}-grams of {ngrams.kind}",
                "found": ngrams.found[part_index],
                "of": ngrams.distinct,
                "sentences_some": ngrams.sentences_with_some[part_index],
                "sentences_all": ngrams.sentences_with_all[part_index],
                "sentences_long_enough": ngrams.with_ngrams,
            }
            for ngrams in result.shared
        ]
    columns = [
        Column("part", "part"),
        Column("what", "what"),
        Column("found", "found", "count"),
        Column("of", "of", "count"),
        Column("sentences_some", "sentences with any", "count"),
        Column("sentences_all", "with all", "count"),
        Column("sentences_long_enough", "of", "count"),
    ]
    listed = {
        name: {"exactly": list(result.exact[part_index]), "but_for_case_and_space": list(result.folded[part_index])}
        for part_index, name in enumerate(groups.names)
    }
    notes = [
        f"  {name}: {text}" for name, lists in listed.items() for text in lists["but_for_case_and_space"][:MAX_LISTED]
    ]
    table = Table("overlap", "", columns, rows)
    print_table(table, output_format, {"suite": benchmark.name, "listed": listed}, notes)
