"""Options and output shared by the commands of `fictc stats`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.options.format import format_option
from runner.cli.options.relations import option
from runner.cli.shared.messages import print_message
from runner.counted import counted

if TYPE_CHECKING:
    from runner.corpus.stats.groups import Groups
    from runner.corpus.store.opening import Store

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its key in CSV and JSON, its title in a table, and the format of its numbers there."""

    key: str
    title: str
    format_spec: str = ""


LOG_ODDS = (
    Column("log_odds", "log-odds", "+.2f"),
    Column("low", "95 % low", "+.2f"),
    Column("high", "high", "+.2f"),
)


def by_options(*, required: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator that adds the options `--by` and `--until`."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        until = option(
            "--until", metavar="SEPARATOR", help="Group by the value before the first SEPARATOR.", requires="--by"
        )
        by = click.option("--by", metavar="KEY", required=required, help="Group by source, doc, sent_id or a comment.")
        return by(until(command))

    return add


layer_option = click.option(
    "--layer",
    "layers",
    multiple=True,
    metavar="LAYER",
    help="upos, xpos, deprel, a feature, form, lemma or misc.Key [default: upos, xpos, deprel and all features]. "
    "May be repeated.",
)
lower_option = click.option("--lower", is_flag=True, help="Count forms and lemmas in lower case.")
table_format_option = format_option("table", "csv", "json")
# a store, or a CoNLL-U file or a folder of them
store_argument = click.argument("store", type=click.Path(path_type=Path), metavar="STORE")


def groups_of(store: Store, by: str | None, until: str | None) -> Groups:
    """Return the parts of the corpus. Note on stderr how many sentences belong to no part.

    Raises UsageError if `until` is empty, and InputError (FICT797) if no sentence has a value.
    """
    if until == "":
        raise click.UsageError("--until expects a SEPARATOR, such as `-`")
    from runner.corpus.stats.groups import read_groups, whole_corpus

    if by is None:
        return whole_corpus(store)
    groups = read_groups(store, by, until)
    if groups.sentences_without_value:
        noun = "sentence has" if groups.sentences_without_value == 1 else "sentences have"
        print_message(f"note: {groups.sentences_without_value:,} {noun} no {by}: omitted", err=True)
    return groups


def require_comparable(groups: Groups, max_parts: int | None = None) -> Groups:
    """Return `groups`. Raises InputError (FICT796) unless there are at least 2 and at most `max_parts` parts."""
    from fictdsl.diagnostics.codes import diagnostic
    from runner.errors import InputError

    count = len(groups.names)
    if count < 2 or (max_parts is not None and count > max_parts):
        expected = "at least 2 parts" if max_parts is None else f"2 to {max_parts} parts"
        raise InputError(diagnostic("FICT796", key=groups.key, found=counted(count, "part"), needed=expected))
    return groups


def print_rows(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    output_format: str,
    metadata: Mapping[str, object] | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Print rows as a table with notes below it, as CSV, or as JSON together with `metadata`."""
    match output_format:
        case "csv":
            from runner.tables import csv_text

            click.echo(csv_text([[column.key for column in columns], *rows]), nl=False)
        case "json":
            records = [dict(zip([column.key for column in columns], row, strict=True)) for row in rows]
            click.echo(json.dumps({**(metadata or {}), "rows": records}, ensure_ascii=False, indent=1))
        case _:
            from runner.cli.shared.terminal import for_output
            from runner.tables import aligned

            text_rows = [
                [_format_cell(cell, column) for cell, column in zip(row, columns, strict=True)] for row in rows
            ]
            lines = [*aligned([[column.title for column in columns], *text_rows]), *notes]
            click.echo("\n".join(map(for_output, lines)))


def _format_cell(cell: Cell, column: Column) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    return format(cell, column.format_spec or ("," if isinstance(cell, int) else ".4f"))
