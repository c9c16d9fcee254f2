"""`fictc compile`: filters as SQL, or any stage on the way to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, cast

import click

from runner.cli.shared.complete import filters
from runner.cli.shared.filters import HELP, labels, load_filters
from runner.cli.shared.lists import lists_option

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.plan.layout import Layout
    from fictdsl.sql.context import Dialect
    from fictdsl.syntax.parsing.word_lists import ListOverrides


@click.command(
    name="compile",
    help=f"""Turn filters into SQL over the tables of a corpus store, or show any stage on the way.

    {HELP}

    Each statement gives the number of the sentence (sid) and the id of the word for each name (m0, m1, …) of
    every match. For an action on words there is a second one, over this result as the table `matches`: the words.

    \b
    Example:
      fictc compile filters/passive.fict --emit plan
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=filters)
@click.option(
    "--emit",
    type=click.Choice(["ast", "ir", "plan", "sql"]),
    default="sql",
    show_default=True,
    help="ast: the syntax tree. ir: names bound, sugar gone. plan: the relational plan. sql: the statement.",
)
@click.option("--dialect", type=click.Choice(["duckdb", "spark"]), default="duckdb", show_default=True)
@click.option(
    "--columns",
    type=click.Choice(["store", "conllu"]),
    default="store",
    show_default=True,
    help="store: the tables of a store. conllu: one table `tokens`, not of fictc's making, with the columns sid, id, "
    "form, lemma, upos, xpos, feats, head, deprel (`_` as NULL; sid numbers the sentences).",
)
@lists_option
def command(
    filter: tuple[str, ...],  # noqa: A002 - the metavar of its help
    emit: str,
    dialect: str,
    columns: str,
    lists: ListOverrides,
) -> None:
    """See the help above."""
    from fictdsl.plan.layout import PLAIN, RAW

    filters = load_filters(filter, lists)
    if columns == "conllu":
        _check(filters)
    layout = RAW if columns == "conllu" else PLAIN
    mark = "--" if emit == "sql" else "#"
    parts = []
    for label, compiled in zip(labels(filters), filters, strict=True):
        heading = "\n".join([f"{mark} {label}", *(f"{mark} {line}" for line in _columns(compiled, emit))])
        parts.append(f"{heading}\n{_stage(compiled, emit, cast('Dialect', dialect), layout)}")
    click.echo("\n\n".join(parts))


def _columns(compiled: CompiledFilter, emit: str) -> Iterator[str]:
    """What the numbered columns of the result are."""
    if emit == "sql" and compiled.names:
        yield ", ".join(f"m{number} = {name}" for number, name in enumerate(compiled.names))


def _check(filters: Sequence[CompiledFilter]) -> None:
    """Raise InputError for what the columns of CoNLL-U do not hold."""
    from fictdsl.diagnostics.codes import diagnostic
    from fictdsl.plan.raw import missing_from_raw
    from runner.errors import InputError

    asked = [(compiled, missing_from_raw(compiled.ir)) for compiled in filters]
    problems = [
        diagnostic("FICT409", compiled.module.source, compiled.definition.name.span, name=compiled.name, what=what)
        for compiled, names in asked
        if (what := ", ".join(names))
    ]
    if problems:
        raise InputError(problems)


def _stage(compiled: CompiledFilter, emit: str, dialect: Dialect, layout: Layout) -> str:
    from fictdsl.sql import targets
    from fictdsl.sql.emit import pretty
    from runner.cli.filters.dump import dump

    match emit:
        case "ast":
            return dump(compiled.definition)
        case "ir":
            return dump(compiled.ir)
        case "plan":
            plan = compiled.plan_for(layout)
            steps = [f"r{number} = {dump(relation)}" for number, relation in enumerate(plan.relations)]
            return "\n".join([*steps, *(dump(output) for output in plan.outputs)])
        case _:
            statements = [f"{pretty(compiled.plan_for(layout), dialect, layout)};"]
            for action, written in zip(compiled.ir.actions, compiled.actions, strict=True):
                if action.target != "sentence":
                    statements.append(f"-- {written}\n{targets.pretty(action, dialect)};")
            return "\n\n".join(statements)
