"""`fictc score`: how often a saved model prefers the acceptable sentence of a minimal pair."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.progress import Style, progress_bar, progress_option

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.model.saved import SavedModel
    from runner.score.convention import Convention
    from runner.score.measures import ParadigmAccuracy
    from runner.score.suite import Suite

NAMES = ("default", "fict", "lm-eval", "babylm")  # of conventions; written out so that --help loads nothing


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the answer. Accuracies are shares of the applicable pairs, None if there is none."""

    paradigm: str
    phenomenon: str
    accuracy: float | None
    unigram: float | None
    pairs: int
    ties: int
    identical: int
    unknown: int


@click.command(
    name="score",
    help="""Score a saved language model on minimal pairs.

    MODEL is a local folder: one that fictc trained (cells/…/model), or any causal model of transformers saved with
    save_pretrained. SUITE is a folder of BLiMP's .jsonl files, one .jsonl file, or a .csv with the columns good, bad
    and perhaps paradigm. Nothing is downloaded.

    The accuracy of a paradigm is the share of pairs whose acceptable sentence is the more probable one. Beside it:
    the accuracy of word frequencies alone (unigram, where the model brings the counts of its training text), ties,
    pairs that are identical to the model (not applicable), and pairs with an unknown word.

    What a sentence's score is depends on the convention: what stands before the first word, whether the first word
    counts, what a tie is worth. `default` conditions on what the model saw at the start of sentences in training,
    scores every word, and counts a tie as a half.

    \b
    Example:
      fictc score runs/small/cells/full/lstm-128/1/model blimp --limit 100
    """,
)
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL")
@click.argument("suite", type=click.Path(path_type=Path), metavar="SUITE")
@click.option("--convention", type=click.Choice(NAMES), default="default", show_default=True, help="How to score.")
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N pairs of each paradigm.", metavar="N")
@click.option("--paradigm", "paradigms", multiple=True, help="Only this paradigm; may be repeated.", metavar="NAME")
@click.option("--format", "kind", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write every pair with both its scores to this Parquet file.",
    metavar="FILE.parquet",
)
@progress_option
def command(
    model: Path,
    suite: Path,
    convention: str,
    limit: int | None,
    paradigms: tuple[str, ...],
    kind: str,
    output: Path | None,
    progress: Style,
) -> None:
    """See the help above."""
    from runner.model.saved import load_model
    from runner.score.convention import CONVENTIONS
    from runner.score.pairs import score_pairs
    from runner.score.suite import load_suite

    pairs = load_suite(suite, limit=limit, paradigms=paradigms)
    saved, chosen = load_model(model), CONVENTIONS[convention]
    with progress_bar(f"scoring {pairs.name}", progress, unit="sentences") as advance:
        table = score_pairs(saved, pairs, chosen, on_progress=advance)
    if output is not None:
        _write(table, output, model, convention, chosen)
    rows = _rows(saved, pairs, table, chosen)
    mean = _means(rows)
    match kind:
        case "json":
            _print_json(rows, mean, model, pairs, convention, chosen)
        case "csv":
            _print_csv(rows)
        case _:
            _print_table(rows, mean, convention)


def _rows(saved: SavedModel, suite: Suite, table: pa.Table, convention: Convention) -> list[Row]:
    from runner.score.measures import accuracy
    from runner.score.unigram import score_unigram

    found = accuracy(table, convention.ties)
    unigram: dict[str, ParadigmAccuracy] = {}
    if saved.counts is not None:
        baseline = score_unigram(saved.counts, saved.tokenizer, suite, convention)
        unigram = {row.paradigm: row for row in accuracy(baseline, convention.ties)}
    return [
        Row(
            row.paradigm,
            row.phenomenon,
            row.accuracy,
            unigram[row.paradigm].accuracy if unigram else None,
            row.pairs,
            row.ties,
            row.identical,
            row.unknown,
        )
        for row in found
    ]


def _means(rows: Sequence[Row]) -> Row:
    from runner.score.measures import mean

    return Row(
        "mean of paradigms",
        "",
        mean(row.accuracy for row in rows),
        mean(row.unigram for row in rows),
        *(sum(getattr(row, name) for row in rows) for name in ("pairs", "ties", "identical", "unknown")),
    )


def _print_table(rows: Sequence[Row], mean: Row, convention: str) -> None:
    title = f"convention {convention}"
    width = max(len(title), *(len(row.paradigm) for row in (*rows, mean)))
    counts = ("pairs", "ties", "identical", "unknown")
    names = "  ".join(f"{name:>9}" for name in ("accuracy", "unigram", *counts))
    click.echo(f"{title:{width}}  {names}")
    for row in (*rows, mean):
        shares = "  ".join(f"{_percent(value):>9}" for value in (row.accuracy, row.unigram))
        click.echo(f"{row.paradigm:{width}}  {shares}  " + "  ".join(f"{getattr(row, name):>9,}" for name in counts))


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _print_csv(rows: Sequence[Row]) -> None:
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(Row.__slots__)
    writer.writerows([getattr(row, name) for name in Row.__slots__] for row in rows)


def _print_json(rows: Sequence[Row], mean: Row, model: Path, suite: Suite, name: str, convention: Convention) -> None:
    from dataclasses import asdict

    answer: dict[str, Any] = {
        "model": str(model),
        "suite": suite.name,
        "convention": {"name": name, **asdict(convention)},
        "paradigms": [asdict(row) for row in rows],
        "mean": {"accuracy": mean.accuracy, "unigram": mean.unigram},
    }
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False))


def _write(table: pa.Table, output: Path, model: Path, name: str, convention: Convention) -> None:
    from dataclasses import asdict

    import pyarrow.parquet as pq

    from runner.workspace import atomic_write

    about = {"model": model.name, "convention": json.dumps({"name": name, **asdict(convention)})}
    with atomic_write(output) as temp:
        pq.write_table(table.replace_schema_metadata(about), temp, write_page_checksum=True)
