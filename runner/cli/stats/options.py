"""Options and output shared by the commands of `fictc stats`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.options.format import format_option
from runner.cli.options.relations import option
from runner.cli.shared.messages import print_message
from runner.counted import counted
from runner.tables import Column, Table, to_csv, to_text

if TYPE_CHECKING:
    from runner.corpus.stats.groups import Groups
    from runner.corpus.store.opening import Store

LOG_ODDS = (
    Column("log_odds", "log-odds", "number", spec="+.2f"),
    Column("low", "95 % low", "number", spec="+.2f"),
    Column("high", "high", "number", spec="+.2f"),
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


def print_table(
    table: Table, output_format: str, metadata: Mapping[str, object] | None = None, notes: Sequence[str] = ()
) -> None:
    """Print a table as text with notes below it, as CSV, or as JSON together with `metadata`."""
    from runner.cli.shared.terminal import for_output

    match output_format:
        case "csv":
            click.echo(to_csv(table), nl=False)
        case "json":
            click.echo(json.dumps({**(metadata or {}), "rows": table.records()}, ensure_ascii=False, indent=1))
        case _:
            click.echo("\n".join(map(for_output, [*to_text(table), *notes])))
