"""`fictc explain`: a filter in plain English, or what a diagnostic code means."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import click

from runner.cli.filters import HELP

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.sql.context import Dialect


@click.command(
    name="explain",
    help=f"""Say in plain words what a filter looks for, what it does, where it comes from and what it targets.

    {HELP}

    Given the code of a message, such as FICT290, it says what that message means.
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...")
@click.option("--sql", is_flag=True, help="Show the SQL too.")
@click.option("--dialect", type=click.Choice(["duckdb", "spark"]), default="duckdb", show_default=True)
def command(filter: tuple[str, ...], dialect: str, *, sql: bool) -> None:  # noqa: A002 - the metavar of its help
    """See the help above."""
    from runner.cli.filters import labels, load_filters

    codes = [argument for argument in filter if re.fullmatch(r"FICT\d{3}", argument, re.IGNORECASE)]
    for code in codes:
        click.echo(_code(code.upper()))
    rest = [argument for argument in filter if argument not in codes]
    filters = load_filters(rest)
    for number, (label, compiled) in enumerate(zip(labels(filters), filters, strict=True)):
        if number or codes:
            click.echo()
        for line in _lines(label, compiled):
            click.echo(line)
        if sql:
            from fictdsl.sql.emit import pretty

            click.echo(f"\n{pretty(compiled.plan, cast('Dialect', dialect))};")


def _lines(label: str, compiled: CompiledFilter) -> Iterator[str]:
    from fictdsl.english.describe import describe
    from runner.cli.terminal import for_output, highlighted

    metadata = compiled.metadata
    yield highlighted(label)
    for text in filter(None, [metadata.about]):
        yield for_output(text)
    yield ""
    for line in describe(compiled):
        yield for_output(line)
    entries = [("source", metadata.source or ""), *(("note", note) for note in metadata.notes)]
    entries += [("targets", ", ".join(metadata.targets)), ("file", str(compiled.path or ""))]
    yield ""
    for name, text in entries:
        if text:
            yield for_output(f"{name:8}{text}")


def _code(code: str) -> str:
    from fictdsl.diagnostics.codes import CATALOGUE
    from fictdsl.diagnostics.suggest import nearest
    from fictdsl.lint.discover import RULES
    from runner.cli.terminal import highlighted

    entry = CATALOGUE.get(code)
    if entry is None:
        near = nearest(code, CATALOGUE)
        raise click.UsageError(f"There is no message {code}." + (f" The nearest is {near}." if near else ""))
    page = next((rule.page for rule in RULES if rule.code == code), entry.explanation)
    return f"{highlighted(entry.code)} ({entry.name}, {entry.severity.value})\n{page}"
