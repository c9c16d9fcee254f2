"""`fictc report`: a run's results, or a table of results from anywhere, to a page or to all of its statistics."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from runner.cli.shared.complete import filters as filter_names
from runner.cli.shared.filters import load_filters
from runner.cli.shared.lists import lists_option
from runner.cli.shared.messages import say

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.parsing.word_lists import ListOverrides
    from runner.report.results.results import Results


@click.command("report")
@click.argument(
    "runs", nargs=-1, required=True, type=click.Path(path_type=Path, allow_dash=True), metavar="RUN|FILE.csv|SCORES…"
)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write [html: RUN/report.html, or FILE.html beside a table; others: standard output].",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "text", "json"]),
    default="html",
    show_default=True,
    help="A page with figures, and its tables as CSV beside it; the tests as text; or every statistic as JSON.",
)
@click.option(
    "--baseline", metavar="CORPUS", help="Of a table or of scores: the corpus that deltas are against [full]."
)
@click.option(
    "--targets",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Of a table or of scores: a CSV file `corpus,benchmark` that says which benchmarks a corpus targets.",
)
@click.option(
    "--filters",
    multiple=True,
    metavar="FILTER",
    shell_complete=filter_names,
    help="Of a table: filters after which its corpora are named, with the targets that they state; may be repeated.",
)
@lists_option
def command(
    runs: tuple[Path, ...],
    output: Path | None,
    form: str,
    baseline: str | None,
    targets: Path | None,
    filters: tuple[str, ...],
    lists: ListOverrides,
) -> None:
    """Make the report of a run again, or that of a table of results.

    RUN is the folder that `fictc run` wrote. Nothing is trained or scored anew: accuracies, deltas against the full
    corpus and against random removal with their intervals, probability deltas and perplexities are computed from the
    scores of every pair in RUN/results. The same results always give the same page.

    FILE.csv is a table of results in long form, of any experiment, with the columns corpus, arch, seed, benchmark,
    metric and value: accuracy (0–1) of suite/paradigm, ppl or loss of a text such as test, and tokens of train, where
    arch and seed are empty. Models are compared by paired tests over corpora and over benchmarks.

    SCORES are one or more files that `fictc score --output FILE.parquet` wrote: their models stand side by side, or,
    with --baseline naming one of them, are taken for one model trained on several corpora.

    \b
    Examples:
      fictc report runs/small
      fictc report results.csv --filters fict15 --format text
      fictc report gpt2.parquet pythia.parquet -o models.html
    """
    from runner.report.analysis.analysis import analyse
    from runner.report.page.numbers import to_json
    from runner.report.page.page import write_page, write_report
    from runner.report.page.text import to_text
    from runner.report.results.results import read_results
    from runner.workspace import write_text

    run = runs[0]
    scores = all(path.suffix.lower() == ".parquet" and not path.is_dir() for path in runs)
    if len(runs) > 1 and not scores:
        raise click.UsageError("Several files are scores in Parquet; of runs and of tables give one.")
    table = scores or str(run) == "-" or (run.suffix.lower() in (".csv", ".tsv") and not run.is_dir())
    if not table:
        _check_run(run, baseline, targets, filters)
    if lists and not filters:
        raise click.UsageError("--list is for the lists of --filters")
    if not table and form == "html" and output is None:
        say(write_report(run / "results", run))
        return
    if scores:
        results = _scored(runs, baseline, targets, filters)
    elif table:
        results = _given(run, baseline or "full", targets, load_filters(filters, lists))
    else:
        results = read_results(run / "results")
    analysis = analyse(results)
    if form == "html":
        click.echo(
            write_page(
                analysis, output or Path(f"{results.run.name}.html" if str(run) == "-" else run.with_suffix(".html"))
            )
        )
        return
    said = to_json(analysis) if form == "json" else to_text(analysis)
    if output is None:
        click.echo(said, nl=False)
    else:
        write_text(output, said)


def _check_run(run: Path, baseline: str | None, targets: Path | None, filters: Sequence[str]) -> None:
    """A run says itself what its baseline and its targets are."""
    from fictdsl.diagnostics.codes import diagnostic
    from runner.errors import InputError

    for given, name in ((baseline, "--baseline"), (targets, "--targets"), (filters, "--filters")):
        if given:
            raise click.UsageError(f"{name} is for a table of results; a run says it itself")
    if not run.is_dir():
        raise InputError(diagnostic("FICT890", path=str(run), what="folder of a run"))


def _scored(paths: Sequence[Path], baseline: str | None, targets: Path | None, filters: Sequence[str]) -> Results:
    """The results in files of scores."""
    from runner.report.results.given import read_targets
    from runner.report.results.scored import results_of_scores

    if filters:
        raise click.UsageError("--filters is for a table of results")
    if targets is not None and baseline is None:
        raise click.UsageError("--targets are of corpora; --baseline says which of the scores is of the base corpus")
    results = results_of_scores(paths, baseline)
    if targets is None:
        return results
    aimed = read_targets(targets, [condition.name for condition in results.conditions])
    return results_of_scores(paths, baseline, aimed)


def _given(path: Path, baseline: str, targets: Path | None, filters: Sequence[CompiledFilter]) -> Results:
    """The results in a table."""
    from runner.report.results.given import read_targets, results_of
    from runner.report.results.long_form import read_long_form
    from runner.report.results.results import Filter

    table = read_long_form(path)
    corpora = list(dict.fromkeys(row.corpus for row in table.rows))
    aimed = read_targets(targets, corpora) if targets else {}
    named = [
        Filter(
            name=one.name,
            key=one.key,
            text=one.module.source.text[one.definition.span.start : one.definition.span.end],
            about=one.metadata.about,
            source=one.metadata.source,
            notes=one.metadata.notes,
            targets=one.metadata.targets,
            lists=tuple(map(str, one.lists)),
        )
        for one in filters
    ]
    return results_of(table, baseline, aimed, named)
