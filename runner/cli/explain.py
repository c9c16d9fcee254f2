"""`fictc explain`: a filter in plain English, its steps on a corpus, or the meaning of a diagnostic code."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.sql.statement import DIALECTS
from fictdsl.words import counted, inflected
from runner.cli.corpus_options import corpus_option, limits_options, open_corpus
from runner.cli.filter_options import FILTER_HELP, QUERY_HELP, complete_filters_and_codes, lists_option
from runner.cli.terminal import for_output
from runner.corpus.limits import Limits

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter, CompiledRewrite
    from fictdsl.syntax.word_lists import ListOverrides
    from runner.corpus.engine import StepCounts
    from runner.corpus.store import Store


def step_lines(compiled: CompiledFilter, store: Store | None) -> Iterator[str]:
    """Yield the steps as lines. With a store, add the estimated rows, actual rows and time of each, and the matches."""
    from runner.corpus.engine import describe_plan, explain_plan

    if store is None:
        descriptions = describe_plan(compiled, compiled.plan)
        yield from (f"{number:>4}  {for_output(text)}" for number, text in enumerate(descriptions, 1))
        return
    explained = explain_plan(store, compiled)
    counts, width = explained.counts, _width(explained.texts)
    yield f"step  {'':{width}}  {'estimated':>11}  {'rows':>11}  {'time':>9}"
    for index, text in enumerate(explained.texts):
        yield from _row(str(index + 1), text, f"{explained.estimated[index]:,}", counts.steps[index], width)
    yield from _row("", "all matches", "", counts.matches, width)
    count, total = counts.sentences, store.info.sentences
    verb = inflected(count, "matches", "match")
    yield f"{count:,} of {counted(total, 'sentence')} {verb} ({count / max(1, total):.2%})"


def _row(number: str, text: str, estimated: str, step: StepCounts, width: int) -> Iterator[str]:
    first_line, *more_lines = textwrap.wrap(for_output(text), width, subsequent_indent="   ")
    yield f"{number:>4}  {first_line:{width}}  {estimated:>11}  {step.rows:>11,}  {step.seconds * 1000:>6,.0f} ms"
    yield from (f"      {line}" for line in more_lines)


def _width(descriptions: list[str]) -> int:
    """Return the width of the description column: as needed, limited by the terminal."""
    columns = shutil.get_terminal_size((100, 24)).columns if sys.stdout.isatty() else 120
    return max(20, min(columns - 47, max(map(len, descriptions))))


@click.command(
    name="explain",
    help=f"""Explain in plain English what a filter matches and does, and print its source and its targets.

    {FILTER_HELP}
    {QUERY_HELP}

    With --corpus, also run the steps of the query plan, and print the estimated rows, the actual rows and the time of
    each. --ir, --plan and --sql print the filter in another form instead of English. They can be combined.

    FILTER may also be a diagnostic code such as FICT290, which is then explained as by `fictc rule`.

    \b
    Examples:
      fictc explain filters/passive.fict
      fictc explain filters/passive.fict --corpus stores/ewt
    """,
)
@click.argument("arguments", nargs=-1, required=True, metavar="FILTER...", shell_complete=complete_filters_and_codes)
@click.option("--english", is_flag=True, help="Print the filter in plain English (default).")
@click.option("--ir", is_flag=True, help="Print the intermediate representation (core language).")
@click.option("--plan", is_flag=True, help="Print the steps of the query plan in words.")
@click.option("--sql", is_flag=True, help="Print the SQL statement.")
@click.option(
    "--dialect",
    type=click.Choice([*DIALECTS, "all"]),
    default="duckdb",
    show_default=True,
    help="SQL dialect of --sql.",
)
@corpus_option(required=False)
@lists_option
@limits_options()
def command(
    arguments: tuple[str, ...],
    dialect: str,
    corpus: tuple[Path, ...],
    limits: Limits,
    lists: ListOverrides,
    *,
    english: bool,
    ir: bool,
    plan: bool,
    sql: bool,
) -> None:
    """Explain filters and diagnostic codes."""
    from runner.cli.filter_options import filter_labels, load_filters_and_matches, load_rewrites
    from runner.corpus.filter_arguments import is_inline_query

    codes = [argument for argument in arguments if re.fullmatch(r"FICT\d{3}", argument, re.IGNORECASE)]
    if codes:
        from fictdsl.lint.pages import page
        from runner.cli.rule import code_of, print_pages

        print_pages([page(code_of(code)) for code in codes])
    filter_arguments = [argument for argument in arguments if argument not in codes]
    names = [argument for argument in filter_arguments if not is_inline_query(argument)]
    rewrites = {(rewrite.matching.path, rewrite.name): rewrite for rewrite in load_rewrites(names, lists)}
    filters = load_filters_and_matches(filter_arguments, lists, allow_queries=True)
    store = _open_store(corpus, filters, limits)
    for filter_index, (label, compiled) in enumerate(zip(filter_labels(filters), filters, strict=True)):
        rewrite = rewrites.get((compiled.path, compiled.name))
        sections = [_english(label, compiled, rewrite)] if english or not (ir or plan or sql) else []
        sections += [_ir(compiled)] if ir else []
        sections += [step_lines(compiled, store)] if plan or store is not None else []
        sections += [_sql(compiled, name) for name in _dialects(dialect)] if sql else []
        if filter_index or codes:
            click.echo()
        for index, section in enumerate(sections):
            if index:
                click.echo()
            for line in section:
                click.echo(line)


def _open_store(corpus: Sequence[Path], filters: Sequence[CompiledFilter], limits: Limits) -> Store | None:
    if not corpus:
        return None
    from runner.cli.filter_options import note_absent_labels

    store = open_corpus(corpus, limits)
    note_absent_labels(store, filters)
    return store


def _dialects(name: str) -> Sequence[str]:
    return tuple(DIALECTS) if name == "all" else (name,)


def _ir(compiled: CompiledFilter) -> Iterator[str]:
    from runner.cli.terminal import dump

    yield dump(compiled.ir)


def _sql(compiled: CompiledFilter, dialect: str) -> Iterator[str]:
    from fictdsl.sql.emit import pretty

    columns = ", ".join(f"m{index} = {name}" for index, name in enumerate(compiled.names))
    yield f"-- {dialect}{f': {columns}' if columns else ''}"
    yield f"{pretty(compiled.plan, dialect)};"


def _english(label: str, compiled: CompiledFilter, rewrite: CompiledRewrite | None) -> Iterator[str]:
    from fictdsl.english.describe import describe, describe_rewrite
    from runner.cli.terminal import for_output, highlighted

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
