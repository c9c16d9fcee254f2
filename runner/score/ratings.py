"""The kind of suite of sentences, with or without acceptability ratings, and correlations with the ratings."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.score.convention import Convention, normalised
from runner.score.inference import Floats, pearson
from runner.score.measures import score_column
from runner.score.pair_formats import format_of, lines
from runner.score.pair_matrices import Score, by_suite
from runner.score.score_table import Total, as_unigram, unigram_scores
from runner.score.sentence_scores import Prepared, Tokens, encode
from runner.score.suite_files import (
    GOOD,
    TABLE_SUFFIXES,
    check_no_paradigms,
    csv_columns,
    csv_records,
    finite_number,
    is_table,
    line_error,
    suite_files,
    suite_text,
)
from runner.score.suite_kind import Answer, Matrix, OpenOptions, PrepareOptions, Scores, SuiteKind, Usage
from runner.workspace import write_text

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Rated:
    text: str
    rating: float | None = None


@dataclass(frozen=True)
class Sentences:
    name: str
    items: list[Rated]


@dataclass(frozen=True, slots=True)
class RatingCorrelation:
    """Pearson's r of scores with ratings, and of unigram scores, over the `rated` of all `sentences`."""

    sentences: int
    rated: int
    r: float | None
    unigram: float | None


# The grammar part of each combined rating (3: flawless, 1: disfluent), as the release documents it.
GRAMMAR = {6: 3, 7: 2, 9: 1, 11: 3, 12: 2, 14: 1, 21: 3, 22: 2, 24: 1}
FILES = "test_output.*.tsv"  # one for each of four systems, in the folder RawData of the release


def is_compressions_folder(path: Path) -> bool:
    return path.is_dir() and any(path.glob(FILES))


def compressions(folder: Path) -> Iterator[tuple[str, float]]:
    """Yield each compressed text with its mean rating of grammaticality (1 to 3). Raises InputError (FICT811).

    A line is `source ||| compression [||| …]`; a compression, `text TAB system TAB count TAB ratings`.
    """
    for file in sorted(folder.glob(FILES)):
        for line_number, line in enumerate(suite_text(file).split("\n"), 1):
            for compression in line.split("|||")[1:]:
                try:
                    text, _, count, *ratings = (field.strip() for field in compression.split("\t"))
                    scores = [GRAMMAR[int(value)] for value in ratings[::3]]
                    if not text or not scores or len(scores) != int(count):
                        raise ValueError(f"expected {count} ratings, found {len(scores)}")
                except (ValueError, KeyError) as error:
                    reason = f"line {line_number} of {file.name} has no ratings in the documented format ({error})"
                    raise InputError.of("FICT811", path=folder, reason=reason) from error
                yield text, math.fsum(scores) / len(scores)


def _read_file(path: Path) -> list[Rated]:
    text = suite_text(path)
    if is_table(path):
        return list(_rows(path, text))
    return [Rated(line.strip()) for line in text.split("\n") if line.strip()]


def _rows(path: Path, text: str) -> Iterator[Rated]:
    for line, row in csv_records(path, text, ("sentence",)):
        sentence, rating = row.get("sentence", "").strip(), row.get("rating", "").strip()
        if not sentence:
            raise line_error(path, text, line, "the sentence is missing")
        value = finite_number(rating) if rating else None
        if rating and value is None:
            raise line_error(path, text, line, f"the rating `{rating}` is not a number")
        yield Rated(sentence, value)


def correlation(table: pa.Table, baseline: pa.Table | None) -> RatingCorrelation:
    ratings, scores = score_column(table, "rating"), score_column(table, "score")
    unigram = None if baseline is None else pearson(score_column(baseline, "score"), ratings)
    rated = sum(not math.isnan(rating + score) for rating, score in zip(ratings, scores, strict=True))
    return RatingCorrelation(table.num_rows, rated, pearson(scores, ratings), unigram)


@dataclass(frozen=True, slots=True)
class RatedSuite(Matrix):
    """Sentences (of the first cell) with ratings, (items,), and scores, (cells, items). NaN marks missing values."""

    suite: str
    sentences: tuple[str, ...]
    ratings: Floats
    cells: tuple[Score, ...]
    scores: Floats
    unigram: Floats  # (cells, items): unigram scores by word frequencies of the training corpus
    name: str = ""

    @property
    def scored(self) -> Sequence[Score]:
        return self.cells

    def correlations(self) -> Mapping[Score, float]:
        by_cell = {cell: pearson(row, self.ratings) for cell, row in zip(self.cells, self.scores, strict=True)}
        return {cell: r for cell, r in by_cell.items() if r is not None}

    def mean(self, condition: str, model: str, *, of_unigrams: bool = False) -> Floats | None:
        """Return each sentence's score averaged over seeds, NaN if a seed has none. Return None if no cell exists."""
        values = self.unigram if of_unigrams else self.scores
        rows = [i for i, cell in enumerate(self.cells) if (cell.condition, cell.model) == (condition, model)]
        return np.asarray(values[rows].mean(axis=0)) if rows else None


