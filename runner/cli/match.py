"""`fictc match`: print the sentences of a corpus that filters match, in one of several formats."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from runner.cli import query_options
from runner.cli.options import PATH
from runner.cli.terminal import for_output, open_output
from runner.corpus.filter_arguments import filter_labels

if TYPE_CHECKING:
    import numpy as np

    from fictdsl.compiler import CompiledFilter
    from runner.corpus.engine import Engine
    from runner.corpus.store import Store


@dataclass(frozen=True, slots=True)
class MatchRequest:
    """The matches to write, with the names of the filters in the output; `output` is None if they are printed."""

    store: Store
    filters: Sequence[CompiledFilter]
    labels: Sequence[str]
    engine: Engine
    output: Path | None

    def sids(self) -> np.ndarray:
        return self.engine.sids(self.filters)


def _write_exactly(request: MatchRequest, text_format: Literal["conllu", "text"]) -> None:
    from runner.corpus.sentence_texts import write_sentences

    with open_output() as file:
        write_sentences(request.store, text_format, file, request.sids())


def _write_ids(request: MatchRequest) -> None:
    from runner.corpus.sentence_texts import locate

    for location in locate(request.store, request.sids()):
        click.echo(for_output(location.name))


def _write_json(request: MatchRequest) -> None:
    is_utf8 = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8" and not sys.stdout.isatty()
    separator = "["
    for entry in sentences_with_matches(request):
        click.echo(f"{separator}\n{json.dumps(entry, ensure_ascii=not is_utf8)}", nl=False)
        separator = ","
    click.echo("[]" if separator == "[" else "\n]")


def sentences_with_matches(request: MatchRequest) -> Iterator[dict[str, Any]]:
    import numpy as np

    from runner.corpus.sentence_texts import locate

    matches_by_sid: dict[int, list[dict[str, Any]]] = {}
    for label, compiled in zip(request.labels, request.filters, strict=True):
        for table in request.engine.matches(compiled):
            for sid, *ids in zip(*(column.to_pylist() for column in table.columns), strict=True):
                words = {name: word for name, word in zip(compiled.names, ids, strict=True) if word is not None}
                matches_by_sid.setdefault(sid, []).append({"filter": label, "words": words})
    for location in locate(request.store, np.array(sorted(matches_by_sid), np.int64)):
        yield {**location.record, "matches": matches_by_sid.pop(location.sid)}


def _write_tsv(request: MatchRequest) -> None:
    for index, table in enumerate(request.engine.by_sentence(request.filters, request.labels)):
        if not index:
            click.echo("\t".join(map(for_output, table.column_names)))
        for row in zip(*(column.to_pylist() for column in table.columns), strict=True):
            cells = ("" if cell is None else str(cell).replace("\t", " ") for cell in row)
            click.echo("\t".join(map(for_output, cells)))


def _write_parquet(request: MatchRequest) -> None:
    import pyarrow.parquet as pq

    from runner.workspace import atomic_write

    assert request.output is not None
    tables = request.engine.by_sentence(request.filters, request.labels)
    with atomic_write(request.output) as temp:
        first_table = next(tables)
        with pq.ParquetWriter(temp, first_table.schema, write_page_checksum=True) as writer:
            writer.write_table(first_table)
            for table in tables:
                writer.write_table(table)


# name → what it writes, for `--help`, and the function that writes it
FORMATS: dict[str, tuple[str, Callable[[MatchRequest], None]]] = {
    "conllu": ("the trees, byte for byte", lambda request: _write_exactly(request, "conllu")),
    "ids": ("the sent_id of each sentence, one per line (source:number if it has none)", _write_ids),
    "json": ("source, number in the source, sent_id, and every match with its words", _write_json),
    "parquet": ("the table of tsv as a Parquet file", _write_parquet),
    "text": (
        "the text of each matching sentence on a line, as written in the source",
        lambda request: _write_exactly(request, "text"),
    ),
    "tsv": (
        "a row per matching sentence: its source, its number there, its sent_id, and the number of matches of each "
        "filter",
        _write_tsv,
    ),
}
_NEEDS_FILE = "parquet"


@click.command(
    name="match",
    help=f"""Print the sentences of a corpus that a filter matches, in corpus order.

    {query_options.FILTER_HELP}
    {query_options.QUERY_HELP}

    With several filters, the sentences that any of them matches are printed. The actions of a filter have no effect
    here: a filter that removes sentences and one that keeps them print the same sentences.

    \b
    Examples:
      fictc match filters/passive.fict --corpus stores/ewt --format text | head
      fictc match filters/passive.fict --corpus stores/ewt --format conllu > passives.conllu
      fictc match fict15 --corpus stores/ewt --format tsv > overlaps.tsv
    """,
)
@query_options.required_filters
@query_options.corpus_option()
@click.option(
    "--format",
    "format_name",
    type=click.Choice(list(FORMATS)),
    default="ids",
    help=" ".join(f"{name}: {description}." for name, (description, _) in FORMATS.items()),
)
@click.option("--output", "-o", type=PATH, help=f"Output file, for {_NEEDS_FILE}.")
@query_options.lists_option
@query_options.limits_options()
@query_options.engine_options
@query_options.takes_query
def command(
    query: query_options.Query, format_name: str, output: Path | None, engine: query_options.EngineChoice
) -> None:
    needs_file = format_name == _NEEDS_FILE
    if needs_file and output is None:
        raise click.UsageError(f"--format {format_name} requires --output FILE")
    if output is not None and not needs_file:
        raise click.UsageError(f"--format {format_name} is printed; --output is for other formats")
    filters = query.filters()
    store = query.open_corpus(filters)
    with engine.open(store) as query_engine:
        _, write = FORMATS[format_name]
        write(MatchRequest(store, filters, filter_labels(filters), query_engine, output))
