"""`fictc audit sheet` and `read`: sentences for people to judge, and what their judgements show."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fictdsl.words import counted
from runner.cli import query_options
from runner.cli.options import FILE, SEED, BoundedInt, Count, format_option
from runner.cli.terminal import block_for_output, print_message
from runner.tables import Column, Table, aligned, to_text
from runner.workspace import atomic_writes

if TYPE_CHECKING:
    from runner.audit.estimates import Agreement, Audit, Estimate
    from runner.audit.sheet import Sheet

_MAX_CUES = 12  # cue words in a line


@click.command(
    "sheet",
    help=f"""Draw sentences of a corpus for people to judge whether each has the construction of a filter.

    {query_options.FILTER_HELP}
    {query_options.QUERY_HELP}

    Sentences are drawn from four strata: matches, near misses (of any one condition), other sentences with a cue word,
    and all others. A stratum with more instances to expect gets more rows, and each gets at least 25. The sheet is a
    CSV file; write y, n or ? into its column `has construction`, without looking at its last columns.

    \b
    Examples:
      fictc audit sheet fict15/passive --corpus stores/ewt --sample 400 --output passive-audit.csv
      fictc audit sheet passive.fict --corpus stores/ewt --cues be,get --judges 2 --output passive-audit.csv
    """,
)
@query_options.required_filters
@query_options.corpus_option()
@click.option("--output", "-o", required=True, type=FILE, metavar="FILE", help="The sheet (.csv).")
@click.option("--sample", type=Count(1), metavar="N", default=300, help="Number of sentences.")
@click.option(
    "--cues",
    metavar="WORDS",
    help="Forms or lemmas that instances probably contain, separated by commas [default: of the word lists, forms and "
    "lemmas that the filter requires, the rarest].",
)
@click.option(
    "--judges",
    type=BoundedInt(1, 2, "agreement is measured between two judges"),
    default=1,
    help="With 2, write FILE.1.csv and FILE.2.csv, with the same sentences in different orders.",
)
@click.option("--seed", type=SEED, default=0, help="Seed for the random draw.")
@click.option("--force", is_flag=True, help="Replace existing sheets, with their judgements.")
@query_options.lists_option
@query_options.limits_options()
@query_options.takes_query
def sheet(
    query: query_options.Query, output: Path, sample: int, cues: str | None, judges: int, seed: int, *, force: bool
) -> None:
    from runner.audit.strata import draw, make_sheets, partition

    filters = query.filters(with_matches=True)
    if len(filters) != 1:
        raise click.UsageError(f"FILTER is one filter, and {len(filters)} are given; FILE::NAME names one of a file")
    paths = [output] if judges == 1 else [output.with_suffix(f".{judge + 1}.csv") for judge in range(judges)]
    if (existing := [path for path in paths if path.exists()]) and not force:
        raise click.UsageError(f"{existing[0]} exists, perhaps with judgements; --force replaces it")
    words = None if cues is None else [cue.strip() for cue in cues.split(",") if cue.strip()]
    if words == []:
        raise click.UsageError("--cues expects words separated by commas, such as be,get")
    store = query.open_corpus(filters)
    parts = partition(store, filters[0], words)
    draws = draw(store, filters[0], parts.strata, sample, seed)
    corpus = ", ".join(path.name for path in query.paths)
    sheets = make_sheets(store, filters[0], draws, corpus, seed, judges)
    with atomic_writes(paths) as temps:
        for each, temp in zip(sheets, temps, strict=True):
            temp.write_text(each.text(), encoding="utf-8")
    for left_out in parts.uncounted:
        print_message(f"note: no time to search near misses of {left_out}; --timeout 0 has no limit", err=True)
    _print_strata(sheets[0], parts.cues)
    for path in paths:
        print_message(f"{path}: {counted(len(sheets[0].rows), 'sentence')} to judge", err=True)


def _print_strata(drawn: Sheet, cues: Sequence[str]) -> None:
    rows = [(name, f"{size.sentences:,}", f"{size.rows:,}") for name, size in drawn.strata.items()]
    click.echo(block_for_output("\n".join(aligned([("stratum", "sentences", "drawn"), *rows]))))
    if cues:
        more = f" and {len(cues) - _MAX_CUES} more" if len(cues) > _MAX_CUES else ""
        click.echo(block_for_output(f"cue words: {', '.join(cues[:_MAX_CUES])}{more}"))


@click.command("read")
@click.argument("sheets", nargs=-1, required=True, type=FILE, metavar="SHEET [SHEET]")
@format_option("text", "json", help="text: tables. json: the estimates, as in the results of a run.")
def read(sheets: tuple[Path, ...], output_format: str) -> None:
    """Estimate precision, recall and what remains from a judged sheet, or from those of two judges.

    Intervals are of 95 %. With two sheets, sentences that both judge the same count so, and all others are unsure. The
    estimates leave unsure sentences out, and the intervals include the case that all are instances, or none.

    \b
    Examples:
      fictc audit read passive-audit.csv
      fictc audit read passive-audit.1.csv passive-audit.2.csv
    """
    from runner.audit.estimates import agreement, audit_of
    from runner.audit.sheet import read_sheet

    if len(sheets) > 2:
        raise click.UsageError(f"one sheet is expected, or those of two judges; {len(sheets)} are given")
    judged = [read_sheet(path) for path in sheets]
    audit = audit_of(judged)
    if output_format == "json":
        click.echo(json.dumps(audit.record, ensure_ascii=False, indent=1))
        return
    click.echo(block_for_output("\n".join(_report(audit))))
    if len(judged) == 2:
        click.echo(block_for_output("\n".join(_agreement(agreement(*judged)))))


_STRATUM_COLUMNS = (
    Column("name", "stratum"),
    Column("sentences", "sentences", "count"),
    Column("yes", "y", "count"),
    Column("no", "n", "count"),
    Column("unsure", "?", "count"),
)


def _report(audit: Audit) -> Iterator[str]:
    drawn, estimates = audit.sheets[0], audit.estimates
    yield f"{drawn.filter} in {drawn.corpus}: {audit.judged:,} of {counted(len(drawn.rows), 'sentence')} judged"
    yield ""
    yield from to_text(Table("strata", "", _STRATUM_COLUMNS, estimates.strata))
    yield ""
    yield from aligned(
        [
            ("", "estimate", "95 % interval"),
            ("precision, %", *_percent(estimates.precision)),
            ("recall, %", *_percent(estimates.recall)),
            ("instances that remain, % of all", *_percent(estimates.remaining)),
            ("instances that remain, per million words", *_cells(estimates.per_million, "{:,.0f}")),
        ],
        right=(1,),
    )


def _percent(estimate: Estimate) -> tuple[str, str]:
    return _cells([None if part is None else 100 * part for part in estimate], "{:.1f}")


def _cells(estimate: Sequence[float | None], form: str) -> tuple[str, str]:
    value, low, high = ("–" if part is None else form.format(part) for part in estimate)
    return value, f"[{low}, {high}]"


def _agreement(compared: Agreement) -> Iterator[str]:
    kappa = "unknown, since all judgements are equal" if compared.kappa is None else f"{compared.kappa:.2f}"
    yield f"\n{compared.agreed:,} of {counted(compared.rows, 'judgement')} agree; Cohen's kappa is {kappa}"
    if compared.disagreements:
        rows = [(f"{one.judgement} {other.judgement}", one.sentence) for one, other in compared.disagreements]
        yield from aligned([("1 2", "sentence"), *rows], ())
