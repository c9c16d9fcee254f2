"""`fictc match`: print the sentences of a corpus that filters match."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.shared.complete import complete_filters
from runner.cli.shared.engine import EngineChoice, engine_options
from runner.cli.shared.filters import FILTER_HELP, corpus_option, labels, load_filters, note_missing_features
from runner.cli.shared.limits import limits_options
from runner.cli.shared.lists import lists_option
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.parsing.word_lists import ListOverrides
    from runner.corpus.query.engine import Engine
    from runner.corpus.store.opening import Store


@click.command(
    name="match",
    help=f"""Print the sentences of a corpus that a filter matches, in corpus order.

    {FILTER_HELP}

    With several filters, the sentences that any of them matches are printed. The actions of a filter have no effect
    here: a filter that removes sentences and one that keeps them print the same sentences.

    \b
    Examples:
      fictc match filters/passive.fict --corpus stores/ewt --format text | head
      fictc match filters/passive.fict --corpus stores/ewt --format conllu > passives.conllu
      fictc match fict15 --corpus stores/ewt --format tsv > overlaps.tsv
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=complete_filters)
@corpus_option()
@click.option(
    "--format",
    "kind",
    type=click.Choice(["ids", "json", "conllu", "text", "tsv", "parquet"]),
    default="ids",
    show_default=True,
    help="ids: the sent_id of each sentence, one per line (source:number if it has none). "
    "json: source, number in the source, sent_id, and every match with its words. "
    "conllu: the trees, byte for byte. text: one sentence per line, with the text of the source. "
    "tsv: a row per sentence with its source, number, sent_id and the number of matches of each filter. "
    "parquet: the same table as a Parquet file.",
)
@click.option("--output", "-o", type=click.Path(path_type=Path), help="Output file, for parquet.")
@lists_option
@limits_options()
@engine_options
def command(
    filter: tuple[str, ...],  # noqa: A002
    corpus: Path,
    kind: str,
    output: Path | None,
    engine: EngineChoice,
    limits: Limits,
    lists: ListOverrides,
) -> None:
    """Print the sentences of a corpus that filters match."""
    from runner.corpus.sentences.export import write_sentences
    from runner.corpus.store.opening import Store

    if (kind == "parquet") != (output is not None):
        raise click.UsageError("--format parquet requires --output FILE; the other formats are printed")
    filters = load_filters(filter, lists)
    store = Store.open(corpus, limits)
    note_missing_features(store, filters)
    with engine.open(store) as opened:
        if kind == "json":
            _print_json(store, filters, opened)
            return
        if kind in ("tsv", "parquet"):
            tables = opened.by_sentence(filters, labels(filters))
            _print_rows(tables) if output is None else _write_rows(tables, output)
            return
        sids = opened.sids(filters)
    match kind:
        case "ids":
            _print_ids(store, sids)
        case "conllu" | "text" if not sys.stdout.isatty():
            write_sentences(store, kind, sys.stdout.buffer, sids)
            sys.stdout.buffer.flush()
        case _:
            _print_escaped(store, kind, sids)


def _print_rows(tables: Iterator[pa.Table]) -> None:
    from runner.cli.shared.terminal import for_output

    for number, table in enumerate(tables):
        if not number:
            click.echo("\t".join(map(for_output, table.column_names)))
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            cells = ("" if cell is None else str(cell).replace("\t", " ") for cell in row)
            click.echo("\t".join(map(for_output, cells)))


def _write_rows(tables: Iterator[pa.Table], output: Path) -> None:
    import pyarrow.parquet as pq

    from runner.workspace import atomic_write

    with atomic_write(output) as temp:
        first = next(tables)
        with pq.ParquetWriter(temp, first.schema, write_page_checksum=True) as writer:
            writer.write_table(first)
            for table in tables:
                writer.write_table(table)


def _print_ids(store: Store, sids: np.ndarray) -> None:
    from runner.cli.shared.terminal import for_output
    from runner.corpus.sentences.lookup import locate

    for position in locate(store, sids):
        click.echo(for_output(position.sent_id or f"{position.source}:{position.number}"))


def _print_escaped(store: Store, kind: str, sids: np.ndarray) -> None:
    from runner.cli.shared.terminal import safe
    from runner.corpus.sentences.export import conllu_blocks, sentence_texts

    if kind == "text":
        for text in sentence_texts(store, sids):
            click.echo(safe(text))
        return
    for block in conllu_blocks(store, sids):
        for line in block.split("\n"):
            click.echo("\t".join(safe(column) for column in line.split("\t")))


def _print_json(store: Store, filters: Sequence[CompiledFilter], engine: Engine) -> None:
    """Print an array with one object per line, readable as a whole or line by line."""
    separator = "["
    for entry in sentences_with_matches(store, filters, engine):
        click.echo(f"{separator}\n{json.dumps(entry, ensure_ascii=not _utf8())}", nl=False)
        separator = ","
    click.echo("[]" if separator == "[" else "\n]")


def _utf8() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" and not sys.stdout.isatty()


def sentences_with_matches(store: Store, filters: Sequence[CompiledFilter], engine: Engine) -> Iterator[dict[str, Any]]:
    """Yield each matching sentence in corpus order: its source, number and sent_id, and the words of each match."""
    import numpy as np

    from runner.corpus.sentences.lookup import locate

    by_sid: dict[int, list[dict[str, Any]]] = {}
    for label, compiled in zip(labels(filters), filters, strict=True):
        for table in engine.matches(compiled):
            for sid, *ids in zip(*(column.to_pylist() for column in table.columns), strict=True):
                words = {name: word for name, word in zip(compiled.names, ids, strict=True) if word is not None}
                by_sid.setdefault(sid, []).append({"filter": label, "words": words})
    for position in locate(store, np.array(sorted(by_sid), np.int64)):
        yield {
            "source": position.source,
            "number": position.number,
            "sent_id": position.sent_id,
            "matches": by_sid.pop(position.sid),
        }
