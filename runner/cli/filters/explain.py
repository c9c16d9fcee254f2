"""`fictc explain`: a filter in plain English, or what a diagnostic code means."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from runner.cli.filters.steps import steps
from runner.cli.shared.complete import filters_and_codes
from runner.cli.shared.filters import HELP
from runner.cli.shared.limits import limits_options
from runner.cli.shared.lists import lists_option
from runner.corpus.store.limits import Limits

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.sql.context import Dialect
    from fictdsl.syntax.parsing.word_lists import ListOverrides
    from runner.corpus.store.opening import Store


@click.command(
    name="explain",
    help=f"""Say in plain words what a filter looks for, what it does, where it comes from and what it targets.

    {HELP}

    With --corpus, say too how many rows each step of its plan may keep by the store's counts, how many it does keep,
    and in what time. --ir, --plan and --sql show
    other stages in the place of the English; several may be asked for.

    Given the code of a message, such as FICT290, it says what that message means, as `fictc rule` does.

    \b
    Examples:
      fictc explain filters/passive.fict
      fictc explain filters/passive.fict --corpus stores/ewt
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=filters_and_codes)
@click.option("--english", is_flag=True, help="The filter in plain English (the default).")
@click.option("--ir", is_flag=True, help="The core language: names bound, sugar gone.")
@click.option("--plan", is_flag=True, help="The steps of its plan, in words.")
@click.option("--sql", is_flag=True, help="The SQL statement.")
@click.option("--dialect", type=click.Choice(["duckdb", "spark", "all"]), default="duckdb", show_default=True)
@click.option(
    "--corpus", "-c", type=click.Path(path_type=Path), metavar="STORE", help="Run the plan's steps on this store."
)
@lists_option
@limits_options()
def command(
    filter: tuple[str, ...],  # noqa: A002 - the metavar of its help
    dialect: str,
    corpus: Path | None,
    limits: Limits,
    lists: ListOverrides,
    *,
    english: bool,
    ir: bool,
    plan: bool,
    sql: bool,
) -> None:
    """See the help above."""
    from runner.cli.shared.filters import labels, load_filters

    codes = [argument for argument in filter if re.fullmatch(r"FICT\d{3}", argument, re.IGNORECASE)]
    if codes:
        from fictdsl.lint.pages import page
        from runner.cli.filters.rule import code_of, show

        show([page(code_of(code)) for code in codes])
    rest = [argument for argument in filter if argument not in codes]
    filters = load_filters(rest, lists)
    store = _open(corpus, filters, limits)
    for number, (label, compiled) in enumerate(zip(labels(filters), filters, strict=True)):
        parts = [_lines(label, compiled)] if english or not (ir or plan or sql) else []
        parts += [_ir(compiled)] if ir else []
        parts += [steps(compiled, store)] if plan or store is not None else []
        parts += [_sql(compiled, one) for one in _dialects(dialect)] if sql else []
        if number or codes:
            click.echo()
        for place, part in enumerate(parts):
            if place:
                click.echo()
            for line in part:
                click.echo(line)


def _open(corpus: Path | None, filters: Sequence[CompiledFilter], limits: Limits) -> Store | None:
    if corpus is None:
        return None
    from runner.cli.shared.filters import note_missing_features
    from runner.corpus.store.opening import Store

    store = Store.open(corpus, limits)
    note_missing_features(store, filters)
    return store


def _dialects(chosen: str) -> Sequence[Dialect]:
    return ("duckdb", "spark") if chosen == "all" else (cast("Dialect", chosen),)


def _ir(compiled: CompiledFilter) -> Iterator[str]:
    from runner.cli.filters.dump import dump

    yield dump(compiled.ir)


def _sql(compiled: CompiledFilter, dialect: Dialect) -> Iterator[str]:
    from fictdsl.sql.emit import pretty

    columns = ", ".join(f"m{number} = {name}" for number, name in enumerate(compiled.names))
    yield f"-- {dialect}{f': {columns}' if columns else ''}"
    yield f"{pretty(compiled.plan, dialect)};"


def _lines(label: str, compiled: CompiledFilter) -> Iterator[str]:
    from fictdsl.english.describe import describe
    from runner.cli.shared.terminal import for_output, highlighted

    metadata = compiled.metadata
    yield highlighted(label)
    for text in filter(None, [metadata.about]):
        yield for_output(text)
    yield ""
    for line in describe(compiled):
        yield for_output(line)
    entries = [("source", metadata.source or ""), *(("note", note) for note in metadata.notes)]
    entries += [("targets", ", ".join(metadata.targets)), ("file", str(compiled.path or ""))]
    entries += [("list", str(given)) for given in compiled.lists]
    yield ""
    for name, text in entries:
        if text:
            yield for_output(f"{name:8}{text}")
