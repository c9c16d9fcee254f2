"""`fictc explain`, `compile` and `rule`: a filter in English, SQL or a stage between, and the page of a diagnostic."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, fields, is_dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

import click

from fictdsl.diagnostics.suggest import nearest
from fictdsl.sql.statement import DIALECTS
from fictdsl.words import counted, inflected
from runner.cli import query_options
from runner.cli.options import format_option
from runner.cli.terminal import for_output, highlighted
from runner.corpus.filter_arguments import filter_labels, is_inline_query
from runner.errors import InputError
from runner.tables import aligned

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from fictdsl.lint.pages import Page
    from fictdsl.schema import Layout
    from fictdsl.syntax.files import ListOverrides
    from runner.corpus.store import Store


_MAX_DIGITS = 9  # of a number for which the nearest code is suggested


@click.command("rule")
@click.argument("codes", nargs=-1, metavar="[CODE]...", shell_complete=query_options.complete_codes)
@click.option("--all", "all_pages", is_flag=True, help="Print every page.")
@format_option("text", "markdown", "json")
def rule(codes: tuple[str, ...], output_format: str, *, all_pages: bool) -> None:
    """Explain a diagnostic, with an example of the problem and its correction.

    CODE is a code or name: FICT203, 203 or unknown-parameter. Without CODE, all diagnostics are listed.

    \b
    Examples:
      fictc rule FICT203
      fictc rule --all --format json
    """
    from fictdsl.lint.pages import page, pages

    selected = pages() if all_pages else [page(code_of(name)) for name in codes]
    if output_format == "json":
        output_pages = selected if all_pages or codes else pages()
        click.echo(json.dumps([asdict(item) for item in output_pages], indent=2, ensure_ascii=False))
    elif selected:
        print_pages(selected, as_markdown=output_format == "markdown")
    else:
        click.echo("\n".join(_listing(pages(), as_markdown=output_format == "markdown")))


def code_of(name: str) -> str:
    from fictdsl.diagnostics.codes import CATALOGUE

    names = {entry.name: code for code, entry in CATALOGUE.items()}
    number = name.upper().removeprefix("FICT")
    if f"FICT{number}" in CATALOGUE:
        return f"FICT{number}"
    if name.lower() in names:
        return names[name.lower()]
    if number.isdecimal() and len(number) <= _MAX_DIGITS:
        suggestion = min(CATALOGUE, key=lambda code: abs(int(code[4:]) - int(number)))
    else:
        suggestion = nearest(name.lower(), names) or ""
    raise click.UsageError(f"There is no diagnostic {name}." + (f" The nearest is {suggestion}." if suggestion else ""))


def print_pages(pages: Sequence[Page], *, as_markdown: bool = False) -> None:
    text = "\n".join(item.markdown for item in pages).rstrip("\n")
    if as_markdown or not sys.stdout.isatty():
        click.echo(text)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(text, code_theme="ansi_dark"), width=min(console.width, 100))


def _listing(pages: Sequence[Page], *, as_markdown: bool) -> Iterator[str]:
    for index, (family, family_pages) in enumerate(groupby(pages, key=lambda page: page.family)):
        if index:
            yield ""
        yield f"## {family}\n" if as_markdown else family
        for page in family_pages:
            row = f"{page.code}  {page.name:<26} {page.severity}"
            yield f"- `{page.code}` {page.name} ({page.severity})" if as_markdown else f"  {row}"


@click.command(
    name="compile",
    help=f"""Compile filters to SQL over the tables of a corpus store, or print an intermediate stage.

    {query_options.FILTER_HELP}

    A statement returns a row per match: the number of the sentence (sid) and the word id of each name (m0, m1, …).
    An action on words has a second statement, which reads this result as the table `matches` and returns the words.

    \b
    Example:
      fictc compile filters/passive.fict --emit plan
    """,
)
@click.argument("filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=query_options.complete_filters)
@click.option(
    "--emit",
    type=click.Choice(["ast", "ir", "plan", "sql"]),
    default="sql",
    help="ast: the syntax tree. ir: the core language. plan: the relational plan. sql: the statement.",
)
@click.option("--dialect", type=click.Choice([*DIALECTS]), default="duckdb", help="SQL dialect.")
@click.option(
    "--columns",
    type=click.Choice(["store", "conllu"]),
    default="store",
    help="store: the tables of a store. conllu: a single table `tokens` made by other tools, with the columns sid, id, "
    "form, lemma, upos, xpos, feats, head and deprel (`_` is NULL; sid numbers the sentences).",
)
@query_options.lists_option
def compile_filters(
    filter: tuple[str, ...],  # noqa: A002 - click shows the name
    emit: str,
    dialect: str,
    columns: str,
    lists: ListOverrides,
) -> None:
    from fictdsl.schema import PLAIN, RAW

    filters = query_options.load_filters(filter, lists)
    if columns == "conllu":
        _check_columns(filters)
    layout = RAW if columns == "conllu" else PLAIN
    comment = "--" if emit == "sql" else "#"
    sections = []
    for label, compiled in zip(filter_labels(filters), filters, strict=True):
        legend = [_column_legend(compiled)] if emit == "sql" and compiled.names else []
        heading = (f"{comment} {line}" for line in (label, *legend))
        sections.append("\n".join([*heading, _stage_text(compiled, emit, dialect, layout)]))
    click.echo("\n\n".join(sections))


def _column_legend(compiled: CompiledFilter) -> str:
    return ", ".join(f"m{index} = {name}" for index, name in enumerate(compiled.names))


def _check_columns(filters: Sequence[CompiledFilter]) -> None:
    from fictdsl.diagnostics.codes import diagnostic
    from fictdsl.plan.build import missing_from_raw

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


def step_lines(compiled: CompiledFilter, store: Store | None) -> Iterator[str]:
    from runner.corpus.engine import describe_plan, explain_plan

    if store is None:
        descriptions = describe_plan(compiled, compiled.plan)
        yield from (f"{number:>4}  {for_output(text)}" for number, text in enumerate(descriptions, 1))
        return
    explained = explain_plan(store, compiled)
    counts = explained.counts
    columns = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 120
    width = max(20, min(columns - 47, max(map(len, explained.texts))))
    rows = [["step", " " * width, f"{'estimated':>11}", f"{'rows':>11}", f"{'time':>9}"]]
    numbers = [*map(str, range(1, len(explained.texts) + 1)), ""]
    texts = [*explained.texts, "all matches"]
    estimates = [*(f"{estimate:,}" for estimate in explained.estimated), ""]
    steps = [*counts.steps, counts.matches]
    for number, text, estimate, step in zip(numbers, texts, estimates, steps, strict=True):
        first_line, *more_lines = textwrap.wrap(for_output(text), width, subsequent_indent="   ")
        rows.append([number, first_line, estimate, f"{step.rows:,}", f"{step.seconds * 1000:,.0f} ms"])
        rows += [["", line, "", "", ""] for line in more_lines]
    yield from aligned(rows, (0, 2, 3, 4))
    count, total = counts.sentences, store.info.sentences
    verb = inflected(count, "matches", "match")
    yield f"{count:,} of {counted(total, 'sentence')} {verb} ({count / max(1, total):.2%})"


@click.command(
    name="explain",
    help=f"""Explain in plain English what a filter matches and does, and print its source and its targets.

    {query_options.FILTER_HELP}
    {query_options.QUERY_HELP}

    With --corpus, also run the steps of the query plan, and print the estimated rows, the actual rows and the time of
    each. --ir, --plan and --sql print the filter in another form instead of English. They can be combined.

    FILTER may also be a diagnostic code such as FICT290, which is then explained as by `fictc rule`.

    \b
    Examples:
      fictc explain filters/passive.fict
      fictc explain filters/passive.fict --corpus stores/ewt
    """,
)
@click.argument(
    "filter", nargs=-1, required=True, metavar="FILTER...", shell_complete=query_options.complete_filters_and_codes
)
@click.option("--english", is_flag=True, help="Print the filter in plain English (default).")
@click.option("--ir", is_flag=True, help="Print the intermediate representation (core language).")
@click.option("--plan", is_flag=True, help="Print the steps of the query plan in words.")
@click.option("--sql", is_flag=True, help="Print the SQL statement.")
@click.option("--dialect", type=click.Choice([*DIALECTS, "all"]), default="duckdb", help="SQL dialect of --sql.")
@query_options.corpus_option(required=False)
@query_options.lists_option
@query_options.limits_options()
@query_options.takes_query
def command(query: query_options.Query, dialect: str, *, english: bool, ir: bool, plan: bool, sql: bool) -> None:
    codes = [argument for argument in query.arguments if re.fullmatch(r"FICT\d{3}", argument, re.IGNORECASE)]
    if codes:
        from fictdsl.lint.pages import page

        print_pages([page(code_of(code)) for code in codes])
    query = replace(query, arguments=tuple(argument for argument in query.arguments if argument not in codes))
    names = [argument for argument in query.arguments if not is_inline_query(argument)]
    rewrites = {
        (rewrite.matching.path, rewrite.name): rewrite for rewrite in query_options.load_rewrites(names, query.lists)
    }
    filters = query.filters(with_matches=True)
    store = query.open_corpus(filters) if query.paths else None
    for filter_index, (label, compiled) in enumerate(zip(filter_labels(filters), filters, strict=True)):
        rewrite = rewrites.get((compiled.path, compiled.name))
        sections: list[Iterable[str]] = []
        if english or not (ir or plan or sql):
            sections.append(_english(label, compiled, rewrite))
        if ir:
            sections.append([dump(compiled.ir)])
        if plan or store is not None:
            sections.append(step_lines(compiled, store))
        if sql:
            from fictdsl.sql.emit import pretty

            legend = f": {_column_legend(compiled)}" if compiled.names else ""
            for name in DIALECTS if dialect == "all" else [dialect]:
                sections.append([f"-- {name}{legend}", f"{pretty(compiled.plan, name)};"])
        if filter_index or codes:
            click.echo()
        for index, section in enumerate(sections):
            if index:
                click.echo()
            for line in section:
                click.echo(line)


def _english(label: str, compiled: CompiledFilter, rewrite: CompiledRewrite | None) -> Iterator[str]:
    from fictdsl.english.describe import describe, describe_rewrite

    metadata = compiled.metadata
    yield highlighted(label)
    if metadata.about:
        yield for_output(metadata.about)
    yield ""
    for line in describe(compiled) if rewrite is None else describe_rewrite(rewrite):
        yield for_output(line)
    entries = [("source", metadata.source or ""), *(("note", note) for note in metadata.notes)]
    entries += [("targets", ", ".join(metadata.targets)), ("file", str(compiled.path or ""))]
    entries += [("list", str(word_list)) for word_list in compiled.lists]
    yield ""
    for name, text in entries:
        if text:
            yield for_output(f"{name:8}{text}")


_DUMP_WIDTH = 100  # characters of a line, without its indentation


def dump(value: object) -> str:
    """Return the tree without spans, one field per line; a value that fits is on one line."""
    return "\n".join(_dump_lines(value))


def _dump_lines(value: object) -> Iterator[str]:
    one_line = _one_line(value)
    if len(one_line) <= _DUMP_WIDTH or not (is_dataclass(value) or isinstance(value, tuple)):
        yield one_line
        return
    if isinstance(value, tuple):
        for item in value:
            lines = iter(_dump_lines(item))
            yield f"- {next(lines)}"
            yield from (f"  {line}" for line in lines)
        return
    yield type(value).__name__
    for name, field_value in _fields_without_span(value):
        one_line = _one_line(field_value)
        if len(one_line) + len(name) <= _DUMP_WIDTH:
            yield f"  {name}: {one_line}"
        else:
            yield f"  {name}:"
            yield from (f"    {line}" for line in _dump_lines(field_value))


def _fields_without_span(value: object) -> list[tuple[str, object]]:
    names = [field.name for field in fields(value) if field.name != "span"]  # type: ignore[arg-type]
    return [(name, getattr(value, name)) for name in names]


def _one_line(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(_one_line(item) for item in value)}]"
    if is_dataclass(value):
        arguments = (f"{name}={_one_line(field_value)}" for name, field_value in _fields_without_span(value))
        return f"{type(value).__name__}({', '.join(arguments)})"
    return repr(value)
