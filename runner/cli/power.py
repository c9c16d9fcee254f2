"""`fictc power RUN|MANIFEST`: what other numbers of seeds and pairs would detect and prove."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fictdsl.terminal_text import printable
from runner.cli.options import FILE, PATH, check_exists, folder_options, format_option, load_plan, shown_value
from runner.cli.terminal import write_output
from runner.errors import InputError

if TYPE_CHECKING:
    from runner.report.statistics import Analysis


FORMATS = ("text", "json", "csv", "svg")


def _parse_numbers(_: click.Context, parameter: click.Parameter, value: str) -> tuple[int, ...]:
    """Return the sorted, distinct numbers of a list such as `3,5,10`. Raises BadParameter unless all are positive."""
    parts = [part.strip() for part in value.split(",")]
    if not all(re.fullmatch(r"0*[1-9][0-9]{0,8}", part) for part in parts):
        raise click.BadParameter(
            f"{shown_value(value)} is not a list of positive numbers such as 3,5,10", param=parameter
        )
    numbers = tuple(sorted({int(part) for part in parts}))
    if parameter.name == "pairs" and 1 in numbers:
        raise click.BadParameter("one pair has no variance between pairs; at least 2 are required", param=parameter)
    return numbers


@click.command("power")
@click.argument("pilot", metavar="RUN|MANIFEST", type=PATH)
@click.option("--seeds", default="3,5,10", callback=_parse_numbers, metavar="N,…", help="Seeds on each side.")
@click.option("--pairs", default="200,1000", callback=_parse_numbers, metavar="N,…", help="Pairs of a paradigm.")
@format_option(*FORMATS)
@click.option("--report", "-o", "report", type=FILE, help="Output file.")
@folder_options
def command(
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
        check_exists(pilot)
        _, _, folder = load_plan(pilot, **folders)
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
    import json

    from runner.report import contrast_tables, markup
    from runner.report.figures.power import power_figure
    from runner.tables import aligned, lines, to_csv

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
            return "\n".join(map(printable, aligned(lines(table)))) + "\n"


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
