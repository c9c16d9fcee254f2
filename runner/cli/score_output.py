"""Output of `fictc score` by kind of suite, as an aligned table or CSV, and the sentences of `--counts`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from runner.score.measures import ParadigmAccuracy, accuracy, mean
from runner.score.preferences import has_preferences
from runner.score.preferences import outcomes as outcomes_of_preferences
from runner.score.ratings import correlation
from runner.score.score_table import as_unigram
from runner.score.syntaxgym import outcomes
from runner.score.winobias import Difference, differences
from runner.tables import aligned, csv_text

if TYPE_CHECKING:
    import pyarrow as pa

    from runner.score.convention import Convention


Record = Mapping[str, Any]


@dataclass(frozen=True)
class Answer:
    """The result of one model: `records` are rows, `total` is the row below them, and `summary` is for JSON only."""

    name: str  # key of the records in JSON
    records: Sequence[Record]
    total: Record | None = None
    summary: Record = field(default_factory=dict)


def format_percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def format_value(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def format_count(value: int | None) -> str:
    return "–" if value is None else f"{value:,}"


FORMATTERS: Mapping[str, Callable[[Any], str]] = {
    **dict.fromkeys(("accuracy", "told_apart", "unigram", "pro"), format_percent),
    **dict.fromkeys(("delta", "se", "r", "r_unigram", "score", "value"), format_value),
    **dict.fromkeys(
        ("pairs", "ties", "identical", "unknown", "applicable", "items", "sentences", "rated"), format_count
    ),
    **dict.fromkeys(("tokens", "unk"), format_count),
}


def _text_cell(value: object) -> str:
    return " ".join(str(value).split())


HIDDEN_COLUMNS = ("phenomenon",)  # columns that tables omit


def table(answers: Sequence[tuple[str, Answer]], title: str) -> Iterator[str]:
    """Yield aligned lines under `title`; each answer has the name of its checkpoint, "" if there is only one."""
    records = [
        ({"checkpoint": name} if len(answers) > 1 else {}) | dict(record)
        for name, answer in answers
        for record in (*answer.records, *([answer.total] if answer.total else []))
    ]
    if not records:
        return
    names = [name for name in records[0] if name not in HIDDEN_COLUMNS]
    text_columns = [name for name in names if name not in FORMATTERS]
    headings = [
        title if name == text_columns[0] else name if name in FORMATTERS or len(text_columns) > 1 else ""
        for name in names
    ]
    rows = [
        headings,
        *([FORMATTERS.get(name, _text_cell)(record.get(name, "")) for name in names] for record in records),
    ]
    yield from aligned(rows, [i for i, name in enumerate(names) if name in FORMATTERS])


def as_csv(answers: Sequence[tuple[str, Answer]]) -> str:
    """Return the records with a header; the checkpoint is the first column if there are several."""
    records = [
        ({"checkpoint": name} if len(answers) > 1 else {}) | dict(record)
        for name, answer in answers
        for record in answer.records
    ]
    header = list(records[0]) if records else []
    return csv_text([header, *([record.get(name) for name in header] for record in records)])


DIFFERENCE_COLUMNS = ("type", "split", "gender", "delta", "se", "pro", "pairs")
COUNT_COLUMNS = ("pairs", "ties", "identical", "unknown")
ACCURACY_COLUMNS = ("accuracy", "told_apart", "unigram")


def answer(table: pa.Table, convention: Convention) -> Answer:
    if "region" in table.column_names:
        return predictions(table)
    if "rating" in table.column_names:
        return sentences(table, convention)
    if has_preferences(table):
        return preferences(table)
    winobias_rows = differences(table)
    is_winobias = sum(row.pairs for row in winobias_rows) == table.num_rows
    return stereotypes(winobias_rows) if is_winobias else pairs(table, convention)


def pairs(table: pa.Table, convention: Convention) -> Answer:
    """Return the accuracy per paradigm over the applicable pairs, and the unigram accuracy if counts are known."""
    unigram_scores = _unigram_scores(table, convention, "unigram_good")
    unigram_accuracies = (
        {}
        if unigram_scores is None
        else {row.paradigm: row.accuracy for row in accuracy(unigram_scores, convention.ties)}
    )
    records = [_record(row, unigram_accuracies.get(row.paradigm)) for row in accuracy(table, convention.ties)]
    means = {name: mean(record[name] for record in records) for name in ACCURACY_COLUMNS}
    sums = {name: sum(record[name] for record in records) for name in COUNT_COLUMNS}
    total = {"paradigm": "mean of paradigms", "phenomenon": "", **means, **sums}
    return Answer("paradigms", records, total, {"mean": means})


def _unigram_scores(table: pa.Table, convention: Convention, column: str) -> pa.Table | None:
    """Return the table with the scores of the unigram baseline, or None if they are not known."""
    if table.column(column).null_count == table.num_rows:
        return None
    return as_unigram(table, convention.normalise)


def preferences(table: pa.Table) -> Answer:
    return Answer("preferences", [asdict(row) for row in outcomes_of_preferences(table)])


def stereotypes(rows: Sequence[Difference]) -> Answer:
    """Return ΔNLL by type, split and gender. There is no total, because the genders would cancel out."""
    records = [{**asdict(row), "pro": row.pro_share} for row in rows]
    return Answer("differences", [{name: row[name] for name in (*DIFFERENCE_COLUMNS, "applicable")} for row in records])


def sentences(table: pa.Table, convention: Convention) -> Answer:
    """Return the correlation with ratings or, without ratings, the score of each sentence."""
    if table.column("rating").null_count == table.num_rows:
        columns = ("sentence", "score", "tokens", "unk")
        return Answer("sentences", table.select(columns).to_pylist())
    unigram_scores = _unigram_scores(table, convention, "unigram")
    statistics = asdict(correlation(table, unigram_scores))
    return Answer(
        "ratings",
        [{"ratings": "Pearson's r", "r": statistics.pop("r"), "r_unigram": statistics.pop("unigram"), **statistics}],
    )


def predictions(table: pa.Table) -> Answer:
    records = [asdict(row) for row in outcomes(table)]
    mean_accuracy = mean(row["accuracy"] for row in records)
    total = {"suite": "mean of predictions", "prediction": "", "accuracy": mean_accuracy}
    total |= {name: sum(row[name] for row in records) for name in ("items", "applicable")}
    return Answer("predictions", records, total, {"mean": {"accuracy": mean_accuracy}})


def _record(row: ParadigmAccuracy, unigram: float | None) -> dict[str, Any]:
    values = asdict(row)
    names = ("paradigm", "phenomenon", "accuracy", "told_apart")
    return {
        **{name: values[name] for name in names},
        "unigram": unigram,
        **{name: values[name] for name in COUNT_COLUMNS},
    }


def sentences_of(path: Path) -> Iterator[str]:
    """Yield the sentences of a store or a file. A byte order mark and white space around a sentence are dropped.

    Raises InputError if the store cannot be read (FICT740 and related codes), or if the file cannot be read (FICT700),
    is not raw text (FICT710) or is not UTF-8 (FICT701).
    """
    from runner.corpus.raw_text import find_non_text, read_lines
    from runner.corpus.sentence_texts import sentence_texts
    from runner.corpus.store import Store
    from runner.errors import InputError

    if path.is_dir():
        yield from sentence_texts(Store.open(path))
        return
    if problems := list(find_non_text([path])):
        raise InputError(problems)
    yield from (unit.text.removeprefix("\ufeff").strip() for unit in read_lines(path))
