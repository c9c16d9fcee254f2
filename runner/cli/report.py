"""`fictc report` and `power`: report a run, a pack, a table of results or scores; what other designs would detect."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.terminal_text import printable
from runner.cli import options
from runner.cli.query_options import complete_filters, lists_option, load_filters
from runner.cli.terminal import print_message, write_output
from runner.errors import InputError

if TYPE_CHECKING:
    from fictdsl.compiler import CompiledFilter
    from fictdsl.syntax.files import ListOverrides
    from runner.report.markup import Format
    from runner.report.results import Results
    from runner.report.statistics import Analysis


@click.command("report")
@click.argument(
    "runs",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="RUN [SCORES…]|PACK|FILE.csv|SCORES…",
)
@click.option(
    "--output",
    "-o",
    type=options.FILE,
    metavar="FILE",
    help="Output file [default: RUN/report.html or FILE.html for html, else standard output].",
)
@options.format_option(
    "html",
    "text",
    "json",
    help="html: a page with figures, with its tables as CSV files. text: the tests. json: every statistic.",
)
@click.option(
    "--figures",
    multiple=True,
    type=click.Choice(["png", "pdf"]),
    help="For html: also write the figures as PNG or PDF, beside SVG. May be repeated.",
)
@click.option(
    "--baseline", metavar="CORPUS", help="For a table or scores: the baseline corpus of the deltas [default: full]."
)
@click.option(
    "--targets",
    type=options.PATH,
    metavar="FILE",
    help="For a table or scores: CSV file `corpus,benchmark` of the benchmarks that each corpus targets.",
)
@click.option(
    "--filters",
    multiple=True,
    metavar="FILTER",
    shell_complete=complete_filters,
    help="For a table: filters after which its corpora are named, and which define the targets. May be repeated.",
)
@lists_option
@options.relations("--figures requires --format html", "--list requires --filters")
def command(
    runs: tuple[Path, ...],
    output: Path | None,
    output_format: str,
    figures: tuple[Format, ...],
    baseline: str | None,
    targets: Path | None,
    filters: tuple[str, ...],
    lists: ListOverrides,
) -> None:
    """Rebuild the report of a run, or report a table of results.

    RUN is the folder written by `fictc run`. Nothing is trained or scored again: accuracies, deltas against the full
    corpus and against random removal with their intervals, probability deltas and perplexities are computed from the
    scores of every pair in RUN/results. The same results always give the same page.

    FILE.csv is a table of results of any experiment in long form, with the columns corpus, arch, seed, benchmark,
    metric and value. Metrics are accuracy (0–1) of suite/paradigm, ppl or loss of a text such as test, and tokens of
    train, for which arch and seed are empty. Models are compared by paired tests over corpora and over benchmarks.

    PACK is a replication pack: a folder with `pack.toml`, which has the numbers of a paper, and its published table.
    Every number stands beside the recomputed one, with the difference. The page is PACK/replication.html.

    SCORES are files written by `fictc score --output FILE.parquet`. They are compared as different models or, with
    --baseline naming one of them, as one model trained on several corpora.

    With RUN and SCORES, the report also has models that were trained elsewhere and scored with --condition, --model and
    --seed. Their seeds are not paired with the run's. The page is RUN/merged.html.

    \b
    Examples:
      fictc report runs/small
      fictc report runs/small --figures pdf --figures png
      fictc report results.csv --filters fict15 --format text
      fictc report experiments/injection/pack --format text
      fictc report gpt2.parquet pythia.parquet -o models.html
      fictc report runs/small scores/full-gpt2-1.parquet
    """
    from runner.report.analysis import analyse
    from runner.report.document import report_of, to_json, to_text
    from runner.report.markup import require_typst
    from runner.report.page import write_page, write_report
    from runner.report.results import read_results

    source = runs[0]
    are_parquet = [path.suffix.lower() == ".parquet" for path in runs]
    are_scores = all(are_parquet) and not any(path.is_dir() for path in runs)
    is_merged = len(runs) > 1 and source.is_dir() and all(are_parquet[1:])
    if len(runs) > 1 and not are_scores and not is_merged:
        raise click.UsageError("expected one run, one table, or files of scores in Parquet")
    is_table = str(source) == "-" or (source.suffix.lower() in (".csv", ".tsv") and not source.is_dir())
    is_pack = len(runs) == 1 and (source / "pack.toml").is_file()
    if not (are_scores or is_table):
        _check_run(source, baseline, targets, filters)
    if output_format == "html":
        options.check_written("--format html", output, ".html")
    if figures:
        require_typst()
    is_other = are_scores or is_table or is_merged or is_pack
    if not is_other and output_format == "html" and output is None:
        print_message(write_report(source / "results", source, figures))
        return
    if is_pack:
        from runner.report.packs import replicate

        report = replicate(source)
    elif are_scores:
        report = report_of(analyse(_results_from_scores(runs, baseline, targets, filters)))
    elif is_table:
        compiled = load_filters(filters, lists) if filters else []
        report = report_of(analyse(_results_from_table(source, baseline or "full", targets, compiled)))
    elif is_merged:
        from runner.report.scored_results import results_with_scores

        report = report_of(analyse(results_with_scores(source / "results", runs[1:])))
    else:
        report = report_of(analyse(read_results(source / "results")))
    if output_format == "html":
        name = report.analysis.results.run.name
        click.echo(write_page(report, output or _default_page(source, name, is_merged=is_merged), figures))
    else:
        write_output(to_json(report) if output_format == "json" else to_text(report), output)


def _default_page(source: Path, name: str, *, is_merged: bool) -> Path:
    if is_merged:
        return source / "merged.html"
    if source.is_dir():
        return source / "replication.html"
    return Path(f"{name}.html") if str(source) == "-" else source.with_suffix(".html")


def _check_run(run: Path, baseline: str | None, targets: Path | None, filters: Sequence[str]) -> None:
    for value, name in ((baseline, "--baseline"), (targets, "--targets"), (filters, "--filters")):
        if value:
            raise click.UsageError(f"{name} requires a table of results; a run or pack defines it itself")
    if not run.is_dir():
        raise InputError.of("FICT890", path=str(run), what="folder of a run")


def _results_from_scores(
    paths: Sequence[Path], baseline: str | None, targets: Path | None, filters: Sequence[str]
) -> Results:
    from runner.report import imported_results, scored_results

    if filters:
        raise click.UsageError("--filters requires a table of results")
    if targets is not None and baseline is None:
        raise click.UsageError("--targets requires --baseline, the scores of the baseline corpus")
    results = scored_results.results_of_scores(paths, baseline)
    if targets is None:
        return results
    targets_by_corpus = imported_results.read_targets(targets, [condition.name for condition in results.conditions])
    return scored_results.results_of_scores(paths, baseline, targets_by_corpus)


def _results_from_table(path: Path, baseline: str, targets: Path | None, filters: Sequence[CompiledFilter]) -> Results:
    from runner.report.imported_results import read_targets, results_of
    from runner.report.long_form import read_long_form
    from runner.report.records import Filter

    table = read_long_form(path)
    corpora = list(dict.fromkeys(row.corpus for row in table.rows))
    targets_by_corpus = read_targets(targets, corpora) if targets else {}
    entries = [Filter(**compiled.record) for compiled in filters]
    return results_of(table, baseline, targets_by_corpus, entries)


def _parse_numbers(_: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    parts = [part.strip() for part in value.split(",")]
    if not all(re.fullmatch(r"0*[1-9][0-9]{0,8}", part) for part in parts):
        raise click.BadParameter(
            f"{options.shown_value(value)} is not a list of positive numbers such as 3,5,10", param=parameter
        )
    numbers = tuple(sorted({int(part) for part in parts}))
    if parameter.name == "pairs" and 1 in numbers:
        raise click.BadParameter("one pair has no variance between pairs; at least 2 are required", param=parameter)
    return numbers


@click.command("power")
@click.argument("pilot", metavar="RUN|MANIFEST", type=options.PATH)
@click.option("--seeds", default="3,5,10", callback=_parse_numbers, metavar="N,…", help="Seeds on each side.")
@click.option("--pairs", default="200,1000", callback=_parse_numbers, metavar="N,…", help="Pairs of a paradigm.")
@options.format_option("text", "json", "csv", "svg")
@click.option("--report", "-o", "report", type=options.FILE, help="Output file.")
@options.folder_options
def power(
    pilot: Path, seeds: tuple[int, ...], pairs: tuple[int, ...], output_format: str, report: Path | None, **folders: Any
) -> None:
    """Show which change another design would detect, and within which margin it would prove that nothing changed.

    The pilot is a finished run, given by its folder RUN or by its MANIFEST; it needs two seeds. Its variance (between
    seeds, between pairs, and residual) is projected to other numbers of seeds and pairs, for every targeted paradigm
    and with power 0.8. What is promised allows for what few seeds leave unknown: it holds at the upper 80 % limit of
    the variance.

    \b
    Examples:
      fictc power runs/small
      fictc power runs/small --seeds 3,5,10 --pairs 200,1000 --format svg -o power.svg
    """
    from runner.report.analysis import analyse
    from runner.report.contrasts import pilot_contrasts
    from runner.report.results import read_results
    from runner.score.power import MIN_PILOT_SEEDS

    folder = pilot
    if not pilot.is_dir():
        options.check_exists(pilot)
        _, _, folder = options.load_plan(pilot, **folders)
    analysis = analyse(read_results(folder / "results"))
    text = _formatted_power(analysis, seeds, pairs, output_format, folder)
    pilots = pilot_contrasts(list(analysis.contrasts.values()))
    pilot_seeds = min(contrast.variances.seeds for contrast in pilots if contrast.variances)
    if pilot_seeds < MIN_PILOT_SEEDS:
        click.echo(
            f"note: the pilot has {pilot_seeds} seeds; fewer than {MIN_PILOT_SEEDS} hardly tell the variance between "
            "seeds, so what is promised is mostly far above what is estimated, and both differ from the report, which "
            "gives the median over comparisons at the variance of each",
            err=True,
        )
    if 1 in seeds:
        click.echo("note: with one seed, limits are over pairs only: they say nothing about other seeds", err=True)
    write_output(text, report)


def _formatted_power(
    analysis: Analysis, seeds: tuple[int, ...], pairs: tuple[int, ...], output_format: str, folder: Path
) -> str:
    from runner.report import contrast_tables, markup
    from runner.report.figures.power import power_figure
    from runner.tables import to_csv, to_text

    table, figure = contrast_tables.power(analysis, seeds, pairs), power_figure(analysis, seeds, pairs)
    if figure is None:
        raise InputError.of("FICT896", path=folder, hint=_no_variance_reason(analysis))
    match output_format:
        case "json":
            return json.dumps(table.records(), indent=1, ensure_ascii=False) + "\n"
        case "csv":
            return to_csv(table)
        case "svg":
            return markup.standalone(figure)
        case _:
            return "".join(f"{printable(line)}\n" for line in to_text(table))


def _no_variance_reason(analysis: Analysis) -> str:
    contrasts = [contrast for contrast in analysis.contrasts.values() if contrast.unit.level == "paradigm"]
    if not contrasts:
        return "it has no scores of minimal pairs under both `full` and another condition"
    seed_counts = [
        len(analysis.accuracies[contrast.unit, condition, contrast.model].by_seed)
        for contrast in contrasts
        for condition in (contrast.condition, contrast.reference)
    ]
    if min(seed_counts) < 2:
        return "it has scores of only one seed; at least two seeds are required"
    return "the decisions of its models do not vary between seeds and pairs"
