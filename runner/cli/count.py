"""`fictc count`: how much of a corpus filters match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.complete import filters
from runner.cli.engine import EngineChoice, engine_options
from runner.cli.filters import HELP, corpus_option, labels, load_filters, note_missing_features

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter
    from runner.corpus.engine import Engine
    from runner.corpus.store import Store


@dataclass(frozen=True, slots=True)
class Row:
    """What one filter, or all together, found; `tokens` are the words of the matching sentences.

    `targets` gives for each `count` of the filter, as it is written, how many distinct targets it has.
    """

    name: str
    matches: int
    sentences: int
    tokens: int
    share_of_sentences: float
    share_of_tokens: float
    targets: dict[str, int] = field(default_factory=dict)


@click.command(
    name="count",
    help=f"""Count what filters match in a corpus: matches, the sentences they are in, and these sentences' words.

    {HELP}

    The last row is the union: what any of the filters matches, each sentence counted once. Below a filter stands, for
    each of its actions `count …`, how many different targets it has.

    \b
    Example:
      fictc count filters/passive.fict fict15 --corpus stores/ewt
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=filters)
@corpus_option
@click.option("--format", "kind", type=click.Choice(["table", "json"]), default="table", show_default=True)
@engine_options
def command(  # the metavar of its help
    filter: tuple[str, ...],  # noqa: A002
    corpus: Path,
    kind: str,
    engine: EngineChoice,
) -> None:
    """See the help above."""
    from runner.corpus.store import Store

    filters = load_filters(filter)
    store = Store.open(corpus)
    note_missing_features(store, filters)
    with engine.open(store) as asked:
        rows, union = _count(store, filters, asked)
    if kind == "table":
        _print_table(store, [*rows, union])
        return
    entries = [
        {**asdict(row), "path": str(compiled.path), "key": compiled.key}
        for row, compiled in zip(rows, filters, strict=True)
    ]
    whole = {"store": store.key, "sentences": store.info.sentences, "tokens": store.info.words}
    click.echo(json.dumps({"corpus": whole, "filters": entries, "union": asdict(union)}, indent=2))


def _count(store: Store, filters: Sequence[CompiledFilter], engine: Engine) -> tuple[list[Row], Row]:
    import numpy as np

    from runner.corpus.sentences import read_sentences

    lengths = read_sentences(store).words
    rows, everything, matches = [], np.zeros(len(lengths), bool), 0
    for label, compiled in zip(labels(filters), filters, strict=True):
        found, number = np.zeros(len(lengths), bool), 0
        for table in engine.matches(compiled):
            number += table.num_rows
            found[table.column("sid").to_numpy()] = True
        rows.append(replace(_row(label, number, found, lengths), targets=engine.targets(compiled)))
        everything |= found
        matches += number
    return rows, _row("union", matches, everything, lengths)


def _row(name: str, matches: int, found: np.ndarray, lengths: np.ndarray) -> Row:
    sentences, tokens = int(found.sum()), int(lengths[found].sum())
    whole = max(1, len(lengths)), max(1, int(lengths.sum()))
    return Row(name, matches, sentences, tokens, sentences / whole[0], tokens / whole[1])


def _print_table(store: Store, rows: Sequence[Row]) -> None:
    width = max(len("corpus"), *(len(row.name) for row in rows))
    click.echo(f"{'':{width}}  {'matches':>9}  {'sentences':>9}  {'':>7}  {'tokens':>10}  {'':>7}")
    for row in rows:
        click.echo(
            f"{row.name:{width}}  {row.matches:>9,}  {row.sentences:>9,}  {row.share_of_sentences:>7.2%}"
            f"  {row.tokens:>10,}  {row.share_of_tokens:>7.2%}"
        )
        for action, targets in row.targets.items():
            click.echo(f"  {action}: {targets:,} different")
    click.echo(f"{'corpus':{width}}  {'':>9}  {store.info.sentences:>9,}  {'':>7}  {store.info.words:>10,}")
