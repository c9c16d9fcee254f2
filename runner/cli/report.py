"""`fictc report`: a run's results to its page again, or to all of its statistics as JSON."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path), metavar="RUN")
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Where to write [RUN/report.html, or standard output for json].",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["html", "json"]),
    default="html",
    show_default=True,
    help="A page with figures, and its tables as CSV beside it; or every statistic as one JSON document.",
)
def command(run: Path, output: Path | None, form: str) -> None:
    """Make the report of a run again, from what the run has scored.

    RUN is the folder that `fictc run` wrote. Nothing is trained or scored anew: accuracies, deltas against the full
    corpus and against random removal with their intervals, probability deltas and perplexities are computed from the
    scores of every pair in RUN/results. The same results always give the same page.

    \b
    Example:
      fictc report runs/small
    """
    from fictdsl.diagnostics.codes import diagnostic
    from runner.errors import InputError
    from runner.report.analysis import analyse
    from runner.report.numbers import to_json
    from runner.report.page import write_page, write_report
    from runner.report.results import read_results
    from runner.workspace import write_text

    if not run.is_dir():
        raise InputError(diagnostic("FICT890", path=str(run), what="folder of a run"))
    results = run / "results"
    match form, output:
        case "html", None:
            click.echo(write_report(results, run))
        case "html", Path():
            click.echo(write_page(analyse(read_results(results)), output))
        case _, None:
            click.echo(to_json(analyse(read_results(results))), nl=False)
        case _:
            write_text(output, to_json(analyse(read_results(results))))
