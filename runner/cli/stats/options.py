"""What the commands of `fictc stats` share: `--by`, `--layer`, the table, and how it is printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.shared.messages import print_message

if TYPE_CHECKING:
    from runner.corpus.stats.groups import Groups
    from runner.corpus.store.opening import Store

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its name in CSV and JSON, its heading in a table, and how a number of it is written there."""

    key: str
    title: str
    form: str = ""


LOG_ODDS = (
    Column("log_odds", "log-odds", "+.2f"),
    Column("low", "95 % low", "+.2f"),
    Column("high", "high", "+.2f"),
)


def by_options(*, required: bool) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options `--by` and `--until`."""

    def add(command: Callable[..., Any]) -> Callable[..., Any]:
        until = click.option("--until", metavar="SIGN", help="Group by what stands before the first SIGN in the value.")
        by = click.option("--by", metavar="KEY", required=required, help="source, doc, sent_id or a comment's name.")
        return by(until(command))

    return add


layer_option = click.option(
    "--layer",
    "layers",
    multiple=True,
    metavar="LAYER",
    help="upos, xpos, deprel, a feature, form, lemma or misc.Key; may be repeated [upos, xpos, deprel, every feature].",
)
format_option = click.option(
    "--format", "kind", type=click.Choice(["table", "csv", "json"]), default="table", show_default=True
)
store_argument = click.argument("store", type=click.Path(path_type=Path), metavar="STORE")


def groups_of(store: Store, by: str | None, until: str | None) -> Groups:
    """The parts that are asked for; those who have no value are told of."""
    from runner.corpus.stats.groups import read_groups, whole

    if by is None:
        return whole(store)
    groups = read_groups(store, by, until)
    if groups.without:
        noun = "sentence has" if groups.without == 1 else "sentences have"
        print_message(f"note: {groups.without:,} {noun} no {by}: left out", err=True)
    return groups


def comparable(groups: Groups, most: int | None = None) -> Groups:
    """The parts, if there are two or more and not more than `most`, else InputError FICT796."""
    from fictdsl.diagnostics.codes import diagnostic
    from runner.corpus.conllu.reader import pluralize
    from runner.errors import InputError

    count = len(groups.names)
    if count < 2 or (most is not None and count > most):
        needed = "at least 2 parts" if most is None else f"2 to {most} parts"
        raise InputError(diagnostic("FICT796", key=groups.key, found=pluralize(count, "part"), needed=needed))
    return groups


def show(
    columns: Sequence[Column],
    rows: Sequence[Sequence[Cell]],
    kind: str,
    about: Mapping[str, object] | None = None,
    notes: Sequence[str] = (),
) -> None:
    """Print rows as a table with notes below it, as CSV, or as JSON beside what they are about."""
    match kind:
        case "csv":
            from runner.report.results.spreadsheet import csv_text

            click.echo(csv_text([[column.key for column in columns], *rows]), nl=False)
        case "json":
            records = [dict(zip([c.key for c in columns], row, strict=True)) for row in rows]
            click.echo(json.dumps({**(about or {}), "rows": records}, ensure_ascii=False, indent=1))
        case _:
            from runner.cli.shared.terminal import for_output
            from runner.report.tables.aligned import aligned

            text = [[_written(cell, column) for cell, column in zip(row, columns, strict=True)] for row in rows]
            click.echo(for_output("\n".join([*aligned([[c.title for c in columns], *text]), *notes])))


def _written(cell: Cell, column: Column) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, str):
        return cell
    return format(cell, column.form or ("," if isinstance(cell, int) else ".4f"))