def _rated_suite(name: str, table: pa.Table, rows_by_cell: Mapping[Score, list[int]]) -> RatedSuite:
    ratings, items = score_column(table, "rating"), np.asarray(table["item"].to_pylist())
    scores, unigram = score_column(table, "score"), score_column(table, "score_unigram")
    first, *_ = grid = list(rows_by_cell.values())
    for cell, rows in rows_by_cell.items():
        same_items = len(rows) == len(first) and (items[rows] == items[first]).all()
        if not (same_items and np.array_equal(ratings[rows], ratings[first], equal_nan=True)):
            raise InputError.of("FICT892", reason=f"{name} has different sentences or ratings in {cell}")
    sentences = table["sentence"].to_pylist()
    texts = tuple(sentences[index] for index in first)
    return RatedSuite(name, texts, ratings[first], tuple(rows_by_cell), scores[grid], unigram[grid])


class SentencesKind(SuiteKind[Sentences]):
    name, title = "sentences", "sentences"
    usage = Usage(
        "sentences",
        "a .csv or .tsv with the columns sentence and, optionally, rating, or a .txt with one sentence per line",
        "For ratings, r is their correlation with the scores.",
    )
    suite, matrix = Sentences, RatedSuite
    file, results = "sentences.csv", "ratings.parquet"
    columns = ("item", "sentence", "rating", "score", "score_unigram")  # the last is null without counts

    def claims(self, path: Path) -> bool:
        if is_compressions_folder(path) or (path.suffix.lower() == ".txt" and path.is_file()):
            return True
        if not is_table(path) or not path.is_file():
            return False
        columns, format_ = set(csv_columns(path)), format_of(path)
        is_plain = format_ is None or format_.pairs is lines.pairs  # not a table of AANN items, which has sentences
        return is_plain and "sentence" in columns and not columns & {*GOOD}

    def open(self, path: Path, name: str | None = None, **options: Unpack[OpenOptions]) -> Sentences:
        """Read tables, a text file with one sentence per line or the MSR dataset. Raises InputError (FICT811, 812)."""
        if is_compressions_folder(path):
            items = [Rated(*row) for row in compressions(path)]
        else:
            items = [item for file in suite_files(path, TABLE_SUFFIXES) for item in _read_file(file)]
        if not items:
            raise InputError.of("FICT811", path=path, reason="it contains no sentence")
        check_no_paradigms(path, options.get("paradigms", ()))
        return Sentences(name or path.stem, items[: options.get("limit")])

    def check(self, suite: Sentences, path: Path) -> None:
        if all(item.rating is None for item in suite.items):
            raise InputError.of("FICT811", path=path, reason="none of its sentences has a rating")

    def sentences(self, suite: Sentences) -> Iterator[str]:
        yield from (item.text for item in suite.items)

    def prepare(
        self, saved: SavedModel, suite: Sentences, convention: Convention, **options: Unpack[PrepareOptions]
    ) -> Prepared:
        texts = [item.text for item in suite.items]
        sentences = encode(saved, texts, convention, skip_long=options.get("skip_long", False))

        def tabulate(tokens: Sequence[Tokens], totals: Sequence[Total]) -> pa.Table:  # noqa: ARG001
            import pyarrow as pa

            scores = [normalised(convention.normalise, total.logprob, total.scored, total.unigram) for total in totals]
            columns = {
                "item": pa.array(range(len(texts)), pa.int32()),
                "sentence": pa.array(texts, pa.string()),
                "rating": pa.array([item.rating for item in suite.items], pa.float64()),
                "score": pa.array(scores, pa.float64()),
                "tokens": pa.array([sentence.token_count for sentence in sentences], pa.int32()),
                "unk": pa.array([sentence.unknown_count for sentence in sentences], pa.int32()),
                "logprob": pa.array([total.logprob if total.scored else None for total in totals], pa.float64()),
                "scored": pa.array([total.scored for total in totals], pa.int32()),
                "unigram": pa.array([total.unigram for total in totals], pa.float64()),
            }
            return pa.table(columns)

        return Prepared.of(saved, convention, texts, sentences, tabulate)

    def write(self, suite: Sentences, folder: Path) -> None:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["sentence", "rating"])
        writer.writerows((item.text, "" if item.rating is None else repr(item.rating)) for item in suite.items)
        write_text(folder / self.file, out.getvalue())

    def read(self, path: Path) -> Sentences:
        return self.open(path)

    def holds(self, table: pa.Table) -> bool:
        return "rating" in table.column_names

    def answer(self, table: pa.Table, convention: Convention) -> Answer:
        if table.column("rating").null_count == table.num_rows:
            columns = ("sentence", "score", "tokens", "unk")
            return Answer("sentences", table.select(columns).to_pylist())
        statistics = asdict(correlation(table, unigram_scores(table, convention.normalise, "unigram")))
        r, unigram = statistics.pop("r"), statistics.pop("unigram")
        return Answer("ratings", [{"ratings": "Pearson's r", "r": r, "r_unigram": unigram, **statistics}])

    def summaries(self, table: pa.Table) -> Iterator[dict[str, Any]]:
        yield {"pearson": correlation(table, None).r}

    def rows(self, table: pa.Table, convention: Convention) -> pa.Table:
        unigrams = as_unigram(table, convention.normalise)["score"]
        return table.append_column("score_unigram", unigrams)

    def matrices(self, folder: Path | None, scored: Sequence[Scores] = ()) -> tuple[RatedSuite, ...]:
        for entry in scored:
            if entry.table["rating"].null_count == entry.table.num_rows:
                reason = f"the sentences of {entry.suite} have no ratings, so a report has nothing to compare with"
                raise InputError.of("FICT892", reason=reason)
        return tuple(_rated_suite(*rows_of_suite) for rows_of_suite in by_suite(self.table(folder, scored)))
