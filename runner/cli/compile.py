"""`fictc compile`: compile filters to SQL, or print an intermediate stage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from fictdsl.sql.statement import DIALECTS
from runner.cli.filter_options import FILTER_HELP, complete_filters, filter_labels, lists_option, load_filters

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.plan.layout import Layout
    from fictdsl.syntax.word_lists import ListOverrides


@click.command(
    name="compile",
    help=f"""Compile filters to SQL over the tables of a corpus store, or print an intermediate stage.

    {FILTER_HELP}

    A statement returns a row per match: the number of the sentence (sid) and the word id of each name (m0, m1, …).
    An action on words has a second statement, which reads this result as the table `matches` and returns the words.

    \b
    Example:
      fictc compile filters/passive.fict --emit plan
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=complete_filters)
@click.option(
    "--emit",
    type=click.Choice(["ast", "ir", "plan", "sql"]),
    default="sql",
    show_default=True,
    help="ast: the syntax tree. ir: the core language. plan: the relational plan. sql: the statement.",
)
@click.option("--dialect", type=click.Choice([*DIALECTS]), default="duckdb", show_default=True, help="SQL dialect.")
@click.option(
    "--columns",
    type=click.Choice(["store", "conllu"]),
    default="store",
    show_default=True,
    help="store: the tables of a store. conllu: a single table `tokens` made by other tools, with the columns sid, id, "
    "form, lemma, upos, xpos, feats, head and deprel (`_` is NULL; sid numbers the sentences).",
)
@lists_option
def command(
    filter: tuple[str, ...],  # noqa: A002 - click shows the name
    emit: str,
    dialect: str,
    columns: str,
    lists: ListOverrides,
) -> None:
    """Compile filters to SQL, or print an intermediate stage."""
    from fictdsl.plan.layout import PLAIN, RAW

    filters = load_filters(filter, lists)
    if columns == "conllu":
        _check_columns(filters)
    layout = RAW if columns == "conllu" else PLAIN
    comment = "--" if emit == "sql" else "#"
    sections = []
    for label, compiled in zip(filter_labels(filters), filters, strict=True):
        heading = "\n".join([f"{comment} {label}", *(f"{comment} {line}" for line in _column_legend(compiled, emit))])
        sections.append(f"{heading}\n{_stage_text(compiled, emit, dialect, layout)}")
    click.echo("\n\n".join(sections))


def _column_legend(compiled: CompiledFilter, emit: str) -> Iterator[str]:
    """Yield a line that names the node of each column m0, m1, … of the SQL result, if there are any columns."""
    if emit == "sql" and compiled.names:
        yield ", ".join(f"m{index} = {name}" for index, name in enumerate(compiled.names))


def _check_columns(filters: Sequence[CompiledFilter]) -> None:
    """Raise InputError (FICT409) for filters that need more than the columns of CoNLL-U."""
    from fictdsl.diagnostics.codes import diagnostic
    from fictdsl.plan.build import missing_from_raw
    from runner.errors import InputError

    missing = [(compiled, missing_from_raw(compiled.ir)) for compiled in filters]
    problems = [
        diagnostic("FICT409", compiled.module.source, compiled.definition.name.span, name=compiled.name, what=what)
        for compiled, parts in missing
        if (what := ", ".join(parts))
    ]
    if problems:
        raise InputError(problems)


def _stage_text(compiled: CompiledFilter, emit: str, dialect: str, layout: Layout) -> str:
    from fictdsl.sql.emit import pretty, pretty_targets
    from runner.cli.terminal import dump

    match emit:
        case "ast":
            return dump(compiled.definition)
        case "ir":
            return dump(compiled.ir)
        case "plan":
            plan = compiled.plan_for(layout)
            steps = [f"r{index} = {dump(relation)}" for index, relation in enumerate(plan.relations)]
            return "\n".join([*steps, *(dump(output) for output in plan.outputs)])
        case _:
            statements = [f"{pretty(compiled.plan_for(layout), dialect, layout)};"]
            for action, text in zip(compiled.ir.actions, compiled.actions, strict=True):
                if action.target != "sentence":
                    statements.append(f"-- {text}\n{pretty_targets(action, dialect)};")
            return "\n\n".join(statements)
