"""`fictc audit parser`: what filters match in gold trees, and in a parser's trees of the same sentences."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from fictdsl.words import counted
from runner.cli import query_options, terminal
from runner.cli.options import PATH, SEED, Count, relations
from runner.cli.stats_counts import print_table, table_format_option
from runner.corpus.limits import Limits
from runner.corpus.show import MatchedSentence, entry_of, kwic, matched_sentences, select_sids
from runner.tables import Column, Table

if TYPE_CHECKING:
    from fictdsl.syntax.files import ListOverrides
    from runner.audit.parser import ParserNoise, SharedSentences


_EXAMPLES = 5  # default number of sentences of each kind for a single filter


@click.command(
    name="parser",
    help=f"""Compare what filters match in gold trees and in a parser's trees of the same sentences.

    {query_options.FILTER_HELP}

    Sentences are matched by their text. `lost` is the number of sentences that a filter matches in the gold trees only,
    which a filter applied to parsed text would leave in a corpus; `added` is that of the parsed trees only.

    \b
    Example:
      fictc export stores/ewt-test --output ewt-test.txt
      fictc annotate ewt-test.txt --input sentences --models MODELS --output stores/ewt-test-parsed
      fictc audit parser fict15 --gold stores/ewt-test --parsed stores/ewt-test-parsed
    """,
)
@query_options.required_filters
@click.option("--gold", required=True, type=PATH, metavar="STORE", help="Store or CoNLL-U files of the gold trees.")
@click.option("--parsed", required=True, type=PATH, metavar="STORE", help="Store or CoNLL-U files of parsed trees.")
@click.option(
    "-n",
    "limit",
    type=Count(),
    help=f"Lost and added sentences to show of each filter [default: {_EXAMPLES}; none for several filters].",
)
@click.option("--sample", type=Count(1), metavar="N", help="Show a random sample of N lost and N added sentences.")
@click.option("--seed", type=SEED, default=0, show_default=False, help="Seed for the random sample [default: 0].")
@table_format_option
@query_options.lists_option
@query_options.limits_options()
@relations("-n excludes --sample", "--seed requires --sample", "-n, --sample excludes --format csv")
def parser(
    filter: tuple[str, ...],  # noqa: A002 - click shows the name
    gold: Path,
    parsed: Path,
    limit: int | None,
    sample: int | None,
    seed: int,
    output_format: str,
    limits: Limits,
    lists: ListOverrides,
) -> None:
    from runner.audit.parser import SharedSentences, parser_noise

    filters = query_options.load_filters(filter, lists, with_matches=True)
    stores = [query_options.open_corpus([path], limits) for path in (gold, parsed)]
    if stores[0].key == stores[1].key:
        raise click.UsageError(f"--gold {gold} and --parsed {parsed} have the same trees")
    query_options.note_absent_labels(stores[0], filters)
    shared = SharedSentences.of(*stores)
    for path, alone in zip((gold, parsed), shared.alone, strict=True):
        if alone:
            subject = counted(alone, f"sentence of {path} has", f"sentences of {path} have")
            terminal.print_message(f"note: {subject} no partner", err=True)
    noises = [parser_noise(shared, compiled) for compiled in query_options.labelled(filters)]
    count = sample or (_EXAMPLES if limit is None and len(noises) == 1 else limit or 0)
    examples = [each for noise in noises for each in _examples(shared, noise, count, seed if sample else None)]
    record = {
        "sentences": shared.count,
        "alone": dict(zip(("gold", "parsed"), shared.alone, strict=True)),
        "examples": [
            {"filter": each.filter, "kind": each.kind, **entry_of(sentence)}
            for each in examples
            for sentence in each.sentences
        ],
    }
    notes = [f"of {counted(shared.count, 'sentence')} in both"]
    print_table(Table("parser", "", _COLUMNS, noises), output_format, record, notes)
    for each in examples if output_format == "table" else ():
        if each.sentences:
            shown = "" if len(each.sentences) == each.total else f", {len(each.sentences):,} of {each.total:,} shown"
            title = each.kind if len(noises) == 1 else f"{each.filter}: {each.kind}"
            click.echo(f"\n{terminal.highlighted(title)}{shown}")
            for sentence in each.sentences:
                for line in kwic(sentence, terminal.terminal_width(), terminal.styled):
                    click.echo(line)


_COLUMNS = (
    Column("set", value=lambda noise: noise.filter.path.absolute().parent.name, shown=False),
    Column("filter", value=lambda noise: noise.filter.name.rpartition("::")[2], shown=False),
    Column("label", "filter", value="filter.name", saved=False),
    Column("key", value="filter.key", shown=False),
    *(Column(key, key, "count") for key in ("gold", "parsed", "both", "lost", "added")),
    Column("lost_share", "lost, %", "percent", attrgetter("lost_share"), saved=False),
)


class _Examples(NamedTuple):
    filter: str
    kind: str
    sentences: list[MatchedSentence]
    total: int


def _examples(shared: SharedSentences, noise: ParserNoise, count: int, seed: int | None) -> Iterator[_Examples]:
    """Yield the lost and the added sentences, each with the trees in which it matches."""
    kinds = (("lost", shared.gold, noise.lost_sids), ("added", shared.parsed, noise.added_sids))
    for kind, store, sids in kinds:
        sentences = matched_sentences(store, noise.filter, select_sids(sids, count, seed))
        yield _Examples(noise.filter.name, kind, list(sentences), len(sids))
