"""`fictc score`: score a saved model, or each checkpoint in a folder, on a suite."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial, wraps
from inspect import cleandoc
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from fictdsl.words import listed
from runner.cli.options import (
    FILE,
    PATH,
    SEED,
    Count,
    check_written,
    device_option,
    format_option,
    given_options,
    relations,
)
from runner.cli.progress import Style, progress_bar, progress_option, show_notes
from runner.cli.terminal import for_output
from runner.corpus.sentence_texts import sentence_texts
from runner.corpus.store import Store
from runner.errors import InputError
from runner.machine import AUTO
from runner.score.convention import ALIASES, CHOICES, CONVENTIONS, convention_of, preset_for
from runner.tables import aligned, csv_text

if TYPE_CHECKING:
    from fictdsl.diagnostics.diagnostic import Diagnostic
    from runner.model.saved import SavedModel
    from runner.score.convention import Convention
    from runner.score.suite_kind import Answer, AnySuite, Scores


def _table(answers: Sequence[tuple[str, Answer]], title: str) -> Iterator[str]:
    """Yield aligned lines under `title`; each answer has the name of its checkpoint, "" if there is only one."""
    records = _records(answers, with_totals=True)
    if not records:
        return
    shares, hidden = answers[0][1].shares, answers[0][1].hidden
    names = [name for name in records[0] if name not in hidden]
    text_columns = [name for name in names if any(isinstance(record.get(name), str) for record in records)]
    headings = [title if name == text_columns[0] else "" if text_columns == [name] else name for name in names]
    rows = ([_text_cell(record.get(name, ""), is_share=name in shares) for name in names] for record in records)
    yield from aligned([headings, *rows], [i for i, name in enumerate(names) if name not in text_columns])


def _text_cell(value: str | float | None, *, is_share: bool) -> str:
    if isinstance(value, str):
        return " ".join(value.split())
    specification = ".1%" if is_share else "," if isinstance(value, int) else ".3f"
    return "–" if value is None else format(value, specification).replace("%", " %")


def _csv(answers: Sequence[tuple[str, Answer]]) -> str:
    records = _records(answers, with_totals=False)
    header = list(records[0]) if records else []
    return csv_text([header, *([record.get(name) for name in header] for record in records)])


def _records(answers: Sequence[tuple[str, Answer]], *, with_totals: bool) -> list[dict[str, Any]]:
    return [
        ({"checkpoint": name} if len(answers) > 1 else {}) | dict(record)
        for name, answer in answers
        for record in (*answer.records, *([answer.total] if with_totals and answer.total else []))
    ]


def sentences_of(path: Path) -> Iterator[str]:
    from runner.corpus.raw_text import find_non_text, read_lines

    if path.is_dir():
        yield from sentence_texts(Store.open(path))
        return
    if problems := list(find_non_text([path])):
        raise InputError(problems)
    yield from (unit.text.removeprefix("\ufeff").strip() for unit in read_lines(path))


_HELP = {
    "probability": "Probability of a token: given the preceding tokens, or by masking it (pll), together with the "
    "later tokens of its word (pll_l2r).",
    "normalise": "Normalisation of the sum of log-probabilities; nce is an alias of mean.",
    "part": "Score the whole sentence, or the critical word after its prefix in suites that mark it.",
    "tokenise": "How text is split before the model's tokenizer.",
    "leading_space": "Whether a space precedes the first word.",
    "context": "Context before the first word.",
    "first_token": "Whether the first token is scored if there is a context.",
    "eos": "Whether the end of the sentence is scored.",
    "ties": "Value of a pair with equal scores: a half, 0 (strict), or 1 (argmax).",
    "dtype": "Precision of the model; sums are always in float32 or better.",
}


@dataclass(frozen=True)
class ConventionOptions:
    name: str
    fields: Mapping[str, str]

    def convention_for(self, saved: SavedModel) -> Convention:
        return convention_of(self.name, self.fields, masked=saved.masked, model_name=saved.folder.name)

    @property
    def values(self) -> dict[str, str]:
        return {field: ALIASES.get(field, {}).get(value, value) for field, value in self.fields.items()}

    def describe(self, name: str, convention: Convention) -> str:
        preset = preset_for(name, masked=convention.masked)
        fields = [
            field for field in CHOICES if field in self.fields or getattr(convention, field) != getattr(preset, field)
        ]
        return ", ".join([f"convention {name}", *(f"{field} = {getattr(convention, field)}" for field in fields)])


def convention_options(command: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(command)
    def wrapped(convention: str, **arguments: Any) -> Any:
        selected = {name: arguments.pop(name) for name in CHOICES}
        options = ConventionOptions(convention, {name: value for name, value in selected.items() if value is not None})
        return command(convention=options, **arguments)

    for name, values in reversed(list(CHOICES.items())):
        choices = click.Choice([*values, *ALIASES.get(name, ())])
        wrapped = click.option(f"--{name.replace('_', '-')}", name, type=choices, help=_HELP[name])(wrapped)
    preset = click.Choice(list(CONVENTIONS))
    return click.option("--convention", type=preset, default="default", help="Preset for the options below.")(wrapped)


class _ScoreCommand(click.Command):
    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from runner.score.any_suite import KINDS
        from runner.score.pair_formats import FORMATS

        pairs, *others = (kind.usage for kind in reversed(KINDS))
        usages = [pairs, *(format_.usage for format_ in FORMATS if format_.usage is not None), *others]
        files = (fill(f"  {usage.name:14}  {usage.files}", 80, subsequent_indent=" " * 18) for usage in usages)
        columns = f"{pairs.columns}\n\n{' '.join(usage.columns for usage in usages[1:])}"
        names = listed([usage.name for usage in usages], "or")
        self.help = cleandoc(self.help or "").format(names=names, files="\n".join(files), columns=columns)
        super().format_help_text(ctx, formatter)


@click.command(
    name="score",
    cls=_ScoreCommand,
    help="""Score a saved language model on {names}.

    MODEL is a local folder: a model trained by fictc (cells/…/model), a causal or masked model saved with
    save_pretrained of transformers, or a folder of models such as checkpoints, which are all scored. It can also be a
    file of saved scores (see below). Nothing is downloaded. SUITE is one of

    \b
    {files}

    A folder is read with the folders below it; all its suites are of one kind. Commas, semicolons or tabs separate
    the cells of a table.

    {columns}

    The convention defines the score of a sentence: the context before the first word, whether the first token counts,
    and the value of a tie. `default` uses the context of training, scores every word and counts a tie as a half; the
    score of a masked model is a pseudo-log-likelihood. Options override single fields of the convention.

    If MODEL is a file written by --output and SUITE is omitted, the saved scores are aggregated again with the given
    --normalise and --ties. No model is loaded.

    \b
    Examples:
      fictc score runs/small/cells/full/lstm-128/1/model blimp --limit 100
      fictc score checkpoints blimp --convention fict --output scores.parquet
      fictc score scores.parquet --normalise mean --ties half
    """,
)
@click.argument("model", type=PATH, metavar="MODEL")
@click.argument("suite", type=PATH, metavar="[SUITE]", required=False)
@click.option(
    "--limit",
    type=Count(1),
    help="Score only the first N pairs of each paradigm, or the first N sentences or items.",
    metavar="N",
)
@click.option(
    "--paradigm", "paradigms", multiple=True, help="Score only this paradigm. May be repeated.", metavar="NAME"
)
@click.option(
    "--covariate",
    "covariates",
    multiple=True,
    help="For alternants: report the slope of the score difference on this numeric column. May be repeated.",
    metavar="COLUMN",
)
@format_option("table", "json", "csv")
@click.option(
    "--output",
    type=FILE,
    help="Also write the scores of every pair (or sentence, or region) to this Parquet file.",
    metavar="FILE.parquet",
)
@click.option(
    "--words",
    type=FILE,
    help="Also write the surprisal of every word, in bits, to this .csv or .parquet file, with the number of the "
    "sentence and the paradigm, item and side (or suite, item and condition). `token_surprisal` is the sum over the "
    "tokens of the word, without the probability that the word ends after them.",
    metavar="FILE",
)
@click.option(
    "--condition", help="With --output: the condition of the run to which these scores are added.", metavar="NAME"
)
@click.option("--model", "run_model", help="With --condition: the name of the model in that run.", metavar="NAME")
@click.option("--seed", type=SEED, help="With --condition: the seed of the model.", metavar="N")
@click.option(
    "--counts",
    type=PATH,
    help="Count unigrams in this corpus store, or in this text with one sentence per line, for SLOR, NormLP and the "
    "accuracy of word frequencies. By default, the counts that fictc saves with a model.",
    metavar="STORE|FILE",
)
@click.option(
    "--skip-long",
    is_flag=True,
    help="Give no score to sentences that the model cannot read, or that are longer than those of its training "
    "(max_position_embeddings), instead of refusing the suite.",
)
@convention_options
@device_option
@progress_option
@relations(
    "--limit, --paradigm, --covariate, --words, --counts, --skip-long, --device requires SUITE",
    "--condition requires --model, --seed, --output",
    "--model requires --condition, --seed, --output",
    "--seed requires --condition, --model, --output",
)
def command(
    model: Path,
    suite: Path | None,
    limit: int | None,
    paradigms: tuple[str, ...],
    covariates: tuple[str, ...],
    output_format: str,
    output: Path | None,
    words: Path | None,
    condition: str | None,
    run_model: str | None,
    seed: int | None,
    counts: Path | None,
    skip_long: bool,
    convention: ConventionOptions,
    device: str | None,
    progress: Style,
) -> None:
    from runner.score.any_suite import kind_of_table, scored_kind
    from runner.score.pair_matrices import Score
    from runner.score.sweep import write_scores, write_tables

    check_written("--output", output, ".parquet")
    check_written("--words", words, ".csv", ".parquet")
    cell = None if condition is None or run_model is None or seed is None else Score(condition, run_model, seed)
    if suite is not None:
        kind = scored_kind(suite)
        if covariates and not kind.has_covariates:
            raise click.UsageError("--covariate requires a .csv with the columns first and second.")
        scores = _score(
            model,
            kind.open(suite, limit=limit, paradigms=paradigms, covariates=covariates),
            convention,
            progress,
            words=words is not None,
            device=device or AUTO,
            unigram_text=None if counts is None else partial(sentences_of, counts),
            skip_long=skip_long,
        )
        convention_name = convention.name
    else:
        scores, convention_name = _rescore(model, convention)
    answers = [(item.checkpoint, kind_of_table(item.table).answer(item.table, item.convention)) for item in scores]
    if output is not None:
        write_scores([replace(item, cell=cell or item.cell) for item in scores], convention_name, output)
    if words is not None:
        write_tables([(item.checkpoint, item.words) for item in scores if item.words is not None], words)
    match output_format:
        case "json":
            records = [
                _record(item, convention_name, answer) for item, (_, answer) in zip(scores, answers, strict=True)
            ]
            click.echo(json.dumps(records if len(records) > 1 else records[0], indent=2, ensure_ascii=False))
        case "csv":
            click.echo(_csv(answers), nl=False)
        case _:
            title = convention.describe(convention_name, scores[0].convention)
            click.echo("\n".join(map(for_output, _table(answers, title))))


def _score(
    model: Path, suite: AnySuite, convention: ConventionOptions, progress: Style, **options: Any
) -> list[Scores]:
    from runner.score.sweep import models_in, sweep

    model_count = len(models_in(model))
    scores: list[Scores] = []
    notes: list[Diagnostic] = []
    with progress_bar(f"scoring {suite.name}", progress) as advance:

        def on_progress(done: int, row_count: int) -> None:
            advance(len(scores) * row_count + done, model_count * row_count)

        for found in sweep(model, suite, convention.convention_for, on_progress, on_note=notes.append, **options):
            scores.append(found)
    show_notes(notes)
    return scores


def _rescore(scores_path: Path, convention: ConventionOptions) -> tuple[list[Scores], str]:
    """Aggregate saved scores again. A preset of the command line must score tokens as the saved one does."""
    from runner.score.sweep import rescore_file

    if not scores_path.is_file():
        missing = "" if scores_path.exists() else f"; {scores_path} does not exist"
        raise click.UsageError(f"expected a SUITE, or a file written by --output as MODEL{missing}")
    preset = convention.name if given_options("convention") else None
    return rescore_file(scores_path, convention.values, preset)


def _record(scores: Scores, convention_name: str, answer: Answer) -> dict[str, Any]:
    return {
        "model": scores.model,
        **({"checkpoint": scores.checkpoint} if scores.checkpoint else {}),
        "suite": scores.suite,
        "convention": {"name": convention_name, **asdict(scores.convention)},
        answer.name: list(answer.records),
        **answer.summary,
    }
