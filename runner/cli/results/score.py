"""`fictc score`: what a saved model, or each of a folder of checkpoints, makes of a suite."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from runner.cli.results.score_convention import Asked, convention_options
from runner.cli.shared.numbers import Whole
from runner.cli.shared.progress import Style, progress_bar, progress_option

if TYPE_CHECKING:
    from runner.cli.results.score_formats import Answer
    from runner.score.evaluate.sweep import Scores


@click.command(
    name="score",
    help="""Score a saved language model on minimal pairs, rated sentences, WinoBias or SyntaxGym.

    MODEL is a local folder: one that fictc trained (cells/…/model), or any causal or masked model of transformers
    saved with save_pretrained; or a folder of such folders, such as the checkpoints of a training, which are scored
    one after the other. Nothing is downloaded. SUITE is one of

    \b
      minimal pairs   a folder of BLiMP's .jsonl files, one .jsonl file, or a .csv
                      with the columns good, bad and perhaps paradigm
      WinoBias        its folder
      SyntaxGym       a suite in .json, or a folder of them
      sentences       a .csv with the columns sentence and perhaps rating, or a
                      .txt with a sentence a line

    Of pairs it says how often the acceptable sentence is the more probable one. Beside it: the accuracy of word
    frequencies alone (unigram, where the model brings the counts of its training text), ties, pairs that are identical
    to the model (not applicable), and pairs with an unknown word. Of WinoBias, how much less probable the
    anti-stereotyped sentence is (delta, in nats), by type, split and the gender of its pronoun; of SyntaxGym, how often
    each prediction holds; of ratings, their correlation with the scores.

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
@click.option(
    "--limit",
    type=Whole(min=1),
    help="Only the first N pairs of each paradigm (sentences, items).",
    metavar="N",
)
@click.option("--paradigm", "paradigms", multiple=True, help="Only this paradigm; may be repeated.", metavar="NAME")
@click.option("--format", "kind", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True)
@click.option(
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write every pair (sentence, region) with its scores to this Parquet file.",
    metavar="FILE.parquet",
)
@click.option(
    "--words",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the surprisal of every word, in bits, to this .csv or .parquet file (`token_surprisal`: the sum "
    "over its tokens, whether or not it ends there), with the number of its sentence, and the paradigm, item and side "
    "(suite, item and condition) that it is of.",
    metavar="FILE",
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
    words: Path | None,
    convention: Asked,
    progress: Style,
) -> None:
    """See the help above."""
    from runner.cli.results import score_answers
    from runner.cli.results.score_formats import as_csv, table
    from runner.score.evaluate.sweep import write_scores, write_tables

    if suite is not None:
        reading = Reading(suite, limit, paradigms, words is not None)
        scores, name = _scored(model, reading, convention, progress), convention.name
    elif words is not None:
        raise click.UsageError("--words needs a model and a SUITE.")
    else:
        scores, name = _again(model, convention)
    answers = [(one.checkpoint, score_answers.answer(one.table, one.convention)) for one in scores]
    if output is not None:
        write_scores(scores, name, output)
    if words is not None:
        write_tables([(one.checkpoint, one.words) for one in scores if one.words is not None], words)
    match kind:
        case "json":
            records = [_record(one, name, answer) for one, (_, answer) in zip(scores, answers, strict=True)]
            click.echo(json.dumps(records if len(records) > 1 else records[0], indent=2, ensure_ascii=False))
        case "csv":
            click.echo(as_csv(answers), nl=False)
        case _:
            click.echo("\n".join(table(answers, convention.described(name, scores[0].convention))))


@dataclass(frozen=True)
class Reading:
    """What is read of a suite."""

    suite: Path
    limit: int | None
    paradigms: tuple[str, ...]
    words: bool


def _scored(model: Path, reading: Reading, convention: Asked, progress: Style) -> list[Scores]:
    from runner.score.evaluate.any_suite import open_suite
    from runner.score.evaluate.sweep import models_in, sweep

    suite = open_suite(reading.suite, limit=reading.limit, paradigms=reading.paradigms)
    models = len(models_in(model))
    found: list[Scores] = []
    with progress_bar(f"scoring {suite.name}", progress) as advance:

        def step(done: int, rows: int) -> None:
            advance(len(found) * rows + done, models * rows)

        for one in sweep(model, suite, convention.of, step, words=reading.words):
            found.append(one)
    return found


def _again(model: Path, convention: Asked) -> tuple[list[Scores], str]:
    """Kept scores under another normalisation, other ties."""
    from runner.score.evaluate.sweep import again

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
