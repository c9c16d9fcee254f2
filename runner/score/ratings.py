"""Score sentences with or without acceptability ratings, and correlate the scores with the ratings."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fictdsl.diagnostics.codes import diagnostic
from runner.errors import InputError
from runner.model.saved import SavedModel
from runner.readers import text_reason
from runner.score.convention import Convention, normalised
from runner.score.encoding import encode_texts
from runner.score.inference import pearson
from runner.score.measures import score_column
from runner.score.score_table import Total
from runner.score.sentence_scores import Prepared, Tokens, build_scoring_plan, check_convention, without_long
from runner.score.suite_files import TABLE_SUFFIXES, csv_records, is_table, line_error, suite_files, suite_text
from runner.score.suites import compressions, is_compressions_folder

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Rated:
    """A sentence with its rating, if it has one."""

    text: str
    rating: float | None = None


@dataclass(frozen=True)
class Sentences:
    """Sentences in the order of their file."""

    name: str
    items: list[Rated]


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r of scores with ratings, over the `rated` sentences, which have both.

    `sentences` counts all sentences. `unigram` is the r of unigram scores, or None without them. Either r is also None
    where `pearson` returns None.
    """

    sentences: int
    rated: int
    r: float | None
    unigram: float | None


def load_sentences(path: Path, name: str | None = None, *, limit: int | None = None) -> Sentences:
    """Read a table (columns `sentence` and optionally `rating`), a folder of tables, a text file or the MSR dataset.

    A text file has one sentence per line. `limit` keeps the first sentences. Raises InputError (FICT811, 812).
    """
    if is_compressions_folder(path):
        items = _compressions(path)
    else:
        items = [item for file in suite_files(path, TABLE_SUFFIXES) for item in _read_file(file)]
    if not items:
        raise InputError(diagnostic("FICT811", path=path, reason="it contains no sentence"))
    return Sentences(name or path.stem, items[:limit])


def _compressions(folder: Path) -> list[Rated]:
    try:
        return [Rated(*row) for row in compressions(folder)]
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(diagnostic("FICT811", path=folder, reason=text_reason(error))) from error
    except ValueError as error:
        raise InputError(diagnostic("FICT811", path=folder, reason=str(error))) from error


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
        value = parse_rating(rating) if rating else None
        if rating and value is None:
            raise line_error(path, text, line, f"the rating `{rating}` is not a number")
        yield Rated(sentence, value)


def parse_rating(rating: str) -> float | None:
    """Parse a rating. Return None if it is not a finite number."""
    try:
        value = float(rating)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def prepare_sentences(
    saved: SavedModel,
    suite: Sentences,
    convention: Convention,
    max_batch_tokens: int | None = None,
    *,
    skip_long: bool = False,
) -> Prepared:
    """Encode sentences for a model. The table has one row per sentence, without a score if `skip_long` leaves it out.

    Raises InputError as `runner.score.minimal_pairs.prepare_pairs` does.
    """
    check_convention(saved, convention)
    texts = [item.text for item in suite.items]
    sentences = encode_texts(
        [("", text) for text in texts], saved.tokenizer, convention, saved.about, saved.folder.name
    )
    if skip_long:
        sentences = without_long(saved, sentences, convention)

    def tabulate(tokens: Sequence[Tokens], totals: Sequence[Total]) -> pa.Table:  # noqa: ARG001
        import pyarrow as pa

        columns = {
            "item": pa.array(range(len(texts)), pa.int32()),
            "sentence": pa.array(texts, pa.string()),
            "rating": pa.array([item.rating for item in suite.items], pa.float64()),
            "score": pa.array([_score(convention, total) for total in totals], pa.float64()),
            "tokens": pa.array([sentence.token_count for sentence in sentences], pa.int32()),
            "unk": pa.array([sentence.unknown_count for sentence in sentences], pa.int32()),
            "logprob": pa.array([total.logprob if total.scored else None for total in totals], pa.float64()),
            "scored": pa.array([total.scored for total in totals], pa.int32()),
            "unigram": pa.array([total.unigram for total in totals], pa.float64()),
        }
        return pa.table(columns)

    return Prepared(
        convention,
        texts,
        sentences,
        build_scoring_plan(saved, texts, sentences, convention, max_batch_tokens),
        tabulate,
    )


def _score(convention: Convention, total: Total) -> float | None:
    return normalised(convention.normalise, total.logprob, total.scored, total.unigram)


def correlation(table: pa.Table, baseline: pa.Table | None) -> Correlation:
    """Correlate ratings with the scores in a table of `prepare_sentences`, and in its `baseline` (`as_unigram`)."""
    ratings, scores = score_column(table, "rating"), score_column(table, "score")
    unigram = None if baseline is None else pearson(score_column(baseline, "score"), ratings)
    rated = sum(not math.isnan(rating + score) for rating, score in zip(ratings, scores, strict=True))
    return Correlation(table.num_rows, rated, pearson(scores, ratings), unigram)
