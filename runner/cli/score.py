"""`fictc score`: how often a saved model prefers the acceptable sentence of a minimal pair."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.progress import Style, progress_bar, progress_option
from runner.cli.score_convention import Asked, convention_options

if TYPE_CHECKING:
    from runner.cli.score_formats import Answer
    from runner.score.sweep import Scores


@click.command(
    name="score",
    help="""Score a saved language model on minimal pairs.

    MODEL is a local folder: one that fictc trained (cells/…/model), or any causal or masked model of transformers
    saved with save_pretrained; or a folder of such folders, such as the checkpoints of a training, which are scored
    one after the other. SUITE is a folder of BLiMP's .jsonl files, one .jsonl file, or a .csv with the columns good,
    bad and perhaps paradigm. Nothing is downloaded.

    The accuracy of a paradigm is the share of pairs whose acceptable sentence is the more probable one. Beside it:
    the accuracy of word frequencies alone (unigram, where the model brings the counts of its training text), ties,
    pairs that are identical to the model (not applicable), and pairs with an unknown word.

    What a sentence's score is depends on the convention: what stands before the first word, whether the first word
    counts, what a tie is worth. `default` conditions on what the model saw at the start of sentences in training,
    scores every word, and counts a tie as a half; masked models give pseudo-log-likelihoods. Options set single
    fields of it.

    With a file that --output wrote as MODEL, and no SUITE, its scores are counted again without a model, with another
    --normalise or --ties.

    \b
    Examples:
      fictc score runs/small/cells/full/lstm-128/1/model blimp --limit 100
      fictc score checkpoints blimp --convention fict --output scores.parquet
      fictc score scores.parquet --normalise mean --ties half
    """,
)
@click.argument("model", type=click.Path(path_type=Path), metavar="MODEL")
@click.argument("suite", type=click.Path(path_type=Path), metavar="[SUITE]", required=False)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N pairs of each paradigm.", metavar="N")
@click.option("--paradigm", "paradigms", multiple=True, help="Only this paradigm; may be repeated.", metavar="NAME")
@click.option("--format", "kind", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write every pair with both its scores to this Parquet file.",
    metavar="FILE.parquet",
)
@convention_options
@progress_option
def command(
    model: Path,
    suite: Path | None,
    limit: int | None,
    paradigms: tuple[str, ...],
    kind: str,
    output: Path | None,
    convention: Asked,
    progress: Style,
) -> None:
    """See the help above."""
    from runner.cli import score_answers
    from runner.cli.score_formats import as_csv, table
    from runner.score.sweep import write_scores

    if suite is not None:
        scores, name = _scored(model, suite, limit, paradigms, convention, progress), convention.name
    else:
        scores, name = _again(model, convention)
    answers = [(one.checkpoint, score_answers.pairs(one.table, one.convention)) for one in scores]
    if output is not None:
        write_scores(scores, name, output)
    match kind:
        case "json":
            records = [_record(one, name, answer) for one, (_, answer) in zip(scores, answers, strict=True)]
            click.echo(json.dumps(records if len(records) > 1 else records[0], indent=2, ensure_ascii=False))
        case "csv":
            click.echo(as_csv(answers), nl=False)
        case _:
            click.echo("\n".join(table(answers, convention.described(name, scores[0].convention))))


def _scored(
    model: Path, suite: Path, limit: int | None, paradigms: tuple[str, ...], convention: Asked, progress: Style
) -> list[Scores]:
    from runner.score.suite import load_suite
    from runner.score.sweep import models_in, sweep

    pairs = load_suite(suite, limit=limit, paradigms=paradigms)
    names = [path.name for path in models_in(model)]
    found: list[Scores] = []
    with progress_bar(f"scoring {pairs.name}", progress, unit="sentences") as advance:

        def step(done: int, rows: int) -> None:
            advance(len(found) * rows + done, len(names) * rows)

        for one in sweep(model, pairs, convention.of, step):
            found.append(one)
    return found


def _again(model: Path, convention: Asked) -> tuple[list[Scores], str]:
    """Kept scores under another normalisation, other ties."""
    from runner.score.sweep import again

    if not model.is_file():
        raise click.UsageError("Give a SUITE, or a file that --output wrote in the place of MODEL.")
    preset = {} if convention.name == "default" else {"convention": convention.name}
    return again(model, preset | convention.values)


def _record(one: Scores, name: str, answer: Answer) -> dict[str, Any]:
    return {
        "model": one.model,
        **({"checkpoint": one.checkpoint} if one.checkpoint else {}),
        "suite": one.suite,
        "convention": {"name": name, **asdict(one.convention)},
        answer.name: list(answer.records),
        **answer.summary,
    }
