"""`fictc count`: how much of a corpus filters match."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from fictdsl.syntax.parsing.word_lists import ListOverrides
from runner.cli.shared.complete import filters
from runner.cli.shared.engine import EngineChoice, engine_options
from runner.cli.shared.filters import HELP, corpus_option, labels, load_filters, note_missing_features
from runner.cli.shared.limits import limits_options
from runner.cli.shared.lists import lists_option
from runner.corpus.store.limits import Limits


@click.command(
    name="count",
    help=f"""Count what filters match in a corpus: matches, the sentences they are in, and these sentences' words.

    {HELP}

    Without FILTER, all filters of the current folder.

    The last row is the union: what any of the filters matches, each sentence counted once. Below a filter stands, for
    each of its actions `count …`, how many different targets it has.

    \b
    Examples:
      fictc count filters/passive.fict --corpus stores/ewt
      fictc count fict15 --corpus stores/ewt --overlap
    """,
)
@click.argument("filter", nargs=-1, metavar="[FILTER]...", shell_complete=filters)
@corpus_option()
@click.option("--format", "kind", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--overlap",
    is_flag=True,
    help="Count too the sentences that every two filters match, and those of one filter only.",
)
@lists_option
@limits_options()
@engine_options
def command(  # the metavar of its help
    filter: tuple[str, ...],  # noqa: A002
    corpus: Path,
    kind: str,
    engine: EngineChoice,
    limits: Limits,
    lists: ListOverrides,
    *,
    overlap: bool,
) -> None:
    """See the help above."""
    from runner.cli.query import tally_formats as formats
    from runner.cli.shared.terminal import terminal_width
    from runner.corpus.store.opening import Store

    filters = load_filters(filter or (".",), lists)
    store = Store.open(corpus, limits)
    note_missing_features(store, filters)
    names = labels(filters)
    with engine.open(store) as asked:
        tally = asked.tally(filters)
        rows = formats.rows(store, tally, names, [asked.targets(compiled) for compiled in filters])
    if kind == "table":
        lines = [
            *formats.table(store, rows),
            *(["", *formats.overlap(tally, names, terminal_width())] if overlap else []),
        ]
        click.echo("\n".join(lines))
        return
    entries = [
        {**asdict(row), "path": str(compiled.path), "key": compiled.key}
        | ({"lists": {given.name: given.record for given in compiled.lists}} if compiled.lists else {})
        for row, compiled in zip(rows[:-1], filters, strict=True)
    ]
    whole = {"store": store.key, "sentences": store.info.sentences, "tokens": store.info.words}
    answer: dict[str, object] = {"corpus": whole, "filters": entries, "union": asdict(rows[-1])}
    if overlap:
        answer |= {"exactly": dict(sorted(tally.exactly.items())), "pairs": formats.pairs(tally, names)}
    click.echo(json.dumps(answer, indent=2))
